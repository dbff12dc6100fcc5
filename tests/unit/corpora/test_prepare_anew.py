"""Preparing where something lies already: what holds stays, anything else is made anew; links are refused."""

from __future__ import annotations

import json
import os
import shutil

import pytest
from corpus_files import ARTIFACT, FakeAdapter, artifact_in, cache_in, prepared, recipe_of, tree
from prepared_corpus import FILES, Prepared

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.prepare import prepare


@pytest.fixture
def suite(tmp_path) -> Prepared:
    """A prepared corpus."""
    return Prepared(tmp_path)


def anew(suite: Prepared) -> bool:
    """Prepare again; return whether what lay there was removed."""
    told: list[int] = []
    receipt = prepare(suite.recipe, suite.artifact, suite.cache, removed=lambda: told.append(1))
    assert receipt == suite.receipt
    return told == [1]


def test_what_holds_stays(suite) -> None:
    """Nothing is removed, and nobody is told so."""
    before = tree(suite.cache.root)
    assert not anew(suite)
    assert tree(suite.cache.root) == before
    assert suite.recipe.adapter.reads == 1


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("how", ["gone", "longer", "folder", "link"])
def test_what_was_damaged_is_made_anew(suite, tmp_path, name, how) -> None:
    """Whichever file it is, and whatever became of it; where a link led stays as it was."""
    before = tree(suite.cache.root)
    path, aside = suite.folder / name, tmp_path / "aside"
    path.rename(aside)
    if how == "longer":
        path.write_bytes(aside.read_bytes() + b"\n")
    elif how == "folder":
        path.mkdir()
        (path / "mine").write_text("mine")
    elif how == "link":
        path.symlink_to(aside)
    assert anew(suite)
    assert tree(suite.cache.root) == before
    assert aside.is_file()
    suite.verify()


def test_an_edited_receipt_is_made_anew(suite) -> None:
    """Also one that agrees with every file."""
    before = tree(suite.cache.root)
    suite.edit(lambda row: row["quarantined"].update(value_differs=0))
    assert anew(suite)
    assert tree(suite.cache.root) == before


@pytest.mark.parametrize("kind", ["file", "empty", "foreign", "pipe"])
def test_what_is_no_suite_makes_room(suite, kind) -> None:
    """A file, a folder without the marker, and a pipe in the folder's place do not stop a prepare."""
    before = tree(suite.cache.root)
    shutil.rmtree(suite.folder)
    if kind == "file":
        suite.folder.write_text("x")
    elif kind == "pipe":
        os.mkfifo(suite.folder)
    else:
        suite.folder.mkdir()
    if kind == "foreign":
        (suite.folder / "quality-records.jsonl").write_text("x")
    assert anew(suite)
    assert tree(suite.cache.root) == before


def test_a_link_in_the_place_of_the_suite_is_refused(suite, tmp_path) -> None:
    """Neither the link nor what it leads to is removed."""
    suite.folder.rename(tmp_path / "aim")
    before = tree(tmp_path / "aim")
    (tmp_path / "aim/COMMITTED").unlink()
    suite.folder.symlink_to(tmp_path / "aim")
    with pytest.raises(Fault, match="symlink"):
        anew(suite)
    assert suite.folder.is_symlink()
    assert tree(tmp_path / "aim").keys() == before.keys() - {"COMMITTED"}


def test_nothing_beside_the_suite_is_touched(suite, tmp_path) -> None:
    """A suite of another recipe and one of another corpus stay."""
    prepare(recipe_of(FakeAdapter(), max_quarantined="2"), suite.artifact, suite.cache)
    prepare(recipe_of(FakeAdapter(), key="other"), suite.artifact, suite.cache)
    before = tree(tmp_path)
    (suite.folder / "COMMITTED").unlink()
    assert anew(suite)
    assert {name: one for name, one in tree(tmp_path).items() if name != "cache/.other.lock"} == {
        name: one for name, one in before.items() if name != "cache/.other.lock"
    }


def test_without_its_artifact_what_is_damaged_stays(suite) -> None:
    """Nothing is removed before it is known that it can be made anew."""
    (suite.folder / "COMMITTED").unlink()
    before = tree(suite.cache.root)
    suite.artifact.write_bytes(ARTIFACT + b"!")
    with pytest.raises(Fault, match="the pin names 44"):
        anew(suite)
    assert tree(suite.cache.root) == before


def test_a_failed_prepare_leaves_no_folder(tmp_path) -> None:
    """The folder of the corpus goes, too, where nothing is left in it."""
    with pytest.raises(Fault):
        prepared(tmp_path, FakeAdapter([]))
    assert tree(tmp_path / "cache").keys() == {"prepared"}
    with pytest.raises(ValueError, match="broken"):
        prepared(tmp_path, FakeAdapter(before=_broken))
    assert tree(tmp_path / "cache").keys() == {"prepared"}
    _, folder = prepared(tmp_path)
    with pytest.raises(Fault):
        prepared(tmp_path, FakeAdapter([]), max_quarantined="7")
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def _broken(*_: object) -> None:
    raise ValueError("broken")


@pytest.mark.parametrize("place", ["prepared", "prepared/demo"])
def test_a_file_on_the_way_is_told(tmp_path, place) -> None:
    """Outside the folder of the corpus nothing is removed: the fault says what to remove."""
    path = cache_in(tmp_path).root / place
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    artifact_in(tmp_path)
    told = f"^the cache holds a file where its folder {place} belongs; remove that file$"
    with pytest.raises(Fault, match=told):
        prepared(tmp_path)
    assert path.read_text() == "mine"


def test_records_that_derive_otherwise_can_be_removed(suite) -> None:
    """What agrees with itself alone is not seen by a prepare, so verifying says what to remove."""
    records = suite.folder / "quality-records.jsonl"
    before = json.loads((suite.folder / "receipt.json").read_bytes())
    suite.rewrite(records.name, records.read_bytes().replace(b"Bo Reed", b"Bo Read"))
    assert not _again(suite)
    assert "remove prepared/demo in the cache, and run 'pii-eval corpus prepare demo'" in suite.refused()
    shutil.rmtree(suite.cache.root / "prepared/demo")
    assert not _again(suite)
    suite.verify()
    assert json.loads((suite.folder / "receipt.json").read_bytes()) == before


def _again(suite: Prepared) -> bool:
    told: list[int] = []
    prepare(suite.recipe, suite.artifact, suite.cache, removed=lambda: told.append(1))
    return bool(told)
