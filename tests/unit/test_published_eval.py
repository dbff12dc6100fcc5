"""The published evaluation of the shipped suite is that of today, and its pages render from its reports."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_pii_eval import BankDetector, evaluate, load_bank, read_report
from pytest_pii_eval.reports.html.page import render_html
from pytest_pii_eval.reports.markdown.page import render_markdown
from pytest_pii_eval.reports.snapshots.form import snapshot_of

if TYPE_CHECKING:
    from pytest_pii_eval import Report

ROOT = Path(__file__).parents[2]
EVAL = ROOT / "docs" / "eval"
NAMES = ("embedded", "nerb", "presidio")
SAME = ("gold", "slice_plan", "quality_policy", "taxonomy")
STALE = "commit all else, run python docs/eval/publish.py, and commit what it makes"


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    """Return the published reports by name; each is read by the model of today."""
    return {name: read_report(EVAL / f"{name}.json") for name in NAMES}


@pytest.fixture(scope="module")
def today() -> Report:
    """Return what the shipped suite gives with the embedded engine now."""
    return evaluate(ROOT / "conformance", BankDetector(load_bank(ROOT / "conformance" / "bank.json")))


def test_the_embedded_report_is_that_of_today(reports, today):
    """The stable form of the published report is what the shipped suite gives now."""
    assert snapshot_of(reports["embedded"]) == snapshot_of(today), STALE


def test_nerb_says_what_the_embedded_engine_says(reports):
    """The page says that both engines agree: their reports differ in the subject alone.

    That nerb itself still answers so is for tests/differential/test_shipped_suite.py and its neighbours.
    """
    embedded, nerb = (snapshot_of(reports[name]) for name in ("embedded", "nerb"))
    assert nerb.subject.engine == "nerb"
    assert nerb.model_copy(update={"subject": embedded.subject}) == embedded, STALE


def test_presidio_was_held_to_the_gold_of_today(reports, today):
    """The report of Presidio may be laid beside the others: gold, plan, policy and taxonomy are equal."""
    found = reports["presidio"].fingerprints
    assert {name: found[name] for name in SAME} == {name: today.fingerprints[name] for name in SAME}, STALE


@pytest.mark.parametrize("name", NAMES)
def test_a_published_run_is_whole(reports, name):
    """Nothing is missing from a published run: no item, no document, no part of the suite."""
    report = reports[name]
    assert (report.complete, report.consistent, report.selection.whole) == (True, True, True)


def test_all_runs_are_of_the_same_sources(reports):
    """One state of this package scored all three subjects."""
    assert len({report.scorer.source_sha256 for report in reports.values()}) == 1, STALE


@pytest.mark.parametrize("name", NAMES)
def test_a_published_run_is_of_a_commit(reports, name):
    """Anybody can check out what scored: a commit is named, and nothing was changed since."""
    scorer = reports[name].scorer
    assert scorer.git_revision is not None, STALE
    assert scorer.git_dirty is False, STALE


@pytest.mark.parametrize("told", [(None, None), ("a" * 40, True), ("a" * 40, None)])
def test_only_a_clean_commit_is_published(told, monkeypatch, capsys):
    """Changed sources, and sources of no known commit, are refused with what to do, and nothing is run."""
    publish = runpy.run_path(str(EVAL / "publish.py"))
    names = publish["main"].__globals__
    monkeypatch.setitem(names, "git_revision", lambda: told)
    monkeypatch.setitem(names, "_called", pytest.fail)
    monkeypatch.setattr(sys, "argv", ["publish.py"])
    assert publish["main"]() == 1
    said = capsys.readouterr()
    assert (said.out, said.err.split(":")[0]) == ("", "nothing was run")
    assert "commit" in said.err


@pytest.mark.parametrize(("sources", "dirty"), [("b", False), ("a", True)])
def test_sources_that_change_between_the_runs_are_refused(sources, dirty, reports, monkeypatch, capsys):
    """A run of other sources than the first looked at leaves the published files as they are."""
    publish = runpy.run_path(str(EVAL / "publish.py"))
    names = publish["main"].__globals__
    scorer = reports["embedded"].scorer.model_copy(update={"source_sha256": sources, "git_dirty": dirty})
    run = reports["embedded"].model_copy(update={"scorer": scorer})
    monkeypatch.setitem(
        names, "_called", lambda *words, **_: Path(words[-1].partition("=")[2]).touch() or True
    )
    monkeypatch.setitem(names, "read_report", lambda _: run)
    monkeypatch.setattr(names["shutil"], "copyfile", pytest.fail)
    assert publish["_published"](publish["PUBLISHED"][0], "a") is False
    assert "publish again" in capsys.readouterr().err


@pytest.mark.parametrize("name", NAMES)
def test_the_html_page_is_what_its_report_renders_to(reports, name):
    """No page was edited by hand, and none is of an older form."""
    assert (EVAL / f"{name}.html").read_text(encoding="utf-8") == render_html(reports[name]), STALE


@pytest.mark.parametrize("name", NAMES)
def test_the_markdown_is_what_its_report_renders_to(reports, name):
    """The same for the Markdown."""
    assert (EVAL / f"{name}.md").read_text(encoding="utf-8") == render_markdown(reports[name]), STALE


@pytest.mark.parametrize("name", NAMES)
def test_a_published_file_names_no_place_of_a_machine(name):
    """No absolute path, home directory or temporary directory stands in what is published."""
    text = "".join(
        (EVAL / f"{name}.{ending}").read_text(encoding="utf-8") for ending in ("json", "html", "md")
    )
    assert not re.findall(r"(?:/home/|/root/|/work/|/tmp/|/Users/|[A-Z]:\\)\S*", text)


def test_the_figures_of_the_page_are_those_of_the_reports(reports):
    """Each row of the table on docs/eval/index.md has gold, recall and leaks as the reports have them."""
    page = (EVAL / "index.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z_.]+)` \|(.+)\|$", page, re.MULTILINE)
    told = {name: [cell.strip() for cell in cells.split("|")] for name, cells in rows}
    assert len(told) == 7
    for name, cells in told.items():
        bank, presidio = (reports[subject].slices[name].metrics for subject in ("embedded", "presidio"))
        assert cells == [
            str(bank["recall"].denominator),
            *(
                word
                for metrics in (bank, presidio)
                for word in (
                    f"{metrics['recall'].numerator}/{metrics['recall'].denominator}",
                    str(metrics["leaks"].numerator),
                )
            ),
        ], name
