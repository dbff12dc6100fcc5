"""Predictions made on a cluster: the lines that a run in one process writes, in the same order."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple, final

from pytest_pii_eval.cluster.arguments import MAX_BATCH
from pytest_pii_eval.cluster.batches import cut
from pytest_pii_eval.cluster.bench import Bench
from pytest_pii_eval.cluster.directory import CountedDirectory
from pytest_pii_eval.cluster.engines import Lost, Task
from pytest_pii_eval.cluster.fittings import fitted
from pytest_pii_eval.cluster.mapping import Mapping
from pytest_pii_eval.cluster.merge import Merge
from pytest_pii_eval.cluster.run import on_dask, recipe_of
from pytest_pii_eval.cluster.staging import staged
from pytest_pii_eval.cluster.storage import storage_of
from pytest_pii_eval.collection.subject_building import Builder
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.predicting.making import Making, refuse_empty, refuse_sealed
from pytest_pii_eval.predicting.partial import PartialFile
from pytest_pii_eval.predicting.run import header_of, refuse_out

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_pii_eval.cluster.batches import Batch
    from pytest_pii_eval.cluster.engines import Engine
    from pytest_pii_eval.cluster.mapped import Predicted
    from pytest_pii_eval.cluster.recipe import Recipe
    from pytest_pii_eval.cluster.staging import Staged
    from pytest_pii_eval.predicting.run import Wish


class Place(NamedTuple):
    """Where a cluster is, and where the suite lies for it: a folder or a URL."""

    suite: str
    cluster: str
    batch_bytes: int


@final
class ClusterPrediction(Making):
    """One run over a suite on a cluster; `lost` names the batches that killed workers."""

    def __init__(
        self, wish: Wish, place: Place, engine_of: Callable[[str, Recipe], Engine] | None = None
    ) -> None:
        super().__init__(wish)
        self._place = place
        self._engine_of = engine_of or on_dask
        self.lost: list[str] = []

    def predict(self) -> None:
        """Write the predictions; raises `Fault`, or `OSError` where the disk refuses; what is done stays."""
        wish = self._wish
        refuse_out(wish)
        storage = storage_of(self._place.suite, wish.settings)
        with staged(storage, wish.settings) as found:
            builder = Builder(found.settings, lambda _: None)
            try:
                fittings = fitted(builder)
                directory = CountedDirectory(found.folder, found.settings, builder.bank)
                refuse_sealed(directory)
                refuse_empty(directory, sum(1 for _ in cut(enumerate(found.of_kind("records")), MAX_BATCH)))
                self._fill(found, directory, Bench(recipe_of(found, directory, wish.batch_size), fittings))
            finally:
                self.trouble = builder.close()

    def _fill(self, found: Staged, directory: CountedDirectory, bench: Bench) -> None:
        detector = bench.fittings().subject.detector
        if detector is None:
            raise Fault("predictions are made by a detector or a bank")
        header = header_of(detector)
        self.subject = f"{header.name} {header.version}"
        with (
            closing(PartialFile(self._wish.out, header, shown=self.shown)) as file,
            closing(self._engine_of(self._place.cluster, bench.recipe)) as engine,
        ):
            size, quiet = self._place.batch_bytes, self._wish.quiet
            mapping = Mapping(bench, engine, batch_bytes=size, quiet=quiet)
            filling = _Filling(mapping, file, Merge(directory, mapping.shown, bench.fittings().identity))
            batches = mapping.batches(found.of_kind("records"))
            with directory.population.reading():
                self._go_on(filling, batches)
            mapping.check(directory, filling.merge, found)
            if not filling.merge.agrees:
                raise Fault("the workers have another detector, or other code, than this machine")
            refuse_empty(directory, self.done)
            self.total = self.done
            file.publish(force=self._wish.force)

    def _go_on(self, filling: _Filling, batches: Sequence[Batch]) -> None:
        """Take over what was done before, then predict what was not."""
        mapping, merge = filling.mapping, filling.merge
        first, kept = self._taken_over(filling, batches)
        done = sum(batch.size for batch in batches[:first])
        for batch, result in mapping.results(Task.PREDICT, batches[first:], done):
            predicted: Predicted = result
            if isinstance(result, Lost):
                predicted = mapping.bench.unanswered_lines(batch)
                rows = predicted.mapped.rows
                self.lost.append(mapping.named(batch, merge.rows_before(batch.file), rows))
            merge.add(batch, predicted.mapped)
            self._keep(predicted.lines[kept:], filling.file)
            kept = 0

    def _taken_over(self, filling: _Filling, batches: Sequence[Batch]) -> tuple[int, int]:
        """Return how many batches are done, and how many rows of the next; raises `Fault`.

        What is done is read again here, as its texts may be others now.
        """
        kept = filling.file.kept
        if kept is None:
            return 0, 0
        self.failures += kept.failures
        self._selected = kept.selected
        for number, batch in enumerate(batches):
            mapped, rows = filling.mapping.bench.kept_rows(batch, kept)
            self.done += rows
            if mapped.fault is not None:
                before = filling.merge.rows_before(batch.file)
                raise mapped.fault.fault(filling.mapping.shown[batch.file], before)
            if rows < mapped.rows:
                self._check_taken(len(kept))
                return number, rows
            filling.merge.add(batch, mapped)
        self._check_taken(len(kept))
        return len(batches), 0

    def _check_taken(self, kept: int) -> None:
        if self.done < kept:
            rule = (
                f"holds {kept - self.done:,} documents that do not come first in the suite;"
                " go on without --cluster, or delete it to begin anew"
            )
            raise Fault(rule, file=f"{self.shown}.partial")

    def _keep(self, lines: Sequence[tuple[bytes, int, str | None]], file: PartialFile) -> None:
        try:
            for line, selected, failure in lines:
                self._keep_line(file, line, selected, failure)
        finally:
            file.sync()


class _Filling(NamedTuple):
    """What batches come from, where their lines go, and what crosses them."""

    mapping: Mapping
    file: PartialFile
    merge: Merge
