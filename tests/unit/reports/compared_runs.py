"""Small suites and word finders, whose runs the tests of snapshots and comparisons hold to each other.

Each document holds one word of each type of its slice, so all figures are counts of documents by hand.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from report_values import conformance, document

from pytest_pii_eval import Detection, Span, evaluate
from pytest_pii_eval.reports.model import Report

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from pytest_pii_eval.reports.comparing.model import Comparison

WORDS = {
    "email": ["zoe.quill@example.org", "ab@mail.example"],
    "iban": ["GB82WEST12345698765432", "DE89370400440532013000"],
    "payment_card": ["4111 1111 1111 1111", "5500 0000 0000 0004"],
    "person": ["Zephyrine Quartzmore", "Ottokar Vantablack"],
    "phone": ["+44 20 7946 0018", "+1 202 555 0142"],
    "secret": ["hunter2-correct-horse", "tr0ub4dor-and-3"],
}
"""Two invented words a type; document `d.0` holds the first of each type of its slice, `d.1` the second."""

LOST = "5500 0000 0000 0004"
"""The card number that the changed detector no longer finds."""


class WordFinder:
    """Finds the words it knows, and nothing else."""

    version = "1"
    offset_unit = "codepoint"
    label_map = "own"

    def __init__(self, words: Mapping[str, Iterable[str]], name: str = "words") -> None:
        self.name = name
        self._words = [(type_, word) for type_, found in words.items() for word in found]

    def detect(self, text: str) -> Detection:
        """Return every word in `text`, once."""
        spans = tuple(
            Span(text.index(word), text.index(word) + len(word), type_)
            for type_, word in self._words
            if word in text
        )
        return Detection(spans, None, tuple((span.start, span.end) for span in spans))

    def fingerprint(self) -> str:
        """Return what binds the words."""
        return "sha256:" + hashlib.sha256(repr(self._words).encode()).hexdigest()


def finder(*, without: Iterable[str] = ()) -> WordFinder:
    """Return a detector that finds every word but those named."""
    lost = set(without)
    return WordFinder({type_: [one for one in found if one not in lost] for type_, found in WORDS.items()})


def slice_row(slice_id: str, types: Iterable[str], **changes: Any) -> dict[str, Any]:
    """Return a slice of the whole view with exhaustive, independent labels."""
    types = list(types)
    return {
        "id": slice_id,
        "label_artifact_id": "labels",
        "label_strength": "independent",
        "annotation_scope": {
            "entity_classes": types,
            "document_regions": ["natural_body"],
            "span_policy_sha256": "sha256:" + "0" * 64,
            "exclusions": [],
        },
        "annotation_completeness": "exhaustive_within_scope",
        "entity_class": types[0] if len(types) == 1 else "anybody",
        "cohort": "all",
        "split_role": "validation",
        "text_view": "natural_body",
        "text_view_descriptor": {
            "id": "natural_body",
            "artifact_sha256": "sha256:" + "1" * 64,
            "content_policy_sha256": "sha256:" + "2" * 64,
            "document_regions": ["natural_body"],
            "primary_for_quality": True,
            "answer_bearing_fields_included": False,
        },
        "promotion_gate": False,
        **changes,
    }


def record(slice_id: str, ordinal: int, types: Iterable[str]) -> dict[str, Any]:
    """Return document `SLICE.ORDINAL`, which holds word `ordinal` of each type."""
    words = [(type_, WORDS[type_][ordinal]) for type_ in types]
    text = "; ".join(f"the {type_} is {word}" for type_, word in words)
    return {
        "document": {
            "document_id": f"{slice_id}.{ordinal}",
            "text": text,
            "text_view": "natural_body",
            "split_role": "validation",
        },
        "gold_spans": [
            {
                "document_id": f"{slice_id}.{ordinal}",
                "entity_class": type_,
                "start": text.index(word),
                "end": text.index(word) + len(word),
                "catalog_identity": None,
            }
            for type_, word in words
        ],
        "slice_ids": [slice_id],
    }


class Suite:
    """A suite of slices over the words: `wide` of six types, `cards` and `people` of one."""

    def __init__(self) -> None:
        self.slices = {"cards": ["payment_card"], "people": ["person"], "wide": list(WORDS)}
        self.gates = ["{slice: '*', metric: leaks, max: 0}", "{slice: wide, metric: recall, min: 1}"]
        self.documents = 2
        self.cohort = "all"
        self.forgotten: tuple[str, int] | None = None  # slice and document whose first gold span is left out

    def write(self, folder: Path) -> Path:
        """Write the files into `folder`, which is made where it is not there."""
        folder.mkdir(exist_ok=True)
        rows = [slice_row(name, types, cohort=self.cohort) for name, types in self.slices.items()]
        records = [
            record(name, ordinal, types)
            for name, types in self.slices.items()
            for ordinal in range(self.documents)
        ]
        for row in records:
            if self.forgotten and row["document"]["document_id"] == "{}.{}".format(*self.forgotten):
                del row["gold_spans"][0]
        gates = "".join(f"  - {gate}\n" for gate in self.gates)
        labels = ", ".join(f"{type_}: {type_}" for type_ in WORDS)
        (folder / "taxonomy.yaml").write_text(
            f"version: tiny.v1\ntypes: {{{labels}}}\nhigh_severity: [payment_card, secret, iban]\n"
            f"label_maps:\n  own: {{{labels}}}\n",
            encoding="utf-8",
        )
        (folder / "suite.yaml").write_text(f"taxonomy: taxonomy.yaml\ngates:\n{gates}", encoding="utf-8")
        for kind, found in (("slices", rows), ("records", records), ("provenance", _origins(records))):
            text = "".join(json.dumps(row) + "\n" for row in found)
            (folder / f"quality-{kind}.jsonl").write_text(text, encoding="utf-8")
        return folder

    def evaluated(self, folder: Path, detector: WordFinder | None = None) -> Report:
        """Write the suite into `folder` and return the report of `detector` on it."""
        return evaluate(self.write(folder), detector or finder())


def found(
    comparison: Comparison, slice_id: str, type_: str | None, metric: str
) -> tuple[tuple[int | None, ...], str, bool]:
    """Return the change of one figure as text: counts, trend, and whether it is a regression."""
    (one,) = [
        change
        for change in comparison.changes
        if (change.slice, change.type, change.metric) == (slice_id, type_, metric)
    ]
    return (
        (one.old.numerator, one.old.denominator, one.new.numerator, one.new.denominator),
        one.trend,
        one.regression,
    )


def bank_report(**counts: int) -> Report:
    """Return a report of two cases, with other conformance counts."""
    cases = {"positive_cases": "sha256:" + "1" * 64, "negative_cases": "sha256:" + "2" * 64}
    return Report.model_validate(document(conformance=conformance(**counts), fingerprints=cases))


def _origins(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"document_id": row["document"]["document_id"], "source_corpus": "own", "template_id": f"t.{at}"}
        for at, row in enumerate(records)
    ]
