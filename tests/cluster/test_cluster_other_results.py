"""What a run makes of results that an engine did not do as asked: of other code, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from cluster_suite import ClusterSuite, comparable

from pytest_pii_eval.cluster.bench import Bench
from pytest_pii_eval.cluster.engines import InlineEngine, Lost
from pytest_pii_eval.cluster.run import ClusterRun, Wish

SHIPPED = Path(__file__).parents[2] / "conformance"


class Changed:
    """An engine whose results go through `change(task, number of the batch, result)`."""

    processes = 1

    def __init__(self, engine, change):
        self.engine, self.change = engine, change

    def map(self, task, batches):
        """Yield each batch with its changed result."""
        for batch, result in self.engine.map(task, batches):
            yield batch, self.change(task, batch.number, result)

    def close(self):
        """Do nothing."""


def ran(settings, change, where="suite", size=700):
    """Return a run with changed results, and its report."""
    wish = Wish(where, settings, "changed", size, quiet=True)
    run = ClusterRun(wish, lambda _, recipe: Changed(InlineEngine(Bench(recipe)), change))
    return run, run.report()


@pytest.mark.parametrize("number", [0, 3])
def test_other_code_on_one_worker_is_no_pass(tmp_path, number):
    """One batch, the first or one in the middle, of another scorer: figures stand, the pass does not."""
    suite = ClusterSuite(tmp_path)
    suite.write()

    def other(task, at, result):
        return result._replace(subject="other") if (task, at) == ("records", number) else result

    _, plain = ran(suite.settings(), lambda _task, _at, result: result)
    _, report = ran(suite.settings(), other)
    assert (plain.consistent, plain.complete) == (True, True)
    assert (report.consistent, report.complete, report.passed) == (False, False, False)
    assert comparable(report)["slices"] == comparable(plain)["slices"]


def test_cases_that_no_worker_survived_are_named_and_no_pass(tmp_path):
    """A batch of cases without result: the run is incomplete, and says which batch it was."""
    settings = ClusterSuite(tmp_path).settings()._replace(bank=SHIPPED / "bank.json")

    def lost(task, at, result):
        return Lost(died=True) if (task, at) == ("cases", 0) else result

    run, report = ran(settings, lost, str(SHIPPED), 1 << 20)
    assert run.lost == ["cases.0 (every worker died)"]
    assert report.missing == ["cases.0 (every worker died)"]
    assert (report.complete, report.passed) == (False, False)
