"""Freezes of packed suites: commitments are to files as they lie, parts of a split are JSON Lines."""

from __future__ import annotations

import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from freeze_split_desk import HALVES, SplitDesk
from freeze_suites import CANARY, kinds, record_row, rows_of, write_suite

from pytest_pii_eval.contracts.canonical import sha256
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.committing import check_files, commitment_of


def pack(path):
    """Replace a file of lines by one of gzip, and return it."""
    packed = path.with_name(f"{path.name}.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()
    return packed


def columns(path):
    """Replace a file of lines by a Parquet file, and return it."""
    packed = path.with_suffix(".parquet")
    pq.write_table(pa.Table.from_pylist(rows_of(path)), packed)
    path.unlink()
    return packed


@pytest.fixture
def desk(tmp_path, monkeypatch, capsys):
    """A desk that is the working directory."""
    monkeypatch.chdir(tmp_path)
    return SplitDesk(tmp_path, capsys)


@pytest.mark.parametrize("change", [pack, columns])
def test_a_commitment_is_to_the_file_on_the_disk(tmp_path, change) -> None:
    """Its bytes and hash are those of the packed file; documents, gold and templates are the same."""
    plain = commitment_of(write_suite(tmp_path / "suite", [1, 2, 1]), kinds, split_key="template_id")
    packed = change(tmp_path / "suite" / "quality-records.jsonl")
    found = commitment_of(tmp_path / "suite", kinds, split_key="template_id")
    assert (found.gold, found.documents, found.templates) == (plain.gold, plain.documents, plain.templates)
    assert found.files[packed.name].bytes == packed.stat().st_size
    assert found.files[packed.name].sha256 == sha256(packed.read_bytes())
    check_files(tmp_path / "suite", found, kinds, contents=True)


def test_a_file_that_is_packed_anew_is_another_file(tmp_path) -> None:
    """The same rows in other bytes are not what was committed to."""
    path = pack(write_suite(tmp_path / "suite", [1, 2]) / "quality-records.jsonl")
    commitment = commitment_of(tmp_path / "suite", kinds, split_key="template_id")
    content = bytearray(path.read_bytes())
    content[4:8] = b"\1\2\3\4"  # the time in the head of the member
    path.write_bytes(content)
    with pytest.raises(Fault, match="is not what was committed to: its SHA-256 is another"):
        check_files(tmp_path / "suite", commitment, kinds, contents=True)


def test_packed_suites_are_split_as_plain_ones(desk) -> None:
    """The same documents in the same parts, told in the same words; the parts are JSON Lines."""
    plain = desk.split(*HALVES)
    parts = {name: rows_of(desk.part(name) / "quality-records.jsonl") for name in ("dev", "sealed")}
    (desk.folder / "parts").rename(desk.folder / "before")
    columns(desk.suite / "quality-records.jsonl")
    pack(desk.suite / "quality-provenance.jsonl")
    assert desk.split(*HALVES) == plain
    for name, rows in parts.items():
        assert rows_of(desk.part(name) / "quality-records.jsonl") == rows
        assert sorted(path.name for path in desk.part(name).iterdir() if "quality" in path.name) == [
            "quality-provenance.jsonl",
            "quality-records.jsonl",
            "quality-slices.jsonl",
        ]


def test_two_files_of_one_name_without_packing_are_refused(desk) -> None:
    """Both would be written into one file of a part."""
    row = record_row("other", f"Ada wrote {CANARY}.", (0, 3, "person"))
    content = json.dumps(row).encode() + b"\n"
    (desk.suite / "quality-records.jsonl.gz").write_bytes(gzip.compress(content))
    with (desk.suite / "quality-provenance.jsonl").open("a", encoding="utf-8") as sidecar:
        sidecar.write('{"document_id": "other", "source_corpus": "made-up", "template_id": "other"}\n')
    assert desk.refused().endswith(
        "quality-records.jsonl.gz: would have the name of another file when it is unpacked; rename it"
    )


def test_packed_slices_are_refused(desk) -> None:
    """The plan is small, and stays plain."""
    pack(desk.suite / "quality-slices.jsonl")
    assert "quality-slices.jsonl.gz: is packed, and only records, provenance" in desk.refused()
