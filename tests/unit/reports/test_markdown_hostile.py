"""Nothing that a report or a comparison holds becomes Markdown, HTML, a link, or more than a line."""

from __future__ import annotations

import unicodedata
from functools import cache

import pytest
from hostile_documents import HOSTILE, hostile_comparison, hostile_report
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_reading import html, inline, plain, strange, tables, tokens

from pytest_pii_eval.reports.markdown.comparison import render_comparison
from pytest_pii_eval.reports.markdown.escaping import escaped, prose
from pytest_pii_eval.reports.markdown.page import render_markdown
from pytest_pii_eval.reports.words import inert

ALPHABET = "`|\\<>&*_[]()#@:/.-+~!$'\"=1a \n\t\r\x1b\u202e\u2028ä\U0001f4a9w"
FEW = settings(max_examples=30, deadline=None)
NAMES = st.one_of(st.sampled_from(HOSTILE), st.text(ALPHABET, max_size=40), st.text(max_size=20))


def shown(name):
    """Return what a reader shall see of a short name: inert, and without bars."""
    return inert(name).replace("|", r"\u{7c}") or "(empty)"


@FEW
@given(st.text(ALPHABET, max_size=40).filter(lambda name: len(shown(name)) <= 150 and "`" * 9 not in name))
def test_a_name_is_one_piece_of_code(name):
    """In a sentence a name yields one code span that says the inert name, and nothing else."""
    before, code, after = inline(f"slice {escaped(name)}: 3") if name else (None, None, None)
    if name:
        assert (before.content, code.type, code.content, after.content) == (
            "slice ",
            "code_inline",
            shown(name),
            ": 3",
        )


@FEW
@given(NAMES, NAMES)
def test_a_name_stays_in_its_cell(name, other):
    """In a table any two names leave three columns, and no bar, line or markup of their own."""
    markdown = f"| a | b | c |\n| --- | --- | --- |\n| {escaped(name)} | {escaped(other)} | 1 |\n"
    (table,) = tables(markdown)
    assert [len(row) for row in table.rows] == [3]
    assert table.rows[0][2] == "1"
    assert strange(markdown) == []
    assert html(markdown) == []


@FEW
@given(NAMES)
def test_words_form_nothing(words):
    """What is shown as plain words is what it says; everything else is code."""
    markdown = f"- not compared: {prose(words)}\n"
    assert strange(markdown) == []
    assert len([token for token in tokens(markdown) if token.type == "inline"]) == 1
    text = prose(words)
    assert "`" in text or text in {inert(words, longest=480), "(empty)"}


@pytest.mark.parametrize(
    "words",
    [
        "the gold differs; compare runs on the same gold",
        "no_zero_gold_documents",
        "scored by other sources (0.1.0 and 0.2.0 differ)",
        "the new run scored only the first documents of each suite; run it without --pii-limit",
    ],
)
def test_ordinary_words_stay_readable(words):
    """Sentences of ours and reason codes need no code span."""
    assert prose(words) == words


@pytest.mark.parametrize(
    "words",
    [
        "write to me@evil.example",
        "see <b>",
        "look at www.evil.example",
        "look at WWW.evil.example",
        "look at https://evil.example",
        "as of 0123abc",
        "closes GH-12",
        "closes #12",
        "a :tada: b",
        "so _very_ much",
        "so *very* much",
        "price $x$",
        "1. item",
        "- item",
        "a|b",
        "a\\*b",
        "&lt;",
    ],
)
def test_words_that_form_something_become_code(words):
    """Addresses, mentions, references, emphasis, emojis, commits: one code span of the whole."""
    assert prose(words) == "`" + words.replace("|", r"\u{7c}") + "`"


@pytest.mark.parametrize("name", ["a" * 10_000, "|" * 10_000, "\x00" * 10_000, "`" * 10_000])
def test_a_long_name_is_cut_and_says_so(name):
    """Ten thousand characters become few, with their number beside them, as one code span."""
    code = escaped(name)
    assert len(code) < 300
    assert "(10,000 characters)" in code
    assert [one.type for one in inline(code)] == ["code_inline"]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_report_stays_inert(text):
    """Each string of a report and its comparison replaced: the same blocks, no markup, and no control."""
    markdown = render_markdown(hostile_report(text), hostile_comparison(text))
    assert_harmless(markdown)
    assert html(markdown)[-1] == "<!-- pii-eval report -->"
    assert shape(markdown) == usual_shape()


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_comparison_stays_inert(text):
    """The page of `pii-eval compare` holds as much, and no HTML but its folds."""
    assert_harmless(render_comparison(hostile_comparison(text)))


MARKS = ("<!-- pii-eval report -->", "<!-- pii-eval comparison -->")


def assert_harmless(markdown):
    """Check what a reader's eye, terminal, browser or GitHub could obey."""
    assert len(markdown.encode("utf-16-le")) // 2 < 60_000
    assert strange(markdown) == []
    folds = [line for line in html(markdown) if line not in MARKS]
    assert all(line == "</details>" or line.startswith("<details><summary>") for line in folds)
    assert all(line.count("<") == 3 for line in folds if line != "</details>")
    controls = {one for one in markdown if unicodedata.category(one) in {"Cc", "Cf", "Zl", "Zp", "Cs", "Co"}}
    assert controls <= {"\n"}


@cache
def usual_shape():
    """Return the shape of the page whose strings are an ordinary word."""
    return shape(render_markdown(hostile_report("plain"), hostile_comparison("plain")))


def shape(markdown):
    """Return the headings and the tables with their sizes; folded titles count what is in them."""
    headings = [plain(token) for token in tokens(markdown) if token.type == "inline"]
    found = [(table.title, len(table.header), len(table.rows)) for table in tables(markdown)]
    return headings[0], found
