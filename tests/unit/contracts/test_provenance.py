"""The provenance sidecar: closed rows that name every document of the records once."""

from __future__ import annotations

import pytest
from quality_rows import plan_of

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.population import Population
from pytest_pii_eval.contracts.provenance import Coverage, Origin, parse_origin
from pytest_pii_eval.contracts.records import Record

ROW = {"document_id": "doc-1", "source_corpus": "presidio-templates+faker", "template_id": "17"}


def coverage(*rows: str, documents: int = 3) -> Coverage:
    """A sidecar with rows for these documents, over `doc-1` to `doc-<documents>`."""
    population = Population(plan_of())
    for line in range(1, documents + 1):
        population.add(Record(f"doc-{line}", "", "body", "test", (), ("everyone",)), ("records.jsonl", line))
    covered = Coverage(population)
    for line, name in enumerate(rows, start=1):
        covered.add(Origin(name, "corpus", "template"), ("sidecar.jsonl", line))
    return covered


def test_a_row_is_read() -> None:
    """Corpora may be named as pins name them: with a path, a revision, a sum."""
    assert parse_origin(ROW) == Origin("doc-1", "presidio-templates+faker", "17")
    assert parse_origin({**ROW, "source_corpus": "pl-pii-bench/address@ddd2a8148d1b"})[1].endswith("8d1b")


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({**ROW, "template_id": 17}, "template_id: must be a string"),
        ({**ROW, "source_corpus": "/home/me"}, "source_corpus: must match"),
        ({**ROW, "document_id": ""}, "document_id: must match"),
        ({**ROW, "lane": "x"}, "has an unknown field"),
        ({"document_id": "doc-1", "source_corpus": "c"}, "template_id: is missing"),
    ],
)
def test_rows_are_closed(row: dict[str, object], fault: str) -> None:
    """A field too many, too few or of another kind is refused with its place."""
    with pytest.raises(Fault, match=fault):
        parse_origin(row)


def test_an_exact_cover_is_accepted_in_any_order() -> None:
    """Each document once, no other: nothing to say."""
    coverage("doc-3", "doc-1", "doc-2").finish()


def test_a_document_named_twice_is_refused_at_once() -> None:
    """Both places are named, the id is not."""
    with pytest.raises(Fault) as caught:
        coverage("doc-3", "doc-1", "doc-3")
    assert str(caught.value) == (
        "sidecar.jsonl:3: document_id: names a document a second time; the first is sidecar.jsonl:1"
    )


def test_rows_without_document_are_counted() -> None:
    """The first such row is the place, all of them the number."""
    with pytest.raises(Fault) as caught:
        coverage("doc-1", "doc-9", "doc-2", "doc-3", "doc-8").finish()
    assert str(caught.value) == (
        "sidecar.jsonl:2: document_id: names no document of the records; 2 of 5 rows do so"
    )


def test_documents_without_row_are_counted() -> None:
    """The first such record is the place, all of them the number."""
    with pytest.raises(Fault) as caught:
        coverage("doc-4", "doc-1", documents=4).finish()
    assert str(caught.value) == (
        "records.jsonl:2: document.document_id: has no provenance row; 2 of 4 documents have none"
    )


def test_an_empty_sidecar_covers_no_document() -> None:
    """A sidecar that is there and empty leaves every record uncovered."""
    with pytest.raises(Fault, match=r"records\.jsonl:1: .*3 of 3 documents have none"):
        coverage().finish()
