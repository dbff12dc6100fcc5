"""Setting floors: from a report on the dev freeze to numbers in the floors file, which is written whole."""

from __future__ import annotations

import re
from dataclasses import replace as changed
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.arguments import why
from pytest_pii_eval.contracts.canonical import sha256
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input
from pytest_pii_eval.contracts.floors_file import SetFrom, floors_fingerprint, read_floors
from pytest_pii_eval.contracts.identifiers import OPAQUE_ID_PATTERN
from pytest_pii_eval.contracts.limits import parse_limit
from pytest_pii_eval.contracts.yaml_file import MAX_FILE_BYTES
from pytest_pii_eval.freezes.floors_measuring import measured
from pytest_pii_eval.freezes.floors_writing import checked, rendered
from pytest_pii_eval.reports.read import read_report
from pytest_pii_eval.reports.write import write_atomically

if TYPE_CHECKING:
    from fractions import Fraction
    from pathlib import Path

    from pytest_pii_eval.contracts.floors_file import Floor, FloorsFile
    from pytest_pii_eval.freezes.floors_measuring import Measured
    from pytest_pii_eval.reports.model import Report

_MAX_REPORT_BYTES: Final = 256 * 1024 * 1024
_ROLES: Final = "every-suite-has-a-role"
"""The rule without which a suite that is none of the sets could pass for the dev freeze."""

_IS_ID: Final = re.compile(OPAQUE_ID_PATTERN.removesuffix("$"))


class _Set(NamedTuple):
    """A floor as it will stand in the file; `found` is None where it was left alone."""

    floor: Floor
    found: Measured | None


def set_floors(
    report_path: Path, floors_path: Path, *, slack: str, replace: bool, root: Path | None = None
) -> list[str]:
    """Write the open floors of a floors file as numbers, and return a line for each floor.

    They come from the slices of the dev freeze in the report: recall less `slack`, extra spans plus `slack`
    (a share in plain decimal text), rounded away from what was measured to four decimals; p95 latency is
    what this report's host took, in whole milliseconds. `replace` sets anew what is set already. Symlinks
    below `root` are refused. Raises `Fault` where the report is no whole run on a dev freeze, holds a sealed
    slice or a rule about freezes that failed, where a floor has nothing to be set from, or where a file
    cannot be read or written; the floors file is as it was then.
    """
    share = _share(slack)
    before = read_input(floors_path, limit=MAX_FILE_BYTES, root=root)
    file = read_floors(floors_path, root=root)
    report, digest = _report(report_path, root)
    came = SetFrom(digest, report.subject.fingerprint, slack)
    try:
        _check_file(file, came, replace=replace)
        planned = _planned(file, report, share, replace=replace)
        came = _numbered(came, planned)
        text = rendered(
            [one.floor for one in planned], came, json=floors_path.suffix == ".json", kept=_kept(planned)
        )
        checked(text, [one.floor for one in planned], came)
    except Fault as fault:
        raise fault.at(file=floors_path.name) from None
    if read_input(floors_path, limit=MAX_FILE_BYTES, root=root) != before:
        raise Fault("was changed by somebody meanwhile; try again", file=floors_path.name)
    try:
        write_atomically(floors_path, text)
    except OSError as error:
        raise Fault(f"cannot be written ({why(error)})", file=floors_path.name) from None
    return [_line(one) for one in planned]


def _share(slack: str) -> Fraction:
    rule = "must be a share in plain decimal digits from 0 to 1, such as 0.02"
    try:
        share = parse_limit(slack)
    except Fault:
        raise Fault(rule, field="slack") from None
    if share is None or share > 1:
        raise Fault(rule, field="slack")
    return share


def _report(path: Path, root: Path | None) -> tuple[Report, str]:
    """Return the report and the SHA-256 of its bytes; raises `Fault` where no floor may come from it."""
    digest = sha256(read_input(path, limit=_MAX_REPORT_BYTES, root=root))
    report = read_report(path)
    if sha256(read_input(path, limit=_MAX_REPORT_BYTES, root=root)) != digest:
        raise Fault("was changed while it was read; try again", file=path.name)
    reason = _refusal(report)
    if reason is not None:
        raise Fault(reason, file=path.name)
    return report, digest


def _refusal(report: Report) -> str | None:
    """Return why floors may not be set from `report`, or None. What is sealed is refused before all else."""
    roles = [one.role for one in report.slices.values()]
    selection, rules = report.selection, report.freeze_rules
    failed = [name for name, rule in rules.items() if rule.verdict == "fail"]
    role = rules.get(_ROLES)
    refused = (
        ("sealed_freeze" in roles, "holds slices of a sealed freeze; floors come from the dev freeze alone"),
        (report.promotion is not None, "is of a sealed run; floors come from the dev freeze alone"),
        ("dev_freeze" not in roles, "holds no slice of a dev freeze (role: dev_freeze in its suite.yaml)"),
        (not all(map(_IS_ID.fullmatch, report.slices)), "names a slice by what is no identifier"),
        (not all(map(_IS_ID.fullmatch, rules)), "names a rule about freezes by what is no identifier"),
        (
            not report.complete or not report.consistent or report.missing_count or report.crashed,
            "is of a run that is not complete; repair it and run the dev freeze again",
        ),
        (bool(failed), f"is of a run in which rules about freezes failed: {', '.join(failed)}"),
        (
            bool(rules) and (role is None or role.verdict != "pass"),
            f"does not show that each suite of its run is one of the sets ({_ROLES} did not pass)",
        ),
        (selection.limit is not None, "is of a run limited to some documents; run the dev freeze whole"),
        (not selection.whole, "is of a part of the suite; run the dev freeze whole"),
    )
    return next((reason for applies, reason in refused if applies), None)


def _check_file(file: FloorsFile, came: SetFrom, *, replace: bool) -> None:
    """Raise `Fault` where nothing would be set, or where the file would name one source and have two."""
    if replace:
        return
    if not file.open:
        raise Fault("holds no open floor; give --replace to set all of them anew", field="floors")
    if len(file.open) < len(file.floors) and not _is_same(file.set_from, came):
        rule = "its numbers came from another report, detector or slack; give --replace to set all anew"
        raise Fault(rule, field="set_from")


def _is_same(before: SetFrom | None, came: SetFrom) -> bool:
    return before is None or changed(before, numbers=None) == came


def _numbered(came: SetFrom, planned: list[_Set]) -> SetFrom:
    return changed(came, numbers=floors_fingerprint(one.floor for one in planned))


def _planned(file: FloorsFile, report: Report, share: Fraction, *, replace: bool) -> list[_Set]:
    planned = []
    for at, floor in enumerate(file.floors):
        if floor.limit is not None and not replace:
            planned.append(_Set(floor, None))
            continue
        try:
            found = measured(floor, report, share)
        except Fault as fault:
            raise fault.at(field=f"floors[{at}]") from None
        planned.append(_Set(changed(floor, text=found.text, limit=parse_limit(found.text)), found))
    return planned


def _kept(planned: list[_Set]) -> int:
    return sum(one.found is None for one in planned)


def _line(one: _Set) -> str:
    floor, found = one
    about = [f"{name} {value}" for name, value in (("slice", floor.slice), ("type", floor.type)) if value]
    place = ", ".join([floor.kind, *about])
    if found is None:
        return f"{place}: {floor.text} (was set, left alone)"
    return f"{place}: {floor.text} ({found.words})"
