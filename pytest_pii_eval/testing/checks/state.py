"""Rules about calls: equal answers, whatever was asked before, together, at once or how often."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any

from pytest_pii_eval.contracts.spans import Detection
from pytest_pii_eval.testing.asking import Reply, unheard
from pytest_pii_eval.testing.drafts import Drafts, filler, length_for
from pytest_pii_eval.testing.examination import Inapplicable, verdict
from pytest_pii_eval.testing.judging import facts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_pii_eval.testing.drafts import Draft
    from pytest_pii_eval.testing.examination import Examination

_CALLS = 12
_BATCH = 80
"""Texts of the largest `batch_size` that is gone beyond; half of them are a large batch for others."""
_IDLE = filler(length_for(11, 64))
_SWITCH = 1e-5


def equal_answers(examination: Examination) -> None:
    """The same text is answered alike each time; the order of spans and their scores are not compared."""
    texts = _texts(examination, Drafts(10))
    faults = []
    for number, text in enumerate(texts):
        examination.ask(text)  # what the document before left behind is the matter of another test
        replies = [examination.ask(text) for _ in range(_CALLS)]
        if any(examination.is_unusable(text, reply) for reply in replies):
            continue
        kinds = {_facts(reply) for reply in replies}
        if len(kinds) > 1:
            faults.append(
                f"text {number}, {len(text):,} code points: {len(kinds)} different answers to {_CALLS} calls"
            )
    verdict(faults, len(texts), "equal input is answered differently")


def independence(examination: Examination) -> None:
    """What was asked before changes no answer, though the texts begin, end and measure alike."""
    drafts, faults = Drafts(11), []
    for identifier in examination.found:
        early, late, without = drafts.twins(identifier)
        for first, second in ((early.text, late), (late.text, early), (without, early), (without, late)):
            fault = _affected(examination, first, second)
            if fault is not None:
                faults.append(fault)
        if _left_over(examination, early.text, without):
            faults.append(f"{identifier.called}: answered for a text that lacks it, after one that holds it")
    verdict(faults, 5 * len(examination.found), "a document changes the answer for the next")


def _affected(examination: Examination, first: str, second: Draft) -> str | None:
    """Return what is wrong with `second` after `first`, whatever the number of calls before."""
    fault = None
    for idle in range(examination.patience):
        for _ in range(idle % 4):
            examination.ask(_IDLE)
        examination.ask(first)
        reply = examination.ask(second.text)
        if examination.is_unusable(second.text, reply):
            return None
        fault = examination.missing_at(second.places[0], second.text, reply)
        if fault is None:
            return None
    return fault


def _left_over(examination: Examination, first: str, without: str) -> bool:
    """Whether a text has more in its answer after `first` than it ever has else."""
    alone = {fact for _ in range(3) for fact in _spans(examination.ask(without))}
    for idle in range(examination.patience):
        for _ in range(idle % 4):
            examination.ask(_IDLE)
        examination.ask(first)
        if set(_spans(examination.ask(without))) <= alone:
            return False
    return True


def _spans(reply: Reply) -> list[tuple[object, ...]]:
    return [span[:3] for span in reply.value.selected] if isinstance(reply.value, Detection) else []


def batch(examination: Examination) -> None:
    """`detect_batch` answers each text as `detect` does, in order, however many there are."""
    detect_batch = getattr(examination.detector, "detect_batch", None)
    if detect_batch is None:
        raise Inapplicable("the detector has no detect_batch")
    examination.require_usable_answers()
    texts = _texts(examination, Drafts(12))
    examination.require_steady_answers()
    texts = [text for text in texts if not examination.is_unusable(text, examination.ask(text))]
    batches: list[Sequence[str]] = [(), texts[:1], texts, texts[::-1], ["", *texts[:2], ""], [texts[0]] * 3]
    batches.append((texts * _BATCH)[: _beyond(examination.detector)])
    faults = []
    for number, given in enumerate(batches):
        fault = _drift(examination, detect_batch, given)
        if fault is not None:
            faults.append(f"batch {number} of {len(given)} texts: {fault}")
    verdict(faults, len(batches), "a batch is not answered as its texts one by one")


def _beyond(detector: Any) -> int:
    """Return more texts than the detector takes at once, or than many do."""
    size = getattr(detector, "batch_size", None)
    return min(size if isinstance(size, int) else 0, _BATCH) + _BATCH // 2


def _drift(examination: Examination, detect_batch: Callable[..., Any], texts: Sequence[str]) -> str | None:
    def together() -> list[object]:
        with unheard():
            reply = examination.asker.reply(lambda: list(detect_batch(list(texts))), documents=len(texts) + 1)
        if reply.error is not None or reply.late:
            return [_facts(reply)]
        return [facts_of(value) for value in reply.value]

    def one_by_one() -> list[object]:
        return [_facts(examination.ask(text)) for text in texts]

    if not examination.differs(together, one_by_one):
        return None
    batch_answers, single_answers = together(), one_by_one()
    if len(batch_answers) != len(texts):
        return f"{len(batch_answers)} answers"
    pairs = zip(batch_answers, single_answers, strict=True)
    different = [index for index, (one, other) in enumerate(pairs) if one != other]
    return f"{len(different)} answers differ, those for texts {', '.join(map(str, different[:5]))} among them"


def threads(examination: Examination) -> None:
    """Several threads at once get the answers that one gets, where the detector says it is thread-safe."""
    if getattr(examination.detector, "thread_safe", False) is not True:
        raise Inapplicable("the detector does not claim thread_safe")
    examination.require_steady_answers()
    texts = _texts(examination, Drafts(13))
    alone = [_facts(examination.ask(text)) for text in texts]

    def at_once() -> list[object]:
        return _at_once(examination, texts)

    different = [
        index for index, answers in enumerate(_answers(at_once, len(texts))) if answers - {alone[index]}
    ]
    stable = [
        index
        for index in different
        if all(_facts(examination.ask(texts[index])) == alone[index] for _ in range(3))
    ]
    faults = [f"text {index} of {len(texts)}" for index in stable]
    verdict(faults, len(texts), f"{examination.limits.threads} threads at once get other answers than one")


def _answers(at_once: Callable[[], list[object]], texts: int) -> list[set[Any]]:
    met: list[set[Any]] = [set() for _ in range(texts)]
    for _ in range(3):
        for number, answer in enumerate(at_once()):
            met[number % texts].add(answer)
    return met


def _at_once(examination: Examination, texts: Sequence[str]) -> list[object]:
    """Return the answers of every thread for every text, thread by thread."""
    number, detector = examination.limits.threads, examination.detector
    answers: list[list[object]] = [[None] * len(texts) for _ in range(number)]
    barrier = threading.Barrier(number)

    def work(mine: int) -> None:
        barrier.wait()
        for step in range(len(texts)):
            at = (step + mine) % len(texts)
            try:
                answers[mine][at] = facts_of(detector.detect(texts[at]))
            except Exception as error:  # noqa: BLE001  # compared like an answer
                answers[mine][at] = (type(error).__name__,)

    started = [threading.Thread(target=work, args=(mine,), daemon=True) for mine in range(number)]
    limit = None if examination.asker.limit is None else examination.asker.limit * number * len(texts)
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH)
    try:
        with unheard():
            for thread in started:
                thread.start()
            for thread in started:
                thread.join(limit)
    finally:
        sys.setswitchinterval(before)
    return [answer for one in answers for answer in one]


def _facts(reply: Reply) -> object:
    if reply.error is not None or reply.late:
        return (type(reply.error).__name__,)
    return facts_of(reply.value)


def _texts(examination: Examination, drafts: Drafts) -> list[str]:
    """Return texts of several lengths and characters, with and without identifiers."""
    found = examination.identifiers
    texts = [drafts.around(identifier).text for identifier in found[:4]]
    texts += [drafts.plain(), drafts.around(found[0], "жшю 漢字 😀").text, drafts.at(found[-1], 1_500).text]
    return [*texts, drafts.joined(list(found[:3]) * 2, " and then ").text]
