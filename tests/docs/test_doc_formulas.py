"""The formulas of docs/metrics.md give what is derived, and its exit statuses are those there are."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from docs_fences import read_page
from docs_formulas import formulas, value_of

from pytest_pii_eval.cli import main
from pytest_pii_eval.scoring.documents import Scope
from pytest_pii_eval.scoring.evidence import Evidence, OutputCounts, SliceCounts, TypeCounts, TypeLeaks
from pytest_pii_eval.scoring.labels import Labels
from pytest_pii_eval.scoring.metrics import derive

# Said in other words than counts and signs.
TOLD_OTHERWISE = {
    *("high_severity_f2", "macro_f1", "false_alarm_rate", "unmapped"),
    *("high_severity_leaks", "high_severity_leak_rate"),
    *("high_severity_leaking_documents", "high_severity_document_leak_rate"),
}
# Made up, and no two alike, so that one word in the place of another shows.
COUNTS: dict[str, int | Fraction] = {
    "tp": 17,
    "fp": 6,
    "fn": 12,
    "gold": 29,
    "pred": 23,
    "extras": 3,
    "documents": 31,
    "documents with any fn": 11,
    "documents with gold": 19,
    "cataloged gold": 13,
    "cataloged gold with exact span, type and canonical identity": 7,
    "exact span and type, other identity": 2,
    "documents with any cataloged span missed or misnamed": 5,
    "documents with cataloged gold": 9,
    "contained": 18,
    "contained gold": 18,
    "leaks": 11,
    "documents with any leak": 8,
    "leaking documents": 8,
    "characters": 1009,
    "gold characters": 401,
    "covered gold characters": 307,
    "character recall": Fraction(307, 401),
    "masked characters": 331,
    "masked gold characters": 293,
    "masked characters outside gold": 38,
    "covered": 10,
    "repeated identifiers": 14,
    "zero-gold documents": 12,
    "zero-gold documents with a masked character": 4,
    "their characters": 211,
    "their masked characters": 37,
    "gold contained in candidates": 22,
    "gold contained in selected": 18,
    "gold characters in candidates": 353,
}
EVIDENCE = Evidence(
    SliceCounts(
        documents=31,
        characters=1009,
        gold_characters=401,
        documents_with_gold=19,
        documents_with_any_miss=11,
        documents_with_cataloged_gold=9,
        documents_with_any_cataloged_miss=5,
        repeated_identifiers=14,
        zero_gold_documents=12,
        zero_gold_characters=211,
    ),
    {
        "email": TypeCounts(
            gold=29,
            pred=23,
            tp=17,
            extra=3,
            gold_characters=401,
            cataloged=13,
            cataloged_tp=7,
            wrong_canonical=2,
        )
    },
    {
        "selected": OutputCounts(
            documents=31,
            gold=29,
            leaks=11,
            gold_characters=401,
            covered_characters=307,
            masked_characters=353,
            leaking_documents=8,
            leaking_repeated_identifiers=4,
            zero_gold_masked_documents=6,
            zero_gold_masked_characters=41,
        ),
        "scope": OutputCounts(
            documents=31,
            covered_characters=293,
            masked_characters=331,
            zero_gold_masked_documents=4,
            zero_gold_masked_characters=37,
        ),
        "candidates": OutputCounts(
            documents=31, gold=29, leaks=7, gold_characters=401, covered_characters=353
        ),
    },
    {("selected", "email"): TypeLeaks(leaks=11, leaked_characters=94)},
)
STATUSES = {
    "OK": "everything held",
    "TESTS_FAILED": "a gate failed",
    "INTERRUPTED": "interrupted",
    "INTERNAL_ERROR": "an internal error",
    "USAGE_ERROR": "an option makes no sense",
    "NO_TESTS_COLLECTED": "nothing was selected",
    "MAX_WARNINGS_ERROR": "warnings",
}


def derived() -> dict[str, Fraction | None]:
    """Return what the counts come to by the code; F2 is of the one type, which is of high severity."""
    types = frozenset({"email"})
    found = derive(EVIDENCE, Scope(types, types), Labels())
    return {name: one.value for name, one in {**found.types["email"], **found.overall}.items()}


def test_the_rows_that_are_no_expression_are_known():
    """Every other row of the table can be read as one."""
    assert TOLD_OTHERWISE - formulas().keys() == set()
    assert len(formulas().keys() - TOLD_OTHERWISE) == 27


@pytest.mark.parametrize("name", sorted(formulas().keys() - TOLD_OTHERWISE))
def test_a_formula_gives_what_is_derived(name):
    """Its words, taken as counts, come to the value of the metric, exactly."""
    assert value_of(formulas()[name], COUNTS) == derived()[name]


@pytest.mark.parametrize("formula", ["tp / nothing", "tp ** 2", "print(tp)", "tp /", "the same over gold"])
def test_what_is_no_formula_is_refused(formula):
    """A word without a count, and anything that is no plain arithmetic."""
    with pytest.raises(ValueError, match=r"."):
        value_of(formula, COUNTS)


def statuses(page: str, title: str) -> dict[int, str]:
    """Return the statuses of the table below a title, with the text beside them."""
    table = read_page(page).split(f"\n## {title}\n")[1].split("\n## ")[0]
    return {int(status): told for status, told in re.findall(r"^\| (\d+) \| ([^|]+) \|", table, re.MULTILINE)}


@pytest.mark.parametrize(
    ("page", "title"), [("docs/reference/exit-statuses.md", "pytest"), ("docs/ci-output.md", "Exit status")]
)
def test_every_status_of_a_run_is_told(page, title):
    """Each status of pytest with what it means for a run of ours; 6 is of newer versions, and not of ours."""
    told = statuses(page, title)
    known = {int(code): STATUSES[code.name] for code in pytest.ExitCode}
    assert told.keys() ^ known.keys() <= {6}
    assert [status for status, words in told.items() if known.get(status, "") not in words] == []


@pytest.mark.parametrize(("command", "status"), [("compare", 2), ("render", 1), ("check", 1)])
def test_a_broken_file_ends_a_command_as_the_table_says(command, status, tmp_path, capsys):
    """With 1, but for `compare`, where 1 is a regression and nothing else."""
    broken = tmp_path / "quality-records.jsonl"
    broken.write_text("{", "utf-8")
    given = {"compare": [str(broken)], "render": ["--html=-"], "check": []}[command]
    assert main([command, str(broken), *given]) == status
    assert capsys.readouterr().out == ""
