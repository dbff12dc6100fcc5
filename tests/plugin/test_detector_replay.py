"""Predictions in the place of their detector: the same slices, in any number of processes, or a refusal."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from detector_modules import FIND, FULL, raising
from reading import lines_of

RAISES = raising("raise ValueError(text)")
SHAPELESS = raising("yield text")
SUBJECTS = [
    (FIND, ("--detector", "mine:find"), ("--pii-detector=mine:find",)),
    (FULL, ("--detector", "mine:Full"), ("--pii-detector=mine:Full",)),
    (RAISES, ("--detector", "mine:find"), ("--pii-detector=mine:find",)),
    (SHAPELESS, ("--detector", "mine:find"), ("--pii-detector=mine:find",)),
    ("", ("--bank", "bank.json"), ("--pii-bank=bank.json",)),
]

IDS = ["function", "class", "failing", "shapeless", "bank"]


def _predict(quality, *arguments, status=0):
    command = [
        sys.executable,
        "-m",
        "pytest_pii_eval",
        "predict",
        ".",
        *arguments,
        "--out",
        "p.jsonl",
        "--force",
    ]
    result = subprocess.run(command, cwd=quality.path, capture_output=True, text=True, check=False)
    assert result.returncode == status, result.stderr


def _complaints(result):
    return [line for line in result.outlines if "have no answer" in line]


def _told(quality):
    report = quality.report()
    assert report["subject"].pop("replayed", False) in (True, False)
    for part in ("run", "subject", "fingerprints"):
        del report[part]
    return report


@pytest.mark.parametrize(("module", "predict", "ask"), SUBJECTS, ids=IDS)
def test_a_replay_gives_what_the_detector_gives(quality, processes, module, predict, ask):
    """Slices, gates and failed documents are equal; the detector's module is gone by then."""
    quality.pytester.makepyfile(mine=module)
    direct = quality.write().run(*ask, bank=None)
    wanted, subject = _told(quality), quality.report()["subject"]["fingerprint"]
    _predict(quality, *predict, status=int(module in (RAISES, SHAPELESS)))
    (quality.path / "mine.py").unlink()
    replayed = quality.run(*processes, "--pii-predictions=p.jsonl", bank=None)
    assert replayed.ret == direct.ret
    assert _complaints(replayed) == _complaints(direct)
    assert (_told(quality), quality.report()["subject"]["fingerprint"]) == (wanted, subject)
    assert quality.report()["subject"]["replayed"] is True


def test_text_that_changed_is_refused(quality, processes):
    """Another text under a known id: a line with the record's place, and no answer is made up."""
    quality.pytester.makepyfile(mine=FIND)
    quality.only("contact").write()
    _predict(quality, "--detector", "mine:find")
    quality.record("order")["document"]["text"] = "Order 8 has shipped."
    result = quality.write().run(*processes, "--pii-predictions=p.jsonl", bank=None)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*quality-records.jsonl:5: *changed*"])
    assert quality.report()["complete"] is False


def test_a_document_that_nobody_predicted_is_refused(quality):
    """Its id is not shown, its place is."""
    quality.pytester.makepyfile(mine=FIND)
    quality.only("contact").write()
    _predict(quality, "--detector", "mine:find", "--limit", "4")
    result = quality.run("--pii-predictions=p.jsonl", bank=None)
    result.stdout.fnmatch_lines(["*quality-records.jsonl:5: *no prediction*pii-eval predict*"])
    assert "canarydoc" not in lines_of(result)


def test_a_broken_file_is_one_line(quality):
    """Place, field and rule, as of any file; nothing is scored."""
    quality.pytester.makepyfile(mine=FIND)
    quality.only("contact").write()
    _predict(quality, "--detector", "mine:find")
    path = quality.path / "p.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows[2]["selected"] = [[5, 3, "email", None, None]]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = quality.run("--pii-predictions=p.jsonl", bank=None)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["p.jsonl:3: selected*"])
