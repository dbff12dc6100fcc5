"""Batches on workers of a dask cluster: the same report whatever dies, and no text in any log."""

from __future__ import annotations

import logging
import os
import signal

import pytest
from cluster_suite import ClusterSuite, comparable, told
from external_cluster import external_cluster

from pytest_pii_eval.cluster.dask_engine import DaskEngine
from pytest_pii_eval.cluster.predicting import ClusterPrediction, Place
from pytest_pii_eval.cluster.recipe import packed
from pytest_pii_eval.cluster.run import ClusterRun, Wish
from pytest_pii_eval.predicting.run import Run
from pytest_pii_eval.predicting.run import Wish as PredictWish

distributed = pytest.importorskip("distributed")
GATES = "gates:\n  - {slice: '*', metric: leaks, max: 0}\n"


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Two worker processes of one thread, whose outputs go to a file; a batch may kill one worker once."""
    with external_cluster(tmp_path_factory.mktemp("cluster")) as made:
        yield made


@pytest.fixture
def suite(tmp_path):
    """Forty documents in two files."""
    return ClusterSuite(tmp_path)


def ran(suite, cluster, engine_of=None, size=900, **changes):
    """Return a run on the cluster, and its report."""
    wish = Wish("suite", suite.settings(**changes), cluster.scheduler_address, size, quiet=True)
    run = ClusterRun(wish, engine_of)
    return run, run.report()


def inline(suite, **changes):
    """Return the report of batches in this process."""
    return comparable(ClusterRun(Wish("suite", suite.settings(**changes), quiet=True)).report())


def test_workers_give_the_same_report_and_build_once(suite, cluster):
    """A bank whose gates fail, and a detector: equal reports; workers build the detector once."""
    suite.suite_file = GATES
    suite.write()
    _, report = ran(suite, cluster)
    assert comparable(report) == inline(suite)
    assert (report.passed, report.complete, report.run.processes) == (False, True, 2)
    _, report = ran(suite, cluster, detector=suite.detector, gate_output="protection")
    builds = suite.builds()
    assert comparable(report) == inline(suite, detector=suite.detector, gate_output="protection")
    assert len(builds) == len(set(builds)) <= 3
    assert len(set(builds) - {str(os.getpid())}) >= 1


def test_a_killed_worker_changes_nothing(suite, cluster):
    """A worker gets SIGKILL as the third batch is added up: its batches are done again, and count once."""
    suite.write()
    killed = []

    def engine_of(address, recipe):
        engine = DaskEngine(address, packed(recipe))
        inner = engine.map

        def mapped(task, batches):
            for done, pair in enumerate(inner(task, batches)):
                if done == 2 and not killed:
                    killed.append(kill_one(address))
                yield pair

        engine.map = mapped
        return engine

    run, report = ran(suite, cluster, engine_of, detector=suite.detector)
    assert killed
    assert not run.lost
    assert comparable(report) == inline(suite, detector=suite.detector)


def kill_one(address):
    """Kill one worker process of the cluster; return its id."""
    with distributed.Client(address, set_as_default=False) as client:
        process = min(client.run(os.getpid).values())
    os.kill(process, signal.SIGKILL)
    return process


def test_a_poisoned_batch_is_named(suite, cluster, caplog):
    """Documents 23 and 24 are one batch, which kills: it is missing, and all else is scored."""
    suite.records[23]["document"]["text"] += " poison"
    suite.write()
    (suite.root / "deadly").touch()
    with caplog.at_level(logging.DEBUG):
        run, report = ran(suite, cluster, detector=suite.detector, size=600)
    expected = ["suite/quality-records-0002.jsonl:4 (2 documents: every worker died)"]
    counts = report.slices["all"].counts
    assert run.lost == report.missing == expected
    assert (report.complete, report.passed, report.missing_count) == (False, False, 1)
    assert (counts["documents"], counts["failed_documents"]) == (40, 2)
    (suite.root / "deadly").unlink()
    whole = inline(suite, detector=suite.detector)
    assert report.fingerprints["gold"] == whole["fingerprints"]["gold"]
    assert not told(report.model_dump_json() + caplog.text + cluster.log.read_text(errors="replace"))


def test_a_detector_that_raises_leaves_no_text(suite, cluster, caplog):
    """It prints, logs and raises with text: neither logs of workers nor the report hold any of it."""
    for number in (5, 20, 36):
        suite.records[number]["document"]["text"] += " raise"
    suite.write()
    with caplog.at_level(logging.DEBUG):
        _, report = ran(suite, cluster, detector=suite.detector)
    assert report.slices["all"].counts["failed_documents"] == 3
    assert not told(report.model_dump_json() + caplog.text + cluster.log.read_text(errors="replace"))


def test_a_detector_that_cannot_be_built_is_one_line(suite, cluster):
    """Workers that lack the detector say so as a fault, and nothing is tried again."""
    suite.write()

    def engine_of(address, recipe):
        suite.module.unlink()
        return DaskEngine(address, packed(recipe))

    with pytest.raises(Exception, match="mine") as found:
        ran(suite, cluster, engine_of, detector=suite.detector)
    assert type(found.value).__name__ == "Fault"
    assert not told(str(found.value))


def test_few_batches_are_in_flight(suite, cluster):
    """Of 40 batches no more than four a thread are taken before the first result is used."""
    suite.write()
    taken = []

    def watched(batches):
        for batch in batches:
            taken.append(batch.number)
            yield batch

    def engine_of(address, recipe):
        engine = DaskEngine(address, packed(recipe))
        inner = engine.map

        def mapped(task, batches):
            for used, pair in enumerate(inner(task, watched(batches))):
                assert len(taken) <= used + 1 + 4 * 2
                yield pair
            taken.clear()

        engine.map = mapped
        return engine

    ran(suite, cluster, engine_of, size=300)


def predicted(suite, cluster, out, size=900):
    """Predict on the cluster, and return what was written."""
    wish = PredictWish(suite.path, suite.root / out, suite.settings(detector=suite.detector), quiet=True)
    run = ClusterPrediction(wish, Place("suite", cluster.scheduler_address, size))
    run.predict()
    return (suite.root / out).read_bytes()


def test_predictions_are_those_of_one_process(suite, cluster):
    """Byte for byte, one document without an answer included."""
    suite.records[11]["document"]["text"] += " raise"
    suite.write()
    wish = PredictWish(
        suite.path, suite.root / "serial.jsonl", suite.settings(detector=suite.detector), quiet=True
    )
    Run(wish).predict()
    expected = (suite.root / "serial.jsonl").read_bytes()
    assert expected.count(b"\n") == 41
    assert predicted(suite, cluster, "cluster.jsonl") == expected
    partial = suite.root / "again.jsonl.partial"
    partial.write_bytes(b"".join(expected.splitlines(keepends=True)[:18]) + b'{"cut')
    partial.chmod(0o600)
    assert predicted(suite, cluster, "again.jsonl", size=3000) == expected
