"""The freezes file: each role with the fields that mean something for it, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.freezes_file import parse_freezes

DEV = {"role": "dev_freeze", "suite": "dev", "readers": ["builders"], "attestation": "dev.json"}
SEALED = {"role": "sealed_freeze", "commitment": "sealed.json"}
WHOLE = {
    "version": "pii_eval.freezes.v1",
    "roles": ["builders", "review"],
    "sets": {"unit": {"role": "unit", "suite": "unit"}, "dev": DEV, "sealed": SEALED},
    "train_lists": ["train.jsonl"],
    "floors": "floors.yaml",
    "ledger": "ledger.jsonl",
    "reports": "reports",
}
PATH = Path("/project/freezes.yaml")


def refused(**changes: object) -> str:
    """Return the fault of a freezes file with these changes."""
    with pytest.raises(Fault) as caught:
        parse_freezes({**WHOLE, **changes}, PATH)
    return str(caught.value)


def test_paths_are_those_beside_the_file() -> None:
    """Sets, lists and evidence are looked up beside the freezes file, and roles find their sets."""
    file = parse_freezes(WHOLE, PATH)
    assert file.dev is not None
    assert file.sealed is not None
    assert (file.dev.key, file.dev.suite) == ("dev", Path("/project/dev"))
    assert file.sealed.commitment == Path("/project/sealed.json")
    assert file.sets["unit"].readers == ("everyone",)
    assert file.dev.slices["long_doc"] == "long_doc"
    assert file.train_lists == (Path("/project/train.jsonl"),)
    assert file.minimum_documents == 100


def test_nothing_was_trained_is_a_statement() -> None:
    """`none` is no list, and a list of nothing is none."""
    assert parse_freezes({**WHOLE, "train_lists": "none"}, PATH).train_lists is None
    assert refused(train_lists=[]) == (
        "train_lists: is empty, which shows nothing: name a list, or state none where nothing was trained"
    )


@pytest.mark.parametrize(
    ("sets", "fault"),
    [
        ({"a": {"role": "unit"}}, "sets.a: needs either suite or corpus"),
        ({"a": {"role": "unit", "suite": "a", "corpus": "b"}}, "sets.a: needs either suite or corpus"),
        ({"a": {**DEV, "readers": ["ann.lee"]}}, "sets.a.readers[0]: is none of the roles of this file"),
        ({"a": {"role": "dev_freeze", "suite": "dev"}}, "sets.a.readers: is missing"),
        (
            {"a": {"role": "dev_freeze", "corpus": "spy", "readers": ["builders"], "attestation": "a.json"}},
            "sets.a.corpus: a dev freeze is a suite, not a corpus",
        ),
        (
            {"a": {**SEALED, "suite": "vault"}},
            (
                "sets.a.suite: a sealed freeze lies outside the repository;"
                " name its commitment, and not the place"
            ),
        ),
        (
            {"a": {**SEALED, "readers": ["builders"]}},
            "sets.a.readers: nobody reads a sealed freeze but one run a promotion",
        ),
        ({"a": {"role": "sealed_freeze"}}, "sets.a.commitment: is missing"),
        (
            {"a": {"role": "unit", "suite": "a", "attestation": "b"}},
            "sets.a.attestation: is for the dev freeze",
        ),
        ({"a": DEV, "b": {"role": "unit", "suite": "dev"}}, "sets.b: is what sets.a is already"),
        (
            {"a": SEALED, "b": {**SEALED, "commitment": "other.json"}},
            "sets.b.role: is a second sealed_freeze; a freezes file has one",
        ),
        ({"a": {"role": "unit", "suite": "../a"}}, None),
    ],
)
def test_a_set_has_the_fields_of_its_role(sets, fault) -> None:
    """What a role gives no meaning is refused, and so is what it lacks; paths stay in their folder."""
    expected = fault or "sets.a.suite: must be a relative path with forward slashes that stays in its folder"
    assert refused(sets=sets) == expected


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"roles": ["a", "a"]}, "roles: names the same role twice"),
        ({"roles": ["everyone"]}, "roles: everyone is no role: unit and public sets are for all"),
        ({"minimum_documents": "9"}, "minimum_documents: must be 10 or more"),
        ({"train_lists": ["a.jsonl", "a.jsonl"]}, "train_lists: names the same file twice"),
        (
            {"cards": [{"detector": "d", "corpora": []}, {"detector": "d", "corpora": []}]},
            "cards[1].detector: has a card already",
        ),
        ({"version": "pii_eval.freezes.v2"}, "version: must be 'pii_eval.freezes.v1'"),
        ({"secret": "x"}, "has an unknown field"),
    ],
)
def test_the_rest_of_the_file(changes, fault) -> None:
    """One fault, with its field, and never a value."""
    assert refused(**changes) == fault
