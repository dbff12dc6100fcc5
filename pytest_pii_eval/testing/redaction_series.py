"""What must hold of several answers of a redactor together, and of what it raises on bad input."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pytest_pii_eval.detectors.alignment import AlignmentRefused, align
from pytest_pii_eval.testing.asking import unheard
from pytest_pii_eval.testing.leaks import shows
from pytest_pii_eval.testing.redaction_checks import Broken, Redaction, Trial, Unclear
from pytest_pii_eval.testing.redaction_texts import Sample, between_words
from pytest_pii_eval.withheld import type_and_place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


def steady(trial: Trial, samples: Sequence[Sample], *, deterministic: bool) -> None:
    """Raise `Broken` where a sample is masked in another way after the others than before them.

    Where the redactor is not deterministic, only the removed ranges are compared.
    """
    first = [trial.answered(sample) for sample in samples]
    second = [trial.answered(sample) for sample in reversed(samples)]
    for index, (sample, one, two) in enumerate(zip(samples, first, reversed(second), strict=True)):
        same = one[:2] == two[:2] if deterministic else _same_removed(trial, sample, one, two)
        if not same:
            raise Broken(f"text {index + 1} of {len(samples)} has another answer after the others")


def given_back_late(trial: Trial, samples: Sequence[Sample]) -> None:
    """Raise `Broken` where an answer is not restored once all the others were masked."""
    answers = [trial.answered(sample) for sample in samples]
    for sample, answer in zip(samples, answers, strict=True):
        trial.given_back(sample, answer)


def masked_twice(trial: Trial, sample: Sample) -> None:
    """Raise `Broken` where masking the masked text changes it."""
    masked = trial.answered(sample).masked
    again = trial.answered(Sample(masked, (), "a masked text")).masked
    if again != masked:
        raise Broken(f"{sample.about}: the masked text ({len(masked):,} code points) is masked again")


def placeholders_of(trial: Trial, samples: Sequence[Sample]) -> tuple[str, ...]:
    """Return what the redactor puts in place of identifiers, as far as its masked texts show it."""
    found: dict[str, None] = {}
    for sample in samples:
        try:
            removed = align(sample.text, trial.answered(sample).masked, trial.placeholder, in_place=True)
        except AlignmentRefused:
            continue
        found |= dict.fromkeys(one for range_ in removed for one in range_.placeholders)
    return tuple(found)


def silent_in_errors(trial: Trial, identifiers: Sequence[tuple[str, str]], *, restores: bool) -> None:
    """Raise `Broken` where an exception on bad input holds a planted value; raising none is as good."""
    values = [value for _, value in identifiers]
    sample = between_words(values, "several identifiers")
    for about, action in _provocations(trial, sample, values, restores=restores):
        error = _error_of(action)
        if error is not None and shows(error, sample.text, values):
            raise Broken(f"{about}: {type_and_place(error)} holds text of the input")


def _provocations(
    trial: Trial, sample: Sample, values: Sequence[str], *, restores: bool
) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield inputs that a redactor may refuse, as calls."""
    yield "mask of a plain text", partial(trial.redactor.mask, sample.text)
    yield "mask of a lone surrogate", partial(trial.redactor.mask, f"{sample.text}\ud800 {values[0]}")
    if not (restores and hasattr(trial.redactor, "restore")):
        return
    try:
        answer = trial.answered(sample)
        other = trial.answered(between_words(values[:1], "one identifier"))
    except Broken:
        return
    restore = trial.redactor.restore
    half = answer.masked[: len(answer.masked) // 2]
    yield "restore without a state", partial(restore, answer.masked, None)
    yield "restore with the state of another text", partial(restore, answer.masked, other.state)
    yield "restore of half a masked text", partial(restore, half, answer.state)
    yield "restore of a masked text twice over", partial(restore, answer.masked * 2, answer.state)
    yield "restore of the original", partial(restore, sample.text, answer.state)


def _error_of(action: Callable[[], object]) -> BaseException | None:
    try:
        with unheard():
            action()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  # it is what is looked at
        return error
    return None


def _same_removed(trial: Trial, sample: Sample, one: Redaction, two: Redaction) -> bool:
    """Whether two answers lack the same ranges; those that cannot be judged count as equal."""
    try:
        return trial.removed(sample, one) == trial.removed(sample, two)
    except Unclear:
        return True
