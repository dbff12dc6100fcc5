"""An archive like CMU's goes the whole way: download over https, prepare, verify, a run with bindings."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from cmu_archive import small_archive
from loopback import Reply, pin_document, serving

from pytest_pii_eval.cli import main

KEY = "meetings"
GAPS = {
    "known_novel": "identity_linkage_unavailable",
    "head_tail": "identity_frequency_unavailable",
    "alternate_view": "one_text_view_published",
}
OTHER_PLUGINS = (
    "anyio",
    "faker",
    "html",
    "hypothesispytest",
    "metadata",
    "pytest_jsonreport",
    "randomly",
    "syrupy",
)
# Names of the generated archive, a document's words, and a path: in no output of any step.
SECRETS = ("Ada", "Moe", "Zoë", "Bo Fjord", "Cy Lund", "lunch", "moe-a__calendar", "secret-path")


@pytest.fixture
def served(pytester, monkeypatch):
    """The pin of a small generated archive, served on the loopback address, in a folder with a bank."""
    archive = small_archive()
    with serving(pytester.path, monkeypatch) as server:
        server.script = [Reply(body=archive)]
        pin = pin_document(
            f"{server.origin}/secret-path/archive.zip",
            bytes=str(len(archive)),
            sha256=hashlib.sha256(archive).hexdigest(),
            adapter="cmu-enron-meetings",
            options={"fixture": "yes"},
            label_map="cmu_enron_meetings",
            split_role="train",
            unsupported=[{"dimension": name, "reason_code": code} for name, code in GAPS.items()],
        )
        document = {"version": "pii_eval.corpora.v1", "corpora": {KEY: pin}}
        write(pytester, "corpora.yaml", document)
        write(pytester, "bank.json", bank("Ada Moe", "Zoë"))
        yield document


def write(pytester: pytest.Pytester, file: str, document: object) -> None:
    """Write a JSON document."""
    (pytester.path / file).write_text(json.dumps(document), encoding="utf-8")


def bank(*names: str) -> dict[str, Any]:
    """Return a bank of persons, a literal each: `p0/full`, `p1/full`, ..."""
    common = {"description": "", "status": "active", "metadata": {}}
    literal = {
        "kind": "literal",
        "priority": 100,
        "case_sensitive": True,
        "normalize_whitespace": True,
        "left_boundary": "word",
        "right_boundary": "word",
    }
    persons = {
        f"p{number}": common | {"canonical": name, "patterns": {"full": common | literal | {"value": name}}}
        for number, name in enumerate(names)
    }
    return {
        **common,
        "schema_version": "nerb.bank.v1",
        "id": "meeting-bank",
        "name": "Meetings",
        "version": "1",
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z",
        "unicode_normalization": "none",
        "default_regex_flags": [],
        "entities": {"person": common | {"regex_flags": [], "names": persons}},
    }


def bindings(folder: Any) -> list[dict[str, Any]]:
    """Return a row for each train span: Ada Moe is cataloged, on one line or two; everybody else is not."""
    rows = []
    for line in (folder / "quality-records.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        for span in record["gold_spans"]:
            surface = record["document"]["text"][span["start"] : span["end"]]
            known = {"entity_id": "person", "name_id": "p0", "pattern_id": "full"}
            identity = known if surface.split() == ["Ada", "Moe"] else None
            rows.append(
                {
                    "document_id": span["document_id"],
                    "start": span["start"],
                    "end": span["end"],
                    "catalog_identity": identity,
                }
            )
    return rows


def test_from_the_server_to_a_report(served, pytester, capsys):
    """Four train spans: two cataloged and found, one found though uncataloged, one missed; test unseen."""
    for action in ("download", "prepare", "verify"):
        assert main(["corpus", action, KEY, "--quiet"]) == 0
    said = "".join(capsys.readouterr())
    [folder] = (pytester.path / ".pii_eval/corpora/prepared" / KEY).iterdir()
    rows = bindings(folder)
    lines = [json.dumps(row) + "\n" for row in rows]
    (pytester.path / "adjudicated.jsonl").write_text("".join(lines), encoding="utf-8")
    served["corpora"][KEY]["catalog_bindings"] = "adjudicated.jsonl"
    write(pytester, "corpora.yaml", served)
    off = [f"-pno:{plugin}" for plugin in OTHER_PLUGINS]
    result = pytester.runpytest_subprocess(*off, "corpora.yaml", "--pii-bank=bank.json", "-rA")
    result.assert_outcomes(passed=2, skipped=3)
    text = (pytester.path / ".pii_eval/report.json").read_text(encoding="utf-8")
    report = json.loads(text)
    one = report["slices"][KEY]
    shown = {name: one["metrics"][name] for name in ("recall", "catalog_coverage", "cataloged_recall")}
    assert {name: (metric["numerator"], metric["denominator"]) for name, metric in shown.items()} == {
        "recall": (3, 4),
        "catalog_coverage": (2, 4),
        "cataloged_recall": (2, 2),
    }
    assert one["corpus"]["held_out_documents"] == {"test": 2}
    assert one["corpus"]["not_promotable"] == "generated_fixture"
    gaps = {
        name.removeprefix(f"{KEY}."): gap["reason_code"] for name, gap in report["unsupported_slices"].items()
    }
    assert gaps == GAPS
    receipt = (folder / "receipt.json").read_text(encoding="utf-8")
    for secret in SECRETS:
        assert secret not in said + result.stdout.str() + result.stderr.str() + text + receipt


def test_documents_and_labels_lie_apart(served, pytester):
    """Both roles are kept, text without labels and labels without text; records hold the train role only."""
    for action in ("download", "prepare"):
        assert main(["corpus", action, KEY, "--quiet"]) == 0
    [folder] = (pytester.path / ".pii_eval/corpora/prepared" / KEY).iterdir()
    documents, labels, records = (
        [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]
        for name in ("documents.jsonl", "labels.jsonl", "quality-records.jsonl")
    )
    assert [row["document_id"] for row in documents] == [row["document_id"] for row in labels]
    assert {frozenset(row) for row in documents} == {frozenset({"document_id", "split_role", "text"})}
    assert {frozenset(row) for row in labels} == {frozenset({"document_id", "split_role", "spans"})}
    assert sorted(row["split_role"] for row in documents) == ["test"] * 2 + ["train"] * 4
    assert {row["document"]["split_role"] for row in records} == {"train"}
    assert sum(len(row["spans"]) for row in labels if row["split_role"] == "test") == 2
