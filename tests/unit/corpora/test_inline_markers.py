"""Markers in tagged text: what is one, what only looks like one, and what is left when they are out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from standoff_files import drafts, lines_file, reasons

from pytest_pii_eval.corpora.draft import UnfitRow
from pytest_pii_eval.corpora.markers import angles, brackets, taken_out, trimmed

XML = {"tags": "xml", "names": "true_name+person"}
BRACKETS = {"tags": "brackets"}


def texts(folder, *marked):
    """A file with a row a text."""
    return lines_file(folder, *[{"text": one} for one in marked])


@pytest.mark.parametrize(
    ("marked", "reason"),
    [
        ("<person>Bo", "unbalanced_tags"),
        ("Bo</person>", "unbalanced_tags"),
        ("</person>Bo<person>", "unbalanced_tags"),
        ("<person>Bo</true_name>", "unbalanced_tags"),
        ("<person>Bo</person></person>", "unbalanced_tags"),
        ("<person>Bo<person>", "overlapping_tags"),
        ("<person><true_name>Bo</true_name></person>", "overlapping_tags"),
        ("<person>Bo <true_name>Li</person> Ann</true_name>", "overlapping_tags"),
        ("<Person>Bo</Person>", "tag_like_text"),
        ("<person>Bo</PERSON>", "unbalanced_tags"),
        ("<person>Bo</person> <TRUE_NAME>", "tag_like_text"),
        ("<person >Bo</person >", "tag_like_text"),
        ("< person>", "tag_like_text"),
        ("if a < person b", "tag_like_text"),
        ("</ person>", "tag_like_text"),
        ("< / person >", "tag_like_text"),
        ("<person/>", "tag_like_text"),
        ('<person id="3">', "tag_like_text"),
        ("<person\n", "tag_like_text"),
        ("<person", "tag_like_text"),
        ("/person>", "tag_like_text"),
        ("<true name>", "tag_like_text"),
        ("<true-name>", "tag_like_text"),
        ("<truename>", "tag_like_text"),
        ("&lt;person&gt;", "tag_like_text"),
        ("&#60;/true_name&#x3e;", "tag_like_text"),
        ("&amp;lt;person&amp;gt;", "tag_like_text"),
        ("<\u200bperson>", "tag_like_text"),
        ("<true_\u00adname>", "tag_like_text"),
        ("<true\u2011name>", "tag_like_text"),
        ("\uff1cperson\uff1e", "tag_like_text"),
        ("<true_<person>name</person>>", "tag_like_text"),
    ],
)
def test_broken_markers_and_lookalikes_of_angles(tmp_path, marked, reason):
    """Case, blanks, attributes, joints, character references, compatibility forms, and what removal makes."""
    assert reasons(texts(tmp_path, f"a {marked} b", "fine"), "inline", **XML) == [reason, "fits"]


@pytest.mark.parametrize(
    "text",
    [
        "<personal>",
        "<person.name>",
        "<impersonate>",
        "<true>",
        "person>",
        "x <- y",
        "&lt;b&gt;",
    ],
)
def test_what_is_no_lookalike_stays_text(tmp_path, text):
    """Longer names, and a name far from its brackets, are text."""
    (draft,) = drafts(texts(tmp_path, text), "inline", **XML)
    assert (draft.text, draft.spans) == (text, ())


@pytest.mark.parametrize(
    ("marked", "reason"),
    [
        ("[[PER|Bo", "unbalanced_tags"),
        ("Bo]]", "unbalanced_tags"),
        ("[[PER|Bo [[LOC|Li]] ]]", "overlapping_tags"),
        ("[[PER|a[0]]]", "tag_like_text"),
        ("[[[PER|Bo]]", "tag_like_text"),
        ("[[PER |Bo", "tag_like_text"),
        ("[[ PER|Bo", "tag_like_text"),
        ("[[PER]]", "unbalanced_tags"),
        ("[[1|Bo", "tag_like_text"),
        ("[ [PER|Bo", "tag_like_text"),
        ("&#91;&#91;PER|Bo", "tag_like_text"),
        ("\uff3b\uff3bPER|Bo", "tag_like_text"),
    ],
)
def test_broken_markers_and_lookalikes_of_brackets(tmp_path, marked, reason):
    """Double brackets are markers or refused; of three in a row it is open which two are meant."""
    assert reasons(texts(tmp_path, f"a {marked} b", "fine"), "inline", **BRACKETS) == [reason, "fits"]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("[[PER|Bo]]", "fits"),
        ("[[LOC|Oslo]]", "unbalanced_tags"),
        ("[[per|Bo", "tag_like_text"),
        ("[per|Bo]", "tag_like_text"),
        ("[x|y]", "fits"),
    ],
)
def test_brackets_of_given_names_alone(tmp_path, marked, expected):
    """Another name is no marker, and its double brackets are no text either."""
    assert reasons(texts(tmp_path, marked), "inline", **BRACKETS, names="PER+ORG") == [expected]


@st.composite
def marked_texts(draw):
    """A text without markers, disjoint spans of it, and the text with markers around these."""
    form = draw(st.sampled_from(["xml", "brackets"]))
    text = draw(st.text(st.sampled_from("ab é😀\n\r\t<>/|.&"), max_size=30))
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=6)))
    spans = [
        (start, end, draw(st.sampled_from(["person", "true_name"])))
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
        if text[start:end].strip()
    ]
    marked, at = "", 0
    for start, end, label in spans:
        opening, closing = (f"<{label}>", f"</{label}>") if form == "xml" else (f"[[{label}|", "]]")
        marked += text[at:start] + opening + text[start:end] + closing
        at = end
    return form, text, spans, marked + text[at:]


@settings(max_examples=50, deadline=None)
@given(marked_texts())
def test_markers_put_in_come_out_again(case):
    """Whatever text holds no marker: with markers around disjoint spans it gives text and spans back."""
    form, text, spans, marked = case
    names = ["true_name", "person"]
    assert taken_out(marked, angles(names) if form == "xml" else brackets()) == (text, spans)
    assert [text[start:end] for start, end, _ in trimmed(text, spans)] == [
        text[start:end].strip() for start, end, _ in spans
    ]


def test_refusal_holds_no_text():
    """The exception inside an adapter has the reason alone."""
    with pytest.raises(UnfitRow) as caught:
        taken_out("canary <person>canary", angles(["person"]))
    assert str(caught.value) == "unbalanced_tags"
