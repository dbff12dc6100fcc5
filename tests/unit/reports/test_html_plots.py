"""The geometry of plots: coordinates by hand from counts."""

from __future__ import annotations

import pytest

from pytest_pii_eval.reports.html.bars import BarRow, bars
from pytest_pii_eval.reports.html.fitting import columns_of, fitted
from pytest_pii_eval.reports.html.funnel import funnel
from pytest_pii_eval.reports.html.heat_map import MOST, NOTHING, heat_map
from pytest_pii_eval.reports.html.states import states


def test_a_bar_is_as_long_as_its_share_of_316_pixels():
    """A share of 1/4 is 79 pixels, and the scale ends at 318."""
    plot = bars([BarRow("email", "1/4", 0.25), BarRow("phone", "4/4", 1.0)])

    assert [bar.length for bar in plot.bars] == [79.0, 316.0]
    assert [(tick.x, tick.text) for tick in plot.ticks] == [(2.0, "0"), (160.0, "0.5"), (318.0, "1")]


def test_bars_stand_42_pixels_apart():
    """Two rows and a scale of 24 pixels are 108 high."""
    plot = bars([BarRow("one", "1", 1.0), BarRow("two", "1", 1.0)])

    assert [bar.bar_y for bar in plot.bars] == [20, 62]
    assert (plot.width, plot.height) == (320, 108)


def test_a_floor_is_marked_where_its_share_ends():
    """A floor of 0.95 stands at 2 + 0.95 x 316 = 302.2."""
    (bar,) = bars([BarRow("email", "1/4", 0.25, floor=0.95)]).bars

    assert bar.floor == 302.2


def test_a_null_has_no_bar_and_a_zero_has_one_of_no_length():
    """No value is not a value of 0."""
    null, zero = bars([BarRow("a", "null (no_gold)", None), BarRow("b", "0/4", 0.0)]).bars

    assert null.length is None
    assert zero.length == 0.0


@pytest.mark.parametrize(("share", "length"), [(7.5, 316.0), (-1.0, 0.0)])
def test_a_share_beyond_the_scale_ends_with_it(share, length):
    """A file may hold any number; the plot stays inside its frame."""
    assert bars([BarRow("a", "", share)]).bars[0].length == length


def test_states_share_the_bar_by_their_counts():
    """Of 8 gold spans 4 are exact (158 pixels), 2 shifted (79), 2 missed (79)."""
    plot = states({"exact": 4, "shift": 2, "wrong_type": 0, "miss": 2, "extra": 1})

    assert [(part.state, part.x, part.length) for part in plot.parts] == [
        ("exact", 2.0, 158.0),
        ("shift", 160.0, 79.0),
        ("miss", 239.0, 79.0),
    ]
    assert plot.extra is not None
    assert plot.extra.length == 39.5
    assert [key.number for key in plot.keys] == ["4", "2", "0", "2", "1"]


def test_extras_set_the_scale_where_they_outnumber_gold():
    """With one gold span and four extras, gold takes a quarter of the bar."""
    plot = states({"exact": 1, "shift": 0, "wrong_type": 0, "miss": 0, "extra": 4})

    assert plot.parts[0].length == 79.0
    assert plot.extra is not None
    assert plot.extra.length == 316.0


def test_states_of_nothing_are_an_empty_bar():
    """Nothing is divided by nothing."""
    plot = states({"exact": 0, "shift": 0, "wrong_type": 0, "miss": 0, "extra": 0})

    assert plot.parts == ()
    assert plot.extra is None


def test_a_funnel_narrows_around_the_middle():
    """Of 8 labelled, 4 cataloged and 2 mapped: 312, 156 and 78 pixels around x = 160."""
    plot = funnel([("labelled", 8, "8"), ("cataloged", 4, "4"), ("mapped", 2, "2")])

    assert [(step.x, step.length) for step in plot.steps] == [(4.0, 312.0), (82.0, 156.0), (121.0, 78.0)]
    assert plot.steps[0].slope == "4,42 316,42 238,78 82,78"
    assert plot.steps[2].slope is None


def test_an_empty_funnel_has_no_width():
    """Where nothing is labelled no step is drawn as full."""
    assert [step.length for step in funnel([("labelled", 0, "0"), ("cataloged", 0, "0")]).steps] == [0.0, 0.0]


def test_a_heat_map_holds_gold_down_and_taken_for_across():
    """Own types come first, nothing last; depth is the share of the row in fifths, rounded up."""
    plot = heat_map({"phone": {"phone": 3, "account": 1, NOTHING: 0}, "card": {"card": 5, NOTHING: 5}})

    assert [head.text for head in plot.rows] == ["card", "phone"]
    assert [head.text for head in plot.columns] == ["card", "phone", "account", "(nothing)"]
    assert [square.text for square in plot.squares] == ["5", "·", "·", "5", "·", "3", "1", "·"]
    assert [square.depth for square in plot.squares] == [3, 0, 0, 3, 0, 4, 2, 0]
    assert [ordinal for ordinal, square in enumerate(plot.squares) if square.own] == [0, 5]


def test_squares_of_a_heat_map_do_not_overlap():
    """Columns stand 52 pixels apart, rows 34, and the squares are 50 by 32."""
    plot = heat_map({"a": {"a": 1, "b": 1}, "b": {"a": 1, "b": 1}})
    first, second, third, _ = plot.squares

    assert (second.x - first.x, third.y - first.y) == (52, 34)
    assert (plot.cell_width, plot.cell_height) == (50, 32)


def test_a_large_heat_map_keeps_the_largest_rows():
    """Of thirty types the twenty with most gold are drawn, and that is told."""
    plot = heat_map({f"type-{number:02}": {f"type-{number:02}": number + 1} for number in range(30)})

    assert len(plot.rows) == MOST
    assert plot.rows[0].text == "type-10"
    assert plot.cut


def test_labels_are_cut_to_their_room():
    """A name that fits stays whole, a longer one ends in an ellipsis, broad letters take two columns."""
    assert fitted("phone_office", 12) == "phone_office"
    assert fitted("phone_offices", 12) == "phone_offic…"
    assert fitted("電話番号", 6) == "電話…"
    assert fitted("MMMM", 6) == "MM…"
    assert columns_of("電話x") == 5


def test_marks_cannot_tower_over_a_plot():
    """Of a letter with a hundred accents, at most a quarter of the columns in accents is kept."""
    assert fitted("a" + "\u0301" * 100, 12) == "a" + "\u0301" * 3
