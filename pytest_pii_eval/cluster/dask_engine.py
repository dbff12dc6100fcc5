"""Batches on the workers of a dask cluster, or of one that is started here; imports distributed."""

from __future__ import annotations

import logging
import secrets
import time
from asyncio import CancelledError
from collections import deque
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, final

from pytest_pii_eval.cluster.arguments import local_workers
from pytest_pii_eval.cluster.engines import Lost, Task
from pytest_pii_eval.cluster.muted import children_muted
from pytest_pii_eval.cluster.storage import StorageFailure
from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_pii_eval.cluster.batches import Batch

AHEAD: Final = 4
"""Batches in flight or waiting to be added up, a thread of the workers."""

_RETRIES: Final = 3
_OFTEN: Final = 1.0
_SECONDS: Final = 60
_LOCAL_FAILURES: Final = 1
_CLOSING: Final = 5


@final
class DaskEngine:
    """Maps on a cluster; raises `Fault` where there is no library, no scheduler or no worker.

    A batch whose worker dies is tried again by the engine (`distributed.scheduler.allowed-failures`), and
    then once more alone, as others may have died with it; one that kills even then is `Lost`.
    """

    def __init__(self, address: str, recipe: bytes) -> None:
        self._cluster: Any = None
        self._client: Any = None
        self._run = secrets.token_hex(6)
        self._tries = 0
        self._known = 1
        self._asked = -_OFTEN
        self._muted = ExitStack()
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
        self._muted.close()

    def _connect(self, address: str) -> None:
        distributed = _library()
        workers = local_workers(address)
        quiet()
        if workers is not None:
            self._muted.enter_context(children_muted())
            self._cluster = _local_cluster(workers)
        try:
            self._client = distributed.Client(**_target(self._cluster or address))
            self._client.wait_for_workers(1, timeout=_SECONDS)
        except (OSError, TimeoutError, ValueError) as error:
            what = (
                "the scheduler cannot be reached" if self._client is None else "the scheduler has no worker"
            )
            raise Fault(f"--cluster: {what} ({type(error).__name__})") from None

    def _register(self, recipe: bytes) -> None:
        from pytest_pii_eval.cluster.dask_worker import BenchPlugin, plugin_name  # noqa: PLC0415  # an extra

        try:
            self._client.register_plugin(BenchPlugin(plugin_name(self._run), recipe))
        except Exception as error:  # noqa: BLE001  # workers without this package, or with another version
            rule = f"the workers do not take the run ({type(error).__name__}); install there what is here"
            raise Fault(f"--cluster: {rule}") from None

    def _threads(self) -> int:
        """Return how many threads the workers have, which may join and leave meanwhile."""
        if time.monotonic() >= self._asked + _OFTEN:
            with _reached():
                workers: dict[str, int] = self._client.nthreads()
            self._asked = time.monotonic()
            self.processes = max(self.processes, len(workers))
            self._known = max(1, sum(workers.values()))
        return self._known

    def _submitted(self, task: Task, batch: Batch) -> Any:
        from pytest_pii_eval.cluster.dask_worker import run_task  # noqa: PLC0415  # an extra

        self._tries += 1
        key = f"{task}-{self._run}-{batch.number}-{self._tries}"
        with _reached():
            return self._client.submit(
                run_task, list(Task).index(task), *batch, key=key, pure=False, retries=_RETRIES
            )

    def _result(self, task: Task, batch: Batch, future: Any, others: list[Any]) -> Any:
        killed = _library().KilledWorker
        try:
            return self._fetched(future)
        except killed:
            if others:
                _library().wait(others)
        try:
            return self._fetched(self._submitted(task, batch))
        except killed:
            return Lost(died=True)

    def _fetched(self, future: Any) -> Any:
        try:
            with _reached():
                return future.result()
        except StorageFailure as failure:
            return Lost(died=False, kind=str(failure))


@contextmanager
def _reached() -> Iterator[None]:
    """Tell of a cluster that is lost meanwhile, in one of many ways, by a `Fault`."""
    try:
        yield
    except (StorageFailure, _library().KilledWorker):
        raise
    except (Exception, CancelledError) as error:  # noqa: BLE001  # see above
        failure = Fault(f"--cluster: the cluster was lost ({type(error).__name__}); run again")
    else:
        return
    raise failure


def _library() -> Any:
    try:
        import distributed  # noqa: PLC0415  # an extra
    except ImportError:
        raise Fault("--cluster needs dask.distributed; install pytest-pii-eval[cluster]") from None
    return distributed


def _local_cluster(workers: int) -> Any:
    import dask  # noqa: PLC0415  # an extra

    with dask.config.set({"distributed.scheduler.allowed-failures": _LOCAL_FAILURES}):
        return _library().LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            memory_limit=0,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        )


def quiet() -> None:
    """Keep the loggers of dask from the terminal: what has to be said, this package says."""
    for name in ("distributed", "tornado.application", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _target(address: Any) -> dict[str, Any]:
    """Return how a client finds its scheduler: a cluster, an address, or a scheduler file."""
    if isinstance(address, str) and "://" not in address and Path(address).is_file():
        return {"scheduler_file": address}
    return {"address": address}
