"""The text of a floors file whose numbers were set, in one form; nothing is opened or written here."""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.floors_file import parse_floors
from pytest_pii_eval.contracts.strict_json import parse
from pytest_pii_eval.contracts.yaml_file import parse_yaml

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pii_eval.contracts.floors_file import Floor, SetFrom

_VERSION = "pii_eval.floors.v1"


def rendered(floors: Sequence[Floor], came: SetFrom, *, json: bool, kept: int) -> str:
    """Return the file as YAML, or as JSON, which has no comments; `kept` floors came from elsewhere."""
    rows = [_row(one) for one in floors]
    source = {"report": came.report, "detector": came.detector, "slack": came.slack, "numbers": came.numbers}
    if json:
        return dumps({"version": _VERSION, "set_from": source, "floors": rows}, indent=2) + "\n"
    lines = [
        f"# Set by pii-eval freeze set-floors from a report on the dev freeze{_but(kept)}.",
        f"version: {_VERSION}",
        "set_from:",
        *(f"  {name}: {value}" for name, value in source.items()),
        "floors:",
    ]
    for row in rows:
        fields = [f"{name}: {_scalar(value)}" for name, value in row.items()]
        lines.extend([f"  - {fields[0]}", *(f"    {field}" for field in fields[1:])])
    return "\n".join(lines) + "\n"


def checked(text: str, floors: Sequence[Floor], came: SetFrom) -> None:
    """Raise `Fault` where `text` does not read as `floors` that were set from `came`."""
    payload = text.encode("utf-8")
    read = parse_floors(parse(payload) if text.startswith("{") else parse_yaml(payload))
    if read.floors != tuple(floors) or read.set_from != came:
        raise Fault("would not read as what was to be written; nothing was changed")


def _row(one: Floor) -> dict[str, str]:
    fields = {"kind": one.kind, "slice": one.slice, "type": one.type, "limit": one.text}
    return {name: value for name, value in fields.items() if value is not None}


def _but(kept: int) -> str:
    return f"; {kept} of these were set before and left alone" if kept else ""


def _scalar(value: str) -> str:
    return '"*"' if value == "*" else value
