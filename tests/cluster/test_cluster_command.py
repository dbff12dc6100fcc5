"""`pii-eval run` and `predict --cluster` as commands: exit statuses, outputs, and how they end."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cluster_suite import ClusterSuite, environment, told

from pytest_pii_eval.cli import main

COMMAND = [sys.executable, "-P", "-c", "import sys; from pytest_pii_eval.cli import main; sys.exit(main())"]
# Says that it has begun to answer, and then takes its time.
SLOW = """
import time
find = Mine.detect

def slow(self, text):
    (HERE / "begun").touch()
    time.sleep(0.2)
    return find(self, text)

Mine.detect = slow
"""


@pytest.fixture
def suite(tmp_path, monkeypatch):
    """Forty documents in two files, written, below the working directory."""
    monkeypatch.chdir(tmp_path)
    return ClusterSuite(tmp_path).write()


def command(*arguments, **process):
    """Run the command in a process of its own."""
    process = {"env": environment(), **process}
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False, **process)


def test_a_run_that_holds(suite, capsys):
    """Status 0, the section of a pytest run, and the report in its default place."""
    assert main(["run", "suite", "--bank", "bank.json", "--markdown", "report.md", "--quiet"]) == 0
    told_lines = capsys.readouterr().out.splitlines()
    assert told_lines[0].strip("= ") == "pii-eval"
    assert told_lines[1] == "verdict      pass"
    assert told_lines[-2:] == ["report       .pii_eval/report.json", "Markdown     report.md"]
    report = json.loads(Path(".pii_eval/report.json").read_text(encoding="utf-8"))
    assert report["slices"]["all"]["metrics"]["recall"]["numerator"] == 24


def test_a_gate_that_fails(suite, capsys):
    """Status 1, after the report was written where it was asked for."""
    gate = ["--max-leaks", "7", "--report", "told.json"]
    assert main(["run", "suite", "--bank", "bank.json", *gate]) == 1
    assert "gate         fail max-leaks of slice all: 8, must be at most 7" in capsys.readouterr().out
    assert json.loads(Path("told.json").read_text(encoding="utf-8"))["passed"] is False


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "give --bank, or the --detector under test"),
        (["--bank", "bank.json", "--label-map", "mine"], "--label-map go with --detector"),
        (["--detector", "mine:find", "--engine", "nerb"], "--engine goes with a --bank alone"),
        (
            ["--bank", "bank.json", "--report", "suite/quality-slices.jsonl"],
            "--report: is a file of the suite",
        ),
        (["--bank", "bank.json", "--baseline", "gone.json"], "--baseline: names no file"),
    ],
)
def test_wrong_usage(suite, capsys, arguments, words):
    """Status 2 and a line that says what to do."""
    assert main(["run", "suite", *arguments]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--batch-bytes", "9"], "--batch-bytes goes with --cluster"),
        (["--cluster", "local:1", "--limit", "9"], "--limit goes with a run in one process"),
    ],
)
def test_predict_refuses_what_would_be_ignored(suite, capsys, arguments, words):
    """Status 2: batches are those of a cluster, and a limit that of one process."""
    assert main(["predict", "suite", "--bank", "bank.json", "--out", "made.jsonl", *arguments]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    "limit", ["--min-recall=2", "--max-leaks=-1", "--batch-bytes=0", "--timeout=0", "--cluster=local:0"]
)
def test_a_value_that_makes_no_sense(suite, limit):
    """Such arguments end the command with status 2."""
    with pytest.raises(SystemExit) as ended:
        main(["run", "suite", "--bank", "bank.json", limit])
    assert ended.value.code == 2


def test_a_fault_withdraws_the_report(suite, capsys):
    """One line, status 1, and no report of an earlier run that could stand for this one."""
    assert main(["run", "suite", "--bank", "bank.json"]) == 0
    suite.records[27]["gold_spans"] = [{}]
    suite.write()
    capsys.readouterr()
    assert main(["run", "suite", "--bank", "bank.json", "--batch-bytes", "500"]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("suite/quality-records-0002.jsonl:8: gold_spans[0].")
    assert captured.err.count("\n") == 1
    assert not captured.out
    assert not Path(".pii_eval/report.json").exists()


@pytest.mark.parametrize("where", ["nowhere", "memory://nowhere/suite", "strange://suite"])
def test_a_suite_that_is_not_there(suite, capsys, where):
    """One line, status 1."""
    assert main(["run", where, "--bank", "bank.json"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    "verb", [("run", "suite"), ("predict", "suite", "--out", "made.jsonl")], ids=["run", "predict"]
)
def test_a_missing_library_is_one_line(suite, capsys, monkeypatch, verb):
    """Without distributed the extra is named."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main([*verb, "--bank", "bank.json", "--cluster", "local:2"]) == 1
    line = "--cluster needs dask.distributed; install pytest-pii-eval[cluster]\n"
    assert capsys.readouterr().err == line


def test_a_scheduler_that_is_not_there_is_one_line(suite):
    """Status 1; the address, which may be private, is not in it."""
    pytest.importorskip("distributed")
    arguments = ("--bank", "bank.json", "--cluster", "tcp://127.0.0.1:9")
    quick = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "500ms"}
    done = command("run", "suite", *arguments, env=environment() | quick)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "--cluster: the scheduler cannot be reached (OSError)\n"


def test_without_a_cluster_dask_is_not_imported(suite):
    """A run in this process imports neither distributed nor fsspec."""
    code = "import sys; from pytest_pii_eval.cli import main; status = main(sys.argv[1:]); "
    code += "print({'dask', 'distributed', 'fsspec'} & set(sys.modules), status)"
    arguments = ["run", "suite", "--bank", "bank.json", "--quiet"]
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
    )
    assert done.stdout.splitlines()[-1] == "set() 0"


def test_a_local_cluster_and_its_outputs(suite):
    """One worker for `local:1`: status and report of a run here, and no text of a detector that talks."""
    pytest.importorskip("distributed")
    arguments = ("run", "suite", "--detector", suite.detector, "--batch-bytes", "4000")
    assert command(*arguments, "--report", "here.json").returncode == 0
    done = command(*arguments, "--cluster", "local:1", "--report", "there.json")
    assert (done.returncode, done.stderr) == (0, "")
    here, there = (json.loads(Path(name).read_text(encoding="utf-8")) for name in ("here.json", "there.json"))
    assert there.pop("run")["processes"] == here.pop("run")["processes"] == 1
    assert here == there
    assert not told(done.stdout + done.stderr)


def alive_in(group):
    """Return the processes of a group that have not ended; who has, may wait for its parent."""
    fields = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields.append((path.parent.name, path.read_text().rpartition(")")[2].split()))
    return [name for name, (state, _, of_group, *_) in fields if int(of_group) == group and state != "Z"]


def test_an_interrupt_ends_everything(suite):
    """Ctrl-C in a terminal reaches all processes: status 130, one line, and none of them survives."""
    pytest.importorskip("distributed")
    if not Path("/proc/self/stat").exists():
        pytest.skip("processes are found in /proc")
    with suite.module.open("a", encoding="utf-8") as module:
        module.write(SLOW)
    arguments = ["run", "suite", "--detector", suite.detector, "--cluster", "local:1", "--batch-bytes", "500"]
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
    )
    try:
        while not Path("begun").exists():
            assert process.poll() is None
            os.sched_yield()
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err) == (130, "", "pii-eval run: interrupted\n")
        until = time.monotonic() + 20
        while alive_in(process.pid) and time.monotonic() < until:
            os.sched_yield()
        assert not alive_in(process.pid)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
