"""`pii-eval import`: what the suite of an export holds."""

from __future__ import annotations

import hashlib
import json

import pytest
from import_desk import LABELS, MAIL, NAME, NOTHING, Desk

from pytest_pii_eval.cli import main


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A desk in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path)


def sha256(payload):
    """Return the digest as receipts write it."""
    return f"sha256:{hashlib.sha256(payload).hexdigest()}"


def test_a_record_holds_text_and_spans_as_they_are(desk):
    """Text and offsets are kept, labels become types, and no catalog identity is claimed."""
    assert desk.spans(MAIL) == 0
    name = {"document_id": "m1", "entity_class": "person", "start": 0, "end": 3, "catalog_identity": None}
    assert desk.suite("records") == [
        {
            "document": {
                "document_id": "m1",
                "text": "Zoë 🙂 a@b.example",
                "text_view": "corpus_text",
                "split_role": "validation",
            },
            "gold_spans": [name, {**name, "entity_class": "email", "start": 6, "end": 17}],
            "slice_ids": ["all", "class.email", "class.person"],
        }
    ]


def test_one_line_says_what_came_of_it(desk, capsys):
    """The result is one line on stdout: counts, and what to run next; nothing on stderr."""
    assert desk.spans(MAIL, NAME, NOTHING) == 0
    told = capsys.readouterr()
    assert told.out == (
        "suite: 3 documents, 3 spans of 2 types, 0 quarantined; now: pytest --pii-detector=NAME suite\n"
    )
    assert told.err == ""


def test_the_suite_holds(desk, capsys):
    """`pii-eval check` finds nothing wrong with it."""
    assert desk.spans(MAIL, NAME, NOTHING) == 0
    assert main(["check", "suite"]) == 0
    assert "holds with its directory of 3 documents" in capsys.readouterr().out


def test_slices_are_the_combined_one_one_a_type_and_a_negative_one(desk):
    """Every document is in the combined and each type's slice, and without spans in the negative one."""
    assert desk.spans(MAIL, NAME, NOTHING) == 0
    assert desk.populations() == {
        "all": ["email", "person", "m1", "m2", "m3"],
        "class.email": ["email", "m1", "m2", "m3"],
        "class.person": ["person", "m1", "m2", "m3"],
        "negative": ["email", "person", "m3"],
    }
    assert {row["id"]: row["cohort"] for row in desk.suite("slices")}["negative"] == "zero_gold"


def test_a_lone_type_is_its_own_scope(desk):
    """Where all spans are of one type, slices name it: no scope of several types has only one."""
    assert desk.spans(NAME, NOTHING) == 0
    assert {row["id"]: row["entity_class"] for row in desk.suite("slices")} == {
        "all": "person",
        "class.person": "person",
        "negative": "person",
    }


def test_single_class_slices_know_no_scope(desk):
    """With --single-class each slice has one type, which is its entity class."""
    assert desk.spans(NAME, NOTHING, options=("--single-class",)) == 0
    assert desk.populations() == {
        "class.person": ["person", "m2", "m3"],
        "negative.person": ["person", "m3"],
    }


@pytest.mark.parametrize(
    ("option", "strength", "completeness"),
    [("--partial", "independent", "partial"), ("--weak", "structured_weak", "exhaustive_within_scope")],
)
def test_incomplete_labels_make_no_negative_slice(desk, option, strength, completeness):
    """Where labels are partial or weak, a document without a span proves nothing."""
    assert desk.spans(NAME, NOTHING, options=(option,)) == 0
    assert {
        row["id"]: (row["label_strength"], row["annotation_completeness"]) for row in desk.suite("slices")
    } == {"all": (strength, completeness), "class.person": (strength, completeness)}


def test_the_role_is_that_of_documents_and_slices(desk):
    """--role names the split role of everything."""
    assert desk.spans(NAME, options=("--role=test",)) == 0
    assert {row["split_role"] for row in desk.suite("slices")} == {"test"}
    assert desk.suite("records")[0]["document"]["split_role"] == "test"


def test_labels_may_share_a_type(desk):
    """Two labels with one entry make one type."""
    assert desk.spans(MAIL, labels={"NAME": "contact", "EMAIL": "contact"}) == 0
    assert list(desk.populations()) == ["all", "class.contact"]


def test_ids_that_are_not_opaque_are_digests(desk):
    """A name or an address as an id is replaced by a digest, in records and provenance alike."""
    assert desk.spans({**NAME, "doc_id": "Ann's mail"}) == 0
    document_id = "d-" + hashlib.sha256(b"Ann's mail").hexdigest()[:24]
    assert desk.suite("records")[0]["gold_spans"][0]["document_id"] == document_id
    assert desk.suite("provenance")[0]["document_id"] == document_id


def test_provenance_names_format_and_hash_or_what_is_asked_for(desk):
    """Without --corpus the corpus is the format and twelve digits of the input's hash; templates are ids."""
    rows = [{**NAME, "template": 7}, {**NOTHING, "template": None}]
    assert desk.spans(*rows, options=("--option=template_id=template",)) == 0
    digits = hashlib.sha256((desk.folder / "own.jsonl").read_bytes()).hexdigest()[:12]
    assert desk.suite("provenance") == [
        {"document_id": "m2", "source_corpus": f"spans@{digits}", "template_id": "7"},
        {"document_id": "m3", "source_corpus": f"spans@{digits}", "template_id": "m3"},
    ]
    desk.out.rename(desk.folder / "first")
    assert desk.spans(*rows, options=("--corpus=letters/2024+b",)) == 0
    assert {row["source_corpus"] for row in desk.suite("provenance")} == {"letters/2024+b"}


def test_several_files_make_one_suite(desk):
    """Each file has ids of its own, so that two exports that count from one do not collide."""
    first, second = desk.rows_file("a.jsonl", NAME, MAIL), desk.rows_file("b.jsonl", {**NAME, "text": "Eve"})
    labels = desk.file("map.json", json.dumps(LABELS))
    assert desk.run("spans", first, second, f"--labels={labels}") == 0
    documents = [row["document"] for row in desk.suite("records")]
    assert [(one["document_id"], one["text"]) for one in documents] == [
        ("1.m2", "Ann"),
        ("1.m1", "Zoë 🙂 a@b.example"),
        ("2.m2", "Eve"),
    ]
    hashes = [sha256((desk.folder / name).read_bytes()) for name in (first, second)]
    assert desk.receipt()["artifact"] == {
        "bytes": sum((desk.folder / name).stat().st_size for name in (first, second)),
        "rows": None,
        "sha256": sha256(json.dumps(hashes, separators=(",", ":")).encode()),
    }


def test_the_receipt_commits_to_input_and_files(desk):
    """It holds the hash of the input, of every file, the counts, and nothing of a document."""
    assert desk.spans(MAIL, NAME, NOTHING, options=("--exclude-label=DATE",)) == 0
    receipt = desk.receipt()
    source = (desk.folder / "own.jsonl").read_bytes()
    assert receipt["artifact"] == {"bytes": len(source), "rows": None, "sha256": sha256(source)}
    assert receipt["files"] == {
        f"quality-{name}.jsonl": {
            "bytes": (desk.out / f"quality-{name}.jsonl").stat().st_size,
            "rows": rows,
            "sha256": sha256((desk.out / f"quality-{name}.jsonl").read_bytes()),
        }
        for name, rows in (("provenance", 3), ("records", 3), ("slices", 4))
    }
    counts = ("rows", "documents", "documents_without_gold", "spans", "excluded_spans")
    assert [receipt[name] for name in counts] == [3, 3, 1, 3, 0]
    assert receipt["spans_by_type"] == {"email": 1, "person": 2}
    assert receipt["not_promotable"] == "imported_data"


def test_equal_inputs_and_options_give_equal_bytes(desk):
    """A second import of the same file differs in no byte; another role is another recipe."""
    assert desk.spans(MAIL, NAME) == 0
    first = {path.name: path.read_bytes() for path in desk.out.iterdir()}
    recipe = desk.receipt()["recipe"]
    desk.out.rename(desk.folder / "first")
    assert desk.spans(MAIL, NAME) == 0
    assert {path.name: path.read_bytes() for path in desk.out.iterdir()} == first
    desk.out.rename(desk.folder / "second")
    assert desk.spans(MAIL, NAME, options=("--role=test",)) == 0
    assert desk.receipt()["recipe"] != recipe


def test_the_suite_is_private(desk):
    """Only its owner may read it, and a marker says that it is whole."""
    assert desk.spans(NAME) == 0
    assert oct(desk.out.stat().st_mode)[-3:] == "700"
    assert {oct(path.stat().st_mode)[-3:] for path in desk.out.iterdir()} == {"600"}
    assert (desk.out / "COMMITTED").is_file()


@pytest.mark.parametrize(
    ("name", "text", "copy"),
    [
        (
            "own words.yaml",
            "version: v1\ntypes: {pii: secret}\nlabel_maps: {m: {NAME: pii}}\n",
            "taxonomy.yaml",
        ),
        (
            "own.json",
            '{"version":"v1","types":{"pii":"secret"},"label_maps":{"m":{"NAME":"pii"}}}',
            "taxonomy.json",
        ),
    ],
)
def test_a_taxonomy_goes_along(desk, name, text, copy):
    """It is copied under a plain name, the suite file names the copy, and the receipt commits to both."""
    desk.file(name, text)
    assert desk.spans(NAME, labels=None, options=(f"--taxonomy={name}", "--label-map=m")) == 0
    assert (desk.out / copy).read_text("utf-8") == text
    assert (desk.out / "suite.yaml").read_text("utf-8") == f"taxonomy: {copy}\n"
    assert {copy, "suite.yaml"} < desk.receipt()["files"].keys()
    assert main(["check", "suite"]) == 0


def test_a_brat_folder_is_committed_to_by_its_sorted_hashes(desk):
    """A folder is read as one input; what brat does not read has no part in the commitment."""
    folder = desk.folder / "letters"
    folder.mkdir()
    held = {"one.txt": "Ann", "one.ann": "T1\tNAME 0 3\tAnn\n", "two.txt": "nothing", "two.ann": ""}
    for name, text in {**held, "annotation.conf": "x"}.items():
        (folder / name).write_text(text, "utf-8")
    labels = desk.file("map.json", json.dumps(LABELS))
    assert desk.run("brat", "letters", f"--labels={labels}") == 0
    assert [row["document"]["text"] for row in desk.suite("records")] == ["Ann", "nothing"]
    hashes = sorted(sha256(text.encode()) for text in held.values())
    assert desk.receipt()["artifact"]["sha256"] == sha256(json.dumps(hashes, separators=(",", ":")).encode())
    assert desk.receipt()["artifact"]["bytes"] == sum(len(text) for text in held.values())
