"""The slices of an import: all of it, one a type, and the documents without gold; no files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.quality_model import MAX_SLICES
from pytest_pii_eval.contracts.slices import make_plan, parse_slice
from pytest_pii_eval.corpora.plan import slice_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pii_eval.corpora.recipe import Recipe

_ALL: Final = "all"
_ZERO_GOLD: Final = "zero_gold"


class _One(NamedTuple):
    id: str
    cohort: str
    types: Sequence[str]


class ImportPlan(NamedTuple):
    """The rows of a slice plan, and which slices a document is in."""

    rows: tuple[dict[str, Any], ...]
    with_gold: list[str]
    without_gold: list[str]


def import_plan(recipe: Recipe, types: Sequence[str], *, single_class: bool, negative: bool) -> ImportPlan:
    """Return the plan over `types`; raises `Fault` where they make no plan that holds.

    `single_class` leaves the slice of several types out, for tools that know no such scope. `negative` says
    that documents without gold prove something, and that there are some.
    """
    chosen = _single(types, negative=negative) if single_class else _combined(types, negative=negative)
    if len(chosen) > MAX_SLICES:
        raise Fault(
            f"{len(types):,} types make {len(chosen):,} slices; a plan holds {MAX_SLICES}:"
            " map the labels to fewer types"
        )
    rows = tuple({**slice_row(recipe, one.types), "id": one.id, "cohort": one.cohort} for one in chosen)
    make_plan(map(parse_slice, rows))
    ids = [one.id for one in chosen]
    return ImportPlan(rows, [one.id for one in chosen if one.cohort == _ALL], ids)


def _combined(types: Sequence[str], *, negative: bool) -> list[_One]:
    last = [_One("negative", _ZERO_GOLD, types)] if negative else []
    return [_One(_ALL, _ALL, types), *_classes(types), *last]


def _single(types: Sequence[str], *, negative: bool) -> list[_One]:
    last = [_One(f"negative.{one}", _ZERO_GOLD, [one]) for one in types] if negative else []
    return [*_classes(types), *last]


def _classes(types: Sequence[str]) -> list[_One]:
    return [_One(f"class.{one}", _ALL, [one]) for one in types]
