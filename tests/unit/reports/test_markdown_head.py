"""The first lines of the Markdown page: the verdict, the worst that happened, and what limits the run."""

from __future__ import annotations

import pytest
from comparison_builders import comparison, lost_gate, one_more_leak, refusal, refused
from markdown_reading import titled
from report_builders import failed_conformance, report
from report_values import SHA
from report_values import report as plain_report

from pytest_pii_eval.reports.markdown.page import render_markdown


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


def test_what_moved_stands_before_what_failed():
    """Against a baseline line two says what was lost, and line three which gates fail."""
    moved = comparison(*one_more_leak(), gates=[lost_gate()])
    heading, line, below = first(render_markdown(report(lost=1), moved))
    assert heading == "## pii-eval: FAIL"
    assert line == (
        "- Regression: slice `cards`, type `payment`: 1 more leak (0 -> 1 of 8 gold spans);"
        " gate `max-leaks` of slice `cards`: pass -> fail (4 more figures of the same)"
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
