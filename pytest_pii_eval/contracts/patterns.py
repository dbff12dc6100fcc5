"""What the contracts hand to an engine, the active patterns of a bank, and the matches it answers with."""

from __future__ import annotations

from typing import Literal, NamedTuple

PatternKind = Literal["literal", "regex"]
Boundary = Literal["none", "word"]
Normalization = Literal["none", "NFC", "NFKC"]


class ActivePattern(NamedTuple):
    """One pattern whose bank, entity, name and itself are all active.

    `flags` holds the flags of bank, entity and pattern together (never those that a literal's own
    fields imply). The last four fields are meaningful for literals only.
    """

    entity_id: str
    name_id: str
    pattern_id: str
    kind: PatternKind
    canonical_name: str
    value: str
    priority: int
    flags: frozenset[str] = frozenset()
    case_sensitive: bool = True
    normalize_whitespace: bool = False
    left_boundary: Boundary = "none"
    right_boundary: Boundary = "none"


class Match(NamedTuple):
    """One record of a scan: UTF-8 byte offsets into the source text, half-open, and the pattern's index.

    `pattern` indexes the sequence of active patterns that the engine was built from.
    """

    start: int
    end: int
    pattern: int
