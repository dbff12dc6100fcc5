"""The way to a dask cluster, and what is said where it is barred or lost: always one line."""

from __future__ import annotations

import json
import logging
import pickle
from asyncio import CancelledError
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pytest_pii_eval.cluster.storage import StorageFailure
from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

OTHER_CODE: Final = "has other code than this machine; install there what is here"

_SECONDS: Final = 60
_UNLIKE: Final = (ImportError, AttributeError, TypeError, KeyError, pickle.PickleError)
"""What comes of results and tasks that one side knows and the other does not."""


def library() -> Any:
    """Return the engine's library; raises `Fault` where it is missing."""
    try:
        import distributed  # noqa: PLC0415  # an extra
    except ImportError:
        raise Fault("--cluster needs dask.distributed; install pytest-pii-eval[cluster]") from None
    return distributed


def quiet() -> None:
    """Keep the loggers of dask from the terminal: what has to be said, this package says."""
    ours = [name for name in logging.root.manager.loggerDict if name.startswith("distributed.")]
    for name in ("distributed", "tornado.application", "asyncio", *ours):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def client_of(target: Any) -> Any:
    """Return a client of a cluster object, an address or a scheduler file; raises `Fault`."""
    try:
        return library().Client(**_found(target))
    except Fault:
        raise
    except (Exception, CancelledError) as error:  # noqa: BLE001  # each protocol has its own; told by type
        problem = Fault(f"--cluster: the scheduler cannot be reached ({type(error).__name__})")
    raise problem


def wait_for_worker(client: Any) -> None:
    """Wait until the scheduler has a worker; raises `Fault` where it has none for a minute."""
    try:
        client.wait_for_workers(1, timeout=_SECONDS)
    except (Exception, CancelledError) as error:  # noqa: BLE001  # as above
        problem = Fault(f"--cluster: the scheduler has no worker ({type(error).__name__})")
    else:
        return
    raise problem


@contextmanager
def reached() -> Iterator[None]:
    """Tell of a cluster that is lost meanwhile, in one of many ways, by a `Fault`."""
    try:
        yield
    except (StorageFailure, library().KilledWorker):
        raise
    except _UNLIKE as error:
        failure = Fault(f"--cluster: a worker {OTHER_CODE} ({type(error).__name__})")
    except (Exception, CancelledError) as error:  # noqa: BLE001  # see above
        failure = Fault(f"--cluster: the cluster was lost ({type(error).__name__}); run again")
    else:
        return
    raise failure


def _found(target: Any) -> dict[str, Any]:
    """Return how a client finds its scheduler."""
    if not isinstance(target, str):
        return {"address": target}
    if "://" not in target and Path(target).is_file():
        return {"scheduler_file": target} if _names_scheduler(Path(target)) else _no_scheduler()
    if target.startswith("tls://") and not _has_certificates():
        rule = "certificates are missing; set distributed.comm.tls in dask's configuration"
        raise Fault(f"--cluster: {rule}")
    return {"address": target}


def _names_scheduler(file: Path) -> bool:
    try:
        told = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(told, dict) and isinstance(told.get("address"), str)


def _no_scheduler() -> dict[str, Any]:
    rule = "the file is none that a scheduler wrote (dask scheduler --scheduler-file FILE)"
    raise Fault(f"--cluster: {rule}")


def _has_certificates() -> bool:
    import dask  # noqa: PLC0415  # an extra

    names = ("distributed.comm.tls.ca-file", "distributed.comm.tls.client.cert")
    return all(dask.config.get(name, None) for name in names)
