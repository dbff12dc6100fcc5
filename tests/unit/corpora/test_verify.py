"""Verifying: a good suite passes, and every single change to its folder or a file in it is found."""

from __future__ import annotations

import shutil

import pytest
from corpus_files import CANARY, tree
from prepared_corpus import DATA, FILES, Prepared

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.prepare import prepare
from pytest_pii_eval.corpora.verify import check_prepared


@pytest.fixture
def suite(tmp_path) -> Prepared:
    """A prepared corpus."""
    return Prepared(tmp_path)


def test_a_good_suite_verifies(suite) -> None:
    """The receipt comes back, and nothing is written."""
    before = tree(suite.cache.root)
    assert suite.verify() == suite.receipt
    assert check_prepared(suite.recipe, suite.folder) == suite.receipt
    assert tree(suite.cache.root) == before
    assert tuple(sorted(path.name for path in suite.folder.iterdir())) == FILES


@pytest.mark.parametrize("name", FILES)
def test_any_byte_of_any_file_counts(suite, name) -> None:
    """The first, the last and one in the middle: each is found, whichever bit of it flips."""
    path = suite.folder / name
    payload = path.read_bytes()
    for at in (0, len(payload) // 2, len(payload) - 1):
        for bit in (1, 32):
            damaged = bytearray(payload)
            damaged[at] ^= bit
            path.write_bytes(damaged)
            suite.refused()
    path.write_bytes(payload)
    suite.verify()


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("change", ["longer", "shorter", "empty", "twice"])
def test_the_length_of_any_file_counts(suite, name, change) -> None:
    """A byte more, one less, none at all and everything again are found."""
    path = suite.folder / name
    payload = path.read_bytes()
    changed = {"longer": payload + b"\n", "shorter": payload[:-1], "empty": b"", "twice": payload * 2}
    path.write_bytes(changed[change])
    suite.refused()


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_gone_renamed_or_something_else_is_found(suite, name, tmp_path) -> None:
    """Also where a link leads to the very bytes, or the file is open to others."""
    path, aside = suite.folder / name, tmp_path / "aside"
    path.rename(aside)
    suite.refused()
    shutil.copy(aside, suite.folder / f"{CANARY}.jsonl")
    suite.refused()
    (suite.folder / f"{CANARY}.jsonl").unlink()
    path.symlink_to(aside)
    suite.refused()
    path.unlink()
    path.mkdir(mode=0o700)
    suite.refused()
    path.rmdir()
    aside.rename(path)
    for mode in (0o640, 0o602, 0o601):
        path.chmod(mode)
        told = suite.refused()
        assert told == f"{name}: is open to others, or is somebody else's; chmod it to its owner alone"
    path.chmod(0o600)
    suite.verify()


@pytest.mark.parametrize("kind", ["file", "folder", "link", "hidden"])
def test_anything_added_is_found(suite, kind) -> None:
    """Whatever lies in the folder beside its files, the fault says how many there are and no name."""
    path = suite.folder / (f".{CANARY}" if kind == "hidden" else CANARY)
    if kind == "folder":
        path.mkdir()
    elif kind == "link":
        path.symlink_to("receipt.json")
    else:
        path.write_bytes(b"")
    told = "the prepared corpus holds 9 files, and not those of its receipt"
    assert suite.refused() == f"{told}; run 'pii-eval corpus prepare demo'"
    with pytest.raises(Fault):
        check_prepared(suite.recipe, suite.folder)


def test_a_file_that_the_receipt_commits_to_must_be_one_of_a_suite(suite) -> None:
    """A receipt that was edited to name another file brings it in nowhere, and its name is not told."""
    (suite.folder / f"{CANARY}.jsonl").write_bytes(b"")
    suite.rewrite(f"{CANARY}.jsonl", b"{}\n")
    told = "receipt.json: files: names other files than a prepare would write"
    assert suite.refused() == f"{told}; run 'pii-eval corpus prepare demo'"
    suite.edit(lambda row: row["files"].update({f"../{CANARY}": row["files"].pop(f"{CANARY}.jsonl")}))
    assert suite.refused().startswith(told)


def test_the_folder_itself_is_private_and_no_link(suite, tmp_path) -> None:
    """It is open to its owner alone, and lies where it seems to."""
    suite.folder.chmod(0o750)
    assert suite.refused().endswith("is open to others, or is somebody else's; chmod it to its owner alone")
    suite.folder.chmod(0o700)
    suite.folder.rename(tmp_path / "moved")
    suite.folder.symlink_to(tmp_path / "moved")
    assert "symlink" in suite.refused()
    suite.folder.unlink()
    (tmp_path / "moved").rename(suite.folder)
    suite.folder.parent.rename(tmp_path / "moved")
    suite.folder.parent.symlink_to(tmp_path / "moved")
    assert suite.refused() == "the cache is reached through a symlink; name the real folder with --cache"
    with pytest.raises(Fault, match="symlink"):
        prepare(suite.recipe, suite.artifact, suite.cache)


def test_without_its_marker_it_is_not_prepared(suite) -> None:
    """What is not complete is told as absent, with the command that makes it."""
    (suite.folder / "COMMITTED").unlink()
    assert suite.refused() == "demo is not prepared; run 'pii-eval corpus prepare demo'"


def test_the_marker_is_the_marker(suite) -> None:
    """Another text in it was not written by a prepare."""
    (suite.folder / "COMMITTED").write_bytes(b"pii_eval.private_directory.v2\n")
    told = "COMMITTED: holds other bytes than the marker of a complete directory"
    assert suite.refused() == f"{told}; run 'pii-eval corpus prepare demo'"


@pytest.mark.parametrize("name", DATA)
def test_a_changed_file_is_named(suite, name) -> None:
    """The fault names the file, and what to do."""
    path = suite.folder / name
    path.write_bytes(path.read_bytes().replace(b"demo", b"dems").replace(b"test", b"tess"))
    told = suite.refused()
    assert told == (
        f"{name}: holds other bytes than the receipt of the prepared corpus says;"
        " run 'pii-eval corpus prepare demo'"
    )
    with pytest.raises(Fault):
        check_prepared(suite.recipe, suite.folder)
