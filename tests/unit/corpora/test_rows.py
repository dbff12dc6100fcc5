"""Raw rows of JSON Lines and JSON arrays: what is a row, what is an unreadable one, what breaks the file."""

from __future__ import annotations

import json
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.draft import Unfit
from pytest_pii_eval.corpora.rows import format_option, rows
from pytest_pii_eval.corpora.rows_array import array_rows
from pytest_pii_eval.corpora.rows_lines import line_rows

_CANARY = "Quenby Nowhere"
_ONE_OBJECT = (
    "holds one object at its top, not an array of rows; where it has an object a line, give the"
    " option format: jsonl, else take the array out of the object"
)


def _rows(tmp_path, payload: bytes, name: str = "a.jsonl", **how: str):
    (tmp_path / name).write_bytes(payload)
    return list(rows(tmp_path / name, **how))


def _fault(tmp_path, payload: bytes, name: str = "a.jsonl", **how: str) -> str:
    with pytest.raises(Fault) as caught:
        _rows(tmp_path, payload, name, **how)
    assert _CANARY not in str(caught.value)
    return str(caught.value)


def _bad(number: int) -> tuple[int, Unfit]:
    return number, Unfit(number, "row_not_readable")


def test_a_line_is_a_row(tmp_path) -> None:
    """Rows carry the number of their line, from 1."""
    assert _rows(tmp_path, b'{"a": 1}\n{"a": "\xc3\xa9"}\n') == [(1, {"a": 1}), (2, {"a": "é"})]


def test_lines_may_end_as_windows_ends_them(tmp_path) -> None:
    """A carriage return before the line feed is no part of the row; one inside a text stays."""
    assert _rows(tmp_path, b'{"a": "x\\r\\ny"}\r\n{"a": 2}\r\n') == [(1, {"a": "x\r\ny"}), (2, {"a": 2})]


def test_the_end_may_lack_a_line_feed_or_have_many(tmp_path) -> None:
    """The last line needs no line feed, and blank lines at the very end are no rows."""
    assert _rows(tmp_path, b'{"a": 1}') == [(1, {"a": 1})]
    assert _rows(tmp_path, b'{"a": 1}\n\r\n \n\n') == [(1, {"a": 1})]
    assert _rows(tmp_path, b"") == []


def test_a_blank_line_between_rows_is_an_unreadable_row(tmp_path) -> None:
    """Nobody can tell whether a row was lost there."""
    found = _rows(tmp_path, b'{"a": 1}\n\n\n{"a": 2}\n{"a": 3}\n')
    assert found == [(1, {"a": 1}), _bad(2), _bad(3), (4, {"a": 2}), (5, {"a": 3})]


@pytest.mark.parametrize(
    "line",
    [
        b'{"a": 1, "a": 2}',
        b'{"a": NaN}',
        b'{"a": 1e999}',
        b'{"a": "\\ud800"}',
        b'{"a": "\xff"}',
        b'{"a": "x',
        b'{"a": 1} {"a": 2}',
        b"[" * 100_000,
    ],
    ids=["key-twice", "nan", "huge", "surrogate", "not-utf-8", "cut-off", "two-values", "deep"],
)
def test_a_line_that_breaks_a_rule_is_one_unreadable_row(tmp_path, line) -> None:
    """The rows around it are read."""
    found = _rows(tmp_path, b'{"a": 0}\n' + line + b'\n{"a": 9}\n')
    assert found == [(1, {"a": 0}), _bad(2), (3, {"a": 9})]


def test_a_long_line_breaks_the_file() -> None:
    """The limit counts bytes without the line feed."""
    assert list(line_rows(BytesIO(b'{"a":1}\n'), max_line_bytes=7)) == [(1, {"a": 1})]
    with pytest.raises(Fault, match=r"^line 2: line is longer than the limit of 7 bytes$"):
        list(line_rows(BytesIO(b'{"a":1}\n{"a":12}'), max_line_bytes=7))


@pytest.mark.parametrize(
    ("start", "rule"),
    [
        (b"\x1f\x8b\x08", "is packed (gzip); unpack it first"),
        (b"PK\x03\x04", "is packed (ZIP); unpack it first"),
        (b"PK\x05\x06", "is packed (ZIP); unpack it first"),
        (b"\xef\xbb\xbf{}", "starts with a UTF-8 byte order mark (BOM); save as UTF-8 without BOM"),
        (b"\xff\xfe{\0}\0", "starts with a UTF-16 byte order mark (BOM); save as UTF-8 without BOM"),
        (b"{\0}\0", "holds zero bytes, as UTF-16 does; save as UTF-8 without BOM"),
        (
            b"version https://git-lfs.github.com/spec/v1\n",
            "is a Git LFS pointer, not the file; run 'git lfs pull'",
        ),
        (b"PAR1....", "is a Parquet file; the end of its name or the option format says {format}"),
    ],
)
@pytest.mark.parametrize(("name", "format_"), [("a.jsonl", "jsonl"), ("b.json", "json")])
def test_a_foreign_file_is_named(tmp_path, start, rule, name, format_) -> None:
    """A file that is packed or in another encoding is refused by what it is."""
    assert _fault(tmp_path, start, name) == f"{name}: {rule.format(format=format_)}"


def test_the_end_of_the_name_or_the_option_tells_the_format(tmp_path) -> None:
    """An option wins over the name; without both nothing is guessed."""
    assert _rows(tmp_path, b"{}\n", "a.NDJSON") == [(1, {})]
    assert _rows(tmp_path, b"[{}]", "a.jsonl", format="json") == [(1, {})]
    rule = "its name tells no format; end it in .jsonl, .ndjson, .json, .parquet, or give the option format"
    assert _fault(tmp_path, b"{}\n", "a.txt") == f"a.txt: {rule}"
    assert format_option(None) is None
    with pytest.raises(Fault, match=r"^options.format: must be one of: jsonl, json, parquet$"):
        format_option("csv")


def test_an_array_is_read_element_by_element(tmp_path) -> None:
    """Rows are numbered from 1; brackets and quotes inside strings are text."""
    payload = b' [ {"a": "]}\\"["} ,\r\n[1, [2]],{}\n] \n'
    assert _rows(tmp_path, payload, "a.json") == [(1, {"a": ']}"['}), (2, [1, [2]]), (3, {})]
    assert _rows(tmp_path, b"[ ]", "a.json") == []


def test_a_bad_element_is_one_unreadable_row(tmp_path) -> None:
    """What is wrong inside an element's brackets stays there."""
    payload = b'[{"a": NaN}, {"a": 1, "a": 2}, {"a": "\xff"}, {"a" 1}, {"a": [}], {"a": 5}]'
    bad = [_bad(number) for number in range(1, 6)]
    assert _rows(tmp_path, payload, "a.json") == [*bad, (6, {"a": 5})]
    deep = b"[" * 100_000 + b"]" * 100_000
    assert _rows(tmp_path, b"[" + deep + b", {}]", "a.json") == [_bad(1), (2, {})]


@pytest.mark.parametrize(
    ("payload", "rule"),
    [
        (
            b'{"rows": []}',
            _ONE_OBJECT,
        ),
        (b"", "is no JSON array"),
        (b'"Quenby Nowhere"', "is no JSON array"),
        (b"[{}", "[0]: ends before its array does; the file may be cut off"),
        (b"[{},", "[1]: ends before its array does; the file may be cut off"),
        (b'[{}, {"a": "Quenby Nowhere', "[1]: ends before its array does; the file may be cut off"),
        (b"[", "[0]: ends before its array does; the file may be cut off"),
        (b"[{} {}]", "[0]: is not followed by a comma or the end of the array"),
        (
            b"[{}, ]",
            "[1]: holds an element that is neither object nor array; an array of rows is wanted",
        ),
        (
            b'[{}, "Quenby Nowhere"]',
            "[1]: holds an element that is neither object nor array; an array of rows is wanted",
        ),
        (b"[{}] [{}]", "goes on behind its array; one array is wanted"),
        (b"[{}]\xc3", "goes on behind its array; one array is wanted"),
    ],
)
def test_a_file_that_is_no_array_is_refused(tmp_path, payload, rule) -> None:
    """The fault names the element by its ordinal, and says what is wrong."""
    assert _fault(tmp_path, payload, "a.json") == f"a.json: {rule}"


def test_a_long_element_breaks_the_file() -> None:
    """An element of the limit is taken; one byte more is not, whether its end was seen or not."""
    assert list(array_rows(BytesIO(b'[{"a":1}]'), max_bytes=7)) == [(1, {"a": 1})]
    for payload in (b'[{"a":12}]', b'[{"a":123', b'[{"a":"' + b"x" * 600_000):
        with pytest.raises(Fault, match=r"^\[0\]: is longer than the limit of 7 bytes$"):
            list(array_rows(BytesIO(payload), max_bytes=7))


def test_an_array_is_never_read_whole() -> None:
    """The first element is there before a third of the file was read."""
    handle = BytesIO(b"[" + b",".join([b'{"a": "xxxxxxxxxxxxxxxx"}'] * 40_000) + b"]")
    assert next(array_rows(handle)) == (1, {"a": "x" * 16})
    assert handle.tell() < 330_000


class _Dripping(BytesIO):
    """A file that gives a few bytes at a time."""

    def __init__(self, payload: bytes, most: int) -> None:
        super().__init__(payload)
        self._most = most

    def read(self, size: int | None = -1) -> bytes:
        return super().read(self._most if size is None or size < 0 else min(size, self._most))


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('é😀"\\[]{},: \n', max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text('a"]', max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.dictionaries(st.text("ab", max_size=2), _VALUES, max_size=3) | st.lists(_VALUES), max_size=5),
    st.integers(1, 30),
    st.sampled_from([None, 0, 2]),
    st.booleans(),
)
def test_an_array_is_what_json_reads_in_it(elements, most, indent, ascii_) -> None:
    """However the file is cut into pieces and written, the elements are those of the whole array."""
    payload = json.dumps(elements, indent=indent, ensure_ascii=ascii_).encode()
    found = list(array_rows(_Dripping(payload, most)))
    assert found == list(enumerate(elements, 1))
