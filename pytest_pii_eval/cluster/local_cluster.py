"""Workers of this machine for one run: nobody else can reach them, and they leave nothing behind."""

from __future__ import annotations

import logging
import tempfile
from typing import TYPE_CHECKING, Any, Final

from pytest_pii_eval.cluster.muted import children_muted
from pytest_pii_eval.cluster.reaching import library
from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from contextlib import ExitStack

_LOCAL_FAILURES: Final = 1
_CONFIG: Final = {
    "distributed.scheduler.allowed-failures": _LOCAL_FAILURES,
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}


def local_cluster(workers: int, undone: ExitStack) -> Any:
    """Return a cluster of so many processes; `undone` takes back, after it is closed, what they needed.

    Scheduler and workers listen on the loopback alone and take only who has the certificate, which is made
    here and never written. Their servers for HTTP, which dask always starts, know no page. Raises `Fault`
    where the library for certificates is missing.
    """
    import dask  # noqa: PLC0415  # an extra

    distributed = library()
    security = _security(distributed)
    undone.enter_context(children_muted())
    folder = undone.enter_context(
        tempfile.TemporaryDirectory(prefix="pii-eval-workers-", ignore_cleanup_errors=True)
    )
    with dask.config.set({**_CONFIG, "temporary-directory": folder}):
        return distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            memory_limit=0,
            host="127.0.0.1",
            protocol="tls://",
            security=security,
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            silence_logs=logging.CRITICAL,
        )


def _security(distributed: Any) -> Any:
    """Return an identity for this run that only its processes know."""
    try:
        return distributed.Security.temporary()
    except ImportError:
        rule = "--cluster local:N needs cryptography; install pytest-pii-eval[cluster]"
        raise Fault(rule) from None
