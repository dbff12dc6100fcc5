"""Why a run fails, what a pass was about, and what nobody judged: sentences for the box of the verdict."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pytest_pii_eval.reports.comparing.severity import about_leaks
from pytest_pii_eval.reports.comparing.text import regressions_text
from pytest_pii_eval.reports.html.caveats import LISTED, incomplete_sentence
from pytest_pii_eval.reports.html.metric_names import shown
from pytest_pii_eval.reports.html.values import sentence
from pytest_pii_eval.reports.words import baseline_failure, inert, many

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.reports.comparing.model import Comparison
    from pytest_pii_eval.reports.model import Gate, Report

_LABELS = 5
_FAULTS = 3


def all_gates(report: Report) -> list[Gate]:
    """Return the gates of slices and of the whole run."""
    return [*report.gates, *report.run.gates]


def failed_gates(report: Report) -> list[Gate]:
    """Return the gates that fail, and those of a whole run that could not be judged."""
    return [gate for gate in all_gates(report) if gate.verdict == "fail" or _unproven(gate, report)]


def _unproven(gate: Gate, report: Report) -> bool:
    return (
        report.passed is False
        and gate.verdict == "not_evaluated"
        and gate.slice is None
        and gate.reason != "open"
        and report.selection.whole
    )


def baseline_reasons(comparison: Comparison | None) -> Iterator[str]:
    """Say what the baseline adds to the verdict: regressions, or that nothing was compared, and why."""
    if comparison is None:
        return
    if comparison.is_narrowed:
        yield "Not compared with the baseline: this run was narrowed on purpose."
    elif comparison.passed is None:
        yield f"The run could not be compared with the baseline: {_faults(comparison)}."
    elif baseline_failure(comparison) is not None:
        yield f"{regressions_text(comparison)} against the baseline."


def _faults(comparison: Comparison) -> str:
    faults = [sentence(one.words).rstrip(".") for one in comparison.faults]
    more = f"; and {len(faults) - _FAULTS:,} more" if len(faults) > _FAULTS else ""
    return ("; ".join(faults[:_FAULTS]) or "no reason was given") + more


def failures(report: Report) -> Iterator[str]:
    """Say what does not hold."""
    failed = failed_gates(report)
    slices = sum(not one.passed for one in report.slices.values())
    if failed:
        yield f"{many(len(failed), 'gate')} of {len(all_gates(report)):,} failed."
    if slices:
        yield f"{slices:,} of {many(len(report.slices), 'slice')} failed."
    if report.conformance is not None and report.conformance.passed is False:
        yield "The bank does not conform to its cases."
    if not report.complete:
        yield incomplete_sentence(report)
    broken = sum(rule.verdict == "fail" for rule in report.freeze_rules.values())
    if broken:
        yield f"{many(broken, 'rule')} about freezes {'is' if broken == 1 else 'are'} broken."
    if report.promotion is not None and not report.promotion.ships:
        yield "The promotion does not ship."
    yield from _foreign_labels(report)


def _foreign_labels(report: Report) -> Iterator[str]:
    """Say which words the detector uses, where none of its predictions is of a type that was asked for."""
    if not any(gate.id == "labels.common" and gate.verdict == "fail" for gate in all_gates(report)):
        return
    labels: Counter[str] = Counter()
    types: Counter[str] = Counter()
    for one in report.slices.values():
        labels.update(one.unmapped_labels)
        types.update(one.out_of_scope_types)
    if labels:
        yield f"The detector said {_most(labels)}; no label map knows them, so recall is 0."
    if types:
        yield f"It predicted {_most(types)}; no slice asks for them."


def _most(numbers: Counter[str]) -> str:
    names = sorted(numbers, key=lambda name: (-numbers[name], name))
    more = f" and {len(names) - _LABELS:,} more" if len(names) > _LABELS else ""
    return ", ".join(map(inert, names[:_LABELS])) + more


def judged(report: Report) -> Iterator[str]:
    """Say which metrics were judged: a pass says nothing about the others."""
    numbers = Counter(gate.metric for gate in all_gates(report) if gate.verdict == "pass")
    if numbers:
        most = sorted(numbers.items(), key=lambda pair: (-pair[1], pair[0]))[:LISTED]
        listed = ", ".join(f"{shown(metric)} ({number:,})" for metric, number in most)
        more = f" and {len(numbers) - LISTED:,} more" if len(numbers) > LISTED else ""
        yield f"Judged were: {listed}{more}. A pass says nothing about other metrics."


def cautions(report: Report) -> Iterator[str]:
    """Say that leaks went without a judge, where there are any."""
    if any(about_leaks(gate.metric) and gate.verdict != "not_evaluated" for gate in all_gates(report)):
        return
    told = [one.metrics["leaks"].value for one in report.slices.values() if "leaks" in one.metrics]
    known = [leaks for leaks in told if leaks is not None]
    leaking = sum(leaks > 0 for leaks in known)
    if leaking:
        verb = "leaks" if leaking == 1 else "leak"
        yield f"No gate judged leaks; {leaking:,} of {many(len(known), 'slice')} {verb}."
