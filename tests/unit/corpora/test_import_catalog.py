"""An imported suite is not cataloged: catalog figures are null until somebody compares gold and bank."""

from __future__ import annotations

import json

import pytest
from import_desk import Desk

from pytest_pii_eval import evaluate
from pytest_pii_eval.detectors.plain import FunctionDetector

CATALOG = ("catalog_coverage", "cataloged_recall", "wrong_canonical", "cataloged_document_miss_rate")
KNOWN = {"entity_id": "email", "name_id": "eve", "pattern_id": "full"}
# "to eve@two.example and ann@one.example": two addresses, of which a bank may know the first.
ROW = {
    "doc_id": "m1",
    "text": "to eve@two.example and ann@one.example",
    "spans": [[3, 18, "EMAIL"], [23, 38, "EMAIL"]],
}


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A suite of one document with two addresses, just imported."""
    monkeypatch.chdir(tmp_path)
    made = Desk(tmp_path)
    assert made.spans(ROW) == 0
    return made


def coverage(desk: Desk) -> tuple[int | None, int | None, str | None]:
    """Return numerator, denominator and reason of the catalog coverage of slice `all`."""
    report = evaluate(desk.out, FunctionDetector(lambda _: [], "silent"))
    found = report.slices["all"].metrics["catalog_coverage"]
    return found.numerator, found.denominator, found.reason


def test_nobody_compared_an_import_with_a_bank(desk):
    """Each catalog figure of a suite as it was imported is null for the reason `catalog_unbound`."""
    report = evaluate(desk.out, FunctionDetector(lambda _: [], "silent"))
    metrics = report.slices["all"].metrics
    by_type = report.slices["all"].by_type["email"].metrics
    assert {name: metrics[name].reason for name in CATALOG} == dict.fromkeys(CATALOG, "catalog_unbound")
    assert by_type["catalog_coverage"].reason == "catalog_unbound"
    assert metrics["recall"].value == 0


def test_catalog_bindings_say_what_a_bank_knows(desk):
    """With a file of bindings beside the records, `null` in it means not cataloged: 0 of 2."""
    rows = [
        {"document_id": "m1", "start": start, "end": end, "catalog_identity": None}
        for start, end in ((3, 18), (23, 38))
    ]
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    (desk.out / "catalog-bindings.jsonl").write_text(lines, "utf-8")
    assert coverage(desk) == (0, 2, None)


def test_an_identity_in_the_records_says_it_as_well(desk):
    """Where somebody entered an identity into the records, `null` of the other span means not cataloged."""
    (record,) = desk.suite("records")
    record["gold_spans"][0]["catalog_identity"] = KNOWN
    (desk.out / "quality-records.jsonl").write_text(f"{json.dumps(record)}\n", "utf-8")
    assert coverage(desk) == (1, 2, None)


def test_records_without_a_receipt_speak_for_themselves(desk):
    """The owner of a bank who writes records says of each span that it is not cataloged: 0 of 2."""
    (desk.out / "receipt.json").unlink()
    assert coverage(desk) == (0, 2, None)
