"""`pii-eval freeze hash`: train lists of suites, sidecars and lists; ids that would hide a match."""

from __future__ import annotations

import gzip
import json
import subprocess

import pytest
from freeze_suites import CANARY, document, rows_of, template, write_suite

from pytest_pii_eval.cli import main
from pytest_pii_eval.contracts.train_lists import read_train_list


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Runs the action in a working directory with a suite; returns status and both streams."""
    write_suite(tmp_path / "train", [2, 1, 2])
    monkeypatch.chdir(tmp_path)

    def run_action(*arguments):
        status = main(["freeze", "hash", *arguments, "--out=list.jsonl"])
        told = capsys.readouterr()
        assert CANARY not in told.out + told.err
        return status, told.out, told.err

    return run_action


def hashed(*names):
    """Return the rows of a train list of these ids, with hashes as coreutils makes them."""
    command = ["sha256sum"]
    found = [
        subprocess.run(command, input=name.encode(), capture_output=True, check=True).stdout for name in names
    ]
    return sorted(f"sha256:{one.decode().split()[0]}" for one in found)


def written(folder):
    """Return the hashes of the list that was written, in its order."""
    return [row["template_sha256"] for row in rows_of(folder / "list.jsonl")]


@pytest.mark.parametrize("source", ["train", "train/quality-provenance.jsonl"])
def test_templates_are_hashed_once_and_sorted(tmp_path, run, source):
    """A suite and its sidecar give the same list, which says nothing of where it is from."""
    assert run(source) == (0, "list.jsonl: 2 ids as hashes\n", "")
    assert written(tmp_path) == hashed(template(1), template(2))
    assert read_train_list(tmp_path / "list.jsonl") == frozenset(written(tmp_path))


def test_a_packed_sidecar_is_hashed_as_a_plain_one(tmp_path, run):
    """The ids are the same, so the list is."""
    sidecar = tmp_path / "train" / "quality-provenance.jsonl"
    packed = sidecar.with_name("quality-provenance.jsonl.gz")
    packed.write_bytes(gzip.compress(sidecar.read_bytes()))
    assert run(f"train/{packed.name}")[0] == 0
    assert written(tmp_path) == hashed(template(1), template(2))


@pytest.mark.parametrize("source", ["train", "train/quality-provenance.jsonl"])
def test_documents_are_hashed_where_they_split(tmp_path, run, source):
    """Real rows have been trained on by document."""
    assert run(source, "--split-key=document_id")[0] == 0
    assert written(tmp_path) == hashed(*map(document, range(3)))


@pytest.mark.parametrize("name", ["ids.txt", "ids.jsonl"])
def test_a_list_of_ids_is_hashed(tmp_path, run, name):
    """One id a line: plain, or as JSON strings."""
    ids = [template(2), template(1), template(2)]
    lines = [json.dumps(one) if name.endswith("l") else one for one in ids]
    (tmp_path / name).write_bytes("".join(f"{line}\n" for line in lines).encode())
    assert run(f"--ids={name}") == (0, "list.jsonl: 2 ids as hashes\n", "")
    assert written(tmp_path) == hashed(template(1), template(2))


NOTHING = "holds no id; a train list of nothing shows nothing: state train_lists: none in the freezes file"
NEITHER = "is neither the directory of a suite nor a provenance sidecar; give a list of ids as --ids"
SPACE = "holds white space; an id with it would match no other, and nothing is trimmed here"
FOREIGN = "holds characters that are not ASCII; a look-alike would match no other id"
NONE = "is no id: letters, digits, dots, underscores and dashes, at most 128 of them"


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        (f"{CANARY} ", SPACE),
        (f" {CANARY}", SPACE),
        (f"{CANARY}\t1", SPACE),
        (f"{CANARY}\r", SPACE),
        (f"{CANARY}\N{NO-BREAK SPACE}", SPACE),
        (f"{CANARY}\N{CYRILLIC SMALL LETTER IE}", FOREIGN),
        (f"{CANARY}\N{FULLWIDTH DIGIT SEVEN}", FOREIGN),
        (f"{CANARY}\N{ZERO WIDTH JOINER}", FOREIGN),
        (f"{CANARY}\N{SOFT HYPHEN}", FOREIGN),
        (f"-{CANARY}", NONE),
        (f"{CANARY}/1", NONE),
        ("x" * 129, NONE),
        (f"{CANARY}\0", NONE),
        ("", NONE),
        ("x" * 5000, "line is longer than the limit of 4,096 bytes"),
    ],
)
def test_an_id_that_would_hide_a_match_is_refused(tmp_path, run, line, rule):
    """It is neither hashed nor trimmed; the fault names its line and not the id."""
    (tmp_path / "ids.txt").write_bytes(f"good\n{line}\n".encode())
    assert run("--ids=ids.txt") == (1, "", f"ids.txt:2: {rule}\n")
    assert not (tmp_path / "list.jsonl").exists()


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (
            b"\xef\xbb\xbfa\n",
            "ids.txt:1: starts with a UTF-8 byte order mark (BOM); save as UTF-8 without BOM",
        ),
        (b"good\n\xff\n", "ids.txt:2: is not valid UTF-8"),
        (b"good\nbad", "ids.txt:2: last line does not end with a line feed; the file may be cut off"),
        (b"", f"ids.txt: {NOTHING}"),
    ],
)
def test_a_list_that_is_none_is_refused(tmp_path, run, content, line):
    """Files that may be cut off, or hold nothing, are no list."""
    (tmp_path / "ids.txt").write_bytes(content)
    status, _, err = run("--ids=ids.txt")
    assert (status, err) == (1, f"{line}\n")


@pytest.mark.parametrize("content", ["7", '{"template_id": "a"}', "a", '"a\\u0435"', '"a\\n"'])
def test_a_list_of_json_holds_strings(tmp_path, run, content):
    """Rows of another kind, and escapes that hide a look-alike, are refused with their line."""
    (tmp_path / "ids.jsonl").write_text(f'"good"\n{content}\n')
    status, _, err = run("--ids=ids.jsonl")
    assert status == 1
    assert err.startswith("ids.jsonl:2: ")


def test_an_empty_sidecar_is_refused(tmp_path, run):
    """Nothing that was trained on is a fact to state, not a list."""
    (tmp_path / "quality-provenance.jsonl").write_bytes(b"")
    line = f"quality-provenance.jsonl: {NOTHING}\n"
    assert run("quality-provenance.jsonl") == (1, "", line)


def test_a_sidecar_with_a_bad_id_is_refused(tmp_path, run):
    """The contract of the sidecar holds here, too."""
    row = {"document_id": "a", "source_corpus": "b", "template_id": f"{CANARY}\N{CYRILLIC SMALL LETTER IE}"}
    (tmp_path / "quality-provenance.jsonl").write_text(f"{json.dumps(row)}\n")
    status, _, err = run("quality-provenance.jsonl")
    assert status == 1
    assert err.startswith("quality-provenance.jsonl:1: template_id: ")


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("gone", "gone: does not exist"),
        ("train/quality-records.jsonl", f"quality-records.jsonl: {NEITHER}"),
    ],
)
def test_a_source_that_is_none_is_refused(run, source, line):
    """Only ids that a contract vouches for are taken without being asked for as a list."""
    assert run(source) == (1, "", f"{line}\n")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([], "give either SOURCE or --ids"),
        (["train", "--ids=ids.txt"], "give either SOURCE or --ids"),
        (
            ["--ids=ids.txt", "--split-key=document_id"],
            "--split-key goes with SOURCE; a list of ids is hashed as it is",
        ),
    ],
)
def test_arguments_that_do_not_go_together_are_wrong_usage(run, arguments, line):
    """One source, and a split key only where there is something to choose."""
    assert run(*arguments) == (2, "", f"pii-eval freeze hash: {line}\n")


def test_a_list_replaces_nothing_unless_told_to(tmp_path, run):
    """A train list in the repository is evidence."""
    (tmp_path / "list.jsonl").write_text("old")
    assert run("train")[2] == "list.jsonl: exists already; name a new file, or give --replace\n"
    assert (tmp_path / "list.jsonl").read_text() == "old"
    assert run("train", "--replace")[0] == 0
