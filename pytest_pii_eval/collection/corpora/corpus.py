"""A prepared corpus as a run holds it: its pin, its receipt, and what the report says of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_pii_eval.contracts.canonical import sha256
from pytest_pii_eval.contracts.limits import EVERY_SLICE
from pytest_pii_eval.contracts.suite_file import only_rules

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from pytest_pii_eval.contracts.corpora_file import Pin
    from pytest_pii_eval.contracts.limits import GateRule
    from pytest_pii_eval.contracts.suite_file import SuiteFile
    from pytest_pii_eval.corpora.receipt import Receipt


class SubjectNames(NamedTuple):
    """What a pin may call the detector: its name, and that of its model; `complete` where that is known."""

    names: frozenset[str]
    complete: bool


class Corpus(NamedTuple):
    """A prepared corpus: `folder` is its suite, `suite_file` what the corpora file `file` says of it."""

    pin: Pin
    receipt: Receipt
    folder: Path
    suite_file: SuiteFile
    file: str

    @property
    def commitment(self) -> str:
        """What a run binds of the corpus: all that its receipt says, of recipe, artifact and every file."""
        return sha256(self.receipt.rendered())

    def trained(self, subject: SubjectNames) -> bool | None:
        """Whether the pin names the subject among those that trained on the corpus; None: nobody can tell."""
        named = {bare(name) for name in self.pin.in_domain_for}
        if not named.isdisjoint(map(bare, subject.names)):
            return True
        return False if subject.complete or not named else None

    def facts(self, subject: SubjectNames) -> dict[str, Any]:
        """Return what the report says of the corpus, whose `commitment` the directory knows."""
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
            "in_domain": self.trained(subject),
        }


def own_rules(suite_file: SuiteFile, key: str, types: Collection[str]) -> SuiteFile:
    """Return the part of a corpora file's gates and floors that speaks of the corpus `key`."""

    def speaks(rule: GateRule) -> bool:
        if rule.slice != EVERY_SLICE:
            return rule.slice == key
        return rule.type is None or rule.type in types

    return only_rules(suite_file, speaks)


def bare(name: str) -> str:
    """Return a name without case, leading `./` and revision: `./House/Model@main` is `house/model`."""
    return name.casefold().removeprefix("./").partition("@")[0].rstrip("/")
