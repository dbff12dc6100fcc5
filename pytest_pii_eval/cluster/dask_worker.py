"""The side of a dask worker: one bench a process, tasks with integer arguments; imports distributed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple, final

from distributed import WorkerPlugin, get_worker

from pytest_pii_eval.cluster.batches import Batch
from pytest_pii_eval.cluster.bench import Bench
from pytest_pii_eval.cluster.engines import Task, done
from pytest_pii_eval.cluster.hush import Hush
from pytest_pii_eval.cluster.mapped import Told
from pytest_pii_eval.cluster.reaching import OTHER_CODE
from pytest_pii_eval.cluster.recipe import unpacked
from pytest_pii_eval.cluster.veil import unveiled, veiled
from pytest_pii_eval.reports.provenance import package_version, source_sha256

if TYPE_CHECKING:
    from distributed import Worker

_HUSH: Final = Hush(re.compile(r"(\d+-)?Dask-|Profile|TCP-Executor"))


class Code(NamedTuple):
    """What runs in a process: version and hash of this package."""

    version: str
    source: str


def code() -> Code:
    """Return what runs here."""
    return Code(package_version(), source_sha256())


@final
class BenchPlugin(WorkerPlugin):
    """Brings the recipe to every worker, also to one that joins later; its first batch builds the bench.

    A worker of other code does not read the recipe, and answers each batch with that. One without this
    package cannot even read the plugin, and logs its beginning: there the recipe is veiled.
    """

    idempotent = True

    def __init__(self, name: str, made_by: Code, recipe: bytes) -> None:
        self.name = name
        self._made_by = made_by
        self._bench: Bench | None = None
        self._worker = ""
        self._veil: bytes | None = veiled(recipe)

    def setup(self, worker: Worker) -> None:
        """Unpack the recipe; from here on this process is silent, until the run ends."""
        self._worker = str(worker.address)
        if self._veil is not None and self._made_by == code():
            _HUSH.enter()
            self._bench = Bench(unpacked(unveiled(self._veil)), at_close=_HUSH.leave)
        self._veil = None

    def teardown(self, worker: Worker) -> None:  # noqa: ARG002  # as dask calls it
        """Close what was built."""
        if self._bench is not None:
            self._bench.close()

    def done(self, task: Task, batch: Batch) -> Any:
        """Return the result of a task; raises `StorageFailure`."""
        if self._bench is None:
            return Told(f"--cluster: the worker {self._worker} {OTHER_CODE}", "", None, None)
        return done(self._bench, task, batch)


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
