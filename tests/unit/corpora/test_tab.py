"""The Text Anonymization Benchmark: annotators, identifiers, entities, and what is refused."""

from __future__ import annotations

import pytest
from standoff_files import array_file, drafts, lines_file, read, reasons

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.finding import build_adapter

TEXT = "Saken: Åsa Kvist, født 1971 i Skien, mot Norge. Kvist 😀 klaget 3. mai."


def mention(surface, kind="PERSON", identifier="DIRECT", entity="e1", **change):
    """A mention of the first place where the surface stands, or of the places in `change`."""
    start = TEXT.index(surface)
    return {
        "entity_type": kind,
        "entity_mention_id": "d1_em1",
        "start_offset": start,
        "end_offset": start + len(surface),
        "span_text": surface,
        "edit_type": "check",
        "identifier_type": identifier,
        "entity_id": entity,
        "confidential_status": "NOT_CONFIDENTIAL",
        **change,
    }


NAME = mention("Åsa Kvist")
AGAIN = mention("Kvist", start_offset=48, end_offset=53)
YEAR = mention("1971", "DATETIME", "QUASI", "e2")
PLACE = mention("Skien", "LOC", "QUASI", "e3")
STATE = mention("Norge", "LOC", "NO_MASK", "e4")
DAY = mention("3. mai", "DATETIME", "QUASI", "e5")
WIDE = mention("født 1971", "DATETIME", "QUASI", "e2")


def document(*annotators, **change):
    """A document as the benchmark has it, with the mentions of each annotator."""
    return {
        "annotations": {
            f"annotator{ordinal}": {"entity_mentions": list(mentions)}
            for ordinal, mentions in enumerate(annotators, 1)
        },
        "quality_checked": ["annotator1"],
        "text": TEXT,
        "task": "Task: Annotate the document to anonymise the following person: Åsa Kvist",
        "meta": {"year": 1999, "articles": [6, 41]},
        "doc_id": "d1",
        "dataset_type": "test",
        **change,
    }


TWO = document([NAME, AGAIN, YEAR, STATE], [NAME, WIDE, PLACE, STATE])


def test_mentions_of_one_annotator(tmp_path):
    """Offsets are code points; NO_MASK is left out and counted; entities link mentions."""
    path = array_file(tmp_path, document([NAME, AGAIN, YEAR, STATE, DAY]))
    (draft,) = drafts(path, "tab")
    assert draft.spans == (
        (7, 16, "PERSON"),
        (23, 27, "DATETIME"),
        (48, 53, "PERSON"),
        (63, 69, "DATETIME"),
    )
    assert (draft.row, draft.document_id, draft.role, draft.text) == (1, "d1", "test", TEXT)
    assert dict(draft.notes) == {"annotators": 1, "linked_entities": 1, "left_out_no_mask": 1}


def test_union_keeps_what_differs_side_by_side(tmp_path):
    """What two annotators agree on is one span and no repeated one; what overlaps stays twice."""
    (draft,) = drafts(array_file(tmp_path, TWO), "tab")
    assert draft.spans == (
        (7, 16, "PERSON"),
        (18, 27, "DATETIME"),
        (23, 27, "DATETIME"),
        (30, 35, "LOC"),
        (48, 53, "PERSON"),
    )
    assert dict(draft.notes) == {"annotators": 2, "linked_entities": 1, "left_out_no_mask": 2}


def test_intersection_keeps_what_all_say(tmp_path):
    """Equal offsets and label in the mentions of both."""
    (draft,) = drafts(array_file(tmp_path, TWO), "tab", annotators="intersection")
    assert draft.spans == ((7, 16, "PERSON"),)


def test_each_annotator_gives_a_draft(tmp_path):
    """The id has the annotator's ordinal; the template is the document, so that they stay in one group."""
    found = drafts(array_file(tmp_path, TWO), "tab", annotators="each")
    assert [(one.row, one.document_id, one.template_id) for one in found] == [
        (1, "d1#1", "d1"),
        (1, "d1#2", "d1"),
    ]
    assert [one.spans for one in found] == [
        ((7, 16, "PERSON"), (48, 53, "PERSON"), (23, 27, "DATETIME")),
        ((7, 16, "PERSON"), (18, 27, "DATETIME"), (30, 35, "LOC")),
    ]
    assert [dict(one.notes) for one in found] == [
        {"annotators": 1, "linked_entities": 1, "left_out_no_mask": 1},
        {"annotators": 1, "linked_entities": 0, "left_out_no_mask": 1},
    ]


def test_identifiers_in_scope_are_chosen(tmp_path):
    """What is left out is counted by its identifier type, once for each annotator."""
    (draft,) = drafts(array_file(tmp_path, TWO), "tab", identifiers="DIRECT")
    assert draft.spans == ((7, 16, "PERSON"), (48, 53, "PERSON"))
    assert dict(draft.notes) == {
        "annotators": 2,
        "linked_entities": 1,
        "left_out_quasi": 3,
        "left_out_no_mask": 2,
    }
    (every,) = drafts(array_file(tmp_path, TWO), "tab", identifiers="NO_MASK+QUASI+DIRECT")
    assert (41, 46, "LOC") in every.spans


def test_labels_may_tell_the_identifier(tmp_path):
    """Then two annotators who differ in it alone give two labels to one place."""
    quasi = {**NAME, "identifier_type": "QUASI"}
    (draft,) = drafts(array_file(tmp_path, document([NAME], [quasi])), "tab", labels="type/identifier")
    assert draft.spans == ((7, 16, "PERSON/DIRECT"), (7, 16, "PERSON/QUASI"))


def test_mentions_of_one_entity_may_have_different_types(tmp_path):
    """They are kept, and link."""
    org = {**AGAIN, "entity_type": "ORG"}
    (draft,) = drafts(array_file(tmp_path, document([NAME, org])), "tab")
    assert draft.spans == ((7, 16, "PERSON"), (48, 53, "ORG"))
    assert dict(draft.notes)["linked_entities"] == 1


@pytest.mark.parametrize(
    ("split", "role"),
    [("train", "train"), ("dev", "validation"), ("test", "test"), ("x", None), (None, None)],
)
def test_role_is_that_of_the_split(tmp_path, split, role):
    """What the benchmark calls dev is the validation role."""
    (draft,) = drafts(array_file(tmp_path, document([NAME], dataset_type=split)), "tab")
    assert draft.role == role


def test_document_without_mentions_or_text_is_a_document(tmp_path):
    """An annotator who found nothing is an annotator; ids may be whole numbers."""
    path = array_file(tmp_path, document([], doc_id=61807), document([], text=""))
    assert [(one.document_id, one.spans) for one in drafts(path, "tab")] == [("61807", ()), ("d1", ())]


def test_text_is_kept_as_it_is(tmp_path):
    """Carriage returns count as code points, and nothing is normalised."""
    late = {**NAME, "span_text": "Åsa", "start_offset": 3, "end_offset": 6}
    (draft,) = drafts(array_file(tmp_path, document([late], text="a\r\nÅsa")), "tab")
    assert (draft.text, draft.spans) == ("a\r\nÅsa", ((3, 6, "PERSON"),))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"start_offset": 8, "end_offset": 17}, "value_differs"),
        ({"span_text": "åsa Kvist"}, "value_differs"),
        ({"start_offset": "7"}, "offset_not_integer"),
        ({"start_offset": 7.0}, "offset_not_integer"),
        ({"start_offset": -1}, "offset_outside_text"),
        ({"end_offset": 999}, "offset_outside_text"),
        ({"start_offset": 16}, "empty_span"),
        ({"span_text": None}, "field_missing"),
        ({"entity_id": None}, "field_missing"),
        ({"entity_type": ""}, "spans_not_readable"),
        ({"entity_type": 3}, "spans_not_readable"),
        ({"identifier_type": "direct"}, "spans_not_readable"),
        ({"identifier_type": None}, "spans_not_readable"),
    ],
)
def test_bad_mention_quarantines_its_document(tmp_path, change, reason):
    """One annotator's bad mention is enough, whatever the others say."""
    path = array_file(tmp_path, document([NAME], [{**NAME, **change}]), TWO)
    assert reasons(path, "tab") == [reason, "fits"]


def test_offsets_in_bytes_are_told_apart(tmp_path):
    """`Kvist` stands at 48 in code points and at 51 in bytes of UTF-8."""
    payload = TEXT.encode()
    start = payload.index(b"Kvist", 20)
    path = array_file(tmp_path, document([{**AGAIN, "start_offset": start, "end_offset": start + 5}]))
    assert reasons(path, "tab") == ["offsets_in_another_unit"]


def test_mention_that_one_annotator_repeats_quarantines(tmp_path):
    """Equal spans are one only where different annotators gave them."""
    assert reasons(array_file(tmp_path, document([NAME, NAME])), "tab") == ["repeated_span"]


def test_documents_that_lack_something(tmp_path):
    """Each is refused for what it lacks, and the rest is read."""
    lacking = [
        {name: TWO[name] for name in TWO if name != absent} for absent in ("text", "doc_id", "annotations")
    ]
    annotations = [
        {},
        None,
        [],
        ["x"],
        {"annotator1": None},
        {"annotator1": {}},
        {"annotator1": {"entity_mentions": None}},
        {"annotator1": {"entity_mentions": ["x"]}},
    ]
    rows = [*lacking, *[document(annotations=one) for one in annotations], document([], text=7), [1], TWO]
    assert reasons(array_file(tmp_path, *rows), "tab") == [
        "field_missing",
        "field_missing",
        "annotator_missing",
        "annotator_missing",
        "annotator_missing",
        "annotator_missing",
        *["spans_not_readable"] * 5,
        "text_not_string",
        "row_not_readable",
        "fits",
    ]


def test_file_is_one_array_whatever_its_name(tmp_path):
    """A file of lines is refused with its name alone."""
    with pytest.raises(Fault, match=r"^echr_test\.jsonl") as caught:
        read(lines_file(tmp_path, TWO, name="echr_test.jsonl"), "tab")
    assert "Kvist" not in str(caught.value)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("identifiers", "DIRECT,QUASI"),
        ("identifiers", ""),
        ("identifiers", "DIRECT+DIRECT"),
        ("annotators", "all"),
        ("labels", "identifier"),
    ],
)
def test_option_that_is_none_is_refused_by_name(option, value):
    """The fault lists what there is."""
    with pytest.raises(Fault, match=rf"^options\.{option}: "):
        build_adapter("tab", {option: value})
