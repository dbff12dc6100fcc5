"""Places in faults of a model: field names and ordinals, never ids, keys or values of the input."""

from __future__ import annotations

import json

import pytest
from contract_values import bank, entity, literal, name, regex

from pytest_pii_eval.contracts.bank import parse_bank
from pytest_pii_eval.contracts.faults import Fault

CANARY = "zephyrine"


def _two_names(second: object):
    first = name("A", {"p": literal("a")})
    return bank(
        {"code": entity({"t": name("T", {"p": regex("t")})}), "person": entity({"a": first, CANARY: second})}
    )


def _fault(document: object) -> Fault:
    with pytest.raises(Fault) as caught:
        parse_bank(document)
    return caught.value


@pytest.mark.parametrize(
    ("second", "field", "rule"),
    [
        (CANARY, "entities[1].names[1]", "must be an object"),
        (name(CANARY, {}), "entities[1].names[1].patterns", "must hold at least 1 entries"),
        (
            name(CANARY, {"p": literal("a"), CANARY: literal(5)}),  # type: ignore[arg-type]
            "entities[1].names[1].patterns[1].value",
            "must be a string",
        ),
        (
            name(CANARY, {CANARY: regex("a", regex_flags=["ASCII", CANARY])}),
            "entities[1].names[1].patterns[0].regex_flags[1]",
            "must be 'ASCII', 'IGNORECASE', 'MULTILINE', 'DOTALL' or 'VERBOSE'",
        ),
        (
            name(CANARY, {CANARY: {**literal("a"), CANARY: 1}}),
            "entities[1].names[1].patterns[0]",
            "has an unknown field",
        ),
        (
            name(CANARY, {CANARY: {**literal("a"), "kind": CANARY}}),
            "entities[1].names[1].patterns[0]",
            "has an unknown kind",
        ),
        (name(CANARY, {CANARY: {}}), "entities[1].names[1].patterns[0]", "needs a kind"),
        (name(CANARY, {"p": literal("a")}, **{CANARY: 1}), "entities[1].names[1]", "has an unknown field"),
        (
            name(CANARY, {f"{CANARY} x": literal("a")}),
            "entities[1].names[1].patterns[0]",
            "must match ^[a-z][a-z0-9_-]{0,79}$",
        ),
        (
            name(CANARY, {"p": literal("a", metadata=[CANARY])}),
            "entities[1].names[1].patterns[0].metadata",
            "must be an object",
        ),
        (
            name(CANARY, {"literal": literal("a", priority="1"), "regex": regex("b")}),
            "entities[1].names[1].patterns[0].priority",
            "must be an integer",
        ),
    ],
)
def test_ids_on_the_way_are_ordinals(second, field, rule) -> None:
    """A place counts entities, names and patterns from 0 in the order of the file."""
    fault = _fault(_two_names(second))
    assert (fault.field, fault.rule) == (field, rule)
    assert CANARY not in str(fault)


def test_ids_that_are_words_of_the_format_stay_ordinals() -> None:
    """Ids may be called like fields and kinds; none of them reaches the place."""
    patterns = {"patterns": {**literal("a"), "priority": True}}
    document = bank(
        {"names": entity({"entities": name("A", {"p": literal("a")}), "literal": name("B", patterns)})}
    )
    assert _fault(document).field == "entities[0].names[1].patterns[0].priority"


def test_an_unknown_field_at_the_top_has_no_place() -> None:
    """Its name is input, so only the rule is said."""
    assert str(_fault(bank(**{CANARY: 1}))) == "has an unknown field"


def test_keys_in_metadata_are_content() -> None:
    """A fault inside metadata ends its place there."""
    deep: object = CANARY
    for _ in range(300):
        deep = {CANARY: deep}
    fault = _fault(bank(metadata={CANARY: deep}))
    assert fault.field == "metadata"
    assert CANARY not in str(fault)


@pytest.mark.parametrize("document", [None, [], "bank", 5, True])
def test_what_is_no_object_is_no_bank(document) -> None:
    """A bank is an object; anything else says so without a place."""
    assert str(_fault(document)) == "must be an object"


def test_no_value_is_ever_in_the_text() -> None:
    """Whichever one value of a bank is replaced by a canary, the fault does not show it."""
    clean = bank(eval_refs=["r"])
    for path in _leaves(clean):
        document = json.loads(json.dumps(clean))
        here = document
        for step in path[:-1]:
            here = here[step]
        for wrong in (CANARY, [CANARY], {CANARY: CANARY}):
            here[path[-1]] = wrong
            try:
                parse_bank(document)
            except Fault as fault:
                assert CANARY not in str(fault), path  # noqa: PT017  # some replacements are valid banks


def _leaves(value: object, path: tuple = ()):
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _leaves(inner, (*path, index))
