"""`pii-eval freeze split`: complete suites, rows as they were, what is told, and private folders."""

from __future__ import annotations

import json
import os
import shutil
from itertools import chain

import pytest
from freeze_split_desk import HALVES, SplitDesk
from freeze_suites import (
    CANARY,
    document,
    ids_in,
    kinds,
    origin_row,
    record_row,
    rows_of,
    template,
    write_rows,
    write_suite,
)

from pytest_pii_eval.freezes.committing import commitment_of


@pytest.fixture
def desk(tmp_path, monkeypatch, capsys):
    """A desk that is the working directory."""
    monkeypatch.chdir(tmp_path)
    return SplitDesk(tmp_path, capsys)


def templates_in(folder):
    """Return the templates of a suite."""
    return {row["template_id"] for row in rows_of(folder / "quality-provenance.jsonl")}


def test_it_says_what_was_asked_what_was_got_and_that_it_holds(desk):
    """A line a part, then the proof, then what is alike; no id and no text."""
    status, out, err = desk.split(*HALVES)
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "dev: asked 0.5 (6 documents), got 6 documents in 3 groups",
        "sealed: asked rest (6 documents), got 6 documents in 3 groups",
        "proved: 6 groups, no group in two parts; 12 documents, each in one part",
        "near-duplicates: 0 pairs over two parts with a similarity of 0.8 or more (shingles of 5 words)",
    ]


def test_no_template_is_in_two_parts(desk):
    """All documents are in one part each, and so are all templates."""
    desk.split("--part=dev=4", "--part=open=2", "--part=sealed=rest")
    parts = [desk.part(name) for name in ("dev", "open", "sealed")]
    assert [len(ids_in(part)) for part in parts] == [4, 2, 6]
    assert sorted(chain.from_iterable(map(ids_in, parts))) == sorted(map(document, range(12)))
    assert sum(len(templates_in(part)) for part in parts) == 6


def test_documents_are_groups_where_they_split(desk):
    """Real rows have no template, and need no sidecar."""
    (desk.suite / "quality-provenance.jsonl").unlink()
    status, out, _ = desk.split("--part=dev=5", "--part=sealed=rest", "--by=document_id")
    assert status == 0
    assert out.startswith("dev: asked 5 (5 documents), got 5 documents in 5 groups\n")


def test_rows_keep_their_bytes_and_their_order(desk):
    """A part is the lines of the suite's file, those of the other parts left out."""
    desk.split(*HALVES)
    for name in ("quality-records.jsonl", "quality-provenance.jsonl"):
        every = (desk.suite / name).read_bytes().splitlines()
        dev, sealed = ((desk.part(part) / name).read_bytes().splitlines() for part in ("dev", "sealed"))
        assert dev == [line for line in every if line in dev]
        assert sealed == [line for line in every if line not in dev]


def test_each_part_is_a_complete_suite(desk):
    """Plan, gaps, taxonomy and suite file are in each; bindings follow their documents."""
    taxonomy = {"version": "1", "types": {"email": "contact", "person": "name"}}
    (desk.suite / "kinds.json").write_text(json.dumps(taxonomy))
    (desk.suite / "suite.yaml").write_text("taxonomy: kinds.json\n")
    gap = {"id": "nicknames", "dimension": "head_tail", "reason_code": "frequency_unavailable"}
    write_rows(desk.suite / "unsupported-slices.jsonl", [gap])
    bound = [
        {"document_id": document(at), "start": 0, "end": 3, "catalog_identity": None} for at in range(12)
    ]
    write_rows(desk.suite / "catalog-bindings.jsonl", bound)
    desk.split(*HALVES)
    for part in map(desk.part, ("dev", "sealed")):
        found = commitment_of(part, kinds, split_key="template_id")
        assert (found.documents, len(found.templates), len(found.files)) == (6, 3, 7)
        for name in ("kinds.json", "suite.yaml", "unsupported-slices.jsonl", "quality-slices.jsonl"):
            assert (part / name).read_bytes() == (desk.suite / name).read_bytes()


def test_a_file_without_rows_of_a_part_is_left_out(desk):
    """Two records files give a part as many as it has documents in, and lines are told with their file."""
    write_suite(desk.suite, [1, 2])
    rows = rows_of(desk.suite / "quality-records.jsonl")
    write_rows(desk.suite / "quality-records.jsonl", rows[:1])
    write_rows(desk.suite / "quality-records-more.jsonl", rows[1:])
    desk.split("--part=one=1", "--part=two=1")
    names = [path.name for part in ("one", "two") for path in desk.part(part).glob("quality-records*")]
    assert sorted(names) == ["quality-records-more.jsonl", "quality-records.jsonl"]


def test_the_same_split_comes_of_rows_in_another_order(desk):
    """Where rows lie, and in which file, decides nothing."""
    desk.split(*HALVES)
    expected = set(ids_in(desk.part("dev")))
    shutil.rmtree(desk.folder / "parts")
    for name in ("quality-records", "quality-provenance"):
        rows = rows_of(desk.suite / f"{name}.jsonl")
        rows.reverse()
        write_rows(desk.suite / f"{name}.jsonl", rows[:5])
        write_rows(desk.suite / f"{name}-more.jsonl", rows[5:])
    desk.split(*HALVES)
    assert set(ids_in(desk.part("dev"))) == expected


def test_another_seed_is_another_split(desk):
    """The seed is how to draw again, and the same seed draws the same."""
    drawn = []
    for seed in ("a", "b", "c", "a"):
        desk.split(*HALVES, f"--seed={seed}")
        drawn.append(frozenset(ids_in(desk.part("dev"))))
        shutil.rmtree(desk.folder / "parts")
    assert len(set(drawn)) > 1
    assert drawn[0] == drawn[3]


def test_near_duplicates_are_told_by_their_lines(desk):
    """Pairs of two parts, by part and line; templates that were filled alike are seen, and nothing fails."""
    texts = [f"{CANARY} one two three four five six seven eight {at}" for at in range(2)]
    write_rows(
        desk.suite / "quality-records.jsonl",
        [record_row(document(at), text) for at, text in enumerate(texts)],
    )
    write_rows(
        desk.suite / "quality-provenance.jsonl", [origin_row(document(at), template(at)) for at in range(2)]
    )
    status, out, _ = desk.split("--part=dev=1", "--part=sealed=1", "--near=0.7")
    assert status == 0
    assert out.splitlines()[3:] == [
        "near-duplicates: 1 pair over two parts with a similarity of 0.7 or more (shingles of 5 words)",
        "  dev line 1 ~ sealed line 1",
    ]


def test_no_more_than_ten_pairs_are_told(desk):
    """Six documents of one text in each part are 36 pairs."""
    write_rows(
        desk.suite / "quality-records.jsonl",
        [record_row(document(at), f"{CANARY} again") for at in range(12)],
    )
    _, out, _ = desk.split(*HALVES)
    assert out.splitlines()[-11:-1] == [
        *(f"  dev line 1 ~ sealed line {line}" for line in range(1, 7)),
        *(f"  dev line 2 ~ sealed line {line}" for line in range(1, 5)),
    ]
    assert out.endswith("  and 26 more\n")


@pytest.mark.parametrize("content", [None, "types: [email]\n", "types: [email]"])
def test_a_part_gets_its_role(desk, content):
    """A role is a line more in the suite file, or all of a new one."""
    if content is not None:
        (desk.suite / "suite.yaml").write_text(content)
    desk.split(*HALVES, "--role=sealed=sealed_freeze")
    kept = "" if content is None else "types: [email]\n"
    assert (desk.part("sealed") / "suite.yaml").read_text() == f"{kept}role: sealed_freeze\n"
    assert (desk.part("dev") / "suite.yaml").exists() == (content is not None)


@pytest.mark.skipif(os.name == "nt", reason="modes are those of POSIX")
def test_folders_and_files_are_private(desk):
    """Only their owner reads them, and each directory is marked as whole."""
    desk.split(*HALVES)
    folders = [desk.folder / "parts", desk.part("dev"), desk.part("sealed")]
    assert {folder.stat().st_mode & 0o777 for folder in folders} == {0o700}
    files = [path for path in (desk.folder / "parts").rglob("*") if path.is_file()]
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert all((folder / "COMMITTED").exists() for folder in folders)
    assert not list((desk.folder / "parts").rglob(".gitignore"))
