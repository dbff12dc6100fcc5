"""Corpora must not be the leak: no text, surface, id or path of one in what a run or a command leaves."""

from __future__ import annotations

import json

import pytest
from canaries import everything, forms
from corpora_suite import KEY

WORDS = (
    *("canaryrow", "canarywise", "Zephyrine", "Quartzmore", "Canaryborn", "zq@canary", "ab@canary"),
    *("zephyrine-quartzmore", "tmesisfold"),
)
LOUD = ("-vv", "-l", "--tb=long", "--full-trace", "-rA", "-s", "--log-cli-level=DEBUG", "-Walways")
LOUD = (*LOUD, "--junitxml=out/junit.xml")
GATES = ("--pii-max-leaks=0", "--pii-min-recall=0.99")
# The corpus itself, and what its private suite holds; the receipts in it are looked at by themselves.
OURS = ("bank.json", "export.jsonl", "corpora.yaml", "adjudicated.jsonl", "tmesisfold", "__pycache__")


def found(output):
    """Return the canary words that `output` holds in any form."""
    folded = output.casefold()
    return {word for word in WORDS for form in forms(word) if form in folded or form in output}


@pytest.fixture
def private(corpora):
    """The small corpus, prepared in a cache of its own, whose name is a canary."""
    corpora.write()
    corpora.cache = corpora.path / "tmesisfold"
    return corpora


def run(private, *arguments):
    """Run on the corpora file, as loudly as pytest can; return all that it printed and wrote."""
    result = private.run_corpora(*LOUD, f"--pii-corpora-cache={private.cache}", *arguments)
    return result.ret, everything(result, private.path, but=OURS)


def test_scores_failures_and_receipts_show_no_canary(private, processes):
    """A scored corpus with failed gates, and its receipt: no word of a text, no id, no path."""
    [folder] = private.prepare(cache=private.cache)
    code, output = run(private, *processes, *GATES)
    assert code == 1
    assert f"slice {KEY}: 2 complaints" in output
    assert found(output) == set()
    receipt = (folder / "receipt.json").read_text(encoding="utf-8")
    assert json.loads(receipt)["documents"] == 3
    assert found(receipt) == set()
    assert found((folder / "quality-records.jsonl").read_text(encoding="utf-8")) >= {
        "canaryrow",
        "canarywise",
    }


@pytest.mark.parametrize("fault", ["records", "receipt", "absent", "bindings"])
def test_bad_corpora_show_no_canary(private, fault):
    """Damaged files, an edited receipt, an absent corpus, broken bindings: place and rule, nothing else."""
    if fault != "absent":
        [folder] = private.prepare(cache=private.cache)
    if fault == "records":
        (folder / "quality-records.jsonl").write_text("canarywise\n", encoding="utf-8")
    elif fault == "receipt":
        (folder / "receipt.json").write_text('{"key": "canarywise Zephyrine"}\n', encoding="utf-8")
    elif fault == "bindings":
        private.write_rows("adjudicated.jsonl", [{"document_id": "canaryrow.1", "start": 0, "zq@canary": 1}])
        private.pins[KEY]["catalog_bindings"] = "adjudicated.jsonl"
        private.write_corpora()
    code, output = run(private)
    assert (code == 0) == (fault == "absent")
    # The command that prepares a corpus names the cache that was asked for, relative to the root directory.
    assert found(output) <= (set() if fault == "bindings" else {"tmesisfold"})


STRANGER = """
import logging, os, sys, warnings
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.adapters.spans import SpansAdapter

W = "enirhpeZ"[::-1]  # backwards, as this file is looked through, too

class Own(SpansAdapter):
    name = "tickets"

    def __init__(self, **options):
        say()
        {called}
        super().__init__(**options)

def say():
    print(W)
    os.write(2, W.encode())
    warnings.warn(W)
    logging.getLogger(W).critical(W)

def pytest_pii_make_corpus_adapter(name, config):
    say()
    {asked}
    return Own
"""


@pytest.mark.parametrize(
    ("place", "raised"),
    [
        ("called", "pass"),
        ("called", "raise SystemExit(W)"),
        ("asked", "raise SystemExit(W)"),
        ("asked", "raise Fault(W, file=W)"),
    ],
)
def test_a_stranger_that_makes_an_adapter_shows_no_canary(private, place, raised):
    """What a plugin's hook or class prints, logs, warns or raises is told by its place alone."""
    private.pytester.makeconftest(STRANGER.format(**{"called": "pass", "asked": "pass", place: raised}))
    private.pins[KEY]["adapter"] = "tickets"
    private.write_corpora()
    code, output = run(private)
    assert found(output) <= {"tmesisfold"}  # the cache, in the command that fills it
    assert code == (0 if raised == "pass" else 2)
    assert (" in conftest.py:" in output) == (raised != "pass")
