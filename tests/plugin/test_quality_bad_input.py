"""Broken quality files: one line that says file, line, place and rule; exit 2, and nothing is written."""

from __future__ import annotations

import json

import pytest
from quality_refusal import CANARIES, refused
from quality_suite import DOCUMENT, record, slice_row

from conftest import MAIL, NAME_ID


def no_slices(quality):
    """Put a document into no slice."""
    quality.record("order")["slice_ids"] = []


def unknown_slice(quality):
    """Name a slice that no plan holds, and a gap, which is none."""
    quality.record("order")["slice_ids"].append("nicknames")


def twice_in_a_slice(quality):
    """Name a slice twice."""
    quality.record("order")["slice_ids"].append("mail")


def repeated_document(quality):
    """Give the last document the id of the first."""
    quality.record("order")["document"]["document_id"] = f"{DOCUMENT}.pair"


def gold_outside(quality):
    """Let gold end behind the text, which has 36 code points."""
    quality.record("meeting")["gold_spans"][1]["end"] = 99


def gold_in_utf16(quality):
    """Count the gold of a text with an emoji in UTF-16 units; 3 code points before it are 4 units."""
    row = record(f"{DOCUMENT}.emoji", f"\U0001f600: {MAIL}", ["contact"], (MAIL, "email"))
    row["gold_spans"][0].update(start=4, end=21)
    quality.records.append(row)


def gold_of_another_document(quality):
    """Let a gold span say another document's id."""
    quality.record("mailbox")["gold_spans"][0]["document_id"] = f"{DOCUMENT}.pair"


def gold_out_of_scope(quality):
    """Give gold a class that none of its document's slices covers."""
    quality.record("pair")["slice_ids"].remove("contact")
    quality.record("pair")["gold_spans"][1]["entity_class"] = "person"


def gold_repeated(quality):
    """Give two gold spans equal bounds and class."""
    spans = quality.record("meeting")["gold_spans"]
    spans.append(dict(spans[1]))


def identity_of_another_class(quality):
    """Qualify an address under the pattern of a person."""
    identity = quality.record("meeting")["gold_spans"][0]["catalog_identity"]
    quality.record("pair")["gold_spans"][0]["catalog_identity"] = identity


def identity_of_an_inactive_pattern(quality):
    """Retire the pattern that an occurrence is qualified under."""
    names = quality.bank["entities"]["person"]["names"]
    names[NAME_ID]["patterns"]["full-name"]["status"] = "deprecated"


def another_role(quality):
    """Put a document of the role test into slices of the role validation."""
    quality.record("order")["document"]["split_role"] = "test"


def another_view(quality):
    """Put a document of another text view into the slices."""
    quality.record("order")["document"]["text_view"] = "canary_view"


def unknown_class(quality):
    """Let a slice name a class that is no type."""
    row = slice_row("shoes", "shoe_size")
    quality.slices.append(row)


def repeated_slice(quality):
    """Let two slices have one id."""
    quality.slices.append(dict(quality.slice("mail")))


def gap_with_the_id_of_a_slice(quality):
    """Declare a gap under the id of a slice."""
    quality.gaps[0]["id"] = "people"


def promotion_of_a_part(quality):
    """Leave one document of the role test out of the promotion-gated slice."""
    quality.promote()
    quality.slices.append(slice_row("rest", "email", split_role="test"))
    quality.record("order")["slice_ids"] = ["rest"]


def promotion_of_one_class(quality):
    """Gate promotion on a slice of a single class."""
    quality.slice("mail")["promotion_gate"] = True


def scope_disagrees(quality):
    """Let a slice's class and scope disagree."""
    quality.slice("mail")["entity_class"] = "person"


def slices_are_missing(quality):
    """Leave the plan empty, so that records name slices of nowhere."""
    quality.slices = []


ROW = "quality-records.jsonl:{}: {}"
FAULTS = [
    (no_slices, ROW.format(5, "slice_ids: must hold at least 1 entries")),
    (unknown_slice, ROW.format(5, "slice_ids[3]: names no slice of the plan")),
    (twice_in_a_slice, ROW.format(5, "slice_ids: names the same slice twice")),
    (
        repeated_document,
        ROW.format(
            5, "document.document_id: names a document a second time; the first is quality-records.jsonl:1"
        ),
    ),
    (
        gold_outside,
        ROW.format(2, "gold_spans[1].end: lies outside the text (end 99, text 40 code points)"),
    ),
    (
        gold_in_utf16,
        ROW.format(
            6,
            "gold_spans[0].end: lies outside the text (end 21, text 20 code points);"
            " it fits when counted in UTF-16 units, but this contract counts code points",
        ),
    ),
    (
        gold_of_another_document,
        ROW.format(3, "gold_spans[0].document_id: differs from the id of its document"),
    ),
    (
        gold_out_of_scope,
        ROW.format(1, "gold_spans[1].entity_class: is a class that none of the document's slices covers"),
    ),
    (
        gold_repeated,
        ROW.format(2, "gold_spans[2]: has the start, end and entity_class of gold_spans[1]"),
    ),
    (
        identity_of_another_class,
        ROW.format(1, "gold_spans[0].catalog_identity.entity_id: differs from the entity_class of its span"),
    ),
    (
        identity_of_an_inactive_pattern,
        ROW.format(2, "gold_spans[0].catalog_identity: names no active pattern of the bank"),
    ),
    (
        another_role,
        ROW.format(5, "slice_ids[0]: slice contact is of split role validation, not the document's"),
    ),
    (another_view, ROW.format(5, "slice_ids[0]: slice contact is of another text view than the document")),
    (
        unknown_class,
        (
            "quality-slices.jsonl:8: annotation_scope.entity_classes: slice shoes names 1 of its 1 classes"
            " that the taxonomy does not know; add them to its types"
        ),
    ),
    (
        repeated_slice,
        "quality-slices.jsonl:8: id: the plan uses this id twice; the first is quality-slices.jsonl:3",
    ),
    (
        gap_with_the_id_of_a_slice,
        "unsupported-slices.jsonl:1: id: the plan uses this id twice; the first is quality-slices.jsonl:2",
    ),
    (
        promotion_of_a_part,
        ROW.format(
            5,
            "slice_ids: the promotion-gated slice contact holds 4 of the 5 documents of its split role and"
            " text view; it must hold all, and this is the first without",
        ),
    ),
    (
        promotion_of_one_class,
        (
            "quality-slices.jsonl:3: annotation_scope.entity_classes: a promotion gate needs a combined scope"
            " of classes"
        ),
    ),
    (
        scope_disagrees,
        (
            "quality-slices.jsonl:3: annotation_scope.entity_classes: must name the slice's own entity_class,"
            " and nothing else"
        ),
    ),
    (slices_are_missing, ROW.format(1, "slice_ids[0]: names no slice of the plan")),
]


@pytest.mark.parametrize(("change", "line"), FAULTS, ids=[change.__name__ for change, _ in FAULTS])
def test_a_broken_row_is_one_line(quality, change, line):
    """The first fault of a directory is said once, with its place."""
    change(quality)
    quality.write()
    assert refused(quality) == [line]


def test_a_line_of_17_mib_is_refused(quality):
    """A line beyond 16 MiB is refused by its length."""
    quality.record("order")["document"]["text"] = "x" * (17 * 1024 * 1024)
    quality.write()
    assert refused(quality) == ["quality-records.jsonl:5: line is longer than the limit of 16,777,216 bytes"]


def test_a_text_of_11_mib_is_refused(quality):
    """A line may hold 16 MiB and its document only 10 MiB of UTF-8."""
    quality.record("order")["document"]["text"] = "\u00e9" * (11 * 512 * 1024)
    quality.write()
    assert refused(quality) == [
        "quality-records.jsonl:5: document.text: holds more than the limit of 10,485,760 bytes of UTF-8"
    ]


def test_slices_need_a_bank(quality):
    """Without a bank the run ends with 2 and says how to name one."""
    quality.write()
    (line,) = refused(quality, bank=None)
    assert line.endswith("need a bank; give --pii-bank=FILE or the ini value pii_bank")


def test_the_fault_is_said_once_for_two_workers(quality):
    """Under xdist, too, a broken directory is one line, whichever of its files is asked for."""
    repeated_document(quality)
    quality.write()
    result = quality.run("-n2", "-vv", "-l", "--tb=long", "--full-trace")
    assert result.ret != 0
    told = json.dumps(result.outlines + result.errlines)
    assert told.count("names a document a second time") <= 2
    assert not [canary for canary in CANARIES if canary in told]
    assert not (quality.path / ".pii_eval").exists()
