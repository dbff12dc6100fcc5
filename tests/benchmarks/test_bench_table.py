"""The results of the benchmarks become rows of a file and a table of a page."""

from __future__ import annotations

import pytest
from bench_modules import command_line, costs, render, rows

ABOUT = {
    "date": "2026-11-30 20:00 UTC",
    "rounds": 3,
    "quick": False,
    "revision": "abc1234",
    "processor": "Some CPU",
    "cores": 2,
    "memory_gb": 16.0,
    "system": "Linux 6",
    "load": 0.1,
    "python": "3.11.7",
    "packages": {"pytest": "9.2.0"},
}
FAST = rows.row(("a work", "ours"), costs.Cost(0.25, 0.5, 80.0), rows.Check("wall / peer", 0.5, most=0.4))
SLOW = rows.row(("a work", "peer|x"), costs.Cost(10.0, 1234.5, 99.6, 250.2), peer=True)
EMPTY = rows.Results({}, ())
RUN = ("2026-11-30 20:00 UTC", ABOUT)

EXPECTED = r"""- one: 2026-11-30 20:00 UTC, revision abc1234, mostly medians of 3 rounds in turns; Some CPU, 2 cores, 16.0 GB, Linux 6, load 0.1 at the start; Python 3.11.7, pytest 9.2.0.

| work | who | CPU s | wall s | peak MB | figure | target | holds |
|---|---|---|---|---|---|---|---|
| **one**: a work | ours | 0.500 | 0.250 | 80 | wall / peer: 0.50 | at most 0.40 | **no** |
|  | peer\|x | 1234.50 | 10.00 | 100 (all: 250) |  |  |  |

Targets that are missed, and why:

- one, a work, ours: Because.
"""  # noqa: E501  # a line of the page


def test_a_table_says_what_was_measured():
    """Machine, figures, targets, whether they hold, and why one does not, as Markdown."""
    results = EMPTY.replaced("one", [FAST, SLOW], RUN).reasoned({"one: a work: ours": "Because."})
    assert render.markdown(results) == EXPECTED


def test_a_new_measurement_replaces_the_rows_of_its_benchmark_alone():
    """The rows of another benchmark stay with their own run, and a run without rows is dropped."""
    first = EMPTY.replaced("one", [FAST, SLOW], ("monday", ABOUT)).replaced("two", [FAST], ("monday", ABOUT))
    second = first.replaced("one", [SLOW], ("friday", ABOUT))
    assert [(one.benchmark, one.who, one.run) for one in second.rows] == [
        ("two", "ours", "monday"),
        ("one", "peer|x", "friday"),
    ]
    assert list(second.replaced("two", [], ("friday", ABOUT)).runs) == ["friday"]


def test_rows_stand_in_the_order_of_their_benchmarks():
    """Whatever was measured last, the table begins with what comes first."""
    results = EMPTY.replaced("two", [FAST], RUN).replaced("one", [SLOW], RUN)
    assert [one.benchmark for one in results.ordered(["one", "two"]).rows] == ["one", "two"]


@pytest.mark.parametrize(
    ("limits", "value", "holds"),
    [
        ({"most": 5.0}, 5.0, True),
        ({"most": 5.0}, 5.1, False),
        ({"least": 5.0}, 5.0, True),
        ({"least": 5.0}, 4.9, False),
        ({}, 1.0, None),
    ],
)
def test_a_limit_belongs_to_what_it_allows(limits, value, holds):
    """At most and at least include their number; no limit is neither kept nor missed."""
    assert rows.Check("a ratio", value, **limits).holds is holds


def test_a_reason_is_kept_for_a_missed_target_only():
    """A row that holds has none, whatever the file of reasons says."""
    kept = rows.row(("a work", "ours"), costs.Cost(1, 1, 1), rows.Check("a ratio", 0.3, most=0.4))
    results = EMPTY.replaced("one", [kept], RUN).reasoned({"one: a work: ours": "Because."})
    assert [one.reason for one in results.rows] == [""]


def test_a_row_without_targets_keeps_its_figures():
    """It is held to nothing, so it misses nothing, and the table says that there was nothing to miss."""
    free = FAST.without_targets()
    assert free.checks == (rows.Check("wall / peer", 0.5),)
    assert not free.missed
    results = EMPTY.replaced("one", [free], RUN)
    assert render.markdown(results).endswith("\n\nNo figure has a target.\n")


def test_kept_targets_are_said_to_be_kept():
    """One target that holds is enough to say that none is missed."""
    kept = rows.row(("a work", "ours"), costs.Cost(1, 1, 1), rows.Check("a ratio", 0.3, most=0.4))
    results = EMPTY.replaced("one", [kept], RUN)
    assert render.markdown(results).endswith("\n\nNo target is missed.\n")


def test_one_round_is_no_median():
    """A run of one round does not call its figures medians."""
    results = EMPTY.replaced("one", [SLOW], ("monday", {**ABOUT, "rounds": 1}))
    assert "revision abc1234, one round; Some CPU" in render.markdown(results)


def test_what_is_written_is_read(tmp_path):
    """Rows, figures, limits and runs come back as they were."""
    results = EMPTY.replaced("one", [FAST, SLOW], RUN).reasoned({"one: a work: ours": "Because."})
    rows.write_results(tmp_path / "r.json", results)
    assert rows.read_results(tmp_path / "r.json") == results


def test_only_the_part_between_the_marks_is_written(tmp_path):
    """What somebody wrote above and below stays."""
    page, out = tmp_path / "page.md", tmp_path / "r.json"
    page.write_text(f"# Above\n\n{render.BEGIN}\nold\n{render.END}\n\nBelow.\n")
    rows.write_results(out, EMPTY.replaced("start-up", [SLOW], RUN))
    command_line.render(out, page)
    text = page.read_text()
    assert text.startswith(f"# Above\n\n{render.BEGIN}\n\n- start-up: 2026")
    assert text.endswith(f"No figure has a target.\n\n{render.END}\n\nBelow.\n")


@pytest.mark.parametrize(
    "page", ["no marks", f"{render.BEGIN}\n", f"{render.BEGIN}\n{render.BEGIN}\n{render.END}"]
)
def test_a_page_without_its_marks_is_left_alone(page):
    """A mark that is missing or stands twice ends the program with what is needed."""
    with pytest.raises(SystemExit, match="the page needs one line"):
        render.placed(page, EMPTY)


def test_the_page_shows_the_committed_results():
    """The part between the marks is what the results in the repository make."""
    page = command_line.PAGE.read_text(encoding="utf-8")
    assert render.placed(page, rows.read_results(command_line.RESULTS)) == page


def test_a_missed_target_of_the_committed_results_has_a_reason():
    """None is only a no."""
    results = rows.read_results(command_line.RESULTS).reasoned(command_line.reasons())
    assert [one.key for one in results.rows if one.missed and not one.reason] == []
