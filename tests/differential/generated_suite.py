"""A small suite of our own making: a bank, positive and negative rows; all ten tags; passes as it stands."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

Document = dict[str, Any]


class Suite(NamedTuple):
    """A decoded bank and decoded rows."""

    bank: Document
    positives: list[Document]
    negatives: list[Document]


_NOTES: Document = {"description": "", "status": "active", "metadata": {}}
_FIRST = ("Aurel", "Brünja", "Cataleya", "Dervla", "Érato", "Fenwick", "Gözde", "Иветта", "Ömer", "希美")
_LAST = ("Quillfeather", "Österwald", "Varen", "Zwirnbach", "Nakagawa", "Ďurčík", "Пешков")
_FIRMS = ("Blue Anvil Works", "Kestrel & Moor", "Ωmega Labs", "Nord\u00a0Wind AG")
_FRAMES: tuple[tuple[str, str, str], ...] = (
    ("boundary", "[", "]"),
    ("casing", "DEAR ", ", HELLO"),
    ("html", "<p title='x'>&nbsp;", "</p>"),
    ("malformed", "=?utf-8?q?=FC\n\tTo: ", "\x00\x01 \ufffd"),
    ("overlap", "both of them: ", "."),
    ("punctuation", "«", "»; and so on…"),
    ("signature", "Best,\n-- \n", "\n+0 (no phone)"),
    # A direction mark, Hebrew and a combining mark around the name.
    ("unicode", "\U0001f600 naïve e\u0301 ", " \u202b\u05d0\u05d1\u202c"),
    ("whitespace", "\t \u2003", "  \u00a0\n"),
)
_NEGATIVES = ("Order X{}Y shipped.", "id_{}_old", "the {}s of old", "signed {:.1}.")


def literal(value: str, **fields: Any) -> Document:
    """Return an active literal between word boundaries, without regard to case."""
    own = {"kind": "literal", "value": value, "priority": 100, "case_sensitive": False}
    sides = {"normalize_whitespace": True, "left_boundary": "word", "right_boundary": "word"}
    return {**_NOTES, **own, **sides, **fields}


def regex(value: str, *flags: str) -> Document:
    """Return an active expression."""
    return {**_NOTES, "kind": "regex", "value": value, "priority": 50, "regex_flags": list(flags)}


def name(canonical: str, **patterns: Document) -> Document:
    """Return an active name."""
    return {**_NOTES, "canonical": canonical, "patterns": patterns}


def entity(names: Document) -> Document:
    """Return an active entity."""
    return {**_NOTES, "regex_flags": [], "names": names}


def build(seed: int) -> Suite:
    """Return the suite of `seed`: 30 people by two patterns each, firms, a city inside names, formats."""
    rng = random.Random(seed)  # noqa: S311  # reproducible, not secret
    people = rng.sample([(first, last) for first in _FIRST for last in _LAST], 30)
    witnesses: list[tuple[str, str, str, str]] = []
    persons: Document = {}
    for number, (first, last) in enumerate(people):
        key, full, turned = f"p{number:02}", f"{first} {last}", f"{last}, {first}"
        persons[key] = name(full, full=literal(full), last_first=literal(turned))
        witnesses += [("person", key, "full", full), ("person", key, "last_first", turned)]
    firms = {
        f"f{number}": name(firm, plain=literal(firm, case_sensitive=True))
        for number, firm in enumerate(_FIRMS)
    }
    witnesses += [("firm", f"f{number}", "plain", firm) for number, firm in enumerate(_FIRMS)]
    cities = {"varen": name("Varen", plain=literal("Varen", case_sensitive=True, right_boundary="none"))}
    witnesses.append(("city", "varen", "plain", "Varen"))
    formats = {
        "ticket": name("ticket", plain=regex(r"TCK-\d{6}\b")),
        "mail": name("mail", plain=regex(r"[a-z.]+@[a-z]+\.example", "IGNORECASE")),
        "date": name("date", plain=regex(r"\b\d{4}-\d\d-\d\d\b", "ASCII")),
    }
    for key, string in (("ticket", "TCK-204981"), ("mail", "Q.ux@canary.example"), ("date", "1987-06-05")):
        witnesses.append(("format", key, "plain", string))
    entities = {"person": persons, "firm": firms, "city": cities, "format": formats}
    bank = _bank({key: entity(names) for key, names in entities.items()})
    return Suite(bank, _positives(bank, witnesses, rng), _negatives(people))


def _bank(entities: Document) -> Document:
    own = {"schema_version": "nerb.bank.v1", "id": "generated", "name": "Generated", "version": "1"}
    dates = {"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z"}
    rest = {"unicode_normalization": "none", "default_regex_flags": [], "entities": entities}
    return {**_NOTES, **own, **dates, **rest}


def occurrence(bank: Document, ids: tuple[str, str, str], string: str, start: int) -> Document:
    """Return the expected record of a pattern for `string` at byte `start`."""
    named = bank["entities"][ids[0]]["names"][ids[1]]
    return {
        "entity_id": ids[0],
        "name_id": ids[1],
        "pattern_id": ids[2],
        "pattern_kind": named["patterns"][ids[2]]["kind"],
        "canonical_name": named["canonical"],
        "string": string,
        "start": start,
        "end": start + len(string.encode()),
    }


def _positives(
    bank: Document, witnesses: list[tuple[str, str, str, str]], rng: random.Random
) -> list[Document]:
    rows = []
    for number, (*ids, string) in enumerate(witnesses * 3):
        tag, before, behind = _FRAMES[number % len(_FRAMES)]
        other = rng.choice([frame[0] for frame in _FRAMES])
        shown = string.upper() if tag == "casing" and ids[0] == "person" else string
        start = len(before.encode())
        expected = [occurrence(bank, tuple(ids), shown, start)]
        if "Varen" in shown and ids[0] == "person":  # a city inside the name of a person
            at = start + shown.encode().index(b"Varen")
            expected.append(occurrence(bank, ("city", "varen", "plain"), "Varen", at))
        rows.append(
            {
                "schema_version": "nerb.enron_conformance_positive_case.v2",
                "case_id": f"pos.{number:03}",
                "text": before + shown + behind,
                "tags": sorted({tag, other}),
                "expected": expected,
            }
        )
    return rows


def _negatives(people: list[tuple[str, str]]) -> list[Document]:
    texts = [
        frame.format(f"{first} {last}") for first, last in people for frame in _NEGATIVES if last != "Varen"
    ]
    return [
        {
            "schema_version": "nerb.enron_conformance_negative_case.v2",
            "case_id": f"neg.{number:03}",
            "text": text,
            "tags": ["boundary", "negative"],
            "reason_code": "substring_boundary",
        }
        for number, text in enumerate(texts)
    ]
