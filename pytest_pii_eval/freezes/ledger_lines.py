"""The next line of a ledger: whether a promotion may start, and what is written; pure, no file is touched."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from pydantic import ValidationError

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.identifiers import OPAQUE_ID_PATTERN
from pytest_pii_eval.contracts.model_faults import fault_of
from pytest_pii_eval.freezes.ledger_model import LedgerLine, moment

if TYPE_CHECKING:
    from datetime import datetime

    from pytest_pii_eval.freezes.ledger import Ledger, Promotion
    from pytest_pii_eval.freezes.ledger_model import Binding

_identifier = re.compile(OPAQUE_ID_PATTERN.removesuffix("$")).fullmatch


def refuse_start(ledger: Ledger, promotion: str, *, reason: str | None, now: datetime) -> None:
    """Raise `Fault` without file where `promotion` may not start behind the lines of `ledger`."""
    if not _identifier(promotion):
        raise Fault(f"must match {OPAQUE_ID_PATTERN}", field="promotion")
    if promotion.casefold() in {one.casefold() for one in ledger.promotions}:
        raise Fault(
            "was started before (upper and lower case are one, as in names of files);"
            " a promotion runs once: choose a new id",
            field="promotion",
        )
    _refuse_reason(ledger, reason)
    if moment(now) < ledger.latest:
        raise Fault("the clock of this machine is behind the ledger's last line; set it right")


def _refuse_reason(ledger: Ledger, reason: str | None) -> None:
    before = _interrupted(ledger)
    if before is None and reason is not None:
        raise Fault("is for a promotion that replaces an interrupted one; leave it out", field="reason")
    if before is not None and reason is None:
        rule = f"is missing: {before.id}, the promotion before, was interrupted; give a code that says why"
        raise Fault(rule, field="reason")
    if reason is not None and not _identifier(reason):
        raise Fault(f"is a code, no text: it must match {OPAQUE_ID_PATTERN}", field="reason")


def started(
    ledger: Ledger, promotion: str, bound: Binding, *, reason: str | None, now: datetime
) -> LedgerLine:
    """Return the line that starts `promotion`; raises `Fault` as `refuse_start` does."""
    refuse_start(ledger, promotion, reason=reason, now=now)
    before = _interrupted(ledger)
    return LedgerLine(
        sequence=len(ledger.lines) + 1,
        previous=ledger.head,
        at=moment(now),
        event="started",
        promotion=promotion,
        bound=bound,
        after=None if before is None else before.id,
        reason=reason,
    )


def finished(
    ledger: Ledger, verdict: Literal["ship", "no_ship"], report: str, *, now: datetime
) -> LedgerLine:
    """Return the line that ends the open promotion with its verdict and the SHA-256 of its report."""
    line = _end(ledger, "finished", now)
    try:
        return LedgerLine.model_validate({**line, "verdict": verdict, "report": report})
    except ValidationError as error:
        raise fault_of(error, None) from None


def interrupted(ledger: Ledger, *, now: datetime) -> LedgerLine:
    """Return the line that ends the open promotion without a verdict."""
    return LedgerLine.model_validate(_end(ledger, "interrupted", now))


def _end(ledger: Ledger, event: str, now: datetime) -> dict[str, object]:
    """Return the fields that both ends have; the clock is told as it is, also where it went backwards."""
    last = ledger.last
    if last is None or last.ended is not None:
        raise Fault("no promotion has started that could end")
    return {
        "sequence": len(ledger.lines) + 1,
        "previous": ledger.head,
        "at": moment(now),
        "event": event,
        "promotion": last.id,
        "bound": last.started.bound,
    }


def _interrupted(ledger: Ledger) -> Promotion | None:
    """The promotion that the next one replaces, if the last one was interrupted."""
    last = ledger.last
    return last if last is not None and last.state == "interrupted" else None
