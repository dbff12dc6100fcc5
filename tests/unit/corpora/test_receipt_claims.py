"""What a run sees of a receipt edited by hand: no other word, no figure that contradicts another."""

from __future__ import annotations

from typing import Any

import pytest
from corpus_files import CANARY, FakeAdapter, artifact_in, cache_in, recipe_of
from prepared_corpus import Prepared

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.prepare import prepare
from pytest_pii_eval.corpora.verify import check_prepared

RUN = "run 'pii-eval corpus prepare demo'"


@pytest.fixture
def suite(tmp_path) -> Prepared:
    """A prepared corpus."""
    return Prepared(tmp_path)


def refused(suite: Prepared) -> str:
    """Return why a run does not take it; nothing of the receipt is told."""
    with pytest.raises(Fault) as caught:
        check_prepared(suite.recipe, suite.folder)
    told = str(caught.value)
    assert "Ottoline" not in told
    assert told.endswith(f"; {RUN}")
    return told


def edited(row: dict[str, Any], path: str, value: Any) -> None:
    """Change one value of the receipt; a bar in the path stands for a dot in a name."""
    *way, last = path.split(".")
    for step in way:
        row = row[step.replace("|", ".")]
    row[last.replace("|", ".")] = value


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        ("key", "dem0", "key"),
        ("recipe", "sha256:" + "0" * 64, "recipe"),
        ("pin", "sha256:" + "0" * 64, "pin"),
        ("artifact.sha256", CANARY, "artifact.sha256"),
        ("artifact.bytes", 45, "artifact.bytes"),
        ("artifact.rows", 5, "artifact.rows"),
        ("adapter", CANARY, "adapter"),
        ("adapter_version", CANARY, "adapter_version"),
        ("span_policy_sha256", CANARY, "span_policy_sha256"),
        ("not_promotable", CANARY, "not_promotable"),
        ("rows", 6, "rows"),
        ("documents_without_gold", 4, "documents_without_gold"),
        ("documents_without_gold", -1, "documents_without_gold"),
        ("spans", 5, "spans"),
        ("spans_by_type", {"email": 1, "person": 2}, "spans"),
        ("spans_by_type", {"email": 1, "person": 3, CANARY: 0}, "spans_by_type"),
        ("spans_by_type", {"email": 1, "person": 3, "phone": 0}, "spans_by_type"),
        ("excluded_spans", -1, "excluded_spans"),
        ("quarantined", {}, "rows"),
        ("quarantined", {CANARY: 1}, "quarantined"),
        ("quarantined", {"value_differs": 2}, "quarantined"),
        ("quarantined", {"value_differs": 1, "bad_tag": 0}, "quarantined"),
        ("held_out", {}, "rows"),
        ("held_out", {CANARY: {"documents": 1, "spans": 1}}, "held_out"),
        ("held_out", {"test": {"documents": 1, "spans": 1}}, "held_out"),
        ("held_out.train.spans", -1, "held_out"),
        ("notes", {f"{CANARY} was here": 1}, "notes"),
        ("files", {}, "files"),
    ],
)
def test_what_no_prepare_would_write_is_refused(suite, path, value, field) -> None:
    """The field at fault is named, and nothing of what stands there."""
    suite.edit(lambda row: edited(row, path, value))
    rule = "names other files than" if field == "files" else "is not what"
    assert refused(suite) == f"receipt.json: {field}: {rule} a prepare would write; {RUN}"


def test_a_name_of_another_kind_is_not_told(suite) -> None:
    """Where a count is no number, its name is not shown, either."""
    for path in ("quarantined", "notes", "spans_by_type", "held_out", "files"):
        before = (suite.folder / "receipt.json").read_bytes()
        suite.edit(lambda row, path=path: row[path].update({CANARY: CANARY}))
        assert refused(suite).startswith("receipt.json: ")
        (suite.folder / "receipt.json").write_bytes(before)


def test_figures_that_agree_with_each_other_must_agree_with_the_files(suite) -> None:
    """More documents, rows and spans than there are: the rows of the files say otherwise."""

    def inflated(row: dict[str, Any]) -> None:
        row.update(rows=105, documents=103, spans=104, spans_by_type={"email": 1, "person": 103})

    suite.edit(inflated)
    told = "has another number of rows than the receipt counts documents"
    assert refused(suite) == f"quality-records.jsonl: {told}; {RUN}"


def test_a_suite_of_no_documents_is_none(suite) -> None:
    """Emptied files and a receipt that says so are no prepared corpus."""
    for name in ("quality-records.jsonl", "quality-provenance.jsonl"):
        suite.rewrite(name, b"")
        suite.edit(lambda row, name=name: row["files"][name].update(rows=0))
    suite.edit(
        lambda row: row.update(rows=2, documents=0, documents_without_gold=0, spans=0, spans_by_type={})
    )
    assert refused(suite) == f"receipt.json: documents: is not what a prepare would write; {RUN}"


@pytest.mark.parametrize(
    "name", ["quality-records.jsonl", "quality-provenance.jsonl", "documents.jsonl", "labels.jsonl"]
)
def test_the_rows_of_a_file_are_those_of_its_documents(suite, name) -> None:
    """Files of records have the pin's role, files kept apart every role."""
    suite.edit(lambda row: edited(row, f"files.{name.replace('.', '|')}.rows", 7))
    told = "has another number of rows than the receipt counts documents"
    assert refused(suite) == f"{name}: {told}; {RUN}"


@pytest.mark.parametrize("name", ["documents.jsonl", "labels.jsonl", "unsupported-slices.jsonl"])
def test_a_file_that_is_due_cannot_be_left_out(suite, name) -> None:
    """Neither the texts and labels that are kept apart, nor the gaps that the pin declares."""
    (suite.folder / name).unlink()
    suite.edit(lambda row: row["files"].pop(name))
    assert refused(suite) == f"receipt.json: files: names other files than a prepare would write; {RUN}"


def test_the_slice_says_the_scope_of_the_recipe(suite) -> None:
    """A slice that was changed together with its receipt widens no scope and raises no strength."""
    path = suite.folder / "quality-slices.jsonl"
    before = path.read_bytes()
    for old, new in ((b'"person",', b""), (b"independent", b"structured_weak"), (b"all_types", b"any_types")):
        assert old in before
        suite.rewrite(path.name, before.replace(old, new))
        told = "is not the plan that the pin and its label map give"
        assert refused(suite) == f"quality-slices.jsonl: {told}; {RUN}"
    suite.rewrite(path.name, before)
    assert check_prepared(suite.recipe, suite.folder) == suite.receipt


def test_bytes_that_nobody_pinned_are_those_found(tmp_path) -> None:
    """A pin without a byte count takes the count of the receipt, but none below zero."""
    recipe, cache = recipe_of(FakeAdapter(), bytes="unverified"), cache_in(tmp_path)
    receipt = prepare(recipe, artifact_in(tmp_path), cache)
    folder = cache.prepared(recipe)
    assert check_prepared(recipe, folder) == receipt
    assert receipt.artifact.bytes == 44
    path = folder / "receipt.json"
    path.write_bytes(path.read_bytes().replace(b'"artifact":{"bytes":44', b'"artifact":{"bytes":-4'))
    with pytest.raises(Fault, match=r"^receipt\.json: artifact\.bytes: "):
        check_prepared(recipe, folder)


def test_scopes_of_labels_that_are_types_are_those_found(tmp_path) -> None:
    """Where labels are types, the types of the receipt decide the slice."""
    drafts = [one for one in FakeAdapter().drafts if one.row == 5]
    changed = [one._replace(role=None, spans=((0, 7, "person"),)) for one in drafts]
    recipe = recipe_of(FakeAdapter(changed), label_map="types", excluded_labels=None)
    cache = cache_in(tmp_path)
    receipt = prepare(recipe, artifact_in(tmp_path), cache)
    assert check_prepared(recipe, cache.prepared(recipe)) == receipt
