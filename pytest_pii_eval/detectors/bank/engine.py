"""The embedded engine: one leftmost-first scan per entity, literals by one automaton, expressions one by one."""

from __future__ import annotations

from collections import defaultdict
from importlib.metadata import version
from typing import TYPE_CHECKING, final

from pytest_pii_eval.detectors.bank.collected import Collected
from pytest_pii_eval.detectors.bank.errors import BadExpression, BadPattern, ScanFailure
from pytest_pii_eval.detectors.bank.expressions import Clock, Expression, compile_expression
from pytest_pii_eval.detectors.bank.literals import Literals, Placed
from pytest_pii_eval.detectors.bank.order import by_entity
from pytest_pii_eval.detectors.bank.pick import Pick, Ranked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pii_eval.contracts.patterns import ActivePattern, Match, Normalization

MAX_INPUT_BYTES = 10 * 1024 * 1024


@final
class Engine:
    """All active patterns of a bank, compiled.

    `patterns` stand in the order of their records; `time_limit` is in seconds for one document. Raises
    `BadPattern` for the first pattern whose expression cannot be used.
    """

    name = "embedded"
    version: str = "1"

    def __init__(
        self, patterns: Sequence[ActivePattern], normalization: Normalization = "none", *, time_limit: float = 10.0
    ) -> None:
        self._time_limit = time_limit
        placed = [
            Placed(entity, rank, index, patterns[index])
            for entity, indexes in enumerate(by_entity(patterns))
            for rank, index in enumerate(indexes)
        ]
        self._literals = Literals(one for one in placed if one.pattern.kind == "literal")
        unusual = [*self._literals.unusual, *(one for one in placed if one.pattern.kind == "regex")]
        self._expressions: dict[int, list[Ranked]] = defaultdict(list)
        for one in sorted(unusual, key=lambda one: one.index):
            self._expressions[one.entity].append(Ranked(one.rank, one.index, _compiled(one)))

    def libraries(self) -> dict[str, str]:
        """Return the versions of the libraries that records depend on."""
        return {name: version(name) for name in ("ahocorasick-rs", "regex")}

    def scan(self, text: str, *, max_matches: int = 100_000) -> list[Match]:
        """Return all records of `text`, sorted by (start, end, pattern); offsets are UTF-8 bytes, half-open.

        Raises `ScanFailure` where the text is larger than 10 MiB of UTF-8, takes longer than the time
        limit or holds more than `max_matches` records, and `ValueError` for a lone surrogate.
        """
        check_size(text)
        collected = Collected(max_matches)
        self._collect(text, collected)
        return collected.records(text)

    def _collect(self, text: str, collected: Collected) -> None:
        clock = Clock(self._time_limit)
        picks = {entity: Pick(ranked, text, clock, collected) for entity, ranked in self._expressions.items()}
        places: defaultdict[int, int] = defaultdict(int)
        for candidates in self._literals.windows(text):
            clock.left()
            for entity, start, rank, end, index in candidates:
                if entity in picks:
                    picks[entity].offer(start, rank, end, index)
                elif start >= places[entity]:
                    places[entity] = end
                    collected.add(start, end, index)
        for pick in picks.values():
            pick.finish()


def _compiled(one: Placed) -> Expression:
    try:
        return compile_expression(one.pattern)
    except BadExpression as error:
        raise BadPattern(one.index, error.rule) from None


def check_size(text: str) -> None:
    """Refuse a text that is larger than the limit, or that UTF-8 cannot hold, as `Engine.scan` says."""
    if text.isascii():
        size = len(text)
    else:
        try:
            size = len(text.encode())
        except UnicodeEncodeError:
            raise ValueError("the text holds a lone surrogate, which UTF-8 has no bytes for") from None
    if size > MAX_INPUT_BYTES:
        raise ScanFailure("input_limit", f"{MAX_INPUT_BYTES} bytes a document")
