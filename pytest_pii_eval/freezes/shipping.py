"""The ship verdict of a sealed run, part by part, from its report; no files, no clock, no softer mode."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from pytest_pii_eval.freezes.floor_verdicts import floor_reasons
from pytest_pii_eval.reports.model import RuleReport

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_pii_eval.contracts.floors_file import FloorsFile
    from pytest_pii_eval.freezes.ledger_model import Binding
    from pytest_pii_eval.reports.model import MetricReport, Report, SliceReport

MAX_REASONS: Final = 50
"""Reasons that a part lists; of more it says how many they are."""

_PROMOTING: Final = frozenset({"sealed_freeze", "public"})
"""The sets whose promotion gates decide; nobody may tune on them."""

_NONE_OF_THIS: Final = "no_high_severity_gold"
_LEAKAGE: Final = {
    "protection_high_severity_leaking_documents": "documents with high-severity gold leak",
    "protection_high_severity_leaks": "high-severity spans leak",
}


def ship_parts(
    report: Report,
    bound: Binding,
    *,
    plan: Sequence[str],
    floors: FloorsFile,
    freezes: str,
    failures: int = 0,
) -> dict[str, RuleReport]:
    """Return every part of the ship verdict; a promotion ships where all of them pass.

    `plan` names the rules about freezes that had to run, `floors` is the file that the run was bound to,
    `freezes` the fingerprint of the freezes file at the end of the run; of the session, `failures` tests and
    collections failed, ours or not. What cannot be told from the report fails. Reasons hold ids, codes and
    numbers only.
    """
    sealed = {name: one for name, one in report.slices.items() if one.role == "sealed_freeze"}
    parts = {
        "leakage": _part(_leakage(sealed)),
        "floors": _part(floor_reasons(report, floors, sealed)),
        "contamination": _part(_contamination(report, plan)),
        "complete": _part(_incomplete(report)),
        "domain": _part(_domain(report)),
        "evidence": _part(f"the run is no evaluation: {note}" for note in report.evidence_notes),
        "scorer": _part(_scorer(report, bound)),
        "bound": _part(chain(_unbound(report, bound, floors), _edited(bound, freezes))),
    }
    if failures and all(part.verdict == "pass" for part in parts.values()):
        parts["complete"] = _part(iter([f"{failures:,} tests or collections of the run failed"]))
    return parts


def _part(reasons: Iterator[str]) -> RuleReport:
    found = list(reasons)
    more = len(found) - MAX_REASONS
    listed = [*found[:MAX_REASONS], f"and {more:,} more"] if more > 0 else found
    return RuleReport(verdict="fail" if found else "pass", reasons=listed)


def _leakage(sealed: Mapping[str, SliceReport]) -> Iterator[str]:
    """Say where protection output leaks a high-severity span, or where it cannot be told that none does."""
    if not sealed:
        yield "no slice of a sealed freeze was reported"
        return
    for name, one in sealed.items():
        for metric, words in _LEAKAGE.items():
            reason = _leaks(one.metrics.get(metric), words)
            if reason is not None:
                yield f"slice {name}: {reason}"
        if one.counts.get("failed_documents", 0):
            yield f"slice {name}: {one.counts['failed_documents']:,} documents have no answer"
    if not any(_is_measured(one) for one in sealed.values()):
        yield "no sealed slice holds high-severity gold, so nothing was shown about its leakage"


def _leaks(metric: MetricReport | None, words: str) -> str | None:
    if metric is None:
        return "high-severity leakage of protection output was not measured"
    if metric.value is None:
        if metric.reason == _NONE_OF_THIS:
            return None
        return f"high-severity leakage of protection output cannot be told ({metric.reason})"
    if metric.numerator is None:
        return "high-severity leakage of protection output has no count"
    if metric.value or metric.numerator:
        return f"{metric.numerator} of {metric.support:,} {words} from protection output; 0 may"
    return None


def _is_measured(one: SliceReport) -> bool:
    found = [one.metrics.get(metric) for metric in _LEAKAGE]
    return all(metric is not None and metric.value is not None and metric.support for metric in found)


def _contamination(report: Report, plan: Sequence[str]) -> Iterator[str]:
    if not plan:
        yield "no rule about freezes was planned"
    for rule in dict.fromkeys([*plan, *sorted(report.freeze_rules)]):
        found = report.freeze_rules.get(rule)
        if found is None:
            yield f"{rule} did not run"
        elif found.verdict != "pass":
            yield f"{rule}: {found.verdict}"


def _incomplete(report: Report) -> Iterator[str]:
    selection = report.selection
    missing = max(report.missing_count, len(report.missing))
    held = (
        (report.complete, "the run is not complete"),
        (report.consistent, "processes disagree about suite or subject"),
        (selection.whole, "a part of the suite was selected"),
        (selection.limit is None, "the run was limited to the first documents of each suite"),
        (not missing, f"{missing:,} items have no verdict"),
        (not report.crashed, f"the worker of {len(report.crashed):,} items crashed"),
    )
    reasons = [reason for holds, reason in held if not holds]
    if report.passed is not True and not reasons and not _is_explained(report):
        reasons.append("the run did not pass, and no gate says why: an item failed, or nothing was evaluated")
    yield from reasons


def _is_explained(report: Report) -> bool:
    """Whether another part says already why the run did not pass."""
    gates = [*report.gates, *report.run.gates]
    return any(gate.verdict == "fail" for gate in gates) or any(
        rule.verdict == "fail" for rule in report.freeze_rules.values()
    )


def _domain(report: Report) -> Iterator[str]:
    """Say why the gates of the promotion could owe their verdict to what the detector trained on.

    A dev freeze, a unit suite or one of no role is out of domain for nobody: it was there to tune on.
    """
    gating = {
        name: one
        for name, one in report.slices.items()
        if one.promotion_gate and one.evaluated and one.role in _PROMOTING
    }
    if not any(one.role == "sealed_freeze" for one in gating.values()):
        yield "no evaluated slice of the sealed freeze is a promotion gate"
    if not gating or any(one.in_domain is False for one in gating.values()):
        return
    if all(one.in_domain for one in gating.values()):
        yield "only in-domain slices gate this promotion; add one that the detector's card does not list"
        return
    for name, one in gating.items():
        if one.in_domain is None:
            yield (
                f"slice {name}: nobody can tell whether it is in-domain; give the detector a card in the"
                " freezes file, and the suite a provenance file"
            )


def _scorer(report: Report, bound: Binding) -> Iterator[str]:
    scorer = report.scorer
    if scorer.git_revision is None:
        yield "the git revision of the scorer is unknown; install it from a git checkout, or a wheel of one"
    elif scorer.git_revision != bound.scorer:
        yield "the git revision of the scorer is not the one that the run was bound to"
    if scorer.git_dirty is not False:
        yield "the scorer is not shown to be what its git revision says; install it from a clean checkout"
    if scorer.source_sha256 != bound.scorer_source:
        yield "the source of the scorer is not the one that the run was bound to"


def _unbound(report: Report, bound: Binding, floors: FloorsFile) -> Iterator[str]:
    if report.subject.fingerprint != bound.detector:
        yield "the detector's fingerprint is not the one that the run was bound to"
    if report.subject.replayed:
        yield "predictions were replayed; a promotion needs the answers of the detector itself"
    if floors.fingerprint != bound.floors:
        yield "the floors are not those that the run was bound to"


def _edited(bound: Binding, freezes: str) -> Iterator[str]:
    if freezes != bound.freezes:
        yield "the freezes file changed while the run went on"
