"""A small quality suite beside the small bank: five documents, six slices, one gap; its figures by hand.

| document | text | gold | found by the bank |
|---|---|---|---|
| pair | two known addresses of 17 characters | both, cataloged | both, exactly |
| meeting | the canary's name and a stranger's | both, the first cataloged | the first, exactly |
| mailbox | an address of 18 characters | the person in it, 3 characters | the address |
| alarm | an address of 42 characters that is nobody's | none | the address |
| order | nothing | none | nothing |

Slice `contact` (both types, all documents): gold 5, predictions 5, true positives 3, so recall and precision
are 3/5; only the stranger leaks: 1 leak in 1 of 3 documents, containment 4/5. Masked are 17 + 17 + 20 + 18 +
42 = 114 characters, 17 + 17 + 20 + 3 = 57 of them gold: masking precision 1/2. Cataloged are 3 of 5 gold.
Slice `people` (meeting, mailbox, order): gold 3, 1 true positive and no false one, 1 leak, containment 2/3.
Slices `mail`, `mail.short`, `mail.weak`, `mail.partial` hold the pair; `mail` the alarm and order, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conftest import EMAIL, MAIL, NAME, PERSON, SuiteDirectory
from pytest_pii_eval import BankDetector, evaluate, load_bank

if TYPE_CHECKING:
    from pytest_pii_eval import Report

# Canaries, besides those of the bank: none of these may show in any output.
STRANGER = "Ada Canaryborn"
OTHER_MAIL = "ab@canary.example"
ALARM = "verylongaddressnames@canarycompany.example"
DOCUMENT = "canarydoc"
TEMPLATE = "canarytemplate"
CORPUS = "canarycorpus"

IDENTITIES = {MAIL: EMAIL[:3], OTHER_MAIL: EMAIL[:3], NAME: PERSON[:3]}
COUNT_SCANS = """
import os
from pytest_pii_eval.detectors.bank_detector import BankDetector

detect = BankDetector.detect

def counted(self, text, **limits):
    # One write of a short line: lines of two workers never mix.
    descriptor = os.open("scans.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(descriptor, text[:12].strip().encode() + b"\\n")
    os.close(descriptor)
    return detect(self, text, **limits)

BankDetector.detect = counted
"""
"""A conftest.py that writes the beginning of each text that is scanned to `scans.log`; listens to no hook."""


def gold(text: str, surface: str, entity_class: str) -> dict[str, Any]:
    """Return the gold span of the first `surface` in `text`, in code points, without its document."""
    start = text.index(surface)
    keys = ("entity_id", "name_id", "pattern_id")
    identity = IDENTITIES.get(surface)
    return {
        "entity_class": entity_class,
        "start": start,
        "end": start + len(surface),
        "catalog_identity": None if identity is None else dict(zip(keys, identity, strict=True)),
    }


def record(
    document_id: str, text: str, slice_ids: list[str], *spans: tuple[str, str], split_role: str = "validation"
) -> dict[str, Any]:
    """Return one record; `spans` are surface and class."""
    return {
        "document": {
            "document_id": document_id,
            "text": text,
            "text_view": "natural_body",
            "split_role": split_role,
        },
        "gold_spans": [{"document_id": document_id, **gold(text, *span)} for span in spans],
        "slice_ids": slice_ids,
    }


def slice_row(slice_id: str, *classes: str, **changes: Any) -> dict[str, Any]:
    """Return one slice of the whole view: independent, exhaustive; `changes` replace its own fields."""
    return {
        "id": slice_id,
        "label_artifact_id": "labels",
        "label_strength": "independent",
        "annotation_scope": {
            "entity_classes": list(classes),
            "document_regions": ["natural_body"],
            "span_policy_sha256": "sha256:" + "0" * 64,
            "exclusions": [],
        },
        "annotation_completeness": "exhaustive_within_scope",
        "entity_class": classes[0] if len(classes) == 1 else "anybody",
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


def gap(gap_id: str, dimension: str = "head_tail", reason: str = "frequency_unavailable") -> dict[str, Any]:
    """Return one declared gap."""
    return {"id": gap_id, "dimension": dimension, "reason_code": reason}


def origin(document_id: str) -> dict[str, Any]:
    """Return the provenance of one document."""
    return {"document_id": document_id, "source_corpus": CORPUS, "template_id": f"{TEMPLATE}.1"}


def small_records() -> list[dict[str, Any]]:
    """Return the five documents of the table above."""
    pair = f"Write to {MAIL} or {OTHER_MAIL}."
    mails = ["contact", "mail", "mail.short", "mail.weak", "mail.partial"]
    return [
        record(f"{DOCUMENT}.pair", pair, mails, (MAIL, "email"), (OTHER_MAIL, "email")),
        record(
            f"{DOCUMENT}.meeting",
            f"{NAME} met {STRANGER}.",
            ["contact", "people"],
            (NAME, "person"),
            (STRANGER, "person"),
        ),
        record(
            f"{DOCUMENT}.mailbox",
            "Päper: ada@canary.example sent it.",
            ["contact", "people"],
            ("ada", "person"),
        ),
        record(f"{DOCUMENT}.alarm", f"Ask {ALARM} first.", ["contact", "mail"]),
        record(f"{DOCUMENT}.order", "Order 7 has shipped.", ["contact", "mail", "people"]),
    ]


def small_slices() -> list[dict[str, Any]]:
    """Return the slices of the table above, and one that holds no document."""
    return [
        slice_row("contact", "email", "person"),
        slice_row("people", "person"),
        slice_row("mail", "email"),
        slice_row("mail.short", "email", cohort="short"),
        slice_row("mail.weak", "email", label_strength="structured_weak"),
        slice_row("mail.partial", "email", annotation_completeness="partial"),
        slice_row("empty", "email"),
    ]


class QualityDirectory(SuiteDirectory):
    """A quality suite in a pytester directory: records, slices, gaps, provenance, and no cases."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.records = small_records()
        self.slices = small_slices()
        self.gaps = [gap("nicknames")]
        self.suite_file: str | None = None

    def write(self) -> QualityDirectory:
        """Write bank.json, the four quality files, and suite.yaml where there is one."""
        self.positives, self.negatives = [], []
        super().write()
        for kind in ("positive", "negative"):
            (self.path / f"conformance-{kind}.jsonl").unlink()
        self.write_rows("quality-records.jsonl", self.records)
        self.write_rows("quality-slices.jsonl", self.slices)
        self.write_rows("unsupported-slices.jsonl", self.gaps)
        self.write_provenance()
        if self.suite_file is not None:
            (self.path / "suite.yaml").write_text(self.suite_file, encoding="utf-8")
        return self

    def write_provenance(self) -> None:
        """Write a sidecar that covers the records."""
        ids = [row["document"]["document_id"] for row in self.records]
        self.write_rows("quality-provenance.jsonl", [origin(document_id) for document_id in ids])

    def only(self, *slice_ids: str) -> QualityDirectory:
        """Leave only these slices, and the documents that are in one of them."""
        self.slices = [row for row in self.slices if row["id"] in slice_ids]
        self.gaps = []
        for row in self.records:
            row["slice_ids"] = [slice_id for slice_id in row["slice_ids"] if slice_id in slice_ids]
        self.records = [row for row in self.records if row["slice_ids"]]
        return self

    def slice(self, slice_id: str) -> dict[str, Any]:
        """Return the row of one slice, to change."""
        return next(row for row in self.slices if row["id"] == slice_id)

    def record(self, name: str) -> dict[str, Any]:
        """Return the record of one document, to change."""
        return next(row for row in self.records if row["document"]["document_id"] == f"{DOCUMENT}.{name}")

    def promote(self) -> dict[str, Any]:
        """Turn `contact` into a promotion-gated slice over all documents of the role test; return its row."""
        self.only("contact")
        row = self.slice("contact")
        row.update(promotion_gate=True, split_role="test")
        for one in self.records:
            one["document"]["split_role"] = "test"
        return row

    def told(self, slice_id: str) -> dict[str, Any]:
        """Return a slice of the last report."""
        return self.report()["slices"][slice_id]

    def values(self, slice_id: str, *names: str) -> list[Any]:
        """Return metrics of a slice of the last report: numerator and denominator, or the reason."""
        metrics = self.told(slice_id)["metrics"]
        return [_plain(metrics[name]) for name in names]

    def judged(self) -> list[tuple[Any, ...]]:
        """Return the gates of the last report as tuples of the fields below."""
        fields = ("slice", "id", "metric", "type", "value", "limit", "verdict", "reason")
        return [tuple(gate[field] for field in fields) for gate in self.report()["gates"]]

    def evaluated(self) -> Report:
        """Write the suite and return its report, evaluated in this process."""
        self.write()
        return evaluate(self.path, BankDetector(load_bank(self.path / "bank.json")))

    def report_text(self) -> str:
        """Return the last report as it lies on disk, without its `run` part."""
        text = (self.path / ".pii_eval/report.json").read_text(encoding="utf-8")
        before, _, rest = text.partition('\n  "run": {')
        _, _, after = rest.partition("\n  }")
        return before + after

    def scans(self) -> list[str]:
        """Return the beginnings of the texts that were scanned, sorted, and forget them."""
        log = self.path / "scans.log"
        if not log.exists():
            return []
        lines = log.read_text(encoding="utf-8").splitlines()
        log.unlink()
        return sorted(lines)


def _plain(metric: dict[str, Any]) -> Any:
    if metric["reason"] is not None:
        return metric["reason"]
    if metric["denominator"] is None:
        return metric["numerator"]
    return metric["numerator"], metric["denominator"]
