"""Prints what each form of a report costs a run, and how long pages and comparisons of large reports take.

Usage: python benchmarks/reports.py [DOCUMENTS] [ROUNDS]

The suite is that of docs/examples/freezes with DOCUMENTS (20,000) documents. A plain run and runs with one
form each take turns; CPU seconds of all processes count, and the ratio is of the best of ROUNDS (3) each.
"""

from __future__ import annotations

import importlib.util
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pii_eval import compare_reports, read_report
from pytest_pii_eval.reports.html.page import render_html
from pytest_pii_eval.reports.markdown.page import render_markdown

if TYPE_CHECKING:
    from types import ModuleType

    from pytest_pii_eval import Report

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "docs" / "examples" / "freezes" / "make_project.py"
PUBLISHED = ROOT / "docs" / "eval" / "embedded.json"
FORMS = {
    "plain": [],
    "Markdown and HTML": ["--pii-markdown=r.md", "--pii-html=r.html"],
    "baseline": ["--pii-baseline=base.json"],
    "audit directory": ["--pii-audit-dir=audit"],
    "error dump": ["--pii-error-dump=dump"],
}


def main() -> None:
    """Build the suite in a temporary folder, run, and print a line a figure."""
    documents, rounds = (int(text) for text in (*sys.argv[1:], *("20000", "3")[len(sys.argv) - 1 :]))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        example = _example()
        example.write_project(folder / "project")
        example.write_suite(folder / "project/dev", range(documents // 4), role="unit")
        (folder / "project/freezes.yaml").unlink()
        _run(folder / "project", ["--pii-baseline=base.json", "--pii-baseline-update"])
        seconds: dict[str, list[float]] = {form: [] for form in FORMS}
        for _ in range(rounds):
            for form, options in FORMS.items():
                seconds[form].append(_run(folder / "project", options))
    for form, found in seconds.items():
        print(f"{form}: {min(found):.2f} CPU s, {min(found) / min(seconds['plain']):.2f} times")
    _large()


def _large() -> None:
    report = read_report(PUBLISHED)
    slices = list(report.slices.values())
    for number in (36, 360, 3_600):
        many = {f"s{ordinal:05}": slices[ordinal % len(slices)] for ordinal in range(number)}
        large = report.model_copy(update={"slices": many})
        print(f"{number:,} slices: {_each(large)}")


def _each(report: Report) -> str:
    return ", ".join(
        f"{words} {_seconds_of(action):.2f} s"
        for words, action in (
            ("HTML", lambda: render_html(report)),
            ("Markdown", lambda: render_markdown(report)),
            ("comparison", lambda: compare_reports(report, report)),
        )
    )


def _seconds_of(action: object) -> float:
    started = time.process_time()
    action()  # type: ignore[operator]  # one of the lambdas above
    return time.process_time() - started


def _run(folder: Path, options: list[str]) -> float:
    for left in ("audit", "dump"):
        shutil.rmtree(folder / left, ignore_errors=True)
    command = ["-m", "pytest", "-q", "-p", "no:randomly", "--pii-detector=finder:Finder", "dev", *options]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], cwd=folder, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_project", EXAMPLE)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
