"""The taxonomy: the built-in one covers what we ship and use, a file of one's own is closed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from quality_rows import plan_of, scope_row, slice_row

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.taxonomy import default_taxonomy, parse_taxonomy, read_taxonomy

ROOT = Path(__file__).parents[3]
CORPORA = ROOT / "../shared/corpora"
SMALL: dict[str, Any] = {
    "version": "v1",
    "types": {"person": "person", "email": "contact", "key": "secret"},
    "label_maps": {"theirs": {"PER": "person", "E-Mail Address": "email"}},
}


def refusal(document: object) -> str:
    with pytest.raises(Fault) as caught:
        parse_taxonomy(document)
    return str(caught.value)


def test_every_entity_of_the_shipped_bank_is_a_type() -> None:
    """Gold of the shipped bank's own classes always has a class of severity."""
    entities = json.loads((ROOT / "conformance/bank.json").read_bytes())["entities"]
    assert set(entities) <= set(default_taxonomy().types)


@pytest.mark.parametrize("corpus", ["presidio_templates_faker", "pl_pii_bench"])
def test_every_label_of_the_corpora_is_a_type_and_is_mapped(corpus: str) -> None:
    """Gold may keep a corpus' labels, or be mapped to the types of the shipped bank."""
    if not CORPORA.exists():
        pytest.skip("the shared folder is not here")
    lines = (CORPORA / f"{corpus}.jsonl").read_bytes().splitlines()
    labels = {label for line in lines for _, _, label in json.loads(line)["spans"]}
    label_map = default_taxonomy().label_maps["pl_pii_bench" if corpus == "pl_pii_bench" else "presidio"]
    assert labels <= set(label_map)
    assert labels <= set(default_taxonomy().types)


def test_high_severity_is_secrets_government_ids_and_payment() -> None:
    """The classes of spec/evaluation.md, over types of the bank and labels alike; unknown types are none."""
    types = {"secret", "passport", "iban", "email", "person", "US_SSN", "CREDIT_CARD", "GPE", "unheard_of"}
    assert default_taxonomy().high_severity(types) == {"secret", "passport", "iban", "US_SSN", "CREDIT_CARD"}


def test_one_label_has_one_class_in_all_maps() -> None:
    """PERSON is a person wherever it comes from, so a label that is a type has no two classes."""
    taxonomy = default_taxonomy()
    for label_map in taxonomy.label_maps.values():
        for label, type_ in label_map.items():
            assert taxonomy.types.get(label, taxonomy.types[type_]) == taxonomy.types[type_]
            assert (label in taxonomy.types) == (" " not in label)


def test_a_taxonomy_of_ones_own_is_read() -> None:
    """High severity defaults to the three classes, also where no type has them."""
    taxonomy = parse_taxonomy(SMALL)
    assert taxonomy.version == "v1"
    assert taxonomy.high_severity_classes == {"secret", "gov_id", "payment"}
    assert taxonomy.high_severity({"person", "key"}) == {"key"}
    assert taxonomy.label_maps["theirs"]["E-Mail Address"] == "email"
    assert parse_taxonomy({**SMALL, "high_severity": ["person"]}).high_severity({"person", "key"}) == {
        "person"
    }
    assert parse_taxonomy({**SMALL, "high_severity": []}).high_severity({"person", "key"}) == set()


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"types": {}}, "types: must hold at least 1 entries"),
        ({"types": {"per son": "person"}}, "types[0]: must match"),
        ({"types": {"person": "a b"}}, "types[0]: must match"),
        ({"version": 1}, "version: must be a string"),
        ({"surprise": "x"}, "has an unknown field"),
        ({"high_severity": ["secrets"]}, "high_severity[0]: is the class of no type"),
        ({"high_severity": ["secret", "secret"]}, "high_severity: names the same class twice"),
        (
            {"label_maps": {"theirs": {"PER": "person", "Ada Moe": "human"}}},
            "label_maps[0][1]: maps to a type that the taxonomy does not know",
        ),
        ({"label_maps": {"theirs": {"PER": "person", "Ada Moe": "a b"}}}, "label_maps[0][1]: must match"),
        ({"label_maps": {"theirs": {"": "person"}}}, "label_maps[0][0]: must hold at least 1 characters"),
        ({"label_maps": {"the irs": {}}}, "label_maps[0]: must match"),
    ],
)
def test_a_bad_taxonomy_is_refused_without_its_words(changes: dict[str, object], fault: str) -> None:
    """Place and rule are told; labels and types of the file are not."""
    assert refusal({**SMALL, **changes}).startswith(fault)
    assert "Ada" not in refusal({**SMALL, **changes})


def test_the_fingerprint_binds_content_and_no_order() -> None:
    """Turned keys are the same taxonomy; another class, label or severity is not."""
    first = parse_taxonomy(SMALL).fingerprint
    turned = {name: SMALL[name] for name in reversed(SMALL)}
    turned["types"] = dict(reversed(SMALL["types"].items()))
    assert parse_taxonomy(turned).fingerprint == first
    others = (
        {"version": "v2"},
        {"types": {**SMALL["types"], "key": "payment"}},
        {"high_severity": ["secret"]},
        {"label_maps": {}},
    )
    assert first not in {parse_taxonomy({**SMALL, **other}).fingerprint for other in others}


def test_yaml_and_json_say_the_same(tmp_path: Path) -> None:
    """The format of a file is no part of its meaning; faults carry its name."""
    (tmp_path / "t.json").write_text(json.dumps(SMALL))
    (tmp_path / "t.yaml").write_text(
        "version: v1\ntypes: {person: person, email: contact, key: secret}\n"
        "label_maps:\n  theirs:\n    PER: person\n    E-Mail Address: email\n"
    )
    assert read_taxonomy(tmp_path / "t.yaml") == read_taxonomy(tmp_path / "t.json") == parse_taxonomy(SMALL)
    (tmp_path / "t.yaml").write_text("version: v1\n")
    with pytest.raises(Fault, match=r"^t\.yaml: types: is missing$"):
        read_taxonomy(tmp_path / "t.yaml")


def test_a_slice_of_an_unknown_class_is_refused() -> None:
    """The slice is named, the class is not."""
    taxonomy = parse_taxonomy(SMALL)
    taxonomy.check(plan_of(scope_row(), slice_row()))
    strange = slice_row("odd", entity_class="Ada", annotation_scope__entity_classes=["Ada"])
    with pytest.raises(Fault) as caught:
        taxonomy.check(plan_of(slice_row(), strange))
    assert str(caught.value) == (
        "annotation_scope.entity_classes: slice odd names 1 of its 1 classes that the taxonomy does not know;"
        " add them to its types"
    )
