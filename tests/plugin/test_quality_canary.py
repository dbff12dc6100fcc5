"""A quality run must not be the leak: no text, surface, document, template or corpus in what it leaves."""

from __future__ import annotations

import json
import stat
import sys

import pytest
from canaries import everything, forms
from leaky_suite import READERS, WORKFLOW
from quality_suite import CORPUS, DOCUMENT, TEMPLATE, record

from conftest import MAIL
from pytest_pii_eval.cli import main
from pytest_pii_eval.reports.snapshots.form import render_snapshot, snapshot_of

# Words of texts, surfaces and ids; the fixture's own folder is named after the test, so none may be in that.
WORDS = (
    *(DOCUMENT, TEMPLATE, CORPUS),
    *("Zephyrine", "Quartzmore", "Canaryborn", "zq@canary", "ab@canary", "ada@canary"),
    *("verylongaddressnames", "canarycompany", "shipped", "zephyrine-quartzmore"),
)
LOUD = ("-vv", "-l", "--tb=long", "--full-trace", "-rA", "-s", "--log-cli-level=DEBUG", "-Walways")
LOUD = (*LOUD, "--junitxml=out/junit.xml", "--durations=0")
GATES = ("--pii-max-leaks=0", "--pii-min-recall=0.99")
TALKS_AND_RAISES = """
import logging, os, sys, warnings
from pytest_pii_eval.detectors.bank_detector import BankDetector

detect = BankDetector.detect

def loud(self, text, **limits):
    print(text)
    print(text, file=sys.stderr)
    os.write(1, text.encode())
    logging.getLogger("engine").error(text)
    warnings.warn(text)
    if text.startswith("Ask"):
        raise LookupError(text)
    return detect(self, text, **limits)

BankDetector.detect = loud
"""
DIES_ONCE = """
import os, pathlib, signal

quiet = BankDetector.detect

def dying(self, text, **limits):
    if text.startswith("Order") and not pathlib.Path("died").exists():
        pathlib.Path("died").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return quiet(self, text, **limits)

BankDetector.detect = dying
"""
# Writes down what the workers share at the moment when one of them is done.
LOOKS_AT_THE_SHARED = """
import json, os
from pytest_pii_eval.wire import run_directory

def pytest_sessionfinish(session):
    if hasattr(session.config, "workerinput"):
        folder = run_directory(session.config.workerinput["testrunuid"])
        told = {
            "mode": folder.stat().st_mode,
            "files": {path.name: [path.stat().st_mode, path.read_text()] for path in folder.iterdir()},
        }
        name = session.config.workerinput["workerid"]
        open(f"shared-{name}.json", "w").write(json.dumps(told))
"""
OURS = (
    *("bank.json", "quality-records.jsonl", "quality-slices.jsonl", "quality-provenance.jsonl"),
    *("unsupported-slices.jsonl", "conftest.py", "__pycache__", "died", "tox.ini"),
)


@pytest.fixture
def private(quality, monkeypatch):
    """The small quality suite, with a temporary directory of its own for all that a run may leave there."""
    (quality.path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(quality.path / "tmp"))
    return quality


def found(output):
    """Return the canary words that `output` holds in any form."""
    folded = output.casefold()
    return {word for word in WORDS for form in forms(word) if form in folded or form in output}


def left_behind(quality, result):
    """Return all that the run printed and wrote; the suite itself aside."""
    return everything(result, quality.path, but=OURS)


def leftovers(quality):
    """Return what lies in the temporary directory after a run; pytest's own folders aside."""
    return [path.name for path in (quality.path / "tmp").iterdir() if path.name.startswith("pii")]


@pytest.mark.parametrize("reveal", ["none", "ids"])
def test_passes_failures_and_scans_show_no_canary(private, processes, reveal):
    """Passed items, failed gates, failed scans, a detector that talks and raises: no word of a text."""
    private.pytester.makeini("[pytest]\npii_max_matches = 3\n")
    private.pytester.makeconftest(TALKS_AND_RAISES)
    private.records.append(record(f"{DOCUMENT}.many", f"{MAIL} " * 4, ["contact"], (MAIL, "email")))
    result = private.write().run(*LOUD, *processes, *GATES, f"--pii-reveal={reveal}")
    assert result.ret == 1
    output = left_behind(private, result)
    for said in (
        "shard-00001: 2 of 6 documents have no answer (1 LookupError in conftest.py:13, 1 match_limit;",
        "max-leaks: leaks 2, must be at most 0 (support 6)",
        "min-recall of slice people",
        "PASSED quality-slices.jsonl::mail.short",
        '"leaking_documents"',
        "<testsuite",
        "nodeids",
    ):
        assert said in output
    assert found(output) == set()
    assert leftovers(private) == []
    # What was looked for is there, and would have been found.
    assert found((private.path / "quality-records.jsonl").read_text(encoding="utf-8")) >= {
        DOCUMENT,
        "shipped",
    }
    assert found((private.path / "quality-provenance.jsonl").read_text(encoding="utf-8")) == {
        DOCUMENT,
        TEMPLATE,
        CORPUS,
    }


def test_no_form_for_readers_shows_a_canary(private, processes, monkeypatch, capsys):
    """Markdown, HTML, comparison, step summary, annotations, and what is made of the report afterwards."""
    for name, value in WORKFLOW.items():
        monkeypatch.setenv(name, value)
    loses = TALKS_AND_RAISES.replace('"Ask"', '"Write"').replace("raise LookupError(text)", 'text = "-"')
    private.pytester.makeconftest(loses)
    (private.path / "before.json").write_text(render_snapshot(snapshot_of(private.evaluated())), "utf-8")
    readers = [one for one in READERS if "baseline" not in one]
    result = private.run(*LOUD, *readers, *processes, "--pii-baseline=before.json")
    assert result.ret == 1
    for arguments in (
        [
            "compare",
            "before.json",
            ".pii_eval/report.json",
            "--json=out/moved.json",
            "--markdown=out/moved.md",
        ],
        ["compare", "before.json", ".pii_eval/report.json"],
        ["render", ".pii_eval/report.json", "--html=-", "--baseline=before.json"],
    ):
        main(arguments)
    said = capsys.readouterr()
    output = left_behind(private, result) + said.out + said.err
    for place in ("out/report.md", "out/pii.html", "summary.md", "out/moved.json", "out/moved.md"):
        assert "mail.short" in (private.path / place).read_text(encoding="utf-8").replace("<wbr>", "")
    assert "::error title=" in result.stdout.str()
    assert found(output) == set()


def test_collected_ids_show_no_canary(private):
    """Node ids are file, shard, slice and gap."""
    result = private.write().run("--collect-only", "-qq", "-vvvv")
    assert "shard-00001" in result.stdout.str()
    assert found(left_behind(private, result)) == set()


@pytest.mark.parametrize("fault", ["gold", "provenance", "document", "field", "identity"])
def test_bad_input_shows_no_canary(private, processes, fault):
    """A broken row is named by its place and rule, as loudly as pytest can, and nothing stays behind."""
    row = private.record("pair")
    if fault == "gold":
        row["gold_spans"][0]["end"] = 10_000
    elif fault == "document":
        private.record("order")["document"]["document_id"] = f"{DOCUMENT}.pair"
    elif fault == "field":
        row["document"][f"{DOCUMENT} shipped"] = "Canaryborn"
    elif fault == "identity":
        row["gold_spans"][0]["catalog_identity"]["name_id"] = "zephyrine-quartzmore"
    private.write()
    if fault == "provenance":
        private.write_rows("quality-provenance.jsonl", [])
    result = private.run(*LOUD, *processes)
    assert result.ret != 0
    output = left_behind(private, result)
    assert "quality-records.jsonl:" in output
    assert found(output) == set()
    assert leftovers(private) == []
    assert not (private.path / ".pii_eval").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="modes and signals are those of POSIX")
@pytest.mark.parametrize("death", ["", DIES_ONCE], ids=["alive", "killed"])
def test_what_workers_share_is_private_textless_and_gone(private, death):
    """The shared directory has mode 0700, counts and hashes in it, and does not outlive the run."""
    private.pytester.makeconftest(TALKS_AND_RAISES + death + LOOKS_AT_THE_SHARED)
    result = private.write().run(*LOUD, "-n2", "--pii-shard-size=1", *GATES)
    assert result.ret == 1
    assert (private.path / "died").exists() is bool(death)
    told = [json.loads(path.read_text()) for path in private.path.glob("shared-*.json")]
    assert told
    for shared in told:
        assert stat.S_IMODE(shared["mode"]) == 0o700
        assert len([name for name in shared["files"] if name.endswith(".json")]) == 5
    assert found(left_behind(private, result)) == set()  # the notes on what was shared are part of it
    assert leftovers(private) == []
