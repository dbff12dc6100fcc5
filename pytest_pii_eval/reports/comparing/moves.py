"""Cases and gold spans that were found and no longer are, or the other way round, by opaque id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.reports.comparing.audit_rows import CaseResult, DocumentResult, paired_rows
from pytest_pii_eval.reports.comparing.model import Move

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pii_eval.reports.comparing.audit_rows import GoldResult

_CASES = ("positive-results.jsonl", "negative-results.jsonl")
_SLICES = "slice-results.jsonl"


class _Span(NamedTuple):
    """A span that moved, alike in each slice that holds its document."""

    id: str
    type: str
    old: str
    new: str
    direction: Literal["lost", "gained"]


def moves_between(old: Path, new: Path, *, cases: bool = True) -> list[Move]:
    """Return what was lost and gained from the audit directory `old` to `new`: lost ones first, then by id.

    A case is found where it passed, a span where its state is exact; one that starts to leak is lost, too.
    Without `cases` only spans are looked at, for one of the runs was held to no cases.
    Raises `Fault` where a file is missing or breaks its contract, or the ids of the two differ.
    """
    found = [*(_cases(old, new) if cases else ()), *_spans(old, new)]
    return sorted(found, key=lambda move: (move.direction == "gained", move.kind, move.id, move.type or ""))


def _cases(old: Path, new: Path) -> Iterator[Move]:
    for name in _CASES:
        for one, other in paired_rows(old, new, name, CaseResult):
            if (one.outcome == "passed") != (other.outcome == "passed"):
                yield Move(
                    kind="case",
                    id=one.case_id,
                    slices=[],
                    type=None,
                    old=one.outcome,
                    new=other.outcome,
                    direction="lost" if one.outcome == "passed" else "gained",
                )


def _spans(old: Path, new: Path) -> Iterator[Move]:
    held = [(folder / _SLICES).exists() for folder in (old, new)]
    if not any(held):  # a run of cases alone, or of a version that wrote none
        return
    moved: dict[_Span, list[str]] = {}
    for one, other in paired_rows(old, new, _SLICES, DocumentResult):
        for span in _moved(one, other):
            moved.setdefault(span, []).append(one.slice_id)
    for span, slices in moved.items():
        yield Move(kind="span", slices=sorted(slices), **span._asdict())


def _moved(one: DocumentResult, other: DocumentResult) -> Iterator[_Span]:
    if list(map(_place, one.gold)) != list(map(_place, other.gold)):
        raise Fault("a document has other gold spans in the two directories", file=_SLICES, field="gold")
    for old, new in zip(one.gold, other.gold, strict=True):
        direction = _direction(old, new)
        if direction is not None:
            name = f"{one.document_id}#{old.ordinal}"
            yield _Span(name, old.type, _state(old), _state(new), direction)


def _direction(old: GoldResult, new: GoldResult) -> Literal["lost", "gained"] | None:
    found, finds = old.state == "exact", new.state == "exact"
    if (found and not finds) or (new.leaks and not old.leaks):
        return "lost"
    return "gained" if (finds and not found) or (old.leaks and not new.leaks) else None


def _place(span: GoldResult) -> tuple[int, str, int, int]:
    return span.ordinal, span.type, span.start, span.end


def _state(span: GoldResult) -> str:
    return f"{span.state}, leaks" if span.leaks else span.state
