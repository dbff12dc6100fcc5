"""The limits of a scan, the refusals of patterns, and what their texts say."""

from __future__ import annotations

import pickle
import time

import pytest
from engine_patterns import literal, regex

from pytest_pii_eval.detectors.bank.engine import Engine
from pytest_pii_eval.detectors.bank.errors import BadPattern, ScanFailure

MIB = 1024 * 1024


def test_catastrophic_backtracking_ends() -> None:
    """An expression of exponential cost ends in a time limit instead of a hang."""
    engine = Engine([regex(r"(?:a|aa)+$")], time_limit=0.2)
    start = time.monotonic()
    with pytest.raises(ScanFailure) as failure:
        engine.scan("a" * 200 + "b")
    assert failure.value.reason == "time_limit"
    assert time.monotonic() - start < 30


def test_the_time_is_that_of_the_document() -> None:
    """Many searches, each quick enough, end by the same limit."""
    engine = Engine([regex(r"(?:x|xx){1,10}(?!x)(?=y)", f"n{n:03}") for n in range(400)], time_limit=0.2)
    with pytest.raises(ScanFailure, match=r"0\.2 seconds"):
        engine.scan("x" * 400)


@pytest.mark.parametrize("pattern", [literal("a"), regex("a")])
def test_more_matches_than_asked_for(pattern: object) -> None:
    """As many records as the limit are answered, one more is a failure."""
    engine = Engine([pattern])  # type: ignore[list-item]
    assert len(engine.scan("aaa", max_matches=3)) == 3
    with pytest.raises(ScanFailure) as failure:
        engine.scan("aaaa", max_matches=3)
    assert failure.value.reason == "match_limit"


def test_the_input_limit_counts_bytes() -> None:
    """10 MiB of UTF-8 are taken; one byte more is refused, however few characters that are."""
    engine = Engine([literal("b")])
    assert engine.scan("a" * (10 * MIB)) == []
    for text in ("a" * (10 * MIB + 1), "é" * (5 * MIB) + "a"):
        with pytest.raises(ScanFailure) as failure:
            engine.scan(text)
        assert failure.value.reason == "input_limit"


def test_crowded_literals_stay_in_memory() -> None:
    """Many literals that end at every place of a text do not pile up before the limit is seen."""
    engine = Engine([literal("a" * n, f"n{n:03}", priority=n) for n in range(1, 200)])
    with pytest.raises(ScanFailure, match="1000 matches"):
        engine.scan("a" * 200_000, max_matches=1_000)


def test_a_lone_surrogate_is_refused_without_the_text() -> None:
    """A text that UTF-8 cannot hold is an error of its own, which does not carry the text."""
    with pytest.raises(ValueError, match="lone surrogate") as error:
        Engine([literal("a")]).scan("secret \ud800")
    assert not hasattr(error.value, "object")
    assert "secret" not in str(error.value)


def test_the_first_bad_expression_is_named() -> None:
    """Of several bad patterns the one of the lowest index is named, by number and rule alone."""
    patterns = [literal("ok", "a"), regex("zq(", "b"), regex("zq[", "c", priority=1)]
    with pytest.raises(BadPattern) as error:
        Engine(patterns)
    assert error.value.index == 1
    assert error.value.rule == "a group without its closing parenthesis"
    assert "zq" not in str(error.value)
    assert error.value.__cause__ is None


def test_errors_travel_between_processes() -> None:
    """Both errors survive pickling, as xdist and process pools ask for."""
    bad = pickle.loads(pickle.dumps(BadPattern(3, "rule")))  # noqa: S301 -- our own bytes
    assert (bad.index, bad.rule) == (3, "rule")
    failure = pickle.loads(pickle.dumps(ScanFailure("match_limit", "5 matches a document")))  # noqa: S301 -- our own
    assert (failure.reason, str(failure)) == (
        "match_limit",
        "the scan passed its limit of 5 matches a document",
    )


@pytest.mark.parametrize(
    "value", ["a*", "a?|b", "", "(?:)", "a{0}", r"\b", "^$", "(?=a)", "(a*)\\1", "a||b", "(?i)"]
)
def test_an_expression_that_can_match_nothing_is_refused(value: str) -> None:
    """An expression whose shortest match is empty is refused."""
    with pytest.raises(BadPattern, match="can match the empty string"):
        Engine([regex(value)])
