"""What one scan of a shard gives: counts by slice, and an account of its documents; adds up, has no text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple, final

from pytest_pii_eval.scoring.evidence import Evidence
from pytest_pii_eval.scoring.offset_hint import OffsetFits, added
from pytest_pii_eval.scoring.packing import packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Mapping


class SlicePart(NamedTuple):
    """The counts of some documents of one slice; `SlicePart()` is neutral, `merge` any order and grouping.

    `fits` are what another offset unit would make of missed gold; `unmapped` and `out_of_scope` count
    predictions by label and by type.
    """

    evidence: Evidence = Evidence()
    fits: OffsetFits = OffsetFits()
    unmapped: Mapping[str, int] = {}
    out_of_scope: Mapping[str, int] = {}

    def merge(self, other: SlicePart) -> SlicePart:
        """Return the counts of both populations together."""
        return SlicePart(
            self.evidence.merge(other.evidence),
            added((self.fits, other.fits)),
            _summed(self.unmapped, other.unmapped),
            _summed(self.out_of_scope, other.out_of_scope),
        )


class ShardEvidence(NamedTuple):
    """The counts by slice, and `account`: what a controller adds up over shards, as plain JSON values.

    The account holds documents, predictions, failed documents by reason and the line of the first,
    latency, and commitments to content and gold as hexadecimal sums modulo 2**512.
    """

    slices: Mapping[str, SlicePart]
    account: Mapping[str, Any]

    def packed(self) -> str:
        """Return it as JSON; slices are text in text, so that one can be read without hundreds of others."""
        slices = {name: compact(_plain(part)) for name, part in self.slices.items()}
        return compact({"slices": slices, "account": self.account})


def unpacked_evidence(text: str) -> ShardEvidence:
    """Return what `ShardEvidence.packed` wrote."""
    value = json.loads(text)
    return ShardEvidence({name: _part(one) for name, one in value["slices"].items()}, value["account"])


def unpacked_part(text: str, slice_id: str) -> SlicePart:
    """Return the counts of one slice out of what `ShardEvidence.packed` wrote; neutral where it has none."""
    one = json.loads(text)["slices"].get(slice_id)
    return SlicePart() if one is None else _part(one)


def unpacked_account(text: str) -> dict[str, Any]:
    """Return the account out of what `ShardEvidence.packed` wrote."""
    account: dict[str, Any] = json.loads(text)["account"]
    return account


@final
class Totals:
    """The sum of shards by slice; each counts once, however often it comes (a retry, a second reader)."""

    def __init__(self) -> None:
        self._keys: set[str] = set()
        self._slices: dict[str, SlicePart] = {}

    def add(self, key: str, evidence: ShardEvidence) -> bool:
        """Add the shard `key`; return False, and add nothing, where it was added before."""
        if key in self._keys:
            return False
        self._keys.add(key)
        for name, part in evidence.slices.items():
            known = self._slices.get(name)
            self._slices[name] = part if known is None else known.merge(part)
        return True

    def of(self, slice_id: str) -> SlicePart:
        """Return the sum of a slice; neutral where no shard held any of it."""
        return self._slices.get(slice_id, SlicePart())


def compact(value: object) -> str:
    """Return `value` as JSON without spaces, keys sorted."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _plain(part: SlicePart) -> list[object]:
    return [packed(part.evidence), part.fits, part.unmapped, part.out_of_scope]


def _part(text: str) -> SlicePart:
    evidence, fits, unmapped, out_of_scope = json.loads(text)
    return SlicePart(unpacked(evidence), OffsetFits(*fits), unmapped, out_of_scope)


def _summed(first: Mapping[str, int], second: Mapping[str, int]) -> dict[str, int]:
    total = dict(first)
    for name, number in second.items():
        total[name] = total.get(name, 0) + number
    return dict(sorted(total.items()))
