"""Each field fault that concerns a detector, as a small faulty detector made of the row: what catches it.

The rows lie in ../shared; test_field_kinds.py holds the same kinds with texts of our own.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from field_caught import CAUGHT
from field_suite import (
    GATES,
    SLICE,
    Stub,
    constant,
    failed_gates,
    field_rows,
    figures,
    held,
    rate,
)

from pytest_pii_eval import evaluate

ROWS = field_rows()
TESTS = Path(__file__).parents[1]
CONTRACTS = TESTS / "unit/testing/test_contract_faults.py", TESTS / "field/test_field_contract.py"

pytestmark = pytest.mark.skipif(not ROWS, reason="needs ../shared/cases/field_faults.jsonl")

# Rows that concern no detector: kinds of files, gold and gates, held by tests of their own.
OTHERS = re.compile(r"(file|gold|conformance|path)\..*|gate\.rounding|report\.leak\.loader")

TOLD = [row_id for row_id, row in ROWS.items() if row["pred"] is not None]
MADE_UP = ["BI-073", "BI-076", "BI-078", "BI-080", "BI-083", "BI-125", "BI-126"]


def concerns_a_detector(row):
    return row["pred"] is not None or "detector_stub" in row or "text_recipe" in row


def text_of(row):
    """Return the row's text; a recipe is a sum of quoted strings, some of them repeated."""
    if row["text"] is not None:
        return row["text"]
    parts = re.findall(r"'([^']*)'(?:\*(\d+))?", row["text_recipe"])
    return "".join(part * int(times or 1) for part, times in parts)


def document_of(row):
    return text_of(row), [tuple(span) for span in row.get("gold_recipe", row["gold"])]


def types_of(row):
    """Return all labels of the row, so that what is exact is what the row calls exact."""
    return {span[2] for span in [*document_of(row)[1], *(row["pred"] or [])]} or {"PERSON"}


def told(tmp_path, row_id, unit="codepoint"):
    """Return the report on a detector that answers the row's predictions as they stand."""
    row = ROWS[row_id]
    return held(tmp_path, document_of(row), constant(row["pred"], unit), types_of(row))


def made_up(row):
    """Return the detector that the row describes in words or in code."""
    text, gold = document_of(row)
    stub, calls = row.get("detector_stub", ""), []
    if stub.startswith("Returns"):  # odd calls and even ones
        return Stub(lambda _: calls.append(1) or (gold if len(calls) % 2 else []))
    if stub.startswith("Skips") or not stub:
        return constant([])
    if stub.startswith("Object"):
        return constant(gold)
    body = stub.replace("\n", "\n    ")
    source = f"import logging, os, sys, warnings\ndef answers(text):\n    {body}\n    return gold"
    space = {"gold": gold, "value": text[gold[0][0] : gold[0][1]]}
    exec(source, space)  # noqa: S102  # the row says what its detector does in code
    return Stub(space["answers"])


def test_every_row_is_looked_at():
    """The table names exactly the rows that concern a detector; a new row fails until someone looks."""
    mine = {row_id for row_id, row in ROWS.items() if concerns_a_detector(row)}
    assert set(CAUGHT) == mine
    others = [row["kind"] for row_id, row in ROWS.items() if row_id not in mine]
    assert [kind for kind in others if not OTHERS.fullmatch(kind)] == []


@pytest.mark.parametrize("row_id", [row_id for row_id, one in CAUGHT.items() if one.contract])
def test_the_contract_has_a_detector_of_the_kind(row_id):
    """What the table says of the contract is a faulty detector there, or in this folder."""
    name = CAUGHT[row_id].contract
    entry = re.compile(rf'^    "{name}": "\w', re.MULTILINE)
    assert any(entry.search(path.read_text(encoding="utf-8")) for path in CONTRACTS)


@pytest.mark.parametrize("row_id", [row_id for row_id, one in CAUGHT.items() if one.run])
def test_the_runs_are_there(row_id):
    """What the table says of runs is a test there."""
    file, _, name = CAUGHT[row_id].run.partition("::")
    assert f"def {name}(" in (TESTS / "field" / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("row_id", TOLD)
def test_figures_are_those_of_the_row(tmp_path, row_id):
    """Counts equal those that came with the row; containment is by the union of what is in range."""
    row = ROWS[row_id]
    ref, found = row["ref"], figures(told(tmp_path, row_id))
    wanted = (ref["exact_tp"], ref["exact_fn"], ref["gold_chars"], ref["gold_chars_covered"])
    assert (found.tp, found.fn, found.gold_characters, found.covered_characters) == wanted
    assert found.fp + found.dropped == ref["exact_fp_dedup"]
    assert found.dropped == ref["pred_out_of_range"]
    assert found.duplicates == len(row["pred"]) - len({tuple(span) for span in row["pred"]})
    inside = [span for span in row["pred"] if 0 <= span[0] < span[1] <= len(row["text"])]
    covered = {point for start, end, _ in inside for point in range(start, end)}
    assert found.contained == sum(covered.issuperset(range(*span[:2])) for span in row["gold"])
    assert found.contained >= sum(ref["contained_by_one"])


@pytest.mark.parametrize("row_id", TOLD)
def test_gates_fail_as_the_table_says(tmp_path, row_id):
    """Which of leaks, recall, precision, false alarms and drops fail; F1 has a value where there is gold."""
    report = told(tmp_path, row_id)
    assert failed_gates(report) == set(CAUGHT[row_id].gates.split())
    assert report.passed is not bool(CAUGHT[row_id].gates)
    f1 = next(gate for gate in report.gates if gate.metric == "f1")
    assert f1.verdict == ("pass" if ROWS[row_id]["gold"] else "not_evaluated")


@pytest.mark.parametrize("row_id", [name for name in TOLD if ROWS[name]["pred_unit"] in ("utf16", "byte")])
def test_a_declared_unit_is_exact(tmp_path, row_id):
    """The same predictions in the unit that they are counted in: nothing is wrong with them."""
    report = told(tmp_path, row_id, ROWS[row_id]["pred_unit"])
    assert failed_gates(report) == set()
    assert rate(report, "recall") == rate(report, "precision") == (len(ROWS[row_id]["gold"]),) * 2


@pytest.mark.parametrize("row_id", TOLD)
def test_bytes_of_the_same_places_are_exact_alike(tmp_path, row_id):
    """What is in range, counted in bytes and declared so, gives the figures that code points give."""
    row = ROWS[row_id]
    inside = [span for span in row["pred"] if span[1] <= len(row["text"])]
    in_bytes = [(*(len(row["text"][:at].encode()) for at in span[:2]), span[2]) for span in inside]
    reports = []
    for number, (spans, unit) in enumerate([(inside, "codepoint"), (in_bytes, "byte")]):
        (folder := tmp_path / str(number)).mkdir()
        reports.append(held(folder, document_of(row), constant(spans, unit), types_of(row)))
    assert figures(reports[0]) == figures(reports[1])


@pytest.mark.parametrize("row_id", ["BI-045", "BI-046"])
def test_labels_in_no_map(tmp_path, row_id):
    """A taxonomy of the gold's types alone: the label is told, nothing is folded, and the run fails."""
    row = ROWS[row_id]
    report = held(tmp_path, document_of(row), constant(row["pred"]))
    one = report.slices[SLICE]
    assert one.unmapped_labels == {row["pred"][0][2]: 1}
    assert one.types == [row["gold"][0][2]]
    gate = next(gate for gate in report.gates if gate.id == "labels.common")
    assert (gate.verdict, gate.reason) == ("fail", "disjoint_labels")


@pytest.mark.parametrize(
    ("row_id", "metric", "value"),
    [
        ("BI-035", "precision", (1, 3)),
        ("BI-035", "recall", (1, 2)),
        ("BI-035", "f1", (2, 5)),
        ("BI-040", "precision", (1, 4)),
        ("BI-040", "recall", (1, 1)),
        ("BI-038", "recall", (1, 1)),
        ("BI-038", "precision", (1, 3)),
        ("BI-020", "recall", (1, 2)),
        ("BI-033", "recall", (1, 2)),
        ("BI-041", "character_leak_rate", (9, 15)),
        ("BI-070", "character_leak_rate", (4, 6)),
        ("BI-001", "character_leak_rate", (1, 9)),
        ("BI-050", "false_alarm_rate", (1, 1)),
        ("BI-050", "f1", (None, None)),
        ("BI-051", "extra_span_rate", (3, 1)),
        ("BI-051", "false_alarm_rate", (1, 1)),
        ("BI-055", "extra_span_rate", (4, 1)),
        ("BI-058", "over_redaction_rate", (7, 34)),
        ("BI-058", "leaks", (0, None)),
        ("BI-061", "leaks", (0, None)),
        ("BI-068", "containment", (3, 3)),
        ("BI-075", "containment", (1, 1)),
        ("BI-081", "over_redaction_rate", (0, 5)),  # dropped, not clamped
        ("BI-088", "precision", (None, None)),
        ("BI-088", "recall", (None, None)),
        ("BI-088", "f1", (None, None)),
    ],
)
def test_what_a_row_expects_of_a_metric(tmp_path, row_id, metric, value):
    """Numerator and denominator, as the row's words say."""
    assert rate(told(tmp_path, row_id), metric) == value


def test_a_wrong_type_is_told_apart_from_a_leak(tmp_path):
    """BI-061: a false positive of one type and a miss of the other, and the text is masked."""
    one = told(tmp_path, "BI-061").slices[SLICE]
    assert {name: (row.counts["fp"], row.counts["fn"]) for name, row in one.by_type.items()} == {
        "EMAIL": (1, 0),
        "PHONE": (0, 1),
    }
    assert one.confusion == {"PHONE": {"EMAIL": 1}}


def test_a_type_scores_alike_alone(tmp_path):
    """BI-036: X is counted the same where only X is asked for."""
    wide = told(tmp_path, "BI-036")
    narrow = evaluate(tmp_path, constant(ROWS["BI-036"]["pred"]), types=["X"])
    assert narrow.slices[SLICE].types == ["X"]
    assert narrow.slices[SLICE].by_type["X"] == wide.slices[SLICE].by_type["X"]


@pytest.mark.parametrize("row_id", MADE_UP)
def test_described_detectors_fail_as_the_table_says(tmp_path, capfd, row_id):
    """Gates of detectors that raise, give up or talk; one without an answer misses and leaks all its gold."""
    row = ROWS[row_id]
    report = held(tmp_path, document_of(row), made_up(row), types_of(row))
    capfd.readouterr()  # evaluate silences nothing: a caller who prints in Python hears it
    assert failed_gates(report) == set(CAUGHT[row_id].gates.split())
    raises = "raise" in row.get("detector_stub", "")
    assert report.slices[SLICE].counts["failed_documents"] == int(raises)
    assert report.complete is not raises
    assert report.passed is not bool(CAUGHT[row_id].gates)
    held_back = [*row.get("canaries", []), row["text"] or "1.1.1."]
    assert [one for one in held_back if one in report.model_dump_json()] == []


def test_an_unstable_answer_changes_the_report(tmp_path):
    """BI-073: the same detector, asked twice, is another one; only the contract asks twice by itself."""
    row = ROWS["BI-073"]
    detector = made_up(row)
    first = held(tmp_path, document_of(row), detector)
    second = held(tmp_path, document_of(row), detector)
    assert first.subject == second.subject
    assert (failed_gates(first), failed_gates(second)) == (set(), {"leaks", "recall"})


def test_results_print_no_text(tmp_path):
    """BI-123: what a test may compare and pytest then prints, a report or a detection, holds no text."""
    row = ROWS["BI-123"]
    detector = constant(row["gold"])
    report = held(tmp_path, document_of(row), detector)
    said = f"{report!r} {report} {detector.detect(row['text'])!r}"
    assert [one for one in row["canaries"] if one in said] == []


def test_the_gates_are_those_of_a_whole_detector(tmp_path):
    """A detector that answers the gold of a row passes every gate: the faults fail them, not the rows."""
    for row_id in TOLD:
        row = ROWS[row_id]
        report = held(tmp_path, document_of(row), constant(row["gold"]), types_of(row))
        assert (row_id, failed_gates(report)) == (row_id, set())
    assert set(" ".join(one.gates for one in CAUGHT.values()).split()) == {*GATES, "dropped"}
