"""Files held to a commitment: names, sizes and content, and that names and sizes open nothing."""

from __future__ import annotations

import shutil

import pytest
from freeze_suites import kinds, write_suite

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.committing import check_files, commitment_of

FILES = ["quality-provenance.jsonl", "quality-records.jsonl", "quality-slices.jsonl", "suite.yaml"]


@pytest.fixture
def suite(tmp_path):
    """A sealed freeze of three documents of two templates."""
    return write_suite(tmp_path / "freeze", [1, 2, 1], role="sealed_freeze")


def committed(folder, split_key="template_id"):
    """Return the commitment to a suite."""
    return commitment_of(folder, kinds, split_key=split_key)


def checked(folder, one, *, contents=True):
    """Return what is wrong with the files in `folder`, or None."""
    try:
        check_files(folder, one, kinds, contents=contents)
    except Fault as fault:
        return str(fault)
    return None


@pytest.mark.parametrize("contents", [False, True])
def test_the_files_committed_to_hold(suite, contents):
    """Files that are as they were, and files that are none of a suite, are no fault."""
    one = committed(suite)
    (suite / "notes.txt").write_text("not of the suite")
    assert checked(suite, one, contents=contents) is None


def test_names_and_sizes_open_nothing(suite):
    """Without contents, an edit that keeps the size is not seen, as no document may be read yet."""
    one = committed(suite)
    path = suite / "quality-records.jsonl"
    path.write_text(path.read_text().replace("note number 1", "note number 7"))
    assert checked(suite, one, contents=False) is None
    assert (
        checked(suite, one) == "quality-records.jsonl: is not what was committed to: its SHA-256 is another"
    )


@pytest.mark.parametrize("contents", [False, True])
def test_a_file_of_another_size_is_refused(suite, contents):
    """A row more is another file."""
    one = committed(suite)
    with (suite / "suite.yaml").open("a") as handle:
        handle.write("# x\n")
    assert checked(suite, one, contents=contents) == (
        "suite.yaml: holds 24 bytes, and 20 by the commitment; it is another file"
    )


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_refused(suite, name):
    """Each file that was committed to has to be there."""
    one = committed(suite)
    (suite / name).unlink()
    assert checked(suite, one, contents=False) == f"{name}: is missing; the commitment names it"


@pytest.mark.parametrize("name", ["quality-records-more.jsonl", "unsupported-slices.jsonl"])
def test_a_file_more_is_refused(suite, name):
    """A file that a run would read and the commitment does not know is refused, be it empty."""
    one = committed(suite)
    (suite / name).write_bytes(b"")
    line = f"{name}: is a file of the suite that the commitment does not know"
    assert checked(suite, one, contents=False) == line


def test_a_suite_file_more_is_refused(tmp_path):
    """Gates and types of a suite file count, so one that came later is refused."""
    suite = write_suite(tmp_path / "freeze", [1])
    one = committed(suite)
    (suite / "suite.yaml").write_text("role: sealed_freeze\n")
    assert checked(suite, one) == "suite.yaml: is a file of the suite that the commitment does not know"


def test_a_link_in_place_of_a_file_is_refused(suite, tmp_path):
    """Names and sizes are those of the files themselves."""
    one = committed(suite)
    shutil.copytree(suite, tmp_path / "copy")
    (suite / "suite.yaml").unlink()
    (suite / "suite.yaml").symlink_to(tmp_path / "copy" / "suite.yaml")
    assert checked(suite, one, contents=False) == "suite.yaml: is not a regular file"
