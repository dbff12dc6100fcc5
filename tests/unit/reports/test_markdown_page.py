"""The Markdown page by structure: what its lists and tables hold, how they are folded, how it ends."""

from __future__ import annotations

import re

from comparison_builders import comparison, one_more_leak
from markdown_reading import html, items, strange, tables, titled
from report_builders import failed_conformance, report
from report_values import SHA
from report_values import report as plain_report

from pytest_pii_eval.reports.markdown.page import render_markdown
from pytest_pii_eval.reports.model import Report
from pytest_pii_eval.reports.write import MARKDOWN_MARKS, render_json

WEAK = "null (structured_weak_labels)"
NO_ZERO = "null (no_zero_gold_documents)"
CANDIDATES = "candidate_character_recall, candidate_coverage, policy_loss"


def first(markdown, number=3):
    """Return the first raw lines."""
    return markdown.split("\n")[:number]


def test_slices_with_their_figures():
    """One row a slice, the failed one first; nothing stands empty, and null has its reason."""
    assert titled(render_markdown(report(lost=1)), "Slices").rows == [
        ["cards", "FAILED 1 of 1", "6", "12", "0.9167 (11/12)", "0.9167 (11/12)", "1", "1", "0.5000 (1/2)"],
        ["headers", "no gate", "2", "2", *["null (structured_weak_labels)"] * 2, "0", "0", WEAK],
        ["letters", "unsupported (zero_labeled_spans)", "1", "0", WEAK, WEAK, *["null (no_gold)"] * 2, WEAK],
        ["names", "no gate", "2", "3", "0.3333 (1/3)", "0.5000 (1/2)", "1", "1", NO_ZERO],
    ]


def test_failed_slices_come_first():
    """The table of slices starts with the failed ones, wherever their ids stand."""
    given = report(lost=1)
    slices = {"a": given.slices["names"], **given.slices}
    markdown = render_markdown(given.model_copy(update={"slices": slices}))
    assert [row[0] for row in titled(markdown, "Slices").rows] == [
        "cards",
        "a",
        "headers",
        "letters",
        "names",
    ]
    assert [row[:2] for row in titled(markdown, "Types").rows[:3]] == [
        ["cards", "email"],
        ["cards", "payment"],
        ["a", "person"],
    ]


def test_types_with_states_and_counts():
    """Gold, predictions, the four states and extras of a type, then its rates."""
    (row,) = [row for row in titled(render_markdown(report(lost=1)), "Types").rows if row[1] == "payment"]
    assert row == ["cards", "payment", "8", "8", "7", "0", "0", "1", "1", "0.8750 (7/8)", "0.8750 (7/8)", "1"]


def test_what_cannot_be_told_has_its_reason():
    """Each reason with the metrics that have no value for it, and the slices where that is so."""
    rows = titled(render_markdown(report()), "What cannot be told").rows
    assert ["candidates_unavailable", CANDIDATES, "cards, names"] in rows
    assert ["candidates_unavailable", "candidate_coverage, policy_loss", "headers, letters"] in rows
    assert [row[2] for row in rows if row[0] == "no_gold"] == ["letters"]


def test_gaps_with_their_reasons():
    """Declared gaps and empty populations, each with its reason code."""
    assert titled(render_markdown(report()), "Unsupported").rows == [
        ["empty", "population", "empty_population"],
        ["letters", "population", "zero_labeled_spans"],
        ["nicknames", "head_tail", "frequency_unavailable"],
    ]


def test_entities_with_a_failure_come_first():
    """Conformance by entity, what failed first."""
    markdown = render_markdown(report(conformance=failed_conformance(), passed=False))
    assert titled(markdown, "Conformance by entity").rows == [
        ["person", "3", "2", "10", "7", "2", "1", "1", "0.7000"],
        ["email", "1", "1", "6", "6", "0", "0", "0", "1.0"],
    ]


def test_fingerprints_and_scorer_come_last():
    """The last table binds the run: scorer, subject, libraries, fingerprints."""
    last = tables(render_markdown(report()))[-1]
    assert last.title == "Fingerprints and scorer (12)"
    assert ["scorer", "pytest-pii-eval 0.1.0, revision unknown"] in last.rows
    assert ["gold", SHA] in last.rows


def test_only_details_and_the_mark_are_html():
    """No HTML but folded parts, each opened, named and closed, and the comment in the last line."""
    markdown = render_markdown(report(lost=1), comparison(*one_more_leak()))
    *folds, mark = html(markdown)
    assert mark.encode() == MARKDOWN_MARKS[0] == markdown.rstrip("\n").split("\n")[-1].encode()
    assert folds[1::2] == ["</details>"] * (len(folds) // 2)
    assert all(re.fullmatch(r"<details><summary>[^<>]+</summary>", line) for line in folds[::2])
    assert len(folds) % 2 == 0
    assert strange(markdown) == []


def test_folded_tables_have_the_blank_lines_that_github_needs():
    """A blank line behind each summary and before each end: without them GitHub shows raw bars."""
    lines = render_markdown(report(lost=1)).split("\n")
    for place, line in enumerate(lines):
        if line.startswith("<details>"):
            assert lines[place + 1] == ""
        if line == "</details>":
            assert lines[place - 1] == lines[place + 1] == ""


def test_no_cell_is_empty():
    """What has no value says so in words."""
    found = tables(render_markdown(report(lost=1), comparison(*one_more_leak())))
    assert [cell for table in found for row in table.rows for cell in row if not cell.strip()] == []


def test_columns_line_up_in_raw_text():
    """The bars of the table of slices stand below each other."""
    lines = render_markdown(report(lost=1)).split("\n")
    start = lines.index("<details><summary>Slices (4)</summary>") + 2
    bars = {tuple(place for place, one in enumerate(line) if one == "|") for line in lines[start : start + 6]}
    assert len(bars) == 1


def test_more_failures_than_a_line_holds_are_listed():
    """Three stand in line two, the rest is counted there, and all of them have a list."""
    given = report(lost=1)
    (gate,) = given.gates
    slices = {f"cards.{number}": given.slices["cards"] for number in range(5)}
    gates = [gate.model_copy(update={"slice": name}) for name in slices]
    markdown = render_markdown(given.model_copy(update={"slices": slices, "gates": gates}))
    assert first(markdown)[1].endswith("; and 2 more")
    assert [line.split(":")[0] for line in items(markdown, "What failed")] == [
        f"slice {name}" for name in slices
    ]


def test_a_page_is_the_same_from_a_file():
    """The order of names in memory decides nothing: a report read back, or turned, has the same page."""
    given = report(lost=1, conformance=failed_conformance())
    markdown = render_markdown(given)
    assert render_markdown(Report.model_validate_json(render_json(given))) == markdown
    turned = {name: dict(reversed(getattr(given, name).items())) for name in ("slices", "fingerprints")}
    assert render_markdown(given.model_copy(update=turned)) == markdown


def test_a_report_of_nothing_renders():
    """No slice, no conformance, no gate: a verdict, a subject and the mark."""
    markdown = render_markdown(plain_report(conformance=None, passed=None, fingerprints={}))
    assert first(markdown)[0] == "## pii-eval: none (part of the suite ran, and nothing failed)"
    assert [table.title for table in tables(markdown)] == ["Fingerprints and scorer (7)"]


def test_lost_items_are_named():
    """A run that lacks items says so in line two, and lists those without a verdict and those lost."""
    lost = {
        "complete": False,
        "passed": False,
        "missing": ["case.7"],
        "missing_count": 1,
        "crashed": ["case.8"],
    }
    markdown = render_markdown(report(**lost))
    assert first(markdown)[1] == ("- Incomplete: 1 item without a verdict, 1 item whose worker crashed")
    assert items(markdown, "Items that are lacking") == ["crashed: case.8", "no verdict: case.7"]
