"""Private directories: refused where unsafe, complete with a marker or absent."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from pytest_pii_eval.private import MARKER, private_directory, refuse_unsafe_target, remove_leftovers

if TYPE_CHECKING:
    from pathlib import Path


def _refusal(target: Path, *, allow_tracked: bool = False) -> str | None:
    return refuse_unsafe_target(target, allow_tracked=allow_tracked)


def _git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)  # noqa: S607  # as found


def _fill(target: Path, error: BaseException | None = None, *, meanwhile=lambda: None) -> None:
    with private_directory(target) as directory:
        directory.write("a", b"x")
        meanwhile()
        if error is not None:
            raise error


def test_a_committed_directory(tmp_path) -> None:
    """Files have mode 0600, the directory 0700; the marker is beside them and nothing else around."""
    before = os.umask(0)
    try:
        with private_directory(tmp_path / "audit") as directory:
            directory.write("a.json", b"{}\n")
            with directory.open("b.jsonl") as handle:
                handle.write(b"1\n")
                handle.write(b"2\n")
    finally:
        os.umask(before)
    target = tmp_path / "audit"
    files = {path.name: (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) for path in target.iterdir()}
    assert files == {
        "a.json": (b"{}\n", 0o600),
        "b.jsonl": (b"1\n2\n", 0o600),
        "COMMITTED": (b"pii_eval.private_directory.v1\n", 0o600),
    }
    assert MARKER == "COMMITTED"
    assert stat.S_IMODE(target.stat().st_mode) == 0o700
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(
    "error", [ValueError("x"), KeyboardInterrupt(), OSError(28, "No space left on device")]
)
def test_any_failure_leaves_nothing(tmp_path, error) -> None:
    """Whatever ends the filling, neither target nor staging directory stays."""
    with pytest.raises(type(error)):
        _fill(tmp_path / "audit", error)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_at_the_target_while_it_is_filled(tmp_path) -> None:
    """Until the commit there is one hidden directory beside the target, private, without a marker."""
    with private_directory(tmp_path / "audit") as directory:
        directory.write("a", b"x")
        (staging,) = tmp_path.iterdir()
        assert staging.name.startswith(".audit.")
        assert staging.name.endswith(".partial")
        assert stat.S_IMODE(staging.stat().st_mode) == 0o700
        assert sorted(path.name for path in staging.iterdir()) == [".gitignore", "a"]


@pytest.mark.parametrize("kind", ["file", "folder", "dangling-link"])
def test_a_target_that_appears_meanwhile_is_not_touched(tmp_path, kind) -> None:
    """What somebody else put there in between stays, and the staging directory goes."""
    target = tmp_path / "audit"
    appear = {
        "file": lambda: target.write_text("theirs"),
        "folder": target.mkdir,
        "dangling-link": lambda: target.symlink_to(tmp_path / "nowhere"),
    }
    with pytest.raises(FileExistsError):
        _fill(target, meanwhile=appear[kind])
    assert list(tmp_path.iterdir()) == [target]


def test_no_file_is_written_twice(tmp_path) -> None:
    """A name that is taken is refused; what stood under it stays."""
    with private_directory(tmp_path / "other") as directory:
        directory.write("a", b"x")
        with pytest.raises(FileExistsError):
            directory.write("a", b"y")
    assert (tmp_path / "other" / "a").read_bytes() == b"x"


_KILLED = """
import os, signal, sys
from pathlib import Path
from pytest_pii_eval.private import private_directory
with private_directory(Path(sys.argv[1])) as directory:
    directory.write("a", b"x" * 100000)
    with directory.open("b") as handle:
        handle.write(b"half")
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
def test_a_killed_process_leaves_no_target(tmp_path) -> None:
    """A process killed in the middle leaves at most a hidden directory without the marker."""
    target = tmp_path / "audit"
    finished = subprocess.run([sys.executable, "-c", _KILLED, str(target)], check=False, capture_output=True)
    assert finished.returncode == -9
    assert not target.exists()
    (left,) = tmp_path.iterdir()
    assert left.name.endswith(".partial")
    assert not (left / MARKER).exists()
    with private_directory(target) as directory:  # and the next run clears it away
        directory.write("a", b"x")
    assert (target / MARKER).exists()
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("kind", ["file", "folder", "link", "dangling-link"])
def test_what_exists_is_no_target(tmp_path, kind) -> None:
    """A target is a new directory; nothing there is overwritten or followed."""
    target = tmp_path / "audit"
    if kind == "file":
        target.write_text("")
    elif kind == "folder":
        target.mkdir()
    else:
        target.symlink_to(tmp_path if kind == "link" else tmp_path / "nowhere")
    assert _refusal(target) == "exists already; name a new directory"


def test_a_linked_folder_on_the_way_is_refused(tmp_path) -> None:
    """No folder above the target is a symlink, however far up."""
    (tmp_path / "real" / "deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert (
        _refusal(tmp_path / "link" / "deep" / "audit") == "is reached through a symlink; name the real folder"
    )


def test_the_folder_above_must_be_there(tmp_path) -> None:
    """Only the last folder is made."""
    assert _refusal(tmp_path / "no" / "audit") == "lies in a folder that does not exist; create it first"


def test_outside_git_all_is_well(tmp_path) -> None:
    """A place in no work tree is safe, and asking creates nothing."""
    assert _refusal(tmp_path / "audit") is None
    assert list(tmp_path.iterdir()) == []


def test_inside_git_only_what_is_ignored(tmp_path) -> None:
    """In a work tree the target must be ignored, or the user must have allowed it."""
    _git(tmp_path, "init", "-q")
    (tmp_path / ".gitignore").write_text("private*/\n")
    tracked = "lies where git would track it; choose an ignored place, or give --pii-audit-allow-tracked"
    assert _refusal(tmp_path / "audit") == tracked
    assert _refusal(tmp_path / "audit", allow_tracked=True) is None


def test_a_rule_for_the_folder_itself_counts_before_it_exists(tmp_path) -> None:
    """`private*/` speaks of folders; the target is one, though it is not there yet."""
    _git(tmp_path, "init", "-q")
    (tmp_path / ".gitignore").write_text("private*/\nlogs\n")
    assert _refusal(tmp_path / "private-1") is None
    assert _refusal(tmp_path / "logs") is None
    (tmp_path / "private-2").mkdir()
    assert _refusal(tmp_path / "private-2" / "audit") is None


def test_without_git_itself_a_work_tree_is_doubted(tmp_path, monkeypatch) -> None:
    """Where git can not be asked, the answer is that it would track."""
    (tmp_path / ".git").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert (_refusal(tmp_path / "audit") or "").startswith("lies where git would track it")


def test_a_file_is_moved_in(tmp_path) -> None:
    """A file that is on the disk already becomes part of the directory, and is nowhere else."""
    (tmp_path / "part").write_bytes(b"x")
    with private_directory(tmp_path / "audit") as directory:
        directory.move_in("whole", tmp_path / "part")
    assert (tmp_path / "audit/whole").read_bytes() == b"x"
    assert list(tmp_path.iterdir()) == [tmp_path / "audit"]


def test_moving_in_replaces_nothing(tmp_path) -> None:
    """A name that is taken is refused; the file that was to be moved stays."""
    (tmp_path / "part").write_bytes(b"x")
    with private_directory(tmp_path / "audit") as directory:
        directory.write("whole", b"y")
        with pytest.raises(FileExistsError):
            directory.move_in("whole", tmp_path / "part")
    assert (tmp_path / "audit/whole").read_bytes() == b"y"
    assert (tmp_path / "part").read_bytes() == b"x"


def _seen_by_git(folder: Path) -> str:
    told = subprocess.run(
        ["git", "-C", str(folder), "status", "--porcelain", "-uall"],  # noqa: S607  # as found
        check=True,
        capture_output=True,
        text=True,
    )
    return told.stdout


def test_git_never_sees_what_is_being_filled(tmp_path) -> None:
    """A rule for the target does not fit the hidden name beside it, so that one ignores itself."""
    _git(tmp_path, "init", "-q")
    (tmp_path / ".gitignore").write_text("audit/\n.gitignore\n")
    with private_directory(tmp_path / "audit") as directory:
        directory.write("a", b"x")
        assert _seen_by_git(tmp_path) == ""
    subprocess.run([sys.executable, "-c", _KILLED, str(tmp_path / "other")], check=False, capture_output=True)
    assert any(path.name.startswith(".other.") for path in tmp_path.iterdir())
    assert _seen_by_git(tmp_path) == ""


@pytest.mark.skipif(os.name == "nt", reason="locks are POSIX")
def test_only_what_is_surely_dead_is_cleared_away(tmp_path) -> None:
    """A directory that is being filled, one without a lock to ask, and other names stay."""
    target = tmp_path / "audit"
    unknown = tmp_path / f".audit.{'0' * 16}.partial"
    other = tmp_path / f".audit.b.{'1' * 16}.partial"
    linked = tmp_path / f".audit.{'2' * 16}.partial"
    dead = tmp_path / f".audit.{'3' * 16}.partial"
    for folder in (unknown, other, dead):
        folder.mkdir()
    for folder in (other, dead):
        (folder / ".gitignore").write_text("*\n")
        (folder / "texts").write_text("x")
    linked.symlink_to(other)
    with private_directory(target) as directory:
        directory.write("a", b"x")
        remove_leftovers(target)
    assert (target / "a").read_bytes() == b"x"
    assert set(tmp_path.iterdir()) == {target, unknown, other, linked}
    assert (other / "texts").exists()
