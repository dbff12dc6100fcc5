"""What can go wrong in a bank engine; no error text holds a part of a pattern or of a document."""

from __future__ import annotations

from typing import Literal, final

FailureReason = Literal["time_limit", "match_limit", "input_limit"]


class BadExpression(ValueError):
    """An expression that the dialect refuses; `rule` says why and never holds the expression."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


@final
class BadPattern(ValueError):
    """A pattern that no engine can be built from.

    `index` is its place in the sequence of active patterns, `rule` says what is wrong; neither the
    expression nor a name is part of it.
    """

    def __init__(self, index: int, rule: str) -> None:
        super().__init__(f"pattern {index}: {rule}")
        self.index = index
        self.rule = rule

    def __reduce__(self) -> tuple[object, ...]:
        return (BadPattern, (self.index, self.rule))


@final
class ScanFailure(Exception):
    """A scan that was ended by a limit: its records are unknown, not empty."""

    def __init__(self, reason: FailureReason, limit: str) -> None:
        super().__init__(f"the scan passed its limit of {limit}")
        self.reason: FailureReason = reason
        self.limit = limit

    def __reduce__(self) -> tuple[object, ...]:
        return (ScanFailure, (self.reason, self.limit))
