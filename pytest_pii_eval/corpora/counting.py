"""What is counted of the documents of a corpus or import, and the receipt that says so; reads nothing."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple, final

from pytest_pii_eval.corpora.receipt import HeldOut, Receipt

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pii_eval.corpora.deriving import Deriver, Document
    from pytest_pii_eval.corpora.receipt import Committed
    from pytest_pii_eval.corpora.recipe import Recipe


class Counts(NamedTuple):
    """What one pass counts; equal inputs give equal counts."""

    rows: int
    documents: int
    documents_without_gold: int
    spans_by_type: dict[str, int]
    held_out: dict[str, HeldOut]
    quarantined: dict[str, int]
    excluded_spans: int
    notes: dict[str, int]


@final
class Census:
    """Counts documents of one role, and holds out those of every other."""

    def __init__(self, role: str) -> None:
        self._role = role
        self._documents = 0
        self._without_gold = 0
        self._by_type: defaultdict[str, int] = defaultdict(int)
        self._held_out: dict[str, list[int]] = {}

    def take(self, document: Document) -> bool:
        """Count one document; return whether it is of the role."""
        if document.role != self._role:
            held = self._held_out.setdefault(document.role, [0, 0])
            held[0] += 1
            held[1] += len(document.spans)
            return False
        self._documents += 1
        self._without_gold += not document.spans
        for _, _, type_ in document.spans:
            self._by_type[type_] += 1
        return True

    def counts(self, deriver: Deriver) -> Counts:
        """Return what was counted here, and by the deriver that the documents come from."""
        held_out = sorted(self._held_out.items())
        return Counts(
            rows=deriver.rows,
            documents=self._documents,
            documents_without_gold=self._without_gold,
            spans_by_type=dict(sorted(self._by_type.items())),
            held_out={role: HeldOut(documents=one[0], spans=one[1]) for role, one in held_out},
            quarantined=dict(sorted(deriver.quarantined.items())),
            excluded_spans=deriver.excluded,
            notes=dict(sorted(deriver.notes.items())),
        )


def receipt_of(
    recipe: Recipe, found: Committed, counts: Counts, files: Mapping[str, Committed], *, not_promotable: str
) -> Receipt:
    """Return the receipt of `files`, made of the artifact `found` by `recipe`."""
    return Receipt(
        key=recipe.pin.key,
        recipe=recipe.fingerprint,
        pin=recipe.pin.fingerprint,
        artifact=found,
        adapter=recipe.adapter.name,
        adapter_version=recipe.adapter.version,
        span_policy_sha256=recipe.span_policy,
        spans=sum(counts.spans_by_type.values()),
        files=dict(sorted(files.items())),
        not_promotable=not_promotable,
        **counts._asdict(),
    )
