"""DataFog as a detector: what its `scan` reports and what its `redact` would replace."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import datafog
from datafog.engine import ALL_ENTITY_TYPES, CANONICAL_TYPE_MAP

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.adapters.options import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_pii_eval.contracts.offsets import OffsetUnit

_ENGINES = ("regex", "spacy", "gliner", "smart")


class DatafogDetector:
    """`datafog.scan` with one of its engines: regex, spacy, gliner or smart.

    `selected` are the entities of `scan`, with DataFog's confidence as score: for the regex engine after its
    own removal of overlaps, which it does not show, so `candidates` is None. `protection` are the ranges
    that `datafog.redact` replaces for these entities. Offsets are code points, from matches of `re`; the
    other engines look up each string in the text, so a repeated name may be placed wrongly, or at -1.

    `entities` restricts what is looked for, `locales` adds national patterns (de); None is DataFog's
    default. spaCy and GLiNER models are looked for once, now: the smart engine does without those that are
    not there, and what it found is part of the fingerprint.
    """

    name = "datafog"
    offset_unit: OffsetUnit = "codepoint"

    def __init__(
        self,
        engine: str = "regex",
        entities: str | Iterable[str] | None = None,
        locales: str | Iterable[str] | None = None,
    ) -> None:
        if engine not in _ENGINES:
            raise Fault(f"--pii-detector-option: engine must be one of: {', '.join(_ENGINES)}")
        self.version = version("datafog")
        self._options: dict[str, Any] = {
            "engine": engine,
            "entity_types": _known(words(entities or ())),
            "locales": sorted(set(words(locales or ()))) or None,
        }
        self._engine_used = self._scanned("").engine_used

    def detect(self, text: str) -> Detection:
        """Return the entities of `text`."""
        entities = self._scanned(text).entities
        replaced = datafog.redact(text, entities=entities).entities
        spans = (Span(one.start, one.end, one.type, one.confidence) for one in entities)
        return Detection(tuple(spans), None, tuple((one.start, one.end) for one in replaced))

    def libraries(self) -> Mapping[str, str]:
        """Return the versions behind the answers."""
        used = [library for library in ("gliner", "spacy") if library in self._engine_used]
        return {library: version(library) for library in ("datafog", *used)}

    def fingerprint(self) -> str:
        """Return the SHA-256 of the versions, the options and the engines that were really there."""
        return fingerprint(
            {
                "adapter": self.name,
                "libraries": self.libraries(),
                "engine_used": self._engine_used,
                **self._options,
            }
        )

    def _scanned(self, text: str) -> Any:
        return datafog.scan(text, **self._options)


def _known(entities: Iterable[str]) -> list[str] | None:
    """Return the entities to look for, None for all; DataFog would look for unknown ones in silence."""
    if not {entity.upper() for entity in entities} <= ALL_ENTITY_TYPES | CANONICAL_TYPE_MAP.keys():
        raise Fault(f"--pii-detector-option: entities must be of: {', '.join(sorted(ALL_ENTITY_TYPES))}")
    return sorted(set(entities)) or None
