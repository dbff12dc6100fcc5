"""Which changes are told first, and which only say again what another one says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.reports.comparing.severity import HIGH, rank

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_pii_eval.reports.comparing.model import Change
    from pytest_pii_eval.reports.model import MetricReport

RESTATES: Final = {
    "character_leak_rate": "character_recall",
    "containment": "leaks",
    "document_leak_rate": "leaking_documents",
    "high_severity_document_leak_rate": "high_severity_leaking_documents",
    "high_severity_leak_rate": "high_severity_leaks",
    "labeled_span_recall": "recall",
    "leak_rate": "leaks",
}
"""Metrics by name, each with the one that it says in another way; the same with `protection_` before both."""

_PROTECTION: Final = "protection_"

_Told = dict[tuple[str | None, str | None, str], "Change"]


def by_severity(changes: Iterable[Change]) -> list[Change]:
    """Return the changes, the worst kind first: leaks of high severity, leaks, finds, then the rest.

    Of one kind they keep their order.
    """
    return sorted(changes, key=lambda change: rank(change.metric, severe=change.severe))


def told_apart(changes: Sequence[Change]) -> tuple[list[Change], list[Change]]:
    """Return the changes that say something of their own, and those that say again what one of them says.

    These are the rates of counts, figures on protection ranges that are those of the selected output, and
    figures of all types that moved by what the types of the slice moved by.
    """
    told: _Told = {(one.slice, one.type, one.metric): one for one in changes}
    sums = _moved_by_types(changes)
    again = [_is_restated(one, told) or _is_sum(one, sums) for one in changes]
    pairs = list(zip(changes, again, strict=True))
    return [one for one, restates in pairs if not restates], [one for one, restates in pairs if restates]


def _is_restated(change: Change, told: _Told) -> bool:
    selected = change.metric.removeprefix(_PROTECTION)
    prefix = change.metric.removesuffix(selected)
    if selected in RESTATES and (change.slice, change.type, prefix + RESTATES[selected]) in told:
        return True
    twin = told.get((change.slice, change.type, selected))
    return bool(prefix) and twin is not None and (twin.old, twin.new) == (change.old, change.new)


def _moved_by_types(changes: Sequence[Change]) -> dict[tuple[str, str], int]:
    """Return by slice and metric by how much the counts of its types moved; of high severity apart."""
    sums: dict[tuple[str, str], int] = {}
    for one in changes:
        moved = _moved(one)
        if one.slice is None or one.type is None or moved is None:
            continue
        names = (one.metric, *([_of_high_severity(one.metric)] if one.severe else []))
        for name in names:
            sums[one.slice, name] = sums.get((one.slice, name), 0) + moved
    return sums


def _is_sum(change: Change, sums: Mapping[tuple[str, str], int]) -> bool:
    if change.slice is None or change.type is not None:
        return False
    moved = _moved(change)
    return moved is not None and sums.get((change.slice, change.metric)) == moved


def _of_high_severity(metric: str) -> str:
    selected = metric.removeprefix(_PROTECTION)
    return f"{metric.removesuffix(selected)}{HIGH}{selected}"


def _moved(change: Change) -> int | None:
    """Return by how much a count moved, or the count of a rate whose population is the same."""
    old, new = change.old, change.new
    if old.numerator is None or new.numerator is None or _population(old) != _population(new):
        return None
    return new.numerator - old.numerator


def _population(metric: MetricReport) -> int:
    return metric.support if metric.denominator is None else metric.denominator
