"""The adapter to nerb: the face of the embedded engine, with nerb behind it."""

from __future__ import annotations

from importlib.metadata import version

import pytest
from hypothesis import given, settings
from test_engine_nerb import literal_banks, nerb_records

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.patterns import ActivePattern, Match
from pytest_pii_eval.detectors.bank.errors import BadPattern, ScanFailure
from pytest_pii_eval.detectors.nerb import NerbEngine


def pattern(value: str, index: int = 0, kind: str = "regex") -> ActivePattern:
    return ActivePattern("my-entity", f"my-name-{index}", f"a-{index}", kind, "name", value, 100)  # type: ignore[arg-type]


def test_ids_that_nerb_refuses_are_taken() -> None:
    """Hyphens in ids do not reach nerb; records carry indexes and bytes."""
    engine = NerbEngine([pattern("é", 0), pattern("b", 1)])
    assert engine.scan("bé") == [Match(0, 1, 1), Match(1, 3, 0)]


def test_the_order_is_that_of_the_real_ids() -> None:
    """At equal priority and canonical name the pattern id decides, as it does inside nerb."""
    patterns = [pattern("ab", 0)._replace(pattern_id="z"), pattern("abc", 1)._replace(pattern_id="b-1")]
    assert NerbEngine(patterns).scan("abc") == [Match(0, 3, 1)]


def test_patterns_that_nerb_cannot_tell_apart_are_told_apart() -> None:
    """Equal values of one canonical name, which nerb alone refuses, work."""
    patterns = [pattern("Ab", 0, "literal"), pattern("Ab", 1, "literal")._replace(case_sensitive=False)]
    assert NerbEngine(patterns).scan("Ab ab") == [Match(0, 2, 0), Match(3, 5, 1)]


@pytest.mark.parametrize(
    ("value", "kind"),
    [("zq(", "regex"), ("(?<=a)zq", "regex"), ("(?i:(?i:\\wa))", "regex"), ("zq\0", "literal")],
)
def test_what_nerb_refuses_is_a_bad_pattern(value: str, kind: str) -> None:
    """A pattern that nerb refuses, or breaks down at, is named by its index, without nerb's text."""
    with pytest.raises(BadPattern) as error:
        NerbEngine([pattern("a"), pattern(value, 1, kind)])
    assert (error.value.index, error.value.rule) == (1, "nerb does not compile this pattern")
    assert error.value.__context__ is None


def test_an_expression_that_can_match_nothing_is_refused() -> None:
    """The finding of nerb's own check becomes a bad pattern."""
    with pytest.raises(BadPattern, match="pattern 1: the expression can match the empty string"):
        NerbEngine([pattern("b"), pattern("a*", 1)])


def test_limits_are_failures() -> None:
    """Too many matches and too large a text end as they do in the embedded engine."""
    engine = NerbEngine([pattern("a")])
    assert len(engine.scan("aaa", max_matches=3)) == 3
    with pytest.raises(ScanFailure) as failure:
        engine.scan("aaaa", max_matches=3)
    assert failure.value.reason == "match_limit"
    with pytest.raises(ScanFailure) as failure:
        engine.scan("a" * (10 * 1024 * 1024 + 1))
    assert failure.value.reason == "input_limit"


@pytest.mark.parametrize("form", ["NFC", "NFKC"])
def test_normalization_is_refused(form: str) -> None:
    """Such a bank needs the embedded engine: that of nerb does not normalize."""
    with pytest.raises(Fault, match=f"takes no {form} bank"):
        NerbEngine([], form)  # type: ignore[arg-type]


def test_the_version_is_that_of_the_package() -> None:
    """Fingerprints bind the version of nerb; an engine without patterns has it, too."""
    engine = NerbEngine([])
    assert (engine.version, engine.libraries()) == (version("nerb"), {"nerb": version("nerb")})
    assert engine.scan("text") == []


@settings(max_examples=60, deadline=None)
@given(literal_banks())
def test_the_adapter_changes_nothing(drawn: tuple[list[ActivePattern], list[str]]) -> None:
    """Through the adapter nerb finds what it finds with the real ids and priorities."""
    patterns, texts = drawn
    engine = NerbEngine(patterns)
    assert [[tuple(record) for record in engine.scan(text)] for text in texts] == nerb_records(
        patterns, texts
    )
