"""A run by batches in this process: the report and the faults of a run that reads from end to end."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from contextlib import nullcontext
from hashlib import sha256
from pathlib import Path

import pytest
from cluster_suite import DOCUMENT, ClusterSuite, comparable, environment, slice_row, told

from pytest_pii_eval import BankDetector, Fault, evaluate, load_bank
from pytest_pii_eval.cluster.bench import Bench
from pytest_pii_eval.cluster.engines import InlineEngine
from pytest_pii_eval.cluster.run import ClusterRun, Wish
from pytest_pii_eval.collection.quality.membership import Membership
from pytest_pii_eval.contracts.records import RecordContract
from pytest_pii_eval.contracts.slices import make_plan, parse_slice

GATES = """
gates:
  - {slice: "*", metric: leaks, max: 0}
  - {slice: even, metric: recall, type: person, min: 0.5}
"""
SHIPPED = Path(__file__).parents[2] / "conformance"


@pytest.fixture
def suite(tmp_path):
    """Forty documents in two files, not yet written."""
    return ClusterSuite(tmp_path)


def ran(suite, size=700, *, where="suite", **changes):
    """Return the report of a run by batches of `size` bytes, and the run."""
    run = ClusterRun(Wish(where, suite.settings(**changes), batch_bytes=size, quiet=True))
    return run.report()


def serial(suite):
    """Return what `evaluate` says about the bank."""
    return evaluate(suite.path, BankDetector(load_bank(suite.root / "bank.json")))


def test_batches_of_any_size_give_the_report_of_evaluate(suite):
    """Gates that fail, 40 documents: batches of 150 bytes to a file each, and one shard, say the same."""
    suite.suite_file = GATES
    suite.write()
    expected = comparable(serial(suite))
    assert expected["passed"] is False
    assert expected["slices"]["all"]["counts"]["documents"] == 40
    for size in (150, 777, 5000, 1 << 20):
        assert comparable(ran(suite, size)) == expected, size


def test_cases_and_slices_of_the_shipped_suite(tmp_path):
    """Cases in groups and records in batches give the report of `evaluate` on the shipped suite."""
    bank = SHIPPED / "bank.json"
    settings = ClusterSuite(tmp_path).settings()._replace(bank=bank)
    report = ClusterRun(Wish(str(SHIPPED), settings, batch_bytes=20_000, quiet=True)).report()
    assert comparable(report) == comparable(evaluate(SHIPPED, BankDetector(load_bank(bank))))
    assert report.conformance.approved_positive_cases == 1474


def test_a_pytest_run_gives_the_same_report(suite):
    """A detector with protection ranges, gated on them: pytest and batches say the same but for `run`."""
    suite.suite_file = GATES
    suite.write()
    options = (f"--pii-detector={suite.detector}", "--pii-gate-output=protection", "--pii-max-leaks=3")
    plugins = [f"-pno:{name}" for name in ("randomly", "hypothesispytest", "faker", "html", "anyio")]
    command = [sys.executable, "-m", "pytest", "-q", *plugins, "suite", *options]
    (suite.root / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    process = subprocess.run(
        command, cwd=suite.root, env=environment(), capture_output=True, text=True, check=False
    )
    assert process.returncode == 1, process.stdout
    expected = json.loads((suite.root / ".pii_eval" / "report.json").read_text(encoding="utf-8"))
    gates = (("max-leaks", "3"), ("max-dropped", "0"))
    report = ran(suite, 900, detector=suite.detector, gate_output="protection", gates=gates)
    assert comparable(report) == comparable(expected)
    assert report.slices["all"].metrics["protection_leaks"].value == 8


def test_a_repeated_batch_counts_once(suite):
    """An engine that gives every result twice changes nothing."""
    suite.write()

    class Twice:
        processes = 1

        def __init__(self, engine):
            self.engine = engine

        def map(self, task, batches):
            for batch, result in self.engine.map(task, batches):
                yield batch, result
                if task == "records":
                    yield batch, result

        def close(self):
            pass

    def twice(_, recipe):
        return Twice(InlineEngine(Bench(recipe)))

    wish = Wish("suite", suite.settings(), "twice", 700, quiet=True)
    assert comparable(ClusterRun(wish, twice).report()) == comparable(serial(suite))


def test_storage_that_fsspec_reaches(suite, monkeypatch):
    """`file://` and `memory://` give the report of the folder."""
    fsspec = pytest.importorskip("fsspec")
    suite.suite_file = GATES
    suite.write()
    expected = comparable(serial(suite))
    assert comparable(ran(suite, where=f"file://{suite.path}")) == expected
    memory = fsspec.filesystem("memory")
    memory.put(str(suite.path), "/bucket/suite", recursive=True)
    try:
        assert comparable(ran(suite, where="memory://bucket/suite")) == expected
    finally:
        memory.rm("/bucket", recursive=True)


def test_a_file_that_cannot_be_read_is_one_line(suite):
    """A records file that is gone from shared storage is told by its name and the type of the refusal."""
    fsspec = pytest.importorskip("fsspec")
    suite.write()
    memory = fsspec.filesystem("memory")
    memory.put(str(suite.path), "/bucket/gone", recursive=True)

    def engine_of(_, recipe):
        memory.rm("/bucket/gone/quality-records-0002.jsonl")
        return InlineEngine(Bench(recipe))

    wish = Wish("memory://bucket/gone", suite.settings(), "here", quiet=True)
    try:
        with pytest.raises(Fault, match=r"cannot be read \(FileNotFoundError\)") as found:
            ClusterRun(wish, engine_of).report()
    finally:
        memory.rm("/bucket", recursive=True)
    assert found.value.file == "gone/quality-records-0002.jsonl"


def test_packed_records_are_one_batch_a_file(suite):
    """Records in gzip give the report of the same records as lines."""
    suite.write()
    expected = comparable(serial(suite))
    for path in suite.path.glob("quality-records-*.jsonl"):
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    assert comparable(ran(suite, 300)) == expected


def repeat_id(suite):
    """Name a document twice, 23 rows apart and over two files."""
    suite.records[33]["document"]["document_id"] = f"{DOCUMENT}.10"
    for span in suite.records[33]["gold_spans"]:
        span["document_id"] = f"{DOCUMENT}.10"


def repeat_near(suite):
    """Name a document twice in neighbouring rows."""
    suite.records[3]["document"]["document_id"] = f"{DOCUMENT}.2"


def bad_offset(suite):
    """Let a gold span end behind its text."""
    suite.records[35]["gold_spans"][0]["end"] = 10_000


def both(suite):
    """Repeat an id in front of a bad offset."""
    repeat_id(suite)
    bad_offset(suite)


def left_out(suite):
    """Gate a promotion on a slice that lacks documents."""
    suite.slices[1] = slice_row("even", "email", "person", promotion_gate=True)


def no_provenance(suite):
    """Leave one row of provenance out."""
    del suite.provenance[31]


def strange_provenance(suite):
    """Name a document that is not there."""
    suite.provenance[31]["document_id"] = f"{DOCUMENT}.999"


def repeated_provenance(suite):
    """Name a document twice."""
    suite.provenance[31]["document_id"] = f"{DOCUMENT}.7"


def unknown_slice(suite):
    """Put a document into a slice that is not in the plan."""
    suite.records[20]["slice_ids"] = ["all", "nowhere"]


@pytest.mark.parametrize(
    "defect",
    [
        repeat_id,
        repeat_near,
        bad_offset,
        both,
        left_out,
        no_provenance,
        strange_provenance,
        repeated_provenance,
        unknown_slice,
    ],
)
def test_a_fault_is_that_of_a_serial_run(suite, defect):
    """File, line, field and rule are those of a run from end to end, for small and large batches."""
    defect(suite)
    suite.write()
    with pytest.raises(Fault) as expected:
        serial(suite)
    wanted = expected.value
    for size in (300, 1 << 20):
        with pytest.raises(Fault) as found:
            ran(suite, size)
        assert found.value.file == f"suite/{wanted.file}"
        assert (found.value.line, found.value.field) == (wanted.line, wanted.field)
        assert found.value.rule.replace("suite/", "") == wanted.rule
        assert not told(str(found.value))


def test_bindings_are_covered_exactly(suite):
    """A row of catalog bindings that no gold span takes is told with its line, as in a serial run."""
    rows = [
        {
            "document_id": span["document_id"],
            "start": span["start"],
            "end": span["end"],
            "catalog_identity": None,
        }
        for row in suite.records
        for span in row["gold_spans"]
    ]
    suite.write()
    suite.rows("catalog-bindings.jsonl", rows)
    assert comparable(ran(suite)) == comparable(serial(suite))
    rows.insert(3, {**rows[3], "start": 0, "end": 1})
    suite.rows("catalog-bindings.jsonl", rows)
    with pytest.raises(Fault, match="names no gold span of the records; 1 of") as found:
        ran(suite)
    assert (found.value.file, found.value.line) == ("suite/catalog-bindings.jsonl", 4)


def test_a_sealed_freeze_is_refused(suite):
    """What pytest refuses without `--pii-sealed`, batches refuse, too."""
    suite.suite_file = "role: sealed_freeze\n"
    with pytest.raises(Fault, match="is a sealed freeze"):
        ran(suite.write())


def test_the_gold_of_the_sealed_freeze_is_refused(suite, monkeypatch):
    """A suite that holds the gold of the sealed freeze is told by batches, too; another one runs."""
    suite.write()
    plan = make_plan([parse_slice(row) for row in suite.slices], [])
    contract = RecordContract(plan)
    digests = sorted(contract.gold_digest(contract.parse(row)) for row in suite.records)
    gold = f"sha256:{sha256(b''.join(digests)).hexdigest()}"
    for sealed, refused in (
        (gold, pytest.raises(Fault, match="holds what the sealed freeze holds")),
        ("", None),
    ):
        monkeypatch.setattr(
            "pytest_pii_eval.cluster.run.membership_of",
            lambda *_, sealed=sealed: Membership(sealed_gold=sealed),
        )
        with refused or nullcontext():
            assert ran(suite, 500).complete


def test_documents_without_answer_are_counted(suite):
    """A detector that raises for one document: the run is incomplete, and all but that document is scored."""
    suite.records[11]["document"]["text"] += " raise"
    report = ran(suite.write(), detector=suite.detector)
    assert report.complete is report.passed is False
    assert report.slices["all"].counts["failed_documents"] == 1
    assert report.slices["all"].counts["documents"] == 40


def test_a_file_that_changes_meanwhile_is_refused(suite):
    """A records file that grows behind the listing is told by its name."""
    suite.write()
    path = suite.path / "quality-records-0002.jsonl"

    class Growing:
        processes = 1

        def __init__(self, recipe):
            self.engine = InlineEngine(Bench(recipe))
            self.close = lambda: None

        def map(self, task, batches):
            with path.open("a", encoding="utf-8") as handle:
                handle.write("{}\n")
            return self.engine.map(task, batches)

    wish = Wish("suite", suite.settings(), "growing", 700, quiet=True)
    with pytest.raises(Fault, match="changed while the run went on") as found:
        ClusterRun(wish, lambda _, recipe: Growing(recipe)).report()
    assert found.value.file.endswith("quality-records-0002.jsonl")
