"""The workflow files of docs/how-to-ci.md: they parse, and what they run is run where the docs show it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "how-to-ci.md").read_text(encoding="utf-8")
SHOWN_ON = ("tutorial-bank.md", "tutorial-detector.md", "how-to-ci.md")
SECRETIVE = ("--pii-reveal", "--pii-audit-dir", "--pii-error-dump", "--pii-baseline-update", "--pii-sealed")
# Of GitHub and GitLab themselves: nothing of ours runs them.
OF_THE_HOST = ("gh pr comment ", "curl ")


def workflow(name: str) -> dict[str, Any]:
    """Return the file `name` of the page as YAML 1.1 loads it; `on` is then the key True."""
    text = re.findall(rf"^```yaml {re.escape(name)}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert len(text) == 1
    loaded = yaml.safe_load(text[0])
    assert isinstance(loaded, dict)
    return loaded


def github() -> list[dict[str, Any]]:
    """Return the steps of the GitHub job."""
    return workflow(".github/workflows/pii.yml")["jobs"]["contract"]["steps"]


def commands() -> list[str]:
    """Return each line that either file runs, without those of the host."""
    gitlab = workflow(".gitlab-ci.yml")
    lines = [step["run"] for step in github() if "run" in step]
    lines += [line for job in gitlab.values() for line in job["script"]]
    return [line for line in lines if not line.startswith(OF_THE_HOST)]


def shown() -> set[str]:
    """Return the lines of every `sh` block of the pages that say how a run is started."""
    pages = "".join((DOCS / name).read_text(encoding="utf-8") for name in SHOWN_ON)
    blocks = re.findall(r"^```sh\n(.*?)^```$", pages, re.DOTALL | re.MULTILINE)
    return {line for block in blocks for line in block.splitlines()}


def test_both_files_run_the_suite():
    """Each file installs the package and runs pytest: four lines in all."""
    assert [line.split()[0] for line in commands()] == ["pip", "pytest", "pip", "pytest"]


@pytest.mark.parametrize("line", commands())
def test_a_command_is_one_that_the_docs_run(line):
    """Nobody runs the workflow files here, so their commands are lines that the docs show and run."""
    assert line in shown()


@pytest.mark.parametrize("line", commands())
def test_no_command_of_a_job_lets_text_out_or_rewrites_what_it_is_held_to(line):
    """No job reveals text, writes an audit or a dump, updates its baseline or runs a sealed freeze."""
    assert not [option for option in SECRETIVE if option in line]


def test_github_uploads_named_files_alone():
    """The artifact is four files by name: a folder could hold corpora."""
    paths = next(
        step["with"]["path"] for step in github() if step.get("uses", "").startswith("actions/upload")
    )
    assert paths.split() == ["report.html", "report.md", "junit.xml", ".pii_eval/report.json"]


def test_gitlab_keeps_named_files_alone():
    """The same for GitLab, which has the JUnit file as a report."""
    artifacts = workflow(".gitlab-ci.yml")["pii"]["artifacts"]
    assert artifacts["paths"] == ["report.html", "report.md", ".pii_eval/report.json"]
    assert artifacts["reports"] == {"junit": "junit.xml"}


def test_what_is_kept_is_kept_where_the_run_failed():
    """A red run is the one whose report is read: both hosts keep the files then, too."""
    upload = next(step for step in github() if step.get("uses", "").startswith("actions/upload"))
    assert upload["if"] == "${{ !cancelled() }}"
    assert workflow(".gitlab-ci.yml")["pii"]["artifacts"]["when"] == "always"


def test_the_promotion_page_shows_commands_of_the_worked_example():
    """Each command of docs/how-to-promotion.md is a line of docs/freezes.md, whose example is run."""
    page = (DOCS / "how-to-promotion.md").read_text(encoding="utf-8")
    lines = {
        line.strip()
        for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
        for line in block.splitlines()
    }
    lines.discard("")
    assert len(lines) == 7
    assert lines <= set((DOCS / "freezes.md").read_text(encoding="utf-8").splitlines())
