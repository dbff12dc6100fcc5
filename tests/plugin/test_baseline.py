"""`--pii-baseline`: what passes, what is a regression, what is refused, and how a baseline is made."""

from __future__ import annotations

import json

import pytest
from quality_suite import ALARM, CORPUS, DOCUMENT, OTHER_MAIL, STRANGER, TEMPLATE
from reading import lines_of

from conftest import MAIL, NAME

UPDATE = ("--pii-baseline=base.json", "--pii-baseline-update")
REPORT = ".pii_eval/report.json"
BASELINE = "--pii-baseline=base.json"


@pytest.fixture(scope="module")
def made():
    """What the first test of this file made, for the others: files by name."""
    return {}


@pytest.fixture
def base(quality, made):
    """The small quality suite, with report and baseline of a run that found both addresses of its pair."""
    quality.only("mail", "people").write()
    if not made:
        assert quality.run(*UPDATE).ret == 0
        made.update({name: (quality.path / name).read_bytes() for name in ("base.json", REPORT)})
    (quality.path / REPORT).parent.mkdir(exist_ok=True)
    for name, payload in made.items():
        (quality.path / name).write_bytes(payload)
    return quality


def forget_an_address(suite):
    """Change the bank so that it finds the canary's address alone; the gold stays."""
    patterns = suite.bank["entities"]["email"]["names"]["address"]["patterns"]
    patterns["plain"]["value"] = r"zq@[a-z]+\.example"
    suite.write()


def test_the_same_run_passes(base):
    """Nothing moved: status 0, and the section says so."""
    result = base.run(BASELINE)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["baseline     verdict: pass, no regressions; 0 figures worse, 0 better, *"])


def test_a_lost_find_fails_the_run(base, processes):
    """One of two addresses is lost: status 1, with slice, type and counts, though every item passed."""
    forget_an_address(base)
    result = base.run(*processes, BASELINE)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "baseline     verdict: FAIL, 8 regressions (46 more figures of the same); *",
            "baseline     REGRESSION: slice mail, email: leaks 0 -> 1",
            "baseline     REGRESSION: slice mail, email: recall 1.0 (2/2) -> 0.5000 (1/2)",
        ]
    )
    assert base.report()["passed"] is True


def test_a_baseline_of_other_sources_is_noted(base):
    """A report as baseline says which sources scored it: others are a note, and fail nothing."""
    report = json.loads((base.path / REPORT).read_text(encoding="utf-8"))
    report["scorer"]["source_sha256"] = "sha256:" + "9" * 64
    (base.path / "other.json").write_text(json.dumps(report), encoding="utf-8")
    result = base.run("--pii-baseline=other.json")
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["baseline     note: the two runs were scored by different sources of pytest-pii-eval"]
    )


def test_a_quiet_run_says_it_in_a_word(base):
    """Under -q the one line counts the regressions."""
    forget_an_address(base)
    result = base.run("-q", BASELINE)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["pii-eval: *; 8 regressions (46 more figures of the same)"])


def test_a_tolerance_lets_it_pass(base):
    """Precision of the alarm is not judged until it is named; named with room, it passes."""
    base.record("alarm")["document"]["text"] = "Ask nobody at all first, and then go home."
    base.write()
    assert base.run(*UPDATE).ret == 0
    result = base.run(BASELINE, "--pii-tolerance=precision=0.1")
    assert result.ret == 0


def test_an_unknown_metric_fails_the_run(base):
    """A tolerance for a metric that does not exist is told with those that do."""
    result = base.run(BASELINE, "--pii-tolerance=speed=1")
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["pii-eval: the baseline was not compared: tolerance 1 names no metric; there are: *"]
    )


@pytest.mark.parametrize("part", ["gold", "slice_plan", "policy", "taxonomy"])
def test_another_part_fails_the_run(base, part):
    """Gold, plan, policy or taxonomy that is not the baseline's: status 1, and how to make a new one."""
    arguments = []
    if part == "gold":
        del base.record("pair")["gold_spans"][1]
    elif part == "slice_plan":
        base.slice("mail")["cohort"] = "long"
    elif part == "policy":
        arguments = ["--pii-max-leaks=5"]
    else:
        taxonomy = "version: own.v1\ntypes: {email: contact, person: person}\n"
        (base.path / "taxonomy.yaml").write_text(taxonomy, encoding="utf-8")
        base.suite_file = "taxonomy: taxonomy.yaml\n"
    result = base.write().run(BASELINE, *arguments)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [f"pii-eval: the baseline does not fit this run ({part}): *--pii-baseline-update makes a new one)"]
    )


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("-k", "mail"), "partial"),
        (("-k", "mail", "--pii-max-leaks=5"), "partial"),
        (("--pii-limit=1",), "limited"),
        (("--pii-types=email",), "partial"),
    ],
)
def test_a_run_narrowed_on_purpose_fails_nothing(base, arguments, part):
    """It is not compared, which is told, and the status is that of the items."""
    result = base.run(BASELINE, *arguments)
    assert result.ret == 0
    result.stdout.fnmatch_lines([f"baseline     not compared ({part}): the new run *"])
    assert "does not fit" not in lines_of(result)


def test_a_baseline_of_a_part_fails_the_run(base):
    """A baseline that is itself of a part is told, in a run that is narrowed as well as in a whole one."""
    (base.path / "base.json").unlink()
    base.run("-k", "mail", "--pii-report=base.json")
    for arguments in ((), ("--pii-limit=1",)):
        result = base.run(BASELINE, *arguments)
        assert result.ret == 1
        result.stdout.fnmatch_lines(["pii-eval: the baseline does not fit this run (partial): the old run *"])


def test_an_incomplete_run_is_not_compared(base):
    """Documents without an answer make the run incomplete: it fails, and the baseline says why not."""
    base.pytester.makeconftest(
        "from pytest_pii_eval.detectors.bank_detector import BankDetector\n"
        "BankDetector.detect = lambda self, text, **limits: 1 / 0\n"
    )
    result = base.run(BASELINE)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["pii-eval: the baseline does not fit this run (incomplete): the new run *"])


def test_a_broken_baseline_fails_the_run(base):
    """A file that is neither a report nor a snapshot is told with its name and field."""
    (base.path / "base.json").write_text('{"schema_version": "other"}', encoding="utf-8")
    result = base.run(BASELINE)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["pii-eval: the baseline was not compared: base.json: schema_version: must be *"]
    )


def test_a_report_is_a_baseline_too(base):
    """The report of an earlier run, kept under another name, does as well."""
    (base.path / REPORT).rename(base.path / "base.json")
    assert base.run(BASELINE).ret == 0


def test_an_update_writes_the_same_bytes_anywhere(base):
    """Two workers write what one process wrote."""
    alone = (base.path / "base.json").read_bytes()
    (base.path / "base.json").unlink()
    assert base.run("-n2", *UPDATE).ret == 0
    assert (base.path / "base.json").read_bytes() == alone
    assert json.loads(alone)["schema_version"] == "pii_eval.snapshot.v1"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-k", "mail"), "is of a part of the suite"),
        (("--pii-limit=1",), "is limited to the first documents"),
    ],
)
def test_a_part_of_a_run_updates_nothing(base, arguments, words):
    """A baseline of a part would hide what the rest loses: status 1, and the old file stays."""
    before = (base.path / "base.json").read_bytes()
    result = base.run(*UPDATE, *arguments)
    assert result.ret == 1
    result.stdout.fnmatch_lines([f"pii-eval: the baseline was not updated, this run {words}*: base.json"])
    assert (base.path / "base.json").read_bytes() == before


def test_no_canary_is_in_baseline_or_output(base):
    """Neither the file nor a run with a regression shows a text, a name or an id of a document."""
    forget_an_address(base)
    result = base.run("-vv", BASELINE)
    assert result.ret == 1
    told = lines_of(result) + (base.path / "base.json").read_text(encoding="utf-8")
    assert not [
        one for one in (NAME, MAIL, STRANGER, OTHER_MAIL, ALARM, DOCUMENT, TEMPLATE, CORPUS) if one in told
    ]


def test_an_ini_value_names_the_baseline(base):
    """`pii_baseline` and `pii_tolerances` stand in for the options."""
    base.pytester.makeini("[pytest]\npii_baseline = base.json\npii_tolerances = precision=0.1\n")
    forget_an_address(base)
    result = base.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["baseline     REGRESSION: slice mail, email: leaks 0 -> 1"])
