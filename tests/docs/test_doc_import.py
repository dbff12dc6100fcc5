"""The page docs/own-data.md: its examples make the suite they promise, its tables name what there is."""

from __future__ import annotations

import json
import re
import shlex
import sys
from typing import get_args

import pytest
from docs_fences import ROOT, fences, read_page

from pytest_pii_eval.cli import main
from pytest_pii_eval.corpora.draft import Reason

_PAGE = "docs/own-data.md"
_FENCES = fences(_PAGE)
_SHARED = ROOT.parent / "shared" / "corpora"
_COMMANDS = [
    shlex.split(line)[1:]
    for one in _FENCES
    if one.language == "sh"
    for line in one.text.splitlines()
    if line.startswith("pii-eval import ") and "FORMAT FILE" not in line
]
_OWN = [one for one in _COMMANDS if "path/to/" not in one[2]]
_FORMATS = "bio brat doccano inline label-studio presidio-research prodigy spacy spans"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with every example file of the page in it, where commands write into `build`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "cards", raising=False)
    for made in ("build", "letters"):
        (tmp_path / made).mkdir()
    for one in _FENCES:
        if one.name:
            (tmp_path / one.name).write_text(one.text, "utf-8", newline="")
    return tmp_path


@pytest.mark.parametrize("arguments", _OWN, ids=lambda arguments: arguments[2])
def test_every_example_makes_a_suite(folder, arguments):
    """Each gives the same two spans, but for columns that have lost the white space of their text."""
    assert main(arguments) == 0
    (line,) = (folder / arguments[-1] / "quality-records.jsonl").read_text("utf-8").splitlines()
    record = json.loads(line)
    text = record["document"]["text"].strip()
    assert text == (
        "Ada Moe , ada@mail.example" if "shape=conll" in arguments else "Ada Moe, ada@mail.example"
    )
    found = {(text[one["start"] : one["end"]], one["entity_class"]) for one in record["gold_spans"]}
    assert found == {("Ada Moe", "person"), ("ada@mail.example", "email")}


def test_all_formats_of_exports_have_an_example():
    """The nine formats that people export."""
    assert {one[1] for one in _OWN if ":" not in one[1]} == set(_FORMATS.split())


def test_the_adapter_of_the_page_counts_what_does_not_fit(folder, capsys):
    """A line without offsets, one with half of them and one outside the text are left out; others stay."""
    (arguments,) = [one for one in _OWN if ":" in one[1]]
    before = (folder / "cards.txt").read_text()
    bad = "Moe\tPERSON\nMoe\tPERSON:0\nMoe\tPERSON:0:9\nNobody\n"
    (folder / "cards.txt").write_text(before + bad)
    assert main([*arguments, "--max-quarantined=3"]) == 0
    told = capsys.readouterr()
    assert "2 documents, 2 spans of 2 types, 3 quarantined" in told.out
    assert re.findall(r"cards\.txt:(\d): (\w+)", told.err) == [
        ("2", "row_not_readable"),
        ("3", "row_not_readable"),
        ("4", "offset_outside_text"),
    ]


def test_every_reason_is_explained():
    """The table has each reason of the closed list once, in its order."""
    table = read_page(_PAGE).split("## Rows that do not fit")[1]
    assert re.findall(r"^\| `([a-z_]+)` \| [^|]+ \|$", table, re.MULTILINE) == [*get_args(Reason)]


def test_the_message_of_the_page_is_what_is_said(folder, capsys):
    """The sample of two rows with labels that no map was given for is what the command prints."""
    row = '{{"doc_id": "{0}", "text": "x", "spans": [[0, 1, "{1}"]]}}\n'
    rows = row.format("a", "EMAIL_ADDRESS") + row.format("b", "ZIP_CODE")
    (folder / "own.jsonl").write_text(rows)
    (folder / "map.json").write_text("{}")
    assert main(["import", "spans", "own.jsonl", "--labels=map.json", "--out=suite"]) == 1
    assert capsys.readouterr().err in [one.text for one in _FENCES]


@pytest.mark.skipif(not _SHARED.is_dir(), reason="the shared corpora are not here")
def test_the_gold_of_the_worked_example_is_that_of_its_commands(tmp_path, monkeypatch, capsys):
    """The lines of the page are printed, and each column has the gold of its import."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "build").mkdir()
    page = read_page(_PAGE)
    rows = re.findall(r"^\| `class\.(\w+)` \|([^|]*)\|([^|]*)\|([^|]*)\|$", page, re.MULTILINE)
    for column, given in enumerate([one for one in _COMMANDS if "path/to/" in one[2]], 1):
        arguments = [part.replace("path/to", str(_SHARED)) for part in given]
        assert main(arguments) == 0
        assert capsys.readouterr().out.strip() in page.splitlines()
        receipt = json.loads((tmp_path / arguments[-1] / "receipt.json").read_text("utf-8"))
        printed = {row[0]: re.search(r"/([\d,]+) =", row[column]) for row in rows}
        gold = {name: int(one[1].replace(",", "")) for name, one in printed.items() if one is not None}
        assert gold == receipt["spans_by_type"]
