"""Slices on the page: which plots each has, their tables, floors, and columns without a value."""

from __future__ import annotations

import re

import pytest
from html_reading import Page
from report_builders import report

from pytest_pii_eval.reports.html.null_columns import without_null_columns
from pytest_pii_eval.reports.html.page import render_html
from pytest_pii_eval.reports.html.pieces import pieces
from pytest_pii_eval.reports.html.values import Cell, table

NULL = Cell("null (no_gold)", "none", null="no_gold")


def figures_by_slice(page):
    """Return the captions of the plots of each slice, in order."""
    found = {}
    for within, text in page.parts:
        if within[-2:] == ("summary", "h3"):
            found[text] = []
        elif within[-2:] == ("figcaption", "strong") and found and "details" in within:
            found[text_of_last(found)].append(text)
    return found


def text_of_last(found):
    """Return the slice that was met last."""
    return list(found)[-1]


def with_catalog():
    """Return the report with names that a bank knew: one of three, and found it."""
    base = report()
    names = base.slices["names"]
    known = {**names.metrics, "catalog_coverage": names.metrics["recall"]}
    slices = {**base.slices, "names": names.model_copy(update={"metrics": known})}
    return base.model_copy(update={"slices": slices})


def test_each_slice_has_the_plots_that_its_evidence_supports():
    """All five kinds stand where there is something to draw, and none where there is not."""
    kept = ["What became of each gold span", "Policy loss across stages"]

    assert figures_by_slice(Page(render_html(with_catalog()))) == {
        "cards": ["Recall by type", *kept],
        "headers": ["Labelled-span recall by type", *kept],
        "letters": [],
        "names": ["Recall by type", kept[0], "Confusion of types", "Catalog funnel", kept[1]],
    }


def test_the_heat_map_holds_every_gold_span_of_its_row():
    """Of three persons two kept their type (one exactly, one shifted), one was a company, none was missed."""
    source = render_html(report())
    plot = source[source.index('id="slice-4-confusion-title"') :].partition("</svg>")[0]
    squares = re.findall(r'<text class="depth-(\d)"[^>]*>([^<]*)</text>', plot)

    assert squares == [("4", "2"), ("2", "1"), ("0", "·")]


def test_the_table_of_the_heat_map_is_the_whole_of_it():
    """Right types and spans taken for nothing stand in it as they are drawn."""
    text = Page(render_html(report())).text

    assert "What gold spans were taken for\nGold type\nperson\ncompany\n(nothing)\nperson\n2\n1\n0\n" in text


def test_a_heat_map_of_many_types_has_a_table_of_pairs():
    """Of 21 types each keeps one span and gives one to company: all 42 pairs are listed."""
    base = report()
    names = base.slices["names"]
    counts = {**names.by_type["person"].counts, "gold": 2, "tp": 1, "shift": 0, "miss": 0}
    person = names.by_type["person"].model_copy(update={"counts": counts})
    types = [f"type-{number:02}" for number in range(21)]
    large = names.model_copy(
        update={
            "by_type": dict.fromkeys(types, person),
            "confusion": {name: {"company": 1} for name in types},
        }
    )
    text = Page(render_html(base.model_copy(update={"slices": {"names": large}}))).text
    listed = text[text.index("What gold spans were taken for") :]

    assert "The 20 largest rows and columns are drawn." in text
    assert listed.count("type-20\ncompany\n1\n") == 1
    assert listed.count("type-20\ntype-20\n1\n") == 1


def test_recall_by_type_shows_floors_with_their_verdict():
    """A floor of 0.9 on cards, of which 6 of 8 are found, is marked and its break printed."""
    base = report(lost=2)
    floor = base.gates[0].model_copy(
        update={
            "id": "floors[0]",
            "metric": "recall",
            "type": "payment",
            "direction": "min",
            "value": 0.75,
            "limit": 0.9,
            "support": 8,
            "verdict": "fail",
        }
    )
    source = render_html(base.model_copy(update={"gates": [*base.gates, floor]}))
    page = Page(source)

    assert [one for one in page.within("text") if "floor" in one] == ["0.7500 (6/8) ✗ floor 0.9"]
    assert [found["x1"] for tag, found in page.tags if tag == "line"] == ["286.4"]
    assert "payment\n0.7500 (6/8)\n✗ below 0.9" in page.text


def test_a_column_without_any_value_is_a_sentence_below():
    """Both rows have no second figure for the same reason: name and reason stand once."""
    given = table("t", "Type|#Recall|#F1", [(Cell("a"), Cell("1.0"), NULL), (Cell("b"), Cell("0.5"), NULL)])
    shown = without_null_columns(given)

    assert [column.name for column in shown.columns] == ["Type", "Recall"]
    assert [len(row) for row in shown.rows] == [2, 2]
    assert shown.notes == ("Without a value: F1 (no_gold). No gold span is in scope.",)


@pytest.mark.parametrize("other", [Cell("0.5"), Cell("null (x)", "none", null="x")])
def test_a_column_with_any_value_or_two_reasons_stays(other):
    """One sentence could not say what each row says."""
    shown = without_null_columns(table("t", "Type|#F1", [(Cell("a"), NULL), (Cell("b"), other)]))

    assert [column.name for column in shown.columns] == ["Type", "F1"]
    assert shown.notes == ()


def test_weak_labels_leave_no_columns_of_nulls():
    """Slice `headers` supports no precision: its table by type has no such column, and says why."""
    text = Page(render_html(report())).text
    headers = text[text.index("\nheaders\n✓ held") :]
    by_type = headers[headers.index("By type") : headers.index("Exact metrics")]

    assert by_type.startswith("By type\nType\nLabelled-span recall\nLeaks\nContained\nGold")
    assert "Without a value: Precision, F1" in by_type


def test_counts_of_zero_stand_together():
    """A slice without repeated identifiers says so in one line with whatever else there is none of."""
    assert re.search(r"0 of these\n[^\n]*repeated identifiers", Page(render_html(report())).text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("structured.phone", ["structured.", "phone"]),
        ("high_severity_leaks", ["high_", "severity_", "leaks"]),
        ("0.5000 (4/8)", ["0.5000 (4/8)"]),
        ("floors[0]", ["floors[0]"]),
        ("v1.2", ["v1.2"]),
    ],
)
def test_names_go_on_after_dots_and_underscores(text, shown):
    """Figures are never broken, and names only where a reader sees a joint."""
    assert pieces(text) == shown


def test_a_broken_name_is_marked_by_the_template_alone():
    """The place of a break is an element of ours; the name around it is escaped."""
    base = report()
    gate = base.gates[0].model_copy(update={"id": "a_<b>.c", "verdict": "fail", "value": 1})
    source = render_html(base.model_copy(update={"gates": [gate]}))

    assert "a_&lt;b&gt;.<wbr>c" in source


def test_of_very_many_slices_the_failing_ones_and_the_first_are_shown():
    """500 are shown whole, the last one among them as it fails; the page says how many are not."""
    one = report()
    [first, *_] = one.slices.values()
    slices = {f"s{ordinal:04}": first for ordinal in range(700)}
    slices["s0699"] = first.model_copy(update={"passed": False})
    page = render_html(one.model_copy(update={"slices": slices, "gates": []}))
    assert page.count('<details class="slice ') == 500
    assert 'id="slice-700"' in page
    assert 'id="slice-500"' not in page
    assert 'href="#slice-500"' not in page
    assert "200 more slices are left out here" in page
