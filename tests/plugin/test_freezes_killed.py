"""Killing a sealed run at every stage: the ledger verifies, and says what happened."""

from __future__ import annotations

import signal

import pytest

# Each stage is a function of the run that is killed on its way in, or out, at its first or second call.
KILL = """
import importlib, os, signal


def killed(module, holder, name, *, call, before):
    owner = importlib.import_module(module)
    owner = getattr(owner, holder) if holder else owner
    original = getattr(owner, name)
    calls = []

    def wrapped(*arguments, **fields):
        calls.append(None)
        if before and len(calls) == call:
            os.kill(os.getpid(), signal.SIGKILL)
        result = original(*arguments, **fields)
        if not before and len(calls) == call:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(owner, name, wrapped)


killed({module!r}, {holder!r}, {name!r}, call={call}, before={before})
"""
DISK = ("pytest_pii_eval.freezes.ledger_disk", "LockedFolder")
STAGES = {
    "before the line is in place": ((*DISK, "put_in_place", 1, True), []),
    "with the line in place": ((*DISK, "put_in_place", 1, False), ["started"]),
    "before a document is read": (
        ("pytest_pii_eval.sealing.run", None, "check_freeze", 1, True),
        ["started"],
    ),
    "with every document read": (
        ("pytest_pii_eval.sealing.run", None, "ship_parts", 1, True),
        ["started"],
    ),
    "before the report is written": (
        ("pytest_pii_eval.sealing.run", None, "write_atomically", 1, True),
        ["started"],
    ),
    "with the report written": (
        ("pytest_pii_eval.sealing.run", None, "write_atomically", 1, False),
        ["started"],
    ),
    "before the end is in place": ((*DISK, "put_in_place", 2, True), ["started"]),
    "with the end in place": ((*DISK, "put_in_place", 2, False), ["started", "finished"]),
}


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.replace(" ", "-"))
def test_a_killed_run_leaves_a_ledger_that_tells_the_truth(project, stage):
    """The lines are those of what was done, they verify, and the next run goes on from there."""
    (module, holder, name, call, before), events = STAGES[stage]
    patch = KILL.format(module=module, holder=holder, name=name, call=call, before=before)
    (project.path / "killing.py").write_text(patch)
    project.commit("Kill it")
    killed = project.run_sealed("rc-1", "-p", "killing")
    assert killed.returncode == -signal.SIGKILL
    assert [event for _, event, _ in project.events()] == events
    told = project.command("freeze", "verify-ledger")
    assert ("rc-1: interrupted" in told) == (events == ["started"])
    assert ("rc-1: ship" in told) == (events == ["started", "finished"])
    assert killed.leaks() == []


def test_an_interrupted_run_needs_another_id_and_a_reason(project, processes):
    """After a run that was interrupted in a document, its id is spent, and the next one says why it runs."""
    finder = (project.path / "finder.py").read_text()
    stop = finder.replace("        spans = [", "        raise KeyboardInterrupt\n        spans = [")
    (project.path / "finder.py").write_text(stop)
    project.commit("Stop")
    interrupted = project.run_sealed("rc-1", *processes)
    assert interrupted.returncode != 0
    assert project.events() == [("rc-1", "started", None), ("rc-1", "interrupted", None)]
    (project.path / "finder.py").write_text(finder)
    project.commit("Go on")
    assert project.run_sealed("rc-1", *processes).returncode == 4
    assert project.run_sealed("rc-2", *processes).returncode == 4
    assert project.run_sealed("rc-2", "--pii-sealed-reason=stopped", *processes).returncode == 0
    assert project.ledger()[2]["after"] == "rc-1"
    assert interrupted.leaks() == []
