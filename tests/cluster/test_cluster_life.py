"""How a cluster is reached, started, given up and left: one line each, and nobody else gets in."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import tempfile
import urllib.error
import urllib.request
from contextlib import ExitStack, suppress
from types import SimpleNamespace

import pytest
from cluster_suite import ClusterSuite, told
from external_cluster import external_cluster

from pytest_pii_eval.cluster.batches import Batch
from pytest_pii_eval.cluster.engines import Task
from pytest_pii_eval.cluster.reaching import client_of, quiet, reached
from pytest_pii_eval.cluster.run import ClusterRun, Wish
from pytest_pii_eval.contracts.faults import Fault

distributed = pytest.importorskip("distributed")
local = pytest.importorskip("pytest_pii_eval.cluster.local_cluster")
dask_worker = pytest.importorskip("pytest_pii_eval.cluster.dask_worker")

FATAL = """
birth = Mine.__init__

def born(self):
    if (HERE / "client").exists():
        os.kill(os.getpid(), signal.SIGKILL)
    (HERE / "client").touch()
    birth(self)

Mine.__init__ = born
"""


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """A folder for temporary files, of this process and of its children."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


@pytest.fixture
def suite(tmp_path):
    """Forty documents in two files, written."""
    return ClusterSuite(tmp_path).write()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """One worker that was not started by us."""
    with external_cluster(tmp_path_factory.mktemp("cluster"), workers=1) as made:
        yield made


def refused(address, security):
    """Return whether whoever connects to an address is turned away."""

    async def knock():
        comm = await distributed.core.connect(
            address, timeout=5, deserialize=False, **security.get_connection_args("client")
        )
        comm.abort()

    try:
        asyncio.run(knock())
    except OSError:
        return True
    return False


def pages(port):
    """Return the status of each page of a server of this machine."""
    found = []
    for path in ("/", "/health", "/metrics", "/json/counts.json", "/info/main/workers.html"):
        with pytest.raises(urllib.error.HTTPError) as answer:
            urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5)
        found.append(answer.value.code)
        answer.value.close()
    return set(found)


def test_workers_of_this_machine_are_nobody_elses(temporary):
    """Neither scheduler, worker nor nanny takes a client without the certificate; their HTTP has no page.

    A port 8787 that is taken is no matter, and no warning: here, warnings are errors.
    """
    with ExitStack() as undone:
        taken = undone.enter_context(socket.socket())
        with suppress(OSError):  # taken by somebody else: as good
            taken.bind(("127.0.0.1", 8787))
            taken.listen()
        cluster = local.local_cluster(1, undone)
        undone.callback(cluster.close)
        with distributed.Client(cluster, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=60)
            ((worker, facts),) = client.scheduler_info()["workers"].items()
            assert client.run(os.getpid) != {worker: os.getpid()}
        for address in (cluster.scheduler_address, worker, facts["nanny"]):
            assert address.startswith("tls://127.0.0.1:")
            assert refused(address.replace("tls://", "tcp://"), distributed.Security())
            assert refused(address, distributed.Security.temporary())
            assert not refused(address, cluster.security)
        ports = cluster.scheduler.http_server.port, facts["services"]["dashboard"]
        assert 8787 not in ports
        assert [pages(port) for port in ports] == [{404}, {404}]
    assert list(temporary.iterdir()) == []


def test_without_certificates_nothing_starts(monkeypatch):
    """The library that makes them is named by its extra."""

    def missing():
        raise ImportError

    monkeypatch.setattr(distributed.Security, "temporary", missing)
    with ExitStack() as undone, pytest.raises(Fault, match=r"install pytest-pii-eval\[cluster\]"):
        local.local_cluster(1, undone)


def test_a_worker_of_this_machine_that_dies_is_replaced(suite, monkeypatch):
    """A poisonous batch under `local:1` costs its two documents alone."""
    monkeypatch.chdir(suite.root)
    suite.records[23]["document"]["text"] += " poison"
    suite.write()
    (suite.root / "deadly").touch()
    monkeypatch.setenv("PYTHONPATH", str(suite.root))
    run = ClusterRun(Wish("suite", suite.settings(detector=suite.detector), "local:1", 600, quiet=True))
    report = run.report()
    assert run.lost == ["suite/quality-records-0002.jsonl:4 (2 documents: every worker died)"]
    counts = report.slices["all"].counts
    assert (counts["documents"], counts["failed_documents"]) == (40, 2)


def test_a_detector_that_never_starts_is_given_up(suite, cluster):
    """Three batches that end every worker, from the first on, are enough."""
    suite.module.write_text(suite.module.read_text(encoding="utf-8") + FATAL, encoding="utf-8")
    wish = Wish("suite", suite.settings(detector=suite.detector), cluster.scheduler_address, 900, quiet=True)
    with pytest.raises(Fault) as found:
        ClusterRun(wish).report()
    expected = "--cluster: the first 3 batches ended every worker; does the detector start there?"
    assert str(found.value) == expected


def test_a_worker_of_other_code_is_named(suite, cluster, monkeypatch):
    """Before the first batch, by its address."""
    monkeypatch.setattr(dask_worker, "package_version", lambda: "0")
    wish = Wish("suite", suite.settings(), cluster.scheduler_address, quiet=True)
    with pytest.raises(Fault) as found:
        ClusterRun(wish).report()
    assert found.match(
        r"^--cluster: the worker tcp://127.0.0.1:\d+ has other code than this machine; install"
    )


def test_a_worker_of_other_code_that_joins_later_is_named():
    """It does not read the recipe, and tells each batch why."""
    plugin = dask_worker.BenchPlugin("pii-eval-1", dask_worker.Code("0", "sha256:0"), b"no recipe")
    plugin.setup(SimpleNamespace(address="tcp://late:1"))
    fault = plugin.done(Task.RECORDS, Batch(0, 0, 0, 1)).fault("", 0)
    expected = (
        "--cluster: the worker tcp://late:1 has other code than this machine; install there what is here"
    )
    assert str(fault) == expected
    plugin.teardown(None)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (
            TypeError,
            "--cluster: a worker has other code than this machine; install there what is here (TypeError)",
        ),
        (OSError, "--cluster: the cluster was lost (OSError); run again"),
        (asyncio.CancelledError, "--cluster: the cluster was lost (CancelledError); run again"),
    ],
)
def test_what_ends_a_cluster_is_one_line(error, expected):
    """A result of another shape is no loss; no word of an exception is told."""
    with pytest.raises(Fault) as found, reached():
        raise error("Zephyrine Quartzmore")
    assert str(found.value) == expected


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (
            "tls://127.0.0.1:1",
            "--cluster: certificates are missing; set distributed.comm.tls in dask's configuration",
        ),
        ("ucx://1:1", "--cluster: the scheduler cannot be reached ("),
        ("{}", "--cluster: the file is none that a scheduler wrote (dask scheduler --scheduler-file FILE)"),
        (
            "Zephyrine",
            "--cluster: the file is none that a scheduler wrote (dask scheduler --scheduler-file FILE)",
        ),
    ],
)
def test_a_scheduler_that_is_none_is_one_line(address, expected, tmp_path):
    """An address that nothing can be made of, and a scheduler's file that is none."""
    target = address
    if "://" not in address:
        (tmp_path / "scheduler.json").write_text(address, encoding="utf-8")
        target = str(tmp_path / "scheduler.json")
    with pytest.raises(Fault) as found:
        client_of(target)
    assert str(found.value).startswith(expected)
    assert not told(str(found.value))


def test_loggers_with_a_level_of_their_own_are_quiet(monkeypatch):
    """Dask sets one for its client, which would print how a scheduler was lost."""
    for name in ("distributed", "distributed.client", "tornado.application", "asyncio"):
        monkeypatch.setattr(logging.getLogger(name), "level", logging.WARNING)
        logging.getLogger(name).manager._clear_cache()  # what a level was, is kept there
    quiet()
    assert not logging.getLogger("distributed.client").isEnabledFor(logging.CRITICAL)
