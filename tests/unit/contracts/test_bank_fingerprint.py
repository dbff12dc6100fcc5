"""The fingerprint of a bank: what it sees and what it does not."""

from __future__ import annotations

import copy

import pytest
from contract_values import bank, entity, literal, name, regex

from pytest_pii_eval.contracts.bank import parse_bank


def _full():
    patterns = {"p": literal("a", eval_refs=["r", "s"]), "q": regex("b", regex_flags=["ASCII", "DOTALL"])}
    group = entity(
        {"n": name("N", patterns), "m": name("M", {"p": literal("c")})}, regex_flags=["MULTILINE", "VERBOSE"]
    )
    flags = ["ASCII", "IGNORECASE"]
    return bank(
        {"e": group, "f": copy.deepcopy(group)}, default_regex_flags=flags, metadata={"k": [1, {"a": 2.5}]}
    )


FULL = _full()
FINGERPRINT = parse_bank(FULL).fingerprint


def _fingerprint_after(change) -> str:
    document = copy.deepcopy(FULL)
    change(document)
    return parse_bank(document).fingerprint


def _reversed(value):
    if isinstance(value, dict):
        return {key: _reversed(value[key]) for key in reversed(value)}
    return [_reversed(inner) for inner in value] if isinstance(value, list) else value


def test_a_fingerprint_by_hand() -> None:
    """The fingerprint is what `sha256sum` says of the canonical JSON, written out here by hand."""
    document = bank({"e": entity({"n": name("N", {"p": literal("ä")})})})
    digest = "sha256:59b48dce0ad18d94000074b3b5b03956be6e1970ffc2a1f049e33d4185468a54"
    assert parse_bank(document).fingerprint == digest


def test_key_order_is_not_content() -> None:
    """Keys in reverse at every level give the same fingerprint."""
    assert (
        parse_bank(_reversed(FULL) | {"default_regex_flags": ["ASCII", "IGNORECASE"]}).fingerprint
        == FINGERPRINT
    )


def _e(document):
    return document["entities"]["e"]


def _q(document):
    return _e(document)["names"]["n"]["patterns"]["q"]


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document.update(default_regex_flags=["IGNORECASE", "ASCII"]),
        lambda document: document.update(default_regex_flags=["ASCII", "IGNORECASE", "ASCII"]),
        lambda document: _e(document).update(regex_flags=["VERBOSE", "MULTILINE"]),
        lambda document: _e(document).update(regex_flags=["VERBOSE", "VERBOSE", "MULTILINE"]),
        lambda document: _q(document).update(regex_flags=["DOTALL", "ASCII"]),
        lambda document: _q(document).update(regex_flags=["DOTALL", "ASCII", "DOTALL", "ASCII"]),
        lambda document: _e(document)["names"]["n"]["patterns"]["p"].update(eval_refs=["s", "r"]),
    ],
)
def test_order_and_repetition_of_flags_are_not_content(change) -> None:
    """Flags in any order, or said twice, and references in any order give the same fingerprint."""
    assert _fingerprint_after(change) == FINGERPRINT


def test_every_leaf_is_content() -> None:
    """A change of any one value of the bank changes the fingerprint, and no two changes collide."""
    seen = {FINGERPRINT}
    changes = 0
    for change in _changes():
        seen.add(_fingerprint_after(change))
        changes += 1
    assert len(seen) == changes + 1
    assert changes > 60


def _changes():
    """Yield a change of every leaf of the full bank that has a second valid value."""
    others = {
        "status": "draft",
        "unicode_normalization": "NFC",
        "left_boundary": "word",
        "right_boundary": "word",
        "case_sensitive": False,
        "normalize_whitespace": True,
        "priority": 101,
        "regex_flags": ["ASCII", "VERBOSE"],
        "default_regex_flags": [],
        "eval_refs": ["r"],
        "metadata": {"other": None},
    }
    for path, value in _leaves(FULL):
        field = path[-1]
        if field in {"schema_version", "kind"}:
            continue
        other = others.get(field, f"{value}-x")
        yield lambda document, path=path, other=other: _at(document, path[:-1]).update({path[-1]: other})


def _leaves(value, path=()):
    if isinstance(value, dict) and path[-1:] != ("metadata",):
        for key, inner in value.items():
            yield from _leaves(inner, (*path, key))
    else:
        yield path, value


def _at(document, path):
    for step in path:
        document = document[step]
    return document


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document["entities"].update(g=document["entities"].pop("f")),
        lambda document: _e(document)["names"].update(o=_e(document)["names"].pop("m")),
        lambda document: _e(document)["names"]["n"]["patterns"].pop("q"),
        lambda document: document.update(metadata={"k": [{"a": 2.5}, 1]}),
        lambda document: document.update(metadata={"k": [1.0, {"a": 2.5}]}),
        lambda document: document.update(metadata={"k": [True, {"a": 2.5}]}),
        lambda document: document.update(metadata={"k": [1, {"a": 2.5}], "l": None}),
        lambda document: document.update(eval_refs=[]),
    ],
)
def test_structure_is_content(change) -> None:
    """Ids, missing parts, the order of lists in metadata and the types of numbers are content."""
    assert _fingerprint_after(change) != FINGERPRINT


def test_unordered_flags_hide_nothing_in_metadata() -> None:
    """Words of a list called `regex_flags` inside metadata count, ordered flags or not."""
    for flags in (["ASCII", "DOTALL"], ["DOTALL", "ASCII"]):
        one, two = (
            parse_bank(bank(default_regex_flags=flags, metadata={"regex_flags": [word]}))
            for word in ("x", "y")
        )
        assert one.fingerprint != two.fingerprint


def test_mixed_lists_in_metadata_are_taken_as_they_are() -> None:
    """A list called `eval_refs` in metadata may hold what cannot be sorted."""
    one, two = (
        parse_bank(
            bank(default_regex_flags=["DOTALL", "ASCII"], metadata={"eval_refs": refs, "regex_flags": [[]]})
        )
        for refs in ([1, "a"], ["a", 1])
    )
    assert one.fingerprint != two.fingerprint
