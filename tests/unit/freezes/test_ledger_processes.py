"""Real processes and the ledger: two that race, and one that is killed at every stage of a write."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from ledger_values import NOON, begun, bound, chain

from pytest_pii_eval.freezes.held_ledger import held_ledger
from pytest_pii_eval.freezes.ledger import read_ledger

HERE = Path(__file__).parent
RUN = '''
"""One sealed run without documents: argv is the ledger, the promotion, and where to die."""
import os, signal, sys
from pathlib import Path

sys.path.insert(0, os.environ["BUILDERS"])
from ledger_values import NOON, REPORT, bound
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.held_ledger import held_ledger

path, promotion, stage = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
events = []

def dying(name):
    real = getattr(os, name)
    def call(*arguments, **named):
        events.append(name)
        if stage == f"{name}-{events.count(name)}":
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*arguments, **named)
    return call

os.fsync, os.replace = dying("fsync"), dying("replace")
print("ready", flush=True)
sys.stdin.readline()
try:
    with held_ledger(path) as held:
        held.start(promotion, bound(), reason=None, now=NOON)
        print("started", flush=True)
        if stage == "orphan":
            told, tells = os.pipe()
            if not os.fork():
                os.write(tells, b"x")  # the child is its own process by now
                sys.stdin.read()
                os._exit(0)
            os.read(told, 1)
            os.kill(os.getpid(), signal.SIGKILL)
        sys.stdin.read()
        held.finish("ship", REPORT, now=NOON)
        if stage == "after":
            os.kill(os.getpid(), signal.SIGKILL)
except Fault as fault:
    print(fault, flush=True)
'''


@pytest.fixture
def path(tmp_path):
    """The place of a ledger, in a folder that is there."""
    return tmp_path / "ledger.jsonl"


def run(path, promotion, stage):
    """Start a run, and return it once it is ready to take the ledger."""
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, str(path), promotion, stage],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "BUILDERS": str(HERE), "PYTHONWARNINGS": "error"},
    )
    assert process.stdout.readline() == "ready\n"
    return process


def test_of_two_that_race_one_starts(path):
    """Two processes take the ledger at once: one starts, the other is told so and leaves nothing."""
    both = [run(path, name, "none") for name in ("rc-1", "rc-2")]
    for one in both:
        one.stdin.write("\n")
        one.stdin.flush()
    answers = [one.stdout.readline() for one in both]
    for one in both:
        one.communicate()
    winner = answers.index("started\n")
    assert sorted(answers) == [
        "ledger.jsonl: another sealed run is going on; wait until it has ended\n",
        "started\n",
    ]
    assert list(read_ledger(path).promotions) == [("rc-1", "rc-2")[winner]]


@pytest.mark.parametrize(
    ("stage", "states"),
    [
        pytest.param("fsync-1", [], id="start written and not in place"),
        pytest.param("replace-1", [], id="start about to be put in place"),
        pytest.param("fsync-2", ["interrupted"], id="start in place and the folder not synced"),
        pytest.param("fsync-3", ["interrupted"], id="end written and not in place"),
        pytest.param("replace-2", ["interrupted"], id="end about to be put in place"),
        pytest.param("fsync-4", ["ship"], id="end in place and the folder not synced"),
        pytest.param("after", ["ship"], id="everything written"),
    ],
)
def test_killed_run_leaves_a_ledger_that_tells_the_truth(path, stage, states):
    """Wherever the run is killed, the ledger reads, says what became of it, and is free for the next."""
    process = run(path, "rc-1", stage)
    process.communicate("\n")
    assert process.returncode == -signal.SIGKILL
    assert [one.state for one in read_ledger(path).promotions.values()] == states
    with held_ledger(path) as held:
        held.start("rc-2", bound(), reason="killed" if "interrupted" in states else None, now=NOON)
    assert [one.name for one in path.parent.iterdir()] == ["ledger.jsonl"]


def test_child_does_not_keep_the_lock(path):
    """A forked child that outlives its killed run does not keep the next one from starting."""
    process = run(path, "rc-1", "orphan")
    process.stdin.write("\n")
    process.stdin.flush()
    assert process.wait() == -signal.SIGKILL
    with held_ledger(path) as held:
        assert held.ledger.payload == chain(begun())
    process.communicate()  # its end of input ends the child
