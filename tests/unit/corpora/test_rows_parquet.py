"""Raw rows of Parquet files: columns, batches, values that are none, and files that are broken."""

from __future__ import annotations

import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from span_files import parquet

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora import rows_parquet
from pytest_pii_eval.corpora.draft import Unfit
from pytest_pii_eval.corpora.rows import rows

_CANARY = "Quenby Nowhere"


def _fault(path, columns=None) -> str:
    with pytest.raises(Fault) as caught:
        list(rows(path, columns=columns))
    assert _CANARY not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
    return str(caught.value)


def test_the_columns_asked_for_come_as_a_dict_a_row(tmp_path) -> None:
    """In whatever order they lie in the file; rows are numbered from 1."""
    path = parquet(
        tmp_path / "a.parquet", [{"a": 1, "b": "x", "c": [{"d": 2}]}, {"a": None, "b": "é", "c": []}]
    )
    assert list(rows(path, columns=["c", "a"])) == [(1, {"c": [{"d": 2}], "a": 1}), (2, {"c": [], "a": None})]
    assert list(rows(path))[1] == (2, {"a": None, "b": "é", "c": []})


def test_one_row_group_comes_in_many_batches(tmp_path, monkeypatch) -> None:
    """Rows go on counting over the batches."""
    monkeypatch.setattr(rows_parquet, "_BATCH_ROWS", 2)
    path = parquet(tmp_path / "a.parquet", [{"a": number} for number in range(1, 6)])
    assert list(rows(path)) == [(number, {"a": number}) for number in range(1, 6)]


def test_an_absent_column_is_named(tmp_path) -> None:
    """The fault shows the name that was asked for, and none that the file has."""
    path = parquet(tmp_path / "a.parquet", [{_CANARY: "x"}])
    assert _fault(path, ["text"]) == "a.parquet: text: is no column of the file"


def test_a_column_that_comes_twice_is_refused(tmp_path) -> None:
    """Nobody can tell which of the two is meant; without columns asked for no name is shown."""
    table = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=[_CANARY, _CANARY])
    pq.write_table(table, tmp_path / "a.parquet")
    assert _fault(tmp_path / "a.parquet") == "a.parquet: is a column more than once"


def test_text_that_is_not_utf_8_is_an_unreadable_row(tmp_path) -> None:
    """The rows of its batch stay readable."""
    texts = pa.Array.from_buffers(
        pa.string(),
        3,
        [None, pa.array([0, 1, 2, 4], pa.int32()).buffers()[1], pa.py_buffer(b"a\xff\xc3\xa9")],
    )
    pq.write_table(pa.Table.from_arrays([texts], names=["t"]), tmp_path / "a.parquet")
    found = list(rows(tmp_path / "a.parquet"))
    assert found == [(1, {"t": "a"}), (2, Unfit(2, "row_not_readable")), (3, {"t": "é"})]


def test_a_value_that_python_cannot_hold_is_an_unreadable_row(tmp_path) -> None:
    """Here a day some 270 thousand years from now; only the columns asked for are looked at."""
    table = pa.table({"t": ["a", "b"], "day": pa.array([0, 10**8], pa.date32())})
    pq.write_table(table, tmp_path / "a.parquet")
    assert [type(value) for _, value in rows(tmp_path / "a.parquet")] == [dict, Unfit]
    assert list(rows(tmp_path / "a.parquet", columns=["t"])) == [(1, {"t": "a"}), (2, {"t": "b"})]


def test_a_file_that_is_no_parquet_is_told_by_its_start(tmp_path) -> None:
    """Its bytes say so, whatever its name says."""
    (tmp_path / "a.parquet").write_bytes(b'{"text": "Quenby Nowhere"}\n')
    rule = "is no Parquet file; the end of its name or the option format says parquet"
    assert _fault(tmp_path / "a.parquet") == f"a.parquet: {rule}"


def test_a_cut_off_file_is_refused_without_the_words_of_pyarrow(tmp_path) -> None:
    """The footer is at the end, so a cut is seen before any row is."""
    path = parquet(tmp_path / "a.parquet", [{"text": _CANARY}])
    path.write_bytes(path.read_bytes()[:-9])
    assert _fault(path) == "a.parquet: is a broken Parquet file, or cut off"


def test_a_broken_page_is_refused_behind_the_rows_before_it(tmp_path) -> None:
    """Every row group before it was read; the fault counts rows and names nothing."""
    table = pa.table({"text": [f"{_CANARY} {number}" for number in range(2_000)]})
    path = tmp_path / "a.parquet"
    pq.write_table(table, path, row_group_size=1_000, compression="snappy", use_dictionary=False)
    second = pq.ParquetFile(path).metadata.row_group(1).column(0).data_page_offset
    payload = bytearray(path.read_bytes())
    payload[second : second + 400] = b"\xff" * 400
    path.write_bytes(payload)
    seen = []
    with pytest.raises(Fault) as caught:
        seen.extend(number for number, _ in rows(path))
    assert str(caught.value) == f"a.parquet: is broken or cut off behind row {len(seen):,}"
    assert len(seen) <= 1_000


def test_a_missing_pyarrow_names_its_extra(tmp_path, monkeypatch) -> None:
    """The fault says what to install."""
    path = parquet(tmp_path / "a.parquet", [{"a": 1}])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    rule = "is a Parquet file; to read it, pip install 'pytest-pii-eval[parquet]'"
    assert _fault(path) == f"a.parquet: {rule}"
