"""The report's model and its published schema: closed, bounded, and read back as written."""

from __future__ import annotations

import copy

import pytest
from pydantic import ValidationError
from report_values import SHA, conformance, document, report

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.reports.model import Report
from pytest_pii_eval.reports.read import read_report
from pytest_pii_eval.reports.write import render_json


def _objects(schema: object):
    """Yield every schema of an object that lists its fields."""
    if isinstance(schema, dict):
        if "properties" in schema:
            yield schema
        for inner in schema.values():
            yield from _objects(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _objects(inner)


def test_the_schema_is_closed_at_every_level() -> None:
    """Every object of the published schema forbids other fields."""
    schemas = list(_objects(Report.model_json_schema()))
    assert len(schemas) >= 9
    assert [
        schema.get("title") for schema in schemas if schema.get("additionalProperties") is not False
    ] == []


def test_the_schema_names_its_version() -> None:
    """The version is a constant of the schema."""
    assert Report.model_json_schema()["properties"]["schema_version"]["const"] == "pii_eval.report.v1"


def test_the_schema_has_the_fields_of_the_design() -> None:
    """The fields are those that the design promises."""
    who = {"scorer", "subject", "taxonomy", "fingerprints", "run"}
    what = {"complete", "missing", "conformance", "slices", "unsupported_slices", "gates", "passed"}
    assert who | what <= set(Report.model_json_schema()["properties"])


def test_a_report_is_read_as_it_was_written(tmp_path) -> None:
    """Writing and reading again changes nothing."""
    path = tmp_path / "report.json"
    path.write_text(render_json(report()), encoding="utf-8", newline="\n")
    assert read_report(path) == report()


@pytest.mark.parametrize(
    "path",
    [(), ("selection",), ("scorer",), ("subject",), ("conformance",), ("run",)],
    ids=".".join,
)
def test_no_field_beside_them(path) -> None:
    """An unknown field is refused at every level."""
    changed = copy.deepcopy(document())
    here = changed
    for step in path:
        here = here[step]
    here["text"] = "secret"
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        Report.model_validate(changed)


@pytest.mark.parametrize(
    "fields",
    [
        {"missing_count": -1},
        {"conformance": conformance(recall=1.01)},
        {"conformance": conformance(missed=-1)},
        {"fingerprints": {"bank": SHA[:-1]}},
        {"fingerprints": {"bank": SHA.upper()}},
        {"schema_version": "pii_eval.report.v2"},
        {"passed": "maybe"},
    ],
)
def test_values_are_bounded(fields) -> None:
    """Counts are not negative, rates lie between 0 and 1, digests are whole."""
    with pytest.raises(ValidationError):
        report(**fields)


def test_a_report_does_not_change() -> None:
    """A report is a value."""
    with pytest.raises(ValidationError, match="frozen"):
        report().complete = False


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        (b"{}", "report.json: complete: is missing"),
        (b"[]", "report.json: must be an object"),
        (b"{", "report.json: not valid JSON at line 1, column 2"),
    ],
)
def test_what_is_no_report_is_a_fault(tmp_path, payload, message) -> None:
    """A file that is no report is said to be none in one line, with its name."""
    (tmp_path / "report.json").write_bytes(payload)
    with pytest.raises(Fault) as caught:
        read_report(tmp_path / "report.json")
    assert str(caught.value).startswith(message)
