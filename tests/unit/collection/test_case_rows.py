"""Rows of case files between collection and run: found again, refused where changed, kept within room."""

from __future__ import annotations

import json
import tracemalloc
from itertools import count

import pytest

from pytest_pii_eval.collection.case_rows import CaseRows, Room, RowReader
from pytest_pii_eval.collection.failures import CaseFailure
from pytest_pii_eval.contracts.cases import Case, Expected
from pytest_pii_eval.contracts.jsonl import read_rows


class Contract:
    """Restores a case from its id and text alone, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def restore(self, value) -> Case:
        """Return the case in a row."""
        self.asked += 1
        return Case(value["id"], "negative", value["text"], (), ())


@pytest.fixture
def path(tmp_path):
    """A file of four rows, of different lengths, with text beyond ASCII."""
    path = tmp_path / "rows.jsonl"
    lines = [json.dumps({"id": f"c{n}", "text": "ä" * (n + 1)}, ensure_ascii=False) for n in range(4)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def rows_of(path, room):
    """Return the rows of the file, with `room` bytes for cases."""
    rows, contract = CaseRows(path, RowReader(path.parent), Room(room)), Contract()
    with path.open("rb") as handle:
        for row in read_rows(handle, file=path.name):
            rows.add(row, contract.restore(row.value))
    return rows


def test_rows_are_read_again_by_number(path) -> None:
    """Without room every case comes from the file, in whatever order it is asked for."""
    rows, contract = rows_of(path, 0), Contract()
    assert [case.case_id for case in rows.cases([3, 0, 2, 2], contract)] == ["c3", "c0", "c2", "c2"]
    assert rows.case(1, contract).text == "ää"
    assert (len(rows), contract.asked) == (4, 5)


def test_first_cases_are_kept_while_there_is_room(path) -> None:
    """Room for two small cases and a half keeps two; the others are read again."""
    rows, contract = rows_of(path, 1_000), Contract()
    assert [case.text for case in rows.cases(range(4), contract)] == ["ä", "ää", "äää", "ääää"]
    assert contract.asked == 2


@pytest.mark.parametrize(
    ("text", "records"), [("x" * 300, 1), ("文" * 300, 1), ("😀" * 300, 1), ("x" * 300, 40), ("", 0)]
)
def test_the_room_is_what_python_takes(text, records) -> None:
    """What the kept cases of a full room take is at most the room, and most of it, by Python's own count."""
    size, room, kept = 1 << 20, Room(1 << 20), []
    tracemalloc.start()
    try:
        for number in count(1000):
            spans = tuple(Expected(number + at, 2 * number + at, at) for at in range(records))
            case = Case(f"case-{number:06}", "positive", f"{text}{number}", (), spans)
            if not room.take(case):
                break
            kept.append(case)
        taken = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert 0.6 * size < taken <= size


def test_keeping_ends_with_the_first_case_that_does_not_fit(path) -> None:
    """A long row in the middle is read again, and so is what follows: numbers still lead to their rows."""
    texts = ["short", "long" * 200, "small"]
    lines = [json.dumps({"id": f"c{n}", "text": text}) + "\n" for n, text in enumerate(texts)]
    path.write_text("".join(lines), encoding="utf-8")
    rows, contract = rows_of(path, 900), Contract()
    assert [case.text for case in rows.cases(range(3), contract)] == texts
    assert contract.asked == 2


def test_files_share_the_room(path) -> None:
    """What one file took, the next one lacks; a case that does not fit ends the keeping."""
    room = Room(1_000)
    first = Case("a", "negative", "x" * 600, (), ())
    assert room.take(first) is True
    assert room.take(first._replace(text="")) is False


def test_a_changed_row_is_refused_by_its_line(path) -> None:
    """A row that is not what was checked is a failure; the others are read on."""
    rows = rows_of(path, 0)
    path.write_bytes(path.read_bytes().replace(b"c2", b"c9"))
    contract = Contract()
    assert rows.case(3, contract).case_id == "c3"
    with pytest.raises(
        CaseFailure, match=r"^line 3 of rows\.jsonl changed while the run went on; run again$"
    ):
        rows.case(2, contract)


def test_a_file_that_was_cut_is_refused(path) -> None:
    """Rows that are gone are no rows."""
    rows = rows_of(path, 0)
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(CaseFailure, match="line 4"):
        rows.case(3, Contract())


def test_a_row_takes_twenty_bytes(path) -> None:
    """Offset, size and hash of 100,000 rows: packed integers, whatever the rows hold."""
    rows = CaseRows(path, RowReader(path.parent), Room(0))
    with path.open("rb") as handle:
        row = next(read_rows(handle, file=path.name))
    case = Case("c", "negative", "", (), ())
    for _ in range(100_000):
        rows.add(row, case)
    packed = (rows._offsets, rows._sizes, rows._digests)
    assert sum(column.itemsize * len(column) for column in packed) == 2_000_000
