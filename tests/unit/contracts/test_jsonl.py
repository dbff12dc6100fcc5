"""The reader of JSON Lines: where rows lie, what bounds them, and what breaks them."""

from __future__ import annotations

from io import BytesIO

import pytest

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.jsonl import MAX_LINE_BYTES, parse_row, read_rows


def _rows(payload: bytes, **limits: int):
    return list(read_rows(BytesIO(payload), file="a.jsonl", **limits))


def _fault(payload: bytes, **limits: int) -> str:
    with pytest.raises(Fault) as caught:
        _rows(payload, **limits)
    return str(caught.value)


def test_rows_know_their_place() -> None:
    """Lines count from 1; offset and size are bytes, the line feed not included."""
    # 8 bytes and a line feed; 11 bytes (é takes two) and a line feed; 2 bytes and a line feed.
    payload = '{"a": 1}\n{"é": "x"}\n{}\n'.encode()
    rows = _rows(payload)
    assert [(row.line, row.offset, row.size) for row in rows] == [(1, 0, 8), (2, 9, 11), (3, 21, 2)]
    assert [row.value for row in rows] == [{"a": 1}, {"é": "x"}, {}]
    assert [row.raw for row in rows] == [b'{"a": 1}', '{"é": "x"}'.encode(), b"{}"]


def test_a_place_is_enough_to_read_a_row_again() -> None:
    """The bytes from offset over size are the row."""
    payload = '{"t": "\U0001f600"}\n  {"b": [1]} \n'.encode()
    for row in _rows(payload):
        assert payload[row.offset : row.offset + row.size] == row.raw
        assert parse_row(row.raw) == row.value


def test_an_empty_file_has_no_rows() -> None:
    """Nothing is no row and no fault: an empty artifact is a matter of the gates."""
    assert _rows(b"") == []


def test_a_line_of_the_limit_is_taken() -> None:
    """The limit counts the bytes of a line without its line feed; one more is refused."""
    assert _rows(b'{"a":1}\n', max_line_bytes=7)[0].size == 7
    assert _fault(b'{"a":12}\n', max_line_bytes=7) == "a.jsonl:1: line is longer than the limit of 7 bytes"
    assert (
        _fault(b'{"a":123456}\n', max_line_bytes=7) == "a.jsonl:1: line is longer than the limit of 7 bytes"
    )


def test_an_endless_line_is_not_read_whole() -> None:
    """A line over the limit is given up two bytes behind it, however long it is."""
    handle = BytesIO(b"x" * 1_000)
    with pytest.raises(Fault, match="longer than the limit of 10 bytes"):
        list(read_rows(handle, file="a.jsonl", max_line_bytes=10))
    assert handle.tell() == 12


def test_the_limit_is_16_mib() -> None:
    """Without being told, the limit is that of the design."""
    assert MAX_LINE_BYTES == 16_777_216


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        (b"{}\n{}", "a.jsonl:2: last line does not end with a line feed; the file may be cut off"),
        (b"{}\r\n", "a.jsonl:1: holds a carriage return; lines end with a line feed alone"),
        (b"{}\r{}\n", "a.jsonl:1: holds a carriage return; lines end with a line feed alone"),
        (b"{}\n\n{}\n", "a.jsonl:2: blank line"),
        (b"\n", "a.jsonl:1: blank line"),
        (b"{}\n \t \n", "a.jsonl:2: blank line"),
        (b"{}\n[]\n", "a.jsonl:2: expected one object per line"),
        (b"null\n", "a.jsonl:1: expected one object per line"),
        (b'"x"\n', "a.jsonl:1: expected one object per line"),
        (b'{}\n{"a":1,"a":1}\n', "a.jsonl:2: duplicate key in an object (column 8)"),
        (b'{"a":NaN}\n', "a.jsonl:1: NaN is not JSON (column 6)"),
        (b"{}\n{} {}\n", "a.jsonl:2: not valid JSON at column 4: Extra data"),
        (b"{}\n{}\n\xff\n", "a.jsonl:3: not UTF-8: invalid byte 0xFF at byte 0"),
        (
            b"\xef\xbb\xbf{}\n",
            "a.jsonl:1: starts with a UTF-8 byte order mark (BOM); save as UTF-8 without BOM",
        ),
    ],
)
def test_faults_name_file_and_line(payload, message) -> None:
    """The first line that breaks a rule is named, with the rule."""
    assert _fault(payload) == message


def test_a_byte_order_mark_is_foreign_at_the_start_only() -> None:
    """Elsewhere it is broken JSON, and inside a string it is a character."""
    assert _fault(b"{}\n\xef\xbb\xbf{}\n").startswith("a.jsonl:2: not valid JSON")
    assert _rows(b'{"a":"\xef\xbb\xbf"}\n')[0].value == {"a": "\ufeff"}


def test_reading_may_start_inside_a_file() -> None:
    """A handle that stands behind two lines and twelve bytes counts on from there."""
    handle = BytesIO(b'{"a": 1}\n{}\n{"b": 2}\noops\n')
    handle.seek(12)
    rows = read_rows(handle, file="a.jsonl", line=2, offset=12)
    row = next(rows)
    assert (row.line, row.offset, row.size, row.value) == (3, 12, 8, {"b": 2})
    with pytest.raises(Fault, match=r"^a\.jsonl:4: not valid JSON"):
        next(rows)


def test_rows_before_a_fault_were_given() -> None:
    """The reader streams: rows are there before a later line is looked at."""
    rows = read_rows(BytesIO(b"{}\noops\n"), file="a.jsonl")
    assert next(rows).line == 1
    with pytest.raises(Fault, match=r"a\.jsonl:2"):
        next(rows)
