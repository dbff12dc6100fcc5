"""Turning a user's own exports into a private quality suite: read twice, written whole or not at all."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.contracts.faults import Fault, printable
from pytest_pii_eval.corpora.finding import build_adapter
from pytest_pii_eval.corpora.import_inputs import committed, states
from pytest_pii_eval.corpora.import_labels import unknown_lines, unmapped_line
from pytest_pii_eval.corpora.import_plan import import_plan
from pytest_pii_eval.corpora.import_reading import Reading
from pytest_pii_eval.corpora.import_wish import corpus_of, recipe_of, taxonomy_of
from pytest_pii_eval.corpora.import_writing import Writing
from pytest_pii_eval.corpora.receipt import RECEIPT
from pytest_pii_eval.private import private_directory, refuse_unsafe_target, remove_leftovers
from pytest_pii_eval.progress import Bar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pytest_pii_eval.contracts.taxonomy import Taxonomy
    from pytest_pii_eval.corpora.counting import Counts
    from pytest_pii_eval.corpora.deriving import Document
    from pytest_pii_eval.corpora.draft import Unfit
    from pytest_pii_eval.corpora.files import Target
    from pytest_pii_eval.corpora.import_wish import Wish
    from pytest_pii_eval.corpora.receipt import Committed, Receipt
    from pytest_pii_eval.corpora.recipe import Recipe

_SHOWN: Final = 10
_STEP: Final = 500


@final
class Import:
    """One import; `run` does it, and `lines` tells of rows that do not fit, whether or not it worked.

    `make` knows adapters that are not shipped, by their name.
    """

    def __init__(self, wish: Wish, make: Callable[[str], object | None] = lambda _: None) -> None:
        self._wish = wish
        self._make = make
        self._unfit: list[str] = []
        self._quarantined: Counter[str] = Counter()
        self._notes: list[str] = []

    def run(self) -> Receipt:
        """Write the suite and return its receipt; raises `Fault` or `OSError`."""
        wish = self._wish
        _check_target(wish)
        taxonomy = taxonomy_of(wish)
        adapter = build_adapter(wish.format, wish.options, self._make)
        if getattr(adapter, "keeps_labels_apart", False):
            rule = "keeps documents and labels apart: pin it, and run 'pii-eval corpus prepare'"
            raise Fault(f"{wish.format} {rule}")
        before = states(wish.inputs)
        found = committed(wish.inputs, wish.format)
        recipe = recipe_of(wish, adapter, found, taxonomy)
        counts = self._counted(recipe, taxonomy)
        with private_directory(wish.target) as directory:
            receipt = self._written(recipe, found, counts, directory)
            if states(wish.inputs) != before:
                raise _changed()
            directory.write(RECEIPT, receipt.rendered())
        return receipt

    def lines(self) -> list[str]:
        """Return what to print of rows that were left out, and of labels; no text and no ids."""
        total = self._quarantined.total()
        left = total - len(self._unfit)
        more = [f"and {left:,} more rows"] if left else []
        counted = [f"quarantined: {_reasons(self._quarantined)}"] if total else []
        return [*self._unfit, *more, *counted, *self._notes]

    def _counted(self, recipe: Recipe, taxonomy: Taxonomy) -> Counts:
        """Read all of it once, and count; raises `Fault` where no suite comes of it."""
        reading = Reading(recipe, self._wish.inputs, self._left_out)
        for _ in self._shown(reading, "reading"):
            pass
        counts = reading.counts()
        self._notes = _notes(self._wish, reading, taxonomy)
        _check(self._wish, counts)
        return counts

    def _written(self, recipe: Recipe, found: Committed, counts: Counts, target: Target) -> Receipt:
        """Read all of it again, and write."""
        wish = self._wish
        negative = counts.documents_without_gold > 0 and not (wish.partial or wish.weak)
        types = list(counts.spans_by_type)
        plan = import_plan(recipe, types, single_class=wish.single_class, negative=negative)
        reading, writing = Reading(recipe, wish.inputs), Writing(target)
        writing.documents(self._shown(reading, "writing"), plan, corpus_of(wish, found))
        writing.plan(plan)
        if wish.taxonomy is not None:
            writing.taxonomy(wish.taxonomy)
        if reading.counts() != counts:
            raise _changed()
        return writing.receipt(recipe, found, counts)

    def _shown(self, reading: Reading, label: str) -> Iterator[Document]:
        with closing(Bar(0, None, quiet=self._wish.quiet, unit="row", label=label)) as bar:
            for number, document in enumerate(reading.documents(), 1):
                yield document
                if number % _STEP == 0:
                    bar.show(reading.rows)
            bar.show(reading.rows)

    def _left_out(self, name: str, unfit: Unfit) -> None:
        self._quarantined[unfit.reason] += 1
        if len(self._unfit) < _SHOWN:
            self._unfit.append(f"{printable(name)}:{unfit.row}: {unfit.reason}")


def _check_target(wish: Wish) -> None:
    refusal = refuse_unsafe_target(wish.target, allow_tracked=wish.allow_tracked, option="--allow-tracked")
    if refusal is not None:
        raise Fault(refusal, file=wish.shown)
    remove_leftovers(wish.target)


def _check(wish: Wish, counts: Counts) -> None:
    total = sum(counts.quarantined.values())
    if total > wish.max_quarantined:
        raise Fault(
            f"{total:,} of {counts.rows:,} rows do not fit, and --max-quarantined is"
            f" {wish.max_quarantined:,}; nothing was written"
        )
    if not counts.documents:
        other = f" ({', '.join(counts.held_out)} there is)" if counts.held_out else ""
        raise Fault(f"none of {counts.rows:,} rows is a document of the role {wish.role}{other}")
    if not counts.spans_by_type:
        raise Fault(f"none of {counts.documents:,} documents has a span, so there is no type to score")


def _notes(wish: Wish, reading: Reading, taxonomy: Taxonomy) -> list[str]:
    notes = unknown_lines(reading.unknown, taxonomy)
    warning = unmapped_line(reading.seen, taxonomy) if wish.labels.are_types and not notes else None
    absent = len(wish.labels.excluded - reading.seen)
    if absent:
        notes.append(f"note: {absent:,} of the excluded labels occur in no row")
    return notes if warning is None else [*notes, warning]


def _reasons(quarantined: Mapping[str, int]) -> str:
    return ", ".join(f"{reason} {count:,}" for reason, count in sorted(quarantined.items()))


def _changed() -> Fault:
    return Fault(
        "the input changed while it was read, or its adapter reads it differently twice; start again"
    )
