"""A suite of one slice whose documents and detector a test names itself, and ways to run and read it."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from urllib.parse import quote

from pytest_pii_eval import Detection, Span, evaluate

if TYPE_CHECKING:
    from pytest_pii_eval import Report

Labelled: TypeAlias = tuple[int, int, str]
Document: TypeAlias = tuple[str, Sequence[Labelled]]
"""A text, and its gold in code points."""

SLICE = "field"
GATES = {"leaks": "max: 0", "recall": "min: 1", "precision": "min: 1", "false_alarm_rate": "max: 0"}
"""What a detector without a fault keeps; `f1` is asked for beside them with a floor that nothing breaks."""

_ROWS = Path(__file__).parents[2] / "../shared/cases/field_faults.jsonl"
_ZEROS = "sha256:" + "0" * 64
# Installed where the tests are: none of them has to be loaded in a run that a test starts.
_OTHERS = (
    "anyio",
    "faker",
    "html",
    "hypothesispytest",
    "metadata",
    "pytest_jsonreport",
    "randomly",
    "syrupy",
)


def field_rows() -> dict[str, dict[str, Any]]:
    """Return the rows of the shared file by id; none where the shared folder is absent."""
    lines = _ROWS.read_text(encoding="utf-8").splitlines() if _ROWS.exists() else []
    return {row["id"]: row for row in map(json.loads, lines)}


class Stub:
    """A detector that answers what a function of the text returns, in the unit that it declares."""

    name, version = "stub", "1"

    def __init__(self, answers: Callable[[str], Iterable[Labelled]], unit: str = "codepoint") -> None:
        self._answers = answers
        self.offset_unit = unit

    def detect(self, text: str) -> Detection:
        """Return the answer."""
        return Detection(tuple(Span(*row) for row in self._answers(text)))

    def fingerprint(self) -> str:
        """Return always the same."""
        return _ZEROS


def constant(spans: Iterable[Labelled], unit: str = "codepoint") -> Stub:
    """Return a detector with one answer for everything."""
    rows = [tuple(row) for row in spans]
    return Stub(lambda _: rows, unit)


def write_suite(folder: Path, documents: Sequence[Document], types: Iterable[str]) -> Path:
    """Write records, one slice that asks for `types`, a taxonomy of just these, and the gates above."""
    types = sorted(types)
    (folder / "quality-records.jsonl").write_text(
        "".join(json.dumps(_record(number, *document)) + "\n" for number, document in enumerate(documents))
    )
    (folder / "quality-slices.jsonl").write_text(json.dumps(_slice(types)) + "\n")
    (folder / "taxonomy.json").write_text(json.dumps({"version": "t1", "types": dict.fromkeys(types, "any")}))
    gates = [f"  - {{slice: '*', metric: {name}, {bound}}}\n" for name, bound in GATES.items()]
    gates.append("  - {slice: '*', metric: f1, min: 0}\n")
    (folder / "suite.yaml").write_text("taxonomy: taxonomy.json\ngates:\n" + "".join(gates))
    return folder


def held(folder: Path, document: Document, detector: Any, types: Iterable[str] = ()) -> Report:
    """Return the report on one document; `types` default to all labels of its gold."""
    wanted = set(types) or {row[2] for row in document[1]}
    return evaluate(write_suite(folder, [document], wanted), detector)


class Figures(NamedTuple):
    """The counts of a report's slice; characters are summed over types, copies are no false positives."""

    tp: int
    fp: int
    fn: int
    gold_characters: int
    covered_characters: int
    contained: int
    dropped: int
    duplicates: int


def figures(report: Report) -> Figures:
    """Return the counts of the one slice."""
    one = report.slices[SLICE]
    rows = [row.counts for row in one.by_type.values()]
    covered = [row.metrics["character_recall"].numerator or 0 for row in one.by_type.values()]
    counts, selected = one.counts, one.outputs.get("selected", {"gold": 0, "leaks": 0})
    return Figures(
        tp=sum(row["tp"] for row in rows),
        fp=sum(row["fp"] for row in rows) - counts["duplicates"],
        fn=sum(row["fn"] for row in rows),
        gold_characters=sum(row["gold_characters"] for row in rows),
        covered_characters=sum(covered),
        contained=selected["gold"] - selected["leaks"],
        dropped=counts["dropped"],
        duplicates=counts["duplicates"],
    )


def failed_gates(report: Report) -> set[str]:
    """Return the metrics whose gates failed."""
    return {gate.metric for gate in report.gates if gate.verdict == "fail"}


def rate(report: Report, metric: str) -> tuple[int | None, int | None]:
    """Return numerator and denominator of a metric of the slice."""
    found = report.slices[SLICE].metrics[metric]
    return found.numerator, found.denominator


def run_pytest(pytester: Any, monkeypatch: Any, *arguments: str) -> Any:
    """Run pytest in a process of its own, as on a desk: no CI, no outer xdist, few plugins of others."""
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTEST_XDIST_TESTRUNUID", "CI"):
        monkeypatch.delenv(name, raising=False)
    return pytester.runpytest_subprocess(*(f"-pno:{plugin}" for plugin in _OTHERS), *arguments)


def forms(canary: str) -> set[str]:
    """Return what a string looks like once printed, in capitals, in hex, in base64 or in an address."""
    payload = canary.encode()
    encoded = base64.b64encode(payload).decode().rstrip("=")[:-1]
    return {
        canary.casefold(),
        payload.hex(),
        canary.encode("utf-16-le").hex(),
        encoded.casefold(),
        quote(canary).casefold(),
        ascii(canary)[1:-1].casefold(),
        canary.rpartition(" ")[2].casefold(),
    }


def shown(canaries: Iterable[str], output: str) -> set[str]:
    """Return the canaries that `output` holds, in any case."""
    folded = output.casefold()
    return {canary for canary in canaries if canary.casefold() in folded}


def left_behind(result: Any, folder: Path, but: Iterable[str]) -> str:
    """Return what a run printed, and name and content of every file below `folder` but those in `but`."""
    parts = [*result.outlines, *result.errlines]
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        if path.is_file() and not {relative.parts[0], "__pycache__"} & {*but, *relative.parts[:-1]}:
            parts += [relative.as_posix(), path.read_bytes().decode("utf-8", "replace")]
    return "\n".join(parts)


def _record(number: int, text: str, gold: Iterable[Labelled]) -> dict[str, Any]:
    document_id = f"doc.{number}"
    document = {"document_id": document_id, "text": text, "text_view": "body", "split_role": "validation"}
    spans = [
        {
            "document_id": document_id,
            "entity_class": label,
            "start": start,
            "end": end,
            "catalog_identity": None,
        }
        for start, end, label in gold
    ]
    return {"document": document, "gold_spans": spans, "slice_ids": [SLICE]}


def _slice(types: Sequence[str]) -> dict[str, Any]:
    view = {
        "id": "body",
        "artifact_sha256": _ZEROS,
        "content_policy_sha256": _ZEROS,
        "document_regions": ["body"],
        "primary_for_quality": True,
        "answer_bearing_fields_included": False,
    }
    return {
        "id": SLICE,
        "label_artifact_id": "labels",
        "label_strength": "independent",
        "annotation_scope": {
            "entity_classes": list(types),
            "document_regions": ["body"],
            "span_policy_sha256": _ZEROS,
            "exclusions": [],
        },
        "annotation_completeness": "exhaustive_within_scope",
        "entity_class": types[0] if len(types) == 1 else "every.type",
        "cohort": "all",
        "split_role": "validation",
        "text_view": "body",
        "text_view_descriptor": view,
        "promotion_gate": False,
    }
