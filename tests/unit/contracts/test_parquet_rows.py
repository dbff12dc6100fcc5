"""Parquet files of rows: which encodings of the same values are taken, and what is no value of a row."""

from __future__ import annotations

import datetime as dt
import sys
from itertools import islice

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from quality_rows import plan_of
from row_containers import record, write

from pytest_pii_eval.contracts.canonical import canonical_bytes
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.records import RecordContract
from pytest_pii_eval.contracts.row_files import open_row_file

CANARY = "Quenby Nowhere"
STRUCT = pa.struct([("a", pa.string())])


def read(path) -> list:
    """Return the rows of a file."""
    with open_row_file(path) as file:
        return list(file.rows())


def fault(path) -> str:
    """Return the fault of a file, which shows neither text nor names of columns nor words of a library."""
    with pytest.raises(Fault) as caught:
        read(path)
    assert CANARY not in str(caught.value)
    assert caught.value.__cause__ is None
    return str(caught.value)


def table(path, **columns):
    """Write a file of these columns."""
    pq.write_table(pa.table(columns), path)
    return path


def test_a_row_is_its_canonical_json(tmp_path) -> None:
    """Sorted keys and no spaces; its place is the number of rows before it."""
    rows = read(write(tmp_path / "rows.parquet", [record(1), record(2)]))
    assert [(row.line, row.offset, row.size) for row in rows] == [
        (1, 0, len(rows[0].raw)),
        (2, 1, len(rows[1].raw)),
    ]
    assert rows[1].raw == canonical_bytes(record(2))
    assert rows[1].value == record(2)


@pytest.mark.parametrize(
    "type_",
    [
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.dictionary(pa.int32(), pa.string()),
        pa.dictionary(pa.int8(), pa.large_string()),
    ],
    ids=str,
)
def test_strings_are_taken_in_any_encoding(tmp_path, type_) -> None:
    """They mean the same, so they are the same row; null is null."""
    path = table(tmp_path / "rows.parquet", a=pa.array(["x", "é", None, "x"]).cast(type_))
    assert [row.value for row in read(path)] == [{"a": "x"}, {"a": "é"}, {"a": None}, {"a": "x"}]


@pytest.mark.parametrize("type_", [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)])
def test_integers_are_taken_in_any_width(tmp_path, type_) -> None:
    """They mean the same, so they are the same row."""
    path = table(tmp_path / "rows.parquet", a=pa.array([0, 7], type=type_))
    assert [row.value for row in read(path)] == [{"a": 0}, {"a": 7}]
    assert all(type(row.value["a"]) is int for row in read(path))


@pytest.mark.parametrize(
    "type_", [pa.list_(pa.string()), pa.large_list(pa.string()), pa.list_(pa.string(), 2)], ids=str
)
def test_lists_are_taken_in_any_encoding(tmp_path, type_) -> None:
    """Also as lists of one size."""
    path = table(tmp_path / "rows.parquet", a=pa.array([["x", "y"], ["z", "é"]], type=type_))
    assert [row.value for row in read(path)] == [{"a": ["x", "y"]}, {"a": ["z", "é"]}]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (pa.array([1.0]), "floats"),
        (pa.array([1.0], pa.float32()), "floats"),
        (pa.array([True]), "booleans"),
        (pa.array([CANARY.encode()]), "bytes that are not marked as text"),
        (pa.array([dt.datetime(2026, 1, 1)], pa.timestamp("us", "Europe/Berlin")), "times"),  # noqa: DTZ001
        (pa.array([1]).cast(pa.decimal128(19)), "decimals"),
        (pa.array([[("k", "v")]], pa.map_(pa.string(), pa.string())), "maps"),
        (pa.array([[1.5]]), "floats"),
        (pa.array([{CANARY: 1.5}]), "floats"),
        (pa.array([True]).dictionary_encode(), "booleans"),
    ],
    ids=lambda value: value if isinstance(value, str) else str(value.type)[:12],
)
def test_columns_of_another_kind_are_refused(tmp_path, values, said) -> None:
    """Whatever their values are: `1.0` is no integer and `true` none either, as in JSON."""
    path = table(tmp_path / "rows.parquet", a=["x"], **{CANARY: values})
    assert fault(path) == f"rows.parquet: column 2 holds {said}; strings and integers are wanted"


def test_two_columns_of_one_name_are_refused(tmp_path) -> None:
    """At the top, and inside a struct: nobody can tell which is meant."""
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.Table.from_arrays([pa.array(["x"]), pa.array(["y"])], names=[CANARY, CANARY]), path)
    assert fault(path) == "rows.parquet: has two columns of one name"
    struct = pa.StructArray.from_arrays([pa.array(["x"]), pa.array(["y"])], names=[CANARY, CANARY])
    pq.write_table(pa.table({"a": struct}), path)
    assert fault(path).startswith("rows.parquet: column 1 holds a struct with two fields of one name")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda row: row.update({CANARY: "x"}), "unknown field"),
        (lambda row: row.pop("slice_ids"), "slice_ids: "),
        (lambda row: row.update(document=None), "document: "),
        (lambda row: row["document"].update(text=None), "document.text: "),
        (lambda row: row.update(gold_spans=None), "gold_spans: "),
        (lambda row: row["gold_spans"][0].update(start=None), "gold_spans[0].start: "),
        (lambda row: row["gold_spans"][0].update(start="0"), "gold_spans[0].start: "),
        (
            lambda row: row["gold_spans"][0]["catalog_identity"].update(name_id=None),
            "catalog_identity.name_id: ",
        ),
    ],
)
def test_the_contract_of_a_record_is_that_of_lines(tmp_path, change, said) -> None:
    """Unknown and missing columns, and nulls where a value must be: the fault is that of the row as JSON."""
    one = record(1)
    change(one)
    told = []
    for name in ("rows.jsonl", "rows.parquet"):
        with pytest.raises(Fault) as caught:
            RecordContract(plan_of()).parse(read(write(tmp_path / name, [one]))[0].value)
        told.append(str(caught.value))
    assert told[0] == told[1]
    assert said in told[0]
    assert CANARY not in told[0]


def test_text_that_is_not_utf_8_is_told_with_its_row(tmp_path) -> None:
    """Parquet libraries write it, and none of them looks."""
    buffers = [None, pa.py_buffer(b"\0\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0"), pa.py_buffer(b"x\xffy")]
    path = table(tmp_path / "rows.parquet", a=pa.Array.from_buffers(pa.string(), 3, buffers))
    assert fault(path) == "rows.parquet:2: holds text that is not UTF-8"


def test_a_row_longer_than_a_line_may_be_is_refused(tmp_path) -> None:
    """16 MiB as JSON, whatever it is in the file."""
    path = table(tmp_path / "rows.parquet", a=["x", "y" * (16 * 1024 * 1024)])
    assert fault(path) == "rows.parquet:2: row is longer, as JSON, than the limit of 16,777,216 bytes"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty; not even a Parquet file without rows is that"),
        (b'{"a": 1}\n', "is no Parquet file, which its name says it is"),
        (
            b"version https://git-lfs.github.com/spec/v1\n",
            "is a Git LFS pointer, not the file; run 'git lfs pull'",
        ),
        (b"PAR1" + CANARY.encode() + b"PAR1", "is a broken Parquet file, or cut off"),
    ],
)
def test_what_is_no_parquet_file_is_refused(tmp_path, content, said) -> None:
    """The name says what it should be."""
    (tmp_path / "rows.parquet").write_bytes(content)
    assert fault(tmp_path / "rows.parquet") == f"rows.parquet: {said}"


def test_a_file_that_is_cut_off_is_refused(tmp_path) -> None:
    """Its end says where everything lies."""
    path = write(tmp_path / "rows.parquet", [record(number, CANARY * 9) for number in range(50)])
    path.write_bytes(path.read_bytes()[:-100])
    assert fault(path) == "rows.parquet: is a broken Parquet file, or cut off"


def test_a_page_that_is_broken_is_refused_behind_the_rows_before_it(tmp_path) -> None:
    """What pyarrow says may hold anything, and are not shown."""
    path = write(
        tmp_path / "rows.parquet", [record(number, f"{CANARY}{number}") for number in range(50)], members=2
    )
    content = bytearray(path.read_bytes())
    start = pq.ParquetFile(path).metadata.row_group(1).column(1).dictionary_page_offset
    content[start : start + 40] = b"\xff" * 40
    path.write_bytes(content)
    assert fault(path) == "rows.parquet: is broken or cut off behind row 25"


def test_a_file_without_rows_has_none(tmp_path) -> None:
    """As an empty file of lines has none."""
    assert read(table(tmp_path / "rows.parquet", a=pa.array([], pa.string()))) == []


def test_a_text_that_is_stored_once_does_not_fill_the_memory(tmp_path) -> None:
    """4,000 rows of one text of 1 MB, 4 GB in all, lie in a small file; few are in memory at a time."""
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * 4000), ["x" * 1_000_000])
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"a": texts}), path, store_schema=False)
    assert path.stat().st_size < 200_000
    before = pa.total_allocated_bytes()
    with open_row_file(path) as file:
        taken = [pa.total_allocated_bytes() - before for _ in islice(file.rows(), 40)]
    assert max(taken) < 60_000_000


def test_without_the_library_one_line_names_the_extra(tmp_path, monkeypatch) -> None:
    """It is asked for where a Parquet file is met."""
    path = write(tmp_path / "rows.parquet", [record(1)])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert fault(path) == (
        "rows.parquet: is a Parquet file; to read it, pip install 'pytest-pii-eval[parquet]'"
    )
