"""Writing the report: its bytes, and that a reader sees the old file or the new one, never a part."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from report_values import report

from pytest_pii_eval.private import ignore_for_git
from pytest_pii_eval.reports.write import render_json, write_atomically


def test_rendering_is_sorted_indented_utf8_text() -> None:
    """Keys are sorted at every level, letters stay letters, and the text ends with one line feed."""
    text = render_json(report())
    assert text.startswith('{\n  "complete": true,\n  "conformance": {\n    "active_patterns": 1,\n')
    assert '"name": "tiny-bänk"' in text
    assert text.endswith("}\n")
    assert not text.endswith("\n\n")
    assert "\r" not in text


def test_a_new_file_holds_the_text_in_utf8_with_line_feeds(tmp_path) -> None:
    """Bytes are UTF-8 and line ends stay as they are; missing folders are made."""
    path = tmp_path / "a" / "b" / "report.json"
    write_atomically(path, "é\n\U0001f600\n")
    assert path.read_bytes() == b"\xc3\xa9\n\xf0\x9f\x98\x80\n"
    assert [one.name for one in path.parent.iterdir()] == ["report.json"]


def test_an_old_file_is_replaced_whole(tmp_path) -> None:
    """The new text replaces a longer old one; who has the old file open still reads it whole."""
    path = tmp_path / "report.json"
    path.write_text("old and long")
    with path.open() as held:
        write_atomically(path, "new")
        assert held.read() == "old and long"
    assert path.read_text() == "new"


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o000, 0o666)])
def test_the_umask_decides_who_may_read(tmp_path, mask, mode) -> None:
    """The file gets the mode that any new file gets, though its temporary file is born private."""
    before = os.umask(mask)
    try:
        write_atomically(tmp_path / "report.json", "x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "report.json").stat().st_mode) == mode


def test_a_symlink_is_replaced_not_followed(tmp_path) -> None:
    """A link in the place of the report gives way; what it pointed to is untouched."""
    (tmp_path / "other").write_text("untouched")
    (tmp_path / "report.json").symlink_to(tmp_path / "other")
    write_atomically(tmp_path / "report.json", "new")
    assert (tmp_path / "other").read_text() == "untouched"
    assert not (tmp_path / "report.json").is_symlink()


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
def test_a_failed_step_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, step) -> None:
    """Where the disk refuses at any step, the old report stays and the temporary file is gone."""
    path = tmp_path / "report.json"
    path.write_text("old")

    def full(*_arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os if step == "fsync" else Path, step, full)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(path, "new")
    assert [one.name for one in tmp_path.iterdir()] == ["report.json"]
    assert path.read_text() == "old"


def test_an_interrupt_leaves_no_temporary_file(tmp_path, monkeypatch) -> None:
    """Ctrl-C in the middle cleans up too."""

    def interrupt(_descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "report.json", "new")
    assert list(tmp_path.iterdir()) == []


_LIMITED = """
import resource, signal, sys
from pathlib import Path
from pytest_pii_eval.reports.write import write_atomically
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_atomically(Path(sys.argv[1]), "x" * 5000)
except OSError as error:
    print(error.errno)
"""


@pytest.mark.skipif(os.name == "nt", reason="limits of file sizes are POSIX")
def test_a_real_limit_of_the_system_leaves_no_part(tmp_path) -> None:
    """A process that may write 1,000 bytes and no more leaves the old report, no temporary file."""
    path = tmp_path / "report.json"
    path.write_text("old")
    finished = subprocess.run(
        [sys.executable, "-c", _LIMITED, str(path)], check=True, capture_output=True, text=True
    )
    assert finished.stdout.strip() == str(errno.EFBIG)
    assert [one.name for one in tmp_path.iterdir()] == ["report.json"]
    assert path.read_text() == "old"


def test_text_that_is_no_utf8_leaves_nothing(tmp_path) -> None:
    """A lone surrogate can not be written, and leaves no file behind."""
    with pytest.raises(UnicodeEncodeError):
        write_atomically(tmp_path / "report.json", "\ud800")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_ignores_itself_once(tmp_path) -> None:
    """The folder gets a .gitignore of everything, and one that is there already stays."""
    folder = tmp_path / "a" / ".pii_eval"
    ignore_for_git(folder)
    assert (folder / ".gitignore").read_text() == "# Written by pytest-pii-eval.\n*\n"
    (folder / ".gitignore").write_text("mine")
    ignore_for_git(folder)
    assert (folder / ".gitignore").read_text() == "mine"
