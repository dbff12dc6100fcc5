"""Defects of this package, and interrupts, must not be the leak either: they are told without their text."""

from __future__ import annotations

import pytest
from canaries import leaks
from leaky_suite import AROUND, STRING, Leaky


@pytest.fixture
def leaky(suite, monkeypatch) -> Leaky:
    """A suite full of canaries."""
    return Leaky(suite, monkeypatch)


_SABOTEUR = """
    from pytest_pii_eval.{module} import {owner} as owner

    def sabotaged(*arguments, **fields):
        text = "{around} {string}"
        try:
            raise KeyError(text)
        except KeyError as error:
            raise {error}(text) from error

    owner.{attribute} = sabotaged
"""
_SABOTAGE = {
    "building-the-report": ("session", "build", "build_report"),
    "adding-up": ("session.results", "Results", "take"),
    "showing": ("session", "terminal", "show"),
    "running-a-case": ("collection", "nodes", "run_case"),
    "taking-stock": ("collection", "protocol", "suite_facts"),
    "building-the-engine": ("detectors.bank", "engine", "Engine"),
    "reading-rows": ("contracts.cases", "CaseContract", "parse"),
    "making-a-node": ("collection.nodes", "BankFile", "from_parent"),
    "writing-the-audit": ("session", "audit", "canonical_bytes"),
}


def sabotage(leaky: Leaky, at: str, error: str) -> None:
    """Make one function of the package raise `error` with text in it and in its frames."""
    module, owner, attribute = _SABOTAGE[at]
    values = {"module": module, "owner": owner, "attribute": attribute, "error": error}
    source = _SABOTEUR.format(**values, around=AROUND, string=STRING)
    leaky.suite.pytester.makepyfile(saboteur=source)


@pytest.mark.parametrize("at", _SABOTAGE)
def test_defects_of_our_own_show_no_canary(leaky, at):
    """An exception with text in message, chain and frames, raised in any room of ours, is told without."""
    sabotage(leaky, at, "ValueError")
    audit = ("--pii-audit-dir=audit",) if at == "writing-the-audit" else ()
    result = leaky.run("-psaboteur", *audit)
    output = leaky.everything(result)
    assert "ValueError in saboteur.py:" in output
    assert set(leaks(output)) <= {"folder"}  # pytest shows the arguments of its own frames
    assert result.ret != 0


@pytest.mark.parametrize("at", ["building-the-report", "running-a-case", "taking-stock", "reading-rows"])
def test_defects_of_our_own_show_no_canary_in_workers(leaky, at):
    """The same through the channel of xdist."""
    sabotage(leaky, at, "ValueError")
    result = leaky.run("-psaboteur", "-n2")
    output = leaky.everything(result)
    assert "ValueError in saboteur.py:" in output
    assert set(leaks(output)) <= {"folder"}  # pytest shows the arguments of its own frames
    assert result.ret != 0


@pytest.mark.parametrize("at", ["running-a-case", "reading-rows", "building-the-engine"])
def test_interrupts_show_no_canary(leaky, at):
    """An interrupt in a case, a row or the engine shows no text, though a full trace was asked for."""
    sabotage(leaky, at, "KeyboardInterrupt")
    result = leaky.run("-psaboteur")
    output = leaky.everything(result)
    assert "KeyboardInterrupt" in output
    assert result.ret == 2
    assert set(leaks(output)) <= {"folder"}  # pytest shows the arguments of its own frames
