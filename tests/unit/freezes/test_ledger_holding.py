"""Holding the ledger: its lock, and what disk and folder must be able to do before a line is written."""

from __future__ import annotations

import errno
import os
import stat

import pytest
from ledger_values import LONG, NOON, REPORT, begun, bound, broken, chain

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes import ledger_disk
from pytest_pii_eval.freezes.held_ledger import held_ledger
from pytest_pii_eval.freezes.ledger import read_ledger

CANARY = "Vaxholm Tintomara"


@pytest.fixture
def path(tmp_path):
    """The place of a ledger that is not there yet, in a folder that is."""
    folder = tmp_path / "freezes"
    folder.mkdir()
    return folder / "ledger.jsonl"


def check(path, promotion="rc-9", *, reason=None, now=NOON):
    """Ask whether a promotion could start."""
    with held_ledger(path) as held:
        held.check_start(promotion, reason=reason, now=now)


def test_second_holder_is_refused(path):
    """The ledger is held once, also within a process."""
    with held_ledger(path), pytest.raises(Fault, match=r"ledger\.jsonl: another sealed run is going on"):
        check(path)


def test_lock_survives_the_replacement_of_the_file(path):
    """Every write puts a new file in place; the lock is on what stays."""
    with held_ledger(path) as held:
        held.start("rc-1", bound(), reason=None, now=NOON)
        with pytest.raises(Fault, match="another sealed run is going on"):
            check(path)


def test_ledger_is_free_after_a_fault(path):
    """A run that was refused leaves the ledger to the next."""
    with pytest.raises(Fault, match="must match"):
        check(path, CANARY)
    check(path)


def test_nothing_is_written_behind_the_lock(path):
    """Whoever kept the ledger beyond its block cannot write any more."""
    with held_ledger(path) as held:
        pass
    with pytest.raises(Fault, match="is not held by this process any more"):
        held.start("rc-1", bound(), reason=None, now=NOON)


def test_change_during_the_run_is_refused(path):
    """A ledger that somebody exchanged during the run is not overwritten."""
    with held_ledger(path) as held:
        held.start("rc-1", bound(), reason=None, now=NOON)
        path.write_bytes(LONG)
        with pytest.raises(Fault, match=r"ledger\.jsonl: was changed while it was held"):
            held.finish("ship", REPORT, now=NOON)
    assert path.read_bytes() == LONG


def test_change_before_the_start_is_refused(path):
    """A ledger that is not the one that was read is found out by the check."""
    with held_ledger(path) as held:
        path.write_bytes(LONG)
        with pytest.raises(Fault, match=r"ledger\.jsonl: was changed while it was held"):
            held.check_start("rc-9", reason=None, now=NOON)


def test_exchanged_folder_is_refused(path):
    """The lock is worth nothing where another folder took the place of the locked one."""
    with held_ledger(path) as held:
        path.parent.rename(path.parent.with_name("moved"))
        path.parent.mkdir()
        with pytest.raises(Fault, match="lies in another folder than the one that was locked"):
            held.start("rc-1", bound(), reason=None, now=NOON)


def test_folders_are_made(tmp_path):
    """The first promotion makes the folders of the ledger."""
    path = tmp_path / "a" / "b" / "ledger.jsonl"
    with held_ledger(path, root=tmp_path) as held:
        held.start("rc-1", bound(), reason=None, now=NOON)
    assert path.read_bytes() == chain(begun())


def test_made_folders_are_brought_to_the_disk(tmp_path, monkeypatch):
    """A folder that is lost with the power would take the ledger with it."""
    synced = []
    monkeypatch.setattr(ledger_disk, "sync_folder", synced.append)
    check(tmp_path / "a" / "b" / "ledger.jsonl")
    assert synced == [tmp_path, tmp_path / "a"]


def test_linked_ledger_is_refused(path, tmp_path):
    """A ledger that is a symlink is refused, and what it leads to stays as it is."""
    (tmp_path / "other").write_bytes(b"")
    path.symlink_to("../other")
    with pytest.raises(Fault, match=r"ledger\.jsonl: is a symlink"):
        check(path)


def test_linked_folder_is_refused(path, tmp_path):
    """A ledger behind a symlink is refused before anything is made there."""
    (tmp_path / "link").symlink_to("freezes")
    with (
        pytest.raises(Fault, match="is reached through a symlink"),
        held_ledger(tmp_path / "link" / "new" / "ledger.jsonl", root=tmp_path),
    ):
        pass
    assert list(path.parent.iterdir()) == []


def test_linked_temporary_is_not_followed(path, tmp_path):
    """A symlink in the place of the temporary makes way, and what it leads to stays as it is."""
    other = tmp_path / "other"
    other.write_text("kept", encoding="utf-8")
    (path.parent / ".ledger.jsonl.new").symlink_to(other)
    with held_ledger(path) as held:
        held.start("rc-1", bound(), reason=None, now=NOON)
    assert (other.read_text(encoding="utf-8"), path.read_bytes()) == ("kept", chain(begun()))


def test_leftover_temporary_makes_way(path):
    """What a killed process left half written does no harm, and is gone afterwards."""
    leftover = path.parent / ".ledger.jsonl.new"
    leftover.write_bytes(b'{"half')
    with held_ledger(path) as held:
        held.start("rc-1", bound(), reason=None, now=NOON)
    assert (leftover.exists(), path.read_bytes()) == (False, chain(begun()))


def test_mode_of_the_ledger_is_kept(path):
    """Who may read the ledger is decided once."""
    path.write_bytes(b"")
    path.chmod(0o640)
    with held_ledger(path) as held:
        held.start("rc-1", bound(), reason=None, now=NOON)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def refusing(number, *, when):
    """Return an `os.open` of a disk that says `number` where `when` holds for the flags."""
    real = os.open

    def opened(name, flags, *rest, **named):
        if when(flags):
            raise OSError(number, "no")
        return real(name, flags, *rest, **named)

    return opened


@pytest.mark.parametrize(
    "create", [True, False], ids=["the folder takes no file", "the ledger is not opened"]
)
def test_read_only_disk_is_told_before_the_start(path, monkeypatch, create):
    """A disk that takes no line is found out by the check, where folder or ledger alone refuses, too."""
    path.write_bytes(LONG)
    writing = os.O_WRONLY | os.O_CREAT
    asked = writing if create else os.O_WRONLY
    monkeypatch.setattr(os, "open", refusing(errno.EROFS, when=lambda flags: flags & writing == asked))
    with pytest.raises(Fault, match=r"ledger\.jsonl: lies on a read-only disk"):
        check(path)
    assert path.read_bytes() == LONG


def test_full_disk_is_told_before_the_start(path, monkeypatch):
    """The check writes as much as a run will need; what it wrote is gone."""

    def full(descriptor):
        raise OSError(errno.ENOSPC, "no")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Fault, match=r"ledger\.jsonl: cannot be written \(ENOSPC\)"):
        check(path)
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("step", ["replace", "fsync"])
def test_disk_that_fails_during_a_write_leaves_a_whole_ledger(path, monkeypatch, step):
    """Where the new file cannot be brought into place, the old one stays."""
    path.write_bytes(LONG)

    def fails(*_, **__):
        raise OSError(errno.EIO, "no")

    with held_ledger(path) as held:
        monkeypatch.setattr(os, step, fails)
        with pytest.raises(Fault, match=r"cannot be written \(EIO\)"):
            held.start("rc-9", bound(), reason=None, now=NOON)
    assert (read_ledger(path).payload, list(path.parent.iterdir())) == (LONG, [path])


def test_folder_that_cannot_be_synced_leaves_the_line_known(path, monkeypatch):
    """The line is in place, so who holds the ledger can still say that the promotion was interrupted."""

    def fails(self):
        raise Fault("cannot be written (EIO)")

    with held_ledger(path) as held:
        with monkeypatch.context() as patch:
            patch.setattr(ledger_disk.LockedFolder, "sync", fails)
            with pytest.raises(Fault, match="EIO"):
                held.start("rc-1", bound(), reason=None, now=NOON)
        held.interrupt(now=NOON)
    assert path.read_bytes() == chain(begun(), broken())


def test_system_without_locks_is_refused(path, monkeypatch):
    """Without a lock two runs could start, so none does."""
    monkeypatch.setattr(ledger_disk, "fcntl", None)
    with pytest.raises(Fault, match=r"ledger\.jsonl: cannot be locked on this system"):
        check(path)


def test_disk_without_locks_is_refused(path, monkeypatch):
    """A disk that knows no locks is one on which two runs could start."""

    class Without:
        LOCK_EX = LOCK_NB = 0

        @staticmethod
        def flock(*_):
            raise OSError(errno.ENOLCK, "no")

    monkeypatch.setattr(ledger_disk, "fcntl", Without)
    with pytest.raises(Fault, match=r"ledger\.jsonl: cannot be locked on this disk \(ENOLCK\)"):
        check(path)
