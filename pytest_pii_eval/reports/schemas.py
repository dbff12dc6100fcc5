"""The JSON Schemas of every file format, by name; made from the models that check the files."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMAS: Mapping[str, tuple[str, str]] = {
    "artifact-receipt": ("corpora.artifact_receipt", "ArtifactReceipt"),
    "bank": ("contracts.bank_model", "BankModel"),
    "catalog-binding": ("contracts.bindings_model", "BindingRow"),
    "comparison": ("reports.comparing.model", "Comparison"),
    "corpora": ("contracts.corpus_model", "CorporaRow"),
    "corpus-receipt": ("corpora.receipt", "Receipt"),
    "floors": ("contracts.freezes_model", "FloorsRow"),
    "freeze-attestation": ("contracts.commitment_model", "Attestation"),
    "freeze-commitment": ("contracts.commitment_model", "Commitment"),
    "freezes": ("contracts.freezes_model", "FreezesRow"),
    "ledger-line": ("freezes.ledger_model", "LedgerLine"),
    "negative-case": ("contracts.case_model", "NegativeRow"),
    "positive-case": ("contracts.case_model", "PositiveRow"),
    "prediction": ("contracts.prediction_model", "PredictionRow"),
    "predictions-header": ("contracts.prediction_model", "HeaderRow"),
    "provenance": ("contracts.quality_model", "ProvenanceRow"),
    "record": ("contracts.quality_model", "RecordRow"),
    "report": ("reports.model", "Report"),
    "slice": ("contracts.quality_model", "SliceRow"),
    "snapshot": ("reports.snapshots.model", "Snapshot"),
    "suite": ("contracts.suite_model", "SuiteRow"),
    "taxonomy": ("contracts.suite_model", "TaxonomyRow"),
    "train-list": ("contracts.freezes_model", "TrainRow"),
    "unsupported-slice": ("contracts.quality_model", "UnsupportedRow"),
}


def json_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of the format `name`; rules across fields are in the docs."""
    module, model = SCHEMAS[name]
    described = getattr(import_module(f"pytest_pii_eval.{module}"), model)
    schema = TypeAdapter(described).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
