"""The embedded engine: a leftmost-first scan per entity, literals by an automaton, expressions one by one."""

from __future__ import annotations

import unicodedata
from importlib.metadata import version
from typing import TYPE_CHECKING, final

from pytest_pii_eval.detectors.bank.collected import Collected
from pytest_pii_eval.detectors.bank.errors import BadExpression, BadPattern, ScanFailure
from pytest_pii_eval.detectors.bank.expressions import Clock, Expression, compile_expression, first_match
from pytest_pii_eval.detectors.bank.literals import Literals, Placed
from pytest_pii_eval.detectors.bank.normalize import normalize
from pytest_pii_eval.detectors.bank.order import by_entity
from pytest_pii_eval.detectors.bank.pick import Pick, Ranked
from pytest_pii_eval.detectors.bank.prefilter import Prefilter

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
        self,
        patterns: Sequence[ActivePattern],
        normalization: Normalization = "none",
        *,
        time_limit: float = 10.0,
    ) -> None:
        self._time_limit = time_limit
        self._normalization = normalization
        placed = [
            Placed(entity, rank, index, _normalized(patterns[index], normalization))
            for entity, indexes in enumerate(by_entity(patterns))
            for rank, index in enumerate(indexes)
        ]
        self._literals = Literals(one for one in placed if one.pattern.kind == "literal")
        unusual = [*self._literals.unusual, *(one for one in placed if one.pattern.kind == "regex")]
        unusual.sort(key=lambda one: one.number)
        self._ranked = [(one.entity, Ranked(one.rank, one.number, _compiled(one))) for one in unusual]
        self._prefilter = Prefilter([ranked.expression.node for _, ranked in self._ranked])

    def libraries(self) -> dict[str, str]:
        """Return the versions of the libraries that records depend on."""
        versions = {name: version(name) for name in ("ahocorasick-rs", "regex")}
        if self._normalization != "none":
            versions["unicodedata"] = unicodedata.unidata_version
        return versions

    def scan(self, text: str, *, max_matches: int = 100_000) -> list[Match]:
        """Return all records of `text`, sorted by (start, end, pattern); offsets are UTF-8 bytes, half-open.

        Raises `ScanFailure` where the text is larger than 10 MiB of UTF-8, takes longer than the time
        limit or holds more than `max_matches` records, and `ValueError` for a lone surrogate.
        """
        check_size(text)
        collected = Collected(max_matches)
        normal = None if self._normalization == "none" else normalize(text, self._normalization)
        if normal is None:
            self._collect(text, collected)
            return collected.records(text)
        self._collect(normal.text, collected)
        return collected.moved(normal.start_of, normal.end_of).records(text)

    def _collect(self, text: str, collected: Collected) -> None:
        clock = Clock(self._time_limit)
        picks = self._picks(text, clock, collected)
        places: dict[int, int] = {}
        for candidates in self._literals.candidates(text):
            for entity, start, rank, end, index in candidates:
                if entity in picks:
                    picks[entity].offer(start, rank, end, index)
                elif start >= places.get(entity, 0):
                    places[entity] = end
                    collected.add(start, end, index)
            clock.left()
        for pick in picks.values():
            pick.finish()

    def _picks(self, text: str, clock: Clock, collected: Collected) -> dict[int, Pick]:
        """Return a pick for each entity with an expression that matches somewhere in `text`."""
        picks: dict[int, Pick] = {}
        for number in self._prefilter.may_match(text):
            entity, ranked = self._ranked[number]
            span = first_match(ranked.expression, text, 0, clock)
            if span is None:
                continue
            if entity not in picks:
                picks[entity] = Pick(text, clock, collected)
            picks[entity].add(ranked, span)
        return picks


def _normalized(pattern: ActivePattern, normalization: Normalization) -> ActivePattern:
    """Return a literal with its value in the normal form; an expression stays as it is written."""
    if normalization == "none" or pattern.kind == "regex":
        return pattern
    return pattern._replace(value=unicodedata.normalize(normalization, pattern.value))


def _compiled(one: Placed) -> Expression:
    try:
        return compile_expression(one.pattern)
    except BadExpression as error:
        raise BadPattern(one.number, error.rule) from None


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
