"""The documented script docs/examples/records_from_spans.py: what it writes, and what it refuses."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

_SCRIPT = Path(__file__).parents[3] / "docs" / "examples" / "records_from_spans.py"


def _load() -> Any:
    spec = importlib.util.spec_from_file_location("records_from_spans", _SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


main = _load().main
# "Zoë 🙂 a@b.example" and "Ann": offsets in code points, so the smiling face counts once.
MAIL = {
    "doc_id": "m1",
    "text": "Zoë 🙂 a@b.example",
    "spans": [[6, 17, "E-MAIL"], [0, 3, "NAME"]],
    "source_corpus": "mails",
    "template_id": 7,
}
NAME = {**MAIL, "doc_id": "m2", "text": "Ann", "spans": [[0, 3, "NAME"]], "template_id": "7"}
NOTHING = {**MAIL, "doc_id": "m3", "text": "nothing", "spans": []}


class Desk:
    """Runs the script on rows, and reads what it wrote."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.out = folder / "suite"

    def run(self, *rows: dict[str, Any] | str, labels: object = None, options: tuple[str, ...] = ()) -> int:
        """Return the exit status; a row that is a string is written as it is."""
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        (self.folder / "spans.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
        arguments = [str(self.folder / "spans.jsonl"), str(self.out), *options]
        if labels is not None:
            (self.folder / "map.json").write_text(json.dumps(labels), "utf-8")
            arguments += ["--labels", str(self.folder / "map.json")]
        status: int = main(arguments)
        return status

    def rows(self, name: str) -> list[dict[str, Any]]:
        """Return the rows of `quality-NAME.jsonl`."""
        lines = (self.out / f"quality-{name}.jsonl").read_text("utf-8").split("\n")
        assert lines.pop() == ""
        return [json.loads(line) for line in lines]

    def populations(self) -> dict[str, list[str]]:
        """Return the classes of each slice, and the documents in it."""
        return {
            one["id"]: [
                *one["annotation_scope"]["entity_classes"],
                *(r["document"]["document_id"] for r in self.rows("records") if one["id"] in r["slice_ids"]),
            ]
            for one in self.rows("slices")
        }


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_record_holds_text_and_spans_as_they_are(desk: Desk) -> None:
    """Text is kept, offsets are kept, spans stand in order, and no catalog identity is claimed."""
    assert desk.run(MAIL, labels={"NAME": "person"}) == 0
    name = {"document_id": "m1", "entity_class": "person", "start": 0, "end": 3, "catalog_identity": None}
    assert desk.rows("records") == [
        {
            "document": {
                "document_id": "m1",
                "text": "Zoë 🙂 a@b.example",
                "text_view": "natural_body",
                "split_role": "validation",
            },
            "gold_spans": [name, {**name, "entity_class": "e-mail", "start": 6, "end": 17}],
            "slice_ids": ["all", "class.e-mail", "class.person"],
        }
    ]


def test_slices_are_the_combined_one_one_a_class_and_a_negative_one(desk: Desk) -> None:
    """Every document is in the combined and each class's slice, and without spans in the negative one."""
    assert desk.run(MAIL, NAME, NOTHING, labels={"NAME": "person", "E-MAIL": "email"}) == 0
    assert desk.populations() == {
        "all": ["email", "person", "m1", "m2", "m3"],
        "class.email": ["email", "m1", "m2", "m3"],
        "class.person": ["person", "m1", "m2", "m3"],
        "negative": ["email", "person", "m3"],
    }


def test_a_lone_class_is_its_own_scope(desk: Desk) -> None:
    """Where all spans are of one class, slices name it: no scope of several classes has only one."""
    assert desk.run(NAME, NOTHING) == 0
    assert list(desk.populations()) == ["all", "class.name", "negative"]
    assert {row["entity_class"] for row in desk.rows("slices")} == {"name"}


def test_single_class_slices_know_no_scope(desk: Desk) -> None:
    """With --single-class each slice has one class, which is its entity class."""
    assert desk.run(NAME, NOTHING, options=("--single-class",)) == 0
    assert desk.populations() == {"class.name": ["name", "m2", "m3"], "negative.name": ["name", "m3"]}
    assert {row["entity_class"] for row in desk.rows("slices")} == {"name"}


@pytest.mark.parametrize(
    ("option", "strength", "completeness"),
    [("--partial", "independent", "partial"), ("--weak", "structured_weak", "exhaustive_within_scope")],
)
def test_incomplete_labels_make_no_negative_slice(
    desk: Desk, option: str, strength: str, completeness: str
) -> None:
    """Where labels are partial or weak, a document without a span proves nothing."""
    assert desk.run(NAME, NOTHING, options=(option,)) == 0
    assert list(desk.populations()) == ["all", "class.name"]
    assert {(row["label_strength"], row["annotation_completeness"]) for row in desk.rows("slices")} == {
        (strength, completeness)
    }


def test_role_is_that_of_documents_and_slices(desk: Desk) -> None:
    """--role names the split role of everything."""
    assert desk.run(NAME, options=("--role", "test")) == 0
    assert {row["split_role"] for row in desk.rows("slices")} == {"test"}
    assert desk.rows("records")[0]["document"]["split_role"] == "test"


def test_labels_may_share_a_class(desk: Desk) -> None:
    """Two labels with one entry in the map make one class."""
    assert desk.run(MAIL, labels={"NAME": "personal", "E-MAIL": "personal"}) == 0
    assert list(desk.populations()) == ["all", "class.personal", "negative"]


def test_ids_become_opaque(desk: Desk) -> None:
    """Ids that are no opaque ids are replaced by digests, in records and sidecar alike; others are kept."""
    row = {**NAME, "doc_id": "Ann's mail", "source_corpus": "mails/2024+b", "template_id": 7}
    assert desk.run(row) == 0
    document_id = "d-" + hashlib.sha256(b"Ann's mail").hexdigest()[:16]
    corpus = "mails-2024-b-" + hashlib.sha256(b"mails/2024+b").hexdigest()[:8]
    assert desk.rows("provenance") == [
        {"document_id": document_id, "source_corpus": corpus, "template_id": "7"}
    ]
    assert desk.rows("records")[0]["gold_spans"][0]["document_id"] == document_id


@pytest.mark.parametrize(
    ("rows", "place"),
    [
        ([NAME, {**NAME, "doc_id": "x", "spans": [[0, 4, "NAME"]]}], "line 2: spans[0]: not 0 <= start"),
        ([{**NAME, "spans": [[0, 1, "NAME"], [-1, 2, "NAME"]]}], "line 1: spans[1]: not 0 <= start"),
        ([{**NAME, "spans": [[2, 2, "NAME"]]}], "line 1: spans[0]: not 0 <= start"),
        ([{**NAME, "spans": [[False, 2, "NAME"]]}], "line 1: spans[0]: not 0 <= start"),
        ([{**NAME, "spans": [[0, 2.0, "NAME"]]}], "line 1: spans[0]: not 0 <= start"),
        ([{**NAME, "spans": [[0, 2]]}], "line 1: spans[0]: not [start, end, label]"),
        ([{**NAME, "spans": [[0, 2, 5]]}], "line 1: spans[0]: a label is no string"),
        ([{**NAME, "spans": {}}], "line 1: spans: not a list"),
        ([{**NAME, "spans": [[0, 2, "NAME"], [0, 2, "NAME"]]}], "line 1: spans: two with the same place"),
        ([{**NAME, "spans": [[0, 2, "NAME"], [1, 2, "name"]]}], "line 1: spans[1]: a label without an entry"),
        ([{**NAME, "spans": [[0, 2, "9"]]}], "line 1: spans[0]: a label whose name makes no class"),
        ([NAME, NAME], "line 2: doc_id: an earlier row has this id"),
        ([{**NAME, "doc_id": ""}], "line 1: doc_id: empty"),
        ([{**NAME, "text": 5}], "line 1: text: not a string"),
        ([{**NAME, "text": "Ann \ud83d"}], "line 1: text: a lone surrogate"),
        ([{"doc_id": "x"}], "line 1: a row is an object with doc_id, text"),
        ([NAME, '{"doc_id": '], "line 2: not JSON in UTF-8"),
        ([NOTHING], "no row has a span"),
    ],
)
def test_first_fault_is_named_and_nothing_is_written(
    desk: Desk, capsys: pytest.CaptureFixture[str], rows: list[dict[str, Any] | str], place: str
) -> None:
    """A fault ends with status 2, place and rule on one line, no value, and no directory."""
    assert desk.run(*rows) == 2
    message = capsys.readouterr().err
    assert message.startswith(f"refused: {place}")
    assert message.count("\n") == 1
    assert "Ann" not in message
    assert not desk.out.exists()


@pytest.mark.parametrize("labels", [{"NAME": "Person"}, {"NAME": None}, {"NAME": "all_labels"}, ["NAME"]])
def test_unusable_label_map_is_refused(
    desk: Desk, capsys: pytest.CaptureFixture[str], labels: object
) -> None:
    """A label map is an object from label to the name of a class."""
    assert desk.run(NAME, labels=labels) == 2
    assert capsys.readouterr().err.startswith("refused: label map: ")


def test_directory_that_exists_is_left_alone(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """The script writes into a new directory only."""
    desk.out.mkdir()
    assert desk.run(NAME) == 2
    assert capsys.readouterr().err == "refused: file or directory: File exists\n"
    assert list(desk.out.iterdir()) == []
