"""The `nerb` engine behind the same face as the embedded one; needs the package `nerb`, loaded on use."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.patterns import Match
from pytest_pii_eval.detectors.bank.engine import check_size
from pytest_pii_eval.detectors.bank.errors import BadPattern, ScanFailure
from pytest_pii_eval.detectors.bank.order import by_entity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pii_eval.contracts.patterns import ActivePattern, Normalization

_NOTES: dict[str, Any] = {"description": "", "status": "active", "metadata": {}}
_BANK = {
    **_NOTES,
    "schema_version": "nerb.bank.v1",
    "id": "bank",
    "name": "bank",
    "version": "1",
    "created_at": "2026-01-01T00:00:00Z",
    "updated_at": "2026-01-01T00:00:00Z",
    "unicode_normalization": "none",
    "default_regex_flags": [],
}


@final
class NerbEngine:
    """All active patterns of a bank, compiled by nerb; takes and raises what `Engine` does.

    nerb scans in linear time, so `time_limit` has nothing to end. Raises `Fault` where nerb is not
    installed or the bank asks for a normalization, which nerb's engine does not do.
    """

    name = "nerb"

    def __init__(
        self,
        patterns: Sequence[ActivePattern],
        normalization: Normalization = "none",
        *,
        time_limit: float = 10.0,
    ) -> None:
        del time_limit
        if normalization != "none":
            raise Fault(f"the nerb engine takes no {normalization} bank; use the embedded engine")
        try:
            import nerb  # noqa: PLC0415  # optional library
        except ImportError:
            raise Fault("the nerb engine needs the package nerb: pip install pytest-pii-eval[nerb]") from None
        self.version = version("nerb")
        self.native = _compile(nerb.Bank, patterns) if patterns else None

    def libraries(self) -> Mapping[str, str]:
        """Return the versions of the libraries that records depend on."""
        return {"nerb": self.version}

    def scan(self, text: str, *, max_matches: int = 100_000) -> list[Match]:
        """Return all records of `text` as `Engine.scan` does; `RuntimeError` where nerb breaks down."""
        check_size(text)
        if self.native is None:
            return []
        try:
            records = self.native.scan_bytes(text.encode(), max_matches=max_matches)
        except MemoryError:
            raise ScanFailure("match_limit", f"{max_matches} matches a document") from None
        except RuntimeError:
            raise RuntimeError("the native engine of nerb failed") from None
        return sorted(Match(record["start"], record["end"], _index(record)) for record in records)


def _compile(bank: Any, patterns: Sequence[ActivePattern]) -> Any:
    native, findings = _built(bank, bank_document(patterns))
    if native is None:
        # What nerb says of it may hold the expression, so the culprit is found by asking for each alone.
        alone = ((index, _built(bank, bank_document([one]))) for index, one in enumerate(patterns))
        index = next((index for index, (native, _) in alone if native is None), 0)
        raise BadPattern(index, "nerb does not compile this pattern")
    for finding in findings:
        raise BadPattern(_index(finding["metadata"]), "the expression can match the empty string")
    return native


def _built(bank: Any, document: Mapping[str, Any]) -> tuple[Any, list[Any]]:
    """Return nerb's bank (None where it refuses) and what its check for empty matches finds."""
    from nerb.validation import rust_empty_match_diagnostics  # noqa: PLC0415  # optional library

    source = json.dumps(document, ensure_ascii=False).encode()
    try:
        native = bank.from_source_bytes(source, format_hint="json", use_cache=False)
        return native, rust_empty_match_diagnostics(native)
    except (ValueError, MemoryError, RuntimeError):  # The last: the native code panicked.
        return None, []


def bank_document(patterns: Sequence[ActivePattern]) -> dict[str, Any]:
    """Return the bank in nerb's format.

    Every id is made anew, because nerb takes no `-` in ids and tells patterns apart by canonical name and
    surface alone. The place in the order of the pick, which nerb would take from them, becomes the priority.
    """
    groups = by_entity(patterns)
    entities = {f"e{number}": _entity(patterns, indexes) for number, indexes in enumerate(groups)}
    return {**_BANK, "entities": entities}


def _entity(patterns: Sequence[ActivePattern], indexes: list[int]) -> dict[str, Any]:
    """Return one entity with the flags that all its patterns share; literals have no others."""
    flags = frozenset.intersection(*(patterns[index].flags for index in indexes))
    names = {}
    for rank, index in enumerate(indexes):
        pattern = patterns[index]
        if pattern.kind == "literal" and pattern.flags != flags:
            raise BadPattern(index, "nerb takes no flags of a literal that other patterns of its entity lack")
        body = {**_body(pattern, flags), "priority": rank}
        names[f"n{index}"] = {**_NOTES, "canonical": f"c{index}", "patterns": {"p": body}}
    return {**_NOTES, "regex_flags": sorted(flags), "names": names}


def _body(pattern: ActivePattern, shared: frozenset[str]) -> dict[str, Any]:
    body = {**_NOTES, "kind": pattern.kind, "value": pattern.value}
    if pattern.kind == "regex":
        return {**body, "regex_flags": sorted(pattern.flags - shared)}
    return {
        **body,
        "case_sensitive": pattern.case_sensitive,
        "normalize_whitespace": pattern.normalize_whitespace,
        "left_boundary": pattern.left_boundary,
        "right_boundary": pattern.right_boundary,
    }


def _index(record: Mapping[str, Any]) -> int:
    """Return the index of the pattern from the canonical name that `_entity` gave it."""
    return int(record["canonical_name"].removeprefix("c"))
