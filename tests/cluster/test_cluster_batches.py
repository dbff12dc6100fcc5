"""Cutting files by size, and reading the rows that start in a range: no row twice, none left out."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval import Fault
from pytest_pii_eval.cluster.batches import Batch, cut, rows_of
from pytest_pii_eval.cluster.storage import StoredFile

LINES = [
    json.dumps({"n": number, "t": "é\N{WAVING HAND SIGN}" * number}, ensure_ascii=False)
    for number in range(9)
]
PAYLOAD = "".join(line + "\n" for line in LINES).encode()

STARTS = [sum(len(line.encode()) + 1 for line in LINES[:number]) for number in range(len(LINES))]


def cut_rows(payload, size, name="a.jsonl"):
    """Return the rows of every batch of `size` bytes, each as (batch, line in it, value)."""
    batches = cut([(0, StoredFile(name, len(payload), ""))], size)
    return [
        (batch.number, row.line, row.value, row.offset)
        for batch in batches
        for row in rows_of(io.BytesIO(payload), batch, name)
    ]


@pytest.mark.parametrize("sizes", [range(1, 100), range(100, len(PAYLOAD) + 2)], ids=["small", "large"])
def test_every_cut_gives_every_row_once(sizes):
    """Whatever the size of a batch, rows come once, in order, at their offsets, from 1 in each batch."""
    for size in sizes:
        rows = cut_rows(PAYLOAD, size)
        assert [value for _, _, value, _ in rows] == [json.loads(line) for line in LINES], size
        assert [offset for *_, offset in rows] == STARTS, size
        for batch in {number for number, *_ in rows}:
            lines = [line for number, line, *_ in rows if number == batch]
            assert lines == list(range(1, len(lines) + 1)), size


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(max_size=20), max_size=12), st.integers(1, 80))
def test_any_texts_and_any_size(texts, size):
    """Rows of random texts come once each, in order, for random sizes of batches."""
    payload = "".join(json.dumps({"t": text}) + "\n" for text in texts).encode()
    assert [value["t"] for _, _, value, _ in cut_rows(payload, size)] == texts


def test_batches_cover_files_by_size_alone():
    """Two files of 10 and 3 bytes in batches of 4: three and one, an empty file has none."""
    files = [StoredFile("a.jsonl", 10, ""), StoredFile("b.jsonl", 0, ""), StoredFile("c.jsonl", 3, "")]
    assert list(cut(enumerate(files), 4)) == [
        Batch(0, 0, 0, 4),
        Batch(1, 0, 4, 4),
        Batch(2, 0, 8, 2),
        Batch(3, 2, 0, 3),
    ]


def test_a_packed_file_is_one_batch():
    """What is compressed cannot be entered in its middle."""
    assert list(cut([(5, StoredFile("a.jsonl.gz", 10, ""))], 4)) == [Batch(0, 5, 0, 10)]


@pytest.mark.parametrize(
    ("payload", "rule"), [(b'{"n": 1}\n\n{"n": 2}\n', "blank"), (b'{"n": 1}\n{"n":', "cut off")]
)
@pytest.mark.parametrize("size", [1, 4, 9, 10, 100])
def test_a_bad_line_is_told_once(payload, rule, size):
    """The second line is at fault in every cut: one batch says so, with its line in the batch."""
    faults = []
    for batch in cut([(0, StoredFile("a.jsonl", len(payload), ""))], size):
        try:
            before = [row.line for row in rows_of(io.BytesIO(payload), batch, "a.jsonl") if row.line < 9]
        except Fault as fault:
            faults.append((fault.line, rule in fault.rule))
            before = []
        assert len(before) < 2
    assert faults == [(2 if size > 9 else 1, True)]


def test_a_byte_order_mark_is_refused_at_the_start_only():
    """The first line of a file may not start with one, and that of a later batch starts with an object."""
    with pytest.raises(Fault, match="byte order mark"):
        cut_rows(b"\xef\xbb\xbf" + PAYLOAD, 1000)
