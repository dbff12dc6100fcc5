"""What a rule about freezes found: it holds, it does not, or nothing could be said; with reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection

State = Literal["pass", "fail", "not_evaluated"]


class Finding(NamedTuple):
    """A verdict and its reasons: lines without text or names, none for a pass."""

    verdict: State
    reasons: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the rule was shown to hold: what was not evaluated was not."""
        return self.verdict == "pass"


PASS = Finding("pass")


def fail(*reasons: str) -> Finding:
    """Return the finding that the rule is broken."""
    return Finding("fail", reasons)


def unknown(*reasons: str) -> Finding:
    """Return the finding that nothing could be said."""
    return Finding("not_evaluated", reasons)


def together(findings: Collection[Finding]) -> Finding:
    """Return what several findings say as one: the worst verdict, with the reasons of those that say so."""
    for verdict in ("fail", "not_evaluated"):
        reasons = tuple(reason for one in findings if one.verdict == verdict for reason in one.reasons)
        if reasons:
            return Finding(verdict, reasons)
    return PASS
