"""Which items a quality suite becomes, which documents they scan, and what is skipped; figures by hand."""

from __future__ import annotations

import re

import pytest
from quality_suite import COUNT_SCANS, DOCUMENT, gap, record, slice_row

SLICES = ["contact", "people", "mail", "mail.short", "mail.weak", "mail.partial", "empty"]
ALL = ["Ask verylong", "Order 7 has", "Päper: ada@c", "Write to zq@", "Zephyrine Qu"]
PEOPLE = ["Order 7 has", "Päper: ada@c", "Zephyrine Qu"]

SKIPS_A_SHARD = """
    import pytest

    def pytest_collection_modifyitems(items):
        for item in items:
            if item.name == "{name}":
                item.add_marker(pytest.mark.skip(reason="not today"))
"""


def collected(result):
    """Return the node ids that `--collect-only -q` listed."""
    return [line for line in result.outlines if "::" in line]


def outcomes(result):
    """Return node name to outcome of a run with `-v`, whatever the number of processes."""
    told = {}
    for line in result.outlines:
        found = re.search(r"(PASSED|FAILED|SKIPPED)", line)
        node = re.search(r"\S+\.jsonl::(\S+)", line)
        if found and node and not line.startswith(("FAILED", "SKIPPED")):
            told[node[1]] = found[0]
    return told


def test_a_shard_a_slice_and_a_gap_are_items(quality):
    """One item a shard in order of rows, one a slice in order of the plan, one a gap, none for a sidecar."""
    result = quality.write().run("--collect-only", "-q", "--pii-shard-size=2")
    assert collected(result) == [
        *(f"quality-records.jsonl::shard-0000{number}" for number in (1, 2, 3)),
        *(f"quality-slices.jsonl::{name}" for name in SLICES),
        "unsupported-slices.jsonl::nicknames",
    ]
    assert not (quality.path / ".pii_eval").exists()


def test_records_over_two_files_are_cut_apart(quality):
    """Each records file has shards of its own, and all of them are one population."""
    quality.write()
    quality.write_rows("quality-records.jsonl", quality.records[:2])
    quality.write_rows("quality-records-more.jsonl", quality.records[2:])
    result = quality.run("-v", "--pii-shard-size=2")
    result.assert_outcomes(passed=9, skipped=2, deselected=5)
    assert [line.split()[0] for line in result.outlines if "shard-" in line] == [
        "quality-records-more.jsonl::shard-00001",
        "quality-records-more.jsonl::shard-00002",
        "quality-records.jsonl::shard-00001",
    ]
    assert quality.told("contact")["counts"]["documents"] == 5


@pytest.mark.parametrize(
    ("keyword", "names"),
    [
        ("anybody", ["contact"]),
        ("short", ["mail.short"]),
        ("person or nicknames", ["people", "nicknames"]),
    ],
)
def test_keywords_are_ids_class_and_cohort(quality, keyword, names):
    """`-k` finds a slice by its id, its class or scope, and its cohort."""
    result = quality.write().run("--collect-only", "-q", "-k", keyword)
    assert [node.rpartition("::")[2] for node in collected(result)] == names


@pytest.mark.parametrize("selection", [("-k", "people"), ("quality-slices.jsonl::people",)], ids=["k", "id"])
def test_one_slice_scans_only_its_documents(quality, processes, selection):
    """A single slice scans its three documents once each and comes out as it does in a whole run."""
    quality.pytester.makeconftest(COUNT_SCANS)
    quality.write().run(*processes)
    assert quality.scans() == ALL
    whole, policy = quality.told("people"), quality.report()["fingerprints"]["quality_policy"]
    result = quality.run(*processes, "--pii-shard-size=2", *selection)
    assert result.parseoutcomes()["passed"] == 1
    assert result.ret == 0
    assert quality.scans() == PEOPLE
    report = quality.report()
    assert list(report["slices"]) == ["people"]
    assert quality.told("people") == whole
    assert quality.values("people", "recall", "leaks", "containment") == [(1, 3), 1, (2, 3)]
    assert report["complete"] is True
    assert report["selection"]["whole"] is False
    assert report["passed"] is None  # nothing failed, and not everything ran
    # What binds all documents is not known of a part; what the plan says is.
    assert {"quality_protocol", "catalog_bindings", "quality_run"}.isdisjoint(report["fingerprints"])
    assert report["fingerprints"]["quality_policy"] == policy


def test_two_slices_share_their_documents(quality, processes):
    """Two slices without a shard item scan the union of their documents, each once."""
    quality.pytester.makeconftest(COUNT_SCANS)
    result = quality.write().run(*processes, "--pii-shard-size=1", "-k", "people or short")
    assert result.parseoutcomes()["passed"] == 2
    assert quality.scans() == ["Order 7 has", "Päper: ada@c", "Write to zq@", "Zephyrine Qu"]


@pytest.mark.parametrize("size", [1, 1000])
def test_every_document_is_scanned_once(quality, size):
    """In a whole run a document of five slices is scanned once, under every schedule of two workers."""
    quality.pytester.makeconftest(COUNT_SCANS)
    quality.write()
    schedules = [(), *(("-n2", f"--dist={name}") for name in ("load", "worksteal", "loadscope"))]
    for schedule in schedules if size == 1 else schedules[:2]:
        result = quality.run(*schedule, f"--pii-shard-size={size}")
        assert result.ret == 0
        assert quality.scans() == ALL
        assert quality.report()["complete"] is True


def test_many_documents_are_scanned_once_by_two_workers(quality):
    """Forty shards that two workers want at the same time are shared, not scanned twice."""
    quality.pytester.makeconftest(COUNT_SCANS)
    for number in range(40):
        quality.records.append(record(f"{DOCUMENT}.{number}", f"{number:03} nothing", ["contact", "mail"]))
    quality.write().run("-n2", "--pii-shard-size=1", "-k", "quality-slices")
    scans = quality.scans()
    assert len(scans) == len(set(scans)) == 45
    assert quality.told("contact")["counts"]["documents"] == 45


def test_gaps_and_empty_populations_are_skipped_with_their_reason(quality, processes):
    """A declared gap and a slice without documents are skipped, reported, and leave the run complete."""
    quality.gaps = [gap("nicknames"), gap("dialects", "language", "labels_unavailable")]
    result = quality.write().run(*processes, "-rs")
    assert result.ret == 0
    assert result.parseoutcomes()["skipped"] == 3
    for reason in ("frequency_unavailable", "labels_unavailable", "empty_population"):
        assert sum(reason in line for line in result.outlines if line.startswith("SKIPPED")) == 1
    report = quality.report()
    assert report["complete"] is True
    assert report["passed"] is True
    assert report["missing"] == []
    assert report["unsupported_slices"] == {
        "dialects": {"dimension": "language", "reason_code": "labels_unavailable"},
        "empty": {"dimension": "population", "reason_code": "empty_population"},
        "nicknames": {"dimension": "head_tail", "reason_code": "frequency_unavailable"},
    }
    assert "empty" not in report["slices"]
    result.stdout.fnmatch_lines(["unsupported  3 slices and dimensions, each with its reason"])


def test_a_promotion_gate_without_documents_fails(quality, processes):
    """An unsupported slice is skipped, an unsupported promotion gate is red and fails the run."""
    quality.slices.append(slice_row("promoted", "email", "person", split_role="test", promotion_gate=True))
    result = quality.write().run(*processes, "-v", "--pii-min-recall=0.1")
    assert result.ret == 1
    told = outcomes(result)
    assert {name for name, outcome in told.items() if outcome == "FAILED"} == {"promoted"}
    result.stdout.fnmatch_lines(["slice promoted: *", "*promotion gate must be supported*(empty_population)"])
    report = quality.report()
    assert report["passed"] is False
    assert report["unsupported_slices"]["promoted"]["reason_code"] == "empty_population"
    gates = {gate["id"]: gate for gate in report["gates"] if gate["slice"] == "promoted"}
    assert gates["min-recall"]["verdict"] == "fail"
    assert gates["min-recall"]["reason"] == "empty_population"
    assert gates["min-recall"]["value"] is None


@pytest.mark.parametrize("name", ["shard-00001", "people"])
def test_an_item_that_the_user_skips_makes_the_run_incomplete(quality, processes, name):
    """A skip that the plan did not declare is a hole: the run is incomplete and ends non-zero."""
    quality.pytester.makeconftest(SKIPS_A_SHARD.format(name=name))
    result = quality.write().run(*processes)
    assert result.parseoutcomes().get("failed", 0) == 0
    assert result.ret == 1
    report = quality.report()
    assert report["complete"] is False
    assert report["missing"] == [name]
    result.stdout.fnmatch_lines(["incomplete *1*"])
