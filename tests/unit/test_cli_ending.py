"""The command `pii-eval`: how it ends early, and how it prints what an output cannot show."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import threading

import pytest

from pytest_pii_eval import cli
from pytest_pii_eval.cli import main
from pytest_pii_eval.terminating import ended_by_sigterm

ROW = '{"doc_id": "1", "text": "Ann", "spans": [[0, 3, "person"]]}\n'
WAITING = """\
import sys
from pytest_pii_eval.corpora.draft import Draft

class Adapter:
    name, version, offset_unit, policy = "own", "1", "codepoint", "as it stands"
    reads = 0

    def read(self, path):
        yield Draft(1, "1", "Ann", ((0, 3, "person"),))
        self.reads += 1
        if self.reads == 2:
            (path.parent / "reading").touch()
            sys.stdin.read()
"""


def test_what_an_output_cannot_encode_is_escaped(tmp_path, monkeypatch):
    """A name of a file ends no command, where the outputs know ASCII alone."""
    monkeypatch.chdir(tmp_path)
    raw = {"stdout": io.BytesIO(), "stderr": io.BytesIO()}
    for name, one in raw.items():
        monkeypatch.setattr(sys, name, io.TextIOWrapper(one, encoding="ascii", write_through=True))
    (tmp_path / "own.jsonl").write_text(ROW)
    assert main(["import", "spans", "own.jsonl", "--out=ożó"]) == 0
    assert main(["import", "spans", "own.jsonl", "--out=ożó"]) == 1
    out, err = (one.getvalue().decode() for one in raw.values())
    assert out.startswith(r"o\u017c\xf3: 1 document, 1 span of 1 type, 0 quarantined;")
    assert err == "o\\u017c\\xf3: exists already; name a new directory\n"


def test_controls_in_names_of_files_are_escaped(tmp_path, monkeypatch, capsys):
    """No name of a file moves the cursor or begins a line of its own, wherever it is printed."""
    monkeypatch.chdir(tmp_path)
    name, shown = "a\x1b[2J\r\nb", r"a\x1b[2J\r\nb"
    (tmp_path / f"{name}.jsonl").write_text(ROW)
    (tmp_path / f"{name}.bad.jsonl").write_text("no JSON\n")
    assert main(["import", "spans", f"{name}.jsonl", f"--out={name}.out"]) == 0
    assert main(["import", "spans", f"{name}.bad.jsonl", f"--out={name}.2"]) == 1
    assert main(["import", "spans", f"{name}.none.jsonl", f"--out={name}.2"]) == 1
    told = capsys.readouterr()
    assert told.out.startswith(f"{shown}.out: 1 document, ")
    assert told.out.count("\n") == 1
    first, *_, last = told.err.split("\n")[:-1]
    assert (first, last) == (f"{shown}.bad.jsonl:1: row_not_readable", f"{shown}.none.jsonl: does not exist")


def test_an_early_interrupt_is_one_line(monkeypatch, capsys):
    """Ctrl-C before a command has begun, while modules are imported, ends with 130 and no traceback."""

    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_run", interrupted)
    assert main(["schema"]) == 130
    assert capsys.readouterr() == ("", "pii-eval: interrupted\n")


@pytest.mark.parametrize(
    ("command", "words"),
    [("corpus", ["list"]), ("import_command", ["spans", "a", "--out=b"])],
)
def test_both_commands_that_hold_texts_hear_sigterm(monkeypatch, command, words):
    """While they run it has a handler, and behind them it has none."""
    heard = []
    asked = getattr(cli, command)
    monkeypatch.setattr(asked, "run_command", lambda *_: heard.append(signal.getsignal(signal.SIGTERM)) or 0)
    assert main([command.removesuffix("_command"), *words]) == 0
    assert heard != [signal.SIG_DFL]
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
def test_sigterm_ends_an_import_as_an_interrupt_does(tmp_path):
    """What is half-written is removed, and the exit code is 130."""
    (tmp_path / "waiting_adapter.py").write_text(WAITING)
    (tmp_path / "own.txt").write_text("x")
    command = "import sys; from pytest_pii_eval.cli import main; sys.exit(main(sys.argv[1:]))"
    with subprocess.Popen(
        [sys.executable, "-c", command, "import", "waiting_adapter:Adapter", "own.txt", "--out=suite"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        try:
            while not (tmp_path / "reading").exists() and child.poll() is None:
                threading.Event().wait(0.02)
            held = [path.name for path in tmp_path.iterdir()]
            child.send_signal(signal.SIGTERM)
            assert child.stderr.read() == b"suite: interrupted; nothing is left of it\n"
            assert child.wait(10) == 130
        finally:
            child.kill()
    assert any(name.endswith(".partial") for name in held)
    assert not any("suite" in path.name for path in tmp_path.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
def test_the_handler_of_sigterm_is_there_for_the_block_alone():
    """It is put back behind the block; another's handler stays, and so do those of another thread."""
    usual = signal.getsignal(signal.SIGTERM)
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        with pytest.raises(KeyboardInterrupt), ended_by_sigterm():
            signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        with ended_by_sigterm():
            inside = []
            other = threading.Thread(target=lambda: inside.append(_handled()))
            other.start()
            other.join()
        assert inside == ["no error"]
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        with ended_by_sigterm():
            assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, usual)


def _handled() -> str:
    with ended_by_sigterm():
        return "no error"
