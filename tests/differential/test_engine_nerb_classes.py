"""The embedded engine against nerb: classes with nesting, negation, operations and case."""

# ruff: noqa: RUF001 -- characters that look alike are what these tests are about

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from test_engine_nerb import nerb_records, our_records

from pytest_pii_eval.contracts.patterns import ActivePattern

POINTS = "ab-1kK\u212aé É\u00a0_ßẞſS\u0301𐐀𐐨µΜΣςǅ"
TEXT = "|".join(POINTS)
POINT = st.sampled_from(POINTS).map(lambda character: f"\\x{{{ord(character):x}}}")
NAMES = (
    r"\w \W \s \S \d \D \pL \PL \p{Lu} \P{Lu} \p{Ll} \p{Lt} \p{Greek} [:alpha:] [:^upper:] [:upper:]"
    r" [:word:] \p{sc=Latin} \p{gc=M} \p{Uppercase} \p{any}"
)
NAMED = st.sampled_from(NAMES.split())


def ranged(pair: tuple[str, str]) -> str:
    """Return a range from the lower to the higher of two characters."""
    low, high = sorted(map(ord, pair))
    return f"\\x{{{low:x}}}-\\x{{{high:x}}}"


RANGE = st.tuples(st.sampled_from(POINTS), st.sampled_from(POINTS)).map(ranged)


def bracketed(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return classes in brackets, of one or two unions of `inner` and an operation between them."""
    union = st.lists(inner, min_size=1, max_size=3).map("".join)
    operation = st.tuples(union, st.sampled_from(["&&", "--", "~~"]), st.just("") | union).map("".join)
    return st.tuples(st.sampled_from(["[", "[^"]), union | operation).map(lambda parts: "".join(parts) + "]")


CLASSES = bracketed(st.recursive(POINT | RANGE | NAMED, bracketed, max_leaves=6))


@settings(max_examples=500, deadline=None)
@given(CLASSES, st.sampled_from([frozenset(), frozenset({"IGNORECASE"})]))
def test_a_class_holds_what_it_holds_in_nerb(value: str, flags: frozenset[str]) -> None:
    """Of each character that tends to go wrong, both engines say the same."""
    patterns = [ActivePattern("e", "n", "p", "regex", "c", value, 1, flags)]
    assert our_records(patterns, [TEXT]) == nerb_records(patterns, [TEXT])
