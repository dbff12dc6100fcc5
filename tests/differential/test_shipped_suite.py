"""Holds the shipped suite to its tables, to its promised size, and to what nerb says of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

_SUITE = Path(__file__).parents[2] / "conformance"
_TAGS = (
    "boundary",
    "casing",
    "html",
    "malformed",
    "negative",
    "overlap",
    "punctuation",
    "signature",
    "unicode",
    "whitespace",
)
_FIELDS = (
    "entity_id",
    "name_id",
    "pattern_id",
    "pattern_kind",
    "canonical_name",
    "string",
    "start",
    "end",
)
# Positive cases whose text holds a record that `expected` leaves out, with the reason. None so far.
_INCOMPLETE: dict[str, str] = {}


def _rows(pattern: str) -> list[dict[str, Any]]:
    files = sorted(_SUITE.glob(pattern))
    return [json.loads(line) for file in files for line in file.read_text("utf-8").split("\n")[:-1]]


@pytest.fixture(scope="module")
def bank() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((_SUITE / "bank.json").read_text("utf-8"))
    return loaded


@pytest.fixture(scope="module")
def positives() -> list[dict[str, Any]]:
    return _rows("conformance-positive*.jsonl")


@pytest.fixture(scope="module")
def negatives() -> list[dict[str, Any]]:
    return _rows("conformance-negative*.jsonl")


def _active_patterns(bank: dict[str, Any]) -> set[tuple[str, str, str]]:
    return {
        (entity_id, name_id, pattern_id)
        for entity_id, entity in bank["entities"].items()
        for name_id, name in entity["names"].items()
        for pattern_id, pattern in name["patterns"].items()
        if entity["status"] == name["status"] == pattern["status"] == "active"
    }


def _witnesses(positives: list[dict[str, Any]]) -> Counter[tuple[str, str, str]]:
    return Counter(
        (record["entity_id"], record["name_id"], record["pattern_id"])
        for case in positives
        for record in case["expected"]
    )


def test_files_are_what_the_script_builds(tmp_path: Path) -> None:
    """Building the suite from its tables gives the files of the repository, byte for byte, and no others."""
    command = [sys.executable, str(_SUITE / "build_suite.py"), str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    files = (*_SUITE.glob("bank*.json"), *_SUITE.glob("conformance-*.jsonl"))
    shipped = {path.name: path.read_bytes() for path in files}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == shipped


def test_script_needs_no_fixed_hash_seed(tmp_path: Path) -> None:
    """Two builds under different hash seeds give the same bytes."""
    builds = []
    for seed in ("1", "2"):
        out = tmp_path / seed
        out.mkdir()
        command = [sys.executable, str(_SUITE / "build_suite.py"), str(out)]
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed})
        builds.append({path.name: path.read_bytes() for path in out.iterdir()})
    assert builds[0] == builds[1]


def test_bank_is_as_large_as_promised(bank: dict[str, Any]) -> None:
    """The bank holds at least 25 active entities and 150 active patterns."""
    active = _active_patterns(bank)
    assert len({entity_id for entity_id, _, _ in active}) >= 25
    assert len(active) >= 150


def test_each_level_has_each_status(bank: dict[str, Any]) -> None:
    """Entities, names and patterns each occur as draft, active, inactive and deprecated."""
    entities = list(bank["entities"].values())
    names = [name for entity in entities for name in entity["names"].values()]
    patterns = [pattern for name in names for pattern in name["patterns"].values()]
    for level in (entities, names, patterns):
        assert {item["status"] for item in level} == {"draft", "active", "inactive", "deprecated"}


def test_cases_are_as_many_as_promised(
    positives: list[dict[str, Any]], negatives: list[dict[str, Any]]
) -> None:
    """There are at least 600 positive and 300 negative cases, no text twice, and each tag 25 times."""
    cases = [*positives, *negatives]
    tags = Counter(tag for case in cases for tag in case["tags"])
    assert len(positives) >= 600
    assert len(negatives) >= 300
    assert len({case["text"] for case in cases}) == len(cases)
    assert {tag: tags[tag] for tag in _TAGS if tags[tag] < 25} == {}
    assert set(tags) == set(_TAGS)


def test_every_active_pattern_has_three_witnesses(
    bank: dict[str, Any], positives: list[dict[str, Any]]
) -> None:
    """Each active pattern, and no other, is expected at least three times."""
    witnesses = _witnesses(positives)
    assert set(witnesses) == _active_patterns(bank)
    assert min(witnesses.values()) >= 3


def test_case_ids_tell_nothing(
    bank: dict[str, Any], positives: list[dict[str, Any]], negatives: list[dict[str, Any]]
) -> None:
    """A case id holds no canonical name and no name id of an entity whose patterns are literals."""
    names = {
        word.casefold()
        for entity in bank["entities"].values()
        for name_id, name in entity["names"].items()
        if any(pattern["kind"] == "literal" for pattern in name["patterns"].values())
        for word in (name_id, name["canonical"], *name["canonical"].split())
        if len(word) >= 4
    }
    ids = [case["case_id"].casefold() for case in (*positives, *negatives)]
    assert [case_id for case_id in ids if any(word in case_id.split(".") for word in names)] == []


def test_nerb_passes_the_suite(
    bank: dict[str, Any], positives: list[dict[str, Any]], negatives: list[dict[str, Any]]
) -> None:
    """The evaluator of nerb finds every expected record, no other canonical name and no negative match."""
    conformance = pytest.importorskip("nerb.enron_conformance")
    result = conformance.evaluate_enron_conformance(bank, positives, negatives)["catalog_conformance"]
    active = len(_active_patterns(bank))
    expected = sum(len(case["expected"]) for case in positives)
    assert result["passed"] is True
    assert result["active_patterns"] == result["patterns_with_positive_cases"] == active
    assert result["approved_positive_cases"] == result["correctly_mapped"] == expected
    assert result["missed"] == result["wrong_canonical"] == result["unexpected_negative_matches"] == 0


def test_nerb_finds_nothing_that_is_not_expected(
    bank: dict[str, Any], positives: list[dict[str, Any]]
) -> None:
    """The records that nerb finds in a positive text are those of `expected`, in the same order."""
    engines = pytest.importorskip("nerb.engines")
    compiled, _ = engines.compile_bank(bank, options={"include_statuses": ["active"]})
    different = []
    for case in positives:
        found = [tuple(record[field] for field in _FIELDS) for record in compiled.finditer(case["text"])]
        expected = [tuple(record[field] for field in _FIELDS) for record in case["expected"]]
        if found != expected and case["case_id"] not in _INCOMPLETE:
            different.append(case["case_id"])
    assert different == []
