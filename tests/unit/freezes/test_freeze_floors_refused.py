"""What floors are never set from, and that the floors file is as it was then."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from ship_values import DETECTOR, GOLD, OTHER, metric, nothing, quality_slice, report, run_of

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes import floors_setting
from pytest_pii_eval.freezes.floors_setting import set_floors
from pytest_pii_eval.freezes.floors_writing import rendered
from pytest_pii_eval.reports.write import render_json

if TYPE_CHECKING:
    from pathlib import Path

OPEN = """\
version: pii_eval.floors.v1
floors:
  - {kind: exact_recall, slice: mail, type: email, limit: open}
"""
PROMOTION = {
    "id": "p1",
    "set": "sealed",
    "started": OTHER,
    "gold": GOLD,
    "detector": DETECTOR,
    "floors": OTHER,
    "ships": False,
    "parts": {},
}
SEALED = "dev.json: holds slices of a sealed freeze; floors come from the dev freeze alone"


NO_ROLES = "does not show that each suite of its run is one of the sets (every-suite-has-a-role did not pass)"


def _rules(**verdicts: str) -> dict[str, Any]:
    """Return what rules found: roles and one more pass, but for `verdicts`."""
    found = {"every-suite-has-a-role": "pass", "evidence-is-committed": "pass", **verdicts}
    return {name: {"verdict": verdict, "reasons": ["CANARY"]} for name, verdict in found.items()}


def _dev(**fields: Any) -> dict[str, Any]:
    return quality_slice(role="dev_freeze", **fields)


def _written(folder: Path, **fields: Any) -> Path:
    path = folder / "dev.json"
    own = {"slices": {"mail": _dev()}, "freeze_rules": {}, "gates": []}
    path.write_text(render_json(report(**{**own, **fields})), encoding="utf-8")
    return path


def _refusal(
    folder: Path,
    *,
    floors: str = OPEN,
    slack: str = "0.02",
    replace: bool = False,
    source: Path | None = None,
    **fields: Any,
) -> str:
    """Return the fault of setting floors, and be sure that the floors file was left as it was."""
    path = folder / "floors.yaml"
    path.write_text(floors)
    found = source or _written(folder, **fields)
    with pytest.raises(Fault) as caught:
        set_floors(found, path, slack=slack, replace=replace)
    assert path.read_text() == floors
    assert not list(folder.glob(".*"))
    return str(caught.value)


@pytest.mark.parametrize(
    "slices",
    [
        {"mail": quality_slice()},
        {"mail": _dev(), "sealed": quality_slice()},
        {"mail": _dev(), "sealed": quality_slice(evaluated=False, reason="empty_population")},
    ],
)
def test_a_report_with_a_sealed_slice(tmp_path, slices) -> None:
    """One slice of the sealed freeze, evaluated or not, and the report is refused whole."""
    assert _refusal(tmp_path, slices=slices) == SEALED


def test_sealed_slices_are_refused_before_anything_else(tmp_path) -> None:
    """Whatever else is wrong with it, a report with sealed slices is refused for these."""
    assert _refusal(tmp_path, slices={"mail": quality_slice()}, complete=False) == SEALED


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"promotion": PROMOTION}, "is of a sealed run; floors come from the dev freeze alone"),
        ({"slices": {}}, "holds no slice of a dev freeze (role: dev_freeze in its suite.yaml)"),
        (
            {"slices": {"mail": quality_slice(role="public")}},
            "holds no slice of a dev freeze (role: dev_freeze in its suite.yaml)",
        ),
        (
            {"slices": {"mail": quality_slice(role=None)}},
            "holds no slice of a dev freeze (role: dev_freeze in its suite.yaml)",
        ),
        ({"complete": False}, "is of a run that is not complete; repair it and run the dev freeze again"),
        ({"consistent": False}, "is of a run that is not complete; repair it and run the dev freeze again"),
        ({"missing_count": 1}, "is of a run that is not complete; repair it and run the dev freeze again"),
        ({"crashed": ["x"]}, "is of a run that is not complete; repair it and run the dev freeze again"),
        (
            {"selection": {"whole": False, "collected": 0, "selected": 0}},
            "is of a part of the suite; run the dev freeze whole",
        ),
        (
            {"selection": {"whole": True, "collected": 0, "selected": 0, "limit": 10}},
            "is of a run limited to some documents; run the dev freeze whole",
        ),
        ({"slices": {"mail": _dev(), "A CANARY": _dev()}}, "names a slice by what is no identifier"),
        (
            {"freeze_rules": _rules(**{"A CANARY": "fail"})},
            "names a rule about freezes by what is no identifier",
        ),
        (
            {"freeze_rules": _rules(**{"dev-freeze-was-read": "fail", "ledger-holds": "fail"})},
            "is of a run in which rules about freezes failed: dev-freeze-was-read, ledger-holds",
        ),
        (
            {"freeze_rules": _rules(**{"every-suite-has-a-role": "fail"})},
            "is of a run in which rules about freezes failed: every-suite-has-a-role",
        ),
        ({"freeze_rules": _rules(**{"every-suite-has-a-role": "not_evaluated"})}, NO_ROLES),
        ({"freeze_rules": {"ledger-holds": {"verdict": "pass", "reasons": []}}}, NO_ROLES),
    ],
)
def test_reports_that_set_nothing(tmp_path, fields, reason) -> None:
    """A report that is not of a whole, complete run on a dev freeze is refused, by its name."""
    assert _refusal(tmp_path, **fields) == f"dev.json: {reason}"


@pytest.mark.parametrize(
    ("floor", "reason"),
    [
        (
            "kind: exact_recall, slice: notes, type: email",
            "speaks of slice notes, which the report does not hold",
        ),
        (
            "kind: exact_recall, slice: spy, type: email",
            "speaks of slice spy, which is of no dev freeze in the report",
        ),
        (
            "kind: exact_recall, slice: mail, type: iban",
            "cannot be set: slice mail has no type iban in scope; name a slice that has one",
        ),
        (
            'kind: exact_recall, slice: "*", type: person',
            "cannot be set: recall of slice negative has no value (no_gold); name a slice that has one",
        ),
        (
            "kind: extra_span_rate, slice: mail",
            (
                "cannot be set: extra_span_rate of slice mail has no value (partial_annotation);"
                " name a slice that has one"
            ),
        ),
        (
            "kind: extra_span_rate, slice: bare",
            "cannot be set: the report has no extra_span_rate for slice bare",
        ),
        (
            "kind: extra_span_rate, slice: odd",
            (
                "cannot be set: extra_span_rate of slice odd has no value (for an unknown reason);"
                " name a slice that has one"
            ),
        ),
        (
            "kind: extra_span_rate, slice: count",
            "cannot be set: extra_span_rate of slice count has no numerator and denominator",
        ),
        (
            "kind: extra_span_rate, slice: edited",
            "cannot be set: extra_span_rate of slice edited is not its numerator over its denominator",
        ),
        ("kind: p95_latency_ms", "cannot be set: no document of 1501-2500 characters was timed"),
    ],
)
def test_floors_with_nothing_to_be_set_from(tmp_path, floor, reason) -> None:
    """A metric without a value sets no floor; the fault names the floor, the slice and the reason."""
    extra = "extra_span_rate"
    slices = {
        "mail": _dev(metrics={extra: nothing("partial_annotation")}),
        "negative": _dev(by_type={"person": {"counts": {}, "metrics": {"recall": nothing("no_gold")}}}),
        "bare": _dev(metrics={}),
        "odd": _dev(metrics={extra: nothing("a CANARY")}),
        "count": _dev(metrics={extra: metric(3, None, 4)}),
        "edited": _dev(metrics={extra: {**metric(3, 4, 4), "value": 0.5}}),
        "spy": quality_slice(role="public"),
    }
    floors = OPEN + f"  - {{{floor}, limit: open}}\n"
    assert _refusal(tmp_path, floors=floors, slices=slices) == f"floors.yaml: floors[1]: {reason}"


def test_a_run_that_timed_other_notes(tmp_path) -> None:
    """Latency of short notes says nothing about notes of 2,000 characters."""
    latency = {
        "host": {"system": "Linux", "machine": "x", "processors": 2},
        "bands": {"0-500": {"documents": 31, "p50_ms": 1.0, "p95_ms": 2.0}},
        "warm_up": {"builds": 1, "build_seconds": 1.0, "documents": 3, "seconds": 1.0},
    }
    floors = OPEN + "  - {kind: p95_latency_ms, limit: open}\n"
    said = _refusal(tmp_path, floors=floors, run=run_of(latency=latency))
    assert said == "floors.yaml: floors[1]: cannot be set: no document of 1501-2500 characters was timed"


def test_recall_above_one(tmp_path) -> None:
    """A report that somebody edited to more hits than gold writes no file that would not read."""
    rows = {"email": {"counts": {}, "metrics": {"recall": metric(21, 20, 20)}}}
    said = _refusal(tmp_path, slices={"mail": _dev(by_type=rows)}, slack="0")
    assert said == "floors.yaml: floors[0].limit: is a share; nothing reaches more than 1"


@pytest.mark.parametrize("slack", ["", "-0.1", "1e-2", "open", "1.01", "0.1 ", ".5", "\u0660.\u0665"])
def test_slack_that_is_no_share(tmp_path, slack) -> None:
    """Slack is plain decimal text from 0 to 1."""
    assert _refusal(tmp_path, slack=slack) == (
        "slack: must be a share in plain decimal digits from 0 to 1, such as 0.02"
    )


def test_no_open_floor(tmp_path) -> None:
    """A file whose floors are all set is not claimed to come from another report."""
    assert _refusal(tmp_path, floors=OPEN.replace("open", "0.9")) == (
        "floors.yaml: floors: holds no open floor; give --replace to set all of them anew"
    )


def test_numbers_of_two_sources(tmp_path) -> None:
    """A file names one report; numbers of another one beside them would be claimed for it."""
    came = f"set_from: {{report: '{OTHER}', detector: '{DETECTOR}', slack: 0.02}}\n"
    second = "  - {kind: exact_recall, slice: mail, type: person, limit: 0.5}\n"
    said = _refusal(tmp_path, floors=OPEN.replace("floors:\n", f"{came}floors:\n") + second)
    assert said == (
        "floors.yaml: set_from: its numbers came from another report, detector or slack;"
        " give --replace to set all anew"
    )


@pytest.mark.parametrize(
    "floors",
    [
        "",
        "version: pii_eval.floors.v1\n",
        "version: pii_eval.floors.v2\nfloors: [{kind: exact_recall, slice: a, type: email, limit: open}]\n",
        "version: pii_eval.floors.v1\nfloors: [{kind: exact_recall, slice: mail, limit: open}]\n",
        "version: pii_eval.floors.v1\nfloors: [{kind: exact_recall, type: email, limit: open}]\n",
        "version: pii_eval.floors.v1\nfloors: [{kind: CANARY, limit: open}]\n",
        "{{{{",
    ],
)
def test_a_broken_floors_file(tmp_path, floors) -> None:
    """A floors file that breaks its contract is refused by its name, and none of it is said."""
    said = _refusal(tmp_path, floors=floors)
    assert said.startswith("floors.yaml:")
    assert "CANARY" not in said


@pytest.mark.parametrize(
    "content", ["", "CANARY", "[]", "{}", '{"schema_version": "CANARY"}', '{"a": 1, "a": 2}']
)
def test_a_broken_report(tmp_path, content) -> None:
    """What is no report is refused by its name, and none of it is said."""
    source = tmp_path / "dev.json"
    source.write_text(content)
    said = _refusal(tmp_path, source=source)
    assert said.startswith("dev.json")
    assert "CANARY" not in said


def test_a_report_that_is_not_there(tmp_path) -> None:
    """The fault names the file by its last part."""
    assert _refusal(tmp_path, source=tmp_path / "absent.json") == "absent.json: does not exist"


def test_floors_that_are_not_there(tmp_path) -> None:
    """No floors file is made up: which floors a promotion needs is for its owner to say."""
    with pytest.raises(Fault, match=r"^floors\.yaml: does not exist$"):
        set_floors(_written(tmp_path), tmp_path / "floors.yaml", slack="0", replace=False)
    assert not (tmp_path / "floors.yaml").exists()


def test_symlinks_are_refused(tmp_path) -> None:
    """A floors file that is a symlink would be replaced by a file, so it is refused."""
    real = tmp_path / "real.yaml"
    real.write_text(OPEN)
    (tmp_path / "floors.yaml").symlink_to(real)
    with pytest.raises(Fault, match=r"^floors\.yaml: is a symlink; name the real file$"):
        set_floors(_written(tmp_path), tmp_path / "floors.yaml", slack="0", replace=False)
    assert real.read_text() == OPEN


def test_a_folder_that_is_a_symlink(tmp_path) -> None:
    """Below the root, a symlink on the way is refused as well."""
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "floors.yaml").write_text(OPEN)
    (tmp_path / "linked").symlink_to(tmp_path / "real")
    path = tmp_path / "linked" / "floors.yaml"
    with pytest.raises(Fault, match="is reached through a symlink"):
        set_floors(_written(tmp_path), path, slack="0", replace=False, root=tmp_path)


def test_a_disk_that_refuses(tmp_path, monkeypatch) -> None:
    """Where the file cannot be written, the fault says why, without a path of the machine."""

    def refuse(*_: object) -> None:
        raise PermissionError(13, "CANARY", str(tmp_path))

    monkeypatch.setattr(os, "fsync", refuse)
    assert _refusal(tmp_path) == "floors.yaml: cannot be written (EACCES)"


def test_an_edit_in_between(tmp_path, monkeypatch) -> None:
    """What somebody writes while floors are set is not overwritten."""
    edited = OPEN + "  - {kind: extra_span_rate, slice: mail, limit: 0.5}\n"

    def reading(path: Path) -> object:
        (tmp_path / "floors.yaml").write_text(edited)
        return report(slices={"mail": _dev()}, freeze_rules={})

    monkeypatch.setattr(floors_setting, "read_report", reading)
    (tmp_path / "floors.yaml").write_text(OPEN)
    with pytest.raises(Fault, match=r"^floors\.yaml: was changed by somebody meanwhile; try again$"):
        set_floors(_written(tmp_path), tmp_path / "floors.yaml", slack="0", replace=False)
    assert (tmp_path / "floors.yaml").read_text() == edited


def test_a_report_that_changes_while_it_is_read(tmp_path, monkeypatch) -> None:
    """The hash that the floors file names is that of the numbers in it."""

    def reading(path: Path) -> object:
        path.write_text(path.read_text() + "\n")
        return report(slices={"mail": _dev()}, freeze_rules={})

    monkeypatch.setattr(floors_setting, "read_report", reading)
    assert _refusal(tmp_path) == "dev.json: was changed while it was read; try again"


def test_a_text_that_would_not_read_back(tmp_path, monkeypatch) -> None:
    """The text is read before it takes the place of the file: other numbers, or another source, stop it."""
    for wrong in ({"limit: 0.9300": "limit: 0.9301"}, {"slack: 0.02": "slack: 0.03"}):
        [(right, other)] = wrong.items()

        def written(*arguments: Any, right: str = right, other: str = other, **named: Any) -> str:
            return rendered(*arguments, **named).replace(right, other)

        monkeypatch.setattr(floors_setting, "rendered", written)
        assert _refusal(tmp_path) == (
            "floors.yaml: would not read as what was to be written; nothing was changed"
        )


def test_names_of_a_report_are_not_said(tmp_path) -> None:
    """Words that somebody put where a report has codes do not come out in a fault."""
    source = _written(tmp_path)
    document = json.loads(source.read_text())
    document["slices"]["mail"]["by_type"]["email"]["metrics"]["recall"] = nothing("CANARY text")
    source.write_text(json.dumps(document))
    assert "CANARY" not in _refusal(tmp_path, source=source)
