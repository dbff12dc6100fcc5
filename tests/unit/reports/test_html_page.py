"""What the page says of a report, by structure: verdict, failures, questions, slices, plots and gaps."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest
from html_reading import Page
from html_reports import full_comparison, full_report
from report_builders import report

from pytest_pii_eval.reports.html.page import render_html
from pytest_pii_eval.reports.write import HTML_MARK


@pytest.fixture(scope="module")
def full():
    """The page of a report that fills every part."""
    return Page(render_html(full_report(), full_comparison()))


@pytest.fixture(scope="module")
def passing():
    """The page of a report that passes."""
    return Page(render_html(report()))


def test_the_page_stands_alone(full):
    """It forbids scripts and whatever comes from elsewhere, and asks for none."""
    policy = [found for tag, found in full.tags if found.get("http-equiv") == "Content-Security-Policy"]

    assert [one["content"] for one in policy] == [
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    ]
    assert not {tag for tag, _ in full.tags} & {"script", "link", "img", "iframe", "object", "form", "base"}
    assert not re.search(r"@import|https?:|url\((?!#)", render_html(report()))


def test_the_page_bears_its_mark():
    """By the generator in its head a later run knows that it may replace the file."""
    head = render_html(report()).partition("</head>")[0]

    assert HTML_MARK.decode() in head


def test_the_page_says_language_width_and_title(full):
    """A screen reader gets the language, a phone the width, a tab the verdict and the subject."""
    assert ("html", {"lang": "en"}) in full.tags
    assert any(found.get("name") == "viewport" for _, found in full.tags)
    assert full.within("title")[0] == "FAIL: tiny-bänk · pii-eval report"


def test_ids_are_unique_and_everything_that_names_one_finds_it(full):
    """Links, and names of plots and cards, lead to exactly one place."""
    numbers = Counter(full.values("id"))
    named = [one for value in full.values("aria-labelledby") for one in value.split()]

    assert set(numbers.values()) == {1}
    assert {target.removeprefix("#") for target in full.values("href")} <= set(numbers)
    assert set(named) <= set(numbers)


def test_headings_skip_no_level(full):
    """One first heading; below a heading the next level at most."""
    levels = [int(tag[1]) for tag, _ in full.tags if re.fullmatch(r"h[1-6]", tag)]

    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_every_plot_is_named_described_and_has_its_table(full):
    """In each figure there is one drawing with title and description, a caption, and a table."""
    tags = Counter(tag for tag, _ in full.tags)
    drawings = [found for tag, found in full.tags if tag == "svg" and found.get("role") == "img"]

    assert len(drawings) == tags["figure"] == tags["figcaption"] == tags["desc"]
    assert all(len((one["aria-labelledby"] or "").split()) == 2 for one in drawings)
    assert tags["title"] == tags["figure"] + 1


def test_all_kinds_of_plots_are_drawn(full):
    """Bars, states, the heat map and the funnel each stand on a page that has evidence for them."""
    kinds = {found["class"] for tag, found in full.tags if tag == "figure"}

    assert kinds >= {"bars", "states", "heat_map"}


def test_every_table_has_a_caption_and_heads_of_columns_and_rows(full):
    """A cell can be told by its row and its column."""
    tags = Counter(tag for tag, _ in full.tags)
    scopes = Counter(found.get("scope") for tag, found in full.tags if tag == "th")

    assert tags["table"] == tags["caption"]
    assert scopes["row"] == tags["tr"] - tags["table"]
    assert set(scopes) == {"row", "col"}


def test_wide_tables_scroll_in_a_region_of_their_own(full):
    """Each has a name that is there once, and takes the focus."""
    regions = [found for _, found in full.tags if found.get("role") == "region"]

    assert regions
    assert all(one["tabindex"] == "0" for one in regions)
    assert len({one["aria-label"] for one in regions}) == len(regions)


def test_a_lost_card_is_named_with_slice_count_and_limit():
    """One lost card of eight fails the gate: slice, figure, limit and support stand in the first table."""
    page = Page(render_html(report(lost=1)))
    text = page.text

    first = text[text.index("What failed") : text.index("What was tested")].splitlines()
    assert first[-7:] == ["cards", "leaks", "1", "at most 0", "12", "max-leaks", "✗ FAIL"]


def test_slices_that_fail_are_open_and_others_closed():
    """A reader sees the failure without a click."""
    page = Page(render_html(report(lost=1)))
    details = [found for tag, found in page.tags if tag == "details"]
    slices = [found for found in details if "slice" in (found["class"] or "").split()]

    assert ["open" in one for one in slices] == [True, False, False, False]


def test_warnings_stand_before_the_figures(full):
    """Limited, partial, inconsistent and trained-on runs say so above everything else."""
    before = full.text[: full.text.index("What failed")]

    for word in ("Limited:", "Partial:", "Processes disagreed", "In domain:"):
        assert word in before


def test_the_four_questions_are_answered_or_nobody_can_tell(passing):
    """Catalog questions have no answer without bindings to a bank; the others name a worst slice."""
    text = passing.text
    answers = text[text.index("Four questions, never mixed") : text.index("Catalog conformance\nrecall")]

    assert "Yes: 2 of 2 mapped (1.0)." in answers
    assert answers.count("Nobody can tell: none of 4 slices supports it.") == 2
    assert "2 of 4 slices can tell; 1 at 1.0." in answers
    assert "names: 0.3333 (1/3)" in answers


def test_an_unsupported_slice_says_why_in_words(passing):
    """The code and its meaning stand together."""
    assert "zero_labeled_spans: The labels are weak or partial" in passing.text


def test_metrics_without_a_value_have_their_reason(passing):
    """Weak labels support no precision, and the page says what weak labels are."""
    assert "It needs open-world labels; these are weak" in passing.text


def test_a_promotion_that_does_not_ship_says_which_part(full):
    """Verdict, part and reason stand in the overview."""
    text = full.text

    assert "✗ Does NOT ship" in text
    assert "floors\n✗ FAIL\none template is in both" in text


def test_a_report_of_nothing_is_still_a_page():
    """No cases, no slices, no gates: every question says that nobody can tell."""
    page = Page(render_html(report(conformance=None, slices={}, gates=[], unsupported_slices={})))

    assert page.text.count("Nobody can tell") == 4
    assert "The run held no slices." in page.text


def test_300_slices_make_a_page_of_bounded_size():
    """A large report holds every slice, at less than 40 KB each."""
    one = report(lost=3).slices["cards"]
    large = report(slices={f"slice-{number:03}": one for number in range(300)})
    source = render_html(large)

    assert source.count('<details class="slice') == 300
    assert len(source) < 300 * 40_000


def test_a_gate_that_does_not_fit_its_metric_is_shown_as_it_is():
    """A report whose gate says 0.25 where the metric says 1 is not smoothed over."""
    base = report()
    odd = base.gates[0].model_copy(update={"value": 0.25, "verdict": "fail", "limit": 0})
    page = Page(render_html(base.model_copy(update={"gates": [odd]})))

    assert "cards\nleaks\n0.25\nat most 0" in page.text


def test_a_table_without_end_is_cut_and_says_so():
    """Of 1,002 libraries 1,000 are listed, and two are counted."""
    base = report()
    libraries = {f"library-{number:04}": "1" for number in range(1_002)}
    page = Page(
        render_html(
            base.model_copy(update={"subject": base.subject.model_copy(update={"libraries": libraries})})
        )
    )

    assert "2 more rows are in the JSON report." in page.text
    assert "library-0999" in page.text
    assert "library-1000" not in page.text


def test_counts_beyond_a_float_are_drawn():
    """A file may hold counts of 400 digits that contradict each other; they are printed, and bars end."""
    base = report()
    one = base.slices["names"]
    person = one.by_type["person"]
    counts = {**person.counts, "tp": 10**400, "cataloged": 10**400}
    known = {**one.metrics, "catalog_coverage": one.metrics["recall"]}
    large = one.model_copy(
        update={"by_type": {"person": person.model_copy(update={"counts": counts})}, "metrics": known}
    )
    gate = base.gates[0].model_copy(update={"slice": "names", "value": 10**400, "verdict": "fail"})
    page = Page(render_html(base.model_copy(update={"slices": {"names": large}, "gates": [gate]})))

    assert str(10**400) in page.text
    assert max(float(width) for width in page.values("width") if width != "device-width") <= 400


def test_a_value_just_below_its_floor_does_not_look_as_if_it_kept_it():
    """0.94999999 against 0.95 is printed in full."""
    base = report()
    gate = base.gates[0].model_copy(
        update={"metric": "recall", "direction": "min", "value": 0.94999999, "limit": 0.95, "verdict": "fail"}
    )
    page = Page(render_html(base.model_copy(update={"gates": [gate]})))

    assert "cards\nrecall\n0.94999999\nat least 0.95" in page.text
