"""A bank as a detector: the chosen engine over its active patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.collector import paused_collector
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.offsets import points_of_bytes
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.bank.errors import BadPattern

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pii_eval.contracts.bank import Bank
    from pytest_pii_eval.contracts.offsets import OffsetUnit
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
    As a `Detector` it goes by the bank's id and version; its labels are entity ids.
    """

    offset_unit: OffsetUnit = "codepoint"
    identities = True
    """Its spans carry the identity of the pattern behind them."""

    def __init__(self, bank: Bank, *, engine: EngineName = "embedded", time_limit: float = 10.0) -> None:
        self.bank = bank
        try:
            with paused_collector():
                self.engine = _build(engine, bank, time_limit)
        except BadPattern as error:
            raise Fault(error.rule, field=f"{bank.place(error.index)}.value") from None

    @property
    def name(self) -> str:
        """The id of the bank."""
        return self.bank.id

    @property
    def version(self) -> str:
        """The version of the bank."""
        return self.bank.version

    @property
    def quiet(self) -> bool:
        """Whether a scan is known to write nothing: no output, log or warning to be held back."""
        return self.engine.name == "embedded"

    def scan(self, text: str, *, max_matches: int = 100_000) -> Sequence[Match]:
        """Return all matches, sorted by (start, end, pattern); offsets are UTF-8 bytes, half-open.

        Raises `ScanFailure` where the document is too large, takes too long or matches too often.
        """
        return self.engine.scan(text, max_matches=max_matches)

    def detect(self, text: str, *, max_matches: int = 100_000) -> Detection:
        """Return all matches as spans in code points, typed by entity id; the union of all is protected.

        A bank has no policy after its scan, so it exposes no candidates. Raises `ScanFailure` as `scan`.
        """
        matches = self.scan(text, max_matches=max_matches)
        points = points_of_bytes(text, [offset for match in matches for offset in match[:2]])
        patterns = self.bank.patterns
        spans = tuple(
            Span(points[start], points[end], patterns[index].entity_id, None, patterns[index][:3])
            for start, end, index in matches
        )
        return Detection(spans, None, tuple((span.start, span.end) for span in spans))

    def fingerprint(self) -> str:
        """Return the SHA-256 that binds bank, engine, its version and the libraries under it."""
        return fingerprint({"bank": self.bank.fingerprint, **self.engine_facts()})

    def libraries(self) -> dict[str, str]:
        """Return the versions of the libraries that the engine stands on."""
        return dict(self.engine.libraries())

    def engine_facts(self) -> dict[str, object]:
        """Return name and version of the engine and the versions of the libraries it stands on."""
        engine = self.engine
        return {"engine": engine.name, "version": engine.version, "libraries": self.libraries()}


def _build(name: EngineName, bank: Bank, time_limit: float) -> _Engine:
    if name == "nerb":
        from pytest_pii_eval.detectors.nerb import NerbEngine  # noqa: PLC0415  # optional library

        return NerbEngine(bank.patterns, bank.normalization, time_limit=time_limit)
    from pytest_pii_eval.detectors.bank.engine import Engine  # noqa: PLC0415  # heavy, and not always chosen

    return Engine(bank.patterns, bank.normalization, time_limit=time_limit)
