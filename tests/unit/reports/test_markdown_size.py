"""Whatever a report or comparison holds, its page fits a comment on GitHub and keeps verdict and failures."""

from __future__ import annotations

import re

import pytest
from comparison_builders import change, comparison, count, lost_span, refusal, refused
from hostile_documents import HOSTILE, hostile_report
from markdown_reading import html, tables, titled
from report_builders import report

from pytest_pii_eval.reports.markdown.comparison import render_comparison
from pytest_pii_eval.reports.markdown.page import render_markdown

LIMIT = 60_000
MANY = 5_000


def units(markdown):
    """Return the length of a page as GitHub's editor and server may count it: in UTF-16 units."""
    return len(markdown.encode("utf-16-le")) // 2


def wide(number=MANY, *, failed=None, **fields):
    """Return a report of so many slices, of which the last `failed`, or all, lose a card number."""
    bad, good = report(lost=1), report()
    held = number - (number if failed is None else failed)
    slices = {f"slice.{place:05}": good.slices["cards"] for place in range(held)}
    lost = {f"slice.{place:05}": bad.slices["cards"] for place in range(held, number)}
    gates = [bad.gates[0].model_copy(update={"slice": name}) for name in lost]
    changes = {"slices": {**slices, **lost}, "gates": gates, "passed": not lost, **fields}
    return bad.model_copy(update=changes)


@pytest.fixture(scope="module")
def cut():
    """The page of five thousand failed slices."""
    return render_markdown(wide())


def test_five_thousand_failed_slices_fit(cut):
    """The verdict, the first failures and their number stay; tables end with what they leave out."""
    assert units(cut) < LIMIT
    heading, line = cut.split("\n")[:2]
    assert heading == "## pii-eval: FAIL"
    assert line.startswith("- Failed: slice `slice.00000`: leaks 1, must be at most 0 (support 12): type ")
    assert line.endswith("; and 4,997 more")
    shown = len(titled(cut, "Slices").rows)
    assert f"\n{MANY - shown:,} more rows are left out here; the JSON report has them.\n" in cut


def test_a_failed_slice_is_never_among_what_is_left_out():
    """One failed slice behind 999 others stands in line two and first in the tables."""
    markdown = render_markdown(wide(1_000, failed=1))
    assert units(markdown) < LIMIT
    assert markdown.split("\n")[1].startswith("- Failed: slice `slice.00999`: leaks 1, ")
    assert titled(markdown, "Slices").rows[0][:2] == ["slice.00999", "FAILED 1 of 1"]
    assert [row[0] for row in titled(markdown, "Types").rows[:3]] == ["slice.00999"] * 2 + ["slice.00000"]


def test_a_page_that_is_cut_is_whole_markdown(cut):
    """Every fold that is opened is closed, and the mark is the last line."""
    *folds, mark = html(cut)
    assert mark == "<!-- pii-eval report -->"
    assert len(folds) % 2 == 0
    assert {line.startswith("<details>") for line in folds[::2]} == {True}
    assert set(folds[1::2]) == {"</details>"}


def test_a_small_page_is_not_cut():
    """Nothing is left out of a report of an ordinary size."""
    assert "left out" not in render_markdown(report(lost=1))


def test_thousands_of_changes_fit():
    """A comparison of very many regressions names the first and counts the others, alone and in a page."""
    places = [f"slice.{number:05}" for number in range(1_000)]
    changes = [change("leaks", count(0, 8), count(1, 8), slice=name, type="payment") for name in places]
    moves = [lost_span().model_copy(update={"id": f"doc-{number}#0"}) for number in range(1_000)]
    moved = comparison(*changes, moves=moves, notes=["a note"] * 1_000)
    for markdown in (render_comparison(moved), render_markdown(report(), moved)):
        assert units(markdown) < LIMIT
        line = markdown.split("\n")[1]
        assert line.startswith("- Regression: slice `slice.00000`, type `payment`: 1 more leak (0 -> 1 of 8 ")
        assert line.endswith("; and 997 more")
        assert titled(markdown, "Lost cases and spans").rows


def test_a_share_of_each_part_is_kept():
    """However much failed, what moved, gaps and fingerprints have their places."""
    gaps = {f"gap.{number}": {"dimension": "d", "reason_code": "r"} for number in range(1_000)}
    given = wide(1_000, unsupported_slices=report(unsupported_slices=gaps).unsupported_slices)
    titles = [
        table.title
        for table in tables(render_markdown(given, comparison(change("leaks", count(0, 8), count(1, 8)))))
    ]
    assert [title.partition(" (")[0] for title in titles] == [
        "Regressions",
        "Slices",
        "Types by slice, those of failed slices first",
        "What cannot be told, and why",
        "Unsupported",
        "Fingerprints and scorer",
    ]


@pytest.mark.parametrize("text", [HOSTILE[22], *HOSTILE[-4:]], ids=["astral", "n", "bar", "tick", "nul"])
def test_long_hostile_names_fit(text):
    """Thousands of long names of the worst characters fit, and the failures are still told by counts."""
    given = hostile_report(text)
    slices = {f"{text[:100]}{number}": one for number in range(100) for one in given.slices.values()}
    gates = [given.gates[0].model_copy(update={"slice": name}) for name in slices]
    many = {"slices": slices, "gates": gates, "missing": [text] * 50, "missing_count": MANY}
    reasons = [refusal(words=text)] * 100
    markdown = render_markdown(given.model_copy(update=many), refused(*reasons))
    assert units(markdown) < LIMIT
    heading, line, baseline = markdown.split("\n")[:3]
    assert heading == "## pii-eval: FAIL"
    assert re.search(r"must be at most 0 \(support 12\).* and \d+ more$", line)
    assert baseline.startswith("- Not compared with the baseline: gold (both): ")


def test_a_number_that_no_line_holds_does_not_cost_the_page():
    """A count of thousands of digits is left out as a line; the verdict stands."""
    given = report(lost=1)
    (gate,) = given.gates
    markdown = render_markdown(
        given.model_copy(update={"gates": [gate.model_copy(update={"value": 10**4_000})]})
    )
    assert markdown.split("\n")[:2] == ["## pii-eval: FAIL", "- (a line that is too long to be shown)"]
