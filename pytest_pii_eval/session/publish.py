"""Handing the report out: the hook, the file, the private audit; problems become lines, not tracebacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.private import ignore_for_git
from pytest_pii_eval.reports.model import Report
from pytest_pii_eval.reports.write import render_json, write_atomically
from pytest_pii_eval.withheld import InternalError, contained

if TYPE_CHECKING:
    import pytest

    from pytest_pii_eval.session.results import Results
    from pytest_pii_eval.settings import Settings


def publish(
    config: pytest.Config, settings: Settings, report: Report, results: Results
) -> tuple[Report, list[str]]:
    """Return the report as published, and what could not be done."""
    problems: list[str] = []
    report = _modified(config, report, problems)
    try:
        if settings.report_is_default:
            ignore_for_git(settings.report.parent)
        write_atomically(settings.report, render_json(report))
    except OSError as error:
        path = settings.shown(settings.report)
        problems.append(f"the report could not be written ({error.strerror}): {path}")
    if settings.audit_dir is not None:
        from pytest_pii_eval.session.audit import write_audit  # noqa: PLC0415  # only when asked for

        try:
            problems.extend(contained(lambda: write_audit(settings, report, results)))
        except InternalError as error:
            problems.append(f"the audit directory was not written: {error}")
    return report, problems


def _modified(config: pytest.Config, report: Report, problems: list[str]) -> Report:
    try:
        changed = config.hook.pytest_pii_modify_report(report=report, config=config)
        return report if changed is None else Report.model_validate(changed.model_dump(warnings=False))
    except Exception as error:  # noqa: BLE001  # a stranger's hook must not cost the report
        kind = type(error).__name__
        problems.append(f"a pytest_pii_modify_report hook failed ({kind}); its change is dropped")
        return report
