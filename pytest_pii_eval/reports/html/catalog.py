"""The catalog-conformance section: entities and tags, the lowest drawn; its gates are elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.reports.html.bars import BarRow, bars
from pytest_pii_eval.reports.html.values import Cell, Figure, Table, count, named, table
from pytest_pii_eval.reports.words import conformance_text, rate_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.reports.model import Conformance, EntityConformance, TagConformance

MOST_BARS: Final = 8


class CatalogView(NamedTuple):
    """What became of the cases of a bank."""

    sentence: str
    figure: Figure | None
    tables: tuple[Table, ...]


def catalog_view(found: Conformance | None) -> CatalogView | None:
    """Return the conformance of a bank, or None where the run held no cases."""
    if found is None:
        return None
    ordered = sorted(found.by_entity.items(), key=lambda pair: (_rank(pair[1]), pair[0]))
    figure = _figure(ordered) if found.by_entity else None
    return CatalogView(conformance_text(found), figure, tuple(_tables(found)))


def _rank(one: EntityConformance) -> tuple[float, int]:
    return (2.0 if one.recall is None else one.recall, -one.unexpected_negative_matches)


def _figure(ordered: list[tuple[str, EntityConformance]]) -> Figure:
    drawn = [_bar(name, one) for name, one in ordered[:MOST_BARS]]
    return Figure(
        "conformance-entities",
        "bars",
        "Cases mapped, by entity",
        f"One bar an entity, from 0 to 1; {len(drawn)} of {len(ordered):,} entities.",
        f"The share of approved cases mapped as declared; {len(drawn)} lowest of {len(ordered):,} entities.",
        bars(drawn),
        table(
            "Cases by entity",
            "Entity|#Patterns|#With a witness|#Cases|#Mapped|#Missed|#Wrong canonical|#Negatives hit|#Recall",
            (_entity(name, one) for name, one in ordered),
        ),
    )


def _bar(name: str, one: EntityConformance) -> BarRow:
    mapped = f"{one.correctly_mapped:,}/{one.approved_positive_cases:,}"
    return BarRow(name, mapped, one.recall, tone="bad" if one.missed or one.wrong_canonical else "plain")


def _entity(name: str, one: EntityConformance) -> tuple[Cell, ...]:
    return (
        named(name),
        count(one.active_patterns),
        count(one.patterns_with_positive_cases),
        count(one.approved_positive_cases),
        count(one.correctly_mapped),
        *map(_alarm, (one.missed, one.wrong_canonical, one.unexpected_negative_matches)),
        Cell("not evaluated", "none") if one.recall is None else Cell(rate_text(one.recall)),
    )


def _tables(found: Conformance) -> Iterator[Table]:
    if found.by_tag:
        columns = "Tag|#Positive cases|#Failed|#Negative cases|#Negatives hit"
        yield table("Cases by tag", columns, (_tag(name, one) for name, one in found.by_tag.items()))


def _tag(name: str, one: TagConformance) -> tuple[Cell, ...]:
    return (
        named(name),
        count(one.positive_cases),
        _alarm(one.failed_positive_cases),
        count(one.negative_cases),
        _alarm(one.unexpected_negative_matches),
    )


def _alarm(number: int) -> Cell:
    return count(number, "bad" if number else "plain")
