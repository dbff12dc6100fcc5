"""The law of the look ahead: what is written out for RE2 matches wherever the expression itself does."""

# ruff: noqa: RUF001 -- characters that look alike are what these tests are about

from __future__ import annotations

import re

import pytest
import regex
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from pytest_pii_eval.detectors.bank.dialect.emit import emit
from pytest_pii_eval.detectors.bank.dialect.parse import parse
from pytest_pii_eval.detectors.bank.dialect.widen import ODD, widen
from pytest_pii_eval.detectors.bank.errors import BadExpression

re2 = pytest.importorskip("re2", reason="google-re2 is not installed")

ALPHABET = "aAkKs1-\n é—\u0301_"
ONES = r"a k s 1 - é — _ . \w \W \d \s [a-k] [^a] [k1é] [[:alpha:]1] \pL"
ONE = st.sampled_from([*ONES.split(), r"\ "])
PLACES = r"\b \B ^ $ \A \z (?m:^) (?m:$) (?-u:\b) (?-u:\B) \b{start} \b{end} (?=a) (?<!é)"
PLACE = st.sampled_from(PLACES.split())
REPEATED = st.tuples(ONE, st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "{9,}", "+?", "??"])).map("".join)


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return expressions made of smaller ones."""
    several = st.lists(inner, min_size=2, max_size=4)
    return (
        several.map("".join)
        | several.map(lambda parts: f"(?:{'|'.join(parts)})")
        | inner.map(lambda part: f"(?i:{part})")
        | inner.map(lambda part: f"({part})")
        | inner.map(lambda part: f"(?:{part})?")
        | inner.map(lambda part: f"(?>{part})")
    )


EXPRESSIONS = st.recursive(ONE | PLACE | REPEATED, grown, max_leaves=8)


@settings(max_examples=50, deadline=None)
@given(EXPRESSIONS, st.lists(st.text(ALPHABET, max_size=12), min_size=6, max_size=6))
@example(r"\b-", ["é-", "a-", "—-"])
@example(r"\b(?-u:\B)-|-(?-u:\B)\b", ["aé-a", "a-éa", "-é"])
@example(r"(?-u:\B)\b-", ["aé-", "éé-", "é-"])
@example(r"\b\b-\b\b", ["é-é", "éé-éé"])
@example(r"(?:\b)?-|a?\bé", ["é-", "—é"])
@example(r"(?:-|\ba)\b", ["éa", "-é", "a"])
@example(r"(?>\b-)+1", ["é-1", "é--1"])
@example("[-][]]", ["-]"])
@example("s]ſ", ["s]"])
def test_the_widened_expression_matches_wherever_the_expression_does(value: str, texts: list[str]) -> None:
    """In a text without odd characters RE2 finds something where the expression matches."""
    try:
        node = parse(value, frozenset())
    except BadExpression:
        assume(False)
    exact, wide = regex.compile(emit(node), regex.VERSION1), re2.compile(widen(node))
    for text in texts:
        if exact.search(text) and not any(odd in text for odd in ODD):
            assert wide.search(text), text


def test_odd_characters_are_all_that_fold_to_ascii() -> None:
    """What is not ASCII and matches ASCII in any case: long s and the Kelvin sign."""
    beyond = map(chr, [*range(128, 0xD800), *range(0xE000, 0x11_0000)])
    assert {one for one in beyond if re.fullmatch("[ -~]", one.casefold())} == set(ODD)
