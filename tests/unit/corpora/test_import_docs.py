"""The page docs/own-data.md: its examples run, its tables name what there is."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import get_args

import pytest
from import_desk import Desk

from pytest_pii_eval.cli import main
from pytest_pii_eval.corpora.draft import Reason

PAGE = (Path(__file__).parents[3] / "docs" / "own-data.md").read_text("utf-8")
SHARED = Path(__file__).parents[3].parent / "shared" / "corpora"
BLOCKS = re.findall(r"```(\w+)(?: (\S+))?\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = [
    line for _, _, block in BLOCKS for line in block.splitlines() if line.startswith("pii-eval import ")
]
OWN = [line for line in COMMANDS if "path/to/" not in line and "FORMAT" not in line]


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with every example file of the page in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "cards", raising=False)
    for folder in ("build", "letters"):
        (tmp_path / folder).mkdir()
    made = Desk(tmp_path)
    made.file("letters/17.txt", "Ada Moe, ada@mail.example")
    for _, name, block in BLOCKS:
        if name:
            made.file(name, block)
    return made


@pytest.mark.parametrize("line", OWN, ids=lambda line: line.split()[3])
def test_every_example_makes_a_suite(desk, line):
    """Each gives the same two spans, but for columns that have lost the white space of their text."""
    arguments = shlex.split(line)[1:]
    assert main(arguments) == 0
    desk.out = desk.folder / arguments[-1]
    (record,) = desk.suite("records")
    text = record["document"]["text"]
    assert text == ("Ada Moe , ada@mail.example" if "conll" in line else "Ada Moe, ada@mail.example")
    found = {(text[one["start"] : one["end"]], one["entity_class"]) for one in record["gold_spans"]}
    assert found == {("Ada Moe", "person"), ("ada@mail.example", "email")}


def test_all_formats_of_exports_have_an_example():
    """The nine formats that people export."""
    assert {line.split()[2] for line in OWN if ":" not in line.split()[2]} == {
        *(
            "bio",
            "brat",
            "doccano",
            "inline",
            "label-studio",
            "presidio-research",
            "prodigy",
            "spacy",
            "spans",
        )
    }


def test_the_adapter_of_the_page_counts_what_does_not_fit(desk, capsys):
    """A line without offsets, one with half of them and one outside the text are left out; others stay."""
    (line,) = [line for line in OWN if ":" in line.split()[2]]
    before = (desk.folder / "cards.txt").read_text()
    bad = "Moe\tPERSON\nMoe\tPERSON:0\nMoe\tPERSON:0:9\nNobody\n"
    (desk.folder / "cards.txt").write_text(before + bad)
    arguments = [*shlex.split(line)[1:], "--max-quarantined=3"]
    assert main(arguments) == 0
    told = capsys.readouterr()
    assert "2 documents, 2 spans of 2 types, 3 quarantined" in told.out
    assert re.findall(r"cards\.txt:(\d): (\w+)", told.err) == [
        ("2", "row_not_readable"),
        ("3", "row_not_readable"),
        ("4", "offset_outside_text"),
    ]


def test_every_reason_is_explained():
    """The table has each reason of the closed list once, in its order."""
    assert re.findall(
        r"^\| `([a-z_]+)` \| [^|]+ \|$", PAGE.split("## Rows that do not fit")[1], re.MULTILINE
    ) == [*get_args(Reason)]


def test_the_message_of_the_page_is_what_is_said(desk, capsys):
    """The sample of two rows with labels that no map was given for is what the command prints."""
    row = '{{"doc_id": "{0}", "text": "x", "spans": [[0, 1, "{1}"]]}}'
    name = desk.rows_file("own.jsonl", row.format("a", "EMAIL_ADDRESS"), row.format("b", "ZIP_CODE"))
    desk.file("map.json", "{}")
    assert desk.run("spans", name, "--labels=map.json") == 1
    assert capsys.readouterr().err in [block for _, _, block in BLOCKS]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared corpora are not here")
def test_the_gold_of_the_worked_example_is_that_of_its_commands(tmp_path, monkeypatch, capsys):
    """The lines of the page are printed, and each column has the gold of its import."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "build").mkdir()
    desk = Desk(tmp_path)
    rows = re.findall(r"^\| `class\.(\w+)` \|([^|]*)\|([^|]*)\|([^|]*)\|$", PAGE, re.MULTILINE)
    for column, line in enumerate([line for line in COMMANDS if "path/to/" in line], 1):
        arguments = shlex.split(line.replace("path/to", str(SHARED)))[1:]
        assert main(arguments) == 0
        assert capsys.readouterr().out.strip() in PAGE.splitlines()
        desk.out = tmp_path / arguments[-1]
        printed = {row[0]: re.search(r"/([\d,]+) =", row[column]) for row in rows}
        gold = {name: int(one[1].replace(",", "")) for name, one in printed.items() if one is not None}
        assert gold == desk.receipt()["spans_by_type"]
