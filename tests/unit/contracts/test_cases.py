"""Conformance rows: every rule of the two closed contracts, and what becomes of a row that keeps them."""

from __future__ import annotations

import pytest
from contract_values import ADA, TEXT, TICKET, bank, negative, positive

from pytest_pii_eval.contracts.bank import parse_bank
from pytest_pii_eval.contracts.cases import MAX_TEXT_BYTES, Case, CaseContract, Expected
from pytest_pii_eval.contracts.faults import Fault

BANK = parse_bank(bank())
POSITIVE = CaseContract("positive", BANK)
NEGATIVE = CaseContract("negative", BANK)
POINTS = "; the span fits when counted in code points, but this contract counts bytes"
OTHER_FORM = "; they differ in Unicode normalization only (NFC, NFD), but this contract compares bytes"
CODE, PERSON = 0, 1  # places of the two patterns in the catalog


def _fault(contract: CaseContract, row: dict) -> tuple[str | None, str]:
    with pytest.raises(Fault) as caught:
        contract.parse(row)
    return caught.value.field, caught.value.rule


def test_a_positive_row_becomes_a_case() -> None:
    """Tags are sorted, occurrences keep their order and become span and place in the catalog."""
    case = POSITIVE.parse(positive(TICKET, ADA))
    expected = (Expected(18, 25, CODE), Expected(3, 16, PERSON))
    assert case == Case("case.1", "positive", TEXT, ("casing", "unicode"), expected)


def test_a_negative_row_becomes_a_case() -> None:
    """A negative case expects nothing and keeps its reason."""
    case = NEGATIVE.parse(negative())
    assert case == Case("case.2", "negative", "Nobody.", ("boundary", "negative"), (), "look_alike")


@pytest.mark.parametrize(("contract", "row"), [(POSITIVE, positive(TICKET, ADA)), (NEGATIVE, negative())])
def test_a_checked_row_is_restored_as_it_was_parsed(contract, row) -> None:
    """Reading a row again gives the case that its check gave."""
    assert contract.restore(row) == contract.parse(row)


ROWS = [("positive", POSITIVE, positive()), ("negative", NEGATIVE, negative())]
FIELDS = [(contract, row, field) for _, contract, row in ROWS for field in row]


@pytest.mark.parametrize(("contract", "row", "field"), FIELDS)
def test_no_field_of_a_row_may_be_missing(contract, row, field) -> None:
    """A missing field is named."""
    short = {key: value for key, value in row.items() if key != field}
    assert _fault(contract, short) == (field, "is missing")


@pytest.mark.parametrize("field", list(ADA))
def test_no_field_of_an_occurrence_may_be_missing(field) -> None:
    """A missing field is named with the ordinal of its occurrence."""
    short = {key: value for key, value in ADA.items() if key != field}
    assert _fault(POSITIVE, positive(TICKET, short)) == (f"expected[1].{field}", "is missing")


@pytest.mark.parametrize(("contract", "row"), [(POSITIVE, positive()), (NEGATIVE, negative())])
def test_no_field_beside_them(contract, row) -> None:
    """An unknown field is a fault of the row, whatever its name."""
    assert _fault(contract, {**row, "note": ""}) == (None, "has an unknown field")


def test_no_field_beside_them_in_an_occurrence() -> None:
    """An unknown field is a fault of the occurrence."""
    assert _fault(POSITIVE, positive({**ADA, "score": 1})) == ("expected[0]", "has an unknown field")


def test_kinds_do_not_mix() -> None:
    """A negative row is no positive one, nor the other way round."""
    assert _fault(POSITIVE, negative())[0] in {"schema_version", "expected"}
    assert _fault(NEGATIVE, positive())[0] in {"schema_version", "reason_code"}


@pytest.mark.parametrize("version", ["nerb.enron_conformance_positive_case.v1", "", None, 2])
def test_versions_are_exact(version) -> None:
    """Only version 2 is read."""
    assert _fault(POSITIVE, positive(schema_version=version))[0] == "schema_version"
    assert _fault(NEGATIVE, negative(schema_version=version))[0] == "schema_version"


@pytest.mark.parametrize("wrong", [None, "", ".a", "a b", "x" * 129, 7, "é", "a\n"])
def test_case_ids_and_reasons_are_opaque_ids(wrong) -> None:
    """A case id and a reason code are bounded identifiers that may be printed."""
    assert _fault(POSITIVE, positive(case_id=wrong))[0] == "case_id"
    assert _fault(NEGATIVE, negative(case_id=wrong))[0] == "case_id"
    assert _fault(NEGATIVE, negative(reason_code=wrong))[0] == "reason_code"


@pytest.mark.parametrize("value", ["x" * 128, "9", "A.b-c_d"])
def test_opaque_ids_at_their_edges(value) -> None:
    """128 characters are taken."""
    assert POSITIVE.parse(positive(case_id=value)).case_id == value
    assert NEGATIVE.parse(negative(reason_code=value)).reason_code == value


@pytest.mark.parametrize("wrong", ["", None, 5, ["a"]])
def test_text_is_text(wrong) -> None:
    """Text is there and not empty."""
    assert _fault(POSITIVE, positive(text=wrong))[0] == "text"
    assert _fault(NEGATIVE, negative(text=wrong))[0] == "text"


@pytest.mark.parametrize("letter", ["x", "é", "\U0001f600"])
def test_text_holds_10_mib_of_utf8(letter) -> None:
    """10,485,760 bytes of UTF-8 are taken, one more is not."""
    assert MAX_TEXT_BYTES == 10_485_760
    text = letter * (10_485_760 // len(letter.encode()))
    assert NEGATIVE.parse(negative(text=text)).text == text
    rule = "holds more than the limit of 10,485,760 bytes of UTF-8"
    assert _fault(NEGATIVE, negative(text=text + "x")) == ("text", rule)


ALL_TAGS = [
    "boundary",
    "casing",
    "html",
    "malformed",
    "negative",
    "overlap",
    "punctuation",
    "signature",
    "unicode",
    "whitespace",
]


def test_all_ten_tags() -> None:
    """The nine tags of positive cases and the ten of negative ones are taken, in any order."""
    nine = [tag for tag in ALL_TAGS if tag != "negative"]
    assert POSITIVE.parse(positive(tags=nine[::-1])).tags == tuple(nine)
    assert NEGATIVE.parse(negative(tags=ALL_TAGS[::-1])).tags == tuple(ALL_TAGS)


@pytest.mark.parametrize(
    ("contract", "row", "field", "rule"),
    [
        (POSITIVE, positive(tags=[]), "tags", "must hold at least 1 entries"),
        (POSITIVE, positive(tags="casing"), "tags", "must be an array"),
        (POSITIVE, positive(tags=["casing", "casing"]), "tags", "holds the same tag twice"),
        (
            POSITIVE,
            positive(tags=["casing", "negative"]),
            "tags",
            "a positive case does not carry the tag negative",
        ),
        (NEGATIVE, negative(tags=["boundary"]), "tags", "a negative case carries the tag negative"),
        (NEGATIVE, negative(tags=["negative", "negative"]), "tags", "holds the same tag twice"),
    ],
)
def test_tags(contract, row, field, rule) -> None:
    """Tags are at least one, none twice, and `negative` stands on negative cases only and always."""
    assert _fault(contract, row) == (field, rule)


@pytest.mark.parametrize("tag", ["Casing", "", "other", 1, None])
def test_unknown_tags(tag) -> None:
    """A tag outside the list is named by its ordinal."""
    assert _fault(POSITIVE, positive(tags=["casing", tag]))[0] == "tags[1]"


@pytest.mark.parametrize(
    ("expected", "field", "rule"),
    [
        ([], "expected", "must hold at least 1 entries"),
        (None, "expected", "must be an array"),
        ([None], "expected[0]", "must be an object"),
        ([ADA, "x"], "expected[1]", "must be an object"),
    ],
)
def test_expected_is_a_list_of_objects(expected, field, rule) -> None:
    """A positive case expects something, and each expected record is an object."""
    assert _fault(POSITIVE, positive(expected=expected)) == (field, rule)


def test_expected_holds_10000() -> None:
    """10,000 occurrences are taken, one more is not."""
    text = "TCK-123 " * 10_001
    rows = [{**TICKET, "start": 8 * place, "end": 8 * place + 7} for place in range(10_001)]
    assert len(POSITIVE.parse(positive(*rows[:-1], text=text)).expected) == 10_000
    rule = "must hold at most 10,000 entries"
    assert _fault(POSITIVE, positive(*rows, text=text)) == ("expected", rule)


@pytest.mark.parametrize(
    ("changes", "field", "rule"),
    [
        ({"entity_id": "nobody"}, "entity_id", "names no entity of the bank with an active pattern"),
        ({"entity_id": "code"}, "name_id", "names no name of this entity with an active pattern"),
        ({"name_id": "grace"}, "name_id", "names no name of this entity with an active pattern"),
        ({"pattern_id": "short"}, "pattern_id", "names no active pattern of this name"),
        ({"pattern_kind": "regex"}, "pattern_kind", "disagrees with the bank"),
        ({"canonical_name": "ada lövelace"}, "canonical_name", "disagrees with the bank"),
        ({"canonical_name": "Ada Lo\u0308velace"}, "canonical_name", "disagrees with the bank"),
    ],
)
def test_identity_is_that_of_an_active_pattern(changes, field, rule) -> None:
    """Ids lead to an active pattern; kind and canonical name are the bank's, letter by letter."""
    assert _fault(POSITIVE, positive({**ADA, **changes})) == (f"expected[0].{field}", rule)


@pytest.mark.parametrize("status", ["draft", "inactive", "deprecated"])
def test_an_inactive_pattern_can_not_be_expected(status) -> None:
    """A pattern of the bank that is not active has no witnesses."""
    document = bank()
    document["entities"]["person"]["names"]["ada"]["patterns"]["full"]["status"] = status
    contract = CaseContract("positive", parse_bank(document))
    assert _fault(contract, positive())[0] == "expected[0].entity_id"


@pytest.mark.parametrize("field", ["entity_id", "name_id", "pattern_id", "canonical_name", "string"])
@pytest.mark.parametrize("wrong", [None, 5, ["a"]])
def test_texts_of_an_occurrence(field, wrong) -> None:
    """Ids, canonical name and string are texts."""
    assert _fault(POSITIVE, positive({**ADA, field: wrong})) == (f"expected[0].{field}", "must be a string")


@pytest.mark.parametrize("field", ["start", "end"])
@pytest.mark.parametrize("wrong", [None, "3", 3.0, True, [3]])
def test_offsets_are_integers(field, wrong) -> None:
    """A float, a bool or a text is no offset."""
    assert _fault(POSITIVE, positive({**ADA, field: wrong})) == (f"expected[0].{field}", "must be an integer")


@pytest.mark.parametrize(
    ("changes", "field", "rule"),
    [
        ({"start": -1}, "start", "must be at least 0"),
        ({"end": -1}, "end", "must be at least 0"),
        ({"end": 10**30}, "end", "must be at most 10485760"),
        ({"start": 3, "end": 3}, "end", "must lie behind start (start 3, end 3)"),
        ({"start": 3, "end": 3, "string": ""}, "end", "must lie behind start (start 3, end 3)"),
        ({"start": 16, "end": 3}, "end", "must lie behind start (start 16, end 3)"),
        ({"start": 14, "end": 27}, "end", "lies outside the text (end 27, text 26 bytes)"),
        ({"start": 9}, "start", "byte 9 splits a code point"),
        ({"end": 9}, "end", "byte 9 splits a code point"),
        ({"start": 4}, "string", "disagrees with the text at bytes 4 to 16"),
        ({"string": "Ada Lövelac"}, "string", "disagrees with the text at bytes 3 to 16"),
        ({"string": "ada Lövelace"}, "string", "disagrees with the text at bytes 3 to 16"),
        (
            {"string": "Ada Lo\u0308velace"},
            "string",
            f"disagrees with the text at bytes 3 to 16{OTHER_FORM}",
        ),
        (
            {"end": 15},
            "string",
            f"disagrees with the text at bytes 3 to 15{POINTS}",
        ),
    ],
)
def test_spans(changes, field, rule) -> None:
    """A span is half-open in UTF-8 bytes, inside the text, splits nothing, and holds its string."""
    assert _fault(POSITIVE, positive({**ADA, **changes})) == (f"expected[0].{field}", rule)


def test_a_span_may_end_with_the_text() -> None:
    """A span that covers all 13 bytes of a text is inside it."""
    row = positive({**ADA, "start": 0, "end": 13}, text="Ada Lövelace")
    assert POSITIVE.parse(row).expected == (Expected(0, 13, PERSON),)


@pytest.mark.parametrize("end", [14, 15, 100])
def test_a_span_may_not_end_behind_the_text(end) -> None:
    """An end behind the last byte is refused, though the string is what stands there to the end."""
    row = positive({**ADA, "start": 0, "end": end}, text="Ada Lövelace")
    rule = f"lies outside the text (end {end}, text 13 bytes)"
    assert _fault(POSITIVE, row) == ("expected[0].end", rule)


def test_utf16_units_are_recognised() -> None:
    """After one emoji (4 bytes, 2 UTF-16 units, 1 code point) the unit is told from what was counted."""
    row = positive({**ADA, "start": 3, "end": 15}, text="\U0001f600 Ada Lövelace")
    hint = "; the span fits when counted in UTF-16 units, but this contract counts bytes"
    field, rule = _fault(POSITIVE, row)
    assert field == "expected[0].start"
    assert rule == f"byte 3 splits a code point{hint}"


def test_an_occurrence_stands_once() -> None:
    """The same occurrence twice is a fault that names both; the same string elsewhere is another."""
    fault = _fault(POSITIVE, positive(ADA, TICKET, dict(ADA)))
    assert fault == ("expected[2]", "says the same as expected[0]")
    again = {**TICKET, "start": 27, "end": 34}
    assert len(POSITIVE.parse(positive(TICKET, again, text=f"{TEXT} TCK-123")).expected) == 2


def test_hyphens_in_ids_are_taken() -> None:
    """Ids with hyphens, which nerb refuses, lead to their pattern."""
    document = bank()
    person = document["entities"]["person"]
    person["names"] = {"ada-l": {**person["names"]["ada"]}}
    contract = CaseContract("positive", parse_bank(document))
    assert contract.parse(positive({**ADA, "name_id": "ada-l"})).expected == (Expected(3, 16, 1),)
