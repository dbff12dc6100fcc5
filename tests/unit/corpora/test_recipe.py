"""The recipe: which labels become which types, and what its fingerprint binds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from corpus_files import FakeAdapter, pin_of, recipe_of

from pytest_pii_eval.contracts.corpus_model import PinRow
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.taxonomy import default_taxonomy, parse_taxonomy
from pytest_pii_eval.corpora.recipe import make_recipe


def taxonomy(labels: dict[str, str], *types: str):
    """Return a taxonomy whose map gretel_finance is `labels`."""
    known = dict.fromkeys([*types, *labels.values()], "person")
    return parse_taxonomy({"version": "v1", "types": known, "label_maps": {"gretel_finance": labels}})


def recipe(labels: dict[str, str], *types: str):
    return make_recipe(pin_of(), FakeAdapter(), taxonomy(labels, *types))


def test_types_are_those_of_the_map() -> None:
    """Each is named once, in order, whether the corpus has it or not."""
    made = recipe({"z": "person", "a": "person", "b": "email"})
    assert (made.types, dict(made.labels)) == (
        ("email", "person"),
        {"z": "person", "a": "person", "b": "email"},
    )


def test_where_labels_are_types_the_corpus_decides() -> None:
    """Every type of the taxonomy may come, but for those that the pin leaves out."""
    made = make_recipe(
        pin_of(label_map="types", excluded_labels=["b"]), FakeAdapter(), taxonomy({"x": "a"}, "b", "c")
    )
    assert (made.types, dict(made.labels)) == (None, {"c": "c", "a": "a"})


@pytest.mark.parametrize("number", [0, 257])
def test_a_slice_has_a_number_of_types(number) -> None:
    """A map of no types or of more than a slice holds is refused by the field that names it."""
    with pytest.raises(Fault) as caught:
        recipe({f"l{one}": f"t{one}" for one in range(number)}, "one")
    assert str(caught.value) == (f"corpora.demo.label_map: gives {number} types; a slice holds from 1 to 256")


def test_256_types_are_enough() -> None:
    """The limit itself is within it."""
    assert len(recipe({f"l{one}": f"t{one}" for one in range(256)}).types) == 256


class _Other(FakeAdapter):
    def __init__(self, **changes: str) -> None:
        super().__init__()
        self.__dict__.update(changes)


@pytest.mark.parametrize("changes", [{"name": "other"}, {"version": "2"}, {"policy": "another sentence"}])
def test_the_fingerprint_binds_the_adapter(changes) -> None:
    """Another adapter, version or policy is another recipe, and another span policy."""
    before, after = recipe_of(), recipe_of(_Other(**changes))
    assert before.fingerprint != after.fingerprint
    assert before.span_policy != after.span_policy


def test_the_fingerprint_binds_pin_and_labels() -> None:
    """Another pin and another label map are other recipes; what else a taxonomy says is not."""
    assert recipe_of().fingerprint == recipe_of().fingerprint
    assert recipe_of().fingerprint != recipe_of(max_quarantined="2").fingerprint
    assert recipe_of().fingerprint == recipe_of(licence="MIT").fingerprint
    one = recipe({"a": "person", "b": "email"}).fingerprint
    assert one == recipe({"b": "email", "a": "person"}, "iban").fingerprint
    assert one != recipe({"a": "person", "b": "person"}, "email").fingerprint
    assert one != recipe({"a": "person", "c": "email"}).fingerprint


def test_the_built_in_maps_make_recipes() -> None:
    """Every label map of the built-in taxonomy gives types."""
    for name in default_taxonomy().label_maps:
        assert recipe_of(label_map=name, excluded_labels=None).types, name


_CHANGED = {
    "source": {"kind": "local", "path": "other.bin"},
    "bytes": "unverified",
    "sha256": "0" * 64,
    "adapter": "other",
    "options": {"a": "b"},
    "label_map": "common",
    "excluded_labels": None,
    "split_key": "document_id",
    "split_role": "train",
    "label_strength": "structured_weak",
    "annotation_completeness": "partial",
    "regions": ["subject"],
    "exclusions": ["quoted"],
    "max_quarantined": "2",
    "unsupported": [{"dimension": "head_tail", "reason_code": "unknown"}],
    "licence": "MIT",
    "redistribution": "no",
    "languages": ["pl"],
    "in_domain_for": ["gliner"],
    "catalog_bindings": "sidecar.jsonl",
    "notes": "other",
}


def test_the_page_says_which_fields_of_a_pin_are_bound() -> None:
    """The table of docs/corpora.md has every field of a pin once, on the side where changing it shows."""
    page = (Path(__file__).parents[3] / "docs/corpora.md").read_text("utf-8")
    (row,) = re.findall(r"^\| of the pin: its key, (.*) \| (.*) \|$", page, re.MULTILINE)
    bound, free = (re.findall(r"`(\w+)`", cell) for cell in row)
    assert sorted(bound + free) == sorted(name for name in PinRow.__annotations__ if name[0] != "_")
    assert sorted(_CHANGED) == sorted(bound + free)
    before = pin_of()
    seen = {name for name, one in _CHANGED.items() if pin_of(**{name: one}).fingerprint != before.fingerprint}
    assert seen == set(bound)
    assert pin_of("other").fingerprint != before.fingerprint
