"""How long documents took, as counts that add up: buckets of microseconds by size band, warm-up apart.

Figures of one host: they never enter evidence that is compared.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_LIMITS = (500, 1_500, 2_500, 10_000)
BANDS = ("0-500", "501-1500", "1501-2500", "2501-10000", "10001-")
"""Size bands by name: the code points of a document, both ends included."""

NOTE_BAND = "1501-2500"
"""The band of a note of 2,000 characters, which spec/evaluation.md sets its floor on."""

WARM_UP = 3
"""Documents after a detector was built that are counted apart."""

_BITS = 5


class Quantiles(NamedTuple):
    """One band: its documents, and 50 % and 95 % of them took at most so many milliseconds."""

    documents: int
    p50_ms: float
    p95_ms: float


class WarmUp(NamedTuple):
    """What is left out of the bands: builds of a detector and the first documents after each."""

    builds: int = 0
    build_microseconds: int = 0
    documents: int = 0
    microseconds: int = 0


class Latency:
    """Counts of answered documents by size band and bucket; a bucket is at most 3.2 % wide."""

    def __init__(self) -> None:
        self.bands: dict[str, Counter[int]] = {}
        self.warm_up = WarmUp()

    def add(self, length: int, seconds: float, *, warm: bool) -> None:
        """Count one answer to a document of `length` code points."""
        microseconds = max(1, round(seconds * 1e6))
        if warm:
            self.warm_up = _sum(self.warm_up, WarmUp(0, 0, 1, microseconds))
            return
        band = BANDS[bisect_left(_LIMITS, length)]
        counts = self.bands.get(band)
        if counts is None:
            counts = self.bands[band] = Counter()
        counts[bucket_of(microseconds)] += 1

    def add_build(self, seconds: float) -> None:
        """Count one build of a detector."""
        self.warm_up = _sum(self.warm_up, WarmUp(1, round(seconds * 1e6)))

    def merge(self, part: Mapping[str, Any]) -> None:
        """Add the counts that `packed` returned of other documents."""
        for band, counts in part["bands"].items():
            self.bands.setdefault(band, Counter()).update(dict(map(tuple, counts)))
        self.warm_up = _sum(self.warm_up, WarmUp(*part["warm_up"]))

    def packed(self) -> dict[str, Any]:
        """Return plain JSON values; `merge` takes them."""
        bands = {band: sorted(counts.items()) for band, counts in self.bands.items()}
        return {"bands": bands, "warm_up": list(self.warm_up)}

    def quantiles(self) -> dict[str, Quantiles]:
        """Return the bands that hold documents, smallest first."""
        return {band: _quantiles(self.bands[band]) for band in BANDS if band in self.bands}


def merged(parts: Iterable[Mapping[str, Any]]) -> Latency:
    """Return the counts of all packed `parts` together; order and grouping do not matter."""
    total = Latency()
    for part in parts:
        total.merge(part)
    return total


def bucket_of(microseconds: int) -> int:
    """Return the bucket of a positive number: its highest bit, and the five below it."""
    exponent = microseconds.bit_length() - 1
    below = (
        microseconds >> max(0, exponent - _BITS) if exponent >= _BITS else microseconds << (_BITS - exponent)
    )
    return (exponent << _BITS) | (below & ((1 << _BITS) - 1))


def upper_edge(bucket: int) -> int:
    """Return the largest number of microseconds in a bucket."""
    exponent, below = bucket >> _BITS, bucket & ((1 << _BITS) - 1)
    first = (1 << _BITS) | below
    if exponent < _BITS:
        return first >> (_BITS - exponent)
    return ((first + 1) << (exponent - _BITS)) - 1


def _quantiles(counts: Counter[int]) -> Quantiles:
    documents = counts.total()
    return Quantiles(documents, _at_most(counts, documents, 50), _at_most(counts, documents, 95))


def _at_most(counts: Counter[int], documents: int, percent: int) -> float:
    """Return the milliseconds that `percent` of the documents did not exceed."""
    left = ceil(documents * percent / 100)
    for bucket in sorted(counts):
        left -= counts[bucket]
        if left <= 0:
            return upper_edge(bucket) / 1000
    return 0.0


def _sum(first: WarmUp, second: WarmUp) -> WarmUp:
    return WarmUp(*map(sum, zip(first, second, strict=True)))
