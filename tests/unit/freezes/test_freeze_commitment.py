"""The commitment to a suite: what it binds, what changes it and what does not, and files held to it."""

from __future__ import annotations

import json
import subprocess
from hashlib import sha256

import pytest
from freeze_suites import CANARY, document, kinds, record_row, slice_row, template, write_rows, write_suite

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.committing import commitment_of

FILES = ["quality-provenance.jsonl", "quality-records.jsonl", "quality-slices.jsonl", "suite.yaml"]


@pytest.fixture
def suite(tmp_path):
    """A sealed freeze of three documents of two templates."""
    return write_suite(tmp_path / "freeze", [1, 2, 1], role="sealed_freeze")


def committed(folder, split_key="template_id"):
    """Return the commitment to a suite."""
    return commitment_of(folder, kinds, split_key=split_key)


def fault_of(folder, split_key="template_id"):
    """Return what is wrong with a suite, as a line without canaries."""
    with pytest.raises(Fault) as fault:
        committed(folder, split_key)
    assert CANARY not in str(fault.value)
    return str(fault.value)


def sha256sum(*names, given=None, folder=None):
    """Return what coreutils prints of files in `folder`, or of what it is given."""
    command = ["sha256sum", *names]
    return subprocess.run(command, input=given, cwd=folder, capture_output=True, check=True, text=True).stdout


def hash_of(name):
    """Return the hash of an id as coreutils makes it."""
    return f"sha256:{sha256sum(given=name).split()[0]}"


def test_it_counts_documents_gold_and_templates(suite):
    """Three documents with a span each, and the hashes of their two templates, sorted."""
    one = committed(suite)
    assert (one.documents, one.gold_spans, one.split_key) == (3, 3, "template_id")
    assert one.templates == sorted([hash_of(template(1)), hash_of(template(2))])


def test_documents_are_hashed_where_they_are_the_split_key(suite):
    """Real rows split by document, so there the ids of documents are what travels as hashes."""
    (suite / "quality-provenance.jsonl").unlink()
    assert committed(suite, "document_id").templates == sorted(hash_of(document(at)) for at in range(3))


def test_every_file_is_bound_by_its_bytes(suite):
    """Size and SHA-256 are those that coreutils finds, of every file of the suite and of no other."""
    (suite / "notes.txt").write_text("not of the suite")
    one = committed(suite)
    names = sorted(one.files)
    listed = sha256sum(*names, folder=suite).splitlines()
    assert names == FILES
    assert [f"{one.files[name].sha256[7:]}  {name}" for name in names] == listed
    assert [one.files[name].bytes for name in names] == [(suite / name).stat().st_size for name in names]


def test_the_taxonomy_beside_is_bound_too(suite):
    """A taxonomy that the suite file names belongs to the freeze."""
    types = {"version": "1", "types": {"email": "contact", "person": "name"}}
    (suite / "kinds.json").write_text(json.dumps(types))
    (suite / "suite.yaml").write_text("role: sealed_freeze\ntaxonomy: kinds.json\n")
    assert sorted(committed(suite).files) == sorted([*FILES, "kinds.json"])


def test_gold_is_the_hash_over_the_sorted_digests(suite):
    """The digest of a record is over all that it says; they are sorted, joined, and hashed again."""
    write_suite(suite, [1] * 60)
    lines = [
        f"{document(at)} body test 1\nmixed\n0 3 person \nAda wrote {CANARY} note number {at}."
        for at in range(60)
    ]
    over = b"".join(sorted(sha256(line.encode()).digest() for line in lines))
    assert committed(suite).gold == f"sha256:{sha256(over).hexdigest()}"


def test_all_gold_spans_are_counted(suite):
    """A document has as many as it has."""
    rows = [record_row(document(0), "Ada, Bob", (0, 3, "person"), (5, 8, "person"))]
    write_rows(suite / "quality-records.jsonl", rows)
    (suite / "quality-provenance.jsonl").unlink()
    assert committed(suite, "document_id").gold_spans == 2


def test_a_review_that_binds_gold_anew_leaves_it_as_it_is(suite):
    """A catalog identity says what a bank knows, and nothing of what is in the text."""
    before = committed(suite).gold
    identity = '{"entity_id": "person", "name_id": "ada", "pattern_id": "first"}'
    path = suite / "quality-records.jsonl"
    path.write_text(path.read_text().replace('"catalog_identity": null', f'"catalog_identity": {identity}'))
    assert committed(suite).gold == before


def test_order_of_rows_leaves_gold_as_it_is(suite):
    """Rows in another order, and in two files, are the same gold in other files."""
    before = committed(suite)
    path = suite / "quality-records.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[2])
    (suite / "quality-records-more.jsonl").write_bytes(lines[1] + lines[0])
    after = committed(suite)
    assert (after.gold, after.templates) == (before.gold, before.templates)
    assert after.files != before.files


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("note number 1", "note number 7"),
        ('"end": 3', '"end": 2'),
        ('"person"', '"email"'),
        ("doc-1", "doc-7"),
    ],
)
def test_any_change_of_gold_changes_it(suite, old, new):
    """Text, span, type and id of a document are all of the gold."""
    before = committed(suite).gold
    for name in ("quality-records.jsonl", "quality-provenance.jsonl"):
        path = suite / name
        path.write_text(path.read_text().replace(old, new))
    assert committed(suite).gold != before


def test_templates_need_provenance(suite):
    """Without a sidecar nothing tells the template of a document; the fault says what to do."""
    (suite / "quality-provenance.jsonl").unlink()
    assert fault_of(suite) == (
        "freeze: has no provenance sidecar, which says the template of each document; add one, or give"
        " --split-key document_id"
    )


def test_a_document_without_provenance_is_refused(suite):
    """The sidecar covers each document, or there is no commitment."""
    path = suite / "quality-provenance.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    assert fault_of(suite) == (
        "quality-records.jsonl:3: document.document_id: has no provenance row; 1 of 3 documents have none"
    )


@pytest.mark.parametrize(
    "name", [" 7", "7 ", "\N{CYRILLIC SMALL LETTER IE}", "\N{FULLWIDTH DIGIT SEVEN}", "7\u200d"]
)
def test_an_id_with_space_or_look_alikes_is_refused(suite, name):
    """A template id that looks like another and is not would hide a match."""
    write_suite(suite, [1, name])
    assert fault_of(suite).startswith("quality-provenance.jsonl:2: template_id: ")


def test_a_gated_slice_that_leaves_a_document_out_is_refused(suite):
    """A plan that a run would refuse is not committed to."""
    write_rows(suite / "quality-slices.jsonl", [slice_row(), slice_row("other", promotion_gate=False)])
    rows = [record_row(document(0), "a"), record_row(document(1), "b", slices=["other"])]
    write_rows(suite / "quality-records.jsonl", rows)
    assert fault_of(suite).startswith("quality-records.jsonl:2: slice_ids: the promotion-gated slice mixed")


def test_a_gate_that_speaks_of_no_slice_is_refused(suite):
    """So is a suite file that a run would refuse."""
    (suite / "suite.yaml").write_text("gates:\n  - {slice: nowhere, metric: recall, min: 0.5}\n")
    assert fault_of(suite) == "suite.yaml: gates[0].slice: names no slice of the plan"


def test_bindings_are_held_to_the_gold(suite):
    """A sidecar of bindings that names no gold is refused, and bound where it does."""
    rows = [{"document_id": document(at), "start": 0, "end": 3, "catalog_identity": None} for at in (0, 1, 2)]
    write_rows(suite / "catalog-bindings.jsonl", rows)
    assert "catalog-bindings.jsonl" in committed(suite).files
    write_rows(suite / "catalog-bindings.jsonl", rows[:2])
    assert fault_of(suite).startswith("quality-records.jsonl:3: gold_spans: 1 of 1 have no row")


def test_bindings_of_no_gold_are_refused(suite):
    """Rows that are left over name gold that is not there."""
    rows = [{"document_id": document(at), "start": 0, "end": 3, "catalog_identity": None} for at in range(4)]
    write_rows(suite / "catalog-bindings.jsonl", rows)
    assert fault_of(suite) == (
        "catalog-bindings.jsonl:4: names no gold span of the records; 1 of 4 rows do so"
    )


def test_bindings_are_one_file(suite):
    """Of two, a run would not know which one binds."""
    for name in ("catalog-bindings.jsonl", "catalog-bindings-more.jsonl"):
        (suite / name).write_bytes(b"")
    assert fault_of(suite) == "freeze: holds several files of catalog bindings; put them into one"


def test_a_class_that_the_taxonomy_does_not_know_is_refused(suite):
    """Types of slices are those of the taxonomy that the suite file names, here of one without persons."""
    (suite / "kinds.json").write_text(json.dumps({"version": "1", "types": {"email": "contact"}}))
    (suite / "suite.yaml").write_text("taxonomy: kinds.json\n")
    assert fault_of(suite).startswith("quality-slices.jsonl:1: annotation_scope.entity_classes: slice mixed")


def test_a_file_name_of_more_than_plain_letters_is_refused_unsaid(suite):
    """A commitment travels, so no name that could be a person's, or a control character, gets into it."""
    (suite / "quality-records.jsonl").rename(suite / f"quality-records {CANARY}.jsonl")
    assert fault_of(suite) == (
        "a file of the suite (records) has a name with more in it than letters, digits, dots, underscores"
        " and dashes; rename it"
    )


@pytest.mark.parametrize(
    ("names", "line"),
    [
        (FILES, "freeze: holds no records; it is no suite"),
        (["quality-slices.jsonl"], "quality-records.jsonl:1: slice_ids[0]: names no slice of the plan"),
    ],
)
def test_a_suite_that_lacks_files_is_refused(suite, names, line):
    """A folder without records, or records without their plan, are no suite."""
    for name in names:
        (suite / name).unlink()
    assert fault_of(suite) == line


def test_empty_records_are_refused(suite):
    """No document, no freeze."""
    for name in FILES[:2]:
        (suite / name).write_bytes(b"")
    assert fault_of(suite) == "freeze: holds no document"


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    """The fault names the folder by its last part."""
    assert fault_of(tmp_path / "gone") == "gone: is no directory that can be read (ENOENT)"


def test_a_symlink_is_no_file_of_a_freeze(suite, tmp_path):
    """What lies elsewhere may be exchanged elsewhere."""
    (suite / "quality-records.jsonl").rename(tmp_path / "elsewhere.jsonl")
    (suite / "quality-records.jsonl").symlink_to(tmp_path / "elsewhere.jsonl")
    assert fault_of(suite) == "quality-records.jsonl: is a symlink; name the real file"
