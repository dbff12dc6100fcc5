"""Batches on the workers of a dask cluster, or of one that is started here; imports distributed."""

from __future__ import annotations

import secrets
import time
from asyncio import CancelledError
from collections import deque
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any, Final, final

from pytest_pii_eval.cluster.arguments import local_workers
from pytest_pii_eval.cluster.engines import Lost, Task
from pytest_pii_eval.cluster.local_cluster import local_cluster
from pytest_pii_eval.cluster.reaching import (
    OTHER_CODE,
    client_of,
    library,
    quiet,
    reached,
    wait_for_worker,
)
from pytest_pii_eval.cluster.storage import StorageFailure
from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_pii_eval.cluster.batches import Batch

AHEAD: Final = 4
"""Batches in flight or waiting to be added up, a thread of the workers."""

_RETRIES: Final = 3
_OFTEN: Final = 1.0
_CLOSING: Final = 5
_HOPELESS: Final = 3
"""Batches that kill every worker, from the first on, after which no other is tried."""


@final
class DaskEngine:
    """Maps on a cluster; raises `Fault` where there is no library, no scheduler or no worker.

    A batch whose worker dies is tried again by the engine (`distributed.scheduler.allowed-failures`), and
    then once more alone, as others may have died with it; one that kills even then is `Lost`. Where the first
    batches are lost so and none was ever done, the rest is not tried: `Fault`.
    """

    def __init__(self, address: str, recipe: bytes) -> None:
        self._cluster: Any = None
        self._client: Any = None
        self._run = secrets.token_hex(6)
        self._tries = 0
        self._known = 1
        self._asked = -_OFTEN
        self._lost = 0
        self._works = False
        self._undone = ExitStack()
        self.processes = 0
        try:
            self._connect(address)
            self._register(recipe)
        except BaseException:
            self.close()
            raise

    def map(self, task: Task, batches: Iterable[Batch]) -> Iterator[tuple[Batch, Any]]:
        """Yield each batch with its result, in order."""
        waiting: deque[tuple[Batch, Any]] = deque()
        left = iter(batches)
        more = True
        while more or waiting:
            while more and len(waiting) < AHEAD * self._threads():
                batch = next(left, None)
                if batch is None:
                    more = False
                else:
                    waiting.append((batch, self._submitted(task, batch)))
            if waiting:
                batch, future = waiting.popleft()
                yield batch, self._result(task, batch, future, [one for _, one in waiting])

    def close(self) -> None:
        """Cancel what runs, forget the recipe, and end the workers that were started here."""
        quiet()
        with suppress(Exception):  # a cluster that is gone has nothing to forget
            if self._client is not None:
                self._client.unregister_worker_plugin(f"pii-eval-{self._run}")
        for one in (self._client, self._cluster):
            if one is not None:
                with suppress(Exception):
                    one.close(timeout=_CLOSING)
        self._client = self._cluster = None
        self._undone.close()

    def _connect(self, address: str) -> None:
        library()
        workers = local_workers(address)
        quiet()
        if workers is not None:
            self._cluster = local_cluster(workers, self._undone)
        self._client = client_of(self._cluster or address)
        wait_for_worker(self._client)

    def _register(self, recipe: bytes) -> None:
        """Send the recipe, once every worker has said that it runs the code that runs here."""
        from pytest_pii_eval.cluster.dask_worker import BenchPlugin, code, plugin_name  # noqa: PLC0415  # an extra

        here = code()
        try:
            told: dict[str, Any] = self._client.run(code, on_error="return")
            others = sorted(str(worker) for worker, there in told.items() if there != here)
            if not others:
                self._client.register_plugin(BenchPlugin(plugin_name(self._run), here, recipe))
                return
            rule = f"the worker {others[0]} {OTHER_CODE}"
        except (Exception, CancelledError) as error:  # noqa: BLE001  # a worker or the scheduler that left meanwhile
            rule = f"the workers do not take the run ({type(error).__name__}); install there what is here"
        raise Fault(f"--cluster: {rule}")

    def _threads(self) -> int:
        """Return how many threads the workers have, which may join and leave meanwhile."""
        if time.monotonic() >= self._asked + _OFTEN:
            with reached():
                workers: dict[str, int] = self._client.nthreads()
            self._asked = time.monotonic()
            self.processes = max(self.processes, len(workers))
            self._known = max(1, sum(workers.values()))
        return self._known

    def _submitted(self, task: Task, batch: Batch) -> Any:
        from pytest_pii_eval.cluster.dask_worker import run_task  # noqa: PLC0415  # an extra

        self._tries += 1
        key = f"{task}-{self._run}-{batch.number}-{self._tries}"
        with reached():
            return self._client.submit(
                run_task, list(Task).index(task), *batch, key=key, pure=False, retries=_RETRIES
            )

    def _result(self, task: Task, batch: Batch, future: Any, others: list[Any]) -> Any:
        killed = library().KilledWorker
        try:
            return self._fetched(future)
        except killed:
            if others:
                library().wait(others)
        try:
            return self._fetched(self._submitted(task, batch))
        except killed:
            return self._given_up()

    def _fetched(self, future: Any) -> Any:
        try:
            with reached():
                result = future.result()
        except StorageFailure as failure:
            return Lost(died=False, kind=str(failure))
        self._works = True
        return result

    def _given_up(self) -> Lost:
        self._lost += 1
        if self._works or self._lost < _HOPELESS:
            return Lost(died=True)
        rule = f"the first {self._lost} batches ended every worker; does the detector start there?"
        raise Fault(f"--cluster: {rule}")
