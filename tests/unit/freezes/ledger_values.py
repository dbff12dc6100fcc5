"""Ledgers written by hand, not by the package: lines as text, hashes by hashlib; and git repositories."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from datetime import UTC, datetime
from typing import Any

from pytest_pii_eval.freezes.ledger_model import Binding

ZERO = "sha256:" + "0" * 64
GOLD, DETECTOR, FLOORS, SOURCE, FREEZES = ("sha256:" + one * 64 for one in "abcd7")
REVISION = "e" * 40
REPORT = "sha256:" + "9" * 64
BOUND = {
    "detector": DETECTOR,
    "floors": FLOORS,
    "freezes": FREEZES,
    "gold": GOLD,
    "repository": REVISION,
    "scorer": "f" * 40,
    "scorer_source": SOURCE,
    "set": "sealed-mail",
}
NOON = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


def bound(**fields: str) -> Binding:
    """Return what the promotions of these tests are bound to."""
    return Binding(**{**BOUND, **fields})


def text(**fields: Any) -> str:
    """Return one line as it must stand in the file: keys sorted, no white space, every field there."""
    own = {
        "after": None,
        "at": "2026-03-01T12:00:00Z",
        "bound": BOUND,
        "event": "started",
        "previous": ZERO,
        "promotion": "rc-1",
        "reason": None,
        "report": None,
        "schema_version": "pii_eval.ledger.v1",
        "sequence": 1,
        "verdict": None,
    }
    return json.dumps({**own, **fields}, sort_keys=True, separators=(",", ":"))


def digest(line: str) -> str:
    """Return the SHA-256 of a line without its line feed."""
    return "sha256:" + hashlib.sha256(line.encode()).hexdigest()


def chain(*rows: dict[str, Any]) -> bytes:
    """Return a ledger of these lines, numbered and bound to each other unless they say otherwise."""
    lines: list[str] = []
    for number, row in enumerate(rows, 1):
        previous = digest(lines[-1]) if lines else ZERO
        lines.append(text(**{"sequence": number, "previous": previous, **row}))
    return "".join(f"{line}\n" for line in lines).encode()


def begun(promotion: str = "rc-1", **fields: Any) -> dict[str, Any]:
    """Return the start of a promotion."""
    return {"promotion": promotion, **fields}


def ended(promotion: str = "rc-1", **fields: Any) -> dict[str, Any]:
    """Return the end of a promotion that ships."""
    return {"promotion": promotion, "event": "finished", "verdict": "ship", "report": REPORT, **fields}


def broken(promotion: str = "rc-1", **fields: Any) -> dict[str, Any]:
    """Return the end of a promotion that could still say that it was interrupted."""
    return {"promotion": promotion, "event": "interrupted", **fields}


LONG = chain(
    begun("rc-1"),
    ended("rc-1"),
    begun("rc-2"),
    broken("rc-2"),
    begun("rc-3", after="rc-2", reason="power-cut"),
    begun("rc-4", after="rc-3", reason="killed"),
    ended("rc-4", verdict="no_ship"),
)
"""A shipped promotion, one that was interrupted, one that was killed, and one that does not ship."""


def git(folder, *arguments: str) -> str:
    """Run git in `folder` without what the machine has configured, and return what it printed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ("-c", "user.name=Nobody", "-c", "user.email=nobody@example.invalid")
    finished = subprocess.run(
        ["git", *identity, "-c", "commit.gpgsign=false", "-C", str(folder), *arguments],  # noqa: S607  # as found
        capture_output=True,
        check=True,
        text=True,
        env=environment,
    )
    return finished.stdout.strip()


def commit(folder) -> str:
    """Commit everything in `folder`, and return the revision."""
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "A change")
    return git(folder, "rev-parse", "HEAD")
