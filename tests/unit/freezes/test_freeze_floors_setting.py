"""Floors from a dev-freeze report: the numbers, the file that is written, and what is told."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

import pytest
from ship_values import DETECTOR, metric, quality_slice, report, run_of

from pytest_pii_eval.contracts.floors_file import floors_in, read_floors
from pytest_pii_eval.freezes.floors_setting import set_floors
from pytest_pii_eval.reports.write import render_json

if TYPE_CHECKING:
    from pathlib import Path

OPEN = """\
version: pii_eval.floors.v1
floors:
  - {kind: exact_recall, slice: mail, type: email, limit: open}
  - {kind: exact_recall, slice: mail, type: person, limit: open}
  - {kind: extra_span_rate, slice: negative, limit: open}
  - {kind: p95_latency_ms, limit: open}
"""
LATENCY = {
    "host": {"system": "Linux", "machine": "x", "processors": 2},
    "bands": {"1501-2500": {"documents": 31, "p50_ms": 20.1, "p95_ms": 41.001}},
    "warm_up": {"builds": 1, "build_seconds": 1.0, "documents": 3, "seconds": 1.0},
}


def _dev(**fields: Any) -> dict[str, Any]:
    return quality_slice(role="dev_freeze", **fields)


@pytest.fixture
def floors_path(tmp_path) -> Path:
    """A floors file with four open floors."""
    path = tmp_path / "floors.yaml"
    path.write_text(OPEN)
    return path


@pytest.fixture
def dev_report(tmp_path) -> Path:
    """A report on a dev freeze of two slices, timed."""
    negative = _dev(metrics={"extra_span_rate": metric(1, 3, 3)}, by_type={})
    return _written(tmp_path, slices={"mail": _dev(), "negative": negative})


def _written(folder: Path, **fields: Any) -> Path:
    path = folder / "dev.json"
    own = {"run": run_of(latency=LATENCY), "freeze_rules": {}, "gates": []}
    path.write_text(render_json(report(**{**own, **fields})), encoding="utf-8")
    return path


def _email(folder: Path, *slices: tuple[int, int]) -> Path:
    """Return a report in which the recall of email is as given, slice by slice."""
    return _written(
        folder,
        slices={
            f"s{at}": _dev(by_type={"email": {"counts": {}, "metrics": {"recall": metric(tp, gold, gold)}}})
            for at, (tp, gold) in enumerate(slices)
        },
    )


def _only(path: Path, *floors: str) -> Path:
    rows = "".join(f"  - {{{floor}}}\n" for floor in floors)
    path.write_text(f"version: pii_eval.floors.v1\nfloors:\n{rows}")
    return path


def test_the_file_that_is_written(floors_path, dev_report) -> None:
    """Recall 19/20 and 8/12 less 0.02, extra spans 1/3 and 0.02, 41.001 ms to whole ones; word by word."""
    digest = hashlib.sha256(dev_report.read_bytes()).hexdigest()
    set_floors(dev_report, floors_path, slack="0.02", replace=False)
    bound = (
        '[["exact_recall","mail","email","93/100"],["exact_recall","mail","person","3233/5000"],'
        '["extra_span_rate","negative","","1767/5000"],["p95_latency_ms","","","42"]]'
    )
    assert floors_path.read_text() == (
        "# Set by pii-eval freeze set-floors from a report on the dev freeze.\n"
        "version: pii_eval.floors.v1\n"
        "set_from:\n"
        f"  report: sha256:{digest}\n"
        f"  detector: {DETECTOR}\n"
        "  slack: 0.02\n"
        f"  numbers: sha256:{hashlib.sha256(bound.encode()).hexdigest()}\n"
        "floors:\n"
        "  - kind: exact_recall\n    slice: mail\n    type: email\n    limit: 0.9300\n"
        "  - kind: exact_recall\n    slice: mail\n    type: person\n    limit: 0.6466\n"
        "  - kind: extra_span_rate\n    slice: negative\n    limit: 0.3534\n"
        "  - kind: p95_latency_ms\n    limit: 42\n"
    )


def test_a_run_with_the_freezes_file(tmp_path) -> None:
    """Rules that pass, and one that could not be evaluated, do not stand in the way."""
    path = _only(tmp_path / "floors.yaml", "kind: exact_recall, slice: s0, type: email, limit: open")
    verdicts = {"every-suite-has-a-role": "pass", "ledger-holds": "not_evaluated"}
    rules = {name: {"verdict": verdict, "reasons": []} for name, verdict in verdicts.items()}
    source = _written(tmp_path, slices={"s0": _dev()}, freeze_rules=rules)
    assert set_floors(source, path, slack="0", replace=False) == [
        "exact_recall, slice s0, type email: 0.9500 (support 20)"
    ]


def test_what_is_told(floors_path, dev_report) -> None:
    """A line for each floor: kind, slice, type, number and support."""
    assert set_floors(dev_report, floors_path, slack="0.02", replace=False) == [
        "exact_recall, slice mail, type email: 0.9300 (support 20)",
        "exact_recall, slice mail, type person: 0.6466 (support 12)",
        "extra_span_rate, slice negative: 0.3534 (support 3)",
        "p95_latency_ms: 42 (support 31, of the host of the report alone)",
    ]


def test_the_file_reads_back(floors_path, dev_report) -> None:
    """No floor is open any more, and the file says where its numbers come from."""
    set_floors(dev_report, floors_path, slack="0", replace=False)
    file = read_floors(floors_path)
    assert file.open == ()
    assert file.p95_ms == "42"
    assert [str(one.limit) for one in file.floors] == ["19/20", "3333/5000", "1667/5000", "42"]
    assert file.set_from is not None
    assert (file.set_from.detector, file.set_from.slack) == (DETECTOR, "0")


@pytest.mark.parametrize(
    ("tp", "gold", "slack", "limit"),
    [
        (2, 3, "0", "0.6666"),
        (20, 20, "0", "1.0000"),
        (19, 20, "0.95", "0.0000"),
        (1, 20, "0.2", "0.0000"),
        (0, 20, "0", "0.0000"),
        (29, 30, "0.00005", "0.9666"),
        (9999, 10000, "0", "0.9999"),
        (99999, 100000, "0", "0.9999"),
        (57, 100, "0", "0.5700"),
    ],
)
def test_recall_is_exact_and_rounded_down(tmp_path, tp, gold, slack, limit) -> None:
    """The floor comes from the two integers, not from a float, and is never above what was measured."""
    path = _only(tmp_path / "floors.yaml", "kind: exact_recall, slice: s0, type: email, limit: open")
    set_floors(_email(tmp_path, (tp, gold)), path, slack=slack, replace=False)
    assert path.read_text().endswith(f"limit: {limit}\n")


def test_a_floor_of_nothing_says_so(tmp_path) -> None:
    """A floor of 0 holds for any detector, and the line tells it."""
    path = _only(tmp_path / "floors.yaml", "kind: exact_recall, slice: s0, type: email, limit: open")
    lines = set_floors(_email(tmp_path, (0, 20)), path, slack="0", replace=False)
    assert lines == [
        "exact_recall, slice s0, type email: 0.0000 (support 20; a floor of 0 holds for any detector)"
    ]


@pytest.mark.parametrize(
    ("extra", "documents", "slack", "limit"),
    [
        (0, 40, "0", "0.0000"),
        (1, 3, "0", "0.3334"),
        (7, 2, "0.1", "3.6000"),
        (1, 8, "0", "0.1250"),
        (1, 8, "0.00001", "0.1251"),
    ],
)
def test_extra_spans_are_rounded_up(tmp_path, extra, documents, slack, limit) -> None:
    """A rate above 1 is no fault: extra spans are counted a document."""
    path = _only(
        tmp_path / "floors.yaml",
        "kind: exact_recall, slice: mail, type: email, limit: 0.9",
        "kind: extra_span_rate, slice: mail, limit: open",
    )
    metrics = {"extra_span_rate": metric(extra, documents, documents)}
    source = _written(tmp_path, slices={"mail": _dev(metrics=metrics)})
    set_floors(source, path, slack=slack, replace=False)
    assert path.read_text().endswith(f"kind: extra_span_rate\n    slice: mail\n    limit: {limit}\n")


def test_every_slice_is_the_worst_slice(tmp_path) -> None:
    """A floor of every slice is that of the slice with the lowest recall."""
    path = _only(tmp_path / "floors.yaml", 'kind: exact_recall, slice: "*", type: email, limit: open')
    source = _email(tmp_path, (9, 10), (3, 4), (8, 10))
    assert set_floors(source, path, slack="0", replace=False) == [
        "exact_recall, slice *, type email: 0.7500 (support 4, of slice s1)"
    ]
    assert 'slice: "*"\n' in path.read_text()


def test_the_worst_slice_has_the_most_extra_spans(tmp_path) -> None:
    """A maximum over every slice is that of the slice with the highest rate."""
    path = _only(
        tmp_path / "floors.yaml",
        "kind: exact_recall, slice: s0, type: email, limit: 0.9",
        'kind: extra_span_rate, slice: "*", limit: open',
    )
    slices = {
        f"s{at}": _dev(metrics={"extra_span_rate": metric(extra, 8, 8)}) for at, extra in enumerate((1, 4, 2))
    }
    lines = set_floors(_written(tmp_path, slices=slices), path, slack="0", replace=False)
    assert lines[1] == "extra_span_rate, slice *: 0.5000 (support 8, of slice s1)"


def test_a_file_that_was_opened_again(floors_path, dev_report) -> None:
    """Where every floor is open, no number of another report stands, and the old source goes."""
    set_floors(dev_report, floors_path, slack="0.5", replace=False)
    set_before = floors_path.read_text()
    floors_path.write_text(re.sub(r"limit: .*", "limit: open", set_before))
    set_floors(dev_report, floors_path, slack="0.25", replace=False)
    assert "  slack: 0.25\n" in floors_path.read_text()


def test_only_slices_of_the_dev_freeze_count(tmp_path) -> None:
    """A public slice beside the dev freeze does not move a floor of every slice."""
    path = _only(tmp_path / "floors.yaml", 'kind: exact_recall, slice: "*", type: email, limit: open')
    rows = {"email": {"counts": {}, "metrics": {"recall": metric(1, 10, 10)}}}
    slices = {
        "mail": _dev(),
        "spy": quality_slice(role="public", by_type=rows),
        "old": {**_dev(), "role": None},
    }
    set_floors(_written(tmp_path, slices=slices), path, slack="0", replace=False)
    assert path.read_text().endswith("limit: 0.9500\n")


def test_set_floors_are_left_alone(tmp_path, dev_report) -> None:
    """A number that stands stays as it was written, and the comment says how many do."""
    path = _only(
        tmp_path / "floors.yaml",
        "kind: exact_recall, slice: mail, type: email, limit: 0.30",
        "kind: exact_recall, slice: mail, type: person, limit: open",
    )
    lines = set_floors(dev_report, path, slack="0", replace=False)
    assert lines == [
        "exact_recall, slice mail, type email: 0.30 (was set, left alone)",
        "exact_recall, slice mail, type person: 0.6666 (support 12)",
    ]
    text = path.read_text()
    assert "limit: 0.30\n" in text
    assert text.startswith(
        "# Set by pii-eval freeze set-floors from a report on the dev freeze; 1 of these were set before"
    )


def test_replace_sets_all_anew(floors_path, dev_report) -> None:
    """With --replace a number that stands is measured again."""
    set_floors(dev_report, floors_path, slack="0.5", replace=False)
    first = floors_path.read_text()
    set_floors(dev_report, floors_path, slack="0", replace=True)
    second = floors_path.read_text()
    assert "limit: 0.4500\n" in first
    assert "limit: 0.9500\n" in second
    assert "limit: 0.4500\n" not in second


def test_the_same_report_gives_the_same_bytes(floors_path, dev_report) -> None:
    """Setting floors twice from one report changes nothing."""
    set_floors(dev_report, floors_path, slack="0.01", replace=True)
    first = floors_path.read_bytes()
    set_floors(dev_report, floors_path, slack="0.01", replace=True)
    assert floors_path.read_bytes() == first


def test_a_json_file_stays_json(tmp_path, dev_report) -> None:
    """A floors file in JSON is written as JSON, and reads alike from git, where every one is YAML."""
    path = tmp_path / "floors.json"
    path.write_text(
        '{"version": "pii_eval.floors.v1", "floors":'
        ' [{"kind": "exact_recall", "slice": "mail", "type": "email", "limit": "open"}]}'
    )
    set_floors(dev_report, path, slack="0.05", replace=False)
    assert [one.text for one in read_floors(path).floors] == ["0.9000"]
    assert floors_in(path.read_bytes(), file="floors.json").fingerprint == read_floors(path).fingerprint


def test_nothing_is_left_beside_the_file(floors_path, dev_report) -> None:
    """The temporary file is gone."""
    set_floors(dev_report, floors_path, slack="0", replace=False)
    assert sorted(one.name for one in floors_path.parent.iterdir()) == ["dev.json", "floors.yaml"]
