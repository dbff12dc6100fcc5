"""The adapter of span columns on rows in the exact schemas of its corpora, with the faults of the field."""

from __future__ import annotations

import json

import pytest
from span_files import array, drafts, lines, parquet, read, reasons

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.draft import Draft, Unfit
from pytest_pii_eval.corpora.finding import build_adapter

_NEMOTRON = {"document_id": "uid+locale", "value": "text"}
_GRETEL = {"text": "generated_text", "spans": "pii_spans", "document_id": "row"}
_MASKING = {"text": "source_text", "spans": "privacy_mask", "document_id": "uid", "value": "value"}


def _nemotron(uid: str, locale: str, text: str, spans: list[dict[str, object]]) -> dict[str, object]:
    return {
        "uid": uid,
        "domain": "Invented",
        "document_type": "note",
        "document_description": "A note.",
        "document_format": "unstructured",
        "locale": locale,
        "text": text,
        "spans": repr(spans),
        "text_tagged": "",
    }


def _span(start: int, end: int, text: object, label: str) -> dict[str, object]:
    return {"start": start, "end": end, "text": text, "label": label}


def test_nemotron_pii(tmp_path) -> None:
    """The repr of spans in Parquet; a uid is a document in each locale, and digits may be a number."""
    rows = [
        _nemotron("a1", "us", "Ask Pell, 41.", [_span(4, 8, "Pell", "first_name"), _span(10, 12, 41, "age")]),
        _nemotron(
            "a1", "intl", 'Naïve "O\'Nix" \\', [_span(0, 5, "Naïve", "x"), _span(6, 13, '"O\'Nix"', "y")]
        ),
        _nemotron("b2", "us", "None.", []),
    ]
    assert drafts("spans", parquet(tmp_path / "test.parquet", rows), _NEMOTRON) == [
        Draft(1, "a1+us", "Ask Pell, 41.", ((4, 8, "first_name"), (10, 12, "age"))),
        Draft(2, "a1+intl", 'Naïve "O\'Nix" \\', ((0, 5, "x"), (6, 13, "y"))),
        Draft(3, "b2+us", "None.", ()),
    ]


def test_nemotron_pii_with_faults(tmp_path) -> None:
    """Case, a leading zero, an offset, a repeated id and null spans: each is told, none is mended."""
    rows = [
        _nemotron("a", "us", "Ask Pell.", [_span(4, 8, "pell", "first_name")]),
        _nemotron("b", "us", "Is 0123.", [_span(3, 7, 123, "pin")]),
        _nemotron("c", "us", "Ask Pell.", [_span(4, 18, "Pell", "first_name")]),
        _nemotron("d", "us", "Ask Pell.", [_span(4, 8, None, "first_name")]),
        _nemotron("e", "us", "Ask Pell.", []) | {"spans": None},
        _nemotron("f", "us", "Ask Pell.", []) | {"spans": "[{'start': 4, "},
        _nemotron("g", "us", "Ask Pell.", []) | {"uid": None},
        _nemotron("h", "us", "Ask Pell.", []),
        _nemotron("h", "us", "Ask Pell.", []),
    ]
    assert reasons("spans", parquet(tmp_path / "test.parquet", rows), _NEMOTRON) == [
        "value_differs",
        "value_differs",
        "offset_outside_text",
        "field_missing",
        "field_missing",
        "spans_not_readable",
        "field_missing",
        "draft",
        "draft",
    ]


def test_gretel_finance(tmp_path) -> None:
    """JSON in a string in Parquet; there is no id, so rows are numbered."""
    spans = [{"start": 4, "end": 13, "label": "name"}, {"start": 4, "end": 8, "label": "first_name"}]
    row = {"document_type": "Letter", "language": "English", "generated_text": "Sir Pell Nix,\r\nno."}
    rows = [row | {"pii_spans": json.dumps(spans)}, row | {"pii_spans": "[]"}, row | {"pii_spans": ""}]
    assert read("spans", parquet(tmp_path / "test.parquet", rows), _GRETEL) == [
        Draft(1, "1", "Sir Pell Nix,\r\nno.", ((4, 13, "name"), (4, 8, "first_name"))),
        Draft(2, "2", "Sir Pell Nix,\r\nno.", ()),
        Unfit(3, "spans_not_readable"),
    ]


def test_open_pii_masking(tmp_path) -> None:
    """Lists of objects in JSON Lines, ids that are numbers."""
    mask = {"label": "GIVENNAME", "start": 5, "end": 9, "value": "Pell", "label_index": 1}
    row = {
        "source_text": "Çao, Pell!",
        "masked_text": "Çao, [GIVENNAME_1]!",
        "privacy_mask": [mask],
        "split": "validation",
        "uid": 46_001,
        "language": "pt",
        "mbert_tokens": ["Ç", "##ao"],
    }
    assert drafts("spans", lines(tmp_path / "test.jsonl", [row]), _MASKING) == [
        Draft(1, "46001", "Çao, Pell!", ((5, 9, "GIVENNAME"),))
    ]


def test_our_own_spans(tmp_path) -> None:
    """Lists of three, and a template whose id is a number; a null template is the document's own."""
    row = {
        "doc_id": "r-1",
        "text": "To Pell",
        "spans": [[3, 7, "PER"]],
        "source_corpus": "made",
        "template_id": 0,
    }
    rows = [row, row | {"doc_id": "r-2", "spans": [], "template_id": None}, row | {"template_id": 1.5}]
    for path in (lines(tmp_path / "a.jsonl", rows), array(tmp_path / "a.json", rows)):
        assert read("spans", path, {"template_id": "template_id"}) == [
            Draft(1, "r-1", "To Pell", ((3, 7, "PER"),), "0"),
            Draft(2, "r-2", "To Pell", (), None),
            Unfit(3, "field_missing"),
        ]
    assert read("spans", tmp_path / "a.jsonl")[0].template_id is None


def test_lists_of_objects_in_parquet(tmp_path) -> None:
    """A column may hold its spans as they are, nested ones too."""
    spans = [{"start": 0, "end": 8, "label": "A"}, {"start": 4, "end": 8, "label": "B"}]
    row = {"doc_id": 1, "text": "Ask Pell", "spans": spans, "template": "t1"}
    expected = Draft(1, "1", "Ask Pell", ((0, 8, "A"), (4, 8, "B")), "t1")
    path = parquet(tmp_path / "a.parquet", [row])
    assert drafts("spans", path, {"template_id": "template"}) == [expected]
    assert drafts("spans", path) == [expected._replace(template_id=None)]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"text": 7}, "text_not_string"),
        ({"text": None}, "field_missing"),
        ({"spans": None}, "field_missing"),
        ({"spans": {}}, "spans_not_readable"),
        ({"spans": 3}, "spans_not_readable"),
        ({"spans": [None]}, "spans_not_readable"),
        ({"spans": ["034"]}, "spans_not_readable"),
        ({"spans": [[0, 3]]}, "spans_not_readable"),
        ({"spans": [[0, 3, "A", "Ask"]]}, "spans_not_readable"),
        ({"spans": [{"start": 0, "label": "A"}]}, "field_missing"),
        ({"spans": [{"start": 0, "end": 3, "label": ""}]}, "spans_not_readable"),
        ({"spans": [[0, 3.0, "A"]]}, "offset_not_integer"),
        ({"spans": [[0, 3, "A"], [0, 3, "A"]]}, "repeated_span"),
        ({"spans": [[3, 3, "A"]]}, "empty_span"),
        ({"doc_id": True}, "field_missing"),
        ({"doc_id": 1.0}, "field_missing"),
        ({"doc_id": ""}, "field_missing"),
        ({"doc_id": None}, "field_missing"),
    ],
)
def test_a_row_that_does_not_fit_is_told_by_its_reason(tmp_path, change, reason) -> None:
    """And the row behind it is read."""
    row = {"doc_id": "a", "text": "Ask Pell", "spans": [[4, 8, "A"]]}
    assert reasons("spans", lines(tmp_path / "a.jsonl", [row | change, row])) == [reason, "draft"]


def test_rows_that_cannot_be_read_and_fields_that_are_not_there(tmp_path) -> None:
    """A line that is no JSON, that holds no object, that says NaN, and one without each of the fields."""
    (tmp_path / "a.jsonl").write_bytes(
        b'{"doc_id": "a", "text": "x", "spans": [[0, NaN, "A"]]}\r\n'
        b'[1]\r\n{"doc_id": "a"\r\n{"text": "x", "spans": []}\r\n'
        b'{"doc_id": "a", "spans": []}\r\n{"doc_id": "a", "text": "x"}\r\n'
    )
    bad, missing = "row_not_readable", "field_missing"
    assert reasons("spans", tmp_path / "a.jsonl") == [bad, bad, bad, missing, missing, missing]


@pytest.mark.parametrize(
    ("unit", "start", "end"),
    # "Ü😀 Pell": Ü is 2 bytes, the emoji 4 bytes and 2 units of UTF-16.
    [("codepoint", 3, 7), ("byte", 7, 11), ("utf16", 4, 8)],
)
def test_offsets_in_the_unit_of_the_corpus(tmp_path, unit, start, end) -> None:
    """They come out as code points; read in the wrong unit the value shows it."""
    span = {"start": start, "end": end, "label": "A", "value": "Pell"}
    path = lines(tmp_path / "a.jsonl", [{"doc_id": "a", "text": "Ü😀 Pell, 0123456789", "spans": [span]}])
    assert build_adapter("spans", {"unit": unit}).offset_unit == unit
    assert drafts("spans", path, {"unit": unit, "value": "value"})[0].spans == ((3, 7, "A"),)
    if unit != "codepoint":
        assert reasons("spans", path, {"value": "value"}) == ["offsets_in_another_unit"]


def test_search_takes_what_stands_there_once(tmp_path) -> None:
    """Nothing found and more than one place are counted, never guessed; occurrences may overlap."""
    values = [
        [("Pell", "A"), (41, "B")],
        [("pell", "A")],
        [("aa", "A")],
        [("", "A")],
        [(None, "A")],
        [([], "A")],
    ]
    rows = [
        {
            "doc_id": at,
            "text": "Ask Pell 41 aaa",
            "spans": [{"value": value, "label": label} for value, label in each],
        }
        for at, each in enumerate(values)
    ]
    options = {"offsets": "search", "value": "value"}
    path = lines(tmp_path / "a.jsonl", [*rows, {"doc_id": 9, "text": "x", "spans": [["x", "A"]]}])
    assert read("spans", path, options)[0] == Draft(1, "0", "Ask Pell 41 aaa", ((4, 8, "A"), (9, 11, "B")))
    expected = [
        "value_not_found",
        "value_ambiguous",
        "empty_span",
        "field_missing",
        *["spans_not_readable"] * 2,
    ]
    assert reasons("spans", path, options) == ["draft", *expected]


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"offsets": "search"}, "options.value: is needed to search: the key of a span's value"),
        ({"unit": "char"}, "options.unit: must be one of: codepoint, byte, utf16"),
        ({"encoding": "yaml"}, "options.encoding: must be one of: auto, list, json, python"),
        ({"offsets": "guess"}, "options.offsets: must be one of: given, search"),
        ({"format": "csv"}, "options.format: must be one of: jsonl, json, parquet"),
        ({"document_id": "a++b"}, "options.document_id: must be names of fields, joined by a plus sign"),
    ],
)
def test_an_option_that_is_none_is_refused(options, rule) -> None:
    """Before a file is opened."""
    with pytest.raises(Fault) as caught:
        build_adapter("spans", options)
    assert str(caught.value) == rule


def test_ids_may_be_joined_with_the_number_of_the_row(tmp_path) -> None:
    """The word row is never a column."""
    path = lines(tmp_path / "a.jsonl", [{"row": "x", "b": 2, "text": "t", "spans": []}])
    assert drafts("spans", path, {"document_id": "b+row"})[0].document_id == "2+1"


def test_a_column_that_parquet_lacks_stops_the_file(tmp_path) -> None:
    """It is named as the pin has it."""
    path = parquet(tmp_path / "a.parquet", [{"doc_id": "a", "text": "x"}])
    with pytest.raises(Fault, match=r"^a\.parquet: spans: is no column of the file$"):
        read("spans", path)


def test_a_second_reading_is_equal(tmp_path) -> None:
    """An adapter keeps nothing of a file."""
    path = lines(tmp_path / "a.jsonl", [{"doc_id": "a", "text": "x", "spans": []}])
    adapter = build_adapter("spans", {})
    assert list(adapter.read(path)) == list(adapter.read(path)) == [Draft(1, "a", "x", ())]
    assert adapter.policy == "a span lies where the corpus's own offsets say, and nowhere else"


def test_a_symlink_is_not_read(tmp_path) -> None:
    """Input is regular files."""
    (tmp_path / "b.jsonl").symlink_to(lines(tmp_path / "a.jsonl", []))
    with pytest.raises(Fault, match=r"^b\.jsonl: is a symlink; name the real file$"):
        read("spans", tmp_path / "b.jsonl")
