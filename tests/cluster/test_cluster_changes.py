"""Record files that are written, replaced or removed while a run reads them: told, by their names."""

from __future__ import annotations

import os

import pytest
from cluster_suite import ClusterSuite, inline, refusal

from pytest_pii_eval import Fault
from pytest_pii_eval.cluster.predicting import ClusterPrediction, Place
from pytest_pii_eval.cluster.run import ClusterRun, Wish
from pytest_pii_eval.cluster.storage import LocalFolder
from pytest_pii_eval.predicting.run import Run
from pytest_pii_eval.predicting.run import Wish as PredictWish


@pytest.fixture
def suite(tmp_path, monkeypatch):
    """Forty documents in two files, written, below the working directory."""
    monkeypatch.chdir(tmp_path)
    return ClusterSuite(tmp_path).write()


def changes(suite, act):
    """Return the fault of a run whose second records file meets `act` while its rows are read."""
    storage = LocalFolder(suite.path, suite.settings())
    file = next(one for one in storage.files() if one.name == "quality-records-0002.jsonl")

    def read():
        with storage.open(file) as handle:
            handle.read(10)
            act(suite.path / file.name)

    return refusal(read)


def replace(path):
    """Put other bytes in its place, of one size and time of change."""
    before = path.stat()
    other = path.with_name("other")
    other.write_bytes(path.read_bytes().replace(b"Order", b"Ordre"))
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(path)


@pytest.mark.parametrize("act", [os.unlink, replace])
def test_a_file_that_goes_or_is_replaced_while_it_is_read(suite, act):
    """Both are told as a change, by the name that a serial run tells."""
    line = "suite/quality-records-0002.jsonl: changed while the run went on; run again"
    assert changes(suite, act) == line


def test_a_file_that_is_gone_before_it_is_read(suite):
    """As in a serial run it does not exist, below the folder of the suite."""

    def engine_of(name, recipe):
        (suite.path / "quality-records-0002.jsonl").unlink()
        return inline(name, recipe)

    wish = Wish("suite", suite.settings(), "here", quiet=True)
    assert refusal(ClusterRun(wish, engine_of).report) == "suite/quality-records-0002.jsonl: does not exist"


def test_another_machine_may_number_inodes_otherwise(suite, monkeypatch):
    """Size and time of modification are compared everywhere, inode and time of change where it was listed."""
    storage = LocalFolder(suite.path, suite.settings())
    file = next(one for one in storage.files() if one.name == "quality-records-0002.jsonl")
    replace(suite.path / file.name)
    monkeypatch.setattr("pytest_pii_eval.cluster.storage.node", lambda: "another")
    with storage.open(file) as handle:
        assert handle.read(1) == b"{"
    with (suite.path / file.name).open("ab") as handle:
        handle.write(b"{}\n")
    with pytest.raises(Fault, match="changed while the run went on"), storage.open(file):
        pass


# Changes the second records file while the first document is asked about.
CHANGING = """
find = Mine.detect

def detect(self, text):
    path = HERE / "suite" / "quality-records-0002.jsonl"
    CHANGE
    return find(self, text)

Mine.detect = detect
"""


@pytest.mark.parametrize(
    "change",
    ["path.open('ab').close(); path.touch()", "path.unlink(missing_ok=True)"],
    ids=["touch", "unlink"],
)
def test_predictions_are_of_files_that_stay(suite, change):
    """A file that another program writes or removes meanwhile is told, here and on a cluster."""
    with suite.module.open("a", encoding="utf-8") as module:
        module.write(CHANGING.replace("CHANGE", change))
    settings = suite.settings(detector=suite.detector)
    for number, made in enumerate(
        (Run, lambda wish: ClusterPrediction(wish, Place("suite", "here", 700), inline))
    ):
        out = PredictWish(suite.path, suite.root / f"made{number}.jsonl", settings, quiet=True)
        line = refusal(made(out).predict)
        assert line.startswith("suite/quality-records-0002.jsonl: ")
        assert line.endswith(("changed while the run went on; run again", "does not exist"))
        assert not (suite.root / f"made{number}.jsonl").exists()
        suite.write()
