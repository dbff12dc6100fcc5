"""The Markdown page by structure: what stands first, what the tables hold, and how it is folded."""

from __future__ import annotations

import re

import pytest
from comparison_builders import comparison, lost_gate, one_more_leak, refusal, refused
from markdown_reading import html, items, strange, tables, titled
from report_builders import failed_conformance, report
from report_values import SHA
from report_values import report as plain_report

from pytest_pii_eval.reports.markdown.page import render_markdown
from pytest_pii_eval.reports.model import Report
from pytest_pii_eval.reports.write import render_json
from pytest_pii_eval.session.outputs import MARKS

WEAK = "null (structured_weak_labels)"
NO_ZERO = "null (no_zero_gold_documents)"
CANDIDATES = "candidate_character_recall, candidate_coverage, policy_loss"


def first(markdown, number=3):
    """Return the first raw lines."""
    return markdown.split("\n")[:number]


def changed(given, name, **fields):
    """Return the slices of a report with fields of one replaced."""
    return {**given.slices, name: given.slices[name].model_copy(update=fields)}


def test_a_lost_card_number_is_named_in_the_first_lines():
    """Slice, type and count of what fails a gate stand in line two, below the verdict."""
    heading, line, _ = first(render_markdown(report(lost=1)))
    assert heading == "## pii-eval: FAIL"
    assert line == (
        "- Failed: slice `cards`: leaks 1, must be at most 0 (support 12):"
        " type `payment` leaks 1 of 8 gold spans"
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (
            {"metric": "recall", "direction": "min", "value": 11 / 12, "limit": 0.95},
            (
                "recall 0.9167 (11/12), must be at least 0.95 (support 12):"
                " type `payment` is not found exactly in 1 of 8 gold spans"
            ),
        ),
        (
            {"metric": "recall", "direction": "min", "value": 11 / 12, "limit": 0.91667},
            (
                "recall 0.9166666666666666 (11/12), must be at least 0.91667 (support 12):"
                " type `payment` is not found exactly in 1 of 8 gold spans"
            ),
        ),
        (
            {"metric": "precision", "direction": "min", "value": 11 / 12, "limit": 0.95},
            (
                "precision 0.9167 (11/12), must be at least 0.95 (support 12):"
                " type `payment` is wrong in 1 of 8 predictions"
            ),
        ),
        (
            {"metric": "protection_leaks", "value": None, "limit": 5, "reason": "protection_unavailable"},
            (
                "protection_leaks null, must be at most 5 (support 12, protection_unavailable):"
                " type `payment` leaks 1 of 8 gold spans"
            ),
        ),
        (
            {"metric": "candidate_coverage", "value": None, "limit": 1, "direction": "min"},
            "candidate_coverage null, must be at least 1 (support 12)",
        ),
        (
            {"metric": "f1", "direction": "min", "value": 0.5, "limit": 0.6},
            ("f1 0.5000, must be at least 0.6 (support 12):"
            " type `payment` is not found exactly in 1 of 8 gold spans"),
        ),
        ({"metric": "leaks", "type": "payment"}, "leaks 1, must be at most 0 (support 12)"),
        (
            {"metric": "false_alarm_rate", "value": 0.5},
            "false_alarm_rate 0.5000 (1/2), must be at most 0 (...)",
        ),
    ],
)
def test_a_failed_gate_says_by_how_much_and_why(fields, words):
    """Value with its counts, limit, support, and the types that leak, are missed or are wrong."""
    (gate,) = report(lost=1).gates
    line = first(render_markdown(report(lost=1, gates=[gate.model_copy(update=fields)])))[1]
    place = "slice `cards`, type `payment`" if "type" in fields else "slice `cards`"
    assert line == f"- Failed: {place}: {words.replace('(...)', '(support 12)')}"


def test_the_worst_gate_comes_first():
    """Leaks before recall, and a slice where high severity leaks before another, whatever their order."""
    given = report(lost=1)
    (gate,) = given.gates
    recall = gate.model_copy(update={"metric": "recall", "value": 0.5, "limit": 1.0, "direction": "min"})
    gates = [gate.model_copy(update={"slice": "names"}), recall, gate]
    line = first(render_markdown(given.model_copy(update={"gates": gates})))[1]
    assert re.findall(r"slice `(\w+)`: (\w+)", line) == [
        ("cards", "leaks"),
        ("names", "leaks"),
        ("cards", "recall"),
    ]


def test_documents_without_an_answer_are_a_cause():
    """A gate that fails for want of answers says so before the types."""
    given = report(lost=1)
    counts = {**given.slices["cards"].counts, "failed_documents": 2}
    line = first(
        render_markdown(given.model_copy(update={"slices": changed(given, "cards", counts=counts)}))
    )[1]
    assert line.endswith(": 2 documents have no answer, type `payment` leaks 1 of 8 gold spans")


def test_what_moved_stands_before_what_failed():
    """Against a baseline line two says what was lost, and line three which gates fail."""
    moved = comparison(*one_more_leak(), gates=[lost_gate()])
    heading, line, below = first(render_markdown(report(lost=1), moved))
    assert heading == "## pii-eval: FAIL"
    assert line == (
        "- Regression: slice `cards`, type `payment`: 1 more leak (0 -> 1 of 8 gold spans);"
        " gate `max-leaks` of slice `cards`: pass -> fail; and 4 more"
    )
    assert below.startswith("- Failed: slice `cards`: leaks 1, ")


def test_leaks_that_no_gate_forbids_are_named():
    """A run that passes says in line two what leaks nevertheless."""
    heading, line, _ = first(render_markdown(report()))
    assert heading == "## pii-eval: pass"
    assert line == "- Leaks: slice `names`, type `person`: 1 of 3 gold spans"


def test_leaks_of_high_severity_come_first():
    """Of leaks that no gate forbids, those of high severity come before those of earlier slices."""
    given = report(lost=2, gates=[], passed=True)
    slices = {"a": given.slices["names"], **given.slices}
    line = first(render_markdown(given.model_copy(update={"slices": slices})))[1]
    assert line.startswith("- Leaks: slice `cards`, type `payment`: 2 of 8 gold spans; slice `a`, ")


def test_no_leak_is_said_with_what_cannot_be_told():
    """Without a leak line two says of how many slices that holds, and names the others with reasons."""
    given = report()
    slices = {name: one for name, one in given.slices.items() if name != "names"}
    line = first(render_markdown(given.model_copy(update={"slices": slices})))[1]
    assert line == "- Leaks: none, in 2 of 3 slices; slice `letters`: null (no_gold)"


def test_no_slice_that_tells_is_no_clean_bill():
    """Where no slice can tell, line two says that nobody can."""
    given = report()
    only = given.model_copy(update={"slices": {"letters": given.slices["letters"]}})
    assert first(render_markdown(only))[1] == "- Leaks: nobody can tell; slice `letters`: null (no_gold)"


def test_a_run_without_slices_claims_nothing_about_leaks():
    """Conformance alone says nothing about leaks in text."""
    line = first(render_markdown(plain_report()))[1]
    assert line == "- Leaks: no slice of text was scored, so this says nothing about leaks"


@pytest.mark.parametrize(
    ("fields", "moved", "verdict"),
    [
        ({}, None, "pass"),
        ({"passed": False}, None, "FAIL"),
        ({"complete": False, "missing_count": 2}, None, "FAIL (incomplete)"),
        ({"passed": None}, None, "none (part of the suite ran, and nothing failed)"),
        ({}, comparison(), "pass"),
        (
            {},
            comparison(*one_more_leak()),
            "FAIL (a regression against the baseline; nothing else failed)",
        ),
        ({"passed": None}, refused(), "FAIL (not compared with the baseline; nothing else failed)"),
        ({"passed": False}, comparison(), "FAIL"),
        ({}, refused(refusal("limited", "...", "new")), "pass, not compared with the baseline"),
        (
            {},
            refused(refusal("limited", "...", "old")),
            "FAIL (not compared with the baseline; nothing else failed)",
        ),
    ],
)
def test_the_verdict_is_the_heading(fields, moved, verdict):
    """The first line is the verdict of the run, which a baseline or a hole can fail, too."""
    assert first(render_markdown(report(**fields), moved))[0] == f"## pii-eval: {verdict}"


def test_a_failed_gate_outweighs_what_a_report_says():
    """A report that calls itself passed and holds a failed gate is no pass."""
    heading = first(render_markdown(report(lost=1, passed=True)))[0]
    assert heading == "## pii-eval: FAIL (though the report does not say so)"


def test_a_refused_comparison_is_told_with_its_reason():
    """Line three at the latest says that nothing was compared, and why."""
    for given in (report(), report(lost=1)):
        line = first(render_markdown(given, refused()))[2]
        assert line == (
            "- Not compared with the baseline: gold (both): the gold differs; compare runs on the same gold"
        )


def test_failed_conformance_names_the_entity():
    """Counts of the cases, and of the entity in which something failed."""
    given = report(conformance=failed_conformance(), passed=False)
    assert first(render_markdown(given))[1] == (
        "- Failed: conformance recall 0.8125: 13/16 mapped, 2 missed, 1 wrong canonical; 1/5 negatives hit;"
        " 3/4 active patterns have a witness: entity `person` missed 2, wrong canonical 1, negatives hit 1"
    )


def test_what_limits_a_run_stands_above_the_tables():
    """Limit, part, evidence, training, absent corpora and counting in another unit, a line each."""
    given = report(
        passed=None,
        selection={"whole": False, "collected": 9, "selected": 4, "limit": 50},
        evidence_notes=["fewer_than_100_documents", "no_names"],
        unsupported_slices={"tab": {"dimension": "corpus", "reason_code": "corpus_absent"}},
    )
    slices = changed(given, "names", in_domain=True, offset_hint="byte")
    markdown = render_markdown(given.model_copy(update={"slices": slices}))
    above = markdown.split("\n\n")[0].split("\n")
    for line in (
        "- Limited: the first 50 of each suite were scored: compares with no full run",
        "- Partial: 4 of 9 cases ran, so support is not judged",
        "- Not an evaluation: fewer_than_100_documents, no_names",
        "- In domain: the detector is known to have learned from `names`",
        "- Not prepared here: `tab`",
        "- Hint: the gold of `names` fits the predictions when it is counted in UTF-8 bytes",
    ):
        assert line in above


def test_a_gate_that_no_slice_supports_is_named():
    """A gate with a limit that was evaluated nowhere has shown nothing, and that is said."""
    (gate,) = report().gates
    fields = {"value": None, "verdict": "not_evaluated", "reason": "no_gold"}
    markdown = render_markdown(report(gates=[gate.model_copy(update=fields)]))
    assert "\n- Not evaluated: gate `max-leaks`: no slice supports leaks (no_gold)\n" in markdown
    empty = gate.model_copy(update={**fields, "slice": "letters"})
    assert "Not evaluated" not in render_markdown(report(gates=[gate, empty]))


def test_a_promotion_that_does_not_ship_says_which_part_fails():
    """The parts of a promotion that do not pass, with their reasons."""
    promotion = {
        "id": "release-7",
        "set": "sealed",
        **dict.fromkeys(("started", "gold", "detector", "floors"), SHA),
        "ships": False,
        "parts": {
            "floors": {"verdict": "fail", "reasons": ["recall of person is below its floor"]},
            "evidence": {"verdict": "pass", "reasons": []},
        },
    }
    markdown = render_markdown(report(promotion=promotion, passed=False))
    assert first(markdown)[1] == (
        "- Failed: `release-7` does NOT ship: `floors`; part `floors`: recall of person is below its floor"
    )
    assert titled(markdown, "Parts of the promotion").rows == [
        ["floors", "fail", "recall of person is below its floor"],
        ["evidence", "pass", "-"],
    ]


def test_an_unexplained_failure_is_not_passed_over():
    """A report that failed without a failed gate says that no gate speaks of it."""
    line = first(render_markdown(report(passed=False)))[1]
    assert line.startswith("- Failed: an item failed of which no gate speaks")


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
    assert mark.encode() == MARKS[0] == markdown.rstrip("\n").split("\n")[-1].encode()
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
    assert first(markdown)[1] == ("- Incomplete: 1 items without a verdict, 1 items whose worker crashed")
    assert items(markdown, "Items that are lacking") == ["crashed: case.8", "no verdict: case.7"]
