"""The reference names what there is, and nothing else: options, schemas, metrics, fields, hooks, commands."""

from __future__ import annotations

import argparse
import re
from typing import get_args

import pytest
from docs_fences import ROOT, fences, pages, read_page
from pydantic import BaseModel

from pytest_pii_eval import fixtures, hookspecs
from pytest_pii_eval.cli import main
from pytest_pii_eval.reports import model
from pytest_pii_eval.reports.schemas import SCHEMAS
from pytest_pii_eval.scoring.metric import Reason
from pytest_pii_eval.scoring.metrics import METRIC_NAMES, TYPE_METRIC_NAMES

_MODELS = [
    one
    for one in vars(model).values()
    if isinstance(one, type) and issubclass(one, BaseModel) and one.__module__ == model.__name__
]
_NAME = re.compile(r"`([a-z][a-z0-9_]*)`")


def rows(page: str, pattern: str) -> list[str]:
    """Return what a pattern finds in the first column of the tables of a page."""
    return re.findall(rf"^\| `({pattern})", read_page(page), re.MULTILINE)


def ini_values(config) -> set[str]:
    """Return our ini values."""
    return {name for name in config._parser._inidict if name.startswith("pii_")}


def test_every_option_is_in_the_table(pytestconfig):
    """Each once, and no other."""
    groups = [one for one in pytestconfig._parser._groups if one.name == "pii-eval"]
    options = [name for group in groups for option in group.options for name in option.names()]
    table = rows("docs/options.md", r"--pii-[a-z0-9-]+")
    assert sorted(table) == sorted(options)


def test_every_ini_value_is_told(pytestconfig):
    """By an option of its name, or by its own."""
    page = read_page("docs/options.md")
    by_option = {f"pii_{name[6:].replace('-', '_')}" for name in rows("docs/options.md", r"--pii-[a-z0-9-]+")}
    assert ini_values(pytestconfig) - by_option - set(re.findall(r"`(pii_[a-z0-9_]+)`", page)) == set()
    assert set(re.findall(r"`(pii_[a-z0-9_]+)`", page)) - ini_values(pytestconfig) <= {
        *("pii_bank", "pii_detector", "pii_evaluate", "pii_snapshot")
    }


def test_an_option_without_an_ini_value_says_so(pytestconfig):
    """The rows that say so are those of which it is true."""
    told = [
        line.split("`")[1].split()[0]
        for line in read_page("docs/options.md").splitlines()
        if line.startswith("| `--pii-") and ("no ini value" in line or "(ini `" in line or "-sealed" in line)
    ]
    known = ini_values(pytestconfig)
    table = rows("docs/options.md", r"--pii-[a-z0-9-]+")
    assert told == [name for name in table if name.replace("-", "_").lstrip("_") not in known]


def test_every_schema_has_its_page():
    """Each once, and no other."""
    assert sorted(rows("docs/reference/files.md", r"[a-z-]+")) == sorted(SCHEMAS)


def test_every_metric_has_its_formula():
    """Those with a prefix are told by the rule of the prefix."""
    named = set(_NAME.findall(read_page("docs/metrics.md")))
    names = METRIC_NAMES | TYPE_METRIC_NAMES
    assert {
        one for one in names if one not in named and one.removeprefix("protection_") not in named
    } == set()


def test_every_reason_is_told():
    """The table has the closed list."""
    table = read_page("docs/metrics.md").split("## Reasons")[1].split("## Gates")[0]
    assert sorted(re.findall(r"^\| `([a-z_]+)` \|", table, re.MULTILINE)) == sorted(get_args(Reason))


@pytest.mark.parametrize("described", _MODELS, ids=lambda one: one.__name__)
def test_every_field_of_a_report_is_told(described):
    """docs/report.md names it."""
    named = set(_NAME.findall(read_page("docs/report.md")))
    assert [name for name in described.model_fields if name not in named] == []


def test_every_hook_is_told():
    """With its arguments, and no other."""
    hooks = [name for name in vars(hookspecs) if name.startswith("pytest_pii_")]
    told = rows("docs/reference/hooks.md", r"pytest_pii_[a-z_]+\([a-z, ]+\)")
    assert sorted(told) == sorted(
        f"{name}({', '.join(getattr(hookspecs, name).__code__.co_varnames)})" for name in hooks
    )


def test_every_fixture_is_told():
    """Each once, and no other."""
    made = [name for name, one in vars(fixtures).items() if type(one).__name__ == "FixtureFunctionDefinition"]
    assert sorted(rows("docs/reference/fixtures.md", r"pii_[a-z_]+")) == sorted(made)


def test_every_command_is_told(monkeypatch):
    """Each once, and no other."""
    parsers = []

    def keep(self, *_):
        parsers.append(self)
        raise SystemExit

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", keep)
    with pytest.raises(SystemExit):
        main([])
    told = rows("docs/reference/commands.md", r"pii-eval(?: [a-z-]+)+")
    assert sorted(told) == sorted(f"pii-eval {name}" for name in commands(parsers[0]))


def commands(parser: argparse.ArgumentParser) -> list[str]:
    """Return the commands below a parser, those of commands included."""
    found = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                found += [f"{name} {one}" for one in commands(below)] or [name]
    return found


def test_every_test_that_a_page_names_is_there():
    """A file of tests, or a test in one of them."""
    files = list((ROOT / "tests").rglob("*.py")) + list((ROOT / "pytest_pii_eval/testing").glob("*.py"))
    known = {path.stem for path in files}
    for path in files:
        known |= set(re.findall(r"def (test_\w+)\(", path.read_text(encoding="utf-8")))
    named = {
        (page, name)
        for page in pages()
        for name in re.findall(r"`(?:tests/[a-z_/]+/)?(test_\w+)(?:\.py)?`", read_page(page))
    }
    shown = {page: "".join(one.name + one.text for one in fences(page)) for page, _ in named}
    assert sorted((page, name) for page, name in named if name not in known and name not in shown[page]) == []
