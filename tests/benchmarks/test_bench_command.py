"""The command that runs the benchmarks, and how processes are measured."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from types import SimpleNamespace

import pytest
from bench_modules import ROOT, command_line, costs, machine, plan, rows


def python(program, folder, **options):
    return costs.Command([sys.executable, "-c", program], folder, **options)


@pytest.mark.parametrize("name", command_line.BENCHMARKS)
def test_each_name_is_a_benchmark(name):
    """`--only` takes it, and its module has the function that measures."""
    assert command_line.parser().parse_args(["--only", name]).only == [name]
    module, _, function = command_line.BENCHMARKS[name].partition(":")
    assert callable(getattr(import_module(f"bench.{module}"), function or "measure"))


def test_an_unknown_name_is_refused(capsys):
    """The choice is said to be none."""
    with pytest.raises(SystemExit, match="2"):
        command_line.main(["--only", "everything"])
    assert "everything" in capsys.readouterr().err


def test_a_quick_run_keeps_nothing_unasked(tmp_path, monkeypatch, capsys):
    """Its figures are printed, and the results of the repository stay as they are."""
    monkeypatch.setattr(command_line, "RESULTS", tmp_path / "kept.json")
    monkeypatch.setitem(command_line.BENCHMARKS, "start-up", "nothing_to_do")
    monkeypatch.setitem(sys.modules, "bench.nothing_to_do", SimpleNamespace(measure=lambda _: []))
    command_line.main(["--quick", "--only", "start-up"])
    assert not (tmp_path / "kept.json").exists()
    command_line.main(["--only", "start-up"])
    assert json.loads((tmp_path / "kept.json").read_text())["rows"] == []
    assert "Nothing was measured yet." in capsys.readouterr().out


@pytest.mark.parametrize("word", ["0", "-1", "1.5", "three"])
def test_a_number_of_rounds_is_at_least_one(word, capsys):
    """Any other word ends the command with what is wrong and what to give."""
    with pytest.raises(SystemExit, match="2"):
        command_line.main(["--rounds", word])
    expected = f"argument --rounds: {word!r} is no number of rounds: give a whole number from 1\n"
    assert capsys.readouterr().err.endswith(expected)


@pytest.mark.parametrize(("words", "most"), [(["--quick"], None), ([], 0.4)])
def test_a_quick_run_has_no_targets(words, most, tmp_path, monkeypatch):
    """They are of full sizes, so small ones keep their figures and lose their limits."""
    one = rows.row(("a work", "ours"), costs.Cost(1, 1, 1), rows.Check("a ratio", 0.5, most=0.4))
    monkeypatch.setitem(command_line.BENCHMARKS, "start-up", "one_row")
    monkeypatch.setitem(sys.modules, "bench.one_row", SimpleNamespace(measure=lambda _: [one]))
    command_line.main([*words, "--only", "start-up", "--out", str(tmp_path / "kept.json")])
    (kept,) = rows.read_results(tmp_path / "kept.json").rows
    assert kept.checks == (rows.Check("a ratio", 0.5, most=most),)


def test_the_versions_that_are_told_are_of_what_is_used():
    """Each is pinned for tests, beside this package; the peers and what is below them are among them."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {line.partition("==")[0].strip().lower().replace("_", "-") for line in lines}
    assert set(machine.PACKAGES) - pinned == {"pytest-pii-eval"}
    assert {"nerb", "nervaluate", "seqscore", "pydantic", "google-re2", "pyarrow"} < set(machine.PACKAGES)


def test_the_runner_is_small():
    """A child's peak memory starts with that of its parent, so nothing large is imported before it."""
    program = "import sys; sys.path.insert(0, 'benchmarks'); import run; print(sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True
    )
    large = ("numpy", "pydantic", "pyarrow", "pytest_pii_eval", "nerb", "pytest")
    assert [name for name in large if f"'{name}'" in done.stdout] == []


def test_a_child_works_in_a_process_of_its_own():
    """It returns the figures of its function and its own peak memory, and does not import into this one."""
    found = plan.child("bench.scorers:ours_dense", documents=10)
    assert sorted(found) == ["cpu", "fn", "fp", "peak_mb", "rate", "tp"]
    assert "bench.scorers" not in sys.modules


def test_a_command_is_counted_with_its_children(tmp_path):
    """CPU seconds of a child count, and the peak is that of the largest process."""
    inner = "import time\nx = bytearray(150_000_000)\nwhile time.process_time() < 0.2: pass"
    cost = costs.run(
        python(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])", tmp_path)
    )
    assert cost.cpu >= 0.2
    assert cost.megabytes >= 143
    assert cost.together is None


@pytest.mark.skipif(sys.platform != "linux", reason="memory of several processes is read from /proc")
def test_the_memory_of_several_processes_is_added_up(tmp_path):
    """Two that hold 100 MB at one time come to the sum."""
    hold = "import sys\nx = bytearray(100_000_000)\nprint('here', flush=True)\nsys.stdin.read()"
    program = f"""
import subprocess, sys, time
pair = [subprocess.Popen([sys.executable, "-c", {hold!r}], stdin=-1, stdout=-1) for _ in range(2)]
for one in pair:
    one.stdout.readline()
until = time.perf_counter() + 0.5
while time.perf_counter() < until:
    pass
for one in pair:
    one.communicate()
"""
    cost = costs.run(python(program, tmp_path, several=True))
    assert cost.together is not None
    assert cost.together >= 190


def test_a_command_that_fails_is_told_with_its_words(tmp_path):
    """Its status, the command, and the end of what it wrote."""
    with pytest.raises(costs.Broken, match=r"(?s)exited with 3: .*went wrong"):
        costs.run(python("import sys; print('went wrong'); sys.exit(3)", tmp_path))


@pytest.mark.skipif(sys.platform != "linux", reason="opens a named pipe in both directions")
def test_nothing_is_left_running(tmp_path):
    """A process that a command leaves behind is ended with it, and never says that it lived on."""
    os.mkfifo(tmp_path / "pipe")
    late = "import time; pipe = open('pipe', 'r+b', 0); print(flush=True); time.sleep(5); pipe.write(b'late')"
    leave = (
        f"import subprocess as s, sys; s.Popen([sys.executable, '-c', {late!r}], stdout=-1).stdout.readline()"
    )
    costs.run(python(leave, tmp_path))
    pipe = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(pipe, True)
    with open(pipe, "rb") as reader:  # noqa: PTH123  # a descriptor, no path
        assert reader.read(4) == b""


def test_what_a_command_writes_is_kept_where_it_is_asked_for(tmp_path):
    """Its last round stands in the file, and the words of each round have their own turn."""
    told = python("import sys; print(sys.argv[1])", tmp_path, output="told.txt")
    costs.in_turns({"one": costs.Command([*told.words, "{turn}"], tmp_path, output="told.txt")}, 2)
    assert (tmp_path / "told.txt").read_text() == f"{os.getpid()}-1\n"


def test_medians_are_taken_of_each_figure():
    """The middle of three, figure by figure."""
    found = costs.median_cost([costs.Cost(1, 6, 7), costs.Cost(3, 4, 9, 10), costs.Cost(2, 5, 8)])
    assert found == costs.Cost(2, 5, 8, 10)
