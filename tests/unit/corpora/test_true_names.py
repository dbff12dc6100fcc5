"""The marker parser: exact markers are labels, look-alikes are refused, all other text stays as it is."""

from __future__ import annotations

import pytest

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.true_names import parse_fragment

LOOKALIKE = "holds what looks like a marker and is none of the two exact ones"


def refused(source: str | bytes) -> str:
    """The rule that a fragment breaks; its text stays out."""
    payload = source if isinstance(source, bytes) else source.encode()
    with pytest.raises(Fault) as caught:
        parse_fragment(payload)
    assert "canary" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("source", "text", "spans"),
    [
        ("", "", ()),
        ("no label", "no label", ()),
        ("<true_name>Ada</true_name>", "Ada", ((0, 3),)),
        ("a <true_name>Ada Moe</true_name>, b", "a Ada Moe, b", ((2, 9),)),
        ("<true_name>A</true_name><true_name>B</true_name>", "AB", ((0, 1), (1, 2))),
        ("x<true_name>A</true_name>y<true_name>B</true_name>z", "xAyBz", ((1, 2), (3, 4))),
    ],
)
def test_exact_markers_are_labels(source: str, text: str, spans: tuple[tuple[int, int], ...]) -> None:
    """They and nothing else leave the text; neighbours may touch."""
    assert parse_fragment(source.encode()) == (text, spans)


@pytest.mark.parametrize(
    ("inner", "span"),
    [
        (" Ada ", (1, 4)),
        ("\t\n\r\f\vAda Moe\r\n", (5, 12)),
        ("Ada\r\nMoe", (0, 8)),
        ("\u00a0Ada\u2003", (0, 5)),
        ("\x1cAda\x85", (0, 5)),
    ],
)
def test_a_span_is_the_longest_range_without_ascii_white_space_at_its_ends(
    inner: str, span: tuple[int, int]
) -> None:
    """White space inside and other white space at the ends belong to it; none leaves the text."""
    assert parse_fragment(f"<true_name>{inner}</true_name>".encode()) == (inner, (span,))


def test_offsets_count_code_points() -> None:
    """Two code points of four bytes each and a combining accent stand before the label."""
    text, spans = parse_fragment("\U0001d4b3\U0001f600e\u0301<true_name>Zo\u00eb</true_name>!".encode())
    assert (text, spans) == ("\U0001d4b3\U0001f600e\u0301Zo\u00eb!", ((4, 7),))


@pytest.mark.parametrize(
    "source",
    [
        "a < b > c <<>> </> <b>bold</b> <!-- x --> <?xml?> &lt;b&gt; &amp; <ada@x.test>",
        "\ufeffa\r\nb\rc\n\n\u2028 \x00\t",
        "his true name, true_name, TRUE-NAME; x > 3, a true name, y < 2",
        "is it a true name\n> quoted line",
        "<untrue> <names> <rename true> <true> <name>",
    ],
)
def test_other_text_stays_as_it_is(source: str) -> None:
    """Angle brackets, references, line ends, a byte order mark, and the two words in prose."""
    assert parse_fragment(source.encode()) == (source, ())


@pytest.mark.parametrize(
    "marker",
    [
        "<True_Name>",
        "</TRUE_NAME>",
        "<true name>",
        "<true-name>",
        "<truename>",
        "<true__name>",
        "<true.name>",
        "<true\u2010name>",
        "<true_\u200bname>",
        "< true_name>",
        "<true_name >",
        "</ true_name>",
        "< /true_name>",
        "<true\nname>",
        "<true_name/>",
        '<true_name id="1">',
        "<true_names>",
        "<person true_name>",
        "<!-- true_name -->",
        "<true_name",
        "< true_name",
        "</true_name",
        "<true name",
        "</true name",
        "true_name>",
        "true name>",
        "/true_name >",
        "&lt;true_name&gt;",
        "&#60;/true_name&#x3e;",
        "&LT;true_name>",
        "&amp;lt;true_name&amp;gt;",
        "<true&#95;name>",
        "\uff1ctrue_name\uff1e",
        "<true\uff3fname>",
        "<<true_name>canary</true_name>true_name>",
    ],
)
def test_lookalikes_are_refused(marker: str) -> None:
    """Alone, beside a good label, and around one."""
    assert refused(f"canary {marker} canary") == LOOKALIKE
    assert refused(f"<true_name>canary</true_name> {marker}") == LOOKALIKE
    assert refused(f"{marker} <true_name>canary</true_name>") == LOOKALIKE


@pytest.mark.parametrize(
    "source",
    [
        "<true<true_name>_name>canary</true_name>",
        "</tr<true_name>ue_name>canary</true_name>",
        "<tr<true_name>ue_</true_name>name>canary",
    ],
)
def test_a_marker_that_appears_when_another_leaves_is_refused(source: str) -> None:
    """The text must not hold what the next reader would take for a label."""
    assert refused(source) == LOOKALIKE


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        ("<true_name>canary", "marker 1, the last, opens a label that is never closed"),
        ("canary</true_name>", "marker 1 of 1 closes a label that was not opened"),
        ("</true_name>canary<true_name>", "marker 1 of 2 closes a label that was not opened"),
        (
            "<true_name>a<true_name>canary</true_name></true_name>",
            "marker 2 of 4 opens a label inside another",
        ),
        ("<true_name>a</true_name></true_name>", "marker 3 of 3 closes a label that was not opened"),
        ("<true_name>a</true_name>b<true_name>c", "marker 3, the last, opens a label that is never closed"),
        ("<true_name></true_name>", "label 1 holds no character but white space"),
        (
            "<true_name>canary</true_name><true_name> \r\n</true_name>",
            "label 2 holds no character but white space",
        ),
        ("<true_name>\u00a0\u2003</true_name>", "label 1 holds no character but white space"),
    ],
)
def test_labels_that_are_none_are_refused(source: str, rule: str) -> None:
    """Nested, unbalanced, empty or white; markers and labels are counted from 1."""
    assert refused(source) == rule


@pytest.mark.parametrize(
    ("payload", "at"),
    [(b"canary\xe9", 6), (b"\xff\xfec", 0), (b"<true_name>\xed\xa0\x80</true_name>", 11), (b"\xc0\xaf", 0)],
)
def test_bytes_that_are_not_utf_8_are_refused(payload: bytes, at: int) -> None:
    """Latin-1, UTF-16, a lone surrogate and an overlong form; the offset is in bytes from 0."""
    assert refused(payload) == f"not UTF-8 at byte {at}"
