"""From pydantic's error list to one `Fault`: place and rule, never the value or an id from the input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic import TypeAdapter
    from pydantic_core import ErrorDetails

_Row = TypeVar("_Row")

# Fields whose keys are ids chosen by the owner of the file: a place inside them is an ordinal.
_KEYED_BY_ID = frozenset({"entities", "libraries", "names", "patterns", "types", "label_maps", "label map"})
# Fields whose values are keyed in this way once more, under a name that is no field.
_KEYED_TWICE = {"label_maps": "label map"}
# Free-form trees: their keys are content.
_FREE_FORM = frozenset({"metadata"})
_UNION_TAGS = frozenset({"git", "https", "huggingface", "literal", "local", "regex"})

_RULES: Mapping[str, str] = {
    "bool_type": "must be true or false",
    "dict_type": "must be an object",
    "extra_forbidden": "has an unknown field",
    "finite_number": "must be a finite number",
    "float_type": "must be a number",
    "int_type": "must be an integer",
    "list_type": "must be an array",
    "missing": "is missing",
    "model_attributes_type": "must be an object",
    "model_type": "must be an object",
    "recursion_depth_exceeded": "is nested too deeply",
    "string_type": "must be a string",
    "string_unicode": "holds a lone surrogate, which is no character",
    "tuple_type": "must be an array",
    "union_tag_invalid": "has an unknown kind",
    "union_tag_not_found": "needs a kind",
}
_RULES_WITH_LIMITS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "greater_than_equal": lambda ctx: f"must be at least {ctx['ge']}",
    "less_than_equal": lambda ctx: f"must be at most {ctx['le']}",
    "literal_error": lambda ctx: f"must be {ctx['expected']}",
    "string_pattern_mismatch": lambda ctx: f"must match {ctx['pattern']}",
    "string_too_long": lambda ctx: f"must hold at most {ctx['max_length']:,} characters",
    "string_too_short": lambda ctx: f"must hold at least {ctx['min_length']:,} characters",
    "too_long": lambda ctx: f"must hold at most {ctx['max_length']:,} entries",
    "too_short": lambda ctx: f"must hold at least {ctx['min_length']:,} entries",
}


def checked(adapter: TypeAdapter[_Row], document: object) -> _Row:
    """Return `document` as what `adapter` describes; raises `Fault` with the field."""
    try:
        row: _Row = adapter.validator.validate_python(document)
    except ValidationError as error:
        raise fault_of(error, document) from None
    return row


def fault_of(error: ValidationError, document: object) -> Fault:
    """Return the first error as a `Fault`; `document` turns ids on the way into ordinals."""
    details = error.errors(include_input=False, include_url=False)
    first = details[0]
    return Fault(_rule(first), field=_field(first, document))


def _rule(detail: ErrorDetails) -> str:
    kind = detail["type"]
    if kind in _RULES:
        return _RULES[kind]
    describe = _RULES_WITH_LIMITS.get(kind)
    return describe(detail.get("ctx", {})) if describe else f"breaks the rule {kind}"


def _field(detail: ErrorDetails, document: object) -> str | None:
    location = detail["loc"]
    if detail["type"] == "extra_forbidden":
        location = location[:-1]  # the unknown field's name is input
    path = ""
    here: object = document
    holder = ""  # the field that `here` is the value of; ids may be words of the format too
    for at, part in enumerate(location, 1):
        if isinstance(part, int):
            path += f"[{part}]"
        elif holder in _FREE_FORM or part == "[key]":
            break
        elif isinstance(here, dict) and (holder in _KEYED_BY_ID or location[at : at + 1] == ("[key]",)):
            path += f"[{_ordinal(here, part)}]"
            holder = _KEYED_TWICE.get(holder, "")
        elif part in _UNION_TAGS and not (isinstance(here, dict) and part in here):
            continue
        else:
            path += f".{part}" if path else part
            holder = part
        here = _step(here, part)
    return path or None


def _ordinal(here: dict[str, object], key: str) -> int | str:
    return list(here).index(key) if key in here else "?"


def _step(here: object, part: int | str) -> object:
    if isinstance(here, dict) and isinstance(part, str):
        return here.get(part)
    if isinstance(here, list) and isinstance(part, int) and part < len(here):
        return here[part]
    return None
