"""The population: unique documents, exact slices, and an index of ids in bounded memory."""

from __future__ import annotations

import tracemalloc

import pytest
from quality_rows import plan_of, scope_row, slice_row

from pytest_pii_eval.contracts.entries import Entries
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.places import Places
from pytest_pii_eval.contracts.population import Population
from pytest_pii_eval.contracts.records import Record

GATED = scope_row("gated", promotion_gate=True)
PLAN = plan_of(GATED, slice_row("persons"), slice_row("train", split_role="train"))


def head(document_id: str, *slices: str, split_role: str = "test", text_view: str = "body") -> Record:
    return Record(document_id, "", text_view, split_role, (), slices)


def test_a_repeated_document_names_both_places_and_not_the_id() -> None:
    """The second mention is the fault, the first one stands in its rule."""
    population = Population(PLAN)
    population.add(head("doc-secret", "gated"), ("a.jsonl", 3))
    population.add(head("doc-2", "gated"), ("b.jsonl", 1))
    with pytest.raises(Fault) as caught:
        population.add(head("doc-secret", "persons"), ("b.jsonl", 2))
    assert str(caught.value) == (
        "b.jsonl:2: document.document_id: names a document a second time; the first is a.jsonl:3"
    )


def test_documents_are_counted_by_slice() -> None:
    """Records count like their heads; a slice without documents counts 0."""
    population = Population(PLAN)
    population.add(head("doc-1", "gated"), ("a.jsonl", 1))
    population.add(Record("doc-2", "text", "body", "test", (), ("gated", "persons")), ("a.jsonl", 2))
    population.finish()
    assert len(population) == 2
    assert [population.documents(name) for name in ("gated", "persons", "train")] == [2, 1, 0]


def test_a_promotion_gate_holds_its_whole_population() -> None:
    """One document of its role and view left out is refused, with the first one's place and the numbers."""
    population = Population(PLAN)
    population.add(head("doc-1", "gated", "persons"), ("a.jsonl", 1))
    population.add(head("doc-2", "persons"), ("a.jsonl", 2))
    population.add(head("doc-3", "persons"), ("a.jsonl", 3))
    with pytest.raises(Fault) as caught:
        population.finish()
    assert str(caught.value) == (
        "a.jsonl:2: slice_ids: the promotion-gated slice gated holds 1 of the 3 documents of its split role"
        " and text view; it must hold all, and this is the first without"
    )


def test_documents_of_another_role_or_view_are_no_part_of_that_population() -> None:
    """The gate asks for test documents of its own view alone."""
    population = Population(plan_of(GATED, slice_row("train", split_role="train")))
    population.add(head("doc-1", "gated"), ("a.jsonl", 1))
    population.add(head("doc-2", "train", split_role="train"), ("a.jsonl", 2))
    population.add(head("doc-3", "elsewhere", text_view="subject"), ("a.jsonl", 3))
    population.finish()
    assert population.documents("gated") == 1


def test_an_empty_population_is_no_fault_of_the_records() -> None:
    """A promotion gate without documents is covered exactly; its verdict says that it proves nothing."""
    population = Population(PLAN)
    population.finish()
    assert population.documents("gated") == 0


def test_places_are_found_again_whatever_the_number_of_ids() -> None:
    """Every id answers with its first place after the index has grown many times."""
    places = Places()
    names = [f"document-{number}" for number in range(3000)]
    for line, name in enumerate(names, start=1):
        assert places.add(name, (f"file-{line % 3}.jsonl", line)) is None
    assert len(places) == 3000
    for line, name in enumerate(names, start=1):
        assert places.add(name, ("late.jsonl", 1)) == (f"file-{line % 3}.jsonl", line)
    assert all(name in places for name in names)
    assert "document-3000" not in places
    assert len(places) == 3000
    assert sorted(place for _, place in places) == sorted(
        (f"file-{line % 3}.jsonl", line) for line in range(1, 3001)
    )


def test_a_hash_across_two_entries_is_no_hit() -> None:
    """Only a hash at the start of an entry of 23 bytes counts, also behind a false hit."""
    wanted = bytes(range(16))
    straddled = bytes([99]) * 20 + wanted + bytes([99]) * 10
    entries = Entries(23)
    (bucket,) = entries._buckets
    bucket += straddled
    assert entries.find(wanted) == (bucket, -1)
    bucket += wanted + bytes(7)
    assert entries.find(wanted) == (bucket, 46)


def test_an_index_takes_forty_bytes_an_id_at_most() -> None:
    """Memory follows the number of ids, not their length."""
    tracemalloc.start()
    places = Places(kept=None)
    for number in range(20_000):
        places.add(f"{'x' * 100}-{number}", ("quality-records.jsonl", number + 1))
    taken, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken <= 40 * 20_000
    assert peak <= 40 * 20_000
