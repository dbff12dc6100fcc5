"""No text in a worker's log or on its disk, whatever a detector raises, prints or starts there."""

from __future__ import annotations

import os
import pickle
import time

import pytest
from cluster_suite import CANARIES, ClusterSuite, told
from external_cluster import canaries_of, external_cluster, worker_without_package

from pytest_pii_eval.cluster.bench import Bench
from pytest_pii_eval.cluster.recipe import packed
from pytest_pii_eval.cluster.run import ClusterRun, Wish
from pytest_pii_eval.cluster.veil import SHOWN, veiled
from pytest_pii_eval.contracts.faults import Fault

distributed = pytest.importorskip("distributed")
dask_worker = pytest.importorskip("pytest_pii_eval.cluster.dask_worker")

# Raises what is not an Exception, with text, on workers alone.
INTERRUPTS = """
import asyncio
find = Mine.detect
RAISED = {
    "kbd": KeyboardInterrupt, "exit": SystemExit, "gen": GeneratorExit, "cancel": asyncio.CancelledError
}

def interrupted(self, text):
    for word, kind in RAISED.items():
        if f" {word}" in text:
            raise kind(text)
    return find(self, text)

Mine.detect = interrupted
"""
# An answer that raises when it is read, outside of `detect`.
ODD = """
class Odd(tuple):
    def __iter__(self):
        raise SystemExit("Zephyrine Quartzmore")

Mine.detect = lambda self, text: Detection(Odd((Span(0, 1, "email"),)))
"""
# A thread that outlives everything, and says a text again and again by every way.
TALKER = """
import threading, time
find = Mine.detect

def talk(text):
    while True:
        print(text, flush=True)
        os.write(2, text.encode())
        logging.getLogger("mine").critical(text)
        (HERE / "talked").touch()
        time.sleep(0.01)

def started(self, text):
    if not hasattr(self, "talker"):
        self.talker = threading.Thread(target=talk, args=("Zephyrine Quartzmore",), daemon=True)
        if os.getpid() != int((HERE / "client").read_text()):
            self.talker.start()
    return find(self, text)

Mine.detect = started
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """One worker that was not started by us."""
    with external_cluster(tmp_path_factory.mktemp("cluster"), workers=1) as made:
        yield made


@pytest.fixture
def suite(tmp_path):
    """Twenty documents in two files, written."""
    return ClusterSuite(tmp_path, 20).write()


def changed(suite, code):
    """Add some code to the detector of a suite."""
    suite.module.write_text(suite.module.read_text(encoding="utf-8") + code, encoding="utf-8")
    return suite


def wish(suite, cluster, **changes):
    """Return the wish for a run of the suite's detector."""
    settings = suite.settings(detector=suite.detector, **changes)
    return Wish("suite", settings, cluster.scheduler_address, 900, quiet=True)


def recipe_of(suite, **changes):
    """Return the recipe that a run would send."""
    sent = []

    def engine_of(_, recipe):
        sent.append(recipe)
        raise Fault("enough")

    with pytest.raises(Fault, match="enough"):
        ClusterRun(Wish("suite", suite.settings(**changes), "nowhere"), engine_of).report()
    return sent[0]


def test_interrupts_of_a_detector_are_no_answers(suite, cluster):
    """Four kinds that are no `Exception`: no answer, nothing in a log, and the worker lives on."""
    for number, word in ((3, "kbd"), (8, "exit"), (13, "gen"), (18, "cancel")):
        suite.records[number]["document"]["text"] += f" {word}"
    changed(suite.write(), INTERRUPTS)
    with distributed.Client(cluster, set_as_default=False) as client:
        before = client.run(os.getpid)
        report = ClusterRun(wish(suite, cluster)).report()
        assert client.run(os.getpid) == before
    assert report.slices["all"].counts["failed_documents"] == 4
    assert not canaries_of(cluster.log)


def test_an_answer_that_raises_as_it_is_read_is_one_line(suite, cluster):
    """`SystemExit` with text behind `detect` itself."""
    changed(suite, ODD)
    with pytest.raises(Fault, match="SystemExit in mine_") as found:
        ClusterRun(wish(suite, cluster)).report()
    assert not told(str(found.value))
    assert not canaries_of(cluster.log)


def test_threads_that_live_on_are_not_heard(suite, tmp_path):
    """Between batches and after the run: a worker that has such a thread stays silent."""
    changed(suite, TALKER)
    (suite.root / "client").write_text(str(os.getpid()), encoding="utf-8")
    folder = tmp_path / "cluster"
    folder.mkdir()
    with external_cluster(folder, workers=1) as cluster:
        ClusterRun(wish(suite, cluster)).report()
        talked = suite.root / "talked"
        talked.unlink()
        until = time.monotonic() + 20
        while not talked.exists() and time.monotonic() < until:
            time.sleep(0.01)
        assert talked.exists()
    assert not canaries_of(cluster.log)


def test_a_worker_is_heard_again_behind_a_run(suite, cluster):
    """Where no thread of a detector is left, what others print is in its log."""
    ClusterRun(wish(suite, cluster)).report()
    with distributed.Client(cluster, set_as_default=False) as client:
        client.run(os.write, 1, b"heard again\n")
    assert b"heard again" in cluster.log.read_bytes()


def test_a_worker_without_this_package_logs_no_recipe(suite, tmp_path):
    """It gets none where a run begins; where it joins later, the beginning that it logs says nothing."""
    folder = tmp_path / "cluster"
    folder.mkdir()
    plugin = dask_worker.BenchPlugin("pii-eval-late", dask_worker.code(), packed(recipe_of(suite)))
    with external_cluster(folder, workers=0) as cluster:
        address = cluster.scheduler_address
        with worker_without_package(address, folder) as log:
            with pytest.raises(Fault, match="has other code than this machine; install there what is here"):
                ClusterRun(Wish("suite", suite.settings(), address, quiet=True)).report()
            with (
                distributed.Client(address, set_as_default=False) as client,
                pytest.raises(Exception, match="not here"),
            ):
                client.register_plugin(plugin)
    logged = log.read_text(encoding="utf-8", errors="replace")
    assert "Failed to deserialize b'" in logged
    assert "pii-eval-late" in logged
    assert not told(logged)


def test_a_recipe_shows_nothing_of_the_bank(suite):
    """Packed it does; as it is sent no byte of a canary is left, and the key lies beyond what is logged."""
    recipe = packed(recipe_of(suite))
    plugin = dask_worker.BenchPlugin("name", dask_worker.code(), recipe)
    sent = pickle.dumps(plugin)
    assert all(canary.encode() in recipe for canary in CANARIES[:3])
    assert not any(canary.encode() in sent for canary in CANARIES)
    veil = veiled(b"short")
    assert veil.index(veil[-32:]) >= SHOWN


def test_a_bank_is_on_no_disk_while_a_detector_is_built(suite, monkeypatch, tmp_path):
    """What dies as it is built leaves no file: the bank of the recipe is read from memory."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    recipe = recipe_of(suite, detector=suite.detector, bank=suite.root / "bank.json")
    changed(suite, "")
    (suite.root / "bank.json").unlink()
    found = []
    monkeypatch.setattr(f"{suite.module.stem}.Mine.__init__", lambda _: found.append(list(folder.rglob("*"))))
    bench = Bench(recipe)
    assert bench.fittings().bank.id == "small-bank"
    bench.close()
    assert found == [[]]


def test_a_closed_bench_puts_away_behind_its_batch(suite):
    """A batch that runs as the run ends is not closed under its feet, nor heard."""
    order = []
    recipe = recipe_of(suite)
    bench = Bench(recipe, at_close=lambda: order.append("closed"))

    def batch():
        bench.close()
        order.append("batch done")

    bench._alone(batch)
    bench.close()
    assert order == ["batch done", "closed"]
