"""The side of a dask worker: one bench a process, tasks with integer arguments; imports distributed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from distributed import WorkerPlugin, get_worker

from pytest_pii_eval.cluster.batches import Batch
from pytest_pii_eval.cluster.bench import Bench
from pytest_pii_eval.cluster.engines import Task, done
from pytest_pii_eval.cluster.recipe import unpacked

if TYPE_CHECKING:
    from distributed import Worker


@final
class BenchPlugin(WorkerPlugin):
    """Brings the recipe to every worker, also to one that joins later; its first batch builds the bench."""

    idempotent = True

    def __init__(self, name: str, recipe: bytes) -> None:
        self.name = name
        self._recipe: bytes | None = recipe
        self._bench: Bench | None = None

    def setup(self, worker: Worker) -> None:  # noqa: ARG002  # as dask calls it
        """Unpack the recipe."""
        if self._recipe is not None:
            self._bench, self._recipe = Bench(unpacked(self._recipe)), None

    def teardown(self, worker: Worker) -> None:  # noqa: ARG002  # as above
        """Close what was built."""
        if self._bench is not None:
            self._bench.close()

    def done(self, task: Task, batch: Batch) -> Any:
        """Return the result of a task; raises `StorageFailure`."""
        return done(self._bench, task, batch)  # type: ignore[arg-type]  # set up before any task


def run_task(ordinal: int, *batch: int) -> Any:
    """Do one task, the `ordinal`th kind, on one batch; which run it is of is in the task's key.

    dask logs the arguments and the exception of a task that failed: here integers, and the type of a refusal.
    """
    worker = get_worker()
    run = str(worker.get_current_task()).split("-")[1]
    plugin: Any = worker.plugins[plugin_name(run)]
    return plugin.done(list(Task)[ordinal], Batch(*batch))


def plugin_name(run: str) -> str:
    """Return the name of the plugin of a run."""
    return f"pii-eval-{run}"
