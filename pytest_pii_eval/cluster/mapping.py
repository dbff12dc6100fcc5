"""Batches of a suite through an engine, with progress; what crosses rows is checked at the end."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any, final

from pytest_pii_eval.cluster.batches import cut
from pytest_pii_eval.cluster.engines import Lost, Task
from pytest_pii_eval.cluster.mapped import Told
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.records import RecordContract
from pytest_pii_eval.progress import BYTES, Bar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_pii_eval.cluster.batches import Batch
    from pytest_pii_eval.cluster.bench import Bench
    from pytest_pii_eval.cluster.directory import CountedDirectory
    from pytest_pii_eval.cluster.engines import Engine
    from pytest_pii_eval.cluster.merge import Merge
    from pytest_pii_eval.cluster.staging import Staged
    from pytest_pii_eval.cluster.storage import StoredFile
    from pytest_pii_eval.contracts.places import Place
    from pytest_pii_eval.contracts.provenance import Origin
    from pytest_pii_eval.contracts.records import Record


@final
class Mapping:
    """The batches of one run; `bench` is that of the client, which reads what no worker could."""

    def __init__(self, bench: Bench, engine: Engine, *, batch_bytes: int, quiet: bool) -> None:
        self.bench = bench
        self._engine = engine
        self._batch_bytes = batch_bytes
        self._quiet = quiet
        self.shown = bench.recipe.shown

    def batches(self, files: Iterable[StoredFile], most: int | None = None) -> list[Batch]:
        """Return the batches of some files of the recipe, in order, of at most so many bytes."""
        numbers = {file.name: number for number, file in enumerate(self.bench.recipe.files)}
        size = self._batch_bytes if most is None else min(most, self._batch_bytes)
        return list(cut(((numbers[file.name], file) for file in files), size))

    def results(self, task: Task, batches: Sequence[Batch], done: int = 0) -> Iterator[tuple[Batch, Any]]:
        """Yield each batch with its result, or `Lost` where it killed; raises `Fault` for all else.

        `done` are the bytes of batches before these.
        """
        total = done + sum(batch.size for batch in batches)
        with closing(Bar(done, total, quiet=self._quiet, unit=BYTES, label=task)) as bar:
            for batch, result in self._engine.map(task, batches):
                if isinstance(result, Told):
                    raise result.fault("", 0)
                if isinstance(result, Lost) and not result.died:
                    raise Fault(f"cannot be read ({result.kind})", file=self.shown[batch.file])
                yield batch, result
                done += batch.size
                bar.show(done)

    def named(self, batch: Batch, before: int, rows: int) -> str:
        """Return what a report and the terminal call a batch that killed every worker."""
        many = "document" if rows == 1 else "documents"
        return f"{self.shown[batch.file]}:{before + 1} ({rows:,} {many}: every worker died)"

    def check(self, directory: CountedDirectory, merge: Merge, found: Staged) -> None:
        """Check what crosses records, and then that provenance covers them; raises `Fault`."""
        contract = RecordContract(directory.plan, self.bench.fittings().bank)
        batches = self.batches(found.of_kind("records"))
        again: Iterator[Record] = (
            record for batch in batches for _, record in self.bench.read(batch, contract)
        )
        directory.finish(merge.gold, again)
        provenance = found.of_kind("provenance")
        directory.cover(self._origins(provenance), is_there=bool(provenance))

    def _origins(self, files: Sequence[StoredFile]) -> Iterator[tuple[Origin, Place]]:
        rows = dict.fromkeys(range(len(self.shown)), 0)
        for batch, result in self.results(Task.ORIGINS, self.batches(files)):
            found = self.bench.origins(batch) if isinstance(result, Lost) else result
            shown, before = self.shown[batch.file], rows[batch.file]
            for rows[batch.file], origin in enumerate(found.origins(), start=before + 1):
                yield origin, (shown, rows[batch.file])
            if found.fault is not None:
                raise found.fault.fault(shown, before)
