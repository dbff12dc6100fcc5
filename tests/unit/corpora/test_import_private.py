"""`pii-eval import`: words of the input stand in the records, and nowhere else."""

from __future__ import annotations

import json
import sys

import pytest
from import_desk import CANARY, Desk

WORDS = CANARY.split()
CANARIES = (CANARY, *WORDS, ascii(CANARY)[1:-1], ascii(WORDS[1])[1:-1])
SPAN = [0, len(CANARY), "PERSON"]
ROWS = [
    {"doc_id": CANARY, "text": CANARY, "spans": [SPAN], "template": CANARY, CANARY: CANARY},
    {"doc_id": f"{CANARY} 2", "text": f"{CANARY} again", "spans": [], "template": None},
    {"doc_id": CANARY, "text": CANARY, "spans": [SPAN], "template": CANARY},
    {"doc_id": f"{CANARY} 4", "text": CANARY, "spans": [[0, 5, CANARY]], "template": 4},
    {"doc_id": f"{CANARY} 5", "text": CANARY, "spans": CANARY, "template": 5},
    {"doc_id": f"{CANARY} 6", "text": CANARY, "spans": [[0, CANARY, "PERSON"]], "template": 6},
    f'{{"doc_id": "{CANARY}"',
]
PRINTS = f"""\
import sys
from pytest_pii_eval.corpora.draft import Draft

class Adapter:
    name, version, offset_unit, policy = "own", "1", "codepoint", "as it stands"

    def read(self, path):
        print("{CANARY}")
        print("{CANARY}", file=sys.stderr)
        yield Draft(1, "{CANARY}", "{CANARY}", ((0, 4, "person"),))
"""


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A desk in an empty folder; what the command appends to the module path goes with the test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return Desk(tmp_path)


def holding(text):
    """Return the canaries in a text."""
    return [canary for canary in CANARIES if canary.casefold() in text.casefold()]


@pytest.mark.parametrize(("most", "status"), [(5, 0), (4, 1)])
def test_only_records_hold_words_of_the_input(desk, capsys, most, status):
    """Ids, templates, unknown fields, labels, values and broken rows reach neither output nor other files."""
    options = ("--label-map=presidio", "--option=template_id=template", f"--max-quarantined={most}")
    assert desk.spans(*ROWS, labels=None, options=options) == status
    told = capsys.readouterr()
    assert "quarantined" in told.err
    assert holding(told.out + told.err) == []
    if status == 0:
        held = {path.name: bool(holding(path.read_text("utf-8"))) for path in desk.out.iterdir()}
        assert [name for name, holds in held.items() if holds] == ["quality-records.jsonl"]
        assert not holding(json.dumps([path.name for path in desk.out.iterdir()]))


def test_what_an_adapter_prints_goes_nowhere(desk, capfd):
    """A stranger's adapter that shows its rows is not heard."""
    desk.file("printing_adapter.py", PRINTS)
    desk.file("own.txt", "x")
    assert desk.run("printing_adapter:Adapter", "own.txt") == 0
    told = capfd.readouterr()
    assert told.out.startswith("suite: 1 document, 1 span of 1 type, 0 quarantined;")
    assert holding(told.out + told.err) == []
