"""The files behind the tutorials are what a reader makes who follows the pages."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from pytest_pii_eval.cli import main

DOCS = Path(__file__).parents[2] / "docs"
BANK = DOCS / "examples" / "tutorial-bank"
DETECTOR = DOCS / "examples" / "tutorial-detector"


def files(page: str) -> dict[str, str]:
    """Return the files that a page has its reader write, by name."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return dict(re.findall(r"^```\w+ (\S+\.\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))


def edits(page: str) -> list[str]:
    """Return the blocks that show a piece of a file, and neither a file nor an output."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(r"(?<!```)\n\n```text\n((?:\"|CARD).*?)^```$", text, re.DOTALL | re.MULTILINE)


def bank(step: str) -> dict[str, Any]:
    """Return the bank of a step as the tests of the page get it."""
    found = json.loads((BANK / step).read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def patterns(found: dict[str, Any]) -> dict[str, Any]:
    """Return the patterns of membership numbers."""
    return found["entities"]["membership"]["names"]["number"]["patterns"]


def test_the_second_pattern_is_the_one_that_the_page_shows():
    """The bank of step two is that of the page, with the piece that it shows below `plain`."""
    expected = json.loads(files("tutorial-bank.md")["pii/bank.json"])
    (piece,) = edits("tutorial-bank.md")
    patterns(expected).update(json.loads("{" + piece + "}"))
    assert bank("bank-2-shadowed.json") == expected
    assert list(patterns(bank("bank-2-shadowed.json"))) == ["plain", "with_boat"]


def test_the_longer_pattern_goes_first():
    """Step three changes one number: the priority of `with_boat` is 50."""
    expected = bank("bank-2-shadowed.json")
    patterns(expected)["with_boat"]["priority"] = 50
    assert bank("bank-3-ordered.json") == expected


def test_both_patterns_are_narrowed():
    """Step four has `MB-[1-5][0-9]{5}` in place of `MB-[0-9]{6}`, twice, and nothing else."""
    text = (BANK / "bank-3-ordered.json").read_text(encoding="utf-8")
    assert text.count("MB-[0-9]{6}") == 2
    expected = text.replace("MB-[0-9]{6}", "MB-[1-5][0-9]{5}")
    assert (BANK / "bank-4-narrow.json").read_text(encoding="utf-8") == expected


def test_the_broken_bank_differs_in_one_word():
    """What the page breaks is `case_sensitive` of the pattern `full`."""
    expected = bank("bank-4-narrow.json")
    expected["entities"]["person"]["names"]["ada_quill"]["patterns"]["full"]["case_sensitive"] = True
    assert bank("bank-5-broken.json") == expected


@pytest.mark.parametrize("kind", ["positive", "negative"])
def test_the_cases_are_those_of_the_page(tmp_path, kind):
    """Table and script of the page, with the lines that it adds, make the cases of the finished suite."""
    page = (DOCS / "tutorial-bank.md").read_text(encoding="utf-8")
    added = re.findall(r"^echo '(.*)' >> pii/cases.txt$", page, re.MULTILINE)
    assert len(added) == 2
    written = files("tutorial-bank.md")
    (tmp_path / "cases.py").write_text(written["pii/cases.py"], encoding="utf-8")
    (tmp_path / "cases.txt").write_text(written["pii/cases.txt"] + "\n".join(added), encoding="utf-8")
    (tmp_path / "bank.json").write_bytes((BANK / "bank-4-narrow.json").read_bytes())
    runpy.run_path(str(tmp_path / "cases.py"))
    name = f"conformance-{kind}.jsonl"
    assert (tmp_path / name).read_bytes() == (BANK / "pii" / name).read_bytes()


def test_the_letters_are_those_of_the_page(tmp_path, monkeypatch, capsys):
    """The import of the page makes the records and slices of the finished suite."""
    written = files("tutorial-bank.md")
    (tmp_path / "letters.jsonl").write_text(written["letters.jsonl"], encoding="utf-8")
    assert (BANK / "letters.jsonl").read_text(encoding="utf-8") == written["letters.jsonl"]
    monkeypatch.chdir(tmp_path)
    words = "import inline letters.jsonl --option tags=brackets --allow-tracked --out letters --quiet"
    assert main(words.split()) == 0
    capsys.readouterr()
    finished = BANK / "pii" / "letters"
    made = {path.name: path.read_bytes() for path in (tmp_path / "letters").iterdir()}
    written_by_hand = ("catalog-bindings.jsonl", "suite.yaml")
    assert made == {
        path.name: path.read_bytes() for path in finished.iterdir() if path.name not in written_by_hand
    }
    for name in written_by_hand:
        assert (finished / name).read_text(encoding="utf-8") == written[f"pii/letters/{name}"]


def test_the_finished_suite_has_the_bank_of_step_four():
    """What other pages start from is the bank before it was broken."""
    assert bank("pii/bank.json") == bank("bank-4-narrow.json")


def test_the_last_detector_has_the_line_that_the_page_shows():
    """The detector of the last step is the mended one, with the pattern for cards that the page shows."""
    mended = re.findall(
        r"^```python finder.py\n(.*?)^```$",
        (DOCS / "tutorial-detector.md").read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )[1]
    (line,) = edits("tutorial-detector.md")
    expected = re.sub(r"^CARD = .*\n", lambda _: line, mended, flags=re.MULTILINE)
    assert (DETECTOR / "finder-3.txt").read_text(encoding="utf-8") == expected


def test_the_letters_of_the_detector_are_those_of_the_page():
    """Other pages start from the letters of the tutorial."""
    written = files("tutorial-detector.md")
    assert (DETECTOR / "letters.jsonl").read_text(encoding="utf-8") == written["letters.jsonl"]
