"""Fingerprints of a run: each changes with its part, and the comparison with any."""

from __future__ import annotations

import pytest
from heard import facts, subject

from pytest_pii_eval.session import fingerprints as module
from pytest_pii_eval.session.fingerprints import EMPTY, fingerprints
from pytest_pii_eval.session.quality import quality_of
from pytest_pii_eval.session.results import Results

OTHER = "sha256:" + "1" * 64
PARTS = {"bank", "contracts", "engine", "evaluator", "negative_cases", "policy", "positive_cases"}


def _of(**fields: object) -> dict[str, str]:
    return fingerprints(facts(**fields), quality_of(Results()))


def _changed(**fields: object) -> set[str]:
    before, after = _of(), _of(**fields)
    return {name for name in before if before[name] != after[name]}


def test_every_part_has_a_fingerprint() -> None:
    """Bank, contracts, engine, evaluator, policy, both artifacts, and what binds them all."""
    found = _of()
    assert set(found) == PARTS | {"comparison"}
    assert all(value.startswith("sha256:") and len(value) == 71 for value in found.values())


def test_the_same_facts_have_the_same_fingerprints() -> None:
    """Nothing of time or place is in them."""
    assert _of() == _of()


@pytest.mark.parametrize(
    ("fields", "part"),
    [
        ({"bank": {"id": "tiny", "version": "1", "fingerprint": OTHER}}, "bank"),
        ({"subject": subject(engine="nerb")}, "engine"),
        ({"subject": subject(engine_version="2")}, "engine"),
        ({"subject": subject(libraries={"regex": "2"})}, "engine"),
        (
            {
                "artifacts": {
                    "positive": {"rows": 1, "sha256": OTHER},
                    "negative": {"rows": 1, "sha256": subject()["fingerprint"]},
                }
            },
            "positive_cases",
        ),
        (
            {
                "artifacts": {
                    "positive": {"rows": 1, "sha256": subject()["fingerprint"]},
                    "negative": {"rows": 1, "sha256": OTHER},
                }
            },
            "negative_cases",
        ),
    ],
)
def test_a_part_changes_its_own_and_the_comparison(fields, part) -> None:
    """A change of one part changes its fingerprint and the comparison, and no other."""
    assert _changed(**fields) == {part, "comparison"}


def test_key_order_of_facts_is_not_content() -> None:
    """The engine's facts in another order are the same facts."""
    assert _changed(subject=dict(reversed(subject().items()))) == set()


@pytest.mark.parametrize(
    ("room", "part"),
    [("contracts", "contracts"), ("detectors", "engine"), ("scoring", "evaluator"), ("session", "evaluator")],
)
def test_source_is_bound(monkeypatch, room, part) -> None:
    """A change in a room's source changes the fingerprint of the part that it implements."""
    before = _of()
    real = module.source_sha256
    monkeypatch.setattr(module, "source_sha256", lambda *rooms: OTHER if room in rooms else real(*rooms))
    after = _of()
    assert {name for name in before if before[name] != after[name]} == {part, "comparison"}


def test_policy_is_bound(monkeypatch) -> None:
    """A change of what the gates mean changes the policy's fingerprint."""
    before = _of()
    monkeypatch.setattr(module, "POLICY", {**module.POLICY, "recall": "about_one"})
    after = _of()
    assert {name for name in before if before[name] != after[name]} == {"policy", "comparison"}


def test_without_facts_there_are_none() -> None:
    """A run of which nothing is known can be compared with nothing."""
    assert fingerprints({}, quality_of(Results())) == {}
    assert EMPTY == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
