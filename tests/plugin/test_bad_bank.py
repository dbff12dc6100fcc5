"""Broken banks: one line that says file, place and rule, once, however many case files there are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from bad_input import collection_errors

from conftest import NAME_ID, small_bank
from pytest_pii_eval.contracts.bank import DEFAULT_LIMITS, BankLimits, load_bank
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.detectors.bank_detector import BankDetector

if TYPE_CHECKING:
    from collections.abc import Callable

_LITERAL = "entities[1].names[0].patterns[0]"
_REGEX = "entities[0].names[0].patterns[0]"
_STATUS = "must be 'draft', 'active', 'inactive' or 'deprecated'"
_FLAGS = "must be 'ASCII', 'IGNORECASE', 'MULTILINE', 'DOTALL' or 'VERBOSE'"
_ID = "must match ^[a-z][a-z0-9_-]{0,79}$"
_EMPTY = "the expression can match the empty string"
# Levels of a bank, as the way there and as a fault names them.
_LEVELS: dict[str, tuple[str, ...]] = {
    "": (),
    "entities[1]": ("entities", "person"),
    "entities[1].names[0]": ("entities", "person", "names", NAME_ID),
    _LITERAL: ("entities", "person", "names", NAME_ID, "patterns", "full-name"),
    _REGEX: ("entities", "email", "names", "address", "patterns", "plain"),
}


def _changed(level: str, **fields: Any) -> dict[str, Any]:
    """Return the small bank with `fields` put in at a level; those set to None are left out."""
    bank = small_bank()
    here = bank
    for key in _LEVELS[level]:
        here = here[key]
    here.update(fields)
    for key, value in fields.items():
        if value is None:
            del here[key]
    return bank


def _keyed(level: str, key: str) -> dict[str, Any]:
    """Return the small bank with the first entry of a level named `key`."""
    bank = small_bank()
    here = bank
    for step in _LEVELS[level]:
        here = here[step]
    first = next(iter(here[key]))
    here[key] = {"Zephyrine Q": here[key][first]}
    return bank


def _said(
    document: Any, tmp_path: Any, *, limits: BankLimits = DEFAULT_LIMITS, engine: Any = "embedded"
) -> str:
    path = tmp_path / "bank.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(Fault) as caught:
        BankDetector(load_bank(path, limits=limits), engine=engine)
    assert "phyrine" not in str(caught.value)
    assert "uartzmore" not in str(caught.value)
    return ": ".join(part for part in (caught.value.field, caught.value.rule) if part)


@pytest.mark.parametrize("level", _LEVELS)
def test_every_level_is_closed(level, tmp_path):
    """An unknown field, a status that is none, or none at all is refused at each level, its place said."""
    place = f"{level}." if level else ""
    unknown = f"{level}: has an unknown field" if level else "has an unknown field"
    assert _said(_changed(level, Quartzmore="Zephyrine"), tmp_path) == unknown
    assert _said(_changed(level, status="Zephyrine"), tmp_path) == f"{place}status: {_STATUS}"
    assert _said(_changed(level, status=None), tmp_path) == f"{place}status: is missing"
    assert _said(_changed(level, metadata=["Zephyrine"]), tmp_path) == f"{place}metadata: must be an object"
    assert _said(_changed(level, description="Zephyrine " * 201), tmp_path) == (
        f"{place}description: must hold at most 2,000 characters"
    )


FAULTS: dict[str, tuple[Callable[[], Any], str]] = {
    "array": (lambda: [small_bank()], "must be an object"),
    "other-version": (
        lambda: _changed("", schema_version="Zephyrine.v2"),
        "schema_version: must be 'nerb.bank.v1'",
    ),
    "other-normalization": (
        lambda: _changed("", unicode_normalization="NFD"),
        "unicode_normalization: must be 'none', 'NFC' or 'NFKC'",
    ),
    "no-entities": (lambda: _changed("", entities={}), "entities: must hold at least 1 entries"),
    "no-names": (
        lambda: _changed("entities[1]", names={}),
        "entities[1].names: must hold at least 1 entries",
    ),
    "no-patterns": (
        lambda: _changed("entities[1].names[0]", patterns={}),
        "entities[1].names[0].patterns: must hold at least 1 entries",
    ),
    "bank-id": (lambda: _changed("", id="Zephyrine"), f"id: {_ID}"),
    "entity-id": (lambda: _keyed("", "entities"), f"entities[0]: {_ID}"),
    "name-id": (lambda: _keyed("entities[1]", "names"), f"entities[1].names[0]: {_ID}"),
    "pattern-id": (lambda: _keyed("entities[1].names[0]", "patterns"), f"{_LITERAL}: {_ID}"),
    "no-kind": (lambda: _changed(_LITERAL, kind=None), f"{_LITERAL}: needs a kind"),
    "other-kind": (lambda: _changed(_LITERAL, kind="Zephyrine"), f"{_LITERAL}: has an unknown kind"),
    "flags-on-a-literal": (lambda: _changed(_LITERAL, regex_flags=[]), f"{_LITERAL}: has an unknown field"),
    "boundary-on-a-regex": (
        lambda: _changed(_REGEX, left_boundary="word"),
        f"{_REGEX}: has an unknown field",
    ),
    "literal-called-regex": (lambda: _changed(_LITERAL, kind="regex"), f"{_LITERAL}.regex_flags: is missing"),
    "regex-called-literal": (
        lambda: _changed(_REGEX, kind="literal"),
        f"{_REGEX}.case_sensitive: is missing",
    ),
    "other-boundary": (
        lambda: _changed(_LITERAL, left_boundary="Zephyrine"),
        f"{_LITERAL}.left_boundary: must be 'none' or 'word'",
    ),
    "bad-flag": (lambda: _changed(_REGEX, regex_flags=["Zephyrine"]), f"{_REGEX}.regex_flags[0]: {_FLAGS}"),
    "flag-of-python": (
        lambda: _changed(_REGEX, regex_flags=["ASCII", "UNICODE"]),
        f"{_REGEX}.regex_flags[1]: {_FLAGS}",
    ),
    "bad-default-flag": (
        lambda: _changed("", default_regex_flags=["i"]),
        f"default_regex_flags[0]: {_FLAGS}",
    ),
    "bad-flag-of-entity": (
        lambda: _changed("entities[1]", regex_flags=[1]),
        f"entities[1].regex_flags[0]: {_FLAGS}",
    ),
    "priority-bool": (lambda: _changed(_LITERAL, priority=True), f"{_LITERAL}.priority: must be an integer"),
    "priority-float": (lambda: _changed(_LITERAL, priority=1.0), f"{_LITERAL}.priority: must be an integer"),
    "case-as-word": (
        lambda: _changed(_LITERAL, case_sensitive="no"),
        f"{_LITERAL}.case_sensitive: must be true or false",
    ),
    "value-empty": (
        lambda: _changed(_LITERAL, value=""),
        f"{_LITERAL}.value: must hold at least 1 characters",
    ),
    "value-long": (
        lambda: _changed(_REGEX, value="Zephyrine" * 2_000),
        f"{_REGEX}.value: must hold at most 10,000 characters",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_said(fault, tmp_path):
    """Place and rule of each, word for word; an id or a key on the way is an ordinal from 0."""
    change, said = FAULTS[fault]
    assert _said(change(), tmp_path) == said


EXPRESSIONS: dict[str, str] = {
    "(Zephyrine": "a group without its closing parenthesis",
    "Zephyrine)": "a closing parenthesis without its opening one",
    "[Zephyrine": "the expression ends too early",
    "Zephyrine\\": "the expression ends too early",
    "[z-a]": "a range in a class that ends before it starts",
    "*Zephyrine": "a repetition of nothing",
    "Zephyrine{3,2}": "a counted repetition whose most is less than its least",
    "(?P<a>Z)(?P<a>Q)": "two groups of the same name",
    "\\1(Zephyrine)": "a reference to a group that is not complete before it",
    "\\p{Zephyrine}": "a Unicode property that is not known",
    "(?Z)ephyrine": "a group whose flags or kind are not known",
    "\\Yephyrine": "an escape that is not known",
    "\\QZephyrine\\E": "an escape that is not known",
    "\\x{110000}": "a hexadecimal escape that is no Unicode scalar value",
    "(?#Zephyrine)x": "a group whose flags or kind are not known",
    "(" * 101 + "Zephyrine" + ")" * 101: "more than 100 levels of nesting",
    "(Zephyrine){1000}{1000}{1000}": "its counted repetitions write out to more than 350,000 steps",
    "x*": _EMPTY,
    "Zephyrine|": _EMPTY,
    "\\b": _EMPTY,
    "(?=Zephyrine)": _EMPTY,
    "(?:Zephyrine)?": _EMPTY,
}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_every_bad_expression_is_said(expression, tmp_path):
    """What is wrong with an expression is said without it, and where it stands in the file."""
    said = f"{_REGEX}.value: {EXPRESSIONS[expression]}"
    assert _said(_changed(_REGEX, value=expression), tmp_path) == said


def test_places_count_in_the_order_of_the_file(tmp_path):
    """Ordinals of a bad expression are those of the file, draft patterns and unsorted ids included."""
    bank = small_bank()
    address = bank["entities"]["email"]["names"]["address"]
    address["patterns"] = {
        "z": {**address["patterns"]["plain"], "status": "draft"},
        "y": address["patterns"]["plain"],
        "a": {**address["patterns"]["plain"], "value": "x*"},
    }
    bank["entities"] = {"person": bank["entities"]["person"], "email": bank["entities"]["email"]}
    assert _said(bank, tmp_path) == f"entities[1].names[0].patterns[2].value: {_EMPTY}"


def test_expressions_that_are_switched_off_are_not_compiled(tmp_path):
    """A draft may hold an expression that is not finished."""
    path = tmp_path / "bank.json"
    path.write_text(json.dumps(_changed(_REGEX, value="(", status="draft")), encoding="utf-8")
    assert len(BankDetector(load_bank(path)).bank.patterns) == 1


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (BankLimits(file_bytes=500), "holds more than the limit of 500 bytes"),
        (BankLimits(entities=1), "holds 2 entities; the limit is 1"),
        (BankLimits(patterns=1), "holds 2 patterns; the limit is 1"),
        (BankLimits(pattern_characters=30), "holds 42 pattern characters; the limit is 30"),
        (BankLimits(metadata_bytes=10), "holds 21 bytes of metadata on one object; the limit is 10"),
    ],
    ids=["file", "entities", "patterns", "characters", "metadata"],
)
def test_every_limit_is_said(limits, said, tmp_path):
    """What is counted, how much there is and how much may be; 20 characters of name and 22 of expression."""
    assert _said(_changed("entities[1]", metadata={"owner": "Zephyrine"}), tmp_path, limits=limits) == said


def test_nerb_does_not_say_the_expression(tmp_path):
    """What nerb itself says of an expression holds it, so it is not passed on."""
    pytest.importorskip("nerb")
    said = f"{_REGEX}.value: nerb does not compile this pattern"
    assert _said(_changed(_REGEX, value="(?<=Zephyrine)x"), tmp_path, engine="nerb") == said
    assert _said(_changed("", unicode_normalization="NFC"), tmp_path, engine="nerb") == (
        "the nerb engine takes no NFC bank; use the embedded engine"
    )


# What the bank file holds, and what a run says about it.
FILES: dict[str, tuple[bytes, str]] = {
    "syntax": (
        b'{\n  "id": "x"\n  "name": "Zephyrine"\n}\n',
        "not valid JSON at line 3, column 3: Expecting ',' delimiter",
    ),
    "empty": (b"", "not valid JSON at line 1, column 1: Expecting value"),
    "yaml": (b"id: Zephyrine\n", "not valid JSON at line 1, column 1: Expecting value"),
    "duplicate-name": (
        b'{"entities": {"person": {"names": {\n  "zephyrine": {},\n  "zephyr\\u0069ne": {}}}}}',
        "duplicate key in an object (line 3, column 3)",
    ),
    "nan": (b'{"metadata":\n {"a": "NaN", "b": NaN}}', "NaN is not JSON (line 2, column 20)"),
    "bom": (
        b"\xef\xbb\xbf{}",
        "starts with a UTF-8 byte order mark (BOM); save as UTF-8 without BOM",
    ),
    "latin1": (b'{"name": "Ren\xe9"}', "not UTF-8: invalid byte 0xE9 at byte 13"),
    "lfs": (
        b"version https://git-lfs.github.com/spec/v1\n",
        "is a Git LFS pointer, not the file; run 'git lfs pull'",
    ),
    "deep": (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
    "bad-expression": (
        json.dumps(_changed(_REGEX, value="(")).encode(),
        f"{_REGEX}.value: a group without its closing parenthesis",
    ),
}


@pytest.mark.parametrize("file", FILES)
def test_a_run_says_it_once(file, suite):
    """Three case files, one broken bank: one error under the bank's name, exit 2, no report."""
    payload, said = FILES[file]
    suite.write().write_rows("conformance-positive-more.jsonl", [])
    (suite.path / "bank.json").write_bytes(payload)
    result = suite.run()
    assert collection_errors(result) == {"bank.json": [f"bank.json: {said}"]}
    assert result.ret == 2
    assert not (suite.path / ".pii_eval").exists()
    assert "ephyr" not in result.stdout.str() + result.stderr.str()
