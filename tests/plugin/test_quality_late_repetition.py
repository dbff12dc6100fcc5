"""A document repeated when its first mention is no longer in memory: the same line as in a small suite."""

from __future__ import annotations

from quality_suite import DOCUMENT, record

from pytest_pii_eval.contracts.places import KEPT


def test_a_late_repetition_is_told_before_a_later_fault(quality, processes):
    """Line and first mention are exact, in one process and in two; the broken row behind it is not told."""
    quality.records = [record(f"{DOCUMENT}.{number}", "None.", ["contact"]) for number in range(KEPT + 40)]
    quality.records[KEPT + 20] = quality.records[6]
    quality.records[KEPT + 30] = record(f"{DOCUMENT}.broken", "None.", ["nowhere"])
    quality.write()
    result = quality.run(*processes)
    assert result.ret != 0
    assert [line for line in result.outlines if line.startswith("quality-records.jsonl:")] == [
        (
            f"quality-records.jsonl:{KEPT + 21}: document.document_id: names a document a second time;"
            " the first is quality-records.jsonl:7"
        )
    ]
