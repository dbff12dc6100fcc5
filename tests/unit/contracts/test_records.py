"""Quality records: text, gold, memberships and catalog identities, each rule with its words."""

from __future__ import annotations

import pytest
from quality_rows import TEXT, changed, gold_row, plan_of, record_row, scope_row, slice_row, small_bank

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.records import Record, RecordContract
from pytest_pii_eval.contracts.spans import GoldSpan

ADA = {"entity_id": "person", "name_id": "ada", "pattern_id": "full"}


def contract(*slices: dict[str, object]) -> RecordContract:
    return RecordContract(plan_of(*slices))


def refusal(row: object, checked_by: RecordContract | None = None) -> str:
    with pytest.raises(Fault) as caught:
        (checked_by or contract()).parse(row)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_record_of_the_source_document_is_read() -> None:
    """The example of spec/enron-contract.md, against a slice of its own role and view."""
    row = {
        "document": {
            "document_id": "opaque-doc",
            "text": "Sanitized example text",
            "text_view": "natural_body",
            "split_role": "validation",
        },
        "gold_spans": [
            {
                "document_id": "opaque-doc",
                "entity_class": "person",
                "start": 0,
                "end": 9,
                "catalog_identity": None,
            }
        ],
        "slice_ids": ["person_all_validation"],
    }
    one = slice_row(
        "person_all_validation",
        split_role="validation",
        text_view="natural_body",
        text_view_descriptor__id="natural_body",
    )
    assert contract(one).parse(row) == Record(
        "opaque-doc",
        "Sanitized example text",
        "natural_body",
        "validation",
        (GoldSpan(0, 9, "person"),),
        ("person_all_validation",),
    )


def test_gold_is_ordered_and_repeated_identifiers_share_a_group() -> None:
    """Two mentions of one name are a group; the e-mail and the name's nested part are none."""
    gold = (gold_row(21, 28), gold_row(9, 19, "email"), gold_row(0, 7), gold_row(0, 3))
    assert contract().parse(record_row(*gold)).gold == (
        GoldSpan(0, 3, "person"),
        GoldSpan(0, 7, "person", group=0),
        GoldSpan(9, 19, "email"),
        GoldSpan(21, 28, "person", group=0),
    )


def test_nested_overlapping_and_touching_gold_is_accepted() -> None:
    """So are equal ranges of two classes; a document without gold; and an empty text."""
    gold = (gold_row(0, 7), gold_row(0, 3), gold_row(2, 9), gold_row(3, 7), gold_row(0, 7, "email"))
    assert len(contract().parse(record_row(*gold)).gold) == 5
    assert contract().parse(record_row()).gold == ()
    assert contract().parse(record_row(text="")).text == ""


def test_offsets_count_code_points() -> None:
    """An emoji and a combining mark are one code point each, a gold span may end the text."""
    text = "\U0001f600 Jose\u0301"
    assert contract().parse(record_row(gold_row(2, 7), text=text)).gold == (GoldSpan(2, 7, "person"),)
    assert refusal(record_row(gold_row(3, 8), text=text)) == (
        "gold_spans[0].end: lies outside the text (end 8, text 7 code points);"
        " it fits when counted in UTF-16 units, but this contract counts code points"
    )
    assert refusal(record_row(gold_row(5, 11), text=text)) == (
        "gold_spans[0].end: lies outside the text (end 11, text 7 code points);"
        " it fits when counted in UTF-8 bytes, but this contract counts code points"
    )


@pytest.mark.parametrize(
    ("gold", "fault"),
    [
        (gold_row(-5, 3), "gold_spans[1].start: must be at least 0 and is -5"),
        (gold_row(9, 4), "gold_spans[1].end: must lie behind start (start 9, end 4)"),
        (gold_row(4, 4), "gold_spans[1].end: holds no character (start 4, end 4)"),
        (gold_row(21, 29), "gold_spans[1].end: lies outside the text (end 29, text 28 code points)"),
        (gold_row(0, 10485761), "gold_spans[1].end: must be at most 10485760 and is 10485761"),
        (gold_row(0, 10**4000), "gold_spans[1].end: must be at most 10485760"),
        (gold_row(0, True), "gold_spans[1].end: must be an integer"),
        (gold_row(0.0, 3), "gold_spans[1].start: must be an integer"),
        (gold_row("0", 3), "gold_spans[1].start: must be an integer"),
        (
            gold_row(0, 3, document_id="doc-2"),
            "gold_spans[1].document_id: differs from the id of its document",
        ),
        (
            gold_row(0, 3, "phone"),
            "gold_spans[1].entity_class: is a class that none of the document's slices covers",
        ),
        (gold_row(0, 3, text="Ada"), "gold_spans[1]: has an unknown field"),
        (gold_row(21, 28), "gold_spans[1]: has the start, end and entity_class of gold_spans[0]"),
        (
            gold_row(21, 28, catalog_identity=ADA),
            "gold_spans[1]: has the start, end and entity_class of gold_spans[0]",
        ),
        (gold_row(0, 3, catalog_identity={}), "gold_spans[1].catalog_identity.entity_id: is missing"),
        (gold_row(0, 3, catalog_identity="ada"), "gold_spans[1].catalog_identity: must be an object"),
        (
            gold_row(0, 3, catalog_identity={**ADA, "name_id": "Ada Moe"}),
            "gold_spans[1].catalog_identity.name_id: must match ^[a-z][a-z0-9_-]{0,79}$",
        ),
        (
            gold_row(0, 3, "email", catalog_identity=ADA),
            "gold_spans[1].catalog_identity.entity_id: differs from the entity_class of its span",
        ),
    ],
)
def test_bad_gold_is_refused_with_its_numbers(gold: dict[str, object], fault: str) -> None:
    """Each rule about a gold span names the span by its ordinal and the numbers, never a value."""
    assert refusal(record_row(gold_row(21, 28), gold)) == fault


def test_a_missing_catalog_identity_is_no_null() -> None:
    """Uncataloged is said with null, not by leaving the field out."""
    gold = changed(gold_row(0, 3), catalog_identity=...)
    assert refusal(record_row(gold)) == "gold_spans[0].catalog_identity: is missing"


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (record_row(slices=()), "slice_ids: must hold at least 1 entries"),
        (record_row(slices=("everyone", "everyone")), "slice_ids: names the same slice twice"),
        (record_row(slices=("everyone", "nobody")), "slice_ids[1]: names no slice of the plan"),
        (
            record_row(split_role="train"),
            "slice_ids[0]: slice everyone is of split role test, not the document's",
        ),
        (
            record_row(text_view="subject"),
            "slice_ids[0]: slice everyone is of another text view than the document",
        ),
        (record_row(split_role="dev"), "document.split_role: must be 'train', 'validation' or 'test'"),
        (
            record_row(document_id="doc 1"),
            "document.document_id: must match ^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$",
        ),
        (record_row(text=7), "document.text: must be a string"),
        (record_row(language="en"), "document: has an unknown field"),
        ({**record_row(), "note": "x"}, "has an unknown field"),
        (changed(record_row(), gold_spans=...), "gold_spans: is missing"),
        ({**record_row(), "gold_spans": None}, "gold_spans: must be an array"),
        ([], "must be an object"),
    ],
)
def test_the_envelope_is_closed(row: object, fault: str) -> None:
    """Document, memberships and the row itself are checked field by field."""
    assert refusal(row) == fault


def test_every_gold_span_needs_a_slice_of_its_class() -> None:
    """The e-mail of a document that is in the persons' slice alone is refused."""
    assert contract().parse(record_row(gold_row(0, 7), slices=("person_all",))).slice_ids == ("person_all",)
    assert refusal(record_row(gold_row(9, 19, "email"), slices=("person_all",))) == (
        "gold_spans[0].entity_class: is a class that none of the document's slices covers"
    )


def test_a_text_holds_ten_mebibytes_of_utf8() -> None:
    """The last byte that fits is accepted, one more is refused, whatever the number of code points."""
    assert len(contract().parse(record_row(text="\u20ac" * 3495253 + "x")).text) == 3495254
    fault = "document.text: holds more than the limit of 10,485,760 bytes of UTF-8"
    assert refusal(record_row(text="\u20ac" * 3495253 + "xx")) == fault


def test_a_document_holds_a_hundred_thousand_gold_spans() -> None:
    """As many spans of one character are read, one more is refused."""
    spans = [gold_row(start, start + 1) for start in range(100_001)]
    text = "x" * 100_001
    assert len(contract().parse(record_row(*spans[:-1], text=text)).gold) == 100_000
    assert refusal(record_row(*spans, text=text)) == "gold_spans: must hold at most 100,000 entries"


def test_a_lone_surrogate_is_no_text() -> None:
    """Such a string has no UTF-8 form; the fault does not quote it."""
    fault = refusal(record_row(text="x \ud83d"))
    assert fault == "document.text: holds a lone surrogate, which is no character"


def test_a_catalog_identity_names_an_active_pattern_of_the_bank() -> None:
    """The reviewed pattern stays with its span; an inactive one and an invented one are refused."""
    checked = RecordContract(plan_of(), small_bank())
    record = checked.parse(record_row(gold_row(0, 7, catalog_identity=ADA)))
    assert record.gold == (GoldSpan(0, 7, "person", ("person", "ada", "full")),)
    for pattern_id in ("retired", "invented"):
        row = record_row(gold_row(0, 7, catalog_identity={**ADA, "pattern_id": pattern_id}))
        assert refusal(row, checked) == "gold_spans[0].catalog_identity: names no active pattern of the bank"
        assert contract().parse(row).gold[0].identity == ("person", "ada", pattern_id)


def test_digests_ignore_every_order() -> None:
    """Keys, gold and memberships in another order say the same."""
    both = contract()
    gold = [gold_row(0, 7, catalog_identity=ADA), gold_row(9, 19, "email")]
    row = record_row(*gold, slices=("everyone", "person_all"))
    turned = record_row(
        *[dict(reversed(one.items())) for one in reversed(gold)], slices=("person_all", "everyone")
    )
    first, second = both.parse(row), both.parse(dict(reversed(turned.items())))
    assert first == second
    assert both.digest(first) == both.digest(second)
    assert both.gold_digest(first) == both.gold_digest(second)


@pytest.mark.parametrize(
    "row",
    [
        record_row(gold_row(0, 7, document_id="doc-2"), document_id="doc-2"),
        record_row(gold_row(0, 7), text=TEXT + "."),
        record_row(gold_row(0, 7), gold_row(0, 3)),
        record_row(gold_row(0, 6)),
        record_row(gold_row(0, 7, "email")),
        record_row(gold_row(0, 7), slices=("everyone", "person_all")),
    ],
)
def test_digests_bind_everything_a_record_says(row: dict[str, object]) -> None:
    """Another id, text, span, class or membership is another record."""
    both = contract()
    before, after = both.parse(record_row(gold_row(0, 7))), both.parse(row)
    assert both.digest(before) != both.digest(after)
    assert both.gold_digest(before) != both.gold_digest(after)


def test_digests_bind_role_and_view() -> None:
    """The same text under another role or view is another record."""
    both = contract()
    record = both.parse(record_row())
    others = [record._replace(split_role="train"), record._replace(text_view="subject")]
    assert len({both.gold_digest(one) for one in (record, *others)}) == 3


def test_only_the_whole_digest_binds_catalog_identities() -> None:
    """A new review of the gold changes `digest` and leaves `gold_digest` as it was."""
    both = contract()
    plain = both.parse(record_row(gold_row(0, 7)))
    bound = both.parse(record_row(gold_row(0, 7, catalog_identity=ADA)))
    assert both.digest(plain) != both.digest(bound)
    assert both.gold_digest(plain) == both.gold_digest(bound)


def test_a_text_cannot_pass_for_gold() -> None:
    """A text that spells a gold line is told apart from that gold."""
    both = contract(scope_row())
    spelled = both.parse(record_row(text=f"0 7 person \n{TEXT}"))
    assert both.digest(spelled) != both.digest(both.parse(record_row(gold_row(0, 7))))
