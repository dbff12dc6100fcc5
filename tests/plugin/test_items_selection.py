"""Selecting groups of cases: by name, keyword and last failure; and a case that is no item of its own."""

from __future__ import annotations

import pytest

from conftest import MAIL

POSITIVE = "conformance-positive.jsonl"
NEGATIVE = "conformance-negative.jsonl"


@pytest.fixture
def flawed(suite):
    """The small suite with one missed case."""
    expected = suite.positives[5]["expected"][0]
    expected.update(string=MAIL[1:], start=expected["start"] + 1)
    return suite.write()


def selection(suite):
    """Return whole, collected and selected of the last report."""
    report = suite.report()["selection"]
    return report["whole"], report["collected"], report["selected"]


def test_groups_are_named_by_number_and_reason(suite):
    """`--collect-only` shows opaque names, in the order of their first rows, and writes nothing."""
    result = suite.write().run("--pii-items=pattern", "--collect-only", "-q")
    assert [line for line in result.outlines if line.startswith("conformance")] == [
        f"{NEGATIVE}::negative-look_alike",
        f"{POSITIVE}::pattern-000002",
        f"{POSITIVE}::pattern-000001",
    ]
    assert not (suite.path / ".pii_eval").exists()


def test_a_group_is_selected_by_its_id(suite):
    """The cases of the group are what is selected, and support is not judged."""
    result = suite.write().run("--pii-items=pattern", f"{POSITIVE}::pattern-000001")
    assert result.parseoutcomes() == {"passed": 1}
    assert selection(suite) == (False, 18, 9)


def test_keywords_find_a_group_by_its_cases(suite):
    """`-k` takes the entity of a pattern and the tags of any case in the group."""
    suite.write().run("--pii-items=pattern", "-k", "email")
    assert selection(suite) == (False, 24, 9)
    suite.run("--pii-items=file", "-k", "casing")
    assert selection(suite) == (False, 24, 18)


def test_last_failed_groups_run_again(flawed):
    """`--lf` runs the group that failed, and passes once its case holds."""
    assert flawed.run("--pii-items=pattern").parseoutcomes() == {"passed": 7, "failed": 1}
    assert flawed.run("--pii-items=pattern", "--lf").parseoutcomes()["failed"] == 1
    assert selection(flawed) == (False, 18, 9)


def test_a_failed_group_counts_once_for_maxfail(flawed):
    """`-x` stops behind the group; what follows is missing."""
    flawed.positives.append(flawed.positives.pop(0))
    flawed.write().run("--pii-items=pattern", "-x")
    report = flawed.report()
    assert report["conformance"]["correctly_mapped"] == 8
    assert "pattern-000002" in report["missing"]
    assert "pattern-000001" not in report["missing"]


@pytest.mark.parametrize(
    ("items", "case", "holder"),
    [
        ("pattern", f"{POSITIVE}::email.02", "pattern-000001"),
        ("pattern", f"{NEGATIVE}::clean.03", "negative-look_alike"),
        ("file", f"./{POSITIVE}::email.02", "all-cases"),
    ],
)
def test_a_case_inside_a_group_says_where_it_is(suite, items, case, holder):
    """Naming a case by its id says which item holds it, and which option makes it an item."""
    result = suite.write().run(f"--pii-items={items}", case)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    file, _, case_id = case.removeprefix("./").partition("::")
    told = f"{file}: under --pii-items {items} the case {case_id} is part of the item {holder}"
    assert f"{told}; name that item, or give --pii-items case" in result.stdout.str()


def test_an_unknown_name_is_not_found(suite):
    """A name that is neither an item nor a case is pytest's to tell."""
    result = suite.write().run("--pii-items=pattern", f"{POSITIVE}::nothing")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "not found" in result.stderr.str()
