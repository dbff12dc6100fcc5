"""What a run hands to readers beside the JSON report; each form is made elsewhere, when asked for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.reports.write import is_page, write_atomically
from pytest_pii_eval.withheld import InternalError, contained

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_pii_eval.reports.comparing.model import Comparison
    from pytest_pii_eval.reports.model import Report
    from pytest_pii_eval.settings import Settings


class Written(NamedTuple):
    """A file that was written: the form it holds, in a word, and where it lies."""

    form: str
    path: Path


class _Form(NamedTuple):
    """One file to write: its form, where it goes, and what makes its text."""

    name: str
    path: Path
    render: Callable[[], str]


def write_forms(
    settings: Settings, report: Report, comparison: Comparison | None
) -> tuple[list[Written], list[str]]:
    """Write Markdown and HTML where asked for; return what was written, and what could not, without text."""
    written, problems = [], []
    for form in _forms(settings, report, comparison):
        try:
            write_atomically(form.path, contained(form.render))
            written.append(Written(form.name, form.path))
        except OSError as error:
            shown = settings.shown(form.path)
            problems.append(f"the {form.name} report could not be written ({error.strerror}): {shown}")
        except InternalError as error:
            problems.append(f"the {form.name} report was not written: {error}")
    return written, problems


def withdraw_forms(settings: Settings) -> None:
    """Remove Markdown and HTML of an earlier run, lest they stand for this one if it dies."""
    for path in (settings.outputs.markdown, settings.outputs.html):
        if path is None:
            continue
        try:
            if path.is_file() and not path.is_symlink() and path.stat().st_size and is_page(path):
                path.unlink()
        except OSError:
            continue  # who cannot remove it will not be able to replace it either, and that is told


def append_summary(settings: Settings, report: Report, comparison: Comparison | None) -> list[str]:
    """Append the Markdown to the file that `GITHUB_STEP_SUMMARY` names, where asked for and named."""
    name = os.environ.get("GITHUB_STEP_SUMMARY", "")
    if not (settings.outputs.github_summary and name):
        return []
    from pytest_pii_eval.reports.markdown.page import render_markdown  # noqa: PLC0415  # only when asked for

    try:
        text = contained(lambda: render_markdown(report, comparison))
        with open(name, "a", encoding="utf-8", newline="\n") as handle:  # noqa: PTH123  # as it is named
            handle.write(text + "\n")
    except OSError as error:
        return [f"the GitHub summary could not be written ({error.strerror})"]
    except InternalError as error:
        return [f"the GitHub summary was not written: {error}"]
    return []


def _forms(settings: Settings, report: Report, comparison: Comparison | None) -> Iterator[_Form]:
    outputs = settings.outputs
    if outputs.markdown is not None:
        from pytest_pii_eval.reports.markdown.page import render_markdown  # noqa: PLC0415  # only when asked for

        yield _Form("Markdown", outputs.markdown, lambda: render_markdown(report, comparison))
    if outputs.html is not None:
        from pytest_pii_eval.reports.html.page import render_html  # noqa: PLC0415  # only when asked for

        yield _Form("HTML", outputs.html, lambda: render_html(report, comparison))
