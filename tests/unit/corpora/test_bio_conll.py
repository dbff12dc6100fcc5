"""The column files of CoNLL: documents, columns, line ends and what is refused."""

from __future__ import annotations

import pytest
from standoff_files import bytes_file, drafts, reasons

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora import conll
from pytest_pii_eval.corpora.finding import build_adapter


def conll_file(folder, text, name="corpus.conll"):
    return bytes_file(folder, text.encode(), name)


def test_documents_end_at_blank_and_docstart_lines(tmp_path):
    """Tokens are joined by one blank; the number of a document is that of its first line."""
    text = (
        "-DOCSTART- -X- O O\n\nZoë NNP B-NP B-PER\nKvist NNP I-NP I-PER\nkam VBD O O\n\n\n"
        "Oslo NNP B-NP B-LOC\n-DOCSTART-\nnein RB O O\n"
    )
    found = drafts(conll_file(tmp_path, text), "bio", shape="conll")
    assert [(one.row, one.document_id, one.text, one.spans) for one in found] == [
        (3, "3", "Zoë Kvist kam", ((0, 9, "PER"),)),
        (8, "8", "Oslo", ((0, 4, "LOC"),)),
        (10, "10", "nein", ()),
    ]


def test_offsets_behind_characters_beyond_the_basic_plane(tmp_path):
    """An emoji is one code point, so that the span behind it starts at 2."""
    found = drafts(conll_file(tmp_path, "😀\tO\nÅsa\tB-PER\n"), "bio", shape="conll")
    assert [(one.text, one.spans) for one in found] == [("😀 Åsa", ((2, 5, "PER"),))]


def test_carriage_returns_end_lines_and_are_no_tags(tmp_path):
    """A file with CRLF gives what the same file with LF gives, also when its last line has no end."""
    text = "Ada\tB-PER\nwrote\tO\n\nto\tO\nBo\tB-PER"
    plain = drafts(conll_file(tmp_path, text), "bio", shape="conll")
    crlf = drafts(conll_file(tmp_path, text.replace("\n", "\r\n"), "crlf.conll"), "bio", shape="conll")
    assert plain == crlf
    assert [one.text for one in crlf] == ["Ada wrote", "to Bo"]


def test_columns_are_counted_from_one(tmp_path):
    """A file with the tag first and the token third is read by its column numbers."""
    path = conll_file(tmp_path, "B-PER\t1\tAda\nO\t2\tpays\n")
    found = drafts(path, "bio", shape="conll", token="3", tag="1")  # noqa: S106  # a column
    assert [(one.text, one.spans) for one in found] == [("Ada pays", ((0, 3, "PER"),))]


def test_tabs_keep_blanks_inside_a_token(tmp_path):
    """With a tab in the line a blank is part of the token, and so is a no-break space in a line of blanks."""
    found = drafts(conll_file(tmp_path, "New Ada\tB-LOC\n\n5\u00a0km  O\n"), "bio", shape="conll")
    assert [(one.text, one.spans) for one in found] == [("New Ada", ((0, 7, "LOC"),)), ("5\u00a0km", ())]


def test_other_schemes_are_read_by_their_name(tmp_path):
    """With scheme bioes a chunk of one token is S-, and a span runs from B- to E-."""
    path = conll_file(tmp_path, "Bo S-PER\nan O\nAda B-PER\nLund E-PER\n")
    found = drafts(path, "bio", shape="conll", scheme="bioes")
    assert [one.spans for one in found] == [((0, 2, "PER"), (6, 14, "PER"))]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"canary I-PER", "bad_tag"),
        (b"canary\tB-PER ", "bad_tag"),
        (b"canary", "field_missing"),
        (b"\tB-PER", "empty_span"),
        (b"canary\xff B-PER", "row_not_readable"),
    ],
)
def test_bad_line_quarantines_its_document_alone(tmp_path, line, reason):
    """The document of the line is refused for it, whatever follows in it; those around are read."""
    path = bytes_file(tmp_path, b"a O\n\nb O\n" + line + b"\nc B-PER\n\nd O\n", "corpus.conll")
    assert reasons(path, "bio", shape="conll") == ["fits", reason, "fits"]


def test_first_bad_line_of_a_document_names_the_reason(tmp_path):
    """What follows it is not looked at."""
    path = bytes_file(tmp_path, b"a\xff O\nb\nc I-X\n", "corpus.conll")
    assert reasons(path, "bio", shape="conll") == ["row_not_readable"]


def test_document_that_never_ends_is_not_held(tmp_path, monkeypatch):
    """Beyond the limit of tokens a document keeps nothing but its reason."""
    monkeypatch.setattr(conll, "MAX_TOKENS", 3)
    path = conll_file(tmp_path, "a O\n" * 3 + "\n" + "a O\n" * 4)
    assert reasons(path, "bio", shape="conll") == ["fits", "text_too_long"]


@pytest.mark.parametrize("text", ["", "\n\n \t\n", "-DOCSTART- O\n\n-DOCSTART- O\n"])
def test_file_without_tokens_has_no_documents(tmp_path, text):
    """Blank lines and document marks alone are no documents."""
    assert drafts(conll_file(tmp_path, text), "bio", shape="conll") == []


def test_byte_order_mark_is_refused_with_file_and_line(tmp_path):
    """It would become a part of the first token."""
    path = conll_file(tmp_path, "\ufeffcanary B-PER\n")
    with pytest.raises(Fault, match=r"^corpus\.conll:1: starts with a UTF-8 byte order mark") as caught:
        drafts(path, "bio", shape="conll")
    assert "canary" not in str(caught.value)


def test_line_beyond_the_limit_is_refused(tmp_path, monkeypatch):
    """A file without lines is no column file; the fault names the line."""
    monkeypatch.setattr(conll, "MAX_LINE_BYTES", 10)
    path = conll_file(tmp_path, "Ada B-PERS\nAda B-PERSO\n")
    with pytest.raises(Fault, match=r"^corpus\.conll:2: line is longer than the limit of 10 bytes$"):
        drafts(path, "bio", shape="conll")


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"shape": "lines"}, "shape"),
        ({"shape": "conll", "scheme": "BIO"}, "scheme"),
        ({"shape": "conll", "token": "0"}, "token"),
        ({"shape": "conll", "tag": "-1"}, "tag"),
        ({"shape": "conll", "tags": "tags"}, "tags"),
        ({"shape": "conll", "format": "json"}, "format"),
        ({"shape": "columns", "tag": "2"}, "tag"),
        ({"shape": "columns", "format": "csv"}, "format"),
    ],
)
def test_option_that_is_none_is_refused_by_name(options, field):
    """Also an option of the other shape: nothing that a pin says is left unread."""
    with pytest.raises(Fault, match=rf"^options\.{field}: "):
        build_adapter("bio", options)
