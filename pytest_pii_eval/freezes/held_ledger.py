"""Writing the ledger of sealed runs: one process holds it for a whole run and puts lines behind the last."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.ledger import REPAIR, ledger_payload, parse_ledger, read_ledger
from pytest_pii_eval.freezes.ledger_disk import LockedFolder, locked_folder
from pytest_pii_eval.freezes.ledger_lines import finished, interrupted, refuse_start, started

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from pytest_pii_eval.freezes.ledger import Ledger
    from pytest_pii_eval.freezes.ledger_model import Binding, LedgerLine


@final
class HeldLedger:
    """The ledger, locked; only `held_ledger` makes one. `ledger` is what is on the disk."""

    def __init__(self, path: Path, root: Path | None, folder: LockedFolder) -> None:
        self._path = path
        self._root = root
        self._folder = folder
        self._runs = False
        self.ledger: Ledger = read_ledger(path, root=root)

    def check_start(self, promotion: str, *, reason: str | None, now: datetime) -> None:
        """Raise `Fault` where `promotion` could not start now; the ledger stays as it is.

        Its id was used, the promotion before was interrupted and `reason` is missing (or there is one and
        nothing to replace), the clock is behind the ledger, or the disk would not take a line.
        """
        self._check()
        with self._named():
            refuse_start(self.ledger, promotion, reason=reason, now=now)
        self._folder.check_writable(len(self.ledger.payload))

    def start(self, promotion: str, bound: Binding, *, reason: str | None, now: datetime) -> LedgerLine:
        """Write that `promotion` started, and return the line; raises `Fault` as `check_start` does."""
        if self._runs:
            raise Fault("a promotion is going on; end it first", file=self._path.name)
        with self._named():
            line = started(self.ledger, promotion, bound, reason=reason, now=now)
        self._append(line)
        return line

    def finish(self, verdict: Literal["ship", "no_ship"], report: str, *, now: datetime) -> LedgerLine:
        """Write that the promotion that started here finished; `report` is the SHA-256 of its report."""
        self._check_runs()
        with self._named():
            line = finished(self.ledger, verdict, report, now=now)
        self._append(line)
        return line

    def interrupt(self, *, now: datetime) -> LedgerLine:
        """Write that the promotion that started here ends without a verdict."""
        self._check_runs()
        line = interrupted(self.ledger, now=now)
        self._append(line)
        return line

    def _append(self, line: LedgerLine) -> None:
        """Put `line` behind the last, whole or not at all; it is on the disk when this returns."""
        self._check()
        payload = self.ledger.payload + line.rendered() + b"\n"
        after = parse_ledger(payload, file=self._path.name)  # what could not be read back is never written
        self._folder.prepare(payload)
        self._folder.put_in_place()
        self.ledger = after
        self._runs = line.event == "started"
        self._folder.sync()

    def _check(self) -> None:
        """Raise `Fault` where the lock is not held, or the ledger is not what was read under it."""
        self._folder.check_held()
        if ledger_payload(self._path, root=self._root) != self.ledger.payload:
            raise Fault(f"was changed while it was held; {REPAIR}", file=self._path.name)

    def _check_runs(self) -> None:
        if not self._runs:
            raise Fault("no promotion has started that could end", file=self._path.name)

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Name the ledger in faults of what is pure."""
        try:
            yield
        except Fault as fault:
            raise fault.at(file=self._path.name) from None


@contextmanager
def held_ledger(path: Path, *, root: Path | None = None) -> Iterator[HeldLedger]:
    """Hold the ledger at `path` until the block ends or the process dies; its folder is made if need be.

    Nobody waits: raises `Fault` where another sealed run is going on, where system or disk have no locks, and
    where the ledger cannot be read.
    """
    with locked_folder(path, root=root) as folder:
        yield HeldLedger(path, root, folder)
