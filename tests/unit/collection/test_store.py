"""The store of finished shards: computed once by whoever comes first, taken over from the dead, private."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading

import pytest

from pytest_pii_eval.collection.quality.shard_evidence import ShardEvidence, SlicePart
from pytest_pii_eval.collection.quality.store import MemoryStore, SharedStore
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.scoring.evidence import Evidence, SliceCounts

fcntl = pytest.importorskip("fcntl")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="locks and signals are those of POSIX")

# Says that it holds the lock, then waits to be told (or killed); notes that it computed.
_HOLDER = """
import os, pathlib, sys
from pytest_pii_eval.collection.quality.store import SharedStore

folder = pathlib.Path(sys.argv[1])

def compute():
    with open(folder.parent / "computed", "a") as log:
        log.write("x")
    print("holding", flush=True)
    sys.stdin.readline()
    return "from the first"

print(SharedStore(folder).result("key", compute), flush=True)
"""


@pytest.fixture
def holder(tmp_path):
    """A process that is computing a shard under its lock."""
    with subprocess.Popen(
        [sys.executable, "-c", _HOLDER, str(tmp_path / "shared")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "holding\n"
        yield process
        process.kill()


def waiting(store, results, compute):
    """Start a thread that wants the shard, and return it; flock keeps it apart from the other process."""
    thread = threading.Thread(target=lambda: results.append(store.result("key", compute)), daemon=True)
    thread.start()
    return thread


def evidence_of(slice_id, *, documents):
    """Return the evidence of a shard with documents of one slice."""
    part = SlicePart(Evidence(SliceCounts(documents=documents)))
    return ShardEvidence({slice_id: part}, {"documents": documents})


def unwanted():
    """Fail where nothing may be computed."""
    pytest.fail("computed a second time")


def test_a_process_computes_once():
    """In memory the second call gets what the first stored, and never computes."""
    store = MemoryStore()
    one, two = evidence_of("a", documents=3), evidence_of("a", documents=4)
    assert store.account("key", lambda: one) == {"documents": 3}
    assert store.account("key", unwanted) == {"documents": 3}
    assert store.account("other", lambda: two) == {"documents": 4}


@pytest.mark.parametrize("kind", ["memory", "shared"])
def test_a_slice_is_the_sum_of_its_shards(tmp_path, kind):
    """Shards asked before count once, those that were not are asked now; slices of others stay out."""
    store = MemoryStore() if kind == "memory" else SharedStore(tmp_path / "shared")
    one, two = evidence_of("a", documents=3), evidence_of("a", documents=4)
    other = evidence_of("b", documents=5)
    store.account("one", lambda: one)
    store.account("third", lambda: other)
    keyed = [("one", unwanted), ("two", lambda: two)]
    assert store.total("a", keyed).evidence.counts.documents == 7
    assert store.total("a", keyed).evidence.counts.documents == 7
    assert store.total("b", [("third", unwanted)]).evidence.counts.documents == 5


def test_two_processes_that_race_compute_once(tmp_path, holder):
    """Who comes second waits, and gets the evidence of the first without computing."""
    results: list[str] = []
    thread = waiting(SharedStore(tmp_path / "shared"), results, unwanted)
    with (tmp_path / "shared" / "key.lock").open() as lock, pytest.raises(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # held for as long as the first one computes
    assert results == []
    holder.stdin.write("\n")
    holder.stdin.flush()
    thread.join(30)
    assert results == ["from the first"]
    assert holder.stdout.readline() == "from the first\n"
    assert (tmp_path / "computed").read_text() == "x"


def test_a_dead_holder_is_taken_over(tmp_path, holder):
    """The lock of a process that was killed is free; the next one computes anew, nothing half is read."""
    results: list[str] = []
    thread = waiting(SharedStore(tmp_path / "shared"), results, lambda: "from the second")
    (tmp_path / "shared" / "key.partial").write_text("half of", encoding="utf-8")
    os.kill(holder.pid, signal.SIGKILL)
    thread.join(30)
    assert results == ["from the second"]
    assert SharedStore(tmp_path / "shared").result("key", unwanted) == "from the second"


def test_a_failed_computation_is_not_stored(tmp_path):
    """What raises leaves the lock free and nothing behind; the next one computes."""
    store = SharedStore(tmp_path / "shared")

    def fails():
        raise LookupError("no")

    with pytest.raises(LookupError):
        store.result("key", fails)
    assert store.result("key", lambda: "at last") == "at last"
    assert sorted(path.name for path in (tmp_path / "shared").iterdir()) == ["key.json", "key.lock"]


def test_other_shards_are_not_locked(tmp_path, holder):
    """A lock is one shard's: others go on while it is held."""
    assert SharedStore(tmp_path / "shared").result("other", lambda: "free") == "free"
    assert holder.poll() is None


def test_the_directory_is_private_and_made_on_use(tmp_path):
    """Nothing is made before the first shard; then it has mode 0700, and its locks 0600."""
    folder = tmp_path / "shared"
    store = SharedStore(folder)
    assert not folder.exists()
    before = os.umask(0)
    try:
        store.result("key", lambda: "text")
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "key.lock").stat().st_mode) == 0o600


@pytest.mark.parametrize("what", ["link", "file"])
def test_something_else_in_its_place_is_refused(tmp_path, what):
    """A symlink or a file that lies where the directory shall be is not written to."""
    folder = tmp_path / "shared"
    if what == "link":
        (tmp_path / "elsewhere").mkdir()
        folder.symlink_to(tmp_path / "elsewhere")
    else:
        folder.write_text("")
    with pytest.raises((Fault, FileExistsError)):
        SharedStore(folder).result("key", lambda: "text")
    assert not list((tmp_path / "elsewhere").glob("*"))
