"""Small files in the exact schemas of the shipped corpora, read and prepared as their shipped pins say."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import faker
import pytest
from cmu_archive import small_archive
from corpus_files import rows
from shipped_rows import (
    COURT,
    PINS,
    gold,
    gretel,
    judgment,
    masking,
    mention,
    nemotron,
    opaque,
    prepared_by,
    read_by,
    templates,
)
from span_files import array, lines, parquet

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.draft import Draft, Unfit


def test_nemotron_pii(tmp_path) -> None:
    """Two locales of a uid are one template; digits may be a number; a difference in case is left out."""
    crlf = "Où est Pell?\r\nÀ Skien."
    given = [
        nemotron("a1", "us", "Ask Pell, 41.", (4, 8, "Pell", "first_name"), (10, 12, 41, "age")),
        nemotron("a1", "intl", crlf, (7, 11, "Pell", "first_name"), (16, 21, "Skien", "city")),
        nemotron("b2", "us", "Ask Pell.", (4, 8, "pell", "first_name")),
        nemotron("c3", "us", "See O'Nix.", (4, 9, "O'Nix", "last_name")),
        nemotron("d4", "us", "None."),
    ]
    pin, path = PINS["nemotron-pii"], parquet(tmp_path / "test-00000-of-00001.parquet", given)
    assert read_by(pin, path) == [
        Draft(1, "a1+us", "Ask Pell, 41.", ((4, 8, "first_name"), (10, 12, "age")), "a1"),
        Draft(2, "a1+intl", crlf, ((7, 11, "first_name"), (16, 21, "city")), "a1"),
        Unfit(3, "value_differs"),
        Draft(4, "c3+us", "See O'Nix.", ((4, 9, "last_name"),), "c3"),
        Draft(5, "d4+us", "None.", (), "d4"),
    ]
    receipt, folder = prepared_by(pin, path, tmp_path)
    assert (receipt.rows, receipt.documents, receipt.quarantined) == (5, 4, {"value_differs": 1})
    assert gold(folder) == [
        [(4, 8, "person"), (10, 12, "age")],
        [(7, 11, "person"), (16, 21, "place")],
        [(4, 9, "person")],
        [],
    ]
    assert templates(folder) == [
        (opaque("a1+us"), "a1"),
        (opaque("a1+intl"), "a1"),
        (opaque("c3+us"), "c3"),
        (opaque("d4+us"), "d4"),
    ]
    assert [row["document"]["text"] for row in rows(folder / "quality-records.jsonl")][1] == crlf


def test_gretel_finance(tmp_path) -> None:
    """Rows are their own ids, and each is its own template; two of one type may lie in one another."""
    letter = "Sir Pell Nix,\r\nno."
    given = [gretel(7, letter, (4, 12, "name"), (4, 8, "first_name")), gretel(9, "Nothing.")]
    pin, path = PINS["gretel-finance-en"], parquet(tmp_path / "English_test.parquet", given)
    assert read_by(pin, path) == [
        Draft(1, "1", letter, ((4, 12, "name"), (4, 8, "first_name"))),
        Draft(2, "2", "Nothing.", ()),
    ]
    receipt, folder = prepared_by(pin, path, tmp_path)
    assert (receipt.documents, receipt.documents_without_gold, receipt.quarantined) == (2, 1, {})
    assert gold(folder) == [[(4, 8, "person"), (4, 12, "person")], []]
    assert templates(folder) == [("1", "1"), ("2", "2")]


def test_gretel_finance_with_faults(tmp_path) -> None:
    """An offset behind the text, and one that counts bytes: the pin declares that there are none."""
    given = [
        gretel(1, "Ask Pell.", (4, 80, "name")),
        gretel(2, "Hej Zoë", (4, 8, "name")),
        gretel(3, "Hej Zoë", (4, 7, "name")),
    ]
    pin, path = PINS["gretel-finance-en"], parquet(tmp_path / "English_test.parquet", given)
    assert read_by(pin, path) == [
        Unfit(1, "offset_outside_text"),
        Unfit(2, "offset_outside_text"),
        Draft(3, "3", "Hej Zoë", ((4, 7, "name"),)),
    ]
    with pytest.raises(Fault) as caught:
        prepared_by(pin, path, tmp_path)
    assert str(caught.value) == (
        "artifact of gretel-finance-en: 2 of 3 rows do not fit, and the pin declares 0: offset_outside_text 2"
    )


_FITS = [
    masking(46_001, "Çao, Pell!\r\nSkien", ("GIVENNAME", 5, 9, "Pell"), ("CITY", 12, 17, "Skien")),
    masking(46_002, "Nobody."),
]


def test_open_pii_masking(tmp_path) -> None:
    """Ids that are numbers, each its own template."""
    pin, path = PINS["open-pii-masking-500k"], lines(tmp_path / "test.jsonl", _FITS)
    assert read_by(pin, path) == [
        Draft(1, "46001", "Çao, Pell!\r\nSkien", ((5, 9, "GIVENNAME"), (12, 17, "CITY"))),
        Draft(2, "46002", "Nobody.", ()),
    ]
    receipt, folder = prepared_by(pin, path, tmp_path)
    assert (receipt.documents, receipt.spans_by_type) == (2, {"person": 1, "place": 1})
    assert gold(folder) == [[(5, 9, "person"), (12, 17, "place")], []]
    assert templates(folder) == [("46001", "46001"), ("46002", "46002")]


def test_open_pii_masking_with_faults(tmp_path) -> None:
    """Another value, an offset outside, one in bytes and a repeated id: each is a reason of its own."""
    given = [
        *_FITS,
        masking(46_003, "Ask Pell.", ("GIVENNAME", 4, 8, "Nix")),
        masking(46_004, "Ask Pell.", ("GIVENNAME", 4, 80, "Pell")),
        masking(46_001, "Ask Pell.", ("GIVENNAME", 4, 8, "Pell")),
        masking(46_005, "Çao, Pell!", ("GIVENNAME", 6, 10, "Pell")),
    ]
    pin, path = PINS["open-pii-masking-500k"], lines(tmp_path / "test.jsonl", given)
    assert read_by(pin, path)[2:] == [
        Unfit(3, "value_differs"),
        Unfit(4, "offset_outside_text"),
        Draft(5, "46001", "Ask Pell.", ((4, 8, "GIVENNAME"),)),
        Unfit(6, "offsets_in_another_unit"),
    ]
    with pytest.raises(Fault) as caught:
        prepared_by(pin, path, tmp_path)
    assert str(caught.value) == (
        "artifact of open-pii-masking-500k: 4 of 6 rows do not fit, and the pin declares 0: "
        "offset_outside_text 1, offsets_in_another_unit 1, repeated_document 1, value_differs 1"
    )


def test_tab_echr(tmp_path) -> None:
    """Two annotators side by side, direct and quasi identifiers; two labels are left out, a split is held."""
    first = [
        mention("Pell", "PERSON", "e1", "DIRECT"),
        mention("1971", "DATETIME", "e2"),
        mention("300 euro", "QUANTITY", "e3"),
    ]
    second = [
        mention("Mr Pell", "PERSON", "e1", "DIRECT"),
        mention("1971", "DATETIME", "e2"),
        mention("euro", "MISC", "e3"),
        mention("Skien", "LOC", "e4"),
        mention("Norge", "LOC", "e5", "NO_MASK"),
    ]
    given = [judgment("001-1", "test", first, second), judgment("001-2", "dev", first)]
    pin, path = PINS["tab-echr"], array(tmp_path / "echr_test.json", given)
    spans = (
        (0, 7, "PERSON"),
        (3, 7, "PERSON"),
        (14, 18, "DATETIME"),
        (25, 33, "QUANTITY"),
        (29, 33, "MISC"),
        (37, 42, "LOC"),
    )
    notes = (("annotators", 2), ("linked_entities", 0), ("left_out_no_mask", 1))
    assert read_by(pin, path) == [
        Draft(1, "001-1", COURT, spans, "001-1", "test", notes),
        Draft(
            2,
            "001-2",
            COURT,
            (spans[1], spans[2], spans[3]),
            "001-2",
            "validation",
            (("annotators", 1), ("linked_entities", 0)),
        ),
    ]
    receipt, folder = prepared_by(pin, path, tmp_path)
    assert gold(folder) == [[(0, 7, "person"), (3, 7, "person"), (14, 18, "date_time"), (37, 42, "place")]]
    assert templates(folder) == [("001-1", "001-1")]
    assert receipt.excluded_spans == 3
    assert {role: (one.documents, one.spans) for role, one in receipt.held_out.items()} == {
        "validation": (1, 2)
    }
    (plan,) = rows(folder / "quality-slices.jsonl")
    assert plan["annotation_scope"]["exclusions"] == ["excluded_labels", "no_mask_mentions"]


_ONE = "I am Jennifer Spencer, \n\n705.829.6626."
_TWO = "I am Gerald Sanchez, \n\n+1-633-321-6953x445."


@pytest.mark.skipif(faker.VERSION != "40.63.0", reason="the pin names Faker 40.63.0")
def test_spy(tmp_path) -> None:
    """Two fillings of one placeholder row, by seed 0: two texts of one template."""
    row = {
        "tokens": ["I", "am", "[NAME]", ",", "\n\n", "[PHONE_NUM]", "."],
        "trailing_whitespaces": [True, True, False, True, False, False, False],
        "labels": [14, 14, 2, 14, 14, 3, 14],
        "ent_tags": ["O", "O", "B-NAME", "O", "O", "B-PHONE_NUM", "O"],
    }
    pin, path = PINS["spy"], lines(tmp_path / "legal_questions_placeholders.jsonl", [row, row])
    tokens = r'["I","am","[NAME]",",","\n\n","[PHONE_NUM]","."]'
    template = f"sha256:{hashlib.sha256(tokens.encode()).hexdigest()}"
    assert read_by(pin, path) == [  # values drawn by a script of the protocol's own steps
        Draft(1, "1", _ONE, ((5, 21, "NAME"), (25, 37, "PHONE_NUM")), template),
        Draft(2, "2", _TWO, ((5, 19, "NAME"), (23, 42, "PHONE_NUM")), template),
    ]
    receipt, folder = prepared_by(pin, path, tmp_path)
    assert (receipt.documents, receipt.spans_by_type) == (2, {"person": 2, "phone": 2})
    (one, first), (other, second) = templates(folder)
    assert (one, other) == ("1", "2")
    assert first == second == f"t-{hashlib.sha256(template.encode()).hexdigest()[:24]}"


def test_cmu_enron_meetings(tmp_path) -> None:
    """An archive of ours, which the pin reads as a fixture alone: four of train are records, two are held."""
    pin = PINS["cmu-enron-meetings"]
    path = tmp_path / "EnronMeetings-XML.zip"
    path.write_bytes(small_archive())
    with pytest.raises(Fault, match="holds 2 documents; the published archive holds 244 there"):
        read_by(pin, path)
    fixture = replace(pin, options={**pin.options, "fixture": "yes"})
    receipt, folder = prepared_by(fixture, path, tmp_path)
    assert gold(folder) == [
        [(16, 23, "person"), (29, 32, "person")],
        [],
        [(0, 8, "person")],
        [(11, 18, "person")],
    ]
    assert {role: (one.documents, one.spans) for role, one in receipt.held_out.items()} == {"test": (2, 2)}
    assert receipt.not_promotable == "generated_fixture"
    assert rows(folder / "unsupported-slices.jsonl") == [
        {"id": f"cmu-enron-meetings.{dimension}", "dimension": dimension, "reason_code": reason}
        for dimension, reason in (
            ("known_novel", "identity_linkage_unavailable"),
            ("head_tail", "identity_frequency_unavailable"),
            ("alternate_view", "one_text_view_published"),
        )
    ]
