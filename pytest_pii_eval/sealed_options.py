"""The options of a sealed run, and what does not go with them; imports pytest only."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from pytest_pii_eval.settings import Sealed, dest_of

if TYPE_CHECKING:
    from collections.abc import Callable

_OPTIONS: Final = (
    ("sealed", "PROMOTION", "run the sealed freeze, once for this promotion, and write it into the ledger"),
    ("sealed-suite", "DIR", "where the sealed freeze lies, outside the repository"),
    ("sealed-reason", "CODE", "why this promotion replaces one that was interrupted"),
)
# Of a sealed run nothing may show text, and nothing may make it less than whole.
_FOREIGN: Final = ("audit-dir", "corpus", "error-dump", "limit", "predictions", "reveal", "types")
_PARTIAL: Final = (
    "keyword",
    "markexpr",
    "lf",
    "failedfirst",
    "stepwise",
    "stepwise_skip",
    "deselect",
    "maxfail",
)
_NO_RUN: Final = (
    "collectonly",
    "continue_on_collection_errors",
    "setuponly",
    "setupplan",
    "showfixtures",
    "show_fixtures_per_test",
    "cacheshow",
    "usepdb",
)
_BUDGETS: Final = ("max-dropped", "max-unmapped")
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}", re.ASCII)


def add_sealed_options(group: pytest.OptionGroup) -> None:
    """Declare the options; they have no ini values, as whoever runs the sealed freeze says so."""
    for name, metavar, text in _OPTIONS:
        group.addoption(f"--pii-{name}", dest=dest_of(name), metavar=metavar, default=None, help=text)


def read_sealed(config: pytest.Config, value: Callable[[str], str]) -> Sealed | None:
    """Return what was asked of the sealed freeze, or None; raises `UsageError` where it makes no sense.

    `value` gives the value of another option of ours by its name.
    """
    promotion, suite, reason = (config.getoption(dest_of(name)) for name, _, _ in _OPTIONS)
    if promotion is None:
        if suite is not None or reason is not None:
            raise pytest.UsageError("--pii-sealed-suite and --pii-sealed-reason need --pii-sealed PROMOTION")
        return None
    for name, given in (("sealed", promotion), ("sealed-reason", reason)):
        if given is not None and not _ID.fullmatch(given):
            raise pytest.UsageError(f"--pii-{name} must be an id: letters, digits, dots, dashes, underscores")
    if not suite:
        raise pytest.UsageError("--pii-sealed needs --pii-sealed-suite DIR, where the sealed freeze lies")
    _refuse_foreign(config, value)
    return Sealed(promotion, Path(os.path.normpath(config.invocation_params.dir / suite)), reason)


def _refuse_foreign(config: pytest.Config, value: Callable[[str], str]) -> None:
    for name in _FOREIGN:
        if value(name) not in ("", "none"):
            raise pytest.UsageError(f"--pii-{name} does not go with --pii-sealed")
    if any(value(name) not in ("", "0") for name in _BUDGETS):
        raise pytest.UsageError("of a sealed run nothing may be dropped or unmapped; leave the budgets out")
    if config.getoption("pii_gate_output") == "selected":
        raise pytest.UsageError("a sealed run judges protection output; leave --pii-gate-output out")
    if any(config.getoption(name, default=None) for name in _PARTIAL) or any(
        "::" in one for one in config.args
    ):
        raise pytest.UsageError("a sealed run is whole: no ids, -k, -m, -x, --lf, --ff, --sw or --deselect")
    if any(config.getoption(name, default=False) for name in _NO_RUN):
        raise pytest.UsageError(
            "a sealed run runs, and shows no text: no --collect-only, --pdb or --setup-plan"
        )
