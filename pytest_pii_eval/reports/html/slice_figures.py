"""The plots of one slice, each with its table; where there is nothing to draw there is none."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, Literal

from pytest_pii_eval.reports.html.bars import BarRow, bars
from pytest_pii_eval.reports.html.funnel import funnel
from pytest_pii_eval.reports.html.heat_map import MOST, NOTHING, across_of, heat_map
from pytest_pii_eval.reports.html.recall_figure import recall_figure
from pytest_pii_eval.reports.html.states import EXTRA, STATES, states
from pytest_pii_eval.reports.html.values import Cell, Column, Figure, Table, count, metric_cell, named, table
from pytest_pii_eval.reports.words import inert, many, metric_text, rate_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_pii_eval.reports.model import Gate, MetricReport, SliceReport

_Stage = Literal["candidates", "selected", "protection"]
_STAGES: Final[tuple[tuple[_Stage, str], ...]] = (
    ("candidates", "candidates, before policy"),
    ("selected", "selected spans"),
    ("protection", "protection ranges"),
)


def slice_figures(key: str, one: SliceReport, gates: Sequence[Gate]) -> tuple[Figure, ...]:
    """Return the plots of a slice; `key` starts their ids, `gates` are those of the slice."""
    return tuple(_figures(key, one, gates)) if one.evaluated else ()


def _figures(key: str, one: SliceReport, gates: Sequence[Gate]) -> Iterator[Figure]:
    total = totals(one)
    if total["gold"]:
        yield recall_figure(key, one, gates)
    if total["gold"] or total["extra"]:
        yield _states(key, one)
    if one.confusion:
        yield _confusion(key, one)
    if _value(one, "catalog_coverage") is not None:
        yield _catalog(key, one)
    if any(stage.coverage.value is not None for stage in one.stages.values()):
        yield _policy(key, one)


def totals(one: SliceReport) -> Counter[str]:
    """Return the counts of all types in scope together."""
    total: Counter[str] = Counter()
    for found in one.by_type.values():
        total.update(found.counts)
    return total


def _value(one: SliceReport, metric: str) -> float | None:
    found = one.metrics.get(metric)
    return None if found is None else found.value


def _states(key: str, one: SliceReport) -> Figure:
    total = totals(one)
    counts = {state: total[_counted(state)] for state, _ in (*STATES, EXTRA)}
    rows = (
        (named(type_), *(count(found.counts.get(_counted(state), 0)) for state in counts))
        for type_, found in one.by_type.items()
    )
    return Figure(
        f"{key}-states",
        "states",
        "What became of each gold span",
        ", ".join(f"{state.replace('_', ' ')} {number:,}" for state, number in counts.items()) + ".",
        f"{many(total['gold'], 'gold span')}, each in one state; extras are predictions beside the gold.",
        states(counts),
        table("States by type", "Type|#Exact|#Shift|#Wrong type|#Miss|#Extra", rows),
    )


def _counted(state: str) -> str:
    return "tp" if state == "exact" else state


def _confusion(key: str, one: SliceReport) -> Figure:
    pairs = sum(len(row) for row in one.confusion.values())
    taken = _taken_for(one)
    drawing = heat_map(taken)
    shown = f" The {MOST} largest rows and columns are drawn." if drawing.cut else ""
    return Figure(
        f"{key}-confusion",
        "heat_map",
        "Confusion of types",
        f"Rows are gold types, columns what they were taken for. {many(pairs, 'pair')} of types differ.",
        f"Gold types down, what they were taken for across; outlined: the right type, exact or not.{shown}",
        drawing,
        _pairs(taken) if drawing.cut else _matrix(taken),
    )


def _matrix(taken: Mapping[str, Mapping[str, int]]) -> Table:
    """Return what is drawn as a table: gold types down, what they were taken for across."""
    across = across_of(taken)
    heads = (Column("Gold type"), *(Column(inert(name), number=True) for name in across))
    rows = tuple(
        (named(gold), *(count(taken[gold].get(name, 0)) for name in across)) for gold in sorted(taken)
    )
    return Table("What gold spans were taken for", heads, rows)


def _pairs(taken: Mapping[str, Mapping[str, int]]) -> Table:
    """Return every pair of many types, the right ones among them; a table of all of them has no end."""
    pairs = [(number, gold, name) for gold, row in taken.items() for name, number in row.items() if number]
    pairs.sort(key=lambda pair: (-pair[0], pair[1], pair[2]))
    rows = ((named(gold), named(name), count(number)) for number, gold, name in pairs)
    return table("What gold spans were taken for", "Gold type|Taken for|#Gold spans", rows)


def _taken_for(one: SliceReport) -> dict[str, dict[str, int]]:
    """Return every gold span under what it was taken for: its own type, another, or nothing."""
    taken: dict[str, dict[str, int]] = {}
    for type_, found in one.by_type.items():
        if found.counts.get("gold", 0):
            row = Counter(one.confusion.get(type_, {}))
            row[type_] += found.counts.get("tp", 0) + found.counts.get("shift", 0)
            row[NOTHING] += found.counts.get("miss", 0)
            taken[type_] = dict(row)
    return {**{gold: dict(row) for gold, row in one.confusion.items()}, **taken}


def _catalog(key: str, one: SliceReport) -> Figure:
    total = totals(one)
    mapped = total["cataloged_tp"] if _value(one, "cataloged_recall") is not None else None
    steps = [("labelled gold spans", total["gold"]), ("cataloged: the bank knew them", total["cataloged"])]
    if mapped is not None:
        steps.append(("mapped: found with their identity", mapped))
    printed = [(words, number, _share(number, total["gold"])) for words, number in steps]
    unknown = "" if mapped is not None else " How many were mapped cannot be told here."
    return Figure(
        f"{key}-catalog",
        "funnel",
        "Catalog funnel",
        "; ".join(f"{words} {text}" for words, _, text in printed) + ".",
        f"How much of the labelled text the bank knew, and how much of that was mapped.{unknown}",
        funnel(printed),
        table(
            "Catalog funnel", "Step|#Gold spans", ((Cell(words), count(number)) for words, number in steps)
        ),
    )


def _share(number: int, whole: int) -> str:
    return f"{number:,} ({rate_text(number / whole)})" if 0 < number <= whole else f"{number:,}"


def _short(coverage: MetricReport) -> str:
    """Return a figure with its counts; why there is none is in the table, and would leave no room here."""
    return "null" if coverage.value is None else metric_text(coverage)


def _policy(key: str, one: SliceReport) -> Figure:
    found = [(words, one.stages[stage]) for stage, words in _STAGES if stage in one.stages]
    loss = one.metrics.get("policy_loss")
    lost = "" if loss is None else f" Lost to policy: {metric_text(loss)}."
    return Figure(
        f"{key}-policy",
        "bars",
        "Policy loss across stages",
        "Gold spans covered by each stage of the detector.",
        f"The share of gold spans that each stage covers whole.{lost}",
        bars([BarRow(words, _short(stage.coverage), stage.coverage.value) for words, stage in found]),
        table(
            "Stages of the detector",
            "Stage|#Documents|Gold spans covered|Characters covered",
            (
                (
                    Cell(words),
                    count(stage.documents),
                    metric_cell(stage.coverage),
                    metric_cell(stage.character_recall),
                )
                for words, stage in found
            ),
        ),
    )
