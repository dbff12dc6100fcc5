"""Cutting rows into shards: of a size, larger where they are many, and never across files."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.collection.quality.cutting import Cutter
from pytest_pii_eval.contracts.jsonl import Row


def row(line: int) -> Row:
    """A row of ten bytes and a line feed."""
    return Row(line, 11 * (line - 1), 10, b"", {})


def cut(files: list[int], size: int, most: int) -> list[list[tuple[int, int, int]]]:
    """The shards of files with so many rows, as offset, line and rows."""
    cutter = Cutter(size, most)
    for number, rows in enumerate(files):
        for line in range(1, rows + 1):
            cutter.add(f"{number}.jsonl", row(line), ("even", "odd")[line % 2 :])
    return [
        [
            (shard.offset, shard.line, shard.rows)
            for shard in cutter.shards(Path(f"{number}.jsonl"), f"{number}.jsonl", ())
        ]
        for number in range(len(files))
    ]


def test_a_file_is_cut_into_shards_of_the_size() -> None:
    """The last one holds what is left."""
    assert cut([7], 3, 100) == [[(0, 1, 3), (33, 4, 3), (66, 7, 1)]]


def test_neighbours_become_one_where_shards_are_many() -> None:
    """At four of one row there are two of two, and the next holds two as well."""
    assert cut([6], 1, 4) == [[(0, 1, 2), (22, 3, 2), (44, 5, 2)]]


def test_a_shard_never_holds_rows_of_two_files() -> None:
    """Files that are many and small have one each, and those behind them are still cut."""
    assert cut([1, 1, 1, 5], 1, 2) == [
        [(0, 1, 1)],
        [(0, 1, 1)],
        [(0, 1, 1)],
        [(0, 1, 2), (22, 3, 3)],
    ]


def test_a_shard_names_the_slices_of_its_rows() -> None:
    """Also where it was two before; equal sets are one object."""
    cutter = Cutter(1, 4)
    for line, slices in enumerate([("a",), ("b",), ("a", "b"), ("a",)], start=1):
        cutter.add("f.jsonl", row(line), slices)
    first, second = cutter.shards(Path("f.jsonl"), "f.jsonl", (7,))
    assert (first.slices, second.slices) == ({"a", "b"}, {"a", "b"})
    assert first.slices is second.slices
    assert (first.name, second.name, first.state) == ("shard-00001", "shard-00002", (7,))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 40), max_size=5), st.integers(1, 6), st.integers(2, 8))
def test_shards_hold_every_row_once_and_in_order(files: list[int], size: int, most: int) -> None:
    """They follow each other without a gap, and are few, but for one or two a file."""
    found = cut(files, size, most)
    for rows, shards in zip(files, found, strict=True):
        expected = 1
        for offset, line, held in shards:
            assert (offset, line) == (11 * (expected - 1), expected)
            assert held > 0
            expected += held
        assert expected == rows + 1
    assert sum(map(len, found)) <= max(most, 2 * len(files)) + 2 * len(files)
