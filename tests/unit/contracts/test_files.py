"""Opening input: regular files, no symlinks, bounded."""

from __future__ import annotations

import os

import pytest

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_descriptor, open_input, read_input


def _fault(action) -> str:
    with pytest.raises(Fault) as caught:
        action()
    return str(caught.value)


def test_reads_the_whole_file(tmp_path) -> None:
    """A regular file within the limit comes back byte for byte."""
    path = tmp_path / "a.json"
    path.write_bytes(b"\x00\r\n\xff")
    assert read_input(path, limit=100) == b"\x00\r\n\xff"


def test_limit_is_inclusive(tmp_path) -> None:
    """A file of exactly the limit is read, one byte more is refused."""
    path = tmp_path / "a.json"
    path.write_bytes(b"12345")
    assert read_input(path, limit=5) == b"12345"
    assert _fault(lambda: read_input(path, limit=4)) == "a.json: holds more than the limit of 4 bytes"


def test_missing_file(tmp_path) -> None:
    """A file that is not there is named by its last part only."""
    assert _fault(lambda: read_input(tmp_path / "gone.json", limit=5)) == "gone.json: does not exist"


def test_file_in_a_missing_folder(tmp_path) -> None:
    """A missing folder on the way reads the same."""
    assert _fault(lambda: read_input(tmp_path / "no" / "gone.json", limit=5)) == "gone.json: does not exist"


def test_file_under_a_file(tmp_path) -> None:
    """An error without words of its own shows its symbol and no path."""
    (tmp_path / "a").write_bytes(b"")
    assert _fault(lambda: read_input(tmp_path / "a" / "b", limit=5)) == "b: cannot be opened (ENOTDIR)"


def test_symlink_is_refused(tmp_path) -> None:
    """A symlink is not followed, not even to a regular file."""
    (tmp_path / "real").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert _fault(lambda: read_input(tmp_path / "link", limit=5)) == "link: is a symlink; name the real file"


def test_linked_folder_below_the_root_is_refused(tmp_path) -> None:
    """A symlinked folder between root and file is refused."""
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    path = tmp_path / "link" / "a"
    message = "a: is reached through a symlink; name the real folder"
    assert _fault(lambda: read_input(path, limit=5, root=tmp_path)) == message


def test_linked_folder_above_the_root_is_taken(tmp_path) -> None:
    """How the root itself is reached is the user's affair; so is a file outside it."""
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert read_input(tmp_path / "link" / "a", limit=5, root=tmp_path / "link") == b"x"
    assert read_input(tmp_path / "link" / "a", limit=5, root=tmp_path / "elsewhere") == b"x"


def test_folder_is_refused(tmp_path) -> None:
    """A folder is no input."""
    assert _fault(lambda: read_input(tmp_path, limit=5)).endswith(": is not a regular file")


def test_pipe_is_refused_without_waiting(tmp_path) -> None:
    """A named pipe nobody writes to is refused at once."""
    os.mkfifo(tmp_path / "pipe")
    assert _fault(lambda: read_input(tmp_path / "pipe", limit=5)) == "pipe: is not a regular file"


def test_device_is_refused(tmp_path) -> None:
    """A device is no input."""
    path = type(tmp_path)("/dev/null")
    assert _fault(lambda: read_input(path, limit=5)) == "null: is not a regular file"


def test_no_descriptor_is_left_open(tmp_path) -> None:
    """What was refused after it was opened is closed again."""
    lowest = os.dup(0)
    os.close(lowest)
    with pytest.raises(Fault):
        open_descriptor(tmp_path)
    again = os.dup(0)
    os.close(again)
    assert again == lowest


def test_handle_is_closed_behind_the_block(tmp_path) -> None:
    """The file is open inside the block and closed behind it."""
    (tmp_path / "a").write_bytes(b"one\ntwo\n")
    with open_input(tmp_path / "a") as handle:
        assert handle.readline() == b"one\n"
    assert handle.closed
