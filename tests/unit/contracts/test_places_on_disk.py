"""Ids beyond what memory keeps: what lies on disk, faults in their order, a disk that refuses."""

from __future__ import annotations

import errno
import io
import os
import tempfile
import tracemalloc
from hashlib import blake2b, sha256
from typing import TYPE_CHECKING, Any

import pytest
from quality_rows import plan_of

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.places import Places
from pytest_pii_eval.contracts.population import Population
from pytest_pii_eval.contracts.provenance import Coverage, Origin
from pytest_pii_eval.contracts.records import Record

if TYPE_CHECKING:
    from pathlib import Path

FULL = (
    "the ids so far could not be kept in the temporary folder (No space left on device);"
    " free space there, or let TMPDIR name another folder"
)


def record(name: str) -> Record:
    return Record(name, "", "body", "test", (), ("everyone",))


def population_of(*names: str, kept: int = 2) -> Population:
    """A population with these documents on lines 1, 2, ... of one file."""
    population = Population(plan_of(), kept=kept)
    fill(population, *names)
    return population


def fill(population: Population, *names: str) -> None:
    for line, name in enumerate(names, start=1):
        population.add(record(name), ("records.jsonl", line))


def test_a_document_repeated_long_after_is_told_at_the_end() -> None:
    """It is the same line as that of a suite that fits in memory; the id is not in it."""
    population = population_of("doc-secret", "doc-2", "doc-3", "doc-4", "doc-3", "doc-secret")
    with pytest.raises(Fault) as caught:
        population.finish()
    assert str(caught.value) == (
        "records.jsonl:5: document.document_id: names a document a second time; the first is records.jsonl:3"
    )


def test_a_repetition_goes_before_a_later_fault() -> None:
    """Whoever reads line by line meets the repetition first, so that is what is told."""
    population = population_of("doc-1", "doc-2", "doc-3", "doc-1")
    with pytest.raises(Fault) as caught, population.reading():
        raise Fault("is broken", file="records.jsonl", line=5)
    assert str(caught.value) == (
        "records.jsonl:4: document.document_id: names a document a second time; the first is records.jsonl:1"
    )


def test_without_a_repetition_the_fault_stays() -> None:
    """Looking for repetitions changes no other fault."""
    population = population_of("doc-1", "doc-2", "doc-3", "doc-4")
    with pytest.raises(Fault, match=r"^records\.jsonl:5: is broken$"), population.reading():
        raise Fault("is broken", file="records.jsonl", line=5)


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        (["doc-3", "doc-1", "doc-2", "doc-4", "doc-5"], None),
        (
            ["doc-3", "doc-1", "doc-2", "doc-3", "doc-1"],
            "sidecar.jsonl:4: document_id: names a document a second time; the first is sidecar.jsonl:1",
        ),
        (
            ["doc-1", "doc-2", "doc-9", "doc-8", "doc-3", "doc-4"],
            "sidecar.jsonl:3: document_id: names no document of the records; 2 of 6 rows do so",
        ),
        (
            ["doc-5", "doc-4", "doc-1"],
            "records.jsonl:2: document.document_id: has no provenance row; 2 of 5 documents have none",
        ),
    ],
)
def test_a_cover_is_exact_beyond_memory(rows: list[str], fault: str | None) -> None:
    """Repeated, unknown and missing rows are told as they are where all ids are in memory."""
    coverage = Coverage(population_of("doc-1", "doc-2", "doc-3", "doc-4", "doc-5"), kept=2)
    for line, name in enumerate(rows, start=1):
        coverage.add(Origin(name, "corpus", "template"), ("sidecar.jsonl", line))
    if fault is None:
        coverage.finish()
        return
    with pytest.raises(Fault) as caught:
        coverage.finish()
    assert str(caught.value) == fault


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a file in use has a name")
def test_the_ids_on_disk_are_in_a_file_without_a_name(tmp_path: Path, monkeypatch: Any) -> None:
    """Nothing can be found in the temporary folder while they are there."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    population = population_of(*map("doc-{}".format, range(100)))
    assert len(population) == 100
    assert os.listdir(tmp_path) == []  # noqa: PTH208  # names are all that is asked for


def test_what_lies_on_disk_holds_no_id_and_no_plain_hash_of_one(monkeypatch: Any) -> None:
    """Neither an id nor its BLAKE2b or SHA-256 without a key is in the file."""
    opened = []
    real = tempfile.TemporaryFile
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda: opened.append(real()) or opened[0])
    population = population_of("doc-secret", "doc-2", "doc-3", "doc-4")
    (file,) = opened
    file.seek(0)
    held = file.read()
    assert len(held) == len(population) * 23
    plain = blake2b(b"doc-secret", digest_size=16).digest()
    assert all(word not in held for word in (b"secret", plain, sha256(b"doc-secret").digest()[:16]))


@pytest.mark.parametrize("written", [0, 1])
def test_a_full_disk_is_one_line(monkeypatch: Any, written: int) -> None:
    """What the disk refuses, at once or later, is told with what to do, also to whoever reads records."""

    class Full(io.BytesIO):
        left = written

        def write(self, payload: Any) -> int:
            self.left -= 1
            if self.left < 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return super().write(payload)

    monkeypatch.setattr(tempfile, "TemporaryFile", Full)
    population = Population(plan_of(), kept=2)
    with pytest.raises(Fault) as caught, population.reading():
        fill(population, "doc-1", "doc-2", "doc-3", "doc-4")
    assert str(caught.value) == FULL
    assert len(population) == 2 * written + 1


def test_a_temporary_folder_that_is_not_there_is_one_line(tmp_path: Path, monkeypatch: Any) -> None:
    """The folder is not named: it is a path of the machine."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(Fault) as caught:
        population_of("doc-1", "doc-2")
    assert str(caught.value) == FULL.replace("No space left on device", "No such file or directory")


def test_memory_does_not_follow_the_number_of_ids() -> None:
    """Ten times the ids, the answer included, take a fifth more at most."""

    def peak(ids: int) -> int:
        tracemalloc.start()
        places = Places(kept=500)
        for number in range(ids):
            places.add(f"doc-{number}", ("records.jsonl", number + 1))
        assert places.repeated() is None
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    peak(1000)  # imports what it needs
    assert peak(20_000) <= 1.2 * peak(2_000)
