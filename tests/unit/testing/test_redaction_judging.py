"""From checks to outcomes: what breaks, what says nothing, and what is never shown."""

from __future__ import annotations

import pytest

pytest.importorskip("hypothesis", reason="the contracts need the extra `testing`")

from hypothesis import strategies as st

from pytest_pii_eval.testing.redaction_checks import Broken, Unclear
from pytest_pii_eval.testing.redaction_judging import NotJudged, judge, judge_drawn, judged, unless
from pytest_pii_eval.testing.redaction_texts import Sample

ONE, TWO = Sample("one Zephyrine", (), "one"), Sample("two", (), "two")


def breaks(sample):
    raise Broken("2 of 3 stay")


def unclear(sample):
    raise Unclear


def holds(sample):
    """Find nothing wrong."""


def test_a_fault_of_a_drawn_text_is_told_and_the_text_is_not(capsys):
    """Hypothesis prints and notes what it falsifies with; here it does neither."""
    seen = []

    def check(sample):
        seen.append(sample)
        if len(seen) == 3:
            breaks(sample)

    with pytest.raises(Broken, match="2 of 3 stay") as broken:
        judge_drawn(check, st.builds(Sample, st.text(), st.just(()), st.just("drawn")), 10)
    assert len(seen) == 3
    assert getattr(broken.value, "__notes__", []) == []
    assert capsys.readouterr() == ("", "")


def test_drawn_texts_are_the_same_each_time():
    """A red run is red again."""
    runs = []
    for _ in range(2):
        runs.append([])
        judge_drawn(runs[-1].append, st.builds(Sample, st.text(), st.just(()), st.just("drawn")), 5)
    assert runs[0] == runs[1]
    assert len(runs[0]) == 5


def test_a_text_that_cannot_be_judged_is_left_out():
    """One clear text is enough for a verdict."""
    judge(lambda sample: unclear(sample) if sample is ONE else holds(sample), [ONE, TWO])


@pytest.mark.parametrize(
    ("check", "samples", "reason"),
    [(unclear, [ONE, TWO], "can be read in several ways"), (holds, [], "no text of this kind")],
)
def test_nothing_judged_is_no_success(check, samples, reason):
    """A test that could look at nothing says so."""
    with pytest.raises(NotJudged, match=reason):
        judge(check, samples)


def test_a_broken_claim_silences_what_follows_from_it():
    """Only a fault does: a claim that cannot be judged does not."""
    unless((holds, [ONE]), (unclear, [ONE]), (holds, []))
    with pytest.raises(NotJudged, match="another test fails for it"):
        unless((holds, [ONE]), (breaks, [ONE]))


def test_an_unforeseen_exception_is_a_failure_without_its_text():
    """A defect of the contract, or of a sample, fails the test by type and place."""

    @judged
    def test(self):
        raise LookupError(ONE.text)

    with pytest.raises(pytest.fail.Exception) as failure:
        test(None)
    assert "the contract itself failed: LookupError in test_redaction_judging.py:" in failure.value.msg
    assert "Zephyrine" not in failure.value.msg
    assert failure.value.__context__ is None
