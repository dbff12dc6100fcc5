"""Values of a cluster that need none: scrambled recipes, and what comes of a task."""

from __future__ import annotations

import threading

import pytest
from cluster_suite import told

from pytest_pii_eval.cluster.outcomes import outcome_of
from pytest_pii_eval.cluster.storage import StorageFailure
from pytest_pii_eval.cluster.veil import SHOWN, unveiled, veiled
from pytest_pii_eval.contracts.faults import Fault

TEXT = "Zephyrine Quartzmore"


@pytest.mark.parametrize("size", [0, 1, SHOWN, (1 << 20) + 3])
def test_a_veil_is_lifted(size):
    """Bytes of any length come back; two veils of the same differ."""
    payload = bytes(range(256)) * (size // 256 + 1)
    payload = payload[:size]
    assert unveiled(veiled(payload)) == payload
    assert veiled(payload) != veiled(payload)


def test_a_veil_that_was_cut_is_refused():
    """Not what was veiled, and no crash."""
    with pytest.raises(Fault, match="cut short"):
        unveiled(veiled(b"payload")[:100])


def test_the_process_outcome_tells_no_text():
    """In the main thread an interrupt goes on without words; elsewhere it is a failure as any other."""

    def action(error):
        def raised():
            raise error(TEXT)

        return raised

    with pytest.raises(KeyboardInterrupt) as found:
        outcome_of(action(KeyboardInterrupt))
    assert found.value.args == ()
    with pytest.raises(StorageFailure) as refusal:
        outcome_of(action(StorageFailure))
    assert str(refusal.value) == "StorageFailure"
    outcomes = []
    thread = threading.Thread(target=lambda: outcomes.append(outcome_of(action(KeyboardInterrupt))))
    thread.start()
    thread.join()
    outcomes.append(outcome_of(action(SystemExit)))
    assert [outcome.rule.split(" ")[0] for outcome in outcomes] == ["KeyboardInterrupt", "SystemExit"]
    assert not any(told(outcome.rule) for outcome in outcomes)
