"""The first pass over errors: how many there are of each surface; no text is kept."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Final, TypeAlias, final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pii_eval.reports.dump.model import Occurrence, State

GROUPS: Final = 200
"""Surfaces shown of one state and type."""

_SURFACES: Final = 500_000
"""Different surfaces told apart; a later one that is new is counted among those left out."""

Kind: TypeAlias = "tuple[State, str]"


def surface_key(text: str) -> bytes:
    """Return what surfaces share that differ in case or white space alone."""
    folded = " ".join(text.casefold().split())
    return hashlib.blake2b(folded.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@final
class Census:
    """Counts errors by state, type, slice and surface."""

    def __init__(self) -> None:
        self.slices: dict[Kind, Counter[str]] = {}
        self.spans: Counter[Kind] = Counter()
        self._surfaces: dict[Kind, Counter[bytes]] = {}
        self._distinct = 0

    def add(self, text: str, found: Iterable[Occurrence]) -> None:
        """Count the errors of one document."""
        for one in found:
            kind = one.state, one.type
            self.spans[kind] += 1
            self.slices.setdefault(kind, Counter()).update(one.slices)
            self._count(kind, surface_key(text[one.start : one.end]))

    def _count(self, kind: Kind, key: bytes) -> None:
        surfaces = self._surfaces.setdefault(kind, Counter())
        if key not in surfaces:
            if self._distinct == _SURFACES:
                return
            self._distinct += 1
        surfaces[key] += 1

    def chosen(self) -> dict[Kind, dict[bytes, int]]:
        """Return the most frequent surfaces of each state and type, with counts; of equals the first met."""
        return {kind: dict(surfaces.most_common(GROUPS)) for kind, surfaces in self._surfaces.items()}
