"""Evidence as plain lists for the test report, and back; counts and names of types, nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.scoring.evidence import (
    OUTPUTS,
    Evidence,
    OutputCounts,
    SliceCounts,
    TypeCounts,
    TypeLeaks,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_Row = TypeVar("_Row", SliceCounts, OutputCounts, TypeCounts, TypeLeaks)


def packed(evidence: Evidence) -> list[object]:
    """Return `evidence` as sorted lists of integers and names, ready for JSON; `unpacked` reverses it."""
    return [
        list(evidence.counts),
        [[name, *row] for name, row in sorted(evidence.types.items())],
        [[name, *row] for name, row in sorted(evidence.outputs.items())],
        [[*key, *row] for key, row in sorted(evidence.leaks.items())],
        [[*key, number] for key, number in sorted(evidence.confusion.items())],
    ]


def unpacked(value: Any) -> Evidence:
    """Return the evidence that `packed` wrote, or raise `Fault` for anything else."""
    try:
        counts, types, outputs, leaks, confusion = value
        return Evidence(
            _row(SliceCounts, counts),
            {_name(name): _row(TypeCounts, row) for name, *row in types},
            {_output(name): _row(OutputCounts, row) for name, *row in outputs},
            {(_output(name), _name(type_)): _row(TypeLeaks, row) for name, type_, *row in leaks},
            {(_name(gold), _name(taken)): _count(number) for gold, taken, number in confusion},
        )
    except (TypeError, ValueError):
        raise Fault("evidence is not in the form that this version writes") from None


def _row(kind: type[_Row], numbers: Sequence[Any]) -> _Row:
    if len(numbers) != len(kind._fields):
        raise ValueError
    return kind(*_counts(numbers))


def _counts(numbers: Iterable[Any]) -> list[int]:
    return [_count(number) for number in numbers]


def _count(number: Any) -> int:
    if type(number) is not int or number < 0:
        raise ValueError
    return number


def _name(value: Any) -> str:
    if type(value) is not str:
        raise TypeError
    return value


def _output(value: Any) -> Any:
    if value not in OUTPUTS:
        raise ValueError
    return value
