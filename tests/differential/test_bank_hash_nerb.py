"""The fingerprint of a bank is the hash that nerb gives it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from generated_suite import build, entity, literal, name, regex
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.contracts.bank import load_bank, parse_bank
from pytest_pii_eval.contracts.strict_json import parse

hash_bank = pytest.importorskip("nerb.bank").hash_bank

ROOT = Path(__file__).parents[2]
FLAGS = st.lists(st.sampled_from(["ASCII", "IGNORECASE", "MULTILINE", "DOTALL", "VERBOSE"]), max_size=6)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NUMBERS = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False))
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS)
WORDS = st.lists(st.one_of(st.sampled_from(["VERBOSE", "ASCII", "b", "a"]), TEXTS), max_size=4)


def _objects(inner: st.SearchStrategy) -> st.SearchStrategy:
    """Return objects, some of whose keys are those that canonical banks reorder."""
    special = st.fixed_dictionaries({}, optional=dict.fromkeys(("regex_flags", "eval_refs"), WORDS))
    plain = st.dictionaries(TEXTS.map(lambda key: f"k{key}"), inner, max_size=3)
    return st.builds(lambda one, two: {**one, **two}, plain, special)


TREES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | _objects(inner), max_leaves=8)
METADATA = _objects(TREES)
REFERENCES = st.lists(TEXTS.filter(bool), max_size=4)


@st.composite
def _banks(draw):
    patterns = {
        "p": {**literal(draw(TEXTS.filter(bool))), "metadata": draw(METADATA), "eval_refs": draw(REFERENCES)},
        "q": {**regex("a", *draw(FLAGS)), "metadata": draw(METADATA)},
    }
    named = {**name(draw(TEXTS), **patterns), "metadata": draw(METADATA)}
    group = {**entity({"n": named}), "regex_flags": draw(FLAGS), "metadata": draw(METADATA)}
    bank = {**build_empty(), "entities": {"e": group}, "metadata": draw(METADATA)}
    return {**bank, "default_regex_flags": draw(FLAGS), "eval_refs": draw(REFERENCES)}


def build_empty():
    return {key: value for key, value in build(1).bank.items() if key != "entities"}


@settings(max_examples=80, deadline=None)
@given(_banks(), st.randoms(use_true_random=False))
def test_any_bank(bank, rng) -> None:
    """Whatever metadata, flags and references hold, and in whatever order keys stand, the hashes agree."""
    assert parse_bank(parse(json.dumps(_shuffled(bank, rng)).encode())).fingerprint == hash_bank(bank)


def _shuffled(value, rng):
    if isinstance(value, dict):
        keys = list(value)
        rng.shuffle(keys)
        return {key: _shuffled(value[key], rng) for key in keys}
    return [_shuffled(inner, rng) for inner in value] if isinstance(value, list) else value


def test_the_shipped_bank() -> None:
    """The bank under conformance/ has the hash that nerb gives it."""
    path = ROOT / "conformance/bank.json"
    assert load_bank(path).fingerprint == hash_bank(json.loads(path.read_text("utf-8")))


def test_a_generated_bank() -> None:
    """A bank of a hundred literals with names in many scripts has the hash that nerb gives it."""
    bank = build(3).bank
    assert parse_bank(bank).fingerprint == hash_bank(bank)
