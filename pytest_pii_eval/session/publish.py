"""Handing the report out: the hook, the file, the private audit; problems become lines, not tracebacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.private import ignore_for_git
from pytest_pii_eval.reports.model import Report
from pytest_pii_eval.reports.write import render_json, write_atomically
from pytest_pii_eval.session.outputs import Written, append_summary, write_forms
from pytest_pii_eval.withheld import InternalError, contained

if TYPE_CHECKING:
    import pytest

    from pytest_pii_eval.reports.comparing.model import Comparison
    from pytest_pii_eval.session.results import Results
    from pytest_pii_eval.settings import Settings

_VERDICT: Final = ("promotion", "passed", "complete", "freeze_rules", "evidence_notes", "gates")
"""What a report says of a verdict, beside the gates of its host."""


class Published(NamedTuple):
    """The report as published, what moved against the baseline, what was written, and what could not be."""

    report: Report
    comparison: Comparison | None
    written: list[Written]
    problems: list[str]


def publish(config: pytest.Config, settings: Settings, report: Report, results: Results) -> Published:
    """Hand the report out in every form that was asked for, once hooks have seen it."""
    problems: list[str] = []
    report = _modified(config, report, problems)
    published = handed_out(settings, report)
    return published._replace(problems=[*problems, *published.problems, *_private(settings, report, results)])


def is_failure(report: Report, comparison: Comparison | None) -> bool:
    """Whether a report, or what moved against the baseline, costs a run its success."""
    if report.passed is False or not report.complete:
        return True
    return comparison is not None and comparison.passed is False


def handed_out(settings: Settings, report: Report) -> Published:
    """Compare the report, and write it in every form that holds no text."""
    written: list[Written] = []
    problems: list[str] = []
    comparison = _compared(settings, report, problems)
    try:
        if settings.report_is_default:
            ignore_for_git(settings.report.parent)
        write_atomically(settings.report, render_json(report))
        written.append(Written("report", settings.report))
    except OSError as error:
        path = settings.shown(settings.report)
        problems.append(f"the report could not be written ({error.strerror}): {path}")
    forms, complaints = write_forms(settings, report, comparison)
    problems.extend([*complaints, *append_summary(settings, report, comparison)])
    return Published(report, comparison, [*written, *forms], problems)


def _compared(settings: Settings, report: Report, problems: list[str]) -> Comparison | None:
    if settings.outputs.baseline is None:
        return None
    from pytest_pii_eval.session.baseline import compared  # noqa: PLC0415  # only when asked for

    try:
        comparison, complaints = contained(lambda: compared(settings, report))
    except InternalError as error:
        problems.append(f"the baseline was not compared: {error}")
        return None
    problems.extend(complaints)
    return comparison


def _private(settings: Settings, report: Report, results: Results) -> list[str]:
    """Write the directories that hold text, where they were asked for."""
    problems: list[str] = []
    if settings.audit_dir is not None:
        from pytest_pii_eval.session.audit import write_audit  # noqa: PLC0415  # only when asked for

        try:
            problems.extend(contained(lambda: write_audit(settings, report, results)))
        except InternalError as error:
            problems.append(f"the audit directory was not written: {error}")
    if settings.outputs.error_dump is not None:
        from pytest_pii_eval.session.error_dump import write_error_dump  # noqa: PLC0415  # only when asked for

        try:
            problems.extend(contained(lambda: write_error_dump(settings, report, results)))
        except InternalError as error:
            problems.append(f"the error dump was not written: {error}")
    return problems


def _modified(config: pytest.Config, report: Report, problems: list[str]) -> Report:
    """Return what the hook made of the report; it gets a copy, as its lists could be changed in place."""
    if not config.hook.pytest_pii_modify_report.get_hookimpls():
        return report
    given = report.model_copy(deep=True)
    try:
        changed = config.hook.pytest_pii_modify_report(report=given, config=config)
        changed = given if changed is None else changed
        changed = Report.model_validate(changed.model_dump(warnings=False))
    except Exception as error:  # noqa: BLE001  # a stranger's hook must not cost the report
        kind = type(error).__name__
        problems.append(f"a pytest_pii_modify_report hook failed ({kind}); its change is dropped")
        return report
    if report.promotion is None and changed.promotion is None:
        return changed
    return _as_judged(report, changed, problems)


def _as_judged(report: Report, changed: Report, problems: list[str]) -> Report:
    """Return `changed` with the verdict of `report`: what a sealed run came to is for nobody to change."""
    judged = {name: getattr(report, name) for name in _VERDICT}
    run = changed.run.model_copy(update={"gates": report.run.gates})
    restored = changed.model_copy(update={**judged, "run": run})
    if restored != changed:
        problems.append(
            "a pytest_pii_modify_report hook changed the verdict of a sealed run; that is put back"
        )
    return restored
