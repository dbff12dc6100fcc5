"""The command `pii-eval`: files that hold, files that do not, and schemas that agree with the contracts."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path

import pytest

from pytest_pii_eval.cli import main
from pytest_pii_eval.contracts.bank import load_bank
from pytest_pii_eval.contracts.cases import CaseContract
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.provenance import parse_origin
from pytest_pii_eval.contracts.records import RecordContract
from pytest_pii_eval.contracts.slices import make_plan, parse_slice, parse_unsupported
from pytest_pii_eval.contracts.suite_file import parse_suite
from pytest_pii_eval.contracts.taxonomy import default_taxonomy, parse_taxonomy

SHIPPED = Path(__file__).parents[2] / "conformance"
FORMATS = [
    "artifact-receipt",
    "bank",
    "catalog-binding",
    "comparison",
    "corpora",
    "corpus-receipt",
    "floors",
    "freeze-attestation",
    "freeze-commitment",
    "freezes",
    "ledger-line",
    "negative-case",
    "positive-case",
    "prediction",
    "predictions-header",
    "provenance",
    "record",
    "report",
    "slice",
    "snapshot",
    "suite",
    "taxonomy",
    "train-list",
    "unsupported-slice",
]
FILES = [
    "conformance-negative-texts.jsonl",
    "conformance-positive-texts.jsonl",
    "quality-provenance.jsonl",
    "quality-records.jsonl",
    "quality-slices.jsonl",
    "unsupported-slices.jsonl",
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A copy of the shipped suite's files, as the working directory."""
    for path in SHIPPED.glob("*.json*"):
        if "-formats" not in path.name and "-names" not in path.name:
            shutil.copy(path, tmp_path / path.name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def first_row(file):
    """Return the first row of a shipped file."""
    with (SHIPPED / file).open(encoding="utf-8") as handle:
        return json.loads(handle.readline())


def test_a_whole_directory_holds(folder, capsys):
    """Every kind of file in a directory is named with what it holds; other JSON is left alone."""
    (folder / "suite.yaml").write_text("gates:\n  - {slice: questions, metric: recall, min: 0.5}\n")
    (folder / "taxonomy.json").write_text('{"version": "1", "types": {"email": "contact"}}')
    assert main(["check", "--bank=bank.json", "."]) == 0
    told = capsys.readouterr()
    lines = dict(line.split(": ", 1) for line in told.out.splitlines())
    assert told.err == ""
    assert {*FILES, "bank.json", "suite.yaml"} <= lines.keys()
    assert "taxonomy.json" not in lines  # the suite file does not name it
    assert lines["quality-records.jsonl"] == "holds with its directory of 120 documents (2 shards)"
    assert lines["bank.json"].startswith("a bank of ")
    assert lines["conformance-negative-texts.jsonl"].endswith(" negative cases")


@pytest.mark.parametrize("file", [*FILES, "bank.json"])
def test_a_single_file_holds(folder, capsys, file):
    """A file can be named alone; it is checked with the directory it needs."""
    assert main(["check", "--bank", "bank.json", file]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert [line.split(":")[0] for line in told.out.splitlines()] == [file]


@pytest.mark.parametrize("file", FILES)
def test_a_broken_file_is_one_line(folder, capsys, file):
    """A row that is none ends with 1 and one line on stderr: file, line, rule, and not what stood there."""
    path = folder / file
    lines = len(path.read_bytes().splitlines())
    with path.open("a", encoding="utf-8", newline="\n") as handle:
        handle.write('{"zzz-secret": "zzz-secret"}\n')
    assert main(["check", "--bank=bank.json", file]) == 1
    told = capsys.readouterr()
    (line,) = told.err.splitlines()
    assert line.startswith(f"{file}:{lines + 1}: ")
    assert told.out == ""
    assert "zzz-secret" not in line


def test_broken_banks_and_suite_files_are_one_line(folder, capsys):
    """An unknown field, a bad expression, a gate about nothing: one line each, with the file."""
    bank = json.loads((folder / "bank.json").read_text(encoding="utf-8"))
    for name, change in (("bank-field.json", {"zzz-secret": 1}), ("bank-status.json", {"status": "gone"})):
        (folder / name).write_text(json.dumps({**bank, **change}), encoding="utf-8")
        assert main(["check", name]) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f"{name}: ")
        assert "zzz-secret" not in line
    patterns = bank["entities"]["email"]["names"]["address"]["patterns"]
    patterns["plain"]["value"] = "zzz-secret("
    (folder / "bank-pattern.json").write_text(json.dumps(bank), encoding="utf-8")
    assert main(["check", "bank-pattern.json"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("bank-pattern.json: entities[")
    assert "zzz-secret" not in line
    (folder / "suite.yaml").write_text("gates:\n  - {slice: nobody, metric: recall, min: 0.5}\n")
    assert main(["check", "--bank=bank.json", "suite.yaml"]) == 1
    assert capsys.readouterr().err == "suite.yaml: gates[0].slice: names no slice of the plan\n"


def test_what_is_no_file_of_a_suite_is_refused(folder, capsys):
    """Missing and other files, a folder without any of ours: one line each; the rest is checked."""
    (folder / "notes.txt").write_text("nothing")
    (folder / "empty").mkdir()
    paths = ["quality-records-gone.jsonl", "notes.txt", "empty", "gone", "gone/quality-slices.jsonl"]
    assert main(["check", "--bank=bank.json", *paths, "bank.json"]) == 1
    told = capsys.readouterr()
    assert told.err.splitlines() == [
        "quality-records-gone.jsonl: does not exist",
        "notes.txt: is no file of a suite; its name fits none of them",
        "empty: holds no file of a suite",
        "gone: does not exist",
        "gone/quality-slices.jsonl: does not exist",
    ]
    assert told.out.startswith("bank.json: a bank of ")


def test_cases_need_a_bank_and_slices_do_not(folder, capsys):
    """Without `--bank` cases cannot be checked, and that is said; slices are checked but for identities."""
    assert main(["check", "conformance-positive-texts.jsonl"]) == 1
    assert "need a bank" in capsys.readouterr().err
    assert main(["check", "quality-records.jsonl"]) == 0


def test_a_directory_brings_its_bank(folder, capsys):
    """The `bank.json` of a directory is the bank that its files are checked against."""
    assert main(["check", "."]) == 0
    assert "positive cases" in capsys.readouterr().out


def test_schemas_are_listed_and_unknown_ones_refused(capsys):
    """Without a name all are listed, with an unknown one too, on stderr and with 2."""
    assert main(["schema"]) == 0
    assert capsys.readouterr().out.split() == FORMATS
    assert main(["schema", "nothing"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.split() == FORMATS


@pytest.mark.parametrize("name", FORMATS)
def test_every_schema_is_a_closed_schema(capsys, name):
    """Each prints a valid JSON Schema of 2020-12 that refuses unknown fields."""
    jsonschema = pytest.importorskip("jsonschema")
    assert main(["schema", name]) == 0
    schema = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("arguments", [[], ["check"], ["nonsense"], ["check", "--bank"]])
def test_wrong_usage_ends_with_two(capsys, arguments):
    """Argparse says what is wrong, and the status is 2."""
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert "usage: pii-eval" in capsys.readouterr().err


def contracts():
    """Return, by format, a row that holds and the contract that reads it."""
    bank = load_bank(SHIPPED / "bank.json")
    plan = make_plan(
        parse_slice(json.loads(line))
        for line in (SHIPPED / "quality-slices.jsonl").read_text(encoding="utf-8").splitlines()
    )
    return {
        "record": (first_row("quality-records.jsonl"), RecordContract(plan, bank).parse),
        "slice": (first_row("quality-slices.jsonl"), parse_slice),
        "unsupported-slice": (first_row("unsupported-slices.jsonl"), parse_unsupported),
        "provenance": (first_row("quality-provenance.jsonl"), parse_origin),
        "positive-case": (
            first_row("conformance-positive-texts.jsonl"),
            CaseContract("positive", bank).parse,
        ),
        "negative-case": (
            first_row("conformance-negative-texts.jsonl"),
            CaseContract("negative", bank).parse,
        ),
        "suite": (
            {"gates": [{"slice": "*", "metric": "recall", "min": "0.5"}], "role": "dev_freeze"},
            lambda value: parse_suite(value, default_taxonomy()),
        ),
        "taxonomy": ({"version": "1", "types": {"email": "contact"}}, parse_taxonomy),
    }


# Format, path into a row, and a value that the schema refuses there; `...` takes the field away.
REFUSED = [
    ("record", ("document", "document_id"), "has a blank"),
    ("record", ("document", "split_role"), "holdout"),
    ("record", ("document", "text"), 7),
    ("record", ("document", "extra"), 1),
    ("record", ("gold_spans", 0, "start"), -1),
    ("record", ("gold_spans", 0, "start"), "0"),
    ("record", ("gold_spans", 0, "catalog_identity"), ...),
    ("record", ("slice_ids",), []),
    ("record", ("extra",), 1),
    ("slice", ("text_view_descriptor", "extra"), 1),
    ("unsupported-slice", ("extra",), 1),
    ("provenance", ("extra",), 1),
    ("positive-case", ("expected", 0, "extra"), 1),
    ("suite", ("gates", 0, "extra"), "1"),
    ("taxonomy", ("extra",), "1"),
    ("slice", ("promotion_gate",), 1),
    ("slice", ("label_strength",), "strong"),
    ("slice", ("annotation_scope", "span_policy_sha256"), "sha256:0"),
    ("slice", ("annotation_scope", "document_regions"), []),
    ("slice", ("cohort",), ...),
    ("unsupported-slice", ("reason_code",), "has a blank"),
    ("unsupported-slice", ("id",), "x" * 129),
    ("provenance", ("source_corpus",), ""),
    ("provenance", ("template_id",), None),
    ("positive-case", ("tags",), ["purple"]),
    ("positive-case", ("expected",), []),
    ("positive-case", ("schema_version",), "v1"),
    ("negative-case", ("text",), ""),
    ("negative-case", ("case_id",), ...),
    ("suite", ("role",), "secret"),
    ("suite", ("gates", 0, "metric"), "Recall"),
    ("suite", ("gates", 0, "slice"), ""),
    ("taxonomy", ("types",), {}),
    ("taxonomy", ("types", "email"), "a class"),
]


def test_schemas_and_contracts_agree():
    """A sound row passes both; what a schema refuses its contract refuses, for some thirty damages."""
    jsonschema = pytest.importorskip("jsonschema")
    from pytest_pii_eval.reports.schemas import json_schema  # noqa: PLC0415  # beside its validator

    sound = contracts()
    validators = {name: jsonschema.Draft202012Validator(json_schema(name)) for name in sound}
    for name, (row, parse) in sound.items():
        assert list(validators[name].iter_errors(row)) == [], name
        parse(row)
    for name, path, value in REFUSED:
        row, parse = sound[name]
        damaged = changed(row, path, value)
        assert list(validators[name].iter_errors(damaged)), (name, path)
        with pytest.raises(Fault) as fault:
            parse(damaged)
        assert "\n" not in str(fault.value)


def changed(row, path, value):
    """Return a copy of a row with the field at `path` set to `value`, or taken away."""
    damaged = copy.deepcopy(row)
    inner = damaged
    for step in path[:-1]:
        inner = inner[step]
    if value is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return damaged


# What crosses fields is no part of a schema: the contract refuses more.
CROSSING = [
    ("record", ("gold_spans", 0, "end"), 100_000),
    ("record", ("gold_spans", 0, "document_id"), "another"),
    ("record", ("slice_ids", 0), "unknown"),
    ("slice", ("entity_class",), "another"),
    ("slice", ("text_view",), "another"),
    ("suite", ("gates", 0, "type"), "shoe_size"),
    ("taxonomy", ("high_severity",), ["nothing"]),
]


@pytest.mark.parametrize(("name", "path", "value"), CROSSING)
def test_contracts_refuse_more_than_schemas(name, path, value):
    """A row whose fields are each sound and contradict each other passes its schema and not its contract."""
    jsonschema = pytest.importorskip("jsonschema")
    from pytest_pii_eval.reports.schemas import json_schema  # noqa: PLC0415  # beside its validator

    row, parse = contracts()[name]
    damaged = changed(row, path, value)
    assert list(jsonschema.Draft202012Validator(json_schema(name)).iter_errors(damaged)) == []
    with pytest.raises(Fault):
        parse(damaged)
