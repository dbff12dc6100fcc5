"""A hook that changes the report: what it may change, and that the verdict of a sealed run is put back."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pluggy
import pytest

from pytest_pii_eval import hookspecs
from pytest_pii_eval.reports.model import Report
from pytest_pii_eval.session.publish import publish
from pytest_pii_eval.session.results import Results
from pytest_pii_eval.settings import default_settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SHA = "sha256:" + "0" * 64
PUT_BACK = "a pytest_pii_modify_report hook changed the verdict of a sealed run; that is put back"
FAILED = {"verdict": "fail", "reasons": ["invented"]}
GATE = {
    "id": "floors[0]",
    "metric": "recall",
    "direction": "min",
    "value": 0.5,
    "limit": 0.9,
    "support": 8,
    "verdict": "fail",
}
SHIPS_NOT = {
    "id": "p1",
    "set": "sealed",
    "started": SHA,
    "gold": SHA,
    "detector": SHA,
    "floors": SHA,
    "ships": False,
    "parts": {"leakage": FAILED},
}
SHIPS = {**SHIPS_NOT, "ships": True, "parts": {"leakage": {"verdict": "pass", "reasons": []}}}
RUN = {
    "started": "2026-01-01T00:00:00+00:00",
    "seconds": 1.0,
    "python": "3",
    "platform": "x",
    "pytest": "9",
    "processes": 1,
    "gates": [GATE],
}


def _report(**fields: Any) -> Report:
    """Return the report of a sealed run that does not ship."""
    own = {
        "complete": False,
        "missing": [],
        "missing_count": 0,
        "crashed": [],
        "selection": {"whole": True, "collected": 0, "selected": 0},
        "scorer": {"version": "1", "source_sha256": SHA, "git_revision": None, "git_dirty": None},
        "subject": {
            "kind": "detector",
            "name": "invented",
            "version": "1",
            "libraries": {},
            "fingerprint": SHA,
        },
        "conformance": None,
        "evidence_notes": ["no_names"],
        "freeze_rules": {"ledger-holds": FAILED},
        "promotion": SHIPS_NOT,
        "gates": [GATE],
        "fingerprints": {},
        "passed": False,
        "run": RUN,
    }
    return Report.model_validate({**own, **fields})


def _with(report: Report, **fields: Any) -> Report:
    """Return a copy of `report` with other fields, checked as a report is."""
    return Report.model_validate({**report.model_dump(), **fields})


def _published(
    folder: Path, report: Report, *hooks: Callable[[Report], object]
) -> tuple[Report, list[str], Report]:
    """Return the report as published, the problems, and the report as it was written."""
    manager = pluggy.PluginManager("pytest")
    manager.add_hookspecs(hookspecs)
    for hook in hooks:
        manager.register(_Stranger(hook))
    path = folder / "report.json"
    settings = default_settings(folder, report=path, report_is_default=False)
    config = SimpleNamespace(hook=manager.hook)
    published = publish(config, settings, report, Results())  # type: ignore[arg-type]  # what it reads
    return published.report, published.problems, Report.model_validate_json(path.read_text())


class _Stranger:
    """A plugin with the hook."""

    def __init__(self, hook: Callable[[Report], object]) -> None:
        self._hook = hook

    @pytest.hookimpl
    def pytest_pii_modify_report(self, report: Report) -> object:
        """Do as the test says."""
        return self._hook(report)


@pytest.mark.parametrize(
    "fields",
    [
        {"promotion": SHIPS},
        {"promotion": None},
        {"passed": True},
        {"complete": True},
        {"freeze_rules": {}},
        {"evidence_notes": []},
        {"gates": []},
        {"run": {**RUN, "gates": []}},
    ],
    ids=["ships", "no-promotion", "passed", "complete", "rules", "notes", "gates", "gates-of-the-host"],
)
def test_the_verdict_of_a_sealed_run_is_put_back(tmp_path, fields) -> None:
    """Each part of the verdict is as it was, in the report and on disk, and a problem says so once."""
    published, problems, written = _published(tmp_path, _report(), lambda one: _with(one, **fields))
    assert published == written == _report()
    assert problems == [PUT_BACK]


def test_a_verdict_that_is_changed_in_place(tmp_path) -> None:
    """A report is frozen, its lists are not: what a hook does to them is put back too."""

    def cheat(one: Report) -> None:
        one.gates.clear()
        one.run.gates.clear()
        one.evidence_notes.clear()
        one.freeze_rules.clear()
        one.promotion.parts.clear()  # type: ignore[union-attr]  # it has one
        one.promotion.__dict__["ships"] = True
        one.__dict__.update(passed=True, complete=True)

    published, problems, written = _published(tmp_path, _report(), cheat)
    assert published == written == _report()
    assert problems == [PUT_BACK]


def test_a_change_in_place_by_a_hook_that_fails(tmp_path) -> None:
    """What a hook did before it raised is dropped with it."""

    def cheat(one: Report) -> None:
        one.gates.clear()
        raise LookupError

    published, problems, written = _published(tmp_path, _report(), cheat)
    assert published == written == _report()
    assert problems == ["a pytest_pii_modify_report hook failed (LookupError); its change is dropped"]


def test_what_is_no_verdict_may_be_changed(tmp_path) -> None:
    """Of a sealed run too, a hook may change what decides nothing."""
    published, problems, written = _published(
        tmp_path, _report(), lambda one: _with(one, run={**RUN, "platform": "builder"})
    )
    assert published == written == _report(run={**RUN, "platform": "builder"})
    assert problems == []


def test_a_hook_that_only_looks(tmp_path) -> None:
    """A hook that changes nothing is no problem."""
    published, problems, written = _published(tmp_path, _report(), lambda _: None)
    assert published == written == _report()
    assert problems == []


def test_a_promotion_that_is_made_up(tmp_path) -> None:
    """A hook makes no sealed run of a plain one."""
    plain = _report(promotion=None)
    published, problems, written = _published(tmp_path, plain, lambda one: _with(one, promotion=SHIPS))
    assert published == written == plain
    assert problems == [PUT_BACK]


def test_the_report_of_a_plain_run_is_the_hooks_to_change(tmp_path) -> None:
    """Without a sealed run the hook's copy is taken as it is."""
    plain = _report(promotion=None)
    published, problems, written = _published(tmp_path, plain, lambda one: _with(one, gates=[]))
    assert published == written == _report(promotion=None, gates=[])
    assert problems == []
