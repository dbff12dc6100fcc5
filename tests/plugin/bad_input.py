"""Rows to break, and what a run says about broken files, for the tests of bad input."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from conftest import NAME, PERSON, negative, positive

if TYPE_CHECKING:
    import pytest

# The name lies at bytes 10 to 30, code points 6 to 26, UTF-16 units 7 to 27; all of it is 33 bytes.
# The emoji takes bytes 0 to 4, the ü bytes 6 to 8.
TEXT = f"😀 für {NAME} ok"
_IDENTITY = dict(
    zip(("entity_id", "name_id", "pattern_id", "pattern_kind", "canonical_name"), PERSON, strict=True)
)
OCCURRENCE: dict[str, Any] = {**_IDENTITY, "string": NAME, "start": 10, "end": 30}

_HEADING = re.compile(r"^_+ ERROR collecting (.+?) _+$")


def case(case_id: str, **fields: Any) -> dict[str, Any]:
    """Return a sound positive row with `fields` put in; those set to None are left out."""
    row = {**positive(case_id, TEXT, ["unicode"], OCCURRENCE), **fields}
    return {key: value for key, value in row.items() if value is not None}


def spanned(case_id: str, **fields: Any) -> dict[str, Any]:
    """Return a positive row with `fields` put into its one occurrence; those set to None are left out."""
    changed = {**OCCURRENCE, **fields}
    return case(case_id, expected=[{key: value for key, value in changed.items() if value is not None}])


def clean(case_id: str, **fields: Any) -> dict[str, Any]:
    """Return a sound negative row with `fields` put in; those set to None are left out."""
    row = {**negative(case_id, f"Nobody, X{NAME}Y", ["boundary", "negative"]), **fields}
    return {key: value for key, value in row.items() if value is not None}


def line(row: dict[str, Any]) -> bytes:
    """Return a row as it stands in a file."""
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def collection_errors(result: pytest.RunResult) -> dict[str, list[str]]:
    """Return the lines under the heading of each node that failed to collect."""
    errors: dict[str, list[str]] = {}
    below: list[str] | None = None
    for text in result.outlines:
        heading = _HEADING.match(text)
        if heading:
            below = errors.setdefault(heading[1], [])
        elif text.startswith("="):
            below = None
        elif below is not None:
            below.append(text)
    return errors
