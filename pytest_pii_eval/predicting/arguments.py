"""What commands that ask a detector have in common: its arguments, and faults that name them as theirs."""

from __future__ import annotations

import argparse
import re
from typing import Final

from pytest_pii_eval.arguments import MAX_SECONDS, option_of
from pytest_pii_eval.contracts.faults import Fault

_DECIMAL: Final = re.compile(r"[0-9]{1,18}(\.[0-9]{1,18})?", re.ASCII)
_OF_PYTEST: Final = re.compile(r"(?<!pytest )--pii-(?:document-(?=timeout))?")


def add_subject_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what is asked: a bank or a detector, and how long."""
    parser.add_argument(
        "--bank", metavar="FILE", help="the bank that is asked; beside --detector, the one records speak of"
    )
    parser.add_argument("--engine", choices=("embedded", "nerb"), help="engine of a bank")
    parser.add_argument("--detector", metavar="NAME", help="a shipped adapter, or module:attribute")
    parser.add_argument(
        "--detector-option",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        type=option_of,
        help="an option of the detector; may be given several times",
    )
    parser.add_argument(
        "--timeout", type=_seconds, metavar="SECONDS", help="give a document up after so long"
    )


def is_decimal(text: str) -> bool:
    """Whether `text` is a plain decimal number such as 0.95."""
    return _DECIMAL.fullmatch(text) is not None


def in_own_words(text: str) -> str:
    """Return `text` with the options of pytest as the arguments of a command that are called alike."""
    return _OF_PYTEST.sub("--", text)


def told(fault: Fault) -> str:
    """Return the line of a fault, which names the arguments of a command."""
    return str(Fault(in_own_words(fault.rule), file=fault.file, line=fault.line, field=fault.field))


def _seconds(text: str) -> float:
    if not is_decimal(text) or not 0 < float(text) <= MAX_SECONDS:
        rule = f"must be a plain decimal number of seconds above 0, at most {MAX_SECONDS:,}"
        raise argparse.ArgumentTypeError(rule)
    return float(text)
