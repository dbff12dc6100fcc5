"""What a GitHub workflow sees of a run: the step summary and the annotations, each only where asked for."""

from __future__ import annotations

import pytest

LOST = "::error title=pii-eval%3A gate::slice people: leaks 1, must be at most 0 (support 3)"


@pytest.fixture
def workflow(quality, monkeypatch):
    """One slice with a leak, in a run that believes to be a step of a workflow."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(quality.path / "summary.md"))
    return quality.only("people").write()


def summary(quality):
    """Return the step summary."""
    return (quality.path / "summary.md").read_text(encoding="utf-8")


def told(result):
    """Return the lines that a workflow takes for commands."""
    return [line for line in result.outlines if line.startswith("::")]


def test_the_summary_is_appended(workflow):
    """What earlier steps wrote stays and the page follows it; a run that passes has no annotation."""
    (workflow.path / "summary.md").write_text("# Build\n", encoding="utf-8")
    result = workflow.run("--pii-github-summary", "--pii-github-annotations")
    assert result.ret == 0
    before, _, page = summary(workflow).partition("\n")
    assert before == "# Build"
    assert page.startswith("## pii-eval: pass\n- Leaks: slice `people`, type `person`: 1 of 3 gold spans\n")
    assert told(result) == []


def test_the_controller_alone_speaks(workflow):
    """With two workers the summary is the page, once, and each failed gate one annotation."""
    forms = ("--pii-github-summary", "--pii-github-annotations", "--pii-markdown=page.md")
    result = workflow.run("-n2", *forms, "--pii-max-leaks=0")
    assert result.ret == 1
    assert summary(workflow).strip() == (workflow.path / "page.md").read_text(encoding="utf-8").strip()
    assert told(result) == [f"{LOST}: type person leaks 1 of 3 gold spans"]


def test_nobody_who_does_not_ask_gets_either(workflow):
    """Without the options nothing is appended, and nothing printed that a workflow obeys."""
    assert told(workflow.run("--pii-max-leaks=0")) == []
    assert not (workflow.path / "summary.md").exists()


def test_a_summary_that_cannot_be_written_fails_the_run(workflow):
    """One line without the path of the machine, and status 1."""
    (workflow.path / "summary.md").mkdir()
    result = workflow.run("--pii-github-summary")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["pii-eval: the GitHub summary could not be written (*)"])
    assert str(workflow.path / "summary.md") not in result.stdout.str()


def test_a_quiet_run_has_its_annotations(workflow):
    """Under `-qq` there is no section, but the annotations are there."""
    lines = told(workflow.run("-qq", "--pii-max-leaks=0", "--pii-github-annotations"))
    assert lines == [f"{LOST}: type person leaks 1 of 3 gold spans"]


def test_annotations_stand_below_the_section(workflow):
    """Who reads the log sees them behind what they sum up."""
    lines = workflow.run("--pii-max-leaks=0", "--pii-github-annotations").outlines
    section = next(place for place, line in enumerate(lines) if line.startswith("verdict "))
    assert section < next(place for place, line in enumerate(lines) if line.startswith(LOST))
