"""The adapters of annotation tools on rows in the exact schemas of their exports, with faults."""

from __future__ import annotations

from hashlib import sha256

import pytest
from span_files import array, drafts, lines, read, reasons

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.draft import Draft, Unfit
from pytest_pii_eval.corpora.finding import build_adapter

_EMOJI = "😀 Pell"  # the emoji is one code point, two units of UTF-16 and four bytes


def test_doccano_lists(tmp_path) -> None:
    """Spans as lists of start, end and label, under either name of the field."""
    rows = [
        {"id": 7, "text": _EMOJI, "label": [[2, 6, "PER"], [0, 6, "ALL"]], "Comments": []},
        {"id": 8, "text": "none", "labels": []},
    ]
    assert drafts("doccano", lines(tmp_path / "all.jsonl", rows)) == [
        Draft(1, "7", _EMOJI, ((2, 6, "PER"), (0, 6, "ALL"))),
        Draft(2, "8", "none", ()),
    ]


def test_doccano_entities(tmp_path) -> None:
    """Spans as objects, beside relations that are not read."""
    entity = {"id": 31, "label": "PER", "start_offset": 2, "end_offset": 6}
    row = {"id": 7, "text": _EMOJI, "entities": [entity], "relations": [], "Comments": ["?"]}
    assert drafts("doccano", lines(tmp_path / "all.jsonl", [row])) == [
        Draft(1, "7", _EMOJI, ((2, 6, "PER"),))
    ]


def test_doccano_with_faults(tmp_path) -> None:
    """No spans, two kinds of them, a label that is a number, and a text under another name."""
    rows = [
        {"id": 1, "text": "a"},
        {"id": 1, "text": "a", "label": None},
        {"id": 1, "text": "a", "label": [], "entities": []},
        {"id": 1, "text": "a", "label": [{"label": 5, "start_offset": 0, "end_offset": 1}]},
        {"id": 1, "data": "a", "label": []},
        {"id": 1, "text": "a", "label": ["PER"]},
        {"id": 1, "text": "a", "label": [[0, 2, "PER"]]},
        {"text": "a", "label": []},
    ]
    bad, missing = "spans_not_readable", "field_missing"
    path = lines(tmp_path / "all.jsonl", rows)
    expected = [missing, missing, bad, bad, missing, bad, "offset_outside_text", missing]
    assert reasons("doccano", path) == expected
    assert reasons("doccano", path, {"text": "data", "document_id": "row"})[4] == "draft"


def _task(text: str, spans: object, answer: str = "accept") -> dict[str, object]:
    return {
        "text": text,
        "_input_hash": -1_300_000_001,
        "_task_hash": 5,
        "tokens": [{"text": "Pell", "start": 2, "end": 6, "id": 1, "ws": False}],
        "spans": spans,
        "_view_id": "ner_manual",
        "answer": answer,
        "_timestamp": 1_700_000_000,
    }


def test_prodigy(tmp_path) -> None:
    """An input is a document; a span may have its text, which is compared."""
    bare = {"start": 2, "end": 6, "token_start": 1, "token_end": 1, "label": "PER"}
    both = [bare, {"start": 0, "end": 1, "label": "MARK", "text": "😀", "pattern": 3}]
    assert drafts("prodigy", lines(tmp_path / "a.jsonl", [_task(_EMOJI, both)])) == [
        Draft(1, "-1300000001", _EMOJI, ((2, 6, "PER"), (0, 1, "MARK")))
    ]


def test_prodigy_with_faults(tmp_path) -> None:
    """What was not accepted is counted, and so is an accepted task that has no spans to be of use."""
    span = {"start": 2, "end": 6, "label": "PER", "text": "pell"}
    rows = [
        _task(_EMOJI, [], "reject"),
        _task(_EMOJI, [], "ignore"),
        _task(_EMOJI, None),
        {"text": _EMOJI, "spans": [], "_input_hash": 1},
        {"text": _EMOJI, "answer": "accept", "_input_hash": 1},
        _task(_EMOJI, [span]),
        _task(_EMOJI, [{"start": 2, "end": 6}]),
        _task(_EMOJI, [[2, 6, "PER"], span]),
    ]
    expected = ["not_accepted", "not_accepted", "spans_not_readable", "field_missing", "field_missing"]
    expected += ["value_differs", "field_missing", "value_differs"]
    assert reasons("prodigy", lines(tmp_path / "a.jsonl", rows)) == expected


def test_spacy_training_data(tmp_path) -> None:
    """Pairs and objects, in an array or a line each; rows are numbered."""
    pair = [_EMOJI, {"entities": [[2, 6, "PER"]], "cats": {"x": 1.0}, "text": "other"}]
    rows = [pair, {"text": "Ann", "entities": [[0, 3, "PER"]]}, ["none", {"entities": []}]]
    expected = [
        Draft(1, "1", _EMOJI, ((2, 6, "PER"),)),
        Draft(2, "2", "Ann", ((0, 3, "PER"),)),
        Draft(3, "3", "none", ()),
    ]
    assert drafts("spacy", array(tmp_path / "train.json", rows)) == expected
    assert drafts("spacy", lines(tmp_path / "train.jsonl", rows)) == expected


def test_spacy_training_data_with_faults(tmp_path) -> None:
    """Tags in place of offsets, no entities, a text that is none, a list of another length."""
    rows = [
        ["Ann", {"entities": ["U-PER"]}],
        ["Ann", {"cats": {}}],
        [7, {"entities": []}],
        ["Ann", {"entities": []}, 1],
        ["Ann", [[0, 3, "PER"]]],
        ["Ann", {"entities": [[0, 4, "PER"]]}],
        {"id": "d1", "text": "Ann", "entities": []},
    ]
    bad = "row_not_readable"
    expected = [
        "spans_not_readable",
        "field_missing",
        "text_not_string",
        bad,
        bad,
        "offset_outside_text",
        "draft",
    ]
    path = array(tmp_path / "train.json", rows)
    assert reasons("spacy", path) == expected
    assert read("spacy", path, {"document_id": "id"})[6] == Draft(7, "d1", "Ann", ())


def _sample(text: str, spans: list[dict[str, object]], **more: object) -> dict[str, object]:
    return {"full_text": text, "masked": "{{mark}} {{name}}", "spans": spans, **more}


def _value(kind: str, value: object, start: int, end: int) -> dict[str, object]:
    return {"entity_type": kind, "entity_value": value, "start_position": start, "end_position": end}


def test_presidio_research(tmp_path) -> None:
    """A template is its id, or the masked text by its hash, or the document's own."""
    spans = [_value("NAME", "Pell", 2, 6)]
    rows = [
        _sample(_EMOJI, spans, template_id=17, metadata={"Country": "Nowhere"}, tags=["O"], tokens=None),
        _sample(_EMOJI, spans, template_id=None),
        _sample(_EMOJI, [], masked=None),
        _sample(_EMOJI, [], masked=""),
        _sample(_EMOJI, [], template_id=0),
    ]
    masked = "masked:" + sha256(b"{{mark}} {{name}}").hexdigest()
    assert drafts("presidio-research", array(tmp_path / "a.json", rows)) == [
        Draft(1, "1", _EMOJI, ((2, 6, "NAME"),), "17"),
        Draft(2, "2", _EMOJI, ((2, 6, "NAME"),), masked),
        Draft(3, "3", _EMOJI, (), None),
        Draft(4, "4", _EMOJI, (), None),
        Draft(5, "5", _EMOJI, (), "0"),
    ]


def test_presidio_research_with_faults(tmp_path) -> None:
    """A value that stands elsewhere, one that is not said, UTF-16 offsets, an id that is none."""
    rows = [
        _sample(_EMOJI, [_value("NAME", "pell", 2, 6)]),
        _sample(_EMOJI, [_value("NAME", None, 2, 6)]),
        _sample(_EMOJI + " here", [_value("NAME", "Pell", 3, 7)]),
        _sample(_EMOJI, [], template_id=True),
        _sample(_EMOJI, [[2, 6, "NAME"]]),
    ]
    expected = [
        "value_differs",
        "field_missing",
        "offsets_in_another_unit",
        "field_missing",
        "spans_not_readable",
    ]
    assert reasons("presidio-research", array(tmp_path / "a.json", rows)) == expected


def _region(start: object, end: object, *labels: str, text: str | None = None) -> dict[str, object]:
    value = {"start": start, "end": end, "labels": list(labels)}
    return value if text is None else value | {"text": text}


def _result(value: dict[str, object], kind: str = "labels") -> dict[str, object]:
    return {
        "id": "r1",
        "from_name": "label",
        "to_name": "text",
        "type": kind,
        "origin": "manual",
        "value": value,
    }


def _annotation(*results: dict[str, object], cancelled: bool = False) -> dict[str, object]:
    return {
        "id": 1,
        "completed_by": 3,
        "was_cancelled": cancelled,
        "ground_truth": False,
        "result": [*results],
    }


def _ls(*annotations: dict[str, object], text: object = _EMOJI) -> dict[str, object]:
    data = {"text": text, "key": "k-1"}
    return {"id": 5, "annotations": [*annotations], "predictions": [], "data": data, "meta": {}, "project": 1}


def test_label_studio(tmp_path) -> None:
    """Offsets are units of UTF-16; a region with two labels is two spans; other results are not read."""
    results = [
        _result(_region(3, 7, "PER", "FIRST", text="Pell")),
        {"type": "relation", "from_id": "r1", "to_id": "r2", "direction": "right", "labels": ["of"]},
        _result({"choices": ["good"]}, "choices"),
        _result(_region(0, 2, "MARK")),
    ]
    path = array(
        tmp_path / "export.json",
        [_ls(_annotation(*results), _annotation(cancelled=True)), _ls(_annotation())],
    )
    spans = ((2, 6, "PER"), (2, 6, "FIRST"), (0, 1, "MARK"))
    assert drafts("label-studio", path) == [Draft(1, "5", _EMOJI, spans), Draft(2, "5", _EMOJI, ())]
    assert drafts("label-studio", path, {"document_id": "id+data.key"})[0].document_id == "5+k-1"
    assert build_adapter("label-studio", {}).offset_unit == "utf16"


def test_label_studio_in_code_points(tmp_path) -> None:
    """A file whose offsets were made by a program in Python says so by the option."""
    path = array(tmp_path / "export.json", [_ls(_annotation(_result(_region(2, 6, "PER", text="Pell"))))])
    assert reasons("label-studio", path) == ["offsets_in_another_unit"]
    assert drafts("label-studio", path, {"unit": "codepoint"})[0].spans == ((2, 6, "PER"),)


def test_label_studio_with_several_annotators(tmp_path) -> None:
    """Nobody chooses for the user: the option takes the first, or every span that one of them marked."""
    one, two = _result(_region(3, 7, "PER")), _result(_region(0, 2, "MARK"))
    path = array(tmp_path / "export.json", [_ls(_annotation(one), _annotation(two, one))])
    assert reasons("label-studio", path) == ["annotator_missing"]
    assert drafts("label-studio", path, {"annotation": "first"})[0].spans == ((2, 6, "PER"),)
    assert drafts("label-studio", path, {"annotation": "union"})[0].spans == ((2, 6, "PER"), (0, 1, "MARK"))
    with pytest.raises(Fault, match=r"^options.annotation: must be one of: only, first, union$"):
        build_adapter("label-studio", {"annotation": "best"})


def test_label_studio_with_faults(tmp_path) -> None:
    """Tasks without an answer, marks on HTML or pictures, a span said twice, an offset inside a pair."""
    span = _result(_region(3, 7, "PER"))
    rows = [
        _ls(),
        _ls(_annotation(cancelled=True)),
        _ls(_annotation(_result(_region("/p[1]/text()", "/p[1]/text()", "PER"), "hypertextlabels"))),
        _ls(_annotation(_result(_region(3, 7)))),
        _ls(_annotation(span, span)),
        _ls(_annotation(_result(_region(1, 7, "PER")))),
        _ls(_annotation(_result(_region(3, 7, "PER", text="pell")))),
        _ls(_annotation(_result(_region("3", 7, "PER")))),
        _ls(_annotation(), text=None),
        {"id": 5, "data": {"text": "a"}},
        {"id": 5, "data": "a", "annotations": []},
        _ls(*[12]),
    ]
    expected = ["not_accepted", "not_accepted", "spans_not_readable", "spans_not_readable", "repeated_span"]
    expected += ["offset_inside_character", "value_differs", "offset_not_integer", "text_not_string"]
    expected += ["field_missing", "spans_not_readable", "spans_not_readable"]
    assert reasons("label-studio", array(tmp_path / "export.json", rows)) == expected


def test_label_studio_json_min(tmp_path) -> None:
    """Regions lie beside the text; a task that nobody marked has no field for them, and is counted."""
    row = {"id": 9, "text": _EMOJI, "annotator": 3, "annotation_id": 4, "lead_time": 1.5}
    rows = [row | {"label": [_region(3, 7, "PER", text="Pell")]}, row, row | {"ner": []}]
    path = array(tmp_path / "min.json", rows)
    assert read("label-studio", path) == [
        Draft(1, "9", _EMOJI, ((2, 6, "PER"),)),
        Unfit(2, "field_missing"),
        Unfit(3, "field_missing"),
    ]
    assert reasons("label-studio", path, {"label": "ner"}) == ["field_missing", "field_missing", "draft"]


@pytest.mark.parametrize("name", ["doccano", "prodigy", "spacy", "label-studio", "presidio-research"])
def test_every_adapter_of_an_export_takes_unit_ids_and_format(tmp_path, name) -> None:
    """And says its version, its unit and where its spans lie."""
    adapter = build_adapter(name, {"unit": "byte", "document_id": "row", "format": "json"})
    assert (adapter.version, adapter.offset_unit) == ("1", "byte")
    assert adapter.policy.startswith("a span ")
    (tmp_path / "export.txt").write_text('[{"a": NaN}, 1]', "utf-8")
    with pytest.raises(
        Fault, match=r"^export\.txt: \[1\]: holds an element that is neither object nor array"
    ):
        list(adapter.read(tmp_path / "export.txt"))
