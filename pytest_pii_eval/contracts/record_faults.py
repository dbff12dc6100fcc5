"""What is wrong with the gold of a record that was refused: the first broken rule, with its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.model_faults import fault_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import ValidationError

    from pytest_pii_eval.contracts.quality_model import GoldRow
    from pytest_pii_eval.contracts.spans import GoldSpan

_BOUNDS = frozenset({"greater_than_equal", "less_than_equal"})
_PRINTABLE = 10**12  # a number may have thousands of digits, and a fault is one line


def gold_fault(ordinal: int, row: GoldRow, document_id: str, text: str) -> Fault:
    """Return the fault of gold span `ordinal`, which belongs elsewhere, lies badly or is in no scope."""
    place = f"gold_spans[{ordinal}]"
    start, end = row["start"], row["end"]
    if row["document_id"] != document_id:
        return Fault("differs from the id of its document", field=f"{place}.document_id")
    if end == start:
        return Fault(f"holds no character (start {start}, end {end})", field=f"{place}.end")
    if end < start:
        return Fault(f"must lie behind start (start {start}, end {end})", field=f"{place}.end")
    if end > len(text):
        rule = f"lies outside the text (end {end}, text {len(text)} code points)"
        return Fault(rule + _unit_hint(start, end, text), field=f"{place}.end")
    rule = "is a class that none of the document's slices covers"
    return Fault(rule, field=f"{place}.entity_class")


def repeated_fault(gold: Sequence[GoldSpan]) -> Fault:
    """Return the fault of gold spans of which at least two have equal start, end and class."""
    first: dict[tuple[int, int, str], int] = {}
    for ordinal, span in enumerate(gold):
        earlier = first.setdefault(span[:3], ordinal)
        if earlier != ordinal:
            rule = f"has the start, end and entity_class of gold_spans[{earlier}]"
            return Fault(rule, field=f"gold_spans[{ordinal}]")
    raise ValueError("no two gold spans are equal")


def row_fault(error: ValidationError, value: object) -> Fault:
    """Return the first fault in the fields of a row; an offset beyond its bounds is named with its number."""
    fault = fault_of(error, value)
    detail = error.errors(include_url=False)[0]
    given = detail["input"]
    if detail["type"] in _BOUNDS and abs(given) < _PRINTABLE:
        return Fault(f"{fault.rule} and is {given}", field=fault.field)
    return fault


def _unit_hint(start: int, end: int, text: str) -> str:
    """Return the unit that the author may have counted in, where the span fits in that unit."""
    for encoding, unit_bytes, unit in (("utf-16-le", 2, "UTF-16 units"), ("utf-8", 1, "UTF-8 bytes")):
        payload = text.encode(encoding)
        try:
            surface = payload[start * unit_bytes : end * unit_bytes].decode(encoding)
        except UnicodeDecodeError:
            continue
        if surface and end * unit_bytes <= len(payload):
            return f"; it fits when counted in {unit}, but this contract counts code points"
    return ""
