"""What a sealed run is held to, whatever was asked for."""

from __future__ import annotations

import pytest

from pytest_pii_eval.collection.freezes.sealed_set import freezes_of, is_evidence, sealed_settings
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.settings import default_settings

FREEZES = """
version: pii_eval.freezes.v1
roles: [builders]
sets:
  sealed: {role: sealed_freeze, commitment: sealed.json}
train_lists: [train.jsonl]
floors: floors.yaml
ledger: ledger.jsonl
reports: reports
"""
FLOORS = """
version: pii_eval.floors.v1
floors:
  - {kind: exact_recall, slice: mail, type: email, limit: 0.9}
  - {kind: p95_latency_ms, limit: 40}
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with a freezes file and its floors."""
    (tmp_path / "freezes.yaml").write_text(FREEZES)
    (tmp_path / "floors.yaml").write_text(FLOORS)
    return tmp_path


def test_latency_is_held_to_its_floor_and_budgets_are_zero(folder) -> None:
    """The floor of latency counts, protection output is judged, nothing may be dropped or unmapped."""
    asked = (("min-recall", "0.5"), ("max-dropped", "9"), ("max-unmapped", "9"))
    settings = sealed_settings(default_settings(folder, max_p95_ms="open", gates=asked))
    assert settings.max_p95_ms == "40"
    assert settings.gate_output == "protection"
    assert settings.gates == (("min-recall", "0.5"), ("max-dropped", "0"), ("max-unmapped", "0"))


def test_latency_may_be_asked_for_without_a_floor(folder) -> None:
    """Where the file has no such floor, the option stays."""
    (folder / "floors.yaml").write_text(FLOORS.replace("  - {kind: p95_latency_ms, limit: 40}\n", ""))
    assert sealed_settings(default_settings(folder, max_p95_ms="75")).max_p95_ms == "75"


def test_a_sealed_run_needs_a_sealed_set(folder) -> None:
    """A freezes file without one is told by the place where it would stand."""
    only = "  unit: {role: unit, suite: unit}\n"
    (folder / "freezes.yaml").write_text(
        FREEZES.replace("  sealed: {role: sealed_freeze, commitment: sealed.json}\n", only)
    )
    with pytest.raises(Fault) as caught:
        freezes_of(default_settings(folder))
    assert str(caught.value) == "freezes.yaml: sets: names no set of the role sealed_freeze"


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("ledger.jsonl", True),
        ("floors.yaml", True),
        ("train.jsonl", True),
        ("sealed.json", True),
        ("reports/rc-1.json", True),
        ("reports.json", False),
        (".pii_eval/report.json", False),
    ],
)
def test_evidence_is_what_the_freezes_file_names(folder, target, expected) -> None:
    """A report would replace it, or would not."""
    assert is_evidence(default_settings(folder, report=folder / target)) is expected
