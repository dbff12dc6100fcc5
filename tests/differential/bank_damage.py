"""Random ways to damage a bank, each a small change of its decoded document in place."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from generated_suite import Document, Suite, entity, literal, name, regex

if TYPE_CHECKING:
    import random

Ids = tuple[str, str, str]


def patterns_of(bank: Document) -> list[tuple[Ids, Document]]:
    """Return the ids and the object of every pattern."""
    return [
        ((entity_id, name_id, pattern_id), pattern)
        for entity_id, group in bank["entities"].items()
        for name_id, named in group["names"].items()
        for pattern_id, pattern in named["patterns"].items()
    ]


def _any(suite: Suite, rng: random.Random, kind: str | None = None) -> tuple[Ids, Document]:
    found = [pair for pair in patterns_of(suite.bank) if kind in (None, pair[1]["kind"])]
    return rng.choice(found)


def _names(suite: Suite, entity_id: str) -> Document:
    return suite.bank["entities"][entity_id]["names"]


def lengthen_value(suite: Suite, rng: random.Random) -> None:
    """Let a pattern ask for one more letter."""
    _any(suite, rng)[1]["value"] += rng.choice(["x", "ö", " ", "-", "s?"])


def shorten_value(suite: Suite, rng: random.Random) -> None:
    """Let a literal ask for less: it may take what others would."""
    pattern = _any(suite, rng, "literal")[1]
    pattern["value"] = pattern["value"][: rng.randint(1, 4)]


def swap_values(suite: Suite, rng: random.Random) -> None:
    """Let two literals of one entity trade values, so that each maps to the other's name."""
    ids, one = _any(suite, rng, "literal")
    others = [
        two for other, two in patterns_of(suite.bank) if other[0] == ids[0] and two["kind"] == "literal"
    ]
    two = rng.choice(others)
    one["value"], two["value"] = two["value"], one["value"]


def repeat_value(suite: Suite, rng: random.Random) -> None:
    """Give a literal the value of another name of its entity, before or behind it."""
    ids, one = _any(suite, rng, "literal")
    others = [
        two
        for other, two in patterns_of(suite.bank)
        if other[0] == ids[0] and other[1] != ids[1] and two["kind"] == "literal"
    ]
    if others:
        one.update(value=rng.choice(others)["value"], priority=rng.choice([1, 100, 900]))


def change_priority(suite: Suite, rng: random.Random) -> None:
    """Move a few patterns in the order of the pick."""
    for _ in range(5):
        _any(suite, rng)[1]["priority"] = rng.randint(0, 300)


def flip_switch(suite: Suite, rng: random.Random) -> None:
    """Turn case sensitivity or flexible white space of a few literals."""
    for _ in range(5):
        pattern = _any(suite, rng, "literal")[1]
        field = rng.choice(["case_sensitive", "normalize_whitespace"])
        pattern[field] = not pattern[field]


def flip_boundary(suite: Suite, rng: random.Random) -> None:
    """Open or close sides of a few literals: negatives may hit then."""
    for _ in range(5):
        pattern = _any(suite, rng, "literal")[1]
        pattern[rng.choice(["left_boundary", "right_boundary"])] = rng.choice(["none", "word"])


def open_all_sides(suite: Suite, rng: random.Random) -> None:
    """Take every boundary off one entity."""
    chosen = _any(suite, rng, "literal")[0][0]
    for ids, pattern in patterns_of(suite.bank):
        if ids[0] == chosen and pattern["kind"] == "literal":
            pattern.update(left_boundary="none", right_boundary="none")


def retire(suite: Suite, rng: random.Random) -> None:
    """Take a pattern, name or entity out of force: its witnesses name nothing active any more."""
    ids, pattern = _any(suite, rng)
    group = suite.bank["entities"][ids[0]]
    rng.choice([pattern, group["names"][ids[1]], group])["status"] = rng.choice(
        ["draft", "inactive", "deprecated"]
    )


def retire_with_witnesses(suite: Suite, rng: random.Random) -> None:
    """Take a pattern out of force and its cases with it."""
    ids, pattern = _any(suite, rng)
    pattern["status"] = "deprecated"
    keep = [row for row in suite.positives if all(_ids(one) != ids for one in row["expected"])]
    suite.positives[:] = keep


def add_draft(suite: Suite, rng: random.Random) -> None:
    """Add a draft that would shadow others: it must not."""
    ids, pattern = _any(suite, rng)
    _names(suite, ids[0])["newdraft"] = name("New", p={**pattern, "priority": 0, "status": "draft"})


def rename_with_cases(suite: Suite, rng: random.Random) -> None:
    """Give a name another id and canonical name, in the bank and in the cases."""
    ids, _ = _any(suite, rng)
    names = _names(suite, ids[0])
    names["renamed"] = {**names.pop(ids[1]), "canonical": "Zz renamed"}
    for one in _occurrences(suite):
        if _ids(one)[:2] == ids[:2]:
            one.update(name_id="renamed", canonical_name="Zz renamed")


def rename(suite: Suite, rng: random.Random) -> None:
    """Give a name another id, or another canonical name, in the bank alone."""
    ids, _ = _any(suite, rng)
    names = _names(suite, ids[0])
    if rng.random() < 0.5:
        names["renamed"] = names.pop(ids[1])
    else:
        names[ids[1]]["canonical"] += " "


def move_to_another_entity(suite: Suite, rng: random.Random) -> None:
    """Move a name under another entity, in the bank and in the cases."""
    ids, _ = _any(suite, rng)
    target = rng.choice(list(suite.bank["entities"]))
    names = _names(suite, ids[0])
    if target == ids[0] or len(names) == 1:
        return
    _names(suite, target)["moved"] = names.pop(ids[1])
    for one in _occurrences(suite):
        if _ids(one)[:2] == ids[:2]:
            one.update(entity_id=target, name_id="moved")


def shadow(suite: Suite, rng: random.Random) -> None:
    """Add a pattern before all others of an entity that takes a part, or all, of what one of them takes."""
    ids, pattern = _any(suite, rng)
    words = pattern["value"].split() if pattern["kind"] == "literal" else ["T", "TCK"]
    value = rng.choice([words[0], pattern["value"], words[0][:2]])
    body = literal(value, priority=0, right_boundary="none") if pattern["kind"] == "literal" else regex(value)
    _names(suite, ids[0])["shadow"] = name("Shadow", p={**body, "priority": 0})


def shadow_by_expression(suite: Suite, rng: random.Random) -> None:
    """Add an expression to an entity that matches wherever words stand."""
    ids, _ = _any(suite, rng)
    value = rng.choice([r"\w+", r"[^ ]{3}", r"\b\p{Lu}\w+", r"[a-z]+", r".\d", r"(?i)order|quill"])
    _names(suite, ids[0])["shadow"] = name("Shadow", p={**regex(value), "priority": rng.choice([0, 500])})


def overlap(suite: Suite, rng: random.Random) -> None:
    """Add another entity over the same text; its patterns have no witness."""
    ids, pattern = _any(suite, rng)
    extra = {"p": copy.deepcopy(pattern), "q": regex(rng.choice([r"\d+", r"\bw\w+", "X", "shipped"]))}
    suite.bank["entities"]["extra"] = entity({ids[1]: name("Extra", **extra)})


def ignore_case(suite: Suite, rng: random.Random) -> None:
    """Let the bank or an entity ignore case, literals included."""
    where: Any = rng.choice([suite.bank, *suite.bank["entities"].values()])
    field = "default_regex_flags" if where is suite.bank else "regex_flags"
    where[field] = rng.choice([["IGNORECASE"], ["IGNORECASE", "ASCII"], ["MULTILINE", "DOTALL"]])


def remove(suite: Suite, rng: random.Random) -> None:
    """Delete a pattern or a name that cases still expect."""
    ids, _ = _any(suite, rng)
    names = _names(suite, ids[0])
    if len(names[ids[1]]["patterns"]) > 1:
        del names[ids[1]]["patterns"][ids[2]]
    elif len(names) > 1:
        del names[ids[1]]


def break_contract(suite: Suite, rng: random.Random) -> None:
    """Break a rule of the format."""
    pattern = _any(suite, rng)[1]
    changes: list[Document] = [
        {"colour": "red"},
        {"kind": "glob"},
        {"value": ""},
        {"value": "x" * 10_001},
        {"priority": 1.5},
        {"status": "on"},
        {"description": "x" * 2_001},
        {"regex_flags": ["UNICODE"]},
    ]
    pattern.update(rng.choice(changes))


def break_expression(suite: Suite, rng: random.Random) -> None:
    """Write an expression that no engine takes, or that matches nothing at zero width."""
    ids, _ = _any(suite, rng)
    value = rng.choice(["(", "[z-a]", "a**{", r"\q", "a*", "x{5,2}", "(?P<1>a)", ""])
    _names(suite, ids[0])["broken"] = name("Broken", p=regex(value))


def _ids(one: Document) -> Ids:
    return one["entity_id"], one["name_id"], one["pattern_id"]


def _occurrences(suite: Suite) -> list[Document]:
    return [one for row in suite.positives for one in row["expected"]]


DAMAGES = (
    lengthen_value,
    shorten_value,
    swap_values,
    repeat_value,
    change_priority,
    flip_switch,
    flip_boundary,
    open_all_sides,
    retire,
    retire_with_witnesses,
    add_draft,
    rename_with_cases,
    rename,
    move_to_another_entity,
    shadow,
    shadow_by_expression,
    overlap,
    ignore_case,
    remove,
    break_contract,
    break_expression,
)
