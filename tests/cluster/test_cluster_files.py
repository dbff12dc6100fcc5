"""Files that are none of a suite, or have no size, and what storage calls a folder."""

from __future__ import annotations

import os

import pytest
from cluster_suite import ClusterSuite, inline, refusal

from pytest_pii_eval import BankDetector, evaluate, load_bank
from pytest_pii_eval.cluster.predicting import ClusterPrediction, Place
from pytest_pii_eval.cluster.run import ClusterRun, Wish
from pytest_pii_eval.cluster.storage import SharedFolder
from pytest_pii_eval.predicting.run import Run
from pytest_pii_eval.predicting.run import Wish as PredictWish

GZIP = "quality-records-0003.jsonl.gz"
LINES = "quality-records-0003.jsonl"
ODD = "is not a regular file"
LINK = "is a symlink; name the real file"


@pytest.fixture
def suite(tmp_path, monkeypatch):
    """Forty documents in two files, written, below the working directory."""
    monkeypatch.chdir(tmp_path)
    return ClusterSuite(tmp_path).write()


def empty_gzip(folder):
    """Make a compressed file of no bytes."""
    (folder / GZIP).touch()
    return f"{GZIP}:1", "is empty; not even gzip data of nothing are that"


def empty_parquet(folder):
    """Make a Parquet file of no bytes."""
    pytest.importorskip("pyarrow")
    (folder / "quality-records-0003.parquet").touch()
    return "quality-records-0003.parquet", "is empty; not even a Parquet file without rows is that"


def pipe(folder):
    """Make a named pipe."""
    os.mkfifo(folder / LINES)
    return LINES, ODD


def directory(folder):
    """Make a folder."""
    (folder / LINES).mkdir()
    return LINES, ODD


def linked_file(folder):
    """Make a link to a file beside the suite."""
    target = folder.parent / "elsewhere.jsonl"
    target.write_bytes((folder / "quality-records-0002.jsonl").read_bytes())
    (folder / LINES).symlink_to(target)
    return LINES, LINK


def linked_folder(folder):
    """Make a link to a folder."""
    (folder / LINES).symlink_to(folder.parent)
    return LINES, LINK


def dangling(folder):
    """Make a link to nothing."""
    (folder / LINES).symlink_to(folder / "gone")
    return LINES, LINK


def linked_plan(folder):
    """Make a link of the suite file, whose gates would be lost."""
    (folder.parent / "elsewhere.yaml").write_text("gates: []\n", encoding="utf-8")
    (folder / "suite.yaml").symlink_to(folder.parent / "elsewhere.yaml")
    return "suite.yaml", LINK


@pytest.mark.parametrize(
    "make",
    [empty_gzip, empty_parquet, pipe, directory, linked_file, linked_folder, dangling, linked_plan],
)
def test_what_is_no_file_of_a_suite_is_refused_in_every_way(suite, make):
    """A third records file that is none: `evaluate`, `run`, `predict` here and there, a URL: one line."""
    pytest.importorskip("fsspec")
    name, rule = make(suite.path)
    settings, line = suite.settings(), f"suite/{name}: {rule}"
    out = PredictWish(suite.path, suite.root / "made.jsonl", settings, quiet=True)
    bank = BankDetector(load_bank(suite.root / "bank.json"))
    assert refusal(lambda: evaluate(suite.path, bank)) == f"{name}: {rule}"
    assert refusal(Run(out).predict) == line
    for where in ("suite", f"file://{suite.path}", f"local://{suite.path}"):
        assert refusal(ClusterRun(Wish(where, settings, quiet=True)).report) == line, where
        made = ClusterPrediction(out, Place(where, "here", 700), inline)
        assert refusal(made.predict) == line, where


def test_an_empty_packed_file_of_provenance_is_refused(suite):
    """It is read as a file of its name, though it has no bytes."""
    (suite.path / "quality-provenance-2.jsonl.gz").touch()
    line = "suite/quality-provenance-2.jsonl.gz:1: is empty; not even gzip data of nothing are that"
    assert refusal(ClusterRun(Wish("suite", suite.settings(), quiet=True)).report) == line


def test_a_file_of_unknown_size_is_refused(suite, monkeypatch):
    """A server that tells no size: cut by size, its file would be passed over."""
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.put(str(suite.path), "/bucket/sizeless", recursive=True)
    told_of = type(memory).info

    def info(self, path, **given):
        found = told_of(self, path, **given)
        return found | {"size": None} if path.endswith("records-0002.jsonl") else found

    monkeypatch.setattr(type(memory), "info", info)
    try:
        run = ClusterRun(Wish("memory://bucket/sizeless", suite.settings(), quiet=True))
        rule = "has a size that its storage does not tell; put the suite into one that does"
        assert refusal(run.report) == f"sizeless/quality-records-0002.jsonl: {rule}"
    finally:
        memory.rm("/bucket", recursive=True)


def test_other_folders_pipes_and_links_are_nobodys(suite):
    """What has no name of a suite's file may be anything."""
    (suite.path / "notes").mkdir()
    os.mkfifo(suite.path / "pipe.txt")
    (suite.path / "link.json").symlink_to(suite.path / "gone")
    assert ClusterRun(Wish("suite", suite.settings(), quiet=True)).report().complete


def test_a_suite_without_records_is_refused(suite):
    """Files without rows, then a compressed one: nothing to predict, in one process and on a cluster."""
    for name in ("quality-records-0001.jsonl", "quality-records-0002.jsonl", "quality-provenance.jsonl"):
        (suite.path / name).write_bytes(b"")
    out = PredictWish(suite.path, suite.root / "made.jsonl", suite.settings(), quiet=True)
    made = ClusterPrediction(out, Place("suite", "here", 700), inline)
    assert refusal(Run(out).predict) == refusal(made.predict) == "suite: holds no quality records"
    # gzip of nothing, as `gzip < /dev/null` writes it
    nothing = bytes.fromhex("1f8b0800000000000003" + "0300" + "00" * 8)
    (suite.path / GZIP).write_bytes(nothing)
    assert refusal(Run(out).predict) == refusal(made.predict) == "suite: holds no quality records"
    assert not (suite.root / "made.jsonl").exists()


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("s3://bucket/some/suite/", "suite"),
        ("https://host/suite?sig=SECRET", "suite"),
        ("https://host/suite;sig=SECRET#SECRET", "suite"),
        ("https://user:SECRET@host/", "the suite"),
        ("https://user:SECRET@host", "the suite"),
        ("https://user:x/SECRET@host", "the suite"),
        ("https://user:a::SECRET@host", "the suite"),
        ("filecache::https://user:SECRET@host", "the suite"),
        ("filecache::https://user:SECRET@host/suite", "suite"),
        ("https://[SECRET", "the suite"),
        ("s3://bucket/" + "x" * 300, "the suite"),
        ("local:///here/suite/..", "the suite"),
        ("local:///here/suite/.", "the suite"),
    ],
)
def test_a_folder_at_a_url_is_named_by_its_path_alone(url, name):
    """No user, password, query or fragment, nothing that is no plain name, and nothing of two dots."""
    assert SharedFolder(url).name == name
