"""Writes a conformance suite of any size: a bank of invented people, positive cases, boundary negatives."""

from __future__ import annotations

import json
from itertools import count, cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.texts import people, seeded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_NOTES: dict[str, Any] = {"description": "", "status": "active", "metadata": {}}
_POSITIVE = "nerb.enron_conformance_positive_case.v2"
_NEGATIVE = "nerb.enron_conformance_negative_case.v2"
_MOST_IN_AN_ENTITY = 50_000  # The limit of nerb.
_FRAMES = (
    ("unicode", "Please ask ", " about the résumé draft before noon tomorrow, thanks."),
    ("html", "<b>", "</b> &amp; friends wrote back on the long thread about budgets."),
    ("signature", "Regards,\n", "\nNorthern Desk — 4th floor, building two"),
    ("malformed", "From: ", "\nTo: undisclosed\nSubject: =?utf-8?q?re"),
    ("punctuation", "(", "); and then, once more: nothing."),
    ("whitespace", "meeting   with  ", "\tin the afternoon"),
)
_TAGS = "boundary casing html malformed overlap punctuation signature unicode whitespace".split()  # noqa: SIM905  # shorter to read


class Witness(NamedTuple):
    """A pattern by its ids, and a string that it must find."""

    entity_id: str
    name_id: str
    pattern_id: str
    kind: str
    canonical: str
    string: str


def write_suite(folder: str, patterns: int, cases: int, negatives: int) -> dict[str, Any]:
    """Write `bank.json` and two case files; every pattern has a case where `cases` leaves enough for it.

    A person has three patterns (full name, last name first, address); one expression comes on top.
    """
    made = witnesses(patterns)
    _write(Path(folder, "bank.json"), [_bank(made)])
    _write(Path(folder, "conformance-positive.jsonl"), _positives(made, cases - negatives))
    _write(Path(folder, "conformance-negative.jsonl"), _negatives(made, negatives))
    return {}


def witnesses(number: int) -> list[Witness]:
    """Return that many patterns, each with a string that it must find."""
    made = (one for at, pair in enumerate(people(number // 3 + 1, seeded())) for one in _person(at, pair))
    ticket = Witness("code", "ticket", "ticket", "regex", "ticket code", "TCK-123456")
    return [*islice(made, number - 1), ticket]


def _person(at: int, pair: tuple[str, str]) -> tuple[Witness, ...]:
    first, last = pair
    key, full, mail = f"p{at:06}", f"{first} {last}", f"{first}.{last}@example.com".lower()
    entity = f"person{at * 2 // _MOST_IN_AN_ENTITY or ''}"
    contact = f"contact{at // _MOST_IN_AN_ENTITY or ''}"
    return (
        Witness(entity, key, "full", "literal", full, full),
        Witness(entity, key, "last_first", "literal", full, f"{last}, {first}"),
        Witness(contact, key, "mail", "literal", mail, mail),
    )


def _bank(patterns: Iterable[Witness]) -> dict[str, Any]:
    entities: dict[str, dict[str, Any]] = {}
    for one in patterns:
        entity = entities.setdefault(one.entity_id, {**_NOTES, "regex_flags": [], "names": {}})
        name = entity["names"].setdefault(one.name_id, {**_NOTES, "canonical": one.canonical, "patterns": {}})
        name["patterns"][one.pattern_id] = _literal(one.string) if one.kind == "literal" else _expression()
    own = {"schema_version": "nerb.bank.v1", "id": "generated", "name": "Generated", "version": "1"}
    dates = {"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z"}
    rest = {"unicode_normalization": "none", "default_regex_flags": [], "entities": entities}
    return {**_NOTES, **own, **dates, **rest}


def _literal(value: str) -> dict[str, Any]:
    own = {"kind": "literal", "value": value, "priority": 100, "case_sensitive": False}
    sides = {"normalize_whitespace": True, "left_boundary": "word", "right_boundary": "word"}
    return {**_NOTES, **own, **sides}


def _expression() -> dict[str, Any]:
    return {**_NOTES, "kind": "regex", "value": r"TCK-\d{6}", "priority": 10, "regex_flags": []}


def _positives(patterns: list[Witness], number: int) -> Iterator[dict[str, Any]]:
    for at, one in zip(range(number), cycle(patterns), strict=False):
        # Each turn through the patterns begins with another frame, and is numbered where there are no more,
        # so that no two cases of a pattern are the same.
        again, place = divmod(at, len(patterns))
        turn = place + again
        tag, before, behind = _FRAMES[turn % len(_FRAMES)]
        number_of_turn = f" {again // len(_FRAMES)}" if again >= len(_FRAMES) else ""
        start = len(before.encode())
        expected = {
            "entity_id": one.entity_id,
            "name_id": one.name_id,
            "pattern_id": one.pattern_id,
            "pattern_kind": one.kind,
            "canonical_name": one.canonical,
            "string": one.string,
            "start": start,
            "end": start + len(one.string.encode()),
        }
        yield {
            "schema_version": _POSITIVE,
            "case_id": f"pos_{at:07}",
            "text": f"{before}{one.string}{behind}{number_of_turn}",
            "tags": sorted({tag, _TAGS[turn % len(_TAGS)]}),
            "expected": [expected],
        }


def _negatives(patterns: list[Witness], number: int) -> Iterator[dict[str, Any]]:
    names = cycle([one.string for one in patterns if one.pattern_id == "full"])
    for at, name in zip(count(), islice(names, number), strict=False):
        yield {
            "schema_version": _NEGATIVE,
            "case_id": f"neg_{at:07}",
            "text": f"X{name}Y went home with order {at:08}.",
            "tags": ["boundary", "negative"],
            "reason_code": "substring_boundary",
        }


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as handle:
        handle.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
