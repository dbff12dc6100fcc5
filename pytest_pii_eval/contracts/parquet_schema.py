"""Which columns of a Parquet file can be rows of ours: strings, integers, and lists and structs of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_STRINGS: Final = frozenset({"string", "large_string", "string_view"})
_INTEGERS: Final = frozenset({f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)})
_LISTS: Final = ("is_list", "is_large_list", "is_fixed_size_list")
_FOREIGN: Final = {
    "is_floating": "floats",
    "is_boolean": "booleans",
    "is_decimal": "decimals",
    "is_temporal": "times",
    "is_map": "maps",
    "is_binary": "bytes that are not marked as text",
    "is_large_binary": "bytes that are not marked as text",
    "is_fixed_size_binary": "bytes that are not marked as text",
}


def check_schema(schema: Any) -> None:
    """Raise `Fault` without place where a column holds what no field of a row may hold, or two share a name.

    What is read of the others: strings in any encoding of theirs, and integers of any width. Whether they
    are the fields of a row is the contract's matter. Columns are named by their number, from 1: their names
    are the file's own.
    """
    for number, column in enumerate(schema, start=1):
        offence = next(_offences(column.type), None)
        if offence is not None:
            raise Fault(f"column {number} holds {offence}; strings and integers are wanted")
    if _has_twice(column.name for column in schema):
        raise Fault("has two columns of one name")


def _offences(type_: Any) -> Iterator[str]:
    """Yield what is wrong with a type, and with those inside it."""
    from pyarrow import types  # noqa: PLC0415  # optional, and there: the file is open

    if types.is_struct(type_):
        fields = [type_.field(at) for at in range(type_.num_fields)]
        if not fields or _has_twice(field.name for field in fields):
            yield "a struct with two fields of one name, or with none"
        for field in fields:
            yield from _offences(field.type)
    elif any(getattr(types, is_list)(type_) for is_list in _LISTS) or types.is_dictionary(type_):
        yield from _offences(type_.value_type)
    elif str(type_) not in _STRINGS | _INTEGERS | {"null"}:
        yield next((words for kind, words in _FOREIGN.items() if getattr(types, kind)(type_)), "other values")


def _has_twice(names: Iterable[str]) -> bool:
    listed = list(names)
    return len(set(listed)) != len(listed)
