"""Selections: what runs, what the report says of it, and that a part never judges support."""

from __future__ import annotations

from conftest import regex

POSITIVE = "conformance-positive.jsonl"
NEGATIVE = "conformance-negative.jsonl"
SUPPORT = [
    "bank.json::bank-has-active-patterns",
    "bank.json::every-active-pattern-has-a-witness",
    "bank.json::every-tag-is-covered",
    "bank.json::a-boundary-negative-exists",
    "bank.json::positives-and-negatives-are-not-empty",
]


def ran(result, *, passed=0, failed=0):
    """Check the outcome counts of a run, whatever was deselected (workers do not say)."""
    outcomes = result.parseoutcomes()
    assert {word: outcomes.get(word, 0) for word in ("passed", "failed", "error", "errors")} == {
        "passed": passed,
        "failed": failed,
        "error": 0,
        "errors": 0,
    }


def selection(suite):
    """Return whole, collected and selected of the last report."""
    report = suite.report()["selection"]
    return report["whole"], report["collected"], report["selected"]


def break_case(suite, case_id):
    """Make a positive case expect the same string one place later, where nothing can match."""
    row = next(row for row in suite.positives if row["case_id"] == case_id)
    row["text"] = row["text"].replace("today", "zq@canary.example")
    found = row["expected"][0]
    start = row["text"].encode().rindex(b"q@canary.example")
    found.update(string="q@canary.example", start=start, end=start + len("q@canary.example"))


def leave_a_pattern_without_witness(suite):
    """Add an active pattern to the bank that no case expects."""
    suite.bank["entities"]["email"]["names"]["address"]["patterns"]["spare"] = regex("neverseen[0-9]")


def test_keyword_finds_a_tag(suite, processes):
    """`-k html` runs the cases tagged html, none else, and gives no verdict about the bank."""
    result = suite.write().run(*processes, "-k", "html")
    ran(result, passed=2)
    assert result.ret == 0
    assert selection(suite) == (False, 24, 2)
    report = suite.report()
    assert report["passed"] is None
    assert report["complete"] is True
    assert list(report["conformance"]["by_tag"]) == ["html"]
    assert report["conformance"]["correctly_mapped"] == 2
    result.stdout.fnmatch_lines(["selection    2 of 24 cases: support is not judged"])


def test_keyword_finds_an_entity(suite):
    """`-k person` runs the cases that expect the entity person; the case ids of others do not hold it."""
    for row in suite.positives:
        row["case_id"] = row["case_id"].replace("person.", "case-").replace("email.", "mail-")
    ran(suite.write().run("-k", "person"), passed=9)
    conformance = suite.report()["conformance"]
    assert {name: one["correctly_mapped"] for name, one in conformance["by_entity"].items()} == {
        "email": 0,
        "person": 9,
    }


def test_keyword_finds_a_case_id(suite):
    """`-k` takes a case id with its dot."""
    ran(suite.write().run("-k", "person.03 or clean.05"), passed=2)
    assert selection(suite) == (False, 24, 2)


def test_failing_selection_fails_the_report(suite):
    """A selection can fail a bank: `passed` is false, not null, and the exit status 1."""
    break_case(suite, "email.01")
    result = suite.write().run("-k", "email")
    ran(result, passed=8, failed=1)
    assert result.ret == 1
    assert suite.report()["passed"] is False
    assert suite.report()["conformance"]["missed"] == 1


def test_deselect_leaves_out_one_case(suite):
    """`--deselect` takes a case id; the run is then a part, and holds no support item."""
    result = suite.write().run("--deselect", f"{POSITIVE}::person.03")
    result.assert_outcomes(passed=23, deselected=6)
    assert selection(suite) == (False, 24, 23)
    assert suite.report()["passed"] is None


def test_deselected_support_item_leaves_the_run_whole(suite):
    """A support item can be deselected; all cases ran, so the aggregate is judged."""
    result = suite.write().run("--deselect", "bank.json::every-tag-is-covered")
    result.assert_outcomes(passed=28, deselected=1)
    assert selection(suite) == (True, 24, 24)
    assert suite.report()["passed"] is True


def test_named_ids_run_alone(suite, processes):
    """Two ids on the command line run these two, and no support item."""
    arguments = [f"{POSITIVE}::person.03", f"{NEGATIVE}::clean.05", "-v"]
    result = suite.write().run(*processes, *arguments)
    ran(result, passed=2)
    assert result.ret == 0
    assert "bank.json::" not in result.stdout.str()
    assert selection(suite) == (False, 24, 2)
    assert suite.report()["passed"] is None


def test_unknown_id_is_refused(suite):
    """An id that no row has is an error of use, and nothing runs."""
    result = suite.write().run(f"{POSITIVE}::person.99")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: not found: *::person.99*"])
    assert not (suite.path / ".pii_eval").exists()


def test_last_failed_runs_the_failures_alone(suite, processes):
    """`--lf` reruns a failed case with dots and dashes in its id; mended, it passes and is forgotten."""
    suite.positives[3]["case_id"] = "mail-01.b-2.c"
    mended = [dict(row, expected=[dict(row["expected"][0])]) for row in suite.positives]
    break_case(suite, "mail-01.b-2.c")
    ran(suite.write().run(*processes), passed=28, failed=1)
    ran(suite.run(*processes, "--lf"), failed=1)
    suite.positives = mended
    result = suite.write().run(*processes, "--lf", "-v")
    ran(result, passed=1)
    result.stdout.fnmatch_lines(["*mail-01.b-2.c*"])
    # The file of negatives was skipped unread, so its rows are not among those collected.
    assert selection(suite) == (False, 18, 1)
    assert suite.report()["passed"] is None
    ran(suite.run("--lf"), passed=29)
    assert selection(suite) == (True, 24, 24)


def test_last_failed_never_judges_support(suite):
    """`--lf` after a failed support check skips the case files, so no support check runs on them."""
    leave_a_pattern_without_witness(suite)
    ran(suite.write().run(), passed=28, failed=1)
    (suite.path / ".pii_eval/report.json").unlink()
    result = suite.run("--lf")
    result.assert_outcomes(deselected=1)
    assert result.ret == 5
    assert not (suite.path / ".pii_eval/report.json").exists()
    ran(suite.run(), passed=28, failed=1)


def test_failed_first_reorders_and_stays_whole(suite):
    """`--ff` runs failures first and the rest after; the report is that of the plain run."""
    break_case(suite, "email.04")
    ran(suite.write().run(), passed=28, failed=1)
    plain = suite.comparable()
    result = suite.run("--ff", "-v")
    ran(result, passed=28, failed=1)
    first = next(line for line in result.outlines if "::" in line)
    assert "email.04" in first
    assert suite.comparable() == plain


def test_stepwise_goes_on_where_it_stopped(suite):
    """`--sw` stops at a failure, starts again there, and what lies before is not run again."""
    mended = [dict(row, expected=[dict(row["expected"][0])]) for row in suite.positives]
    break_case(suite, "email.01")
    result = suite.write().run("--sw")
    # Five support items, six negatives, person.00, email.00 and person.01 lie before it.
    ran(result, passed=14, failed=1)
    assert suite.report()["complete"] is False
    suite.positives = mended
    result = suite.write().run("--sw")
    ran(result, passed=15)
    assert suite.report()["complete"] is True
    assert selection(suite) == (False, 24, 15)


def test_first_failure_stops_the_run(suite):
    """`-x` and `--maxfail` stop the run; what did not run is missing and counts as missed."""
    break_case(suite, "email.01")
    break_case(suite, "email.05")
    result = suite.write().run("-x")
    ran(result, passed=14, failed=1)
    assert result.ret == 1
    report = suite.report()
    assert report["complete"] is False
    # Of 18 positive rows person.00, email.00, person.01 and email.01 ran.
    assert report["missing_count"] == 14
    assert report["missing"] == sorted(row["case_id"] for row in suite.positives[4:])
    assert report["conformance"]["approved_positive_cases"] == 18
    assert report["conformance"]["correctly_mapped"] == 3
    assert report["conformance"]["missed"] == 15
    result.stdout.fnmatch_lines(["*stopping after 1 failures*"])
    ran(suite.run("--maxfail=2"), passed=21, failed=2)
    assert suite.report()["missing_count"] == 6


def test_stop_under_xdist_is_incomplete(suite):
    """`-x` under `-n 2` ends with exit 1 or 2 and a report that says it is incomplete."""
    suite.positives = [
        dict(row, case_id=f"{row['case_id']}.{copy}", expected=[dict(row["expected"][0])])
        for copy in range(20)
        for row in suite.positives
    ]
    break_case(suite, "email.01.0")
    result = suite.write().run("-n2", "-x")
    assert result.ret == 2
    report = suite.report()
    assert report["complete"] is False
    assert report["passed"] is False
    conformance = report["conformance"]
    assert conformance["approved_positive_cases"] == 360
    assert conformance["correctly_mapped"] + conformance["missed"] == 360
    assert report["missing_count"] > 0


def test_collect_only_lists_and_runs_nothing(suite, processes):
    """`--co` lists every id and leaves no report, also where workers were asked for."""
    result = suite.write().run(*processes, "--co", "-q")
    assert result.ret == 0
    listed = [line for line in result.outlines if "::" in line]
    ids = [f"{NEGATIVE}::{row['case_id']}" for row in suite.negatives]
    ids += [f"{POSITIVE}::{row['case_id']}" for row in suite.positives]
    assert listed == [*SUPPORT, *ids]
    assert not (suite.path / ".pii_eval").exists()


def test_nothing_selected_leaves_no_report(suite, processes):
    """A selection that is empty exits 5 and writes nothing."""
    result = suite.write().run(*processes, "-k", "no_such_word")
    assert result.ret == 5
    assert not (suite.path / ".pii_eval").exists()
    assert "pii-eval ==" not in result.stdout.str()


def test_part_never_fails_a_support_gate(suite, processes):
    """A pattern without witness fails the whole run; a part of the suite does not judge support."""
    leave_a_pattern_without_witness(suite)
    result = suite.write().run(*processes)
    ran(result, passed=28, failed=1)
    assert result.ret == 1
    assert suite.report()["passed"] is False
    # Support items would match this expression by themselves; they stay out all the same.
    result = suite.run(*processes, "-k", "not person.03")
    ran(result, passed=23)
    assert result.ret == 0
    report = suite.report()
    assert report["passed"] is None
    assert selection(suite) == (False, 24, 23)
    gate = next(gate for gate in report["gates"] if gate["id"] == "conformance.patterns_with_positive_cases")
    assert (gate["value"], gate["limit"]) == (2, 3)
    assert (gate["verdict"], gate["reason"]) == ("not_evaluated", "partial_selection")


def test_named_file_is_a_part(suite):
    """One file of two is a part of the suite: its cases run, support is not judged."""
    result = suite.write().run(POSITIVE)
    ran(result, passed=18)
    assert result.ret == 0
    assert selection(suite) == (False, 18, 18)
    assert suite.report()["passed"] is None
