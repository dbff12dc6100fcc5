"""Reading the ledger of sealed runs: its chain, the story that it tells, its promotions; no writing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from pydantic import ValidationError

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input, refuse_linked_folders
from pytest_pii_eval.contracts.jsonl import read_rows
from pytest_pii_eval.contracts.model_faults import fault_of
from pytest_pii_eval.freezes.ledger_model import GENESIS, LedgerLine

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pytest_pii_eval.contracts.jsonl import Row

MAX_LINE_BYTES: Final = 8 * 1024
MAX_BYTES: Final = 64 * 1024 * 1024
REPAIR: Final = "restore the ledger from git"
"""What to do about a ledger that was edited: nothing in it may be changed, only lines put behind."""

State = Literal["ship", "no_ship", "interrupted"]


class Promotion(NamedTuple):
    """One sealed run: the line it started with, and the line it ended with; None where it never said so."""

    id: str
    started: LedgerLine
    ended: LedgerLine | None

    @property
    def state(self) -> State:
        """The verdict; a run that goes on, or was killed, is interrupted until it has one."""
        return "interrupted" if self.ended is None else self.ended.verdict or "interrupted"


@dataclass(frozen=True, slots=True)
class Ledger:
    """The ledger as its bytes say; `head` is what the next line is bound to, `promotions` are in order."""

    lines: tuple[LedgerLine, ...]
    payload: bytes
    head: str
    promotions: MappingProxyType[str, Promotion]

    @property
    def last(self) -> Promotion | None:
        """The promotion that started last."""
        key = next(reversed(self.promotions), None)
        return None if key is None else self.promotions[key]

    @property
    def latest(self) -> str:
        """The latest moment of all lines; before any moment where there is none."""
        return max((line.at for line in self.lines), default="")


def read_ledger(path: Path, *, root: Path | None = None) -> Ledger:
    """Return the ledger at `path`, an empty one where there is no file.

    Raises `Fault` with the file's name, and the line at which it was edited, cut or reordered. That lines
    were cut from its end, only git can tell: `verifying.ledger_faults`.
    """
    return parse_ledger(ledger_payload(path, root=root), file=path.name)


def ledger_payload(path: Path, *, root: Path | None = None) -> bytes:
    """Return the bytes of the ledger, none where there is no file; raises `Fault` where it is no file."""
    refuse_linked_folders(path, root)
    try:
        path.lstat()
    except FileNotFoundError:
        return b""
    except OSError:
        pass  # opening it says why
    return read_input(path, limit=MAX_BYTES, root=root)


def parse_ledger(payload: bytes, *, file: str) -> Ledger:
    """Return the ledger that `payload` is; raises `Fault` with `file`, the line, and what to do."""
    try:
        lines = tuple(_chained(payload, file))
        promotions = _told(lines)
    except Fault as fault:
        rule = f"{fault.rule}; {REPAIR}"
        raise Fault(rule, file=file, line=fault.line, field=fault.field) from None
    head = lines[-1].sha256 if lines else GENESIS
    return Ledger(lines, payload, head, MappingProxyType(promotions))


def _chained(payload: bytes, file: str) -> Iterator[LedgerLine]:
    """Yield the lines, each bound to the one before."""
    head = GENESIS
    for row in read_rows(BytesIO(payload), file=file, max_line_bytes=MAX_LINE_BYTES):
        try:
            line = _line(row)
            _refuse_loose(line, row.line, head)
        except Fault as fault:
            raise fault.at(line=row.line) from None
        head = line.sha256
        yield line


def _line(row: Row) -> LedgerLine:
    try:
        line = LedgerLine.model_validate(row.value)
    except ValidationError as error:
        raise fault_of(error, row.value) from None
    try:
        datetime.strptime(line.at, "%Y-%m-%dT%H:%M:%S%z")
    except ValueError:
        raise Fault("is no date and time", field="at") from None
    if line.rendered() != row.raw:
        raise Fault("is not written as pii-eval writes it")
    return line


def _refuse_loose(line: LedgerLine, number: int, head: str) -> None:
    if line.sequence != number:
        raise Fault("is not the number of its line: lines were removed or moved", field="sequence")
    if line.previous != head:
        raise Fault("is not the hash of the line before: one of the two was edited", field="previous")


def _told(lines: tuple[LedgerLine, ...]) -> dict[str, Promotion]:
    """Return the promotions in order of their start; raises `Fault` with the line that does not fit."""
    promotions: dict[str, Promotion] = {}
    last: Promotion | None = None
    for line in lines:
        try:
            last = _begun(line, last, promotions) if line.event == "started" else _ended(line, last)
        except Fault as fault:
            raise fault.at(line=line.sequence) from None
        promotions[line.promotion] = last
    return promotions


def _begun(line: LedgerLine, last: Promotion | None, known: Mapping[str, Promotion]) -> Promotion:
    if line.promotion in known:
        raise Fault("starts a promotion a second time", field="promotion")
    _refuse_result(line)
    replaces = last.id if last is not None and last.state == "interrupted" else None
    if line.after != replaces:
        raise Fault("is not the interrupted promotion right before, or none", field="after")
    if (line.reason is None) != (replaces is None):
        raise Fault("stands where an interrupted promotion is replaced, and only there", field="reason")
    return Promotion(line.promotion, line, None)


def _ended(line: LedgerLine, last: Promotion | None) -> Promotion:
    if last is None or last.ended is not None or last.id != line.promotion:
        raise Fault("ends a promotion that did not start on the line before", field="promotion")
    if line.bound != last.started.bound:
        raise Fault("is not what the promotion was bound to at its start", field="bound")
    if line.after is not None or line.reason is not None:
        raise Fault("belongs to the start of a promotion", field="after" if line.after else "reason")
    if line.event == "interrupted":
        _refuse_result(line)
    elif line.verdict is None or line.report is None:
        raise Fault("is missing: the promotion finished", field="report" if line.verdict else "verdict")
    return Promotion(last.id, last.started, line)


def _refuse_result(line: LedgerLine) -> None:
    if line.verdict is not None or line.report is not None:
        rule = "belongs to a promotion that finished"
        raise Fault(rule, field="verdict" if line.verdict else "report")
