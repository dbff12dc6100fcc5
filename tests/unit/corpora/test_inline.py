"""Tagged text: rows and plain files, options, and where the spans lie."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from standoff_files import array_file, bytes_file, drafts, lines_file, read, reasons

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.finding import build_adapter

XML = {"tags": "xml", "names": "true_name+person"}
BRACKETS = {"tags": "brackets"}


def texts(folder, *marked):
    """A file with a row a text."""
    return lines_file(folder, *[{"text": one} for one in marked])


def test_exact_markers_are_taken_out_and_nothing_else(tmp_path):
    """Other angle brackets, line ends and white space stay; the label is the name."""
    name = "<true_name>Åsa Kvist</true_name>"
    marked = f"<b>Hi</b>\r\n😀 {name} <asa@example.org> 1 < 2 <person>Bo</person> \n"
    (draft,) = drafts(texts(tmp_path, marked), "inline", **XML)
    assert draft.text == "<b>Hi</b>\r\n😀 Åsa Kvist <asa@example.org> 1 < 2 Bo \n"
    assert draft.spans == ((13, 22, "true_name"), (47, 49, "person"))
    assert [draft.text[start:end] for start, end, _ in draft.spans] == ["Åsa Kvist", "Bo"]
    assert (draft.row, draft.document_id, draft.template_id) == (1, "1", None)


def test_brackets_of_any_name(tmp_path):
    """`[[NAME|surface]]` leaves its surface; a bar in it is text, and so are single brackets."""
    (draft,) = drafts(texts(tmp_path, "Til [[PER|Åsa|Bo]][[LOC-1|Oslo]], [1] a[i]."), "inline", **BRACKETS)
    assert (draft.text, draft.spans) == ("Til Åsa|BoOslo, [1] a[i].", ((4, 10, "PER"), (10, 14, "LOC-1")))


@pytest.mark.parametrize(
    ("options", "marked"),
    [(XML, "<person>Bo</person><person>Ann</person>"), (BRACKETS, "[[person|Bo]][[person|Ann]]")],
)
def test_markers_that_touch_are_two_spans(tmp_path, options, marked):
    """What stands side by side is not joined."""
    (draft,) = drafts(texts(tmp_path, marked), "inline", **options)
    assert (draft.text, draft.spans) == ("BoAnn", ((0, 2, "person"), (2, 5, "person")))


def test_white_space_is_kept_or_trimmed_as_asked(tmp_path):
    """Trimming moves the ends of the span, by Unicode white space, and never the text."""
    path = texts(tmp_path, "a<person>\u00a0\n Bo Li\t</person>b")
    for trim, span in (("none", (1, 10, "person")), ("white", (4, 9, "person"))):
        (draft,) = drafts(path, "inline", **XML, trim=trim)
        assert (draft.text, draft.spans) == ("a\u00a0\n Bo Li\tb", (span,))


def test_policy_says_what_the_span_is():
    """It differs by the option, since the spans do."""
    policies = [build_adapter("inline", {**BRACKETS, "trim": trim}).policy for trim in ("none", "white")]
    assert policies == [
        "a span is what stood between two exact markers, white space included",
        "a span is what stood between two exact markers, without the white space at its two ends",
    ]


@pytest.mark.parametrize("trim", ["none", "white"])
@pytest.mark.parametrize("surface", ["", " ", "\n\u3000"])
def test_label_of_nothing_is_refused(tmp_path, trim, surface):
    """White space alone is nothing, trimmed or not."""
    marked = [f"canary <person>{surface}</person>", f"canary [[person|{surface}]]"]
    assert reasons(texts(tmp_path, marked[0]), "inline", **XML, trim=trim) == ["empty_span"]
    assert reasons(texts(tmp_path, marked[1]), "inline", **BRACKETS, trim=trim) == ["empty_span"]


def test_columns_have_the_names_that_options_give(tmp_path):
    """In lines, in an array and in Parquet; whole numbers are ids."""
    rows = [{"body": "<person>Bo</person>", "uid": 7, "tpl": "t"}, {"body": "", "uid": 8, "tpl": None}]
    parquet = tmp_path / "rows.parquet"
    pq.write_table(pa.table({name: [row[name] for row in rows] for name in rows[0]}), parquet)
    for path in (lines_file(tmp_path, *rows), array_file(tmp_path, *rows), parquet):
        found = drafts(path, "inline", **XML, text="body", document_id="uid", template_id="tpl")
        assert [(one.document_id, one.template_id, one.text) for one in found] == [
            ("7", "t", "Bo"),
            ("8", None, ""),
        ]


def test_rows_without_a_text(tmp_path):
    """A missing text and a text that is none are told apart."""
    path = lines_file(tmp_path, {"body": "x"}, {"text": 7}, {"text": None}, "x", {"text": "x"})
    assert reasons(path, "inline", **XML) == [
        "field_missing",
        "text_not_string",
        "text_not_string",
        "row_not_readable",
        "fits",
    ]


def test_plain_file_is_one_document(tmp_path):
    """With its line ends, white space at its end and all."""
    path = bytes_file(tmp_path, "Kjære <person>Åse</person>,\r\n\r\nhei \n".encode(), "letter.txt")
    (draft,) = drafts(path, "inline", **XML)
    assert (draft.document_id, draft.text) == ("1", "Kjære Åse,\r\n\r\nhei \n")
    assert draft.spans == ((6, 9, "person"),)


def test_empty_plain_file_is_an_empty_document(tmp_path):
    """Nothing is a text too."""
    (draft,) = drafts(bytes_file(tmp_path, b"", "letter.txt"), "inline", **XML)
    assert (draft.text, draft.spans) == ("", ())


@pytest.mark.parametrize(
    ("payload", "rule"),
    [
        (b"\xef\xbb\xbfcanary", "starts with a UTF-8 byte order mark"),
        (b"canary \xe5", "not UTF-8 at byte 7"),
        ("canary".encode("utf-16"), "starts with a UTF-16 byte order mark"),
    ],
)
def test_plain_file_in_another_encoding_is_refused(tmp_path, payload, rule):
    """With the file's name and nothing of its text."""
    with pytest.raises(Fault, match=rf"^letter\.txt: {rule}") as caught:
        read(bytes_file(tmp_path, payload, "letter.txt"), "inline", **XML)
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"tags": "html"}, "tags"),
        ({"tags": "xml"}, "names"),
        ({"tags": "xml", "names": ""}, "names"),
        ({"tags": "xml", "names": "a+a"}, "names"),
        ({"tags": "xml", "names": "a b"}, "names"),
        ({"tags": "brackets", "names": "A|B"}, "names"),
        ({"tags": "brackets", "trim": "yes"}, "trim"),
        ({"tags": "brackets", "format": "txt"}, "format"),
    ],
)
def test_option_that_is_none_is_refused_by_name(options, field):
    """The fault says which, and what it may be."""
    with pytest.raises(Fault, match=rf"^options\.{field}: "):
        build_adapter("inline", options)


def test_plain_file_has_no_columns(tmp_path):
    """An option that names one is refused instead of left unread."""
    with pytest.raises(Fault, match=r"^options\.document_id: does not belong to a plain file"):
        read(bytes_file(tmp_path, b"x", "letter.txt"), "inline", **XML, document_id="uid")
