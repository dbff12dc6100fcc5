"""Rules about where an identifier stands: it is found wherever it is."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from pytest_pii_eval.testing.checks.depths import in_crowds
from pytest_pii_eval.testing.drafts import Drafts, length_for
from pytest_pii_eval.testing.examination import verdict
from pytest_pii_eval.testing.judging import missing_at, spans_of

if TYPE_CHECKING:
    from pytest_pii_eval.contracts.spans import Span
    from pytest_pii_eval.testing.asking import Reply
    from pytest_pii_eval.testing.drafts import Draft, Place
    from pytest_pii_eval.testing.examination import Examination


def finds(examination: Examination) -> None:
    """Each identifier is found in a short neutral text, under its own label."""
    examination.require_usable_answers()
    lost = [one.called for one in examination.identifiers if one not in examination.shapes]
    verdict(lost, len(examination.identifiers), "not found in a short neutral text")


def covers(examination: Examination) -> None:
    """What is found for an identifier begins where it begins and ends where it ends, in one span."""
    faults = []
    for identifier in examination.found:
        shape = examination.shapes[identifier]
        start, end = min(one[0] for one in shape), max(one[1] for one in shape)
        if start or end:
            faults.append(
                f"{identifier.called}: the answer starts {start:+} and ends {end:+} code points off"
            )
        elif not any(one[:2] == (0, 0) for one in shape):
            faults.append(f"{identifier.called}: it is covered in {len(shape)} parts, by no one span")
    verdict(faults, len(examination.found), "an answer covers less or more than the identifier")


def edges(examination: Examination) -> None:
    """An identifier is found at the very start and at the very end of a text."""
    drafts = Drafts(2)
    faults = []
    for identifier in examination.found:
        faults += [f"at the start: {fault}" for fault in examination.missing(drafts.at(identifier, 0))]
        faults += [f"at the end: {fault}" for fault in examination.missing(drafts.ending_with(identifier))]
    verdict(faults, 2 * len(examination.found), "not found at an edge of a text")


def touching(examination: Examination) -> None:
    """Identifiers with only a separator between them are all covered, and each keeps a span of its own."""
    drafts, faults, asked = Drafts(4), [], 0
    found = examination.found
    for one, other in [*pairwise(found), (found[-1], found[0])]:
        for separator in examination.limits.separators:
            draft = drafts.joined([one, other], separator)
            asked += 1
            fault = examination.lasting(draft.text, partial(_torn, examination, draft))
            if fault is not None:
                faults.append(f"{one.called}, {other.called}, separator {separator!a}: {fault}")
    verdict(faults, asked, "identifiers that touch are lost or merged")


def _torn(examination: Examination, draft: Draft, reply: Reply) -> str | None:
    spans = spans_of(draft.text, reply, examination.unit)
    if spans is None:
        first = draft.places[0]
        return missing_at(first, examination.shapes[first.identifier], draft.text, reply, examination.unit)
    covered = {point for span in spans for point in range(span.start, span.end)}
    for number, place in enumerate(draft.places):
        if not all(covered.issuperset(due) for due in _due(examination, place)):
            return f"number {number} of {len(draft.places)} is not covered"
    labels = {label for place in draft.places for *_, label in examination.shapes[place.identifier]}
    if any(_holds_two(span, draft) for span in spans if span.type in labels):
        return "one span holds two of them"
    return None


def _due(examination: Examination, place: Place) -> list[range]:
    shape = examination.shapes[place.identifier]
    return [range(place.start + start, place.end + end) for start, end, _ in shape]


def _holds_two(span: Span, draft: Draft) -> bool:
    middles = [(place.start + place.end) // 2 for place in draft.places]
    return sum(span.start <= middle < span.end for middle in middles) > 1


def mentions(examination: Examination) -> None:
    """Every mention of an identifier in a text is found, be there four or many.

    Where one of many is not found, it is looked for alone at the same place of the same text: what is lost at
    a depth, whether alone or not, is the matter of another test.
    """
    drafts, faults = Drafts(5), list[str]()
    for identifier in examination.found:
        draft = drafts.joined([identifier] * 4, " again and here once more ")
        faults += examination.missing(draft)
    crowded = in_crowds(examination)
    faults += [f"among many, though found alone there: {fault}" for fault in crowded.among_others]
    asked = 4 * len(examination.found) + crowded.asked
    verdict(faults, asked, "not every mention of an identifier is found")


def blanks(examination: Examination) -> None:
    """A text that is empty or only white space is answered, with nothing."""
    examination.require_usable_answers()
    texts = [
        "",
        " ",
        "\n",
        "\t \r\n",
        "\u00a0\u2003\u3000",
        " " * length_for(23, 2_000),
        "\n" * length_for(23, 500),
    ]

    def judge(reply: Reply) -> str | None:
        if reply.error is not None:
            return f"raised {type(reply.error).__name__}"
        return "answered with spans" if any(stage for stage in reply.value[:3]) else None

    faults = []
    for number, text in enumerate(texts):
        fault = examination.lasting(text, judge)
        if fault is not None:
            faults.append(f"text {number}, {len(text):,} code points: {fault}")
    verdict(faults, len(texts), "an empty or blank text is not answered with nothing")
