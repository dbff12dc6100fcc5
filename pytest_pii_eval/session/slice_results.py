"""The rows of `slice-results.jsonl`: what became of each document in each slice that ran; no text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_pii_eval.contracts.canonical import canonical_bytes
from pytest_pii_eval.scoring.outcomes import GoldOutcome, PredictionOutcome
from pytest_pii_eval.session.outcomes import Outcomes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.session.outcomes import Told
    from pytest_pii_eval.session.results import Results

DOCUMENT_SCHEMA: Final = "pii_eval.slice_document_result.v1"


def slice_results(results: Results) -> Iterator[bytes]:
    """Yield the rows by file, line and slice; raises `Fault` where those of some documents are lacking."""
    outcomes = Outcomes(results)
    for shard in outcomes.shards:
        for told in outcomes.documents(shard):
            for name in sorted(told.slices):
                yield canonical_bytes(_row(name, told)) + b"\n"
    outcomes.finish()


def _row(name: str, told: Told) -> dict[str, Any]:
    gold, predictions = told.views[told.slices[name]]
    return {
        "schema_version": DOCUMENT_SCHEMA,
        "slice_id": name,
        "document_id": told.document_id,
        "outcome": told.outcome,
        "reason": told.reason,
        "gold": [GoldOutcome(*one)._asdict() for one in gold],
        "predictions": [PredictionOutcome(*one)._asdict() for one in predictions],
        "unmapped": told.unmapped,
        "dropped": told.dropped,
    }
