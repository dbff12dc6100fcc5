"""An imported export, from the command to the report of a run."""

from __future__ import annotations

import json

from conftest import OTHER_PLUGINS
from pytest_pii_eval.cli import main

ROWS = [
    {"id": 1, "text": "write to ann@one.example now", "label": [[9, 24, "MAIL"]]},
    {"id": 2, "text": "or to eve@two.example", "label": [[6, 21, "MAIL"]]},
    {"id": 3, "text": "or to nobody", "label": []},
]
FINDER = """\
def find(text):
    at = text.find("ann@")
    return [(at, at + 15, "email")] if at >= 0 else []
"""


def test_one_command_makes_what_pytest_evaluates(pytester):
    """A doccano export of three rows: recall 1 of 2 of a detector that knows one address, no false alarm."""
    folder = pytester.path
    (folder / "own.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in ROWS), "utf-8")
    (folder / "map.json").write_text('{"MAIL": "email"}', "utf-8")
    pytester.makepyfile(finder=FINDER)
    assert main(["import", "doccano", "own.jsonl", "--labels=map.json", "--out=own"]) == 0
    others = [f"-pno:{plugin}" for plugin in (*OTHER_PLUGINS, "xdist")]
    options = ["--pii-detector=finder:find", "--pii-report=report.json", *others]
    assert pytester.runpytest_subprocess(*options, "own").ret == 0
    slices = json.loads((folder / "report.json").read_text("utf-8"))["slices"]
    assert sorted(slices) == ["all", "class.email", "negative"]
    recall = slices["all"]["metrics"]["recall"]
    assert (recall["numerator"], recall["denominator"]) == (1, 2)
    alarms = slices["negative"]["metrics"]["false_alarm_rate"]
    assert (alarms["numerator"], alarms["denominator"]) == (0, 1)
