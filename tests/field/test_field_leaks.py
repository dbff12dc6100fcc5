"""Field faults that show only in runs of pytest: text in what a run leaves, one detector in many processes.

Documents are ours, and those of the rows in ../shared where these are there.
"""

from __future__ import annotations

import json

import pytest
from field_suite import SLICE, field_rows, forms, left_behind, run_pytest, shown, write_suite

OURS = "Perpetua Vandersloot"
FOLDER = "perpetua.vandersloot"
TEXT = f"Kindly forward this to {OURS} before noon"
START = TEXT.index(OURS)
ROWS = field_rows()
LEAKS = [row for row_id, row in ROWS.items() if "canaries" in row and row["text"] and row["gold"]]
DOCUMENTS = [
    (TEXT, [(START, START + len(OURS), "PERSON")]),
    *((row["text"], [tuple(span) for span in row["gold"]]) for row in LEAKS),
]
CANARIES = {*forms(OURS), *forms(FOLDER), *(canary for row in LEAKS for canary in row["canaries"])}
# As loud as pytest gets.
FLAGS = ("-vv", "-l", "--tb=long", "--full-trace", "--junitxml=o.xml", "-rA", "--log-cli-level=DEBUG")
WRITTEN = ("mine.py", "breaker.py", "test_mine.py", "tox.ini")

QUIET = "def find(text):\n    return []\n"
# Says and raises what it was given; rows do it in their own words.
TALKS = """print(text); sys.stderr.write(text); os.write(1, text.encode()); os.write(2, ascii(text).encode())
logging.getLogger("x").error(text); logging.info(text, extra={"document": text}); warnings.warn(text)
try:
    {}[text]
except KeyError as error:
    error.add_note(text)
    raise type("Local", (ValueError,), {"text": text})(text, locals()) from error"""
# A test of the user's own, whose failure pytest explains with variables.
ASSERTS = """
import os
from pathlib import Path
from pytest_pii_eval import Detection, Span

class Own:
    name, version, offset_unit = "own", "1", "codepoint"
    def detect(self, text):
        return Detection((Span(0, 3, "PERSON"),))
    def fingerprint(self):
        return "sha256:" + "0" * 64

def test_report(pii_evaluate):
    report = pii_evaluate(os.environ["FIELD_SUITE"], Own())
    assert report == report.model_copy(update={"passed": True})

def test_detection(pii_detector):
    result = Own().detect(Path(os.environ["FIELD_SUITE"], "quality-records.jsonl").read_text())
    assert result.selected == (pii_detector, [])
"""
# The plugin's own code breaks, with a record in its hands.
BREAKS = """
from pytest_pii_eval.collection.quality import shards

def broken(asked, *others):
    text = asked.record.text
    raise LookupError(text, asked.record)

shards._score = broken
"""


def codes():
    """Return what a detector does, by text: with ours everything, with a row's what its rows say."""
    stubs = sorted((row for row in LEAKS if "detector_stub" in row), key=_raises)  # nothing comes after
    found = {TEXT: TALKS}
    for row in stubs:
        found[row["text"]] = found.get(row["text"], "") + row["detector_stub"] + "\n"
    return found


def _raises(row):
    return "raise" in row["detector_stub"]


def talking():
    """Return the module of a detector that does so."""
    source = "import logging, os, sys, warnings\n"
    for number, code in enumerate(codes().values()):
        body = "".join(f"    {line}\n" for line in code.splitlines())
        source += f"\ndef find_{number}(text):\n    value = text[:30]\n{body}"
    names = ", ".join(f"{text!r}: find_{number}" for number, text in enumerate(codes()))
    return f"{source}\nTEXTS = {{{names}}}\n\ndef find(text):\n    return TEXTS[text](text)\n"


@pytest.fixture(params=[("-s", "-Walways"), ("-n2", "-Werror")], ids=["serial", "n2"])
def processes(request):
    """Arguments for a run in one process that captures nothing, and for one in two that captures all."""
    return request.param


@pytest.fixture
def run(pytester, monkeypatch):
    """Write the suite into a folder with a canary's name, outside of the root; return what runs it."""
    names = [canary for row in LEAKS if "corpus_path" in row for canary in row["canaries"]]
    folder = pytester.path.parent.joinpath(f"outside of {pytester.path.name}", *names, FOLDER)
    folder.mkdir(parents=True)
    write_suite(folder, DOCUMENTS, {"PERSON"})
    monkeypatch.setenv("FIELD_SUITE", str(folder))
    pytester.makeini("[pytest]")

    def run(*arguments):
        place = ("--rootdir=.", "-ctox.ini", str(folder.parents[len(names)]), "--pii-detector=mine:find")
        result = run_pytest(pytester, monkeypatch, *place, *FLAGS, *arguments)
        return result, left_behind(result, pytester.path, but=WRITTEN)

    return run


def told(pytester):
    """Return the slice of the report, and the report."""
    report = json.loads((pytester.path / ".pii_eval/report.json").read_text(encoding="utf-8"))
    return report["slices"][SLICE], report


def test_the_canaries_would_be_found():
    """Control: what is looked for is in the documents, and in each form of them."""
    assert shown(CANARIES, TEXT) >= {OURS.casefold()}
    assert shown(forms(OURS), TEXT.encode().hex() + TEXT.upper()) >= {OURS.encode().hex(), OURS.casefold()}


def test_a_silent_miss(pytester, run, processes):
    """Nothing found: gates fail and nothing shows, nor where a user's own test compares results and fails."""
    pytester.makepyfile(mine=QUIET, test_mine=ASSERTS)
    result, output = run(*processes, "test_mine.py")
    one, report = told(pytester)
    assert one["outputs"]["selected"]["leaks"] == len(DOCUMENTS)
    assert (report["passed"], report["complete"]) == (False, True)
    result.assert_outcomes(passed=1, failed=3)  # the shard was scanned; the slice and both tests fail
    for said in ("leaks", "recall", "<testsuite", "Detection(selected=(Span(", "Report(schema_version="):
        assert said in output
    assert shown(CANARIES, output) == set()


def test_a_loud_failure(pytester, run, processes):
    """Each document is printed, logged, warned and raised with causes and notes: types and places show."""
    assert {text for text, _ in DOCUMENTS} == set(codes())
    pytester.makepyfile(mine=talking())
    _, output = run(*processes)
    one, report = told(pytester)
    assert one["counts"]["failed_documents"] == one["outputs"]["selected"]["leaks"] == len(DOCUMENTS)
    assert (report["passed"], report["complete"]) == (False, False)
    for said in ("documents have no answer (", " in mine.py:", "first at line 1)"):
        assert said in output
    assert shown(CANARIES, output) == set()


def test_an_error_inside_the_plugin(pytester, run):
    """Code of ours that breaks with a record in its hands: the run fails, and shows no text either."""
    pytester.makepyfile(mine=QUIET, breaker=BREAKS)
    result, output = run("-n2", "-pbreaker")
    assert result.ret != 0
    assert "LookupError" in output
    assert shown(CANARIES, output) == set()


MADE = '''
import hashlib, re, threading
from pytest_pii_eval import Detection, Span

class Made:
    """Holds what cannot be pickled, and finds everybody."""

    name, version, offset_unit = "made", "1", "codepoint"

    def __init__(self):
        self.lock = threading.Lock()
        self.key = lambda text: re.finditer("Nora( Quill)?|Perpetua Vandersloot", text)

    def detect(self, text):
        with self.lock:
            return Detection(tuple(Span(*match.span(), "PERSON") for match in self.key(text)))

    def fingerprint(self):
        return "sha256:" + hashlib.sha256(b"made").hexdigest()
'''


def people():
    """Return our document and those of the rows about processes."""
    rows = [ROWS[row_id] for row_id in ("BI-083", "BI-085") if row_id in ROWS]
    raw = [json.loads(line) for row in rows for line in (row["raw"] or "").replace("\\n", "\n").splitlines()]
    documents = [
        *((row["text"], row["gold"]) for row in rows if row["text"]),
        *((one["text"], [tuple(span.values()) for span in one["spans"]]) for one in raw),
    ]
    return [DOCUMENTS[0], *documents]


def test_one_that_cannot_be_pickled(pytester, monkeypatch):
    """Built from its name in each process, alone, by three and in a child: all is found, in equal reports."""
    write_suite(pytester.path, people(), {"PERSON"})
    pytester.makepyfile(mine=MADE)
    texts = set()
    for arguments in ((), ("-n3", "--pii-shard-size=2"), ("--pii-document-timeout=20",)):
        result = run_pytest(pytester, monkeypatch, "--pii-detector=mine:Made", *arguments)
        assert result.ret == 0
        one, report = told(pytester)
        assert report.pop("run")["processes"] == (3 if "-n3" in arguments else 1)
        assert one["by_type"]["PERSON"]["counts"]["tp"] == one["counts"]["documents"] == len(people())
        texts.add(json.dumps(report))
    assert len(texts) == 1
