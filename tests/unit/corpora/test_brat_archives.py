"""brat corpora in ZIP archives: read without extraction, closed to names, kinds and sizes of another sort."""

from __future__ import annotations

import io
import stat
import zipfile

import pytest
from standoff_files import bytes_file, drafts, read, reasons

from pytest_pii_eval.contracts.faults import Fault

TEXT = "Åsa kom.\r\n"
ANN = "T1\tPER 0 3\tÅsa\n"


def packed(*members, method=zipfile.ZIP_DEFLATED):
    """An archive of `(name or ZipInfo, content)`."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


def archive_file(folder, *members, **options):
    return bytes_file(folder, packed(*members, **options), "corpus.zip")


def refused(path):
    """The fault of an archive whose members are named after canaries."""
    with pytest.raises(Fault) as caught:
        read(path, "brat")
    assert "canary" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_pairs_are_read_from_the_archive(tmp_path, method):
    """In the order of names, which keep the folders before them; nothing is written."""
    path = archive_file(
        tmp_path,
        ("b.txt", TEXT),
        ("b.ann", ANN),
        ("year/a.ann", ""),
        ("year/a.txt", ""),
        ("c.txt", TEXT),
        method=method,
    )
    assert reasons(path, "brat") == ["fits", "field_missing", "fits"]
    first, _, last = read(path, "brat")
    assert (first.document_id, first.text, first.spans) == ("b", TEXT, ((0, 3, "PER"),))
    assert (last.document_id, last.text) == ("year/a", "")
    assert list(tmp_path.iterdir()) == [path]


def test_folder_and_archive_give_equal_drafts(tmp_path):
    """The same pairs, the same drafts."""
    path = archive_file(tmp_path, ("x.txt", TEXT), ("x.ann", ANN))
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "x.txt").write_bytes(TEXT.encode())
    (folder / "x.ann").write_bytes(ANN.encode())
    assert drafts(folder, "brat") == drafts(path, "brat")


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("/canary.txt", "has an absolute name"),
        ("C:canary.txt", "has an absolute name"),
        ("../canary.txt", "two dots"),
        ("a/../canary.txt", "two dots"),
        ("a\\canary.txt", "backslash"),
        ("canary.txt\x01", "control character"),
        ("canary.html", "no place for"),
        ("canary.zip", "no place for"),
        ("canary/", "no place for"),
    ],
)
def test_names_that_lead_elsewhere_are_refused(tmp_path, name, rule):
    """The fault has the ordinal of the entry and the rule."""
    message = refused(archive_file(tmp_path, ("x.txt", TEXT), ("x.ann", ANN), (name, "")))
    assert message.startswith("corpus.zip: entry 3: ")
    assert rule in message


def test_name_with_a_null_is_refused(tmp_path):
    """Readers differ in where such a name ends."""
    payload = packed(("canary_.txt", TEXT)).replace(b"canary_.txt", b"canary\0.txt")
    assert "control character" in refused(bytes_file(tmp_path, payload, "corpus.zip"))


@pytest.mark.parametrize("second", ["canary.txt", "CANARY.txt"])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_are_refused(tmp_path, second):
    """Also where they differ in case alone."""
    message = refused(archive_file(tmp_path, ("canary.txt", TEXT), (second, TEXT)))
    assert message.startswith("corpus.zip: entry 2: has the name of entry 1")


def test_links_and_encrypted_members_are_refused(tmp_path):
    """Neither is a text."""
    link = zipfile.ZipInfo("canary.txt")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert "is a link" in refused(archive_file(tmp_path, (link, "/etc/hostname")))
    payload = bytearray(packed(("canary.txt", TEXT), method=zipfile.ZIP_STORED))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        payload[payload.index(mark) + at] |= 1
    assert "is encrypted" in refused(bytes_file(tmp_path, bytes(payload), "corpus.zip"))


def test_member_that_becomes_too_much_is_refused(tmp_path):
    """A megabyte of one letter is a thousandth of it stored."""
    message = refused(archive_file(tmp_path, ("canary.txt", "x" * 1_000_000), ("canary.ann", "")))
    assert message == "corpus.zip: entry 1: declares more than 200 bytes for each that is stored"


def test_damaged_member_is_refused_when_it_is_read(tmp_path):
    """Its checksum tells; the fault has its ordinal."""
    payload = packed(("canary.txt", TEXT), ("canary.ann", ANN), method=zipfile.ZIP_STORED)
    path = bytes_file(tmp_path, payload.replace(b" kom.", b" dro."), "corpus.zip")
    message = refused(path)
    assert message == "corpus.zip: entry 1: has another checksum than it declares; the archive is damaged"


def test_annotations_without_a_text_are_a_fault(tmp_path):
    """As in a folder."""
    message = refused(archive_file(tmp_path, ("x.txt", TEXT), ("x.ann", ANN), ("canary.ann", "")))
    assert message.startswith("corpus.zip: lacks the texts of 1 of its files of annotations")


def test_file_that_is_no_archive_is_refused(tmp_path):
    """A single text is no corpus."""
    assert "is no ZIP archive" in refused(bytes_file(tmp_path, b"canary", "corpus.zip"))
