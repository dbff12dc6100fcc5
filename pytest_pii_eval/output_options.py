"""The options of what a run hands to readers beside the JSON report; imports pytest only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pytest

from pytest_pii_eval.settings import Outputs, dest_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_FILES: Final = (
    ("markdown", "FILE", "write the report as Markdown, for a pull request"),
    ("html", "FILE", "write the report as one HTML page"),
    ("baseline", "FILE", "compare with this report or snapshot; a regression fails the run"),
    ("error-dump", "DIR", "write pages that show each error IN ITS TEXT to this new private directory"),
)
_FLAGS: Final = (
    ("baseline-update", "write the snapshot of this run to the file that --pii-baseline names"),
    ("github-summary", "append the Markdown to the file that GITHUB_STEP_SUMMARY names, where it names one"),
    ("github-annotations", "print failed gates and items as annotations where GITHUB_ACTIONS is true"),
)
_TOLERANCE: Final = re.compile(r"([a-z][a-z0-9_]{0,63})=([0-9]{1,18}(?:\.[0-9]{1,18})?)", re.ASCII)


def add_output_options(parser: pytest.Parser, group: pytest.OptionGroup) -> None:
    """Declare the options, and an ini value beside each but the update of a baseline."""
    for name, metavar, text in _FILES:
        group.addoption(f"--pii-{name}", dest=dest_of(name), metavar=metavar, default=None, help=text)
        parser.addini(dest_of(name), f"{text} (as --pii-{name})", type="string", default="")
    for name, text in _FLAGS:
        group.addoption(f"--pii-{name}", dest=dest_of(name), action="store_true", default=False, help=text)
        if name != "baseline-update":
            parser.addini(dest_of(name), f"{text} (as --pii-{name})", type="bool", default=False)
    group.addoption(
        "--pii-tolerance",
        dest="pii_tolerances",
        metavar="METRIC=VALUE",
        action="append",
        default=[],
        help="how much worse than the baseline a metric may be; may be given several times",
    )
    parser.addini("pii_tolerances", "tolerances, METRIC=VALUE a line", type="linelist", default=[])


def read_outputs(config: pytest.Config, value: Callable[[str], str], path: Callable[[str], Path]) -> Outputs:
    """Return what was asked for; raises `UsageError` where it makes no sense.

    `value` gives the value of an option by its name, `path` the path that it names.
    """
    files = {_field(name): path(name) if value(name) else None for name, _, _ in _FILES}
    flags = {_field(name): _flag(config, name) for name, _ in _FLAGS}
    outputs = Outputs(**files, **flags, tolerances=_tolerances(config))  # type: ignore[arg-type]  # by field name
    if outputs.baseline is None and (outputs.baseline_update or config.getoption("pii_tolerances")):
        raise pytest.UsageError("--pii-baseline-update and --pii-tolerance need --pii-baseline FILE")
    if outputs.baseline is not None and not (outputs.baseline_update or outputs.baseline.is_file()):
        raise pytest.UsageError("--pii-baseline: names no file; --pii-baseline-update writes it")
    return outputs


def _tolerances(config: pytest.Config) -> tuple[tuple[str, str], ...]:
    """Return the tolerances by metric; the command line comes after the ini value, and wins."""
    found: dict[str, str] = {}
    for ordinal, text in enumerate(
        [*config.getini("pii_tolerances"), *config.getoption("pii_tolerances")], 1
    ):
        match = _TOLERANCE.fullmatch(text.replace(" ", ""))
        if match is None:
            raise pytest.UsageError(
                f"--pii-tolerance: number {ordinal} must have the form METRIC=VALUE, such as recall=0.01"
            )
        found[match[1]] = match[2]
    return tuple(found.items())


def _flag(config: pytest.Config, name: str) -> bool:
    given = bool(config.getoption(dest_of(name)))
    return given or (name != "baseline-update" and bool(config.getini(dest_of(name))))


def _field(name: str) -> str:
    return name.replace("-", "_")
