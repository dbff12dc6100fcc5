"""The corpora of one corpora file: those asked for, each prepared and checked, or absent with its command."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.collection.corpora.corpus import Corpus, own_rules
from pytest_pii_eval.contracts.corpora_file import read_corpora
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.cache import DEFAULT_CACHE, Cache, is_committed, refuse_links
from pytest_pii_eval.corpora.finding import build_adapter
from pytest_pii_eval.corpora.recipe import make_recipe
from pytest_pii_eval.corpora.shipped import CORPORA, shipped_path
from pytest_pii_eval.corpora.verify import check_prepared
from pytest_pii_eval.scoring.metrics import METRIC_NAMES, TYPE_METRIC_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_pii_eval.contracts.corpora_file import CorporaFile, Pin
    from pytest_pii_eval.settings import Settings


class _Desk(NamedTuple):
    """What every corpus of a file is opened with."""

    file: CorporaFile
    settings: Settings
    cache: Cache
    make: Callable[[str], object | None]

    def places(self) -> str:
        """Return the options that name corpora file and cache, where a command here would look elsewhere."""
        here, settings = Path.cwd(), self.settings
        options = ""
        own = here / CORPORA
        if self.file.path != own and (own.exists() or self.file.path != shipped_path()):
            options += f" --corpora={_named(self.file.path, settings)}"
        if self.cache.root != here / DEFAULT_CACHE:
            options += f" --cache={_named(self.cache.root, settings)}"
        return options


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
        _check_metrics(file)
    except Fault as fault:
        raise Fault(fault.rule, file=shown, line=fault.line, field=fault.field) from None
    desk = _Desk(file, settings, Cache(settings.corpora_cache or settings.root / DEFAULT_CACHE), make)
    kept: set[str] = set()
    is_whole = not settings.corpora
    for key, pin in file.pins.items():
        if not settings.corpora or key in settings.corpora:
            one = _opened(desk, pin)
            is_whole = is_whole and isinstance(one, Corpus)
            if isinstance(one, Corpus):
                kept.update(rule.id for rule in one.suite_file.rules())
            yield one
    for rule in file.suite.rules() if is_whole else ():
        if rule.id not in kept:
            raise Fault("is a type of no corpus that the gate speaks of", file=shown, field=f"{rule.id}.type")


def _check_keys(file: CorporaFile, settings: Settings) -> None:
    unknown = len(settings.corpora - file.pins.keys())
    if unknown:
        known = ", ".join(file.pins)
        raise Fault(
            f"--pii-corpus: {unknown} of the {len(settings.corpora)} keys are not in it; it has: {known}"
        )


def _check_metrics(file: CorporaFile) -> None:
    for rule in file.suite.rules():
        if rule.metric not in (METRIC_NAMES if rule.type is None else TYPE_METRIC_NAMES):
            whose = "a slice" if rule.type is None else "a single type"
            raise Fault(f"is no metric of {whose}", field=f"{rule.id}.metric")


def _opened(desk: _Desk, pin: Pin) -> Corpus | Absent:
    file = desk.file
    if pin.sha256 is None:
        return Absent(
            pin.key, f"pii-eval corpus lock FILE, for the sha256 that its pin in {file.path.name} lacks"
        )
    if ":" in pin.adapter:
        _look_beside(desk)
    recipe = make_recipe(pin, build_adapter(pin.adapter, pin.options, desk.make), file.taxonomy)
    folder = desk.cache.prepared(recipe)
    if not is_committed(folder):
        places = desk.places()
        fetch = "" if pin.source.url is None else f"pii-eval corpus download {pin.key}{places} && "
        return Absent(pin.key, f"{fetch}pii-eval corpus prepare {pin.key}{places}")
    refuse_links(folder)
    receipt = check_prepared(recipe, folder, places=desk.places())
    suite = own_rules(file.suite, pin.key, recipe.types or receipt.spans_by_type)
    return Corpus(pin, receipt, folder, suite, desk.settings.shown(file.path))


def _look_beside(desk: _Desk) -> None:
    """Look modules up beside the corpora file, as the command does, after all else."""
    for folder in (*desk.settings.module_paths, str(desk.file.path.parent)):
        if folder not in sys.path:
            sys.path.append(folder)


def _named(path: Path, settings: Settings) -> str:
    """Return what a path is called from here; outside the root directory only its last part is told."""
    inside = path.is_relative_to(settings.root)
    return quote(os.path.relpath(path) if inside else path.name)
