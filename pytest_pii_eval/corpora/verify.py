"""Checking a prepared corpus deeply: its directory, its receipt, its contracts, and that it derives again."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, Final, TypeVar, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_input
from pytest_pii_eval.contracts.jsonl import read_rows
from pytest_pii_eval.contracts.population import Population
from pytest_pii_eval.contracts.provenance import Coverage, parse_origin
from pytest_pii_eval.contracts.records import RecordContract
from pytest_pii_eval.contracts.slices import make_plan, parse_slice, parse_unsupported
from pytest_pii_eval.corpora.artifact import check_artifact
from pytest_pii_eval.corpora.cache import PREPARED, is_committed, refuse_links
from pytest_pii_eval.corpora.checking import check_prepared
from pytest_pii_eval.corpora.files import GAPS, PROVENANCE, RECORDS, SLICES
from pytest_pii_eval.corpora.prepare import derive
from pytest_pii_eval.corpora.receipt import RECEIPT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_pii_eval.contracts.jsonl import Row
    from pytest_pii_eval.corpora.cache import Cache
    from pytest_pii_eval.corpora.receipt import Receipt
    from pytest_pii_eval.corpora.recipe import Recipe

__all__ = ["check_prepared", "verify"]

_Parsed = TypeVar("_Parsed")

_OTHERS: Final = 0o077


def verify(recipe: Recipe, cache: Cache, artifact: Path | None, *, places: str = "") -> Receipt:
    """Return the receipt of a prepared corpus that holds in every respect; raises `Fault` where not.

    The artifact is hashed again, every file is hashed again, and all is derived from the artifact again:
    equal bytes, equal counts. Where they differ, the files are read by their contracts, which name the line
    if they can. `places` are the options of the commands that are named.
    """
    key = recipe.pin.key
    folder = cache.prepared(recipe)
    refuse_links(folder)
    if not is_committed(folder):
        raise Fault(f"{key} is not prepared; run 'pii-eval corpus prepare {key}{places}'")
    if artifact is None:
        raise Fault(
            f"the artifact of {key} is not here, so its records cannot be derived again;"
            f" run 'pii-eval corpus download {key}{places}', or name it with --artifact"
        )
    receipt = check_prepared(recipe, folder, places=places)
    _check_private(folder)
    found = check_artifact(recipe.pin, artifact)
    if derive(recipe, artifact, found, _Nowhere()) != receipt:
        _check_contracts(folder, receipt)
        raise Fault(
            f"{key} derives to other records than those prepared; remove {PREPARED}/{key} in the cache,"
            f" and run 'pii-eval corpus prepare {key}{places}'",
            file=RECEIPT,
        )
    return receipt


def _check_private(folder: Path) -> None:
    for path in (folder, *sorted(folder.iterdir())):
        found = path.lstat()
        if not (stat.S_ISREG(found.st_mode) or path == folder):
            raise Fault("is no regular file", file=path.name)
        if os.name == "posix" and (found.st_mode & _OTHERS or found.st_uid != os.geteuid()):
            raise Fault(
                "is open to others, or is somebody else's; chmod it to its owner alone", file=path.name
            )


def _check_contracts(folder: Path, receipt: Receipt) -> None:
    slices = _each(folder, SLICES, parse_slice)
    gaps = _each(folder, GAPS, parse_unsupported) if GAPS in receipt.files else []
    with _at(SLICES):
        plan = make_plan(slices, gaps)
    contract, population = RecordContract(plan), Population(plan)
    with population.reading():
        for row in _rows(folder, RECORDS):
            with _at(RECORDS, row.line):
                population.add(contract.parse(row.value), (RECORDS, row.line))
    population.finish()
    coverage = Coverage(population)
    with coverage.reading():
        for row in _rows(folder, PROVENANCE):
            with _at(PROVENANCE, row.line):
                coverage.add(parse_origin(row.value), (PROVENANCE, row.line))
    coverage.finish()


def _each(folder: Path, name: str, parse: Callable[[object], _Parsed]) -> list[_Parsed]:
    parsed = []
    for row in _rows(folder, name):
        with _at(name, row.line):
            parsed.append(parse(row.value))
    return parsed


def _rows(folder: Path, name: str) -> Iterator[Row]:
    with open_input(folder / name) as handle:
        yield from read_rows(handle, file=name)


@contextmanager
def _at(file: str, line: int | None = None) -> Iterator[None]:
    try:
        yield
    except Fault as fault:
        raise fault.at(file=file, line=line) from None


@final
class _Nowhere:
    """A target whose files are counted and hashed, and not kept."""

    @contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:  # noqa: ARG002  # all go to one place
        """Open what swallows everything."""
        with open(os.devnull, "wb") as handle:  # noqa: PTH123  # the null device is no path of ours
            yield handle
