"""What crosses rows, files and directories of quality suites: provenance, unique ids, suites kept apart."""

from __future__ import annotations

from quality_refusal import refused
from quality_suite import DOCUMENT, QualityDirectory, origin


def test_provenance_covers_the_records_exactly(quality):
    """A row too few, one too many and one twice: how many, and where the first is."""
    quality.write()
    rows = [origin(row["document"]["document_id"]) for row in quality.records]
    for given, line in (
        (
            rows[:3] + rows[4:],
            (
                "quality-records.jsonl:4: document.document_id: has no provenance row;"
                " 1 of 5 documents have none"
            ),
        ),
        (
            [origin(f"{DOCUMENT}.gone"), *rows],
            "quality-provenance.jsonl:1: document_id: names no document of the records; 1 of 6 rows do so",
        ),
        (
            [*rows, rows[1]],
            (
                "quality-provenance.jsonl:6: document_id: names a document a second time;"
                " the first is quality-provenance.jsonl:2"
            ),
        ),
        (
            [],
            (
                "quality-records.jsonl:1: document.document_id: has no provenance row;"
                " 5 of 5 documents have none"
            ),
        ),
    ):
        quality.write_rows("quality-provenance.jsonl", given)
        assert refused(quality) == [line]


def test_ids_are_unique_across_files(quality):
    """A document and a slice of another file of the directory count as repeated; the first file is named."""
    quality.write()
    quality.write_rows("quality-records-more.jsonl", quality.records[3:])
    assert refused(quality) == [
        (
            "quality-records.jsonl:4: document.document_id: names a document a second time;"
            " the first is quality-records-more.jsonl:1"
        )
    ]
    (quality.path / "quality-records-more.jsonl").unlink()
    quality.write_rows("quality-slices-more.jsonl", quality.slices[2:3])
    assert refused(quality) == [
        "quality-slices.jsonl:3: id: the plan uses this id twice; the first is quality-slices-more.jsonl:1"
    ]


def test_two_directories_may_not_share_a_slice_id(quality):
    """A report goes by slice ids, so a run of two directories that share one is refused, not merged."""
    for name in ("left", "right"):
        (quality.path / name).mkdir()
    quality.write()
    for path in sorted(quality.path.glob("*s*.jsonl")):
        for name in ("left", "right"):
            (quality.path / name / path.name).write_bytes(path.read_bytes())
        path.unlink()
    (quality.path / "quality-provenance.jsonl").unlink()
    assert refused(quality) == [
        (
            "right: uses the slice id contact as left does, and a report tells slices by their ids;"
            " rename one, or run the directories apart"
        )
    ]


def test_two_directories_are_kept_apart(quality):
    """Equal document ids, file names and shard names in two directories are two populations."""
    quality.write()
    for name, slice_id in (("left", "people"), ("right", "mail")):
        folder = QualityDirectory(quality.pytester, quality.process).only(slice_id)
        (quality.path / name).mkdir()
        folder.write_rows(f"{name}/quality-records.jsonl", folder.records)
        folder.write_rows(f"{name}/quality-slices.jsonl", folder.slices)
    root = quality.path / "elsewhere"
    root.mkdir()
    for options in ((), (f"--rootdir={root}", f"--pii-report={quality.path}/.pii_eval/report.json")):
        result = quality.run(*options, "left", "right")
        assert result.parseoutcomes()["passed"] == 4
        assert quality.values("people", "recall", "leaks") == [(1, 3), 1]
        assert quality.values("mail", "recall", "leaks") == [(2, 2), 0]


def test_slices_without_records_are_not_a_pass(quality):
    """A plan whose records are missing supports nothing: the run does not pass."""
    quality.write()
    for kind in ("records", "provenance"):
        (quality.path / f"quality-{kind}.jsonl").unlink()
    result = quality.run()
    assert result.ret == 1
    report = quality.report()
    assert report["passed"] is False
    assert {gap["reason_code"] for gap in report["unsupported_slices"].values()} == {
        "empty_population",
        "frequency_unavailable",
    }
