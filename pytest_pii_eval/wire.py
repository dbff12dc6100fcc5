"""How the report of a passed case travels from an xdist worker to the controller: one short string.

xdist sends every report as a tree of a dozen values, and packs and unpacks each in Python. A passed case
needs none but its line, duration and evidence: the controller knows node ids by item index.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

ALL_PHASES = "pii_eval_all_phases"
CONTROLLER = "pii_eval_controller"
PROBLEM = "pii_eval_problem"
SEALED = "pii_eval_sealed"

RUN_ID: pytest.StashKey[str] = pytest.StashKey()
"""The id of a run in one process, where that has a directory as the workers of one share."""

OUTCOMES = ".outcomes"
"""How the files in that directory end that say what became of the documents of a shard; no text."""

_TYPE = "PiiCase"


def tell_problem(config: pytest.Config, problem: str) -> None:
    """Bring a line without text to the controller, from a worker or in the only process."""
    output: dict[str, Any] | None = getattr(config, "workeroutput", None)
    if output is not None:
        output[PROBLEM] = problem
        return
    controller = config.pluginmanager.get_plugin(CONTROLLER)
    if controller is not None:
        controller.complain(problem)
    else:  # no item of ours ran: only a fixture asked for the subject
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.write_line(f"pii-eval: {problem}", red=True)


def run_directory(run_id: str) -> Path:
    """Return where the processes of one run keep what they found; only its owner can enter it.

    The first process that needs it makes it, the controller removes it. The id is xdist's random one, or in
    a run of one process that keeps anything, a random one of ours.
    """
    return Path(tempfile.gettempdir()) / f"pii-eval-{run_id}"


def pack(report: pytest.TestReport) -> dict[str, Any] | None:
    """Return what travels for `report`, or None where it must travel whole."""
    evidence = getattr(report, "pii_evidence", None)
    if evidence is None or report.outcome != "passed" or report.sections or hasattr(report, "pii_facts"):
        return None
    kind = report.location[2].partition(" ")[0]
    return {"$report_type": _TYPE, "case": f"{report.location[1]} {report.duration:.6f} {kind} {evidence}"}


def unpack(data: dict[str, Any], nodeids: Sequence[str]) -> pytest.TestReport | None:
    """Return the report that `pack` packed, or None where `data` is none of ours."""
    if data.get("$report_type") != _TYPE:
        return None
    nodeid = nodeids[data["item_index"]]
    line, seconds, kind, evidence = data["case"].split(" ", 3)
    file, _, name = nodeid.rpartition("::")
    report = pytest.TestReport(
        nodeid,
        (file, int(line), f"{kind} {name}"),
        {},
        "passed",
        None,
        "call",
        duration=float(seconds),
        pii_evidence=evidence,
    )
    # What xdist and the plugins on the controller look for on a report that came from a worker.
    report.__dict__.update({name: data[name] for name in ("item_index", "worker_id", "testrun_uid")})
    return report
