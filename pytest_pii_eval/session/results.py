"""What the controller heard: planned items, the last word about each, and the facts of the suite."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pytest_pii_eval.scoring.case_groups import is_cut_off

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import pytest

_PHASES = frozenset({"setup", "call", "teardown"})


class Results:
    """Planned node ids, outcome and evidence of each as last reported, facts as first reported.

    `kept` is where the processes of the run keep what became of documents, once the run has ended.
    """

    def __init__(self) -> None:
        self.planned: dict[str, None] = {}
        self.outcomes: dict[str, str] = {}
        self.evidence: dict[str, str] = {}
        self.quality: dict[str, str] = {}
        self.crashed: set[str] = set()
        self.facts: dict[str, Any] | None = None
        self.facts_disagree = False
        self.kept: Path | None = None
        self._facts_text: str | None = None

    def plan(self, nodeids: Iterable[str]) -> None:
        """Add node ids that shall run; every xdist worker names the same ones."""
        self.planned.update(dict.fromkeys(nodeids))

    def take(self, report: pytest.TestReport) -> None:
        """Take one report of one of our items; the last report of an id wins."""
        self._take_facts(getattr(report, "pii_facts", None))
        nodeid = report.nodeid
        if nodeid not in self.planned:
            return
        if report.when == "setup":  # another attempt: what an earlier one left does not count
            self.evidence.pop(nodeid, None)
            self.quality.pop(nodeid, None)
        evidence = getattr(report, "pii_evidence", None)
        if evidence is not None:
            self.evidence[nodeid] = evidence
        quality = getattr(report, "pii_quality", None)
        if quality is not None:
            self.quality[nodeid] = quality
        if report.when not in _PHASES:  # xdist's report of a worker that died in this item
            self.crashed.add(nodeid)
            self.outcomes[nodeid] = "crashed"
        elif report.when == "call" or report.outcome != "passed":
            self.crashed.discard(nodeid)
            self.outcomes[nodeid] = report.outcome

    def missing(self) -> list[str]:
        """Return the planned node ids without a verdict, in plan order: never heard of, skipped, cut off."""
        return [
            nodeid
            for nodeid in self.planned
            if is_cut_off(self.evidence.get(nodeid, ""))
            or (self.outcomes.get(nodeid, "skipped") == "skipped" and nodeid not in self.evidence)
        ]

    def _take_facts(self, text: str | None) -> None:
        if text is None or text == self._facts_text:
            return
        if self._facts_text is not None:
            self.facts_disagree = True
            return
        self._facts_text = text
        self.facts = json.loads(text)
