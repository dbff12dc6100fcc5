"""Span columns that are text: what the safe parser reads, what it refuses, and that its ways agree."""

from __future__ import annotations

import ast
import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_pii_eval.corpora.draft import UnfitRow
from pytest_pii_eval.corpora.literals import MAX_LITERAL, parse_literal, parse_python, parse_spans


def _reason(value: object, encoding: str = "auto") -> str:
    with pytest.raises(UnfitRow) as caught:
        parse_spans(value, encoding)
    return caught.value.reason


@pytest.mark.parametrize(
    ("value", "encoding", "expected"),
    [
        ([[0, 1, "A"]], "list", [[0, 1, "A"]]),
        ((), "auto", ()),
        ('[{"start": 0}]', "json", [{"start": 0}]),
        ('[{"start": 0}]', "auto", [{"start": 0}]),
        ("[{'start': 0}]", "python", [{"start": 0}]),
        ("[{'start': 0}]", "auto", [{"start": 0}]),
        ('[[0, 9, "O\'Nowhere"]]', "auto", [[0, 9, "O'Nowhere"]]),
        ("[(0, 4, 'A')]", "auto", [(0, 4, "A")]),
        ("((0, 4, 'A'),)", "python", ((0, 4, "A"),)),
        ("[]", "auto", []),
        ("\n [1] ", "python", [1]),
        ("()", "auto", ()),
        ("[None, True, -1, 1.5]", "auto", [None, True, -1, 1.5]),
        (r"""[{'t': 'a\'b"c\\d\n\xe9'}]""", "python", [{"t": "a'b\"c\\d\né"}]),
        (r"""[{'t': '\u200b\U000e0001'}]""", "auto", [{"t": "\u200b\U000e0001"}]),
    ],
)
def test_spans_are_read(value, encoding, expected) -> None:
    """Lists as they are, JSON and the repr of Python, and `auto` tells them apart."""
    assert parse_spans(value, encoding) == expected


@pytest.mark.parametrize(
    ("value", "encoding"),
    [
        ("[]", "list"),
        ([], "json"),
        ([], "python"),
        (None, "auto"),
        (b"[]", "auto"),
        (float("nan"), "auto"),
        ("", "auto"),
        ("{}", "auto"),
        ("'text'", "auto"),
        ("[{'start': 0}", "auto"),
        ("[{'start': 0}]", "json"),
        ('[{"start": NaN}]', "auto"),
        ("[nan]", "python"),
        ("[{'a': 1, 'a': 2}]", "auto"),
        ('[{"a": 1, "a": 2}]', "auto"),
        ("[{1: 2}]", "auto"),
        ("[{**{}}]", "auto"),
        ("[*[1]]", "auto"),
        ("[{1}]", "auto"),
        ("[b'x']", "auto"),
        ("[1j]", "auto"),
        ("[-True]", "auto"),
        ("[1 + 1]", "auto"),
        ("[...]", "auto"),
        ("[f'x']", "auto"),
        ("[x for x in ()]", "auto"),
        ("[__import__('os').getcwd()]", "python"),
        (r"['\d']", "python"),
        (r"['\777']", "python"),
        (r"['\N{BULLET}']", "python"),
        ("['\0']", "python"),
        ("['a\nb']", "python"),
        ('["\ud800"]', "json"),
        (f"[{'9' * 5_000}]", "python"),
        ("[1or 2]", "python"),
    ],
)
def test_what_holds_more_than_plain_values_is_refused(value, encoding) -> None:
    """Nothing is run, mended or guessed; no warning of Python's parser comes through."""
    assert _reason(value, encoding) == "spans_not_readable"


@pytest.mark.parametrize(
    "bomb",
    ["[" * 100_000, "-" * 100_000 + "1", "1+" * 50_000 + "1", "not " * 60_000 + "1", "x" + ".x" * 100_000],
    ids=["lists", "minus", "plus", "not", "dots"],
)
def test_a_bomb_is_an_unreadable_row(bomb) -> None:
    """Deep nesting ends neither the process nor the run."""
    assert _reason(bomb, "python") == "spans_not_readable"


def test_the_slow_way_is_bounded() -> None:
    """What JSON cannot say is read up to a size; what it can say, at any size."""
    assert parse_literal("(" + " " * (MAX_LITERAL - 2) + ")") == ()
    assert _reason("(" + " " * (MAX_LITERAL - 1) + ")") == "spans_not_readable"
    assert len(parse_spans("[" + "0, " * MAX_LITERAL + "0]", "python")) == MAX_LITERAL + 1


_TEXT = st.text(st.sampled_from("ab'\"\\\n\t\x00\x7f\xa0é😀\u200b\U000e0001:{}[](),nulltrue "), max_size=8)
_SPAN = st.fixed_dictionaries(
    {"start": st.integers(-5, 10**6), "end": st.integers(), "text": _TEXT | st.integers(), "label": _TEXT}
)
_LISTED = st.tuples(st.integers(), st.integers(), _TEXT) | st.lists(
    _TEXT | st.none() | st.booleans(), max_size=3
)


@settings(max_examples=50, deadline=None)
@given(st.lists(_SPAN | _LISTED | st.dictionaries(_TEXT, _TEXT, max_size=3), max_size=4))
@example([{"start": 0, "text": "':"}])
@example([{"text": 'it\'s "so" \\'}])
def test_the_repr_of_spans_comes_back(spans) -> None:
    """By the fast way and by Python's own parser, as `ast.literal_eval` has it."""
    text = repr(spans)
    assert parse_python(text) == parse_literal(text) == parse_spans(text) == ast.literal_eval(text) == spans


@settings(max_examples=50, deadline=None)
@given(st.lists(_SPAN, max_size=4), st.booleans())
def test_json_in_a_string_comes_back(spans, ascii_) -> None:
    """Whether it escapes what is not ASCII or not, and `auto` takes it for JSON."""
    text = json.dumps(spans, ensure_ascii=ascii_)
    assert parse_spans(text, "json") == parse_spans(text) == spans


@settings(max_examples=50, deadline=None)
@given(st.text(st.sampled_from("[]{}(),:'\"\\ 01-+xunrae\n"), max_size=12))
@example("['' 'a']")
@example("'''a'''")
@example("\n [1]")
@example("[r'a']")
@example("[1,]")
@example(r"['\x4g']")
@example("{'a' : 1, 'a':2}")
def test_the_fast_way_reads_nothing_else(text) -> None:
    """What Python's parser reads the fast way reads equally, and the fast way alone reads nothing."""
    assert _value(parse_python, text) == _value(parse_literal, text)


def _value(parse, text: str) -> object:
    try:
        value = parse(text)
    except UnfitRow:
        return "unfit"
    return type(value), value
