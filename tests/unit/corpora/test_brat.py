"""brat standoff: pairs of text and annotations in a folder, what a T line says, and what is refused."""

from __future__ import annotations

import pytest
from standoff_files import drafts, read, reasons

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.adapters import brat, brat_pairs
from pytest_pii_eval.corpora.finding import build_adapter

TEXT = "Åsa 😀 Kvist\nbor i Oslo.\n"


def folder(tmp_path, **files):
    """A folder of files; a double underscore in a name stands for the dot of its ending."""
    made = tmp_path / "corpus"
    made.mkdir()
    for name, content in files.items():
        payload = content if isinstance(content, bytes) else content.encode()
        (made / name.replace("__", ".")).write_bytes(payload)
    return made


def test_pairs_come_in_order_of_names(tmp_path):
    """The id is the name without its ending, the row its ordinal; offsets are code points."""
    path = folder(
        tmp_path,
        b__txt=TEXT,
        b__ann="T1\tPER 0 11\tÅsa 😀 Kvist\nT2\tLOC 18 22\tOslo\n",
        a__txt="",
        a__ann="",
    )
    assert [(one.row, one.document_id, one.text, one.spans) for one in drafts(path, "brat")] == [
        (1, "a", "", ()),
        (2, "b", TEXT, ((0, 11, "PER"), (18, 22, "LOC"))),
    ]


def test_other_kinds_of_lines_hold_no_spans(tmp_path):
    """Relations, events, attributes, modifications, normalizations, notes and equivalences are not read."""
    lines = [
        "T1\tPER 0 3\tÅsa",
        "R1\tLives Arg1:T1 Arg2:T2",
        "E1\tT1 Arg:T2",
        "A1\tNegation T1",
        "M1\tSpeculation T1",
        "N1\tReference T1 Wiki:1\tÅsa",
        "#1\tAnnotatorNotes T1\tcanary",
        "*\tEquiv T1 T2",
        "",
    ]
    path = folder(tmp_path, a__txt=TEXT, a__ann="\n".join(lines))
    assert [one.spans for one in drafts(path, "brat")] == [((0, 3, "PER"),)]


def test_line_feed_in_a_surface_is_written_as_a_blank(tmp_path):
    """The span crosses the line, its surface does not."""
    path = folder(tmp_path, a__txt=TEXT, a__ann="T1\tPER 6 15\tKvist bor\n")
    (draft,) = drafts(path, "brat")
    assert (draft.text, draft.spans) == (TEXT, ((6, 15, "PER"),))


def test_carriage_returns_of_the_text_count(tmp_path):
    """The text is taken as it is; in the annotations they end lines, and stay inside a surface."""
    text = "Hei,\r\nÅsa\r\nKvist"
    path = folder(tmp_path, a__txt=text, a__ann="T1\tPER 6 9\tÅsa\r\nT2\tPER 6 16\tÅsa\r Kvist\r\n")
    (draft,) = drafts(path, "brat")
    assert (draft.text, draft.spans) == (text, ((6, 9, "PER"), (6, 16, "PER")))


def test_byte_order_mark_of_a_text_is_a_code_point(tmp_path):
    """Who counted without it is refused, since the surface does not stand there."""
    path = folder(
        tmp_path,
        a__txt="\ufeffÅsa kom",
        a__ann="T1\tPER 1 4\tÅsa\n",
        b__txt="\ufeffÅsa kom",
        b__ann="T1\tPER 0 3\tÅsa\n",
        c__txt="Åsa kom",
        c__ann="\ufeffT1\tPER 0 3\tÅsa\n",
    )
    found = read(path, "brat")
    assert (found[0].text, found[0].spans) == ("\ufeffÅsa kom", ((1, 4, "PER"),))
    assert [one.reason for one in found[1:]] == ["value_differs", "spans_not_readable"]


def test_spans_may_overlap_and_touch(tmp_path):
    """Each text-bound annotation is a span of its own."""
    ann = "T1\tPER 0 11\tÅsa 😀 Kvist\nT2\tPER 6 11\tKvist\nT3\tX 0 1\tÅ\nT4\tX 1 2\ts\n"
    (draft,) = drafts(folder(tmp_path, a__txt=TEXT, a__ann=ann), "brat")
    assert draft.spans == ((0, 11, "PER"), (6, 11, "PER"), (0, 1, "X"), (1, 2, "X"))


def test_fragments_are_refused_or_each_a_span(tmp_path):
    """Their surfaces are joined by a blank, which is compared."""
    path = folder(
        tmp_path,
        a__txt=TEXT,
        a__ann="T1\tPER 0 3;6 11\tÅsa Kvist\n",
        b__txt=TEXT,
        b__ann="T1\tPER 0 3;6 11\tÅsa  Kvist\n",
        c__txt=TEXT,
        c__ann="T1\tPER 0 3;6 99\tÅsa Kvist\nbor i Oslo.\n",
    )
    assert reasons(path, "brat") == ["discontinuous", "discontinuous", "discontinuous"]
    found = read(path, "brat", fragments="each")
    assert found[0].spans == ((0, 3, "PER"), (6, 11, "PER"))
    assert [one.reason for one in found[1:]] == ["value_differs", "value_differs"]


@pytest.mark.parametrize(
    ("ann", "reason"),
    [
        ("T1\tPER 0 3\tåsa", "value_differs"),
        ("T1\tPER 1 4\tÅsa", "value_differs"),
        ("T1\tPER 0 4\tÅsa\u00a0", "value_differs"),
        ("T1\tPER 0 3\tÅsa ", "value_differs"),
        ("T1\tPER 0 4\tÅsa", "offsets_in_another_unit"),
        ("T1\tPER 7 12\tKvist", "offsets_in_another_unit"),
        ("T1\tPER 0 99\tÅsa", "offset_outside_text"),
        ("T1\tPER 3 0\tÅsa", "offset_outside_text"),
        ("T1\tPER 3 3\t", "empty_span"),
        ("T1\tPER 0 3\tÅsa\nT2\tPER 0 3\tÅsa", "repeated_span"),
        ("T1\tPER -1 3\tÅsa", "spans_not_readable"),
        ("T1\tPER 0 3.0\tÅsa", "spans_not_readable"),
        ("T1\tPER 0 ٣\tÅsa", "spans_not_readable"),
        ("T1\tPER 0 3", "spans_not_readable"),
        ("T1\tPER 0  3\tÅsa", "spans_not_readable"),
        ("T1 PER 0 3 Åsa", "spans_not_readable"),
        ("T1\tPER\t0 3\tÅsa", "spans_not_readable"),
        ("T\tPER 0 3\tÅsa", "spans_not_readable"),
        ("T1\t 0 3\tÅsa", "spans_not_readable"),
        ("T1\tPER 0 1;\tÅ", "spans_not_readable"),
        ("PER 0 3 Åsa", "spans_not_readable"),
        (" T1\tPER 0 3\tÅsa", "spans_not_readable"),
        (b"T1\tPER 0 3\t\xc5sa", "spans_not_readable"),
    ],
)
def test_line_that_does_not_fit_quarantines_its_document(tmp_path, ann, reason):
    """The others are read."""
    path = folder(tmp_path, a__txt=TEXT, a__ann=ann, b__txt=TEXT, b__ann="")
    assert reasons(path, "brat") == [reason, "fits"]


def test_text_without_annotations_and_text_that_is_none(tmp_path, monkeypatch):
    """Nobody looked at the first; the second is not UTF-8; the others are too long."""
    monkeypatch.setattr(brat, "MAX_TEXT_BYTES", 30)
    path = folder(
        tmp_path,
        a__txt=TEXT,
        b__txt=b"\xff",
        b__ann="",
        c__txt="x" * 31,
        c__ann="",
        d__txt="x" * 30,
        d__ann="",
        e__txt=TEXT,
        e__ann="#" * 31,
    )
    assert reasons(path, "brat") == [
        "field_missing",
        "row_not_readable",
        "text_too_long",
        "fits",
        "too_many_spans",
    ]


def test_files_with_other_endings_are_not_read(tmp_path):
    """A folder may hold brat's settings."""
    path = folder(tmp_path, a__txt=TEXT, a__ann="", annotation__conf="[entities]\n", README="canary")
    assert reasons(path, "brat") == ["fits"]


def refused(path):
    """The fault of a corpus whose files are named after canaries."""
    with pytest.raises(Fault) as caught:
        read(path, "brat")
    assert "canary" not in str(caught.value)
    return str(caught.value)


def test_annotations_without_a_text_are_a_fault(tmp_path):
    """The text may have been lost; the fault has numbers, and no name."""
    path = folder(tmp_path, a__txt=TEXT, a__ann="", canary__ann="", canary2__ann="")
    assert refused(path) == (
        "corpus: lacks the texts of 2 of its files of annotations,"
        " the first of these being number 2 in order of names"
    )


@pytest.mark.parametrize("ending", ["txt", "ann"])
def test_links_are_not_followed(tmp_path, ending):
    """Neither to a text nor to annotations."""
    path = folder(tmp_path, **{f"canary__{other}": "" for other in ("txt", "ann") if other != ending})
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("")
    (path / f"canary.{ending}").symlink_to(elsewhere)
    assert refused(path) == "corpus: holds a link or something else that is no regular file"


def test_link_that_appears_later_is_not_followed_either(tmp_path):
    """Between the listing and the reading a file became a link: the fault has the folder's name alone."""
    path = folder(tmp_path, canary__txt=TEXT, canary__ann="")
    pairs = list(brat_pairs.pairs(path))
    (path / "canary.txt").unlink()
    (path / "canary.txt").symlink_to(path / "canary.ann")
    with pytest.raises(Fault) as caught:
        pairs[0].text()
    assert str(caught.value) == "corpus/*.txt: is a symlink; name the real file"


def test_link_to_a_folder_is_not_followed(tmp_path):
    """The folder itself is named, not a way to it."""
    folder(tmp_path, a__txt=TEXT, a__ann="")
    (tmp_path / "link").symlink_to(tmp_path / "corpus")
    assert refused(tmp_path / "link") == "link: is a symlink; name the real folder"


def test_folders_inside_the_folder_are_refused(tmp_path):
    """Nothing in them would be read, and nobody would be told."""
    path = folder(tmp_path, a__txt=TEXT, a__ann="")
    (path / "canary").mkdir()
    assert refused(path) == "corpus: holds a folder; name a folder that holds nothing but files"


def test_more_files_than_the_limit_are_refused(tmp_path, monkeypatch):
    """The names of a corpus are held in memory."""
    monkeypatch.setattr(brat_pairs, "MAX_FILES", 1)
    path = folder(tmp_path, a__txt=TEXT, a__ann="")
    assert refused(path) == "corpus: holds more than the limit of 1 files"


def test_other_files_do_not_count_against_the_limit(tmp_path, monkeypatch):
    """And none of the pairs is lost behind them."""
    monkeypatch.setattr(brat_pairs, "MAX_FILES", 2)
    path = folder(tmp_path, a__conf="", b__conf="", c__txt=TEXT, c__ann="", d__conf="")
    assert reasons(path, "brat") == ["fits"]


def test_missing_corpus_is_a_fault(tmp_path):
    """With its name."""
    assert refused(tmp_path / "corpus") == "corpus: does not exist"


def test_option_that_is_none_is_refused_by_name():
    """The fault says what there is."""
    with pytest.raises(Fault, match=r"^options\.fragments: must be one of: refuse, each$"):
        build_adapter("brat", {"fragments": "join"})
