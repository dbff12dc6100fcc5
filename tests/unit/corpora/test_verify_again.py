"""Verifying against contracts, artifact and adapter: what agrees with itself alone is found."""

from __future__ import annotations

import pytest
from corpus_files import ARTIFACT
from prepared_corpus import Prepared

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.draft import Draft
from pytest_pii_eval.corpora.verify import check_prepared, verify


@pytest.fixture
def suite(tmp_path) -> Prepared:
    """A prepared corpus."""
    return Prepared(tmp_path)


def test_a_whole_suite_of_other_records_is_found(suite) -> None:
    """Records, hashes and counts that agree with each other do not agree with the artifact."""
    records = suite.folder / "quality-records.jsonl"
    suite.rewrite("quality-records.jsonl", records.read_bytes().replace(b"Bo Reed", b"Bo Read"))
    check_prepared(suite.recipe, suite.folder)  # by itself it holds
    assert suite.refused() == (
        "receipt.json: demo derives to other records than those prepared; remove prepared/demo in the cache,"
        " and run 'pii-eval corpus prepare demo'"
    )


def _without_the_first(payload: bytes) -> bytes:
    return payload[payload.index(b"\n") + 1 :]


_PLAN = ": is not the plan that the pin and its label map give; run 'pii-eval corpus prepare demo'"
_BROKEN = (
    ("quality-records.jsonl", lambda one: one.replace(b'"end":8', b'"end":800'), ":1: gold_spans[0].end: "),
    ("quality-records.jsonl", lambda one: one * 2, ":4: document.document_id: names a document a second"),
    ("quality-records.jsonl", lambda one: one + b"\n", ":4: blank line"),
    ("quality-provenance.jsonl", lambda one: one * 2, ":4: document_id: names a document a second time"),
    ("quality-slices.jsonl", lambda one: one.replace(b"independent", b"strong"), _PLAN),
    ("quality-slices.jsonl", lambda one: one.replace(b'"person"', b'"canary"'), _PLAN),
    ("quality-slices.jsonl", lambda one: one * 2, _PLAN),
    ("unsupported-slices.jsonl", lambda one: one.replace(b"reason", b"season"), _PLAN),
)


@pytest.mark.parametrize(("name", "change", "told"), _BROKEN)
def test_contracts_are_checked_again(suite, name, change, told) -> None:
    """A file that was changed together with its receipt is told by its contract, with file and line."""
    suite.rewrite(name, change((suite.folder / name).read_bytes()))
    assert suite.refused().startswith(f"{name}{told}")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "quality-records.jsonl",
            "quality-provenance.jsonl:1: document_id: names no document of the records",
        ),
        ("quality-provenance.jsonl", "quality-records.jsonl:1: document.document_id: has no provenance row"),
    ],
)
def test_provenance_covers_the_records(suite, name, told) -> None:
    """A row that is missing on one side is told by the row on the other."""
    suite.rewrite(name, _without_the_first((suite.folder / name).read_bytes()))
    assert suite.refused().startswith(told)


def test_the_artifact_is_needed_and_hashed_again(suite) -> None:
    """Without it nothing derives; with another one nothing is said to hold."""
    with pytest.raises(Fault, match=r"^the artifact of demo is not here, .* or name it with --artifact$"):
        verify(suite.recipe, suite.cache, None)
    suite.artifact.write_bytes(ARTIFACT[:-1] + b"!")
    assert suite.refused() == (
        "artifact of demo: has another sha256 than the pin; it is another file, or it is damaged"
    )
    suite.artifact.unlink()
    assert suite.refused() == "artifact of demo: does not exist"


def test_an_adapter_that_reads_differently_is_found(suite) -> None:
    """A changed adapter that kept its version derives to other records."""
    drafts = list(suite.recipe.adapter.drafts)
    suite.recipe.adapter.drafts = [*drafts, Draft(6, "d6", "x", (), "t")]
    assert "derives to other records" in suite.refused()
