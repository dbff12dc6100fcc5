"""The private audit: raw cases and the outcome of each, and what became of every document of a slice.

Cases are read again from their files on the controller; outcomes of documents come from `session.outcomes`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from pytest_pii_eval.contracts.canonical import canonical_bytes
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_input
from pytest_pii_eval.contracts.jsonl import read_rows
from pytest_pii_eval.private import private_directory
from pytest_pii_eval.reports.write import render_json
from pytest_pii_eval.session.case_results import CaseResults
from pytest_pii_eval.session.slice_results import slice_results

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.contracts.jsonl import Row
    from pytest_pii_eval.reports.model import Report
    from pytest_pii_eval.scoring.conformance import CaseEvidence
    from pytest_pii_eval.session.case_results import CaseResult
    from pytest_pii_eval.session.results import Results
    from pytest_pii_eval.settings import Settings

RESULT_SCHEMA = "pii_eval.conformance_case_result.v1"


def write_audit(settings: Settings, report: Report, results: Results) -> list[str]:
    """Commit the audit directory; return what went wrong, in lines without text or paths."""
    if settings.audit_dir is None:
        return []
    try:
        with private_directory(settings.audit_dir) as directory:
            found = CaseResults(settings, results)
            for kind in ("positive", "negative"):
                with (
                    directory.open(f"{kind}-cases.jsonl") as cases,
                    directory.open(f"{kind}-results.jsonl") as out,
                ):
                    for nodeid, row in _rows(settings, results, found, kind):
                        result = found.result(nodeid, str(row.value["case_id"]))
                        cases.write(row.raw + b"\n")
                        out.write(canonical_bytes(_result(row, kind, result)) + b"\n")
            with directory.open("slice-results.jsonl") as out:
                out.writelines(slice_results(results))
            directory.write("aggregate.json", render_json(report).encode("utf-8"))
    except OSError as error:
        return [f"the audit directory was not written ({error.strerror})"]
    except Fault as fault:
        return [f"the audit directory was not written: {fault}"]
    return []


def _rows(settings: Settings, results: Results, found: CaseResults, kind: str) -> Iterator[tuple[str, Row]]:
    """Yield every row of `kind` whose case was planned, file by file, with the id of its item."""
    files = dict.fromkeys(nodeid.rpartition("::")[0] for nodeid in results.planned)
    for file in files:
        name = PurePosixPath(file).name
        if not name.endswith(".jsonl"):
            continue
        with open_input(settings.found(file), root=settings.root) as handle:
            for row in read_rows(handle, file=name):
                if ("expected" in row.value) != (kind == "positive"):
                    continue
                nodeid = f"{file}::{found.item(row.value)}"
                if nodeid in results.planned:
                    yield nodeid, row


def _result(row: Row, kind: str, result: CaseResult) -> dict[str, object]:
    told: dict[str, object] = {
        "schema_version": RESULT_SCHEMA,
        "case_id": row.value["case_id"],
        "kind": kind,
        "outcome": result.outcome,
    }
    found = result.evidence
    if found is not None:
        told.update(_positive(row.value, found) if kind == "positive" else {"record_count": found.hits})
        if found.failure is not None:
            told["failure"] = found.failure
    return told


def _positive(value: dict[str, Any], evidence: CaseEvidence) -> dict[str, object]:
    statuses = [outcome for _, outcome in evidence.outcomes]
    counts = Counter(statuses)
    return {
        "expected": len(statuses),
        "correctly_mapped": counts["correct"],
        "missed": counts["missed"],
        "wrong_canonical": counts["wrong_canonical"],
        "outcomes": [
            {**{field: item[field] for field in ("entity_id", "name_id", "pattern_id")}, "status": status}
            for item, status in zip(value["expected"], statuses, strict=True)
        ],
    }
