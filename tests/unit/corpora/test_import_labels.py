"""`pii-eval import`: which labels become which types, and what is said of those that do not."""

from __future__ import annotations

import pytest
from import_desk import CANARY, MAIL, NAME, Desk

ADVICE = (
    "give --label-map NAME, --labels MAP.json (label to type), or --exclude-label LABEL for each to drop\n"
)
TAXONOMY = """\
version: v1
types: {person: person, place: location, LOC: location}
label_maps:
  one: {PER: person, LOC: place}
  two: {PER: person, LOC: LOC}
"""


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A desk in an empty folder, with the taxonomy above in it."""
    monkeypatch.chdir(tmp_path)
    made = Desk(tmp_path)
    made.file("taxonomy.yaml", TAXONOMY)
    return made


def labelled(*labels):
    """Return a row with a span for each label."""
    return {**NAME, "spans": [[0, 3, label] for label in labels]}


def test_without_a_word_labels_are_types(desk, capsys):
    """A label that is a type stays; where label maps know it as another type, a note names them."""
    assert desk.spans(labelled("PERSON"), labels=None) == 0
    assert list(desk.populations()) == ["all", "class.PERSON"]
    note = capsys.readouterr().err
    assert note.startswith("note: without --label-map and --labels, labels are types; label maps know 1 of 1")
    assert "--label-map common or datafog or pl_pii_bench or presidio or spacy or tab maps them" in note


def test_labels_that_are_types_in_every_map_need_no_note(desk, capsys):
    """`email` and `person` are what detectors answer with."""
    assert desk.spans(labelled("email", "person"), labels=None) == 0
    assert capsys.readouterr().err == ""


def test_unknown_labels_are_named_with_their_counts(desk, capsys):
    """The most frequent comes first, what is no identifier is withheld, and each way out is named."""
    rows = [labelled("SHOE"), {**labelled("SHOE", "HAT-BAND"), "doc_id": "x"}]
    assert desk.spans(*rows, labels=None) == 1
    assert capsys.readouterr().err == (
        "own.jsonl:1: unknown_label\n"
        "own.jsonl:2: unknown_label\n"
        "quarantined: unknown_label 2\n"
        "labels that are no type and in no label map given: SHOE 2, (withheld) 1\n"
        + ADVICE
        + "2 of 2 rows do not fit, and --max-quarantined is 0; nothing was written\n"
    )


@pytest.mark.parametrize("label", [CANARY, "L" * 65, "größe", "a.b", "1a", ""])
def test_a_label_that_may_be_text_is_withheld(desk, capsys, label):
    """Only ASCII identifiers of at most 64 characters are shown: a label may be a value by mistake."""
    assert desk.spans(labelled(label), labels=None) == 1
    told = capsys.readouterr().err
    assert ("(withheld) 1\n" in told) is (label != "")  # a label of no characters is no label at all
    assert not label or label not in told


def test_unknown_labels_are_named_where_their_rows_may_be_left_out(desk, capsys):
    """A suite without these rows is made where it is allowed, and the labels are told all the same."""
    rows = [labelled("SHOE"), {**labelled("person"), "doc_id": "x"}]
    assert desk.spans(*rows, labels=None, options=("--max-quarantined=1",)) == 0
    assert "labels that are no type and in no label map given: SHOE 1\n" in capsys.readouterr().err
    assert desk.receipt()["quarantined"] == {"unknown_label": 1}


def test_twenty_unknown_labels_are_shown(desk, capsys):
    """Of 23 unknown labels the first 20 are named, and the rest counted."""
    assert desk.spans(labelled(*[f"L{number:02}" for number in range(23)]), labels=None) == 1
    told = capsys.readouterr().err
    assert "L00 1, L01 1" in told
    assert "L19 1, and 3 more\n" in told
    assert "L20" not in told


def test_maps_that_know_the_unknown_labels_are_named(desk, capsys):
    """Where one map has them all, the message says which."""
    options = ("--taxonomy=taxonomy.yaml",)
    assert desk.spans(labelled("PER"), labels={"LOC": "place"}, options=options) == 1
    assert "label maps that know all of them: one, two; give --label-map NAME\n" in capsys.readouterr().err


def test_maps_are_merged_and_the_file_wins(desk):
    """PER comes from the map, LOC from the file, which says otherwise than the map."""
    options = ("--taxonomy=taxonomy.yaml", "--label-map=one")
    assert desk.spans(labelled("PER", "LOC"), labels={"LOC": "LOC"}, options=options) == 0
    assert list(desk.populations()) == ["all", "class.LOC", "class.person"]


@pytest.mark.parametrize(("labels", "status"), [({}, 1), ({"LOC": "place"}, 0)])
def test_two_maps_that_disagree_need_the_file(desk, capsys, labels, status):
    """One label with two types is a fault that names it; an entry of the file decides."""
    options = ("--taxonomy=taxonomy.yaml", "--label-map=one", "--label-map=two")
    assert desk.spans(labelled("PER", "LOC"), labels=labels, options=options) == status
    if status:
        assert capsys.readouterr().err == (
            "two label maps give the label LOC two types; decide it with --labels\n"
        )


def test_an_excluded_label_cannot_disagree(desk):
    """Two maps disagree on LOC, and nobody asks."""
    options = ("--taxonomy=taxonomy.yaml", "--label-map=one", "--label-map=two", "--exclude-label=LOC")
    assert desk.spans(labelled("PER", "LOC"), labels=None, options=options) == 0
    assert list(desk.populations()) == ["all", "class.person"]


def test_types_lets_the_rest_stay(desk):
    """With --label-map=types what no other map knows stays, where it is a type."""
    options = ("--taxonomy=taxonomy.yaml", "--label-map=types", "--label-map=one")
    assert desk.spans(labelled("PER", "LOC", "place"), labels=None, options=options) == 1
    assert desk.spans(labelled("PER", "LOC"), labels=None, options=options) == 0
    assert list(desk.populations()) == ["all", "class.person", "class.place"]


def test_an_excluded_label_leaves_its_spans_out(desk):
    """It wins over maps and over being a type, is counted, and the slices say that something is left out."""
    assert desk.spans(labelled("person", "email"), labels=None, options=("--exclude-label=email",)) == 0
    assert list(desk.populations()) == ["all", "class.person"]
    assert desk.receipt()["excluded_spans"] == 1
    assert {tuple(row["annotation_scope"]["exclusions"]) for row in desk.suite("slices")} == {
        ("excluded_labels",)
    }


def test_an_excluded_label_that_never_occurs_is_told(desk, capsys):
    """It may be misspelt."""
    assert desk.spans(MAIL, options=("--exclude-label=EMIAL", "--exclude-label=EMIAL")) == 0
    assert capsys.readouterr().err == "note: 1 of the excluded labels occur in no row\n"


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (
            ("--label-map=mine",),
            "--label-map names no label map of the taxonomy; it has: cmu_enron_meetings, ",
        ),
        (("--labels=absent.json",), "absent.json: does not exist\n"),
        (("--labels=list.json",), "list.json: expected one object, from label to type\n"),
        (("--labels=twice.json",), "twice.json: duplicate key"),
        (("--labels=number.json",), "number.json: entry 1: maps to a type that the taxonomy does not know\n"),
        (
            ("--labels=foreign.json",),
            "foreign.json: entry 2: maps to a type that the taxonomy does not know\n",
        ),
        (
            ("--labels=good.json", "--exclude-label=NAME"),
            "the label NAME is excluded and has an entry in --labels\n",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(desk, capsys, options, fault):
    """A map that is none, and an exclusion that contradicts the file, are faults of one line."""
    desk.file("list.json", '["NAME"]')
    desk.file("twice.json", '{"NAME": "person", "NAME": "email"}')
    desk.file("number.json", '{"NAME": 5}')
    desk.file("foreign.json", f'{{"NAME": "person", "EMAIL": "{CANARY}"}}')
    desk.file("good.json", '{"NAME": "person"}')
    assert desk.spans(NAME, labels=None, options=options) == 1
    told = capsys.readouterr().err
    assert told.startswith(fault)
    assert told.count("\n") == 1
    assert not desk.out.exists()
