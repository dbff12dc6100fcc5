"""What runs batches, in their order: this process, or the workers of a cluster (`dask_engine`)."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, final

from pytest_pii_eval.cluster.outcomes import outcome_of
from pytest_pii_eval.cluster.storage import StorageFailure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_pii_eval.cluster.batches import Batch
    from pytest_pii_eval.cluster.bench import Bench


class Task(StrEnum):
    """What is done to a batch; the name of its tasks in a dashboard."""

    RECORDS = "records"
    ORIGINS = "origins"
    PREDICT = "predict"
    CASES = "cases"


class Lost(NamedTuple):
    """A batch without result: every process died of it, or its bytes could not be read (`kind` says how)."""

    died: bool
    kind: str = ""


class Engine(Protocol):
    """Maps batches to results; memory is bounded by the batches in flight."""

    @property
    def processes(self) -> int:
        """How many processes asked the detector."""

    def map(self, task: Task, batches: Iterable[Batch]) -> Iterator[tuple[Batch, Any]]:
        """Yield each batch with its result, a `Told` fault, or `Lost`, in the order they are given."""

    def close(self) -> None:
        """End what runs, at once; what was started for this run ends, too."""


@final
class InlineEngine:
    """Does the batches here, one after the other."""

    processes = 1

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def map(self, task: Task, batches: Iterable[Batch]) -> Iterator[tuple[Batch, Any]]:
        """Yield each batch with its result."""
        for batch in batches:
            try:
                yield batch, done(self._bench, task, batch)
            except StorageFailure as failure:
                yield batch, Lost(died=False, kind=str(failure))

    def close(self) -> None:
        """Do nothing: the bench is its owner's."""


def done(bench: Bench, task: Task, batch: Batch) -> Any:
    """Return the result of one task, or its fault as a value; raises `StorageFailure`."""
    return outcome_of(lambda: getattr(bench, task)(batch))
