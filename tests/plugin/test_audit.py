"""The private audit directory: what it holds, how private it is, and when it is refused or absent."""

from __future__ import annotations

import json
import shutil
import stat
import subprocess
import sys

import pytest

from conftest import MAIL, NAME, NAME_ID, negative

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="file modes and links are those of POSIX")

FILES = [
    "COMMITTED",
    "aggregate.json",
    "negative-cases.jsonl",
    "negative-results.jsonl",
    "positive-cases.jsonl",
    "positive-results.jsonl",
    "slice-results.jsonl",
]


def contents(directory):
    """Return name to bytes of the files of an audit directory."""
    return {path.name: path.read_bytes() for path in sorted(directory.iterdir())}


def leftovers(suite):
    """Return the names of audit directories, whole or not, beside the suite."""
    return [
        path.name for path in suite.path.iterdir() if "audit" in path.name or path.name.endswith(".partial")
    ]


def test_audit_holds_cases_and_outcomes(suite):
    """Raw rows as they were, one result a row, the report, and a marker; serial and two workers alike."""
    expected = suite.positives[1]["expected"][0]
    expected.update(string=MAIL[1:], start=expected["start"] + 1)
    suite.positives = suite.positives[:2]
    suite.negatives = [*suite.negatives[:1], negative("dirty.00", f"{NAME} {MAIL}", ["negative"])]
    result = suite.write().run("--pii-audit-dir=audit")
    assert result.ret == 1
    audit = contents(suite.path / "audit")
    assert list(audit) == FILES
    assert audit["COMMITTED"] == b"pii_eval.private_directory.v1\n"
    for kind in ("positive", "negative"):
        assert audit[f"{kind}-cases.jsonl"] == (suite.path / f"conformance-{kind}.jsonl").read_bytes()
    assert json.loads(audit["aggregate.json"]) == suite.report()
    lines = [json.loads(line) for line in audit["positive-results.jsonl"].splitlines()]
    schema = "pii_eval.conformance_case_result.v1"
    one = {"schema_version": schema, "kind": "positive", "expected": 1, "wrong_canonical": 0}
    assert lines == [
        {
            **one,
            "case_id": "person.00",
            "outcome": "passed",
            "correctly_mapped": 1,
            "missed": 0,
            "outcomes": [
                {"entity_id": "person", "name_id": NAME_ID, "pattern_id": "full-name", "status": "correct"}
            ],
        },
        {
            **one,
            "case_id": "email.00",
            "outcome": "failed",
            "correctly_mapped": 0,
            "missed": 1,
            "outcomes": [
                {"entity_id": "email", "name_id": "address", "pattern_id": "plain", "status": "missed"}
            ],
        },
    ]
    none = {"schema_version": schema, "kind": "negative"}
    assert [json.loads(line) for line in audit["negative-results.jsonl"].splitlines()] == [
        {**none, "case_id": "clean.00", "outcome": "passed", "record_count": 0},
        {**none, "case_id": "dirty.00", "outcome": "failed", "record_count": 2},
    ]
    assert suite.run("-n2", "--pii-audit-dir=audit-2").ret == 1
    again = contents(suite.path / "audit-2")
    assert {name: again[name] for name in FILES[2:]} == {name: audit[name] for name in FILES[2:]}


def test_audit_is_private(suite):
    """Directory 0700, files 0600, whatever the umask."""
    suite.write().run("--pii-audit-dir=audit")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (suite.path / "audit").iterdir()}
    assert modes == dict.fromkeys(FILES, 0o600)
    assert stat.S_IMODE((suite.path / "audit").stat().st_mode) == 0o700
    assert leftovers(suite) == ["audit"]


def test_audit_of_a_part_holds_what_ran(suite):
    """A selection's audit holds its cases and no other."""
    suite.write().run("-k", "person.03 or clean.01", "--pii-audit-dir=audit")
    rows = contents(suite.path / "audit")
    assert [json.loads(line)["case_id"] for line in rows["positive-cases.jsonl"].splitlines()] == [
        "person.03"
    ]
    assert [json.loads(line)["case_id"] for line in rows["negative-results.jsonl"].splitlines()] == [
        "clean.01"
    ]


def test_unsafe_targets_are_refused_before_anything_runs(suite):
    """An existing target, a link, a way through a link, a missing folder: exit 4, nothing run or written."""
    suite.write()
    (suite.path / "real").mkdir()
    (suite.path / "link").symlink_to(suite.path / "real")
    (suite.path / "dangling").symlink_to(suite.path / "nowhere")
    refusals = {
        "real": "exists already; name a new directory",
        "link": "exists already; name a new directory",
        "dangling": "exists already; name a new directory",
        "link/audit": "is reached through a symlink; name the real folder",
        "missing/audit": "lies in a folder that does not exist; create it first",
    }
    for target, rule in refusals.items():
        result = suite.run(f"--pii-audit-dir={target}")
        assert result.ret == 4
        result.stderr.fnmatch_lines([f"ERROR: --pii-audit-dir: {rule}"])
        assert "collected" not in result.stdout.str()
    assert list((suite.path / "real").iterdir()) == []
    assert not (suite.path / ".pii_eval").exists()


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_place_that_git_would_track_is_refused(suite):
    """Inside a work tree the target must be ignored, or the user must say that tracking is meant."""
    subprocess.run(["git", "init", "-q", str(suite.path)], check=True)  # noqa: S607  # as the user finds it
    (suite.path / ".gitignore").write_text("/private/\n")
    result = suite.write().run("--pii-audit-dir=audit")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: --pii-audit-dir: lies where git would track it; *"])
    assert leftovers(suite) == []
    (suite.path / "private").mkdir()
    assert suite.run("--pii-audit-dir=private/run").ret == 0
    assert suite.run("--pii-audit-dir=audit", "--pii-audit-allow-tracked").ret == 0
    assert list(contents(suite.path / "audit")) == list(contents(suite.path / "private/run")) == FILES


def test_target_that_appears_meanwhile_is_left_alone(suite):
    """What another process put there while the run went on is not touched, and no half directory stays."""
    suite.pytester.makeconftest(
        """
        import pathlib

        def pytest_pii_modify_report(report, config):
            target = pathlib.Path("audit")
            target.mkdir()
            (target / "theirs.txt").write_text("theirs")
        """
    )
    result = suite.write().run("--pii-audit-dir=audit")
    assert result.ret == 1
    result.assert_outcomes(passed=29)
    result.stdout.fnmatch_lines(["pii-eval: the audit directory was not written (it appeared meanwhile)"])
    assert contents(suite.path / "audit") == {"theirs.txt": b"theirs"}
    assert leftovers(suite) == ["audit"]
    assert suite.report()["passed"] is True


def test_cases_that_change_meanwhile_cost_the_audit(suite):
    """Rows that cannot be read again leave no audit directory at all."""
    suite.pytester.makeconftest(
        """
        import pathlib

        def pytest_pii_modify_report(report, config):
            with pathlib.Path("conformance-positive.jsonl").open("a") as rows:
                rows.write("{broken\\n")
        """
    )
    result = suite.write().run("--pii-audit-dir=audit")
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        ["pii-eval: the audit directory was not written: conformance-positive.jsonl:19: *"]
    )
    assert leftovers(suite) == []


def test_nothing_run_leaves_no_audit(suite):
    """Neither `--co` nor an empty selection writes an audit directory."""
    suite.write().run("--co", "-q", "--pii-audit-dir=audit")
    suite.run("-k", "no_such_word", "--pii-audit-dir=audit")
    assert leftovers(suite) == []
