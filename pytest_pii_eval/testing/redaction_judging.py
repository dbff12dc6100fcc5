"""From checks to the outcome of a test: what fails, what is skipped and why; no text in either."""

from __future__ import annotations

from functools import partial, wraps
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, Verbosity, given, settings

from pytest_pii_eval.testing.redaction_checks import Broken, Unclear
from pytest_pii_eval.withheld import withheld, without_frames

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hypothesis import strategies as st

    from pytest_pii_eval.testing.redaction_texts import Sample

    Check = Callable[[Sample], object]
    Claim = tuple[Check, Iterable[Sample]]


class NotJudged(Exception):
    """A test that says nothing; its text is the reason."""


def judged(test: Callable[..., None]) -> Callable[..., None]:
    """Make a test of a method that raises `Broken` or `NotJudged`.

    It fails, or is skipped, out here: pytest shows the variables of every frame under `--full-trace -l`, and
    those in there hold texts.
    """

    @wraps(test)
    def outside(self: object, **fixtures: Any) -> None:
        outcome = without_frames(lambda: _outcome(partial(test, self, **fixtures)))
        fixtures.clear()
        if isinstance(outcome, NotJudged):
            pytest.skip(str(outcome))
        if outcome is not None:
            pytest.fail(str(outcome), pytrace=False)

    return outside


def judge(check: Check, samples: Iterable[Sample]) -> None:
    """Run `check` on all samples; raises `Broken` as it does, `NotJudged` where it could judge none."""
    unclear = clear = 0
    for sample in samples:
        try:
            check(sample)
            clear += 1
        except Unclear:
            unclear += 1
    if clear:
        return
    if unclear:
        raise NotJudged("the masked texts can be read in several ways; report ranges to have them judged")
    raise NotJudged("no text of this kind can be made of `identifiers`")


def judge_drawn(check: Check, samples: st.SearchStrategy[Sample], examples: int) -> None:
    """Run `check` on so many drawn samples, the same each time; raises `Broken` as it does.

    Hypothesis would print the sample: so it never hears of the fault, and keeps nothing on disk.
    """
    broken: list[Broken] = []

    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(samples)
    def probe(sample: Sample) -> None:
        try:
            if not broken:
                check(sample)
        except Broken as error:
            broken.append(error)
        except Unclear:
            return

    probe()
    if broken:
        raise broken[0]


def unless(*claims: Claim) -> None:
    """Raise `NotJudged` where a claim that has a test of its own is broken: one fault fails one test."""
    for check, samples in claims:
        if isinstance(_outcome(partial(judge, check, samples)), Broken):
            raise NotJudged("the same fault shows on simpler texts, where another test fails for it")


def _outcome(action: Callable[[], None]) -> Broken | NotJudged | None:
    """Return what `action` raises, without the frames that know a text."""
    try:
        action()
    except (Broken, NotJudged) as error:
        return error.with_traceback(None)
    except Exception as error:  # noqa: BLE001  # its text and its frames may hold a text
        return Broken(f"the contract itself failed: {withheld(error)}")
    return None
