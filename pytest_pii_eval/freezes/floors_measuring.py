"""What a report on the dev freeze says about one floor, as a limit in decimal text; no files."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.floors_file import METRICS
from pytest_pii_eval.contracts.limits import EVERY_SLICE
from pytest_pii_eval.scoring.latency import NOTE_BAND
from pytest_pii_eval.scoring.metric import REASONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pii_eval.contracts.floors_file import Floor
    from pytest_pii_eval.reports.model import MetricReport, Report, SliceReport

_STEPS: Final = 10_000
"""Four decimals."""


class Measured(NamedTuple):
    """The limit as decimal text, and what it rests on in words of numbers and ids."""

    text: str
    words: str


class _Value(NamedTuple):
    value: Fraction
    support: int
    slice: str


def measured(one: Floor, report: Report, slack: Fraction) -> Measured:
    """Return the limit of a floor from the dev freeze of `report`, the worst of the slices it speaks of.

    Raises `Fault` without file and field where a metric has no value: nothing can be set from nothing.
    """
    if one.kind == "p95_latency_ms":
        return _latency(report)
    metric, direction = METRICS[one.kind]
    values = [
        _value(name, _metric(metric, name, found, one.type), metric)
        for name, found in _slices(one, report).items()
    ]
    if direction == "min":
        worst = min(values, key=lambda value: value.value)
        limit = Fraction(floor(max(worst.value - slack, Fraction(0)) * _STEPS), _STEPS)
    else:
        worst = max(values, key=lambda value: value.value)
        limit = Fraction(ceil((worst.value + slack) * _STEPS), _STEPS)
    words = f"support {worst.support:,}" + (f", of slice {worst.slice}" if one.slice == EVERY_SLICE else "")
    empty = "; a floor of 0 holds for any detector" if direction == "min" and not limit else ""
    return Measured(_decimal(limit), words + empty)


def _slices(one: Floor, report: Report) -> Mapping[str, SliceReport]:
    dev = {name: found for name, found in report.slices.items() if found.role == "dev_freeze"}
    if one.slice in (EVERY_SLICE, None):
        return dev
    if one.slice in dev:
        return {one.slice: dev[one.slice]}
    if one.slice in report.slices:
        raise Fault(f"speaks of slice {one.slice}, which is of no dev freeze in the report")
    raise Fault(f"speaks of slice {one.slice}, which the report does not hold")


def _metric(metric: str, name: str, found: SliceReport, type_: str | None) -> MetricReport:
    if type_ is None:
        metrics = found.metrics
    elif type_ in found.by_type:
        metrics = found.by_type[type_].metrics
    else:
        raise Fault(f"cannot be set: slice {name} has no type {type_} in scope; name a slice that has one")
    if metric not in metrics:
        raise Fault(f"cannot be set: the report has no {metric} for slice {name}")
    return metrics[metric]


def _value(name: str, metric: MetricReport, called: str) -> _Value:
    """Return the exact value from its integers; the printed one has to be theirs."""
    if metric.value is None:
        reason = metric.reason if metric.reason in REASONS else "for an unknown reason"
        raise Fault(
            f"cannot be set: {called} of slice {name} has no value ({reason}); name a slice that has one"
        )
    if metric.numerator is None or not metric.denominator:
        raise Fault(f"cannot be set: {called} of slice {name} has no numerator and denominator")
    value = Fraction(metric.numerator, metric.denominator)
    if float(value) != metric.value:
        raise Fault(f"cannot be set: {called} of slice {name} is not its numerator over its denominator")
    return _Value(value, metric.support, name)


def _latency(report: Report) -> Measured:
    """Return what this host took, as whole milliseconds; slack is a share, and not for it."""
    latency = report.run.latency
    if latency is None or NOTE_BAND not in latency.bands:
        raise Fault(f"cannot be set: no document of {NOTE_BAND} characters was timed")
    band = latency.bands[NOTE_BAND]
    if not band.documents or not band.p95_ms:
        raise Fault(f"cannot be set: no document of {NOTE_BAND} characters was timed")
    milliseconds = ceil(Fraction(str(band.p95_ms)))
    return Measured(str(milliseconds), f"support {band.documents:,}, of the host of the report alone")


def _decimal(value: Fraction) -> str:
    whole, rest = divmod(int(value * _STEPS), _STEPS)
    return f"{whole}.{rest:04d}"
