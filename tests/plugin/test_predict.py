"""`pii-eval predict`: what it writes, how it goes on when interrupted, and that no text leaves with it."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import resource
import signal
import stat
import subprocess
import sys
from hashlib import sha256

import pytest
from canaries import forms
from quality_suite import ALARM, DOCUMENT, OTHER_MAIL, record

from conftest import EMAIL, MAIL, PERSON
from pytest_pii_eval.cli import main

COMMAND = [sys.executable, "-P", "-c", "import sys; from pytest_pii_eval.cli import main; sys.exit(main())"]
FIND = """
import os, re, signal, time
from pathlib import Path

def find(text):
    with Path("asked.log").open("a") as log:
        log.write(text.split()[0] + chr(10))
    act(text)
    return [(one.start(), one.end(), "EMAIL_ADDRESS") for one in re.finditer("[a-z]+@[a-z]+[.]example", text)]

def act(text):
    if not text.startswith("Ask") or Path("acted").exists():
        return
    Path("acted").touch()
"""
INTERRUPTED = FIND + "    raise KeyboardInterrupt(text)\n"
KILLED = FIND + "    os.kill(os.getpid(), signal.SIGKILL)\n"
STUCK = FIND + "    time.sleep(600)\n"
# Everything that a detector can say; and labels, one a kind, that are text.
TALKER = """
import logging, os, sys, warnings
from pytest_pii_eval import Detection, Span

class Talker:
    name, version, offset_unit, batch_size = "talker", "1", "codepoint", 2

    def __init__(self):
        print("Zephyrine")

    def fingerprint(self):
        print("Zephyrine")
        return "sha256:" + "0" * 64

    def detect(self, text):
        print(text)
        print(text, file=sys.stderr)
        os.write(1, text.encode())
        os.write(2, text.encode())
        logging.getLogger("engine").error(text)
        logging.warning(text)
        warnings.warn(text)
        if text.startswith("Ask"):
            raise LookupError(text)
        word = text.split()[0]
        spans = (Span(0, len(word), word, score=float("nan")), Span(0, 4, text), Span(0, 1, "GIVEN_NAME"))
        return Detection(spans, spans)

    def detect_batch(self, texts):
        return [self.detect(text) for text in texts]

    def close(self):
        print("Zephyrine")
"""
BATCHES = """
from pathlib import Path
from pytest_pii_eval import Detection, Span

class Batches:
    name, version, offset_unit, batch_size = "batches", "1", "byte", 3

    def fingerprint(self):
        return "sha256:" + "0" * 64

    def note(self, word):
        with Path("asked.log").open("a") as log:
            log.write(word + chr(10))

    def detect(self, text):
        self.note("one")
        if text.startswith("Ask"):
            raise KeyError(text)
        end = len(text.split()[0].encode())
        return Detection((Span(0, end, "WORD"), Span(0, 2, "TWO"), Span(5, 5, "NONE")))

    def detect_batch(self, texts):
        self.note(f"batch-of-{len(texts)}")
        if any(text.startswith("Ask") for text in texts):
            raise KeyError(texts[0])
        return [self.detect(text) for text in texts]
"""
WORDS = ("Zephyrine", "Quartzmore", "Canaryborn", MAIL, OTHER_MAIL, ALARM, "Write", "Päper", "shipped")


@pytest.fixture
def here(quality, monkeypatch):
    """The small quality suite, written, as the working directory."""
    monkeypatch.chdir(quality.path)
    return quality.write()


def predict(*arguments, **process):
    """Run the command in a process of its own."""
    return subprocess.run(
        [*COMMAND, "predict", ".", *arguments], capture_output=True, text=True, check=False, **process
    )


def detector(here, source):
    """Write a module with a function `find`, and return the arguments that name it."""
    (here.path / "mine.py").write_text(source, encoding="utf-8")
    return ("--detector=mine:find", "--out=out.jsonl")


def rows(path):
    """Return the decoded lines of a file."""
    content = path.read_text(encoding="utf-8")
    assert content.endswith("\n")
    return [json.loads(line) for line in content.splitlines()]


def asked(here):
    """Return the first words of the texts that the detector was asked, in order, and forget them."""
    log = here.path / "asked.log"
    words = log.read_text(encoding="utf-8").split()
    log.unlink()
    return words


def whole(here):
    """Return the bytes that a run without interruption writes."""
    detector(here, FIND)
    (here.path / "acted").touch()
    assert main(["predict", ".", "--detector=mine:find", "--out=whole.jsonl"]) == 0
    (here.path / "acted").unlink()
    asked(here)
    return (here.path / "whole.jsonl").read_bytes()


def row(name, text, *selected, protection, identities):
    """Return the row of a document as a bank writes it."""
    spans = [[*span, None, list(pattern[:3])] for span, pattern in zip(selected, identities, strict=True)]
    return {
        "document_id": f"{DOCUMENT}.{name}",
        "text_sha256": "sha256:" + sha256(text.encode()).hexdigest(),
        "selected": spans,
        "candidates": None,
        "protection": protection,
        "partial": False,
        "dropped": 0,
        "failure": None,
    }


def test_a_bank_predicts_with_identities(here):
    """A header, then a row a document in the order of the records, private to the owner."""
    told = predict("--bank=bank.json", "--out=out.jsonl")
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout == "out.jsonl: predictions for 5 documents by small-bank 1\n"
    out = here.path / "out.jsonl"
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert not (here.path / "out.jsonl.partial").exists()
    header, *documents = rows(out)
    libraries = header["detector"].pop("libraries")
    assert {"ahocorasick-rs", "regex"} <= libraries.keys()
    fingerprint = header["detector"].pop("fingerprint")
    assert fingerprint.startswith("sha256:")
    assert header == {
        "schema_version": "pii_eval.predictions.v1",
        "detector": {"name": "small-bank", "version": "1", "label_map": None, "identities": True},
    }
    texts = {one["document"]["document_id"]: one["document"]["text"] for one in here.records}
    expected = [
        ("pair", [(9, 26, "email"), (30, 47, "email")], [EMAIL, EMAIL]),
        ("meeting", [(0, 20, "person")], [PERSON]),
        ("mailbox", [(7, 25, "email")], [EMAIL]),
        ("alarm", [(4, 46, "email")], [EMAIL]),
        ("order", [], []),
    ]
    assert documents == [
        row(
            name,
            texts[f"{DOCUMENT}.{name}"],
            *spans,
            protection=[list(span[:2]) for span in spans],
            identities=patterns,
        )
        for name, spans, patterns in expected
    ]
    told = subprocess.run([*COMMAND, "check", "out.jsonl"], capture_output=True, text=True, check=False)
    assert (told.returncode, told.stdout) == (
        0,
        "out.jsonl: predictions for 5 documents by small-bank 1\n",
    )


def test_a_detector_is_never_quoted(here):
    """Whatever it prints, logs, raises or labels with, no word of a text reaches output or file."""
    detector(here, TALKER)
    told = predict("--detector=mine:Talker", "--out=out.jsonl")
    assert told.returncode == 1
    assert told.stdout == "out.jsonl: predictions for 5 documents by talker 1\n"
    assert told.stderr == "out.jsonl: 1 of them have no answer: LookupError in mine.py:24 (1)\n"
    content = (here.path / "out.jsonl").read_text(encoding="utf-8")
    for word in WORDS:
        for form in forms(word):
            assert form not in content.casefold().replace(DOCUMENT, "")
    _, pair, *_, alarm, _ = rows(here.path / "out.jsonl")
    assert pair["selected"] == [
        [0, 5, "(withheld)", None, None],
        [0, 4, "(withheld)", None, None],
        [0, 1, "GIVEN_NAME", None, None],
    ]
    assert pair["candidates"] == pair["selected"]
    assert alarm["failure"] == "LookupError in mine.py:24"
    assert (alarm["selected"], alarm["candidates"], alarm["protection"]) == ([], None, None)


def test_a_label_that_the_taxonomy_knows_stays(here):
    """Also where the text says the same word: withholding it would lose a prediction when it is scored."""
    here.records = [record("doc", "The person left.", ["contact"])]
    here.only("contact").write()
    detector(here, "def find(text):\n    return [(4, 10, 'person'), (4, 10, 'Person')]\n")
    assert predict("--detector=mine:find", "--out=out.jsonl").returncode == 0
    assert [span[2] for span in rows(here.path / "out.jsonl")[1]["selected"]] == ["person", "(withheld)"]


@pytest.mark.parametrize(("source", "code"), [(INTERRUPTED, 130), (KILLED, -signal.SIGKILL)])
def test_an_interrupted_run_goes_on(here, source, code):
    """What is done is kept and not asked again; in the end the file is that of a run in one go."""
    uninterrupted = whole(here)
    arguments = detector(here, source)
    told = predict(*arguments)
    assert told.returncode == code
    assert asked(here) == ["Write", "Zephyrine", "Päper:", "Ask"]
    partial = here.path / "out.jsonl.partial"
    assert stat.S_IMODE(partial.stat().st_mode) == 0o600
    assert [one["document_id"] for one in rows(partial)[1:]] == [
        f"{DOCUMENT}.pair",
        f"{DOCUMENT}.meeting",
        f"{DOCUMENT}.mailbox",
    ]
    assert not (here.path / "out.jsonl").exists()
    if code == 130:
        assert (told.stdout, told.stderr) == (
            "",
            "out.jsonl: interrupted; 3 of 5 documents are kept, the same command goes on from there\n",
        )
    # The module's source is part of a function's fingerprint, so it must not change in between.
    again = predict(*arguments)
    assert (again.returncode, again.stderr) == (0, "")
    assert asked(here) == ["Ask", "Order"]
    assert not partial.exists()
    assert (here.path / "out.jsonl").read_bytes().partition(b"\n")[2] == uninterrupted.partition(b"\n")[2]


@pytest.mark.parametrize("name", ["find", "Batches"])
def test_a_detector_that_ends_the_process_costs_one_document(here, name):
    """`sys.exit(text)` would print the text; the document has no answer, and all others have."""
    source = (
        FIND + "    raise SystemExit(text)\n" if name == "find" else BATCHES.replace("KeyError", "SystemExit")
    )
    detector(here, source)
    told = predict(f"--detector=mine:{name}", "--out=out.jsonl")
    line = 15 if name == "find" else 18
    assert told.returncode == 1
    assert told.stderr == f"out.jsonl: 1 of them have no answer: SystemExit in mine.py:{line} (1)\n"
    assert len(rows(here.path / "out.jsonl")) == 6


def test_predictions_are_checked_by_the_command(here, capsys):
    """By their name or by their first row; a fault is one line."""
    assert main(["predict", ".", "--bank=bank.json", "--out=predictions-a.jsonl"]) == 0
    content = (here.path / "predictions-a.jsonl").read_bytes()
    (here.path / "other.jsonl").write_bytes(content[:-1])
    (here.path / "predictions-b.jsonl").write_bytes(b"")
    capsys.readouterr()
    assert main(["check", "predictions-a.jsonl", "other.jsonl", "predictions-b.jsonl"]) == 1
    told = capsys.readouterr()
    assert told.out == "predictions-a.jsonl: predictions for 5 documents by small-bank 1\n"
    assert told.err.splitlines() == [
        "other.jsonl:6: last line does not end with a line feed; the file may be cut off",
        "predictions-b.jsonl: is empty; run pii-eval predict again",
    ]


def test_a_failure_before_the_interruption_counts_at_the_end(here):
    """Its document is not asked again, and the run that completes the file still ends with 1."""
    arguments = detector(here, INTERRUPTED.replace("act(text)\n", "act(text); 1 / (len(text) - 40)\n", 1))
    assert predict(*arguments).returncode == 130
    told = predict(*arguments)
    assert told.returncode == 1
    assert told.stderr == "out.jsonl: 1 of them have no answer: ZeroDivisionError in mine.py:8 (1)\n"
    assert asked(here) == ["Write", "Zephyrine", "Päper:", "Ask", "Ask", "Order"]


def test_a_file_cut_off_anywhere_is_completed(here):
    """Whatever byte the last write stopped at, the same command ends with the same file."""
    uninterrupted = whole(here)
    (here.path / "acted").touch()
    partial = here.path / "out.jsonl.partial"
    header_end = uninterrupted.index(b"\n") + 1
    cuts = [1, header_end - 1, header_end, header_end + 1, len(uninterrupted) // 2, len(uninterrupted) - 1]
    for cut in [*cuts, len(uninterrupted)]:
        partial.write_bytes(uninterrupted[:cut])
        partial.chmod(0o644)
        assert main(["predict", ".", "--detector=mine:find", "--out=out.jsonl", "--force"]) == 0
        assert (here.path / "out.jsonl").read_bytes() == uninterrupted
        assert stat.S_IMODE((here.path / "out.jsonl").stat().st_mode) == 0o600
        assert not partial.exists()


def test_what_cannot_be_gone_on_with_is_refused(here, capsys):
    """A new text, another detector, a document that is gone, a broken row: one line each."""
    arguments = ["predict", ".", *detector(here, INTERRUPTED)]
    assert main(arguments) == 130
    partial = here.path / "out.jsonl.partial"
    kept = partial.read_bytes()
    meeting = here.record("meeting")["document"]["text"]
    capsys.readouterr()

    here.record("meeting")["document"]["text"] += " Bye."
    here.write()
    assert _refused(arguments, capsys) == (
        "quality-records.jsonl:2: its text changed since it was predicted; run pii-eval predict again\n"
    )
    here.record("meeting")["document"]["text"] = meeting
    gone = here.records.pop(0)
    here.write()
    assert _refused(arguments, capsys) == (
        "out.jsonl.partial: holds 1 documents that the suite no longer has; delete it to begin anew\n"
    )
    here.records.insert(0, gone)
    here.write()
    assert _refused(["predict", ".", "--bank=bank.json", "--out=out.jsonl"], capsys).startswith(
        "out.jsonl.partial:1: detector.name: was begun with another detector, or with other options;"
    )
    partial.write_bytes(kept + b"{}\n")
    assert _refused(arguments, capsys) == (
        "out.jsonl.partial:5: document_id: is missing; delete it to begin anew\n"
    )
    partial.write_bytes(kept)
    with partial.open("rb") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        assert _refused(arguments, capsys) == "out.jsonl.partial: another process is writing it\n"
    assert partial.read_bytes() == kept


def _refused(arguments, capsys):
    assert main(arguments) == 1
    told = capsys.readouterr()
    assert told.out == ""
    return told.err


def test_what_lies_at_the_target_stays(here, capsys):
    """A file is replaced only with --force; symlinks, folders and files of the suite not even then."""
    arguments = ["predict", ".", "--bank=bank.json"]
    out = here.path / "out.jsonl"
    out.write_text("mine", encoding="utf-8")
    (here.path / "link.jsonl").symlink_to(out)
    (here.path / "folder").mkdir()
    assert _refused([*arguments, "--out=out.jsonl"], capsys) == (
        "out.jsonl: exists already; give --force to replace it\n"
    )
    for name, rule in [
        ("link.jsonl", "is a symlink; name the real file"),
        ("folder", "is not a regular file"),
        ("quality-records.jsonl", "is the name of another file of a suite; name another file"),
        ("no/such.jsonl", "lies in a folder that does not exist; create it first"),
    ]:
        assert _refused([*arguments, f"--out={name}", "--force"], capsys) == f"{name}: {rule}\n"
    assert out.read_text(encoding="utf-8") == "mine"
    assert main([*arguments, "--out=out.jsonl", "--force"]) == 0
    assert len(rows(out)) == 6


def test_a_full_disk_is_one_line_and_no_loss(here):
    """A write that the system refuses ends with 1; what was written before is kept, and gone on with."""
    uninterrupted = whole(here)
    size = uninterrupted.rindex(b"\n", 0, -1) - 40  # in the middle of the fourth row

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    (here.path / "acted").touch()
    told = predict("--detector=mine:find", "--out=out.jsonl", preexec_fn=limit)
    assert (told.returncode, told.stdout) == (1, "")
    assert told.stderr == (
        "out.jsonl.partial: cannot be written (EFBIG);"
        " 3 of 5 documents are kept, the same command goes on from there\n"
    )
    assert (here.path / "out.jsonl.partial").stat().st_size == size
    assert main(["predict", ".", "--detector=mine:find", "--out=out.jsonl"]) == 0
    assert (here.path / "out.jsonl").read_bytes() == uninterrupted


def test_a_stuck_detector_is_given_up(here):
    """With --timeout its document has no answer, and all others have theirs."""
    told = predict(*detector(here, STUCK), "--timeout=3")
    assert (told.returncode, told.stderr) == (1, "out.jsonl: 1 of them have no answer: time_limit (1)\n")
    assert [one["failure"] for one in rows(here.path / "out.jsonl")[1:]] == [
        None,
        None,
        None,
        "time_limit",
        None,
    ]


def test_only_the_first_documents_are_asked(here):
    """--limit takes the first of the records."""
    arguments = detector(here, FIND)
    assert main(["predict", ".", *arguments, "--limit=2"]) == 0
    assert asked(here) == ["Write", "Zephyrine"]
    assert len(rows(here.path / "out.jsonl")) == 3


def test_a_batch_that_fails_costs_one_document(here):
    """Batches have the size of the detector or of --batch-size; one that raises is asked one by one.

    The offsets are bytes: `Päper:` has six code points in seven bytes, and byte 2 falls inside of `ä`.
    """
    detector(here, BATCHES)
    arguments = ["predict", ".", "--detector=mine:Batches", "--out=out.jsonl"]
    assert main(arguments) == 1
    assert asked(here) == ["batch-of-3", "one", "one", "one", "batch-of-2", "one", "one"]
    by_threes = (here.path / "out.jsonl").read_bytes()
    assert main([*arguments, "--force", "--batch-size=5"]) == 1
    assert asked(here) == ["batch-of-5", *["one"] * 5]
    assert (here.path / "out.jsonl").read_bytes() == by_threes
    _, _, _, mailbox, alarm, _ = rows(here.path / "out.jsonl")
    assert mailbox["selected"] == [[0, 6, "WORD", None, None]]
    assert mailbox["dropped"] == 2
    assert alarm["failure"] == "KeyError in mine.py:18"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--out=o"], "give --detector, or the --bank that predicts"),
        (["--bank=bank.json"], "--out"),
        (["--bank=bank.json", "--out=o", "--detector-option=a=b"], "--detector-option goes with --detector"),
        (["--detector=spacy", "--out=o", "--engine=nerb"], "--engine goes with a --bank alone"),
        (["--detector=spacy", "--out=o", "--detector-option=a"], "must have the form KEY=VALUE"),
        (["--bank=bank.json", "--out=o", "--timeout=0"], "must be a plain decimal number of seconds above 0"),
        (["--bank=bank.json", "--out=o", "--batch-size=0"], "must be an integer from 1 to 100,000"),
        (["--bank=bank.json", "--out=o", "--limit=x"], "must be an integer from 1 to"),
    ],
)
def test_wrong_usage_ends_with_two(here, capsys, arguments, told):
    """Nothing is read or written."""
    try:
        code = main(["predict", ".", *arguments])
    except SystemExit as ended:
        code = ended.code
    assert code == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--detector=nobody"], "--detector: no detector has this name"),
        (["--detector=nothere:find"], "--detector: there is no module nothere"),
        (["--bank=no.json"], "no.json: does not exist"),
    ],
)
def test_a_detector_that_cannot_be_built_is_one_line(here, capsys, arguments, told):
    """The run ends with 1 before anything is written."""
    line = _refused(["predict", ".", *arguments, "--out=out.jsonl"], capsys)
    assert line.startswith(told)
    assert line.count("\n") == 1
    assert not (here.path / "out.jsonl.partial").exists()


def test_a_directory_without_records_is_one_line(here, capsys):
    """So is one that is not there."""
    (here.path / "none").mkdir()
    for folder, told in [("none", "none: holds no quality records\n"), ("gone", "gone: is no directory\n")]:
        assert main(["predict", folder, "--bank=bank.json", "--out=out.jsonl"]) == 1
        assert capsys.readouterr().err == told


@pytest.mark.parametrize(("quiet", "shown"), [((), True), (("--quiet",), False)])
def test_a_terminal_sees_a_bar_of_counts(here, quiet, shown):
    """The bar reaches the end though the detector's output is dropped; it says nothing of a document."""
    detector(here, TALKER.replace("raise LookupError(text)", "pass"))
    ours, theirs = pty.openpty()
    command = [*COMMAND, "predict", ".", "--detector=mine:Talker", "--out=out.jsonl", *quiet]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        told = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while block := os.read(ours, 1 << 16):
                told += block
    os.close(ours)
    assert process.returncode == 0
    assert (b"5/5" in told) is shown
    assert not any(word.encode() in told for word in WORDS)
