"""Laws of the engine: the records of a brute-force scan, and what must not change them."""

# ruff: noqa: RUF001 -- characters that look alike are what these tests are about

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from unittest.mock import patch

import pytest
import regex
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pytest_pii_eval.contracts.patterns import ActivePattern
from pytest_pii_eval.detectors.bank import literals as literals_module
from pytest_pii_eval.detectors.bank.engine import Engine
from pytest_pii_eval.detectors.bank.errors import BadPattern
from pytest_pii_eval.detectors.bank.normalize import normalize
from pytest_pii_eval.detectors.bank.prefilter import Prefilter

ALPHABET = "abAB 1-\n\u00a0é\u0301kK\u212aΣσς"
SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
EXPRESSIONS = [
    r"\b\w+\b",
    r"a[^b]?",
    r"(?<!a)b",
    r"(a|b)\1",
    r"\d|-",
    r"(?i)ka?",
    r"\s+a",
    r"(?>ab|a)b?",
    r"a(?=1)",
    r"\W{2}",
]


def compiled(one: ActivePattern) -> regex.Pattern[str]:
    """Return a pattern as an expression of the `regex` module, by the words of the specification."""
    if one.kind == "regex":
        return regex.compile(one.value)
    parts = re.split(f"[{SPACE}]+", one.value) if one.normalize_whitespace else [one.value]
    source = r"\s+".join(map(regex.escape, parts))
    source = (
        (r"\b" if one.left_boundary == "word" else "")
        + source
        + (r"\b" if one.right_boundary == "word" else "")
    )
    return regex.compile(source, 0 if one.case_sensitive else regex.IGNORECASE)


def brute_force(patterns: list[ActivePattern], text: str) -> list[tuple[int, int, int]]:
    """Return all records: per entity, at each place the first pattern in order that matches there."""
    records = []
    by_entity = groupby(enumerate(patterns), key=lambda pair: pair[1].entity_id)
    for _, members in by_entity:
        ordered = sorted(
            members, key=lambda pair: (pair[1].priority, pair[1].canonical_name, pair[1].pattern_id)
        )
        compiled_members = [(index, compiled(one)) for index, one in ordered]
        place = 0
        while place < len(text):
            hits = ((index, one.match(text, place)) for index, one in compiled_members)
            index, hit = next(((index, hit) for index, hit in hits if hit), (0, None))
            if hit:
                records.append((len(text[:place].encode()), len(text[: hit.end()].encode()), index))
            place = hit.end() if hit else place + 1
    return sorted(records)


@st.composite
def banks(draw: st.DrawFn, *, expressions: int = 3) -> list[ActivePattern]:
    """Draw literals and expressions in two entities, each with a canonical name of its own."""
    sides = st.sampled_from(["none", "word"])
    patterns = []
    for number, value in enumerate(draw(st.lists(st.text(ALPHABET, min_size=1, max_size=5), max_size=6))):
        fields = (draw(st.booleans()), draw(st.booleans()), draw(sides), draw(sides))
        entity = draw(st.sampled_from(["e1", "e2"]))
        patterns.append(
            ActivePattern(entity, f"a{number}", "p", "literal", f"c{number}", value, 1, frozenset(), *fields)
        )
    for number, value in enumerate(draw(st.lists(st.sampled_from(EXPRESSIONS), max_size=expressions))):
        entity = draw(st.sampled_from(["e1", "e2"]))
        priority = draw(st.integers(0, 2))
        patterns.append(ActivePattern(entity, f"r{number}", "p", "regex", f"c{number}r", value, priority))
    return sorted(patterns, key=lambda one: (one.entity_id, one.name_id))


TEXTS = st.text(ALPHABET, max_size=40)


def records(patterns: list[ActivePattern], text: str) -> list[tuple[int, ...]]:
    return [tuple(record) for record in Engine(patterns).scan(text)]


@settings(max_examples=300, deadline=None)
@given(banks(), TEXTS)
def test_the_scan_is_leftmost_first(patterns: list[ActivePattern], text: str) -> None:
    """The records are those of trying every pattern in order at every place."""
    assert records(patterns, text) == brute_force(patterns, text)


@settings(max_examples=100, deadline=None)
@given(banks(), st.lists(TEXTS, min_size=2, max_size=4).map("".join), st.integers(1, 30))
def test_windows_change_nothing(patterns: list[ActivePattern], text: str, window: int) -> None:
    """A text scanned in windows of any size gives the records of the whole."""
    whole = records(patterns, text)
    with (
        patch.object(literals_module, "_FIRST_WINDOW", window),
        patch.object(literals_module, "_LARGEST_WINDOW", window),
        patch.object(literals_module, "_SMALLEST_WINDOW", 1),
    ):
        assert records(patterns, text) == whole


@settings(max_examples=150, deadline=None)
@given(banks(expressions=12), TEXTS)
def test_the_prefilter_changes_nothing(patterns: list[ActivePattern], text: str) -> None:
    """With RE2 looking ahead and without, the records are the same."""
    pytest.importorskip("re2", reason="google-re2 is not installed")
    with_re2 = records(patterns, text)
    with patch.object(Prefilter, "_build", lambda _self, _nodes: None):
        assert records(patterns, text) == with_re2


PIECES = st.sampled_from(
    ["e", "\u0301", "\u0323", "é", "ẛ", "\u1100", "\u1161", "\u11a8", "가", "ﬁ", "\u212b", "ｶ", "ﾞ", "a", "㎏"]
)
WILD = st.lists(PIECES | st.characters(exclude_categories=["Cs"]), max_size=12).map("".join)


@settings(max_examples=400, deadline=None)
@given(WILD, st.sampled_from(["NFC", "NFKC"]))
def test_normalizing_by_clusters_is_normalizing(text: str, form: str) -> None:
    """The text is that of unicodedata, and places lead back in order, to spans that are never empty."""
    normal = normalize(text, form)  # type: ignore[arg-type]
    whole = unicodedata.normalize(form, text)
    if normal is None:
        assert whole == text
        return
    assert normal.text == whole
    assert len(normal.start_of) == len(normal.end_of) == len(whole) + 1
    for places in (normal.start_of, normal.end_of):
        assert places == sorted(places)
        assert (places[0], places[-1]) == (0, len(text))
    for place in range(len(whole)):
        start, end = normal.start_of[place], normal.end_of[place + 1]
        assert start < end
        assert whole[place] in unicodedata.normalize(form, text[start:end])


@settings(max_examples=200, deadline=None)
@given(WILD, WILD, st.sampled_from(["NFC", "NFKC"]))
def test_what_a_normalized_literal_covers_contains_it(value: str, around: str, form: str) -> None:
    """The source of each record, normalized, holds the normalized literal."""
    assume(value)
    pattern = ActivePattern("e", "n", "p", "literal", "c", value, 1)
    text = around + value + around
    for record in Engine([pattern], form).scan(text):  # type: ignore[arg-type]
        source = text.encode()[record.start : record.end].decode()
        assert unicodedata.normalize(form, value) in unicodedata.normalize(form, source)


@settings(max_examples=300, deadline=None)
@given(st.text(r"ab(|)[]^-&~*+?{1,2}\wpLxiu:<=!>P#$. ", max_size=14), st.text("ab1 ", max_size=8))
def test_any_expression_is_taken_or_refused_by_rule(value: str, text: str) -> None:
    """Whatever stands in an expression, it compiles and scans, or is refused without its own words."""
    try:
        engine = Engine([ActivePattern("e", "n", "p", "regex", "c", value, 1)], time_limit=5)
    except BadPattern as error:
        assume(len(value) > 3)
        refusal = str(error)
    else:
        assert all(record.start < record.end for record in engine.scan(text))
        return
    assert value not in refusal
