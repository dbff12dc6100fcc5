"""Rows that break the contract of cases: offsets, spans, the bank's word, tags and ids."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from bad_input import OCCURRENCE, case, clean, collection_errors, line, spanned

from conftest import NAME, literal, name, regex

_CODE_POINTS = "; the span fits when counted in code points, but this contract counts bytes"
_UTF16 = "; the span fits when counted in UTF-16 units, but this contract counts bytes"
_NORMALIZATION = "; they differ in Unicode normalization only (NFC, NFD), but this contract compares bytes"
_TAGS = (
    "must be 'boundary', 'casing', 'html', 'malformed', 'negative', 'overlap', 'punctuation', 'signature',"
    " 'unicode' or 'whitespace'"
)
_ID = "must match ^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"
_NO_ENTITY = "expected[0].entity_id: names no entity of the bank with an active pattern"
_NO_NAME = "expected[0].name_id: names no name of this entity with an active pattern"
_NO_PATTERN = "expected[0].pattern_id: names no active pattern of this name"

# "Ren" + e + acute accent apart, then a space and "Zephyrine"; the bank says it composed.
_APART = unicodedata.normalize("NFD", "René")
_COMPOSED = "René"


def _off(name_id: str, pattern_id: str = "p", entity_id: str = "off") -> dict[str, Any]:
    """Return the ids of a pattern that `switched_off` puts into the bank."""
    return {"entity_id": entity_id, "name_id": name_id, "pattern_id": pattern_id}


def _accented(case_id: str, *, text: str, string: str, start: int, end: int) -> dict[str, Any]:
    ids = {"entity_id": "accent", "name_id": "rene", "pattern_id": "p", "pattern_kind": "regex"}
    occurrence = {**ids, "canonical_name": "Zephyrine", "string": string, "start": start, "end": end}
    return case(case_id, text=text, expected=[occurrence])


# The row by its case id, and what is said behind file and line.
POSITIVES: list[tuple[dict[str, Any], str]] = [
    # Offsets in another unit, or that no unit explains.
    (
        spanned("code-points", start=6, end=26),
        f"expected[0].string: disagrees with the text at bytes 6 to 26{_CODE_POINTS}",
    ),
    (spanned("utf16", start=7, end=27), f"expected[0].start: byte 7 splits a code point{_UTF16}"),
    (
        case("code-points-split", text=f"éé{NAME}é", expected=[{**OCCURRENCE, "start": 2, "end": 22}]),
        f"expected[0].string: disagrees with the text at bytes 2 to 22{_CODE_POINTS}",
    ),
    (
        case("code-points-split-start", text=f"é{NAME}", expected=[{**OCCURRENCE, "start": 1, "end": 21}]),
        f"expected[0].start: byte 1 splits a code point{_CODE_POINTS}",
    ),
    (
        case("utf16-even", text=f"😀{NAME}é😀", expected=[{**OCCURRENCE, "start": 2, "end": 22}]),
        f"expected[0].start: byte 2 splits a code point{_UTF16}",
    ),
    (
        case("utf16-whole", text=f"éé😀{NAME}", expected=[{**OCCURRENCE, "start": 4, "end": 24}]),
        f"expected[0].string: disagrees with the text at bytes 4 to 24{_UTF16}",
    ),
    (spanned("shifted", start=11, end=31), "expected[0].string: disagrees with the text at bytes 11 to 31"),
    (spanned("too-short", end=29), "expected[0].string: disagrees with the text at bytes 10 to 29"),
    (spanned("splits-start", start=7, end=30), "expected[0].start: byte 7 splits a code point"),
    (spanned("splits-end", start=0, end=2), "expected[0].end: byte 2 splits a code point"),
    (spanned("empty-span", start=10, end=10), "expected[0].end: must lie behind start (start 10, end 10)"),
    (
        spanned("empty-all", start=10, end=10, string=""),
        "expected[0].end: must lie behind start (start 10, end 10)",
    ),
    (spanned("backwards", start=30, end=10), "expected[0].end: must lie behind start (start 30, end 10)"),
    (spanned("negative-start", start=-5), "expected[0].start: must be at least 0"),
    (spanned("negative-both", start=-23, end=-3), "expected[0].start: must be at least 0"),
    (spanned("past-the-end", end=34), "expected[0].end: lies outside the text (end 34, text 33 bytes)"),
    (
        spanned("far-outside", start=900, end=920),
        "expected[0].end: lies outside the text (end 920, text 33 bytes)",
    ),
    (spanned("astronomic", end=10**40), "expected[0].end: must be at most 10485760"),
    (
        _accented("text-apart", text=f"{_APART} x", string=_COMPOSED, start=0, end=6),
        f"expected[0].string: disagrees with the text at bytes 0 to 6{_NORMALIZATION}",
    ),
    (
        _accented("text-composed", text=f"{_COMPOSED} x", string=_APART, start=0, end=5),
        f"expected[0].string: disagrees with the text at bytes 0 to 5{_NORMALIZATION}",
    ),
    (
        _accented("counted-composed", text=f"{_APART}, x", string=_COMPOSED, start=0, end=5),
        "expected[0].end: byte 5 splits a code point",
    ),
    # Types: nothing is coerced, nothing is evaluated.
    (spanned("bool-start", start=True), "expected[0].start: must be an integer"),
    (spanned("float-start", start=10.0), "expected[0].start: must be an integer"),
    (spanned("string-end", end="30"), "expected[0].end: must be an integer"),
    (
        spanned("null-end") | {"expected": [{**OCCURRENCE, "end": None}]},
        "expected[0].end: must be an integer",
    ),
    (case("text-number", text=7), "text: must be a string"),
    (case("text-list", text=[NAME]), "text: must be a string"),
    (case("text-empty", text="", expected=[OCCURRENCE]), "text: must hold at least 1 characters"),
    (
        case("text-large", text="Zephyrine " * 1_100_000),
        "text: holds more than the limit of 10,485,760 bytes of UTF-8",
    ),
    (case("tags-string", tags="unicode"), "tags: must be an array"),
    (case("tags-number", tags=[1]), f"tags[0]: {_TAGS}"),
    (case("tags-none", tags=[]), "tags: must hold at least 1 entries"),
    (case("expected-stringified", expected=str([OCCURRENCE])), "expected: must be an array"),
    (case("expected-object", expected=OCCURRENCE), "expected: must be an array"),
    (case("expected-strings", expected=[NAME]), "expected[0]: must be an object"),
    (case("expected-none", expected=[]), "expected: must hold at least 1 entries"),
    (case("expected-many", expected=[OCCURRENCE] * 10_001), "expected: must hold at most 10,000 entries"),
    (spanned("canonical-number", canonical_name=7), "expected[0].canonical_name: must be a string"),
    # Fields: all of them, and no other.
    (case("unknown-field", Quartzmore="Zephyrine"), "has an unknown field"),
    (case("reason-on-a-positive", reason_code="look_alike"), "has an unknown field"),
    (spanned("unknown-field-nested", Quartzmore="Zephyrine"), "expected[0]: has an unknown field"),
    (case("misspelt", expected=None, expcted=[OCCURRENCE]), "expected: is missing"),
    (spanned("misspelt-nested", end=None, stop=30), "expected[0].end: is missing"),
    (case("no-tags", tags=None), "tags: is missing"),
    (case("no-text", text=None), "text: is missing"),
    (
        case("other-kind", schema_version="nerb.enron_conformance_negative_case.v2"),
        "schema_version: must be 'nerb.enron_conformance_positive_case.v2'",
    ),
    (
        case("other-version", schema_version="nerb.enron_conformance_positive_case.v1"),
        "schema_version: must be 'nerb.enron_conformance_positive_case.v2'",
    ),
    (case("no-version", schema_version=None), "schema_version: is missing"),
    # The bank's word.
    (spanned("unknown-entity", entity_id="Quartzmore"), _NO_ENTITY),
    (spanned("unknown-name", name_id="zephyrine"), _NO_NAME),
    (spanned("unknown-pattern", pattern_id="zephyrine"), _NO_PATTERN),
    (spanned("name-of-another-entity", entity_id="email"), _NO_NAME),
    (spanned("inactive-entity", **_off("n")), _NO_ENTITY),
    (spanned("inactive-name", **_off("off", entity_id="person")), _NO_NAME),
    (spanned("draft-pattern", pattern_id="draft"), _NO_PATTERN),
    (spanned("deprecated-pattern", pattern_id="deprecated"), _NO_PATTERN),
    (spanned("inactive-pattern", pattern_id="inactive"), _NO_PATTERN),
    (
        spanned("other-pattern-kind", pattern_kind="regex"),
        "expected[0].pattern_kind: disagrees with the bank",
    ),
    (
        spanned("no-pattern-kind", pattern_kind="glob"),
        "expected[0].pattern_kind: must be 'literal' or 'regex'",
    ),
    (
        spanned("other-canonical", canonical_name="Zephyrine Quartzmor"),
        "expected[0].canonical_name: disagrees with the bank",
    ),
    (
        spanned("other-string", string=NAME.upper()),
        "expected[0].string: disagrees with the text at bytes 10 to 30",
    ),
    (case("same-occurrence", expected=[OCCURRENCE, OCCURRENCE]), "expected[1]: says the same as expected[0]"),
    # Tags and ids.
    (case("unknown-tag", tags=["unicode", "Zephyrine"]), f"tags[1]: {_TAGS}"),
    (case("tag-in-capitals", tags=["Unicode"]), f"tags[0]: {_TAGS}"),
    (case("same-tag", tags=["unicode", "unicode"]), "tags: holds the same tag twice"),
    (
        case("negative-tag", tags=["unicode", "negative"]),
        "tags: a positive case does not carry the tag negative",
    ),
    (case("Zephyrine Quartzmore"), f"case_id: {_ID}"),
    (case("../Zephyrine"), f"case_id: {_ID}"),
    (case("person::Zephyrine"), f"case_id: {_ID}"),
    (case("Zephyrine\n"), f"case_id: {_ID}"),
    (case("-Zephyrine"), f"case_id: {_ID}"),
    (case("é-Zephyrine"), f"case_id: {_ID}"),
    (case(""), f"case_id: {_ID}"),
    (case("Zephyrine" * 15), f"case_id: {_ID}"),
]
NEGATIVES: list[tuple[dict[str, Any], str]] = [
    (clean("text-empty-negative", text=""), "text: must hold at least 1 characters"),
    (clean("expected-on-a-negative", expected=[OCCURRENCE]), "has an unknown field"),
    (clean("no-reason", reason_code=None), "reason_code: is missing"),
    (
        clean("other-kind-negative", schema_version="nerb.enron_conformance_positive_case.v2"),
        "schema_version: must be 'nerb.enron_conformance_negative_case.v2'",
    ),
    (clean("no-negative-tag", tags=["boundary"]), "tags: a negative case carries the tag negative"),
    (clean("bad-reason", reason_code="looks like Zephyrine"), f"reason_code: {_ID}"),
]


def switched_off(bank: dict[str, Any]) -> None:
    """Put patterns into `bank` that are switched off at each level, and one with an accent that is on."""
    off = literal(NAME)
    person = bank["entities"]["person"]
    person["names"]["off"] = {**name(NAME, p=off), "status": "inactive"}
    patterns = person["names"]["zephyrine-quartzmore"]["patterns"]
    patterns |= {status: {**off, "status": status} for status in ("draft", "deprecated", "inactive")}
    entity = {"description": "", "status": "draft", "regex_flags": [], "metadata": {}}
    bank["entities"]["off"] = {**entity, "names": {"n": name(NAME, p=off)}}
    accent = name("Zephyrine", p=regex("Rene\u0301?|René"))
    bank["entities"]["accent"] = {**entity, "status": "active", "names": {"rene": accent}}


def test_every_fault_is_one_line(suite, processes):
    """File, line, field and rule of each, word for word, behind a sound row; exit 2, no report, no text."""
    switched_off(suite.bank)
    suite.write()
    expected = {}
    for kind, sound, faults in (("positive", case, POSITIVES), ("negative", clean, NEGATIVES)):
        for number, (row, rule) in enumerate(faults):
            file = f"conformance-{kind}-{number:03}.jsonl"
            (suite.path / file).write_bytes(line(sound(f"sound.{kind}.{number}")) + line(row))
            expected[file] = [f"{file}:2: {rule}"]
    result = suite.run(*processes)
    assert collection_errors(result) == expected
    assert result.ret == 2
    assert not (suite.path / ".pii_eval").exists()
    output = (result.stdout.str() + result.stderr.str()).casefold()
    assert "zephyrine" not in output
    assert "quartzmore" not in output


def test_patterns_of_a_bank_that_is_switched_off_are_unknown(suite):
    """A bank that is not active has no active pattern for a case to expect."""
    suite.bank["status"] = "draft"
    result = suite.write().run()
    rule = f"conformance-positive.jsonl:1: {_NO_ENTITY}"
    assert collection_errors(result) == {"conformance-positive.jsonl": [rule]}
    assert result.ret == 2


@pytest.mark.parametrize("rows", [3, 300])
def test_a_file_that_is_collected_twice_is_refused(suite, rows):
    """Its cases would count twice, whatever their number; pytest alone leaves out what is named twice."""
    name = "conformance-negative-more.jsonl"
    suite.write().write_rows(name, [clean(f"more.{number}") for number in range(rows)])
    assert suite.run(name, name).parseoutcomes()["passed"] == rows
    result = suite.run("--keep-duplicates", name, name)
    assert collection_errors(result) == {name: [f"{name}:1: case_id: repeats the id of {name}:1"]}


def test_repeated_ids_name_both_places(suite, processes):
    """An id is one case's, within a file, across files and folders, and across kinds."""
    suite.write()
    (suite.path / "folder").mkdir()
    rows = {
        "conformance-negative-a.jsonl": [clean("a"), clean("b"), clean("a")],
        "conformance-negative-b.jsonl": [clean("c"), clean("b")],
        "conformance-positive-c.jsonl": [case("c")],
        "folder/conformance-positive.jsonl": [case("d"), case("person.00")],
    }
    for file, some in rows.items():
        suite.write_rows(file, some)
    result = suite.run(*processes)
    assert collection_errors(result) == {
        file: [f"{file}:{rule}"]
        for file, rule in {
            "conformance-negative-a.jsonl": "3: case_id: repeats the id of conformance-negative-a.jsonl:1",
            "conformance-negative-b.jsonl": "2: case_id: repeats the id of conformance-negative-a.jsonl:2",
            "conformance-positive-c.jsonl": "1: case_id: repeats the id of conformance-negative-b.jsonl:1",
            "folder/conformance-positive.jsonl": "2: case_id: repeats the id of conformance-positive.jsonl:1",
        }.items()
    }
    assert result.ret == 2
