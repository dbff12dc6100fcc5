"""What the actions of `pii-eval corpus` do with the corpora of one file, as lines to print; no exit codes."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple, final

from pytest_pii_eval.contracts.corpora_file import read_corpora
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.artifact import check_artifact
from pytest_pii_eval.corpora.cache import DEFAULT_CACHE, Cache, is_committed
from pytest_pii_eval.corpora.download import download
from pytest_pii_eval.corpora.finding import build_adapter
from pytest_pii_eval.corpora.listing import state_of_corpus, table
from pytest_pii_eval.corpora.prepare import prepare
from pytest_pii_eval.corpora.recipe import Recipe, make_recipe
from pytest_pii_eval.corpora.shipped import CORPORA, shipped_path
from pytest_pii_eval.corpora.verify import verify
from pytest_pii_eval.progress import BYTES, Bar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_pii_eval.contracts.corpora_file import Pin
    from pytest_pii_eval.corpora.receipt import Receipt


class Places(NamedTuple):
    """Where things are: the working directory, the corpora file (None: not named), the cache."""

    root: Path
    corpora: Path | None
    cache: Path


@final
class Shelf:
    """The corpora of a file, and how far each has come in the cache; raises `Fault` where the file is bad.

    `make` knows adapters that are not shipped. `quiet` draws no progress bars. Methods on a corpus return a
    line to print, and raise `Fault`, `OSError`, or whatever a stranger's adapter raises.
    """

    def __init__(self, places: Places, make: Callable[[str], object | None], *, quiet: bool) -> None:
        path = places.corpora or places.root / CORPORA
        if places.corpora is None and not path.exists():
            path = shipped_path()
        self._file = read_corpora(path, root=places.root)
        self._cache = Cache(places.cache)
        self._make = make
        self._quiet = quiet
        self._places = places
        # Modules of `module:attribute` adapters: behind everything else, as for detectors.
        sys.path.extend(one for one in {str(places.root), str(path.parent)} if one not in sys.path)

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the file, in its order."""
        return tuple(self._file.pins)

    def listed(self, *, notes: bool) -> Iterator[str]:
        """Yield a line a corpus; with `notes`, also who may have it."""
        pins = self._file.pins.values()
        states = [state_of_corpus(pin, self._cache, self._file.path.parent, self._recipe) for pin in pins]
        return table(pins, states, notes=notes)

    def download(self, key: str) -> str:
        """Fetch the artifact of a corpus; where it is a local file, say which."""
        pin = self._file.pins[key]
        if pin.source.path is not None and pin.source.url is None:
            return f"{key}: a local file, there is nothing to download; {self._expected(pin.source.path)}"
        with closing(Bar(0, pin.size, quiet=self._quiet, unit=BYTES, label=key)) as bar:
            path = download(pin, self._cache, progress=bar.show)
        size = path.stat().st_size
        return f"{key}: {size:,} bytes, as pinned; now: pii-eval corpus prepare {key}{self._named()}"

    def prepare(self, key: str, artifact: Path | None) -> str:
        """Make the suite of a corpus, of `artifact` where that is given."""
        pin = self._file.pins[key]
        recipe = self._recipe(pin)
        path = artifact or self._artifact(pin)
        if path is None:
            raise Fault(self._lacking(pin))
        if artifact is not None and is_committed(self._cache.prepared(recipe)):
            check_artifact(pin, artifact)  # which nobody does where the suite is there already
        removed: list[str] = []
        with closing(Bar(0, None, quiet=self._quiet, unit="row", label=key)) as bar:
            receipt = prepare(
                recipe, path, self._cache, progress=bar.show, removed=lambda: removed.append("; made anew")
            )
        kept = self._kept("--pii-corpora-cache")
        named = self._file.path.name
        known = "" if named == CORPORA else f" -o pii_corpora={quote(named)}"
        file = quote(self._shown(self._file.path))
        run = f"pytest {file}{known} --pii-corpus={key}{kept} --pii-detector=..."
        return f"{_told(receipt)}{''.join(removed)}; now: {run}"

    def verify(self, key: str, artifact: Path | None) -> str:
        """Check the suite of a corpus again, against `artifact` where that is given."""
        pin = self._file.pins[key]
        path = artifact or self._artifact(pin)
        receipt = verify(self._recipe(pin), self._cache, path, places=self._named())
        return f"{_told(receipt)}; all of it holds"

    def _recipe(self, pin: Pin) -> Recipe:
        adapter = build_adapter(pin.adapter, pin.options, self._make)
        return make_recipe(pin, adapter, self._file.taxonomy)

    def _artifact(self, pin: Pin) -> Path | None:
        """Return where the artifact lies, or None where it does not."""
        local = pin.source.path
        path = self._cache.artifact(pin) if local is None else self._file.path.parent / local
        return path if path.exists() or path.is_symlink() else None

    def _expected(self, local: str) -> str:
        path = self._file.path.parent / local
        return f"it {'is' if path.is_file() else 'belongs to'} {self._shown(path)}"

    def _lacking(self, pin: Pin) -> str:
        if pin.source.path is not None:
            return f"its file is not there: {pin.source.path}, beside the corpora file"
        command = f"pii-eval corpus download {pin.key}{self._named()}"
        return f"is not downloaded; run '{command}', or name a copy with --artifact"

    def _named(self) -> str:
        """Return the options that name the places, where the next command would not find them by itself."""
        corpora = self._places.corpora
        return ("" if corpora is None else f" --corpora={quote(self._shown(corpora))}") + self._kept(
            "--cache"
        )

    def _kept(self, option: str) -> str:
        usual = self._places.root / DEFAULT_CACHE
        cache = self._places.cache
        return "" if cache == usual else f" {option}={quote(self._shown(cache))}"

    def _shown(self, path: Path) -> str:
        """Return what a file is called from the working directory."""
        return os.path.relpath(path, self._places.root)


def _told(receipt: Receipt) -> str:
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in receipt.quarantined.items())
    return (
        f"{receipt.key}: {receipt.documents:,} documents, {receipt.spans:,} spans;"
        f" quarantined: {reasons or 'none'}"
    )
