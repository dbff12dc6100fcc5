"""Turning a pinned artifact into a private quality suite with a receipt: whole, or not at all."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.contracts.canonical import sha256
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input, state_of
from pytest_pii_eval.contracts.slices import make_plan, parse_slice
from pytest_pii_eval.corpora.artifact import check_artifact
from pytest_pii_eval.corpora.cache import is_committed, refuse_links
from pytest_pii_eval.corpora.checking import check_prepared
from pytest_pii_eval.corpora.claims import keeps_labels_apart, not_promotable
from pytest_pii_eval.corpora.counting import Census, receipt_of
from pytest_pii_eval.corpora.deriving import (
    Deriver,
    labels_line,
    plain_line,
    provenance_line,
    record_line,
    text_line,
)
from pytest_pii_eval.corpora.files import (
    DOCUMENTS,
    GAPS,
    LABELS,
    PROVENANCE,
    RECORDS,
    SLICES,
    HashedFile,
    written,
)
from pytest_pii_eval.corpora.plan import corpus_name, gap_rows, slice_row
from pytest_pii_eval.corpora.receipt import RECEIPT
from pytest_pii_eval.corpora.recipe import MAX_TYPES
from pytest_pii_eval.private import private_directory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from pytest_pii_eval.contracts.corpora_file import Pin
    from pytest_pii_eval.corpora.cache import Cache
    from pytest_pii_eval.corpora.counting import Counts
    from pytest_pii_eval.corpora.deriving import Document
    from pytest_pii_eval.corpora.draft import Draft, Unfit
    from pytest_pii_eval.corpora.files import Target
    from pytest_pii_eval.corpora.receipt import Committed, Receipt
    from pytest_pii_eval.corpora.recipe import Recipe

_STEP: Final = 500


def prepare(
    recipe: Recipe,
    artifact: Path,
    cache: Cache,
    *,
    progress: Callable[[int], None] = lambda _: None,
    removed: Callable[[], None] = lambda: None,
) -> Receipt:
    """Make the suite of a corpus in the cache and return its receipt; raises `Fault` or `OSError`.

    Returns the receipt that is there where the suite is prepared already and holds. Anything else in its
    place is removed, once the artifact is known to be there, and `removed` is called. `progress` hears how
    many rows are done. Whatever goes wrong, nothing is left but what a killed process could not remove.
    """
    pin = recipe.pin
    target = cache.prepared(recipe)
    with cache.locked(pin):
        refuse_links(target)
        if is_committed(target):
            with suppress(Fault):
                return check_prepared(recipe, target)
        before = state_of(artifact)  # before it is hashed: what changes behind the hash is a change, too
        found = check_artifact(pin, artifact)
        if cache.clear(recipe):
            removed()
        cache.make_place(target)
        try:
            with private_directory(target) as directory:
                receipt = derive(recipe, artifact, found, directory, progress=progress)
                if state_of(artifact) != before:
                    raise Fault("changed while it was read; start again", file=f"artifact of {pin.key}")
                directory.write(RECEIPT, receipt.rendered())
        finally:
            with suppress(OSError):
                target.parent.rmdir()  # where nothing was left in it
    return receipt


def derive(
    recipe: Recipe,
    artifact: Path,
    found: Committed,
    target: Target,
    *,
    progress: Callable[[int], None] = lambda _: None,
) -> Receipt:
    """Write the files of the suite to `target` and return the receipt; the artifact was checked before.

    Raises `Fault` where more rows are quarantined than the pin declares, or no row fits.
    """
    pin = recipe.pin
    writing = _Writing(recipe, target)
    deriver = Deriver(recipe)
    with writing:
        for document in deriver.documents(_drafts(recipe, artifact, found)):
            writing.take(document)
            if deriver.rows % _STEP == 0:
                progress(deriver.rows)
    progress(deriver.rows)
    counts = writing.census.counts(deriver)
    _check_quarantine(pin, counts)
    if not counts.documents:
        raise Fault(
            f"none of its {counts.rows:,} rows is a document of the pin's role", file=f"artifact of {pin.key}"
        )
    files = {**writing.files(), **_plan(recipe, counts, target)}
    return receipt_of(recipe, found, counts, files, not_promotable=not_promotable(recipe.adapter))


def _plan(recipe: Recipe, counts: Counts, target: Target) -> dict[str, Committed]:
    """Write the slice and the gaps, and return what was written, by name."""
    pin = recipe.pin
    row = slice_row(recipe, _types(recipe, counts.spans_by_type))
    make_plan([parse_slice(row)], pin.gaps)  # what its contract refuses is never written
    gaps = {GAPS: written(target, GAPS, map(plain_line, gap_rows(pin)))} if pin.gaps else {}
    return {SLICES: written(target, SLICES, [plain_line(row)]), **gaps}


@final
class _Writing:
    """The files of a suite while they are written, and what is counted of them."""

    def __init__(self, recipe: Recipe, target: Target) -> None:
        self._corpus = corpus_name(recipe.pin)
        self._apart = keeps_labels_apart(recipe.adapter)
        self._slices = [recipe.pin.key]
        self._target = target
        self._stack = ExitStack()
        self._sinks: dict[str, HashedFile] = {}
        self.census = Census(recipe.pin.split_role)

    def __enter__(self) -> None:
        names = [RECORDS, PROVENANCE, *([DOCUMENTS, LABELS] if self._apart else [])]
        with ExitStack() as stack:
            for name in names:
                self._sinks[name] = HashedFile(stack.enter_context(self._target.open(name)))
            self._stack = stack.pop_all()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with self._stack:
            if kind is None:
                for sink in self._sinks.values():
                    sink.flush()

    def take(self, document: Document) -> None:
        """Write one document to where its role belongs."""
        if self._apart:
            self._sinks[DOCUMENTS].write(text_line(document))
            self._sinks[LABELS].write(labels_line(document))
        if self.census.take(document):
            self._sinks[RECORDS].write(record_line(document, self._slices))
            self._sinks[PROVENANCE].write(provenance_line(document, self._corpus))

    def files(self) -> dict[str, Committed]:
        """Return what was written, by name."""
        return {name: sink.committed() for name, sink in self._sinks.items()}


def _drafts(recipe: Recipe, artifact: Path, found: Committed) -> Iterator[Draft | Unfit]:
    """Read the artifact; one that fits into memory is hashed once more where it is parsed."""
    read_payload = getattr(recipe.adapter, "read_payload", None)
    if read_payload is None:
        return recipe.adapter.read(artifact)
    payload = read_input(artifact, limit=found.bytes)
    if sha256(payload) != found.sha256:
        raise Fault("changed while it was read; start again", file=f"artifact of {recipe.pin.key}")
    drafts: Iterator[Draft | Unfit] = read_payload(payload, artifact.name)
    return drafts


def _check_quarantine(pin: Pin, counts: Counts) -> None:
    total = sum(counts.quarantined.values())
    if total > pin.max_quarantined:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in counts.quarantined.items())
        rule = f"{total:,} of {counts.rows:,} rows do not fit, and the pin declares {pin.max_quarantined:,}"
        raise Fault(f"{rule}: {reasons}", file=f"artifact of {pin.key}")


def _types(recipe: Recipe, by_type: Mapping[str, int]) -> list[str]:
    """Return the scope: what the label map can give, or where labels are types, what is there."""
    types = list(recipe.types or sorted(by_type))
    where = f"artifact of {recipe.pin.key}"
    if not types:
        raise Fault("has no span, so there is no type to score", file=where)
    if len(types) > MAX_TYPES:
        raise Fault(
            f"has {len(types):,} labels; a slice holds {MAX_TYPES} types: give a label map", file=where
        )
    return types
