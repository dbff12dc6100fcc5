"""Rules about offsets: valid, in the declared unit, counted from the start, in the text as it was given."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, Verbosity, given, settings

from pytest_pii_eval.contracts.spans import Detection
from pytest_pii_eval.detectors.answers import BadAnswer, converted
from pytest_pii_eval.testing.drafts import Drafts
from pytest_pii_eval.testing.examination import verdict
from pytest_pii_eval.testing.strategies import PIECES, plain_letters, stand_in, surroundings
from pytest_pii_eval.withheld import withheld

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypothesis.strategies import SearchStrategy

    from pytest_pii_eval.testing.asking import Reply
    from pytest_pii_eval.testing.drafts import Draft, Identifier
    from pytest_pii_eval.testing.examination import Examination

_STARTS = ("   ", "\ufeff", "\r\n", " \t", "\u00a0", "\u200b")
# ASCII, and no carriage returns: wrong units and normalised line ends are asked for elsewhere.
_SEGMENTS = (
    "one thing.",
    "is that so? it is!",
    "first line\nsecond line\nthird",
    "one paragraph\n\nanother one",
    "1) the first. 2) the second",
    "page one\x0cpage two",
    "a\x0bb\x1cc\x1dd\x1ee",
    "name\tplace\tdate\nrow",
    "> quoted\n> again\n>",
)
# Every awkward piece is in one of them, whatever Hypothesis draws.
_HANDFULS = tuple(" ".join(PIECES[first::12]) for first in range(12))
_TOO_MANY = 5


def valid(examination: Examination) -> None:
    """Answers are `Detection`s whose offsets are half-open ranges inside the text.

    The texts are ASCII, so every unit counts alike.
    """
    drafts, faults, asked = Drafts(6), [], 0
    for identifier in examination.identifiers:
        whole = drafts.around(identifier).text
        for text in (
            identifier.value,
            whole,
            drafts.at(identifier, 0).text,
            drafts.joined([identifier] * 3, ", ").text,
        ):
            if not text.isascii():
                continue
            asked += 1
            fault = _lasting_invalid(examination, text)
            if fault is not None:
                faults.append(f"{identifier.called}, {len(text):,} code points: {fault}")
    verdict(faults, asked, "an answer is not valid")


def _lasting_invalid(examination: Examination, text: str) -> str | None:
    for _ in range(examination.patience):
        reply = examination.ask(text)
        fault = None if reply.error is not None else _invalid(text, reply.value)
        if fault is None:
            return None
    return fault


def _invalid(text: str, value: Any) -> str | None:
    try:
        dropped = converted(text, value, "codepoint").dropped
    except BadAnswer as error:
        return error.rule
    if dropped:
        return f"{dropped} spans or ranges are empty, reversed, outside the text or no integers"
    return None


def unit(examination: Examination) -> None:
    """Characters of several bytes before an identifier leave it where it is, in the declared unit.

    Of candidates and protection those ranges are asked for which are what is selected in an ASCII text.
    """
    drafts, found = Drafts(7), examination.found
    stages = {one: _stages_of(examination, drafts.around(one, "around")) for one in found}

    def judge(letters: str, number: int) -> list[str]:
        identifier = found[number % len(found)]
        draft = drafts.around(identifier, letters)
        return examination.missing(draft) or _lost_stages(examination, draft, stages[identifier])

    fixed = ("ж", "漢", "😀", "𠀀𠀀", " ".join(["ж漢😀"] * 40))
    rule = f"offsets are not in the declared unit ({examination.unit}): non-ASCII text stands before"
    _judge_all(examination, plain_letters(), (fixed, judge), rule)


def _stages_of(examination: Examination, draft: Draft) -> set[str]:
    """Return the stages besides the selected one in which the identifier's own spans are met again."""
    reply = examination.ask(draft.text)
    return set() if examination.is_unusable(draft.text, reply) else _stages_in(examination, draft, reply)


def _stages_in(examination: Examination, draft: Draft, reply: Reply) -> set[str]:
    if reply.error is not None:
        return set()
    place = draft.places[0]
    due = {(place.start + start, place.end + end) for start, end, _ in examination.shapes[place.identifier]}
    whole = converted(draft.text, reply.value, examination.unit).detection
    stages = {"candidates": whole.candidates, "protection": whole.protection}
    return {name for name, ranges in stages.items() if due <= {tuple(one[:2]) for one in ranges or ()}}


def _lost_stages(examination: Examination, draft: Draft, stages: set[str]) -> list[str]:
    def judge(reply: Reply) -> str | None:
        lost = sorted(stages - _stages_in(examination, draft, reply))
        return ", ".join(lost) or None

    fault = examination.lasting(draft.text, judge) if stages else None
    return (
        [] if fault is None else [f"{draft.places[0].identifier.called}: what is selected is not in {fault}"]
    )


def as_given(examination: Examination) -> None:
    """What normalisation, folding, unescaping or stripping would change leaves every offset where it is.

    Each text is compared with one that holds plain letters of equal size in their place, so that a wrong
    unit, wrong ends or a lost segment are no fault here: both texts have them.
    """
    drafts, found = Drafts(8), examination.found

    def judge(pieces: str, number: int) -> list[str]:
        draft = drafts.around(found[number % len(found)], pieces, pieces[:4])
        return _moved(examination, draft, draft.text.replace(pieces, stand_in(pieces), 1))

    def judge_start(start: str, number: int) -> list[str]:
        draft = drafts.around(found[number % len(found)], start=start)
        plain = stand_in(start.replace(" ", "x")) + draft.text.removeprefix(start)
        return _moved(examination, draft, plain)

    rule = "what stands around an identifier moves or hides it: the text is not taken as it is"
    verdict(
        [fault for number, one in enumerate(_STARTS) for fault in judge_start(one, number)],
        len(_STARTS),
        rule,
    )
    _judge_all(examination, surroundings(), (_HANDFULS, judge), rule)


def _moved(examination: Examination, draft: Draft, plain: str) -> list[str]:
    """Say where `draft` lacks a raw span that `plain`, its equal in size, has at the identifier."""
    place = draft.places[0]
    due = _raw_spans(examination, plain, place.identifier, (place.start, _widest(plain, place.start)))
    if not due:
        return []

    def judge(reply: Reply) -> str | None:
        if reply.error is not None:
            return f"raised {withheld(reply.error)}"
        lost = due - {tuple(span[:3]) for span in reply.value.selected}
        return f"{len(lost)} of {len(due)} spans are not where they are amid plain letters" if lost else None

    fault = examination.lasting(draft.text, judge)
    return (
        []
        if fault is None
        else [f"{place.identifier.called} at code points {place.start} to {place.end}: {fault}"]
    )


def _raw_spans(
    examination: Examination, text: str, identifier: Identifier, starts: tuple[int, int]
) -> set[tuple[object, ...]]:
    """Return the spans of the identifier as they come, wherever a wrong unit may have put them."""
    for _ in range(4):
        value = examination.ask(text).value
        spans = value.selected if isinstance(value, Detection) else ()
        wanted = {
            (starts[0] + start, starts[1] + start, len(identifier.value) + end - start, label)
            for start, end, label in examination.shapes[identifier]
        }
        kept = {
            tuple(span[:3])
            for span in spans
            for low, high, length, label in wanted
            if span.type == label and low <= span.start <= high and span.end - span.start == length
        }
        if kept:
            return kept
    return set()


def _widest(text: str, point: int) -> int:
    return len(text[:point].encode())


def segments(examination: Examination) -> None:
    """Sentences, lines, pages and paragraphs before an identifier leave it where it is."""
    drafts, faults = Drafts(9), []
    for number, segment in enumerate(_SEGMENTS):
        for identifier in examination.found:
            for fault in examination.missing(drafts.around(identifier, segment)):
                faults.append(f"segments of kind {number}: {fault}")  # noqa: PERF401  # three loops in one line
    rule = "offsets do not count from the start of the text: sentences, lines or pages stand before"
    verdict(faults, len(_SEGMENTS) * len(examination.found), rule)


def _judge_all(
    examination: Examination,
    strategy: SearchStrategy[str],
    cases: tuple[Sequence[str], Callable[[str, int], list[str]]],
    rule: str,
) -> None:
    """Judge the fixed cases and drawn ones; Hypothesis sees no failure, so it has no example to print."""
    fixed, judge = cases
    faults: list[str] = []
    raised: list[Exception] = []
    drawn = count()

    @settings(
        max_examples=examination.limits.examples,
        database=None,
        deadline=None,
        derandomize=True,
        phases=(Phase.generate,),
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @given(strategy)
    def judge_drawn(text: str) -> None:
        number = next(drawn)
        if len(faults) < _TOO_MANY and not raised:
            try:
                faults.extend(judge(text, number))
            except Exception as error:  # noqa: BLE001  # Hypothesis would note the example on it
                raised.append(error)

    for number, text in enumerate(fixed):
        faults.extend(judge(text, number))
    judge_drawn()
    if raised:
        raise raised[0]
    verdict(faults, len(fixed) + next(drawn), rule)
