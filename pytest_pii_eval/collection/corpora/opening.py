"""The corpora of one corpora file: those asked for, each prepared and checked, or absent with its command."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.collection.corpora.corpus import Corpus, own_rules
from pytest_pii_eval.contracts.corpora_file import read_corpora
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.cache import DEFAULT_CACHE, Cache, is_committed, refuse_links
from pytest_pii_eval.corpora.finding import build_adapter
from pytest_pii_eval.corpora.recipe import make_recipe
from pytest_pii_eval.corpora.verify import check_prepared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_pii_eval.contracts.corpora_file import CorporaFile, Pin
    from pytest_pii_eval.settings import Settings


class Absent(NamedTuple):
    """A corpus that is not prepared, and the command that prepares it."""

    key: str
    command: str


def open_corpora(
    path: Path, settings: Settings, make: Callable[[str], object | None]
) -> Iterator[Corpus | Absent]:
    """Yield the corpora of the file at `path` that were asked for, in its order.

    Raises `Fault` where the file is at fault, where a key is asked for that it lacks, and where a prepared
    corpus is not what its receipt and its pin say. `make` gives adapters of plugins by name.
    """
    shown = settings.shown(path)
    try:
        file = read_corpora(path, root=settings.root)
        _check_keys(file, settings)
    except Fault as fault:
        raise Fault(fault.rule, file=shown, line=fault.line, field=fault.field) from None
    cache = Cache(settings.corpora_cache or settings.root / DEFAULT_CACHE)
    for key, pin in file.pins.items():
        if not settings.corpora or key in settings.corpora:
            yield _opened(file, pin, cache, make)


def _check_keys(file: CorporaFile, settings: Settings) -> None:
    unknown = len(settings.corpora - file.pins.keys())
    if unknown:
        known = ", ".join(file.pins)
        raise Fault(
            f"--pii-corpus: {unknown} of the {len(settings.corpora)} keys are not in it; it has: {known}"
        )


def _opened(
    file: CorporaFile, pin: Pin, cache: Cache, make: Callable[[str], object | None]
) -> Corpus | Absent:
    if pin.sha256 is None:
        return Absent(pin.key, f"pii-eval corpus lock FILE (its pin has no sha256){_named(file)}")
    recipe = make_recipe(pin, build_adapter(pin.adapter, pin.options, make), file.taxonomy)
    folder = cache.prepared(recipe)
    if not is_committed(folder):
        fetch = "" if pin.source.url is None else f"pii-eval corpus download {pin.key} && "
        return Absent(pin.key, f"{fetch}pii-eval corpus prepare {pin.key}{_named(file)}")
    refuse_links(folder)
    receipt = check_prepared(recipe, folder)
    return Corpus(pin, receipt, folder, own_rules(file.suite, pin.key, recipe.types or receipt.spans_by_type))


def _named(file: CorporaFile) -> str:
    """Return the option that names the corpora file, where the command would not find it by itself."""
    return "" if file.path.name == "corpora.yaml" else f" --corpora {file.path.name}"
