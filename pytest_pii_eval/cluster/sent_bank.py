"""A bank that was sent: read from its bytes, so that no copy of it ever lies on a worker's disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.contracts.bank import parse_bank
from pytest_pii_eval.contracts.collector import paused_collector
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.strict_json import decode, parse_text, refuse_foreign_start

if TYPE_CHECKING:
    from pytest_pii_eval.contracts.bank import Bank


def bank_of(payload: bytes, name: str) -> Bank:
    """Return the bank in the bytes of the file `name`; raises `Fault` as `load_bank` does."""
    try:
        refuse_foreign_start(payload)
        with paused_collector():
            return parse_bank(parse_text(decode(payload)))
    except Fault as fault:
        raise fault.at(file=name) from None
