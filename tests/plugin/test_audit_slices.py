"""What became of each document of a slice: the rows of the audit, and what a run keeps until then."""

from __future__ import annotations

import json
import sys
from collections import Counter

import pytest
from quality_suite import DOCUMENT
from test_quality_canary import DIES_ONCE, OURS, TALKS_AND_RAISES, everything, found, leftovers, private

from conftest import NAME

__all__ = ["private"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="file modes and signals are those of POSIX")

SCHEMA = "pii_eval.slice_document_result.v1"
DETECTORS = "from pytest_pii_eval.detectors.bank_detector import BankDetector\n"
# Writes down what lies in the directory of the run at its end, in every process.
LOOKS = """
import json, pathlib, sys, tempfile

def pytest_sessionfinish(session):
    told = {"spool": "pytest_pii_eval.collection.quality.spool" in sys.modules, "files": []}
    for folder in pathlib.Path(tempfile.gettempdir()).glob("pii-eval-*"):
        for path in [folder, *folder.iterdir()]:
            text = "" if path.is_dir() else path.read_text(encoding="utf-8")
            told["files"].append([path.name, path.stat().st_mode & 0o777, text])
    name = getattr(session.config, "workerinput", {}).get("workerid", "only")
    pathlib.Path(f"kept-{name}.json").write_text(json.dumps(told))
"""


def rows(quality, folder="audit"):
    """Return the rows of an audit directory."""
    text = (quality.path / folder / "slice-results.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def one(rows_, name, slice_id):
    """Return the row of one document and slice."""
    (row,) = [
        row for row in rows_ if (row["document_id"], row["slice_id"]) == (f"{DOCUMENT}.{name}", slice_id)
    ]
    return row


def kept(quality):
    """Return what the processes of the last run saw in its directory."""
    return [json.loads(path.read_text(encoding="utf-8")) for path in quality.path.glob("kept-*.json")]


def test_rows_say_what_became_of_each_span(quality):
    """A wrong type, a miss that leaks, an extra and an exact span; by file, line and slice."""
    quality.write().run("--pii-audit-dir=audit")
    told = rows(quality)
    names = ["pair"] * 5 + ["meeting"] * 2 + ["mailbox"] * 2 + ["alarm"] * 2 + ["order"] * 3
    assert [row["document_id"].removeprefix(f"{DOCUMENT}.") for row in told] == names
    assert [row["slice_id"] for row in told[:5]] == [
        "contact",
        "mail",
        "mail.partial",
        "mail.short",
        "mail.weak",
    ]
    assert one(told, "mailbox", "people") == {
        "schema_version": SCHEMA,
        "slice_id": "people",
        "document_id": f"{DOCUMENT}.mailbox",
        "outcome": "answered",
        "reason": None,
        "gold": [
            {
                "ordinal": 0,
                "type": "person",
                "start": 7,
                "end": 10,
                "state": "wrong_type",
                "taken_for": "email",
                "leaks": False,
            }
        ],
        "predictions": [],
        "unmapped": 0,
        "dropped": 0,
    }
    states = [(gold["state"], gold["leaks"]) for gold in one(told, "meeting", "contact")["gold"]]
    assert states == [("exact", False), ("miss", True)]
    assert one(told, "alarm", "mail")["predictions"] == [
        {"type": "email", "start": 4, "end": 46, "state": "extra"}
    ]


def test_rows_add_up_to_the_report(quality):
    """Of every slice and type: gold, states, leaks, predictions, extras and confusion."""
    quality.write().run("--pii-audit-dir=audit")
    report = quality.report()["slices"]
    told = rows(quality)
    documents = Counter(row["slice_id"] for row in told)
    gold = [(row["slice_id"], span) for row in told for span in row["gold"]]
    predictions = [(row["slice_id"], span) for row in told for span in row["predictions"]]
    states = Counter((name, span["type"], span["state"]) for name, span in gold)
    leaks = Counter(name for name, span in gold if span["leaks"])
    taken = Counter((name, span["type"], span["taken_for"]) for name, span in gold if span["taken_for"])
    found_ = Counter((name, span["type"], span["state"]) for name, span in predictions)
    for name, row in report.items():
        assert documents[name] == row["counts"]["documents"]
        assert leaks[name] == row["outputs"].get("selected", {"leaks": 0})["leaks"]
        confusion = {(a, b): number for a, line in row["confusion"].items() for b, number in line.items()}
        assert {key[1:]: number for key, number in taken.items() if key[0] == name} == confusion
        for type_, counted in row["by_type"].items():
            counts = counted["counts"]
            mine = [states[name, type_, state] for state in ("exact", "shift", "wrong_type", "miss")]
            assert mine == [counts[field] for field in ("tp", "shift", "wrong_type", "miss")]
            assert found_[name, type_, "extra"] == counts["extra"]
            assert (
                found_[name, type_, "exact"] + found_[name, type_, "overlap"] + counts["extra"]
                == counts["pred"]
            )
    assert sum(states.values()) == 16  # 5 of contact, 3 of people, 2 of each of the four mail slices


def test_bytes_are_equal_however_the_run_was_cut(private):
    """Rows of the audit and pages of the dump: in one process or two, with all documents or one a shard."""
    private.write().run("--pii-audit-dir=audit", "--pii-error-dump=dump")
    private.run("-n2", "--pii-shard-size=1", "--pii-audit-dir=audit-2", "--pii-error-dump=dump-2")
    assert len(rows(private)) == 14
    for name in ("audit/slice-results.jsonl", "dump/errors.txt", "dump/index.html", "dump/misses.html"):
        folder, file = name.split("/")
        assert (private.path / name).read_bytes() == (private.path / f"{folder}-2" / file).read_bytes()
    assert leftovers(private) == []


def test_only_slices_that_ran_have_rows(quality):
    """By id, and where shards run beside one slice, so that others are scored along."""
    quality.write()
    for folder, words in (("audit", "people"), ("audit-2", "people or shard")):
        quality.run("-k", words, f"--pii-audit-dir={folder}")
        assert {row["slice_id"] for row in rows(quality, folder)} == {"people"}
        assert len(rows(quality, folder)) == 3


def test_a_document_without_an_answer_says_why(quality):
    """Its gold is missed and leaks, it has no predictions, and the reason is that of the shard's line."""
    quality.pytester.makeconftest(TALKS_AND_RAISES.replace('"Ask"', f'"{NAME}"'))
    quality.write().run("--pii-audit-dir=audit")
    row = one(rows(quality), "meeting", "people")
    assert (row["outcome"], row["predictions"]) == ("failed", [])
    assert row["reason"].startswith("LookupError in conftest.py:")
    assert [(gold["state"], gold["leaks"]) for gold in row["gold"]] == [("miss", True)] * 2


def test_an_answer_that_was_cut_off_counts_as_none(quality):
    """What it holds is no prediction, and the row says so."""
    cut = "BankDetector.detect = lambda *given, **more: detect(*given, **more)._replace(partial=True)\n"
    quality.pytester.makeconftest(DETECTORS + "detect = BankDetector.detect\n" + cut)
    quality.write().run("--pii-audit-dir=audit")
    row = one(rows(quality), "meeting", "people")
    assert (row["outcome"], row["reason"], row["predictions"]) == ("partial", "partial_answer", [])
    assert [(gold["state"], gold["leaks"]) for gold in row["gold"]] == [("miss", True)] * 2


def test_a_worker_that_is_killed_leaves_nothing_half(private):
    """The shard it died in is scanned again: each row is there once, and text in the dump alone."""
    private.pytester.makeconftest(
        DETECTORS + "detect = BankDetector.detect\n" + DIES_ONCE.replace("quiet", "detect")
    )
    result = private.write().run("-n2", "--pii-audit-dir=audit", "--pii-error-dump=dump")
    assert result.ret == 1
    assert (private.path / "died").exists()
    heard = {name: row["counts"]["documents"] for name, row in private.report()["slices"].items()}
    assert Counter(row["slice_id"] for row in rows(private)) == +Counter(heard)
    assert (private.path / "dump/COMMITTED").exists()
    assert found(everything(result, private.path, but=(*OURS, "audit", "dump"))) == set()
    assert leftovers(private) == []


def test_what_is_kept_is_private_and_textless(private, processes):
    """One file a shard, mode 0600 in a directory 0700, with ids of documents and no word of a text."""
    private.pytester.makeconftest(LOOKS)
    private.write().run(*processes, "--pii-shard-size=2", "--pii-audit-dir=audit")
    files = [one for told in kept(private) for one in told["files"]]
    spools = {name: (mode, text) for name, mode, text in files if name.endswith(".outcomes")}
    assert len(spools) == 3
    assert {mode for mode, _ in spools.values()} == {0o600}
    assert {mode for name, mode, _ in files if name.startswith("pii-eval-")} == {0o700}
    assert found("".join(text for _, text in spools.values())) == {DOCUMENT}
    assert not [name for name, _, _ in files if name.endswith(".partial")]
    assert leftovers(private) == []


def test_who_did_not_ask_pays_nothing(private, processes):
    """Without an audit or a dump no such file is written, and what writes it is not imported."""
    forget = "import sys\nsys.modules.pop('pytest_pii_eval.collection.quality.spool', 0)\n"
    private.pytester.makeconftest(forget + LOOKS)
    private.write().run(*processes)
    assert not any(told["spool"] for told in kept(private))
    files = [name for told in kept(private) for name, _, _ in told["files"]]
    assert not [name for name in files if name.endswith(".outcomes")]
    assert processes or not files


@pytest.mark.parametrize(
    ("end", "status"),
    [("raise KeyboardInterrupt", 2), ("raise SystemExit(3)", 1)],
    ids=["interrupted", "failed"],
)
def test_what_was_kept_is_gone_in_every_ending(private, end, status):
    """Ctrl-C in the second shard, and a detector that ends the process."""
    stop = f"""
def stopped(self, text, **limits):
    if text.startswith("Ask"):
        {end}
    return detect(self, text, **limits)

detect, BankDetector.detect = BankDetector.detect, stopped
"""
    private.pytester.makeconftest(DETECTORS + stop)
    result = private.write().run("--pii-shard-size=1", "--pii-audit-dir=audit")
    assert result.ret == status
    assert leftovers(private) == []


def test_what_was_kept_is_gone_where_judging_fails(private):
    """A defect in judging costs the report, and leaves nothing behind."""
    private.pytester.makeconftest(
        """
        from pytest_pii_eval.session import build

        def broken(*given, **more):
            raise LookupError("boom")

        build.build_report = broken
        """
    )
    result = private.write().run("--pii-audit-dir=audit")
    result.stdout.fnmatch_lines(["pii-eval: the run was not judged: LookupError *"])
    assert leftovers(private) == []
    assert not (private.path / "audit").exists()


@pytest.mark.parametrize("fate", ["full", "lost"])
def test_what_could_not_be_kept_costs_the_audit(private, fate):
    """A full disk fails the shard, a lost file the audit: a line without text or path, and no directory."""
    full = """
import os, types
from pytest_pii_eval.collection.quality import spool

def full(descriptor, *given, **more):
    os.close(descriptor)
    return open("/dev/full", "wb")

spool.os = types.SimpleNamespace(**{**vars(os), "fdopen": full})
"""
    lost = """
import pathlib, tempfile

def pytest_pii_modify_report(report, config):
    for path in pathlib.Path(tempfile.gettempdir()).glob("pii-eval-*/*.outcomes"):
        path.unlink()
"""
    rules = {
        "full": "what became of the documents could not be kept (No space left on device)",
        "lost": "pii-eval: the audit directory was not written: what became of some documents *",
    }
    private.pytester.makeconftest(full if fate == "full" else lost)
    result = private.write().run("--pii-audit-dir=audit")
    assert result.ret == 1
    result.stdout.fnmatch_lines([rules[fate]])
    assert (private.path / "audit").exists() is (
        fate == "full"
    )  # of a slice that failed there is nothing to lack
    assert found(result.stdout.str()) == set()
    assert leftovers(private) == []
