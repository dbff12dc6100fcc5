"""The Markdown page of a run: written on the controller, withdrawn when it is old, with what moved on top."""

from __future__ import annotations

import re

from quality_suite import PERSON

# A detector that dies in the middle of a run, once it has been asked for it.
DIES = """
import os
from pytest_pii_eval.detectors.bank_detector import BankDetector

def dying(self, text, **limits):
    os._exit(1)

BankDetector.detect = dying
"""


def page(quality, file="page.md"):
    """Return the page as lines."""
    return (quality.path / file).read_text(encoding="utf-8").split("\n")


def test_the_page_says_what_failed_first(quality):
    """Verdict, then slice, value, limit and the type behind it; the mark is the last line."""
    quality.only("contact", "people").write()
    assert quality.run("--pii-max-leaks=0", "--pii-markdown=page.md").ret == 1
    heading, line, *_, mark, end = page(quality)
    assert heading == "## pii-eval: FAIL"
    assert line == (
        "- Failed: slice `contact`: leaks 1, must be at most 0 (support 5):"
        " type `person` leaks 1 of 3 gold spans;"
        " slice `people`: leaks 1, must be at most 0 (support 3): type `person` leaks 1 of 3 gold spans"
    )
    assert (mark, end) == ("<!-- pii-eval report -->", "")


def test_a_name_that_is_no_longer_found_is_told_in_the_first_lines(quality):
    """Against a baseline the page names slice, type and count of what the detector lost."""
    quality.only("people").write()
    assert quality.run("--pii-report=before.json").ret == 0
    entity, name, pattern = PERSON[:3]
    quality.bank["entities"][entity]["names"][name]["patterns"][pattern]["value"] = "Nobody Atall"
    quality.write()
    result = quality.run("--pii-baseline=before.json", "--pii-markdown=page.md")
    assert result.ret == 1
    heading, line, _ = page(quality)[:3]
    assert heading == "## pii-eval: FAIL (a regression against the baseline; nothing else failed)"
    assert re.match(
        r"- Regression: slice `people`, type `person`: 1 more leak \(1 -> 2 of 3 gold spans\); and 3 more"
        r" \(22 more figures of the same\)$",
        line,
    )


def test_the_place_may_stand_in_the_ini_file(quality):
    """`pii_markdown` is relative to the root directory; the section says where the page lies."""
    quality.pytester.makeini("[pytest]\npii_markdown = out/page.md\n")
    result = quality.only("mail").write().run()
    assert result.ret == 0
    result.stdout.fnmatch_lines(["Markdown     out/page.md"])
    assert page(quality, "out/page.md")[0] == "## pii-eval: pass"


def test_the_page_of_an_earlier_run_does_not_outlive_one_that_dies(quality):
    """A run that never ends leaves no page that could be taken for its own."""
    quality.only("mail").write()
    quality.run("--pii-markdown=page.md")
    assert page(quality)
    quality.pytester.makeconftest(DIES)
    quality.run("--pii-markdown=page.md")
    assert not (quality.path / "page.md").exists()


def test_collecting_writes_no_page(quality):
    """`--collect-only` neither writes nor removes one."""
    quality.only("mail").write()
    quality.run("--collect-only", "--pii-markdown=page.md")
    assert not (quality.path / "page.md").exists()
