"""The table that `pii-eval corpus list` prints: what is pinned, and how far each corpus has come here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.cache import is_committed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from pytest_pii_eval.contracts.corpora_file import Pin
    from pytest_pii_eval.corpora.cache import Cache
    from pytest_pii_eval.corpora.recipe import Recipe


def state_of_corpus(pin: Pin, cache: Cache, folder: Path, recipe_of: Callable[[Pin], Recipe]) -> str:
    """Return `prepared`, `downloaded`, `local` (its file is in `folder`), `no sha256` or `absent`."""
    if pin.sha256 is None:
        return "no sha256"
    if _is_prepared(pin, cache, recipe_of):
        return "prepared"
    if pin.source.path is not None:
        return "local" if (folder / pin.source.path).is_file() else "absent"
    return "downloaded" if is_committed(cache.artifact_folder(pin)) else "absent"


def table(pins: Iterable[Pin], states: Iterable[str], *, notes: bool) -> Iterator[str]:
    """Yield a line a corpus in columns, and with `notes` a second one on who may have it."""
    pins = list(pins)
    rows = [_cells(pin, state) for pin, state in zip(pins, states, strict=True)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for pin, row in zip(pins, rows, strict=True):
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        if notes:
            yield f"    {_plain(pin.redistribution)}"


def _cells(pin: Pin, state: str) -> tuple[str, ...]:
    size = "size unverified" if pin.size is None else f"{pin.size:,} bytes"
    trained = ", ".join(sorted(pin.in_domain_for))
    return (pin.key, state, size, pin.adapter, _plain(pin.licence), f"in-domain: {trained or 'none known'}")


def _is_prepared(pin: Pin, cache: Cache, recipe_of: Callable[[Pin], Recipe]) -> bool:
    try:
        return is_committed(cache.prepared(recipe_of(pin)))
    except Fault:  # its adapter cannot be built here; whoever prepares is told
        return False


def _plain(words: str) -> str:
    """Return free words as one line that moves no cursor."""
    return "".join(one if one.isprintable() else "?" for one in " ".join(words.split()))
