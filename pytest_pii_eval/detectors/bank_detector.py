"""A bank as a detector: the chosen engine over its active patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.detectors.bank.errors import BadPattern

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pii_eval.contracts.bank import Bank
    from pytest_pii_eval.contracts.patterns import Match

EngineName = Literal["embedded", "nerb"]


class _Engine(Protocol):
    name: str
    version: str

    def scan(self, text: str, *, max_matches: int) -> list[Match]: ...

    def libraries(self) -> Mapping[str, str]: ...


class BankDetector:
    """Scans text with every active pattern of a bank at once.

    `engine` is `embedded` or `nerb` (needs the package of that name). Raises `Fault` where an active
    expression is not one the engine takes; the fault names it by its ordinals in the file.
    """

    def __init__(self, bank: Bank, *, engine: EngineName = "embedded", time_limit: float = 10.0) -> None:
        self.bank = bank
        try:
            self.engine = _build(engine, bank, time_limit)
        except BadPattern as error:
            raise Fault(error.rule, field=_ordinal(bank, error.index)) from None

    def scan(self, text: str, *, max_matches: int = 100_000) -> Sequence[Match]:
        """Return all matches, sorted by (start, end, pattern); offsets are UTF-8 bytes, half-open.

        Raises `ScanFailure` where the document is too large, takes too long or matches too often.
        """
        return self.engine.scan(text, max_matches=max_matches)

    def fingerprint(self) -> str:
        """Return the SHA-256 that binds bank, engine, its version and the libraries under it."""
        return fingerprint({"bank": self.bank.fingerprint, **self.engine_facts()})

    def engine_facts(self) -> dict[str, object]:
        """Return name and version of the engine and the versions of the libraries it stands on."""
        engine = self.engine
        return {"engine": engine.name, "version": engine.version, "libraries": dict(engine.libraries())}


def _build(name: EngineName, bank: Bank, time_limit: float) -> _Engine:
    if name == "nerb":
        from pytest_pii_eval.detectors.nerb import NerbEngine  # noqa: PLC0415  # optional library

        return NerbEngine(bank.patterns, bank.normalization, time_limit=time_limit)
    from pytest_pii_eval.detectors.bank.engine import Engine  # noqa: PLC0415  # heavy, and not always chosen

    return Engine(bank.patterns, bank.normalization, time_limit=time_limit)


def _ordinal(bank: Bank, index: int) -> str:
    entity = next(entity for entity in bank.entities if entity.start <= index < entity.end)
    return f"active pattern {index - entity.start + 1} of {entity.end - entity.start} in {entity.entity_id}"
