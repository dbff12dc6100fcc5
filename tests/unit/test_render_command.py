"""The command `pii-eval render`: which pages it writes, what it refuses, and how it ends."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from pytest_pii_eval.reports.render_command import add_arguments, run_command

SHA = "sha256:" + "0" * 64
REPORT = {
    "schema_version": "pii_eval.report.v1",
    "complete": True,
    "missing": [],
    "missing_count": 0,
    "crashed": [],
    "selection": {"whole": True, "collected": 0, "selected": 0},
    "scorer": {"version": "0.1.0", "source_sha256": SHA, "git_revision": None, "git_dirty": None},
    "subject": {"kind": "detector", "name": "tiny", "version": "1", "libraries": {}, "fingerprint": SHA},
    "conformance": None,
    "gates": [],
    "fingerprints": {},
    "passed": False,
    "run": {
        "started": "2026-01-01T00:00:00+00:00",
        "seconds": 0.5,
        "python": "3.11.0",
        "platform": "linux",
        "pytest": "9.0.0",
        "processes": 1,
    },
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A working directory with a report of a run that failed."""
    (tmp_path / "report.json").write_text(json.dumps(REPORT), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def render(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return run_command(parser.parse_args(arguments))


def test_both_pages_are_written_and_the_verdict_changes_nothing(place):
    """The report of a failed run renders with status 0."""
    assert render("report.json", "--html", "pages/r.html", "--markdown", "r.md") == 0
    assert "FAIL" in (place / "pages/r.html").read_text(encoding="utf-8")
    assert "FAIL" in (place / "r.md").read_text(encoding="utf-8")


def test_a_page_of_ours_is_replaced(place):
    """Rendering twice is no fault."""
    assert render("report.json", "--html", "r.html", "--markdown", "r.md") == 0
    assert render("report.json", "--html", "r.html", "--markdown", "r.md") == 0


@pytest.mark.parametrize("option", ["--html", "--markdown"])
def test_a_file_that_is_not_ours_is_left_as_it_is(place, capsys, option):
    """The message names the option and the file, and nothing of it changes."""
    (place / "mine.html").write_text("<p>mine</p>", encoding="utf-8")

    assert render("report.json", option, "mine.html") == 1
    assert (place / "mine.html").read_text(encoding="utf-8") == "<p>mine</p>"
    assert f"mine.html: {option}: was not written by pii-eval" in capsys.readouterr().err


def test_nothing_is_written_where_one_page_is_refused(place):
    """A refused Markdown leaves no half of the pages behind."""
    (place / "mine.md").write_text("mine", encoding="utf-8")

    assert render("report.json", "--html", "r.html", "--markdown", "mine.md") == 1
    assert not (place / "r.html").exists()


def test_the_report_itself_is_never_replaced(place):
    """Naming the report as the page is a slip, and costs nothing."""
    before = (place / "report.json").read_bytes()

    assert render("report.json", "--html", "./report.json") == 2
    assert (place / "report.json").read_bytes() == before


def test_a_symlink_is_not_written_through(place, capsys):
    """What it leads to stays as it is."""
    (place / "link.html").symlink_to(place / "report.json")

    assert render("report.json", "--html", "link.html") == 1
    assert "is a symlink" in capsys.readouterr().err


def test_a_folder_is_no_page(place):
    """A directory in the way is a fault and no traceback."""
    (place / "pages").mkdir()

    assert render("report.json", "--html", "pages") == 1


@pytest.mark.parametrize(("option", "begin"), [("--html", "<!DOCTYPE html>"), ("--markdown", "")])
def test_a_dash_is_standard_output(place, capsys, option, begin):
    """The page alone is printed, and no file is made."""
    assert render("report.json", option, "-") == 0
    out = capsys.readouterr().out
    assert out.lstrip().startswith(begin)
    assert "tiny" in out
    assert [path.name for path in place.iterdir()] == ["report.json"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("report.json",),
        ("report.json", "--html", "-", "--markdown", "-"),
        ("report.json", "--html", "same", "--markdown", "./same"),
        ("report.json", "--html", "r.html", "--tolerance", "recall=0.1"),
    ],
    ids=["no page", "two on standard output", "two of one name", "tolerance without baseline"],
)
def test_wrong_usage_is_2_and_writes_nothing(place, arguments):
    """What makes no sense is told before anything is read."""
    assert render(*arguments) == 2
    assert [path.name for path in place.iterdir()] == ["report.json"]


@pytest.mark.parametrize("payload", [b"{}", b"nonsense", b'{"schema_version": "pii_eval.report.v1"}'])
def test_what_is_no_report_is_a_fault_with_its_name(place, capsys, payload):
    """The file is named by its last part, and no path of the machine is told."""
    (place / "other.json").write_bytes(payload)

    assert render("other.json", "--html", "r.html") == 1
    error = capsys.readouterr().err
    assert "other.json" in error
    assert str(place) not in error
    assert not (place / "r.html").exists()


def test_a_report_that_is_not_there_is_a_fault(place, capsys):
    """A slip of the finger has no traceback."""
    assert render("nowhere.json", "--html", "r.html") == 1
    assert "nowhere.json: does not exist" in capsys.readouterr().err


def test_a_baseline_is_shown_on_the_page(place):
    """The section about the baseline says whether anything was compared."""
    (place / "old.json").write_text(json.dumps(REPORT), encoding="utf-8")

    assert render("report.json", "--html", "r.html", "--baseline", "old.json") == 0
    assert "No baseline was given" not in (place / "r.html").read_text(encoding="utf-8")


def test_a_baseline_that_is_none_is_a_fault_with_its_name(place, capsys):
    """The baseline is named, not the report."""
    Path("old.json").write_text("{}", encoding="utf-8")

    assert render("report.json", "--html", "r.html", "--baseline", "old.json") == 1
    assert "old.json" in capsys.readouterr().err


def test_a_tolerance_without_a_value_is_refused(place):
    """The command ends with status 2 and says the form."""
    with pytest.raises(SystemExit) as ended:
        render("report.json", "--html", "r.html", "--baseline", "report.json", "--tolerance", "recall")

    assert ended.value.code == 2
