"""Comparing two reports: what refuses, else every figure that moved, and which moves are regressions."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pytest_pii_eval.reports.comparing.figures import figures_of
from pytest_pii_eval.reports.comparing.gates import gate_changes
from pytest_pii_eval.reports.comparing.model import Change, Comparison, Side
from pytest_pii_eval.reports.comparing.refusals import is_alone, refusals
from pytest_pii_eval.reports.comparing.severity import OF_SEVERE
from pytest_pii_eval.reports.comparing.tolerances import NONE, read_tolerances
from pytest_pii_eval.reports.comparing.trends import (
    CATALOG,
    CONFORMANCE,
    CONFORMANCE_GATES,
    PREFIX,
    is_judged,
    trend,
)
from pytest_pii_eval.reports.model import Report
from pytest_pii_eval.reports.snapshots.figures import NOT_REPORTED, metric_of, number_of, value_of
from pytest_pii_eval.reports.snapshots.form import snapshot_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction

    from pytest_pii_eval.reports.comparing.figures import Place
    from pytest_pii_eval.reports.comparing.tolerances import Tolerance
    from pytest_pii_eval.reports.snapshots.model import Snapshot

_NO_TOLERANCES: Final[Mapping[str, str]] = MappingProxyType({})
_ORDER: Final = {"worse": 1, "neither": 2, "better": 2}


def compare_reports(
    old: Report | Snapshot, new: Report | Snapshot, *, tolerances: Mapping[str, str] = _NO_TOLERANCES
) -> Comparison:
    """Return what moved from `old` to `new`, or why they are not compared.

    `tolerances` say by metric how much worse it may be, in counts or rate points; without one, leaks,
    containment, conformance and finds may not get worse at all, and the rest is shown, not judged. Raises
    `Fault` where a tolerance makes no sense.
    """
    allowed = read_tolerances(tolerances)
    one, other = _snapshot(old), _snapshot(new)
    refused = refusals(one, other)
    alone = is_alone(one, other)
    if alone:
        one, other = _of_slices(one), _of_slices(other)
    changes, unchanged = ([], 0) if refused else _changes(one, other, allowed)
    gates = [] if refused else gate_changes(one, other, without=_unnamed(one, other))
    regressed = any(change.regression for change in changes) or any(gate.regression for gate in gates)
    return Comparison(
        old=_side(one),
        new=_side(other),
        refusals=refused,
        notes=[*_of_sides(old, new), *([] if refused else _left_out(one, other, alone=alone))],
        changes=changes,
        gates=gates,
        unchanged=unchanged,
        passed=None if refused else not regressed,
    )


def _snapshot(given: Report | Snapshot) -> Snapshot:
    return snapshot_of(given) if isinstance(given, Report) else given


def _side(one: Snapshot) -> Side:
    return Side(kind=one.subject.kind, name=one.subject.name, scorer_version=one.scorer_version)


def _of_slices(one: Snapshot) -> Snapshot:
    """Return what a run says about slices: that of a bank which is compared with a detector."""
    gates = [gate for gate in one.gates if not gate.id.startswith(CONFORMANCE_GATES)]
    return one.model_copy(update={"conformance": None, "gates": gates})


def _of_sides(old: Report | Snapshot, new: Report | Snapshot) -> Iterator[str]:
    """Yield what a reader should know of the two runs, and what refuses nothing."""
    one, other = _snapshot(old), _snapshot(new)
    if one.scorer_version != other.scorer_version:
        yield "the two runs were scored by different versions of pytest-pii-eval"
    elif _sources(old) != _sources(new) and _sources(old) and _sources(new):
        yield "the two runs were scored by different sources of pytest-pii-eval"
    if one.subject.kind != other.subject.kind:
        yield f"the old run is of a {one.subject.kind}, the new one of a {other.subject.kind}"
    elif one.subject.name != other.subject.name:
        yield f"the two runs are of two {one.subject.kind}s"


def _left_out(one: Snapshot, other: Snapshot, *, alone: bool) -> Iterator[str]:
    """Yield what of two runs that are compared is not."""
    if alone:
        yield "only one of the runs was held to conformance cases: conformance is left out"
    if _unnamed(one, other) and any(map(_speaks_of_catalog, (one, other))):
        yield "a detector names no pattern of a catalog: catalog figures and gates of slices are left out"
    elif _declares_otherwise(one, other):
        yield "the records declare other spans as cataloged: catalog figures of slices are left out"


def _unnamed(one: Snapshot, other: Snapshot) -> frozenset[str]:
    """Return the metrics that only one of the runs can have: a detector names no pattern of a catalog."""
    return frozenset() if one.subject.kind == other.subject.kind else CATALOG


def _speaks_of_catalog(one: Snapshot) -> bool:
    return any(
        place.slice is not None and place.metric in CATALOG and value_of(figure) is not None
        for place, figure in figures_of(one).items()
    )


def _declares_otherwise(one: Snapshot, other: Snapshot) -> bool:
    """Whether the same gold is declared as cataloged otherwise: its figures then speak of two catalogs."""
    both = [snapshot.fingerprints.get("catalog_bindings") for snapshot in (one, other)]
    return None not in both and both[0] != both[1]


def _sources(given: Report | Snapshot) -> str | None:
    """Return what binds the sources that scored a run; a snapshot does not say."""
    return given.scorer.source_sha256 if isinstance(given, Report) else None


def _changes(old: Snapshot, new: Snapshot, allowed: Mapping[str, Tolerance]) -> tuple[list[Change], int]:
    """Return the figures that moved, regressions first, and how many did not."""
    before, after = figures_of(old), figures_of(new)
    without = CATALOG if _declares_otherwise(old, new) else _unnamed(old, new)
    changes = []
    unchanged = 0
    for place in before.keys() | after.keys():
        if place.slice is not None and place.metric in without:
            continue
        one, other = before.get(place, NOT_REPORTED), after.get(place, NOT_REPORTED)
        if one == other or _same(one, other):
            unchanged += 1
        else:
            severe = any(place._replace(metric=OF_SEVERE) in side for side in (before, after))
            change = _change(place, one, other, allowed)
            changes.append(change.model_copy(update={"severe": place.type is not None and severe}))
    return sorted(changes, key=_rank), unchanged


def _same(one: str, other: str) -> bool:
    """Whether two figures say the same: of two without a value, whatever their reasons."""
    return value_of(one) is None and value_of(other) is None


def _change(place: Place, one: str, other: str, allowed: Mapping[str, Tolerance]) -> Change:
    old, new = value_of(one), value_of(other)
    metric = place.metric
    named = metric if place.slice is not None else PREFIX + metric
    judged = named in allowed or (metric in CONFORMANCE if place.slice is None else is_judged(metric))
    tolerance = allowed.get(named, NONE)
    return Change(
        slice=place.slice,
        type=place.type,
        metric=metric,
        old=metric_of(one),
        new=metric_of(other),
        difference=None if old is None or new is None else number_of(new - old),
        trend=trend(metric, old, new),
        judged=judged,
        tolerance=tolerance.text if judged else None,
        regression=judged and _is_regression(metric, old, new, tolerance.amount),
    )


def _is_regression(metric: str, old: Fraction | None, new: Fraction | None, amount: Fraction) -> bool:
    """Whether `metric` got worse by more than `amount`; a value that is gone is worse than any."""
    if old is None:
        return False
    if new is None:
        return True
    return trend(metric, old, new) == "worse" and abs(new - old) > amount


def _rank(change: Change) -> tuple[object, ...]:
    order = 0 if change.regression else _ORDER[change.trend]
    return order, change.slice or "", change.type or "", change.metric
