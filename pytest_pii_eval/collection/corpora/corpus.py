"""A prepared corpus as a run holds it: its pin, its receipt, and what the report says of both."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.limits import EVERY_SLICE

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from pytest_pii_eval.contracts.corpora_file import Pin
    from pytest_pii_eval.contracts.limits import GateRule
    from pytest_pii_eval.contracts.suite_file import SuiteFile
    from pytest_pii_eval.corpora.receipt import Receipt

ABSENT = "corpus_absent"
"""The reason code of a corpus that is not prepared on this machine."""


class Corpus(NamedTuple):
    """A prepared corpus: `folder` is its suite, `suite_file` what the corpora file says of it."""

    pin: Pin
    receipt: Receipt
    folder: Path
    suite_file: SuiteFile

    @property
    def commitment(self) -> str:
        """What a run binds of the corpus: recipe, artifact and every file made of it."""
        receipt = self.receipt
        files = {name: one.sha256 for name, one in receipt.files.items()}
        return fingerprint({"recipe": receipt.recipe, "artifact": receipt.artifact.sha256, "files": files})

    def facts(self, subject_names: Collection[str]) -> dict[str, Any]:
        """Return what the report says of the corpus; `subject_names` are the detector's and its model's."""
        pin, receipt = self.pin, self.receipt
        return {
            "revision": pin.source.revision,
            "artifact_bytes": receipt.artifact.bytes,
            "artifact_sha256": receipt.artifact.sha256,
            "licence": pin.licence,
            "adapter": receipt.adapter,
            "adapter_version": receipt.adapter_version,
            "label_map": pin.label_map,
            "split_key": pin.split_key,
            "languages": list(pin.languages),
            "regions": list(pin.regions),
            "rows": receipt.rows,
            "quarantined": receipt.quarantined,
            "excluded_spans": receipt.excluded_spans,
            "held_out_documents": {role: one.documents for role, one in receipt.held_out.items()},
            "not_promotable": receipt.not_promotable,
            "in_domain": not pin.in_domain_for.isdisjoint(subject_names),
            "commitment": self.commitment,
        }


def own_rules(suite_file: SuiteFile, key: str, types: Collection[str]) -> SuiteFile:
    """Return the part of a corpora file's gates and floors that speaks of the corpus `key`."""

    def speaks(rule: GateRule) -> bool:
        if rule.slice != EVERY_SLICE:
            return rule.slice == key
        return rule.type is None or rule.type in types

    return replace(
        suite_file,
        gates=tuple(filter(speaks, suite_file.gates)),
        floors=tuple(filter(speaks, suite_file.floors)),
    )
