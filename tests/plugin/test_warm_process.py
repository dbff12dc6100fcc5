"""Runs of the other tests are forks of one process: nothing shows it but the time they take."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("directory", ["suite", "quality", "corpora"])
def test_a_fork_says_and_reports_what_a_new_process_does(request, processes, directory):
    """The same verdicts and outcomes, and the report's bytes, its `run` part aside."""
    suite = request.getfixturevalue(directory).write()
    arguments = ["--pii-bank=bank.json", "-rA", *processes]
    if directory == "corpora":
        suite.prepare()
        arguments.append("corpora.yaml")
    cold = suite.run_cold(*arguments)
    wanted = suite.comparable()
    warm = suite.run(*arguments, bank=None)
    assert warm.ret == cold.ret == 0
    assert said(warm) == said(cold)
    assert suite.comparable() == wanted


def said(result):
    """Return the lines of summaries and of our section in any order: what workers say before is chance."""
    [start] = [at for at, line in enumerate(result.outlines) if line.endswith("= pii-eval " + "=" * 35)]
    return sorted(result.outlines[start:-1]), result.errlines


def test_a_fork_knows_nothing_of_the_one_before(suite):
    """What a run changes in the plugin, in the environment and in its folder is gone in the next."""
    suite.pytester.makeconftest(
        """
        import os
        from pytest_pii_eval.detectors.bank_detector import BankDetector

        assert not hasattr(BankDetector, "changed")
        assert "PII_CHANGED" not in os.environ
        BankDetector.changed = os.environ["PII_CHANGED"] = "yes"
        """
    )
    suite.write()
    assert [suite.run().ret, suite.run().ret] == [0, 0]


def test_a_fork_that_is_killed_gives_its_signal(suite):
    """The status is that of a process of its own, and the next run is not touched."""
    suite.pytester.makeconftest("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
    assert suite.write().run().ret == -9
    (suite.path / "conftest.py").unlink()
    assert suite.run().ret == 0
