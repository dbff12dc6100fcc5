"""The look ahead by RE2: what it lets through, and that it never changes a record."""

from __future__ import annotations

import pytest
from engine_patterns import found, regex

from pytest_pii_eval.detectors.bank.dialect.parse import parse
from pytest_pii_eval.detectors.bank.prefilter import Prefilter

pytest.importorskip("re2", reason="google-re2 is not installed")

VALUES = [r"\bab\b", "(?i)k+", r"(?<!x)\d{3,20}", r"(a|b)\1c", r"[\w--a]é", r"\p{Greek}$", "[^a]q", "x{30}"]


def prefilter(values: list[str]) -> Prefilter:
    return Prefilter([parse(value) for value in values])


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("", set()),
        ("x ab,", {0}),
        ("xaby", set()),
        ("éab—", {0, 5}),
        ("k", {1}),
        ("x007", {2}),
        ("a and c", {3}),
        ("éé", {4, 5}),
        ("éab1", set()),
        ("\u0301q", {6}),
        ("q\u0301", {5}),
        ("x" * 8, {7}),
    ],
)
def test_only_what_may_match_is_let_through(text: str, numbers: set[int]) -> None:
    """Look-around is ignored; what is not ASCII may be a word, and is in each class that is not plain."""
    assert set(prefilter(VALUES).may_match(text)) == numbers


@pytest.mark.parametrize("odd", ["\u212a", "\u017f"])
def test_odd_characters_let_everything_through(odd: str) -> None:
    """The Kelvin sign and long s fold to ASCII and are left out: a text with one is searched for all."""
    assert prefilter(VALUES).may_match(f"a {odd}") == set(range(8))


def test_few_expressions_are_not_worth_it() -> None:
    """Below six expressions all of them are let through."""
    assert prefilter(VALUES[:5]).may_match("") == {0, 1, 2, 3, 4}


def test_an_expression_that_re2_refuses_is_always_let_through() -> None:
    """Repetitions too large for RE2 leave the expression open."""
    assert prefilter([*VALUES, "(?:(?:(?:(?:y{8}){8}){8}){8}){8}z"]).may_match("") == {8}


def test_an_answer_without_the_sentinel_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where RE2 has no memory to answer, every expression is let through."""
    one = prefilter(VALUES)

    class OutOfMemory:
        def Match(self, _text: str) -> None:  # noqa: N802 -- the name in RE2
            return None

    monkeypatch.setattr(one, "_set", OutOfMemory())
    assert one.may_match("") == set(range(8))


def test_records_without_re2_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scan finds the same with the look ahead and without."""
    patterns = [regex(value, f"n{number}") for number, value in enumerate(VALUES)]
    text = "ab K\u212a x123 45678 aac ébé λ xq " + "x" * 31
    with_re2 = found(patterns, text)
    monkeypatch.setattr(Prefilter, "_build", lambda _self, _nodes: None)
    assert found(patterns, text) == with_re2
    assert ("n7", "x" * 30) in with_re2
