"""One report whatever container the records lie in; every command reads them; what is refused."""

from __future__ import annotations

import json
import shutil

import pytest
from packed_suite import ENDS, PACK, repack, unpack
from quality_suite import DOCUMENT, STRANGER, record
from test_quality_canary import everything, found, private

from conftest import MAIL, NAME
from pytest_pii_eval import BankDetector, evaluate, load_bank
from pytest_pii_eval.cli import main

__all__ = ["private"]

GATES = """
gates:
  - {slice: "*", metric: leaks, max: 0}
  - {slice: contact, metric: recall, type: person, min: 0.5}
"""
SHARDS = "--pii-shard-size=1"
CONTAINERS = {
    "gzip": (".jsonl.gz",),
    "Zstandard": (".jsonl.zst",),
    "Parquet": (".parquet",),
    "sharded": (".jsonl", ".jsonl"),
    "mixed": ENDS,
}


def gated(quality):
    """Write the suite with gates, of which one fails."""
    quality.suite_file = GATES
    return quality.write()


@pytest.fixture
def plain(quality):
    """The report of the suite in plain lines, on one document a shard."""
    assert gated(quality).run(SHARDS).ret == 1
    return quality.report_text()


def test_every_container_gives_the_same_report(quality, plain) -> None:
    """With the sidecar packed, too; gzip and the mix on two workers. Only what the run was differs."""
    for name, ends in CONTAINERS.items():
        unpack(quality)
        repack(quality, *ends)
        repack(quality, ends[-1], stem="quality-provenance")
        processes = ("-n2",) if name in ("gzip", "mixed") else ()
        assert quality.run(SHARDS, *processes).ret == 1
        assert quality.report_text() == plain, name


@pytest.mark.parametrize("end", [".jsonl.gz", ".parquet"])
def test_a_shard_of_a_packed_file_runs_alone(quality, end) -> None:
    """It starts in the middle of the file, and names its line there."""
    repack(quality.write(), end)
    name = f"quality-records-0001{end}"
    result = quality.run("-v", SHARDS, f"{name}::shard-00004")
    result.stdout.fnmatch_lines([f"{name}::shard-00004 PASSED*", "*1 passed*"])


@pytest.mark.usefixtures("plain")
def test_evaluate_reads_packed_records(quality) -> None:
    """The same slices, gates and fingerprints as those of a run on plain lines."""
    repack(quality, *ENDS)
    report = evaluate(quality.path, BankDetector(load_bank(quality.path / "bank.json")))
    wanted = quality.report()
    told = json.loads(report.model_dump_json())
    assert told["slices"] == wanted["slices"]
    assert told["gates"] == wanted["gates"]


def test_predict_and_check_read_packed_records(quality, monkeypatch, capsys) -> None:
    """The predictions are those for the same suite in plain lines, and `check` knows every file."""
    monkeypatch.chdir(quality.write().path)
    command = ["predict", ".", "--bank=bank.json", "--quiet"]
    assert main([*command, "--out=plain.jsonl"]) == 0
    repack(quality, *ENDS)
    assert main([*command, "--out=packed.jsonl"]) == 0
    rows = [
        (quality.path / name).read_text(encoding="utf-8").splitlines()
        for name in ("plain.jsonl", "packed.jsonl")
    ]
    assert sorted(rows[0]) == sorted(rows[1])
    (quality.path / "plain.jsonl").unlink()
    (quality.path / "packed.jsonl").unlink()
    capsys.readouterr()
    assert main(["check", "."]) == 0
    out = capsys.readouterr().out
    for number, end in enumerate(ENDS, start=1):
        assert f"quality-records-{number:04}{end}: holds with its directory of 5 documents" in out


def test_error_dump_and_audit_read_packed_records(quality) -> None:
    """On two workers they are what one process writes for plain lines."""
    told = []
    for processes in ((), ("-n2",)):
        gated(quality)
        if processes:
            repack(quality, *ENDS)
        options = ("--pii-error-dump=dump", "--pii-audit-dir=audit", SHARDS)
        assert quality.run(*options, *processes).ret == 1
        dump = (quality.path / "dump" / "errors.txt").read_text(encoding="utf-8")
        audit = (quality.path / "audit" / "slice-results.jsonl").read_text(encoding="utf-8")
        told.append((sorted(dump.splitlines()), sorted(audit.splitlines())))
        shutil.rmtree(quality.path / "dump")
        shutil.rmtree(quality.path / "audit")
    assert told[0] == told[1]
    assert STRANGER in "".join(told[1][0])


def test_a_file_that_changes_between_census_and_shard_is_refused(quality) -> None:
    """The shard says so, and no other documents are scored."""
    repack(quality.write(), ".jsonl.gz")
    quality.pytester.makeconftest(
        "from pathlib import Path\n"
        "def pytest_runtestloop():\n"
        "    path = Path('quality-records-0001.jsonl.gz')\n"
        "    path.write_bytes(path.read_bytes())\n"
    )
    result = quality.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*quality-records-0001.jsonl.gz: changed while the run went on; run again*"])


@pytest.mark.parametrize(
    ("stem", "end"),
    [
        ("quality-slices", ".jsonl.gz"),
        ("unsupported-slices", ".parquet"),
        ("conformance-positive", ".jsonl.zst"),
        ("conformance-negative", ".jsonl.gz"),
    ],
)
def test_packed_cases_and_slices_are_refused(suite, quality, stem, end) -> None:
    """One line, and never as if they were not there."""
    (quality.write() if "slices" in stem else suite.write())
    source = quality.path / f"{stem}.jsonl"
    content = source.read_bytes()
    source.unlink()
    (quality.path / f"{stem}{end}").write_bytes(PACK.get(end, bytes)(content))
    result = quality.run()
    assert result.ret == 2
    result.stdout.fnmatch_lines(
        [f"*{stem}{end}: is packed, and only records, provenance and catalog bindings may be*"]
    )


BROKEN = {
    "cut off": lambda content: content[: len(content) * 2 // 3],
    "turned over": lambda content: (
        content[:60] + bytes(byte ^ 0x5A for byte in content[60:90]) + content[90:]
    ),
    "behind": lambda content: content + f"{NAME} {MAIL}".encode(),
    "plain": lambda _: json.dumps(record(f"{DOCUMENT}.x", f"{NAME} {MAIL}", ["contact"])).encode() + b"\n",
}


@pytest.mark.parametrize(
    ("how", "end"),
    [
        ("cut off", ".jsonl.gz"),
        *(("turned over", end) for end in ENDS[1:]),
        ("behind", ".jsonl.gz"),
        ("plain", ".jsonl.zst"),
    ],
)
def test_a_broken_file_shows_no_canary(private, how, end) -> None:
    """Whatever is wrong with its bytes: one line with the file, and no word of a text, an id or a name."""
    repack(private.write(), end)
    path = private.path / f"quality-records-0001{end}"
    path.write_bytes(BROKEN[how](path.read_bytes()))
    given = [path.name for path in private.path.iterdir()]
    result = private.run("-vv", "--tb=long", "--full-trace", "-rA")
    assert result.ret == 2
    output = everything(result, private.path, but=tuple(given))
    assert f"quality-records-0001{end}" in output
    assert found(output) == set()
