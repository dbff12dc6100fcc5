"""What the figures rest on: latency, pins, scorer, libraries, labels outside the scope, and gaps."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pytest_pii_eval.reports.html.bars import BarRow, bars
from pytest_pii_eval.reports.html.overview import version_text
from pytest_pii_eval.reports.html.reasons import meaning
from pytest_pii_eval.reports.html.values import Cell, Fact, Figure, Table, count, named, table
from pytest_pii_eval.reports.words import inert

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_pii_eval.reports.model import Latency, Report


def latency_figure(latency: Latency | None) -> Figure | None:
    """Return how long answers took by size of document, or None where nothing was timed."""
    if latency is None or not latency.bands:
        return None
    bands = sorted(latency.bands.items(), key=lambda pair: _first_number(pair[0]))
    most = max(found.p95_ms for _, found in bands) or 1.0
    host, warm = latency.host, latency.warm_up
    return Figure(
        "latency",
        "bars",
        "Milliseconds for 95 % of documents, by size",
        f"One bar a band of code points a document, from 0 to {most:g} ms.",
        f"On {inert(host.system)} {inert(host.machine)}, {host.processors:,} processors, and of it alone."
        f" Left out as warm-up: {warm.builds:,} builds ({warm.build_seconds:.3g} s) and"
        f" {warm.documents:,} documents ({warm.seconds:.3g} s).",
        bars(
            [
                BarRow(f"{_words(name)} code points", f"{found.p95_ms:g} ms", found.p95_ms / most)
                for name, found in bands
            ],
            ticks=("0", f"{most / 2:.3g}", f"{most:g} ms"),
        ),
        table(
            "Latency by size of document",
            "Code points|#Documents|#Half took at most, ms|#95 % took at most, ms",
            (
                (
                    Cell(_words(name)),
                    count(found.documents),
                    Cell(f"{found.p50_ms:g}"),
                    Cell(f"{found.p95_ms:g}"),
                )
                for name, found in bands
            ),
        ),
    )


def _words(band: str) -> str:
    return inert(f"{band[:-1]} and more" if band.endswith("-") else band)


def _first_number(band: str) -> tuple[int, str]:
    digits = band.partition("-")[0]
    return (int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 18 else 0, band)  # noqa: PLR2004  # what fits an integer


def run_facts(report: Report) -> tuple[Fact, ...]:
    """Return the scorer, the host and what the subject says of itself."""
    scorer, run, subject = report.scorer, report.run, report.subject
    dirty = {True: "with changes in no commit", False: "clean", None: "unknown"}[scorer.git_dirty]
    return (
        Fact("scorer", f"{scorer.name} {inert(scorer.version)}"),
        Fact("scorer sources", scorer.source_sha256, code=True),
        Fact("scorer revision", inert(scorer.git_revision or "none: not from a repository"), code=True),
        Fact("scorer state", dirty),
        Fact("subject", f"{subject.kind} {inert(subject.name)}, {version_text(subject.version)}"),
        Fact("subject fingerprint", subject.fingerprint, code=True),
        Fact("offset unit", subject.offset_unit or "not declared"),
        Fact("label map", inert(subject.label_map or "none")),
        Fact("Python", f"{inert(run.python)} on {inert(run.platform)}, pytest {inert(run.pytest)}"),
    )


def fingerprint_facts(report: Report) -> tuple[Fact, ...]:
    """Return what binds the run: a change of any part is a change of its fingerprint."""
    return tuple(Fact(inert(name), digest, code=True) for name, digest in report.fingerprints.items())


def pin_tables(report: Report) -> Iterator[Table]:
    """Return the libraries of the subject, where it names any."""
    if report.subject.libraries:
        rows = ((named(name), named(version)) for name, version in report.subject.libraries.items())
        yield table("Libraries of the subject", "Library|Version", rows)


def label_tables(report: Report) -> Iterator[Table]:
    """Return labels without a type, and types that no slice asks for; each counts once a slice."""
    for caption, head, field in (
        ("Labels that the map does not have", "Label", "unmapped_labels"),
        ("Types predicted outside the scope", "Type", "out_of_scope_types"),
    ):
        total: Counter[str] = Counter()
        where: Counter[str] = Counter()
        for one in report.slices.values():
            found: Mapping[str, int] = getattr(one, field)
            total.update(found)
            where.update(found.keys())
        if total:
            rows = ((named(name), count(total[name]), count(where[name])) for name in sorted(total))
            yield table(caption, f"{head}|#Predictions, once a slice|#Slices", rows)


def gap_tables(report: Report) -> Iterator[Table]:
    """Return slices and dimensions nobody can speak about, and the reasons of metrics without a value."""
    if report.unsupported_slices:
        rows = ((_reason(code), Cell(names)) for code, names in _gaps_by_reason(report).items())
        yield table("Unsupported slices and dimensions", "Reason|Dimension: slices", rows)
    reasons, slices = _null_reasons(report)
    if reasons:
        listed = sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))
        counted = ((_reason(code), count(number), count(slices[code])) for code, number in listed)
        yield table("Why metrics have no value", "Reason|#Metrics|#Slices", counted)


def _gaps_by_reason(report: Report) -> dict[str, str]:
    """Return by reason the dimensions with their slices; most slices of a run share a reason."""
    found: dict[str, dict[str, list[str]]] = {}
    for name, gap in sorted(report.unsupported_slices.items()):
        found.setdefault(gap.reason_code, {}).setdefault(gap.dimension, []).append(inert(name))
    return {
        code: "; ".join(f"{inert(dimension)}: {', '.join(names)}" for dimension, names in rows.items())
        for code, rows in sorted(found.items())
    }


def _reason(code: str) -> Cell:
    return named(code)._replace(below=meaning(code))


def _null_reasons(report: Report) -> tuple[Counter[str], Counter[str]]:
    metrics: Counter[str] = Counter()
    slices: Counter[str] = Counter()
    for one in report.slices.values():
        found = [metric.reason or "no reason" for metric in one.metrics.values() if metric.value is None]
        metrics.update(found)
        slices.update(set(found))
    return metrics, slices
