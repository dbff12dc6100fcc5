"""`pii-eval import`: what does not fit is told without text, and where it fails nothing is left."""

from __future__ import annotations

import json
import subprocess

import pytest
from import_desk import CANARY, LABELS, MAIL, NAME, NOTHING, Desk

from pytest_pii_eval.cli import main
from pytest_pii_eval.private import PrivateDirectory


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A desk in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path)


def nothing_is_left(desk):
    """Tell whether no suite and no part of one lies in the folder."""
    return not any("suite" in name for name in desk.left())


def test_rows_that_do_not_fit_are_told_by_file_row_and_reason(desk, capsys):
    """Ten rows are named, the rest counted, then counts by reason; no text, no id, no suite."""
    bad = {"doc_id": CANARY, "text": CANARY, "spans": [[0, 99, "NAME"]]}
    rows = [NAME, *[{**bad, "doc_id": f"{CANARY} {number}"} for number in range(9)], "no JSON " + CANARY]
    assert desk.spans(*rows, {**bad, "text": 5}, {**NAME, "text": CANARY}) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == (
        "".join(f"own.jsonl:{row}: offset_outside_text\n" for row in range(2, 11))
        + "own.jsonl:11: row_not_readable\n"
        "and 2 more rows\n"
        "quarantined: offset_outside_text 9, repeated_document 1, row_not_readable 1, text_not_string 1\n"
        "12 of 13 rows do not fit, and --max-quarantined is 0; nothing was written\n"
    )
    assert nothing_is_left(desk)


@pytest.mark.parametrize(("most", "status"), [(1, 1), (2, 0)])
def test_as_many_rows_as_allowed_may_be_left_out(desk, capsys, most, status):
    """They are told all the same, counted in the receipt, and gone from the records."""
    rows = [{**NAME, "text": ""}, MAIL, {**NOTHING, "spans": None}]
    assert desk.spans(*rows, options=(f"--max-quarantined={most}",)) == status
    told = capsys.readouterr()
    assert "own.jsonl:1: offset_outside_text\nown.jsonl:3: field_missing\n" in told.err
    if status == 0:
        assert "1 document, 2 spans of 2 types, 2 quarantined;" in told.out
        assert desk.receipt()["quarantined"] == {"field_missing": 1, "offset_outside_text": 1}
        assert [row["document"]["document_id"] for row in desk.suite("records")] == ["m1"]


def test_a_row_is_told_with_the_name_of_its_file(desk, capsys):
    """Of two files, the one that the row is in; its folder is not told."""
    (desk.folder / CANARY).mkdir()
    first, second = desk.rows_file("a.jsonl", NAME), desk.rows_file(f"{CANARY}/b.jsonl", "[]")
    desk.file("map.json", json.dumps(LABELS))
    assert desk.run("spans", first, second, "--labels=map.json") == 1
    told = capsys.readouterr().err
    assert told.startswith("b.jsonl:1: row_not_readable\n")
    assert CANARY not in told


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([NOTHING], "none of 1 documents has a span, so there is no type to score\n"),
        ([], "none of 0 rows is a document of the role validation\n"),
    ],
)
def test_a_suite_without_gold_is_none(desk, capsys, rows, fault):
    """Nothing to find is nothing to score."""
    assert desk.spans(*rows) == 1
    assert capsys.readouterr().err == fault
    assert nothing_is_left(desk)


def test_too_many_types_for_a_plan(desk, capsys):
    """255 types make 257 slices, one with all and one without gold, and a plan holds 256."""
    types = {f"t{number}": "x" for number in range(255)}
    desk.file("taxonomy.json", json.dumps({"version": "v1", "types": types}))
    row = {"doc_id": "a", "text": "Ann", "spans": [[0, 3, name] for name in types]}
    assert desk.spans(row, NOTHING, labels=None, options=("--taxonomy=taxonomy.json",)) == 1
    assert capsys.readouterr().err == (
        "255 types make 257 slices; a plan holds 256: map the labels to fewer types\n"
    )
    assert nothing_is_left(desk)


def test_a_type_with_the_name_of_the_scope_is_refused(desk, capsys):
    """The contract of slices holds before anything is written."""
    desk.file("taxonomy.json", '{"version": "v1", "types": {"all_types": "x", "person": "x"}}')
    labels = {"NAME": "all_types", "EMAIL": "person"}
    assert desk.spans(MAIL, labels=labels, options=("--taxonomy=taxonomy.json",)) == 1
    assert "is the id of a scope of several classes" in capsys.readouterr().err
    assert nothing_is_left(desk)


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        (("absent.jsonl",), "absent.jsonl: does not exist\n"),
        (("own.jsonl", "copy.jsonl"), "own.jsonl: is given twice, or under two names\n"),
        (("own.jsonl", "./own.jsonl"), "own.jsonl: is given twice, or under two names\n"),
        (("folder",), "folder: is a folder; only the format brat is read from one\n"),
        (("link.jsonl",), "link.jsonl: is a symlink; name the real file\n"),
    ],
)
def test_files_that_are_none(desk, capsys, files, fault):
    """A missing file, one twice, a folder and a link are faults of one line."""
    desk.rows_file("own.jsonl", NAME)
    desk.rows_file("copy.jsonl", NAME)
    (desk.folder / "folder").mkdir()
    (desk.folder / "link.jsonl").symlink_to(desk.folder / "own.jsonl")
    assert desk.run("spans", *files) == 1
    assert capsys.readouterr().err == fault


def test_a_link_in_a_brat_folder_is_refused_without_its_name(desk, capsys):
    """The names in such a folder may be those of people."""
    (desk.folder / "letters").mkdir()
    (desk.folder / "letters" / f"{CANARY}.txt").symlink_to(desk.folder)
    assert desk.run("brat", "letters") == 1
    assert capsys.readouterr().err == "letters/*.txt: is a symlink; name the real file\n"


def test_a_directory_that_exists_is_left_alone(desk, capsys):
    """The command writes into a new directory only."""
    desk.out.mkdir()
    assert desk.spans(NAME) == 1
    assert capsys.readouterr().err == "suite: exists already; name a new directory\n"
    assert list(desk.out.iterdir()) == []


def test_git_never_gets_to_see_it(desk, capsys):
    """A place that git would track is refused, unless it is ignored or allowed."""
    subprocess.run(["git", "init", "-q", "."], check=True, cwd=desk.folder)  # noqa: S607  # as the command finds it
    assert desk.spans(NAME) == 1
    assert capsys.readouterr().err == (
        "suite: lies where git would track it; choose an ignored place, or give --allow-tracked\n"
    )
    assert nothing_is_left(desk)
    assert desk.spans(NAME, options=("--allow-tracked",)) == 0
    desk.out.rename(desk.folder / "first")
    desk.file(".gitignore", "suite/\n")
    assert desk.spans(NAME) == 0


def test_a_full_disk_leaves_nothing(desk, capsys, monkeypatch):
    """What the system says is named by its code, and the half-written suite is removed."""

    def full(*_):
        raise OSError(28, CANARY)

    monkeypatch.setattr(PrivateDirectory, "write", full)
    assert desk.spans(NAME) == 1
    assert capsys.readouterr().err == "suite: cannot be read or written (ENOSPC); nothing is left of it\n"
    assert nothing_is_left(desk)


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["spans", "own.jsonl"], "the following arguments are required: --out"),
        (["spans", "--out=suite"], "the following arguments are required: FILE"),
        (["a b", "own.jsonl", "--out=suite"], "must be the name of an adapter, or module:attribute"),
        (["spans", "own.jsonl", "--out=suite", "--option=unit"], "must have the form KEY=VALUE"),
        (
            ["spans", "own.jsonl", "--out=suite", "--option=unit=utf16", "--option=unit=byte"],
            "the key unit is given twice",
        ),
        (["spans", "own.jsonl", "--out=suite", "--role=dev"], "invalid choice"),
        (["spans", "own.jsonl", "--out=suite", "--corpus=a b"], "must be letters, digits and"),
        (["spans", "own.jsonl", "--out=suite", "--max-quarantined=-1"], "must be a whole number"),
    ],
)
def test_wrong_usage_ends_with_2(desk, capsys, arguments, fault):
    """What the command line itself gets wrong is usage."""
    with pytest.raises(SystemExit) as ended:
        main(["import", *arguments])
    assert ended.value.code == 2
    assert fault in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["nobody", "own.jsonl"], "no corpus adapter has this name; name module:attribute or one of: bio, "),
        (
            ["spans", "own.jsonl", "--option=colour=red"],
            "the adapter spans takes no option colour; it takes: ",
        ),
        (["spans", "own.jsonl", "--option=unit=inch"], "options.unit: must be one of: codepoint, "),
        (["bio", "own.jsonl"], "the adapter bio needs the options shape\n"),
    ],
)
def test_adapters_are_looked_up_and_asked(desk, capsys, arguments, fault):
    """An unknown adapter and options that it does not take are faults of one line."""
    desk.rows_file("own.jsonl", NAME)
    assert desk.run(*arguments) == 1
    told = capsys.readouterr().err
    assert told.startswith(fault)
    assert told.count("\n") == 1


def test_a_corpus_that_keeps_labels_apart_is_no_export(desk, capsys):
    """The CMU archive shows its train role only: it is prepared from a pin, never imported around that."""
    (desk.folder / "archive.zip").write_bytes(b"PK")
    assert main(["import", "cmu-enron-meetings", "archive.zip", "--role=test", "--out=suite"]) == 1
    assert "pin it, and run 'pii-eval corpus prepare'" in capsys.readouterr().err
    assert nothing_is_left(desk)
