"""A dask cluster that runs somewhere: worker processes whose outputs go to a file."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager

from cluster_suite import environment, told


@contextmanager
def external_cluster(folder, workers=2):
    """Yield a cluster of workers of one thread; a batch may kill one worker once. Its `log` is a file."""
    import dask  # noqa: PLC0415  # an extra
    import distributed  # noqa: PLC0415  # as above

    kept = [os.dup(number) for number in (1, 2)]
    log = os.open(folder / "workers.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for number in (1, 2):
        os.dup2(log, number)  # workers that start, or start again, inherit it
    config = {"distributed.scheduler.allowed-failures": 0, "temporary-directory": str(folder)}
    fields = {"threads_per_worker": 1, "memory_limit": 0, "dashboard_address": "127.0.0.1:0"}
    fields["scheduler_kwargs"] = {"dashboard": False}
    try:
        with dask.config.set(config), distributed.LocalCluster(n_workers=workers, **fields) as made:
            made.log = folder / "workers.log"
            yield made
    finally:
        for number, before in zip((1, 2), kept, strict=True):
            os.dup2(before, number)
            os.close(before)
        os.close(log)


@contextmanager
def worker_without_package(address, folder):
    """A worker of the cluster at `address` that cannot import this package; yields the file of its log."""
    package = folder / "site" / "pytest_pii_eval"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('not here')\n", encoding="utf-8")
    log = folder / "bare.log"
    command = [
        sys.executable,
        "-P",
        "-m",
        "distributed.cli.dask_worker",
        address,
        "--nthreads",
        "1",
        "--no-nanny",
    ]
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, "--no-dashboard", "--local-directory", str(folder / "scratch")],
            stdout=out,
            stderr=out,
            env={**environment(), "PYTHONPATH": str(folder / "site")},
        )
    try:
        yield log
    finally:
        process.terminate()
        process.wait(timeout=30)


def canaries_of(*logs):
    """Return the canaries in some files."""
    return told("".join(log.read_text(encoding="utf-8", errors="replace") for log in logs))
