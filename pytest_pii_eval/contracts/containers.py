"""How rows lie in a file, by the end of its name: JSON Lines, plain or packed, or Parquet; opens none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Mapping

Container = Literal["jsonl", "gzip", "zstd", "parquet"]
"""Plain JSON Lines, those in gzip or Zstandard, or Parquet."""

MAY_BE_PACKED: Final = frozenset({"records", "provenance", "bindings"})
"""The kinds of files whose rows may lie in any container: those that have rows about documents."""

_CONTAINERS: Final[Mapping[str, Container]] = {"gz": "gzip", "zst": "zstd", "parquet": "parquet"}


def container_of(name: str) -> Container:
    """Return how rows lie in a file of this name."""
    return _CONTAINERS.get(name.rpartition(".")[2], "jsonl")


def plain_name(name: str) -> str:
    """Return the name that the file would have if its rows lay in it as plain JSON Lines."""
    container = container_of(name)
    if container == "jsonl":
        return name
    bare = name.rpartition(".")[0]
    return f"{bare}.jsonl" if container == "parquet" else bare


def refuse_container(kind: str, name: str, shown: str | None = None) -> None:
    """Raise `Fault` where a file of this name and `kind` is in a container that only others may be in."""
    if container_of(name) != "jsonl" and kind not in MAY_BE_PACKED:
        rule = "is packed, and only records, provenance and catalog bindings may be; write it as JSON Lines"
        raise Fault(rule, file=shown or name)
