"""Every field of a bank file: there, of its type, within its bounds, and nothing beside it."""

from __future__ import annotations

import copy

import pytest
from contract_values import bank, entity, literal, name, regex

from pytest_pii_eval.contracts.bank import DEFAULT_LIMITS, BankLimits, parse_bank
from pytest_pii_eval.contracts.faults import Fault

# Where each kind of object stands in the bank of `_full`, and how a fault names the place.
PLACES = {
    "bank": ((), ""),
    "entity": (("entities", "e"), "entities[0]"),
    "name": (("entities", "e", "names", "n"), "entities[0].names[0]"),
    "literal": (("entities", "e", "names", "n", "patterns", "p"), "entities[0].names[0].patterns[0]"),
    "regex": (("entities", "e", "names", "n", "patterns", "q"), "entities[0].names[0].patterns[1]"),
}
# spec/bank.md, "Shape", word for word.
FIELDS = {
    "bank": (
        "schema_version id name description version status created_at updated_at unicode_normalization"
        " default_regex_flags entities metadata"
    ),
    "entity": "description status regex_flags names metadata",
    "name": "canonical description status patterns metadata",
    "literal": (
        "value description status priority metadata case_sensitive normalize_whitespace left_boundary"
        " right_boundary"
    ),
    "regex": "value description status priority metadata regex_flags",
}
TEXTS = {"id", "name", "description", "version", "status", "created_at", "updated_at", "canonical", "value"}
CHOICES = {"schema_version", "status", "unicode_normalization", "left_boundary", "right_boundary"}
EVERY_FIELD = [(place, field) for place, fields in FIELDS.items() for field in fields.split()]
EVERY_PLACE = list(PLACES)


def _full():
    patterns = {"p": literal("a", eval_refs=["r"]), "q": regex("b", eval_refs=["r"])}
    names = {"n": name("N", patterns, eval_refs=["r"])}
    return bank({"e": entity(names, eval_refs=["r"])}, eval_refs=["r"])


def _object(document, place: str):
    for step in PLACES[place][0]:
        document = document[step]
    return document


def _changed(place: str, **fields: object):
    document = copy.deepcopy(_full())
    _object(document, place).update(fields)
    return document


def _fault(document: object) -> tuple[str | None, str]:
    with pytest.raises(Fault) as caught:
        parse_bank(document)
    return caught.value.field, caught.value.rule


def _at(place: str, field: str = "") -> str | None:
    return ".".join(part for part in (PLACES[place][1], field) if part) or None


def test_the_full_bank_is_taken() -> None:
    """The bank that the other tests change is valid as it stands."""
    assert len(parse_bank(_full()).patterns) == 2


@pytest.mark.parametrize(("place", "field"), EVERY_FIELD)
def test_no_field_may_be_missing(place, field) -> None:
    """A missing field is named."""
    document = _full()
    del _object(document, place)[field]
    assert _fault(document) == (_at(place, field), "is missing")


@pytest.mark.parametrize("place", EVERY_PLACE)
def test_references_may_be_missing(place) -> None:
    """Only `eval_refs` is optional."""
    document = _full()
    del _object(document, place)["eval_refs"]
    assert len(parse_bank(document).patterns) == 2


@pytest.mark.parametrize("place", EVERY_PLACE)
def test_no_field_beside_them(place) -> None:
    """An unknown field is a fault of its object."""
    assert _fault(_changed(place, colour="red")) == (_at(place), "has an unknown field")


@pytest.mark.parametrize(
    "field", ["case_sensitive", "normalize_whitespace", "left_boundary", "right_boundary"]
)
def test_expressions_have_no_fields_of_literals(field) -> None:
    """An expression that carries a field of literals is refused."""
    assert _fault(_changed("regex", **{field: True})) == (_at("regex"), "has an unknown field")


def test_literals_have_no_flags() -> None:
    """A literal that carries flags is refused, an empty list included."""
    assert _fault(_changed("literal", regex_flags=[])) == (_at("literal"), "has an unknown field")


@pytest.mark.parametrize("wrong", [None, 5, 1.0, True, ["a"], {"a": "b"}])
@pytest.mark.parametrize(("place", "field"), [pair for pair in EVERY_FIELD if pair[1] in TEXTS - CHOICES])
def test_text_fields_take_text_only(place, field, wrong) -> None:
    """Nothing is turned into text."""
    assert _fault(_changed(place, **{field: wrong})) == (_at(place, field), "must be a string")


@pytest.mark.parametrize("wrong", [None, "none ", "WORD", "Active", "nfc", 1, [], {}])
@pytest.mark.parametrize(("place", "field"), [pair for pair in EVERY_FIELD if pair[1] in CHOICES])
def test_choices_are_exact(place, field, wrong) -> None:
    """A choice is one of its words, in their own case."""
    assert _fault(_changed(place, **{field: wrong}))[0] == _at(place, field)


@pytest.mark.parametrize("wrong", [None, "1", 1.0, 1.5, True, [1]])
@pytest.mark.parametrize("place", ["literal", "regex"])
def test_priority_is_an_integer(place, wrong) -> None:
    """A float or a bool is no integer."""
    assert _fault(_changed(place, priority=wrong)) == (_at(place, "priority"), "must be an integer")


@pytest.mark.parametrize("priority", [-(10**30), -1, 0, 10**30])
def test_priority_is_any_integer(priority) -> None:
    """Priorities have no bounds."""
    assert parse_bank(_changed("literal", priority=priority)).patterns[0].priority == priority


@pytest.mark.parametrize("wrong", [None, 0, 1, "true", []])
@pytest.mark.parametrize("field", ["case_sensitive", "normalize_whitespace"])
def test_switches_are_booleans(field, wrong) -> None:
    """0, 1 and words are no booleans."""
    assert _fault(_changed("literal", **{field: wrong})) == (_at("literal", field), "must be true or false")


@pytest.mark.parametrize("wrong", [None, "x", 5, [], [["a", 1]]])
@pytest.mark.parametrize("place", EVERY_PLACE)
def test_metadata_is_an_object(place, wrong) -> None:
    """Metadata is an object, on whatever it stands."""
    assert _fault(_changed(place, metadata=wrong)) == (_at(place, "metadata"), "must be an object")


@pytest.mark.parametrize("place", EVERY_PLACE)
def test_metadata_is_free_inside(place) -> None:
    """Inside metadata any JSON goes."""
    tree = {"": [None, True, 1, 1.5, "x", {"entities": {"regex_flags": ["z"]}}]}
    assert len(parse_bank(_changed(place, metadata=tree)).patterns) == 2


@pytest.mark.parametrize(
    ("refs", "field", "rule"),
    [
        ("r", "eval_refs", "must be an array"),
        (None, "eval_refs", "must be an array"),
        (["r", ""], "eval_refs[1]", "must hold at least 1 characters"),
        ([1], "eval_refs[0]", "must be a string"),
    ],
)
@pytest.mark.parametrize("place", EVERY_PLACE)
def test_references_are_texts(place, refs, field, rule) -> None:
    """References are a list of non-empty texts."""
    assert _fault(_changed(place, eval_refs=refs)) == (_at(place, field), rule)


@pytest.mark.parametrize(
    ("place", "field"), [("bank", "default_regex_flags"), ("entity", "regex_flags"), ("regex", "regex_flags")]
)
def test_flags_are_the_five(place, field) -> None:
    """The five flags are taken, in any order and number; others, in other case too, are not."""
    five = ["VERBOSE", "DOTALL", "MULTILINE", "IGNORECASE", "ASCII", "ASCII"]
    assert parse_bank(_changed(place, **{field: five})).patterns[1].flags == set(five)
    for wrong in ("ascii", "UNICODE", "", 1, None):
        assert _fault(_changed(place, **{field: ["ASCII", wrong]}))[0] == _at(place, f"{field}[1]")
    for wrong in ("ASCII", None, {}):
        assert _fault(_changed(place, **{field: wrong})) == (_at(place, field), "must be an array")


@pytest.mark.parametrize("place", EVERY_PLACE)
def test_descriptions_hold_2000_characters(place) -> None:
    """2,000 characters (code points) are taken, one more is not."""
    parse_bank(_changed(place, description="\U0001f600" * 2_000))
    rule = "must hold at most 2,000 characters"
    assert _fault(_changed(place, description="x" * 2_001)) == (_at(place, "description"), rule)


@pytest.mark.parametrize("place", ["literal", "regex"])
def test_values_hold_1_to_10000_characters(place) -> None:
    """A value has 1 to 10,000 characters (code points)."""
    parse_bank(_changed(place, value="ä"))
    parse_bank(_changed(place, value="ä" * 10_000))
    at = _at(place, "value")
    assert _fault(_changed(place, value="x" * 10_001)) == (at, "must hold at most 10,000 characters")
    assert _fault(_changed(place, value="")) == (at, "must hold at least 1 characters")


@pytest.mark.parametrize(
    ("place", "field"), [("bank", "entities"), ("entity", "names"), ("name", "patterns")]
)
def test_no_level_is_empty(place, field) -> None:
    """A bank has an entity, an entity a name, a name a pattern."""
    assert _fault(_changed(place, **{field: {}})) == (_at(place, field), "must hold at least 1 entries")
    assert _fault(_changed(place, **{field: []})) == (_at(place, field), "must be an object")


@pytest.mark.parametrize(
    ("place", "field"), [("bank", "entities"), ("entity", "names"), ("name", "patterns")]
)
def test_ids_are_bank_ids(place, field) -> None:
    """Keys at each level are ids of 1 to 80 characters; hyphens are ours."""
    value = next(iter(_object(_full(), place)[field].values()))
    parse_bank(_changed(place, **{field: {"a-_9" + "x" * 76: value}}))
    for wrong in ("a" * 81, "A", "9", "", "a.b", "a\n"):
        assert _fault(_changed(place, **{field: {wrong: value}})) == (
            _at(place, f"{field}[0]"),
            "must match ^[a-z][a-z0-9_-]{0,79}$",
        )


def test_the_id_of_the_bank_is_one_too() -> None:
    """The bank's own id follows the same rule."""
    parse_bank(bank(id="x" * 80))
    assert _fault(bank(id="x" * 81)) == ("id", "must match ^[a-z][a-z0-9_-]{0,79}$")


@pytest.mark.parametrize("kind", ["Literal", "regexp", "", None, 1])
def test_kinds_are_two(kind) -> None:
    """A pattern is a literal or a regex."""
    assert _fault(_changed("literal", kind=kind))[0] == _at("literal")


def test_limits_are_those_of_the_documents() -> None:
    """The limits that hold unless told otherwise, in numbers."""
    assert DEFAULT_LIMITS == (268_435_456, 100_000, 500_000, 67_108_864, 1_048_576)


def _numbered(entities: int, patterns: int):
    """Return a bank with as many entities, each with as many patterns of three characters, all drafts."""
    group = entity(
        {"n": name("N", {f"p{number}": literal("äöü", status="draft") for number in range(patterns)})}
    )
    return bank({f"e{number}": group for number in range(entities)})


@pytest.mark.parametrize(
    ("limit", "rule"),
    [
        ({"entities": 4}, "holds 5 entities; the limit is 4"),
        ({"patterns": 9}, "holds 10 patterns; the limit is 9"),
        ({"pattern_characters": 29}, "holds 30 pattern characters; the limit is 29"),
    ],
)
def test_counts_have_limits(limit, rule) -> None:
    """Counts are over every status; the limit itself is allowed."""
    document = _numbered(entities=5, patterns=2)
    parse_bank(document, limits=BankLimits(**{key: value + 1 for key, value in limit.items()}))
    with pytest.raises(Fault) as caught:
        parse_bank(document, limits=BankLimits(**limit))
    assert str(caught.value) == rule


@pytest.mark.parametrize("place", EVERY_PLACE)
def test_metadata_has_a_limit(place) -> None:
    """Metadata counts as the bytes of its compact JSON: `{"k":"éé"}` has twelve."""
    document = _changed(place, metadata={"k": "éé"})
    parse_bank(document, limits=BankLimits(metadata_bytes=12))
    with pytest.raises(Fault) as caught:
        parse_bank(document, limits=BankLimits(metadata_bytes=11))
    assert str(caught.value) == "holds 12 bytes of metadata on one object; the limit is 11"


@pytest.mark.parametrize("depth", [5_000, 200_000])
def test_deep_metadata_is_a_fault(depth) -> None:
    """Nesting beyond all measure is refused, not followed."""
    tree: object = 1
    for _ in range(depth):
        tree = [tree]
    assert _fault(bank(metadata={"x": tree}))[1] == "is nested too deeply"
    while isinstance(tree, list):  # let go of it level by level
        tree = tree.pop()
