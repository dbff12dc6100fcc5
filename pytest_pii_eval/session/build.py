"""Building the report from what the controller heard."""

from __future__ import annotations

import platform
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pii_eval.freezes.evidence_notes import evidence_notes
from pytest_pii_eval.reports.model import Report, Run, Scorer, Selection, Subject
from pytest_pii_eval.reports.provenance import git_revision, package_version, source_sha256
from pytest_pii_eval.session.conformance import aggregate, gates, tally
from pytest_pii_eval.session.fingerprints import EMPTY, fingerprints
from pytest_pii_eval.session.latency import with_latency
from pytest_pii_eval.session.quality import lost_items, quality_of, skipped_by_plan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pii_eval.reports.model import Gate
    from pytest_pii_eval.session.quality import Quality
    from pytest_pii_eval.session.results import Results

_MAX_LISTED = 1_000


def build_report(results: Results, run: Run, *, max_p95_ms: str | None = None) -> Report:
    """Return the report of everything heard so far; `max_p95_ms` is the limit of this host's gate."""
    facts = results.facts or {}
    quality = quality_of(results)
    declared = skipped_by_plan(facts).union(quality.unsupported, quality.rules)
    missing = [
        nodeid
        for nodeid in results.missing()
        if nodeid not in results.outcomes or _name(nodeid) not in declared
    ]
    missing.extend(lost_items(results))
    complete = not (missing or results.crashed or results.facts_disagree) and results.facts is not None
    complete = complete and not facts.get("broken_files")
    complete = complete and not (quality.failed_documents or quality.over_limit)
    whole = bool(facts.get("whole"))
    conformance = aggregate(results, tally(results), complete=complete) if facts.get("cases") else None
    verdict = conformance.passed if conformance else _slices_passed(facts, quality, whole=whole)
    run = with_latency(run, quality.latency, max_p95_ms)
    report = Report(
        complete=complete,
        consistent=not results.facts_disagree,
        missing=sorted(_name(nodeid) for nodeid in missing)[:_MAX_LISTED],
        missing_count=len(missing),
        crashed=sorted(_name(nodeid) for nodeid in results.crashed),
        selection=_selection(results, whole=whole),
        scorer=_scorer(),
        subject=_subject(results),
        taxonomy=(facts.get("quality") or {}).get("taxonomy_version"),
        conformance=conformance,
        slices=quality.slices,
        unsupported_slices=quality.unsupported,
        gates=[*(gates(conformance, whole=whole) if conformance else ()), *quality.gates],
        fingerprints=fingerprints(facts, quality),
        passed=_passed(results, [*quality.gates, *run.gates], verdict if complete or not verdict else False),
        freeze_rules=quality.rules,
        run=run,
    )
    return report.model_copy(update={"evidence_notes": _notes(report, facts, quality)})


def _notes(report: Report, facts: Mapping[str, Any], quality: Quality) -> list[str]:
    """Return what keeps the run from being an evaluation; that of a sealed freeze has to be one by itself."""
    plan = facts.get("quality") or {}
    minimum, name_types = plan.get("minimum_documents", 0), plan.get("name_types", ())
    documents = quality.documents
    sealed = {name: one for name, one in report.slices.items() if one.role == "sealed_freeze"}
    if sealed:
        report = report.model_copy(update={"slices": sealed})
        # No sum: slices overlap, and one that gates a promotion holds every document of its role and view.
        documents = max(one.counts["documents"] for one in sealed.values())
    return evidence_notes(report, documents=documents, minimum=minimum, name_types=name_types)


def run_facts(started: float, *, processes: int = 1) -> Run:
    """Return when, where and how long this run was; nothing that names a machine or a person."""
    return Run(
        started=datetime.fromtimestamp(started, tz=UTC).isoformat(timespec="seconds"),
        seconds=round(time.time() - started, 3),
        python=platform.python_version(),
        platform=sys.platform,
        pytest=pytest.__version__,
        processes=processes,
    )


def _passed(results: Results, judged: list[Gate], verdict: bool | None) -> bool | None:  # noqa: FBT001  # a verdict
    """A failed support item or gate fails the report too, whatever the aggregate says."""
    if any(gate.verdict == "fail" for gate in judged) or any(
        outcome in {"failed", "crashed"} for outcome in results.outcomes.values()
    ):
        return False
    return verdict


def _slices_passed(facts: Mapping[str, Any], quality: Quality, *, whole: bool) -> bool | None:
    """Without a slice that was evaluated nothing was shown, so a whole run of none does not pass.

    A run of the rules about freezes alone shows nothing about a detector, and says so by having no verdict.
    """
    if facts.get("rules") and not facts.get("quality"):
        return None
    return any(one.evaluated for one in quality.slices.values()) if whole else None


def _selection(results: Results, *, whole: bool) -> Selection:
    facts = results.facts or {}
    planned = facts.get("planned", {})
    selected = planned.get("positive", 0) + planned.get("negative", 0)
    limit = (facts.get("quality") or {}).get("limit")
    return Selection(
        whole=whole,
        collected=facts.get("rows", selected),
        selected=selected,
        limit=limit,
        every_item=bool(facts.get("every_item", whole)),
    )


def _scorer() -> Scorer:
    revision, dirty = git_revision()
    return Scorer(
        version=package_version(), source_sha256=source_sha256(), git_revision=revision, git_dirty=dirty
    )


def _subject(results: Results) -> Subject:
    unknown = {"kind": "bank", "name": "unknown", "version": "unknown", "libraries": {}, "fingerprint": EMPTY}
    return Subject(**(results.facts or {}).get("subject", unknown))


def _name(nodeid: str) -> str:
    return nodeid.rpartition("::")[2]
