"""Labels that nothing was scored for: the list of them, and the gate of a detector that has no others."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from pytest_pii_eval.session.labels import bounded, common_labels

DETECTOR = {"subject": {"kind": "detector"}, "every_item": True}


def one_slice(*, gold=3, pred=0, unmapped=2, out_of_scope=1):
    """Return a slice of one type by its counts."""
    row = SimpleNamespace(counts={"gold": gold, "pred": pred})
    counts = {"unmapped": unmapped, "out_of_scope": out_of_scope}
    return SimpleNamespace(counts=counts, by_type={"person": row})


def test_two_hundred_labels_are_listed():
    """The rarest of 202 are summed under one name; of equal counts the names that sort last."""
    counts = {f"L{number:03}": 5 for number in range(200)} | {"M": 1, "N": 2}
    listed = bounded(counts)
    assert len(listed) == 201
    assert listed["(others)"] == 3
    assert listed["L199"] == 5
    assert "(others)" not in bounded(dict.fromkeys(list(counts)[:200], 1))


def test_labels_of_no_type_in_scope_fail_a_gate():
    """All predictions were beside every slice, and there was gold: 2 * (2 + 1) of them."""
    [gate] = common_labels(DETECTOR, {"one": one_slice(), "two": one_slice(gold=0)})
    assert (gate.id, gate.verdict, gate.reason) == ("labels.common", "fail", "disjoint_labels")
    assert (gate.value, gate.limit, gate.support) == (0, 1, 6)


@pytest.mark.parametrize("beside", [{"unmapped": 0}, {"out_of_scope": 0}])
def test_labels_without_a_type_and_out_of_scope_count_alike(beside):
    """Either is enough."""
    assert len(common_labels(DETECTOR, {"one": one_slice(**beside)})) == 1


@pytest.mark.parametrize(
    ("facts", "slices"),
    [
        ({**DETECTOR, "every_item": False}, [one_slice()]),  # the rest may have been found
        ({"subject": {"kind": "detector"}}, [one_slice()]),
        ({**DETECTOR, "subject": {"kind": "bank"}}, [one_slice()]),
        ({}, [one_slice()]),
        (DETECTOR, []),
        (DETECTOR, [one_slice(gold=0)]),  # nothing to find
        (DETECTOR, [one_slice(pred=1)]),
        (DETECTOR, [one_slice(), one_slice(pred=1)]),
        (DETECTOR, [one_slice(unmapped=0, out_of_scope=0)]),  # a silent detector has no labels
    ],
)
def test_all_else_has_no_such_gate(facts, slices):
    """A part of a run, a bank, no gold, a prediction that counted, or none at all."""
    assert common_labels(facts, dict(zip("abc", slices, strict=False))) == []
