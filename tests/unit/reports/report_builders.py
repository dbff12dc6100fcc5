"""Reports in memory with honest figures: scored here from spans of invented documents, judged by real gates.

| slice | gold | what is found |
|---|---|---|
| `cards` | 8 `payment` (severe), 4 `email`; 2 documents without | all but `lost` cards; 1 false alarm |
| `names` | 3 `person` in 2 documents | 1 exactly, 1 shifted (it leaks), 1 as `company` |
| `headers` | 2 `email`, weak labels | both; precision and the like have no value |
| `letters` | none, weak labels | nothing: the slice is unsupported |

Slice `empty` holds no document and is declared unsupported, as `nicknames` is. Gate `max-leaks` asks for no
leak in `cards` alone.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from report_values import SHA, conformance, document

from pytest_pii_eval import score
from pytest_pii_eval.contracts.limits import GateRule
from pytest_pii_eval.contracts.spans import Detection, GoldSpan, Span
from pytest_pii_eval.reports.model import Gate, Report, SliceReport, TypeReport
from pytest_pii_eval.scoring.documents import Document, Scope
from pytest_pii_eval.scoring.evidence import TypeCounts
from pytest_pii_eval.scoring.gating import JudgedGate, judge_slice
from pytest_pii_eval.scoring.labels import Labels
from pytest_pii_eval.scoring.metrics import derive
from pytest_pii_eval.session.stages import plain, stages

HIGH = frozenset({"payment", "secret"})
NO_LEAK = GateRule("max-leaks", "cards", "leaks", None, "max", Fraction(0))
FULL = Labels(cataloged=False, identified=False)
UNSUPPORTED = {"evaluated": False, "reason": "zero_labeled_spans"}
WEAK = FULL._replace(independent=False)
DECLARED = {
    "entity_class": "anybody",
    "cohort": "all",
    "split_role": "validation",
    "text_view": "natural_body",
    "annotation_completeness": "exhaustive_within_scope",
    "promotion_gate": False,
}
# An entity of each kind: everything mapped, and one with a miss, a wrong name and a negative that was hit.
ENTITIES = {
    "email": {
        "active_patterns": 1,
        "patterns_with_positive_cases": 1,
        "approved_positive_cases": 6,
        "correctly_mapped": 6,
        "missed": 0,
        "wrong_canonical": 0,
        "unexpected_negative_matches": 0,
        "recall": 1.0,
    },
    "person": {
        "active_patterns": 3,
        "patterns_with_positive_cases": 2,
        "approved_positive_cases": 10,
        "correctly_mapped": 7,
        "missed": 2,
        "wrong_canonical": 1,
        "unexpected_negative_matches": 1,
        "recall": 0.7,
    },
}


def text(length: int, gold: tuple[tuple[int, int, str], ...], *found: tuple[int, int, str]) -> Document:
    """Return a document of `length` code points with its gold, and what was found: that is protected."""
    spans = tuple(Span(*one) for one in found)
    protected = tuple((start, end) for start, end, _ in found)
    return Document(length, tuple(GoldSpan(*one) for one in gold), Detection(spans, None, protected))


def cards(lost: int = 0) -> list[Document]:
    """Return the documents of slice `cards`; the first `lost` of eight card numbers are not found."""
    page = ((0, 16, "payment"), (20, 36, "payment"), (40, 57, "email"))
    documents = []
    for ordinal in range(4):
        missing = {(0, 16, "payment")} if ordinal * 2 < lost else set()
        missing |= {(20, 36, "payment")} if ordinal * 2 + 1 < lost else set()
        documents.append(text(60, page, *(one for one in page if one not in missing)))
    return [*documents, text(30, ()), text(30, (), (0, 5, "payment"))]


def names() -> list[Document]:
    """Return the documents of slice `names`."""
    first = text(40, ((0, 12, "person"), (20, 30, "person")), (0, 12, "person"), (20, 26, "person"))
    return [first, text(20, ((0, 7, "person"),), (0, 7, "company"))]


def headers() -> list[Document]:
    """Return the documents of slice `headers`."""
    return [text(20, ((0, 17, "email"),), (0, 17, "email")) for _ in range(2)]


def sliced(
    name: str,
    documents: list[Document],
    types: tuple[str, ...],
    *rules: GateRule,
    labels: Labels = FULL,
    **changes: Any,
) -> tuple[SliceReport, list[Gate]]:
    """Return a slice with its gates, scored and judged; `changes` replace fields of the slice."""
    scope = Scope(frozenset(types), HIGH & frozenset(types))
    evidence = score(documents, scope)
    metrics = derive(evidence, scope, labels)
    gates = [_gate(name, one) for one in judge_slice(name, metrics, rules, promotion=False)]
    empty = TypeCounts()
    fields = {
        **DECLARED,
        "label_strength": "independent" if labels.independent else "structured_weak",
        "types": sorted(types),
        "evaluated": True,
        "reason": None,
        "counts": evidence.counts._asdict(),
        "outputs": {output: row._asdict() for output, row in evidence.outputs.items()},
        "metrics": {metric: plain(found) for metric, found in metrics.overall.items()},
        "stages": stages(evidence, metrics.overall),
        "by_type": {
            type_: TypeReport(
                counts=_counted(evidence.types.get(type_, empty)),
                metrics={metric: plain(value) for metric, value in found.items()},
            )
            for type_, found in metrics.types.items()
        },
        "confusion": _confusion(evidence.confusion),
        "passed": not any(gate.verdict == "fail" for gate in gates),
    }
    return SliceReport(**{**fields, **changes}), gates


def report(*, lost: int = 0, **changes: Any) -> Report:
    """Return a report: it passes, or fails where any card is `lost`; `changes` replace its fields."""
    slices, gates = {}, []
    for name, (one, judged) in _slices(lost).items():
        slices[name] = one
        gates.extend(judged)
    own = document(
        conformance=conformance(),
        slices=slices,
        unsupported_slices=_gaps(),
        gates=gates,
        taxonomy="pii_eval.taxonomy.v1",
        fingerprints=dict.fromkeys(("bank", "gold", "policy", "slice_plan", "taxonomy"), SHA),
        passed=lost == 0,
        complete=True,
    )
    return Report.model_validate({**own, **changes})


def failed_conformance() -> dict[str, Any]:
    """Return a conformance part with two misses, one wrong name and one negative that was hit."""
    counts = {
        "active_patterns": 4,
        "patterns_with_positive_cases": 3,
        "approved_positive_cases": 16,
        "correctly_mapped": 13,
        "missed": 2,
        "wrong_canonical": 1,
        "negative_cases": 5,
        "unexpected_negative_matches": 1,
    }
    return conformance(**counts, recall=13 / 16, passed=False, by_entity=ENTITIES)


def _slices(lost: int) -> dict[str, tuple[SliceReport, list[Gate]]]:
    return {
        "cards": sliced("cards", cards(lost), ("email", "payment"), NO_LEAK),
        "headers": sliced("headers", headers(), ("email",), labels=WEAK),
        "letters": sliced("letters", [text(30, ())], ("person",), labels=WEAK, **UNSUPPORTED),
        "names": sliced("names", names(), ("person",)),
    }


def _gaps() -> dict[str, dict[str, str]]:
    return {
        "empty": {"dimension": "population", "reason_code": "empty_population"},
        "letters": {"dimension": "population", "reason_code": "zero_labeled_spans"},
        "nicknames": {"dimension": "head_tail", "reason_code": "frequency_unavailable"},
    }


def _counted(row: TypeCounts) -> dict[str, int]:
    return {**row._asdict(), "fp": row.fp, "fn": row.fn, "miss": row.miss}


def _confusion(table: Any) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for (gold, taken), number in sorted(table.items()):
        found.setdefault(gold, {})[taken] = number
    return found


def _gate(name: str, gate: JudgedGate) -> Gate:
    rule, judgement = gate.rule, gate.judgement
    return Gate(
        id=rule.id,
        slice=name,
        metric=rule.metric,
        type=rule.type,
        direction=rule.direction,
        value=_number(judgement.value),
        limit=_number(judgement.limit),
        support=judgement.support,
        verdict="fail" if gate.failed else judgement.verdict,
        reason=judgement.reason,
    )


def _number(value: Fraction | None) -> float | int | None:
    if value is None:
        return None
    return value.numerator if value.denominator == 1 else float(value)
