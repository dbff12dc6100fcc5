"""The arguments of `pii-eval freeze`, each read by itself; what they do together lies beside."""

from __future__ import annotations

import argparse
import re
from fractions import Fraction
from typing import Final

from pytest_pii_eval.arguments import matching
from pytest_pii_eval.freezes.splitting import Part
from pytest_pii_eval.private import MARKER

FREEZES_FILE: Final = "freezes.yaml"

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_KEY: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_SHARE: Final = re.compile(r"0?\.[0-9]{1,9}")
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,11}")
_DECIMAL: Final = re.compile(r"(0|[1-9][0-9]{0,8})(\.[0-9]{1,9})?")
_PRINTABLE: Final = re.compile(r"[ -~]{0,256}")
# Those of the models, which take long to import: `--help` needs no pydantic.
SPLIT_KEYS: Final = ("template_id", "document_id")
ROLES: Final = ("unit", "public", "dev_freeze", "sealed_freeze")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    actions = parser.add_subparsers(dest="action", required=True)
    _add_split(
        actions.add_parser("split", help="split a suite into parts that share no template or document")
    )
    commit = actions.add_parser("commit", help="write which suite the sealed freeze is, without a word of it")
    commit.add_argument("suite", metavar="SUITE", help="the directory of the sealed freeze")
    _add_output(commit, "the commitment")
    commit.add_argument(
        "--split-key", choices=SPLIT_KEYS, default="template_id", help="whose hashes it holds (%(default)s)"
    )
    attest = actions.add_parser("attest", help="write that a human, by role, has read the dev freeze")
    attest.add_argument("key", metavar="KEY", type=_key, help="the dev freeze by its key in the freezes file")
    attest.add_argument("--by", required=True, metavar="ROLE", type=_key, help="who read it: a role, no name")
    _add_freezes(attest)
    hashed = actions.add_parser("hash", help="write a train list: hashes of the ids that were trained on")
    hashed.add_argument(
        "source", nargs="?", metavar="SOURCE", help="the directory of a suite, or a provenance sidecar"
    )
    hashed.add_argument("--ids", metavar="FILE", help="in place of SOURCE: a list with one id a line")
    _add_output(hashed, "the train list")
    hashed.add_argument(
        "--split-key", choices=SPLIT_KEYS, help="which ids of SOURCE are hashed (template_id)"
    )
    _add_floors(actions.add_parser("set-floors", help="write floors from a report on the dev freeze"))
    _add_freezes(actions.add_parser("verify-ledger", help="check the ledger of sealed runs and each report"))


def _add_split(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("suite", metavar="SUITE", help="the directory of the suite")
    add("--out", required=True, metavar="NEW_DIR", help="the directory to make, with a folder a part")
    add(
        "--part",
        action="append",
        required=True,
        type=_part,
        metavar="NAME=SIZE",
        help="a part: a share as 0.5, a number of documents, or rest; two or more of them",
    )
    add("--by", choices=SPLIT_KEYS, default="template_id", help="what stays together (%(default)s)")
    add("--seed", type=_seed, default="", metavar="TEXT", help="another text gives another split")
    add("--near", type=_near, default=Fraction(4, 5), metavar="SHARE", help="how alike is told (0.8)")
    add(
        "--role",
        action="append",
        default=[],
        type=_role,
        metavar="NAME=ROLE",
        help="the role that is written into the suite file of a part",
    )


def _add_floors(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("report", metavar="REPORT", help="the report, as JSON")
    add("--floors", metavar="FILE", help="the floors file; else the one that the freezes file names")
    add("--slack", type=_decimal, default="0", metavar="DECIMAL", help="room below what was measured (0)")
    add("--replace", action="store_true", help="also floors that are set already")
    _add_freezes(parser)


def _add_output(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--out", required=True, metavar="FILE", help=f"where {what} goes")
    parser.add_argument("--replace", action="store_true", help="also where FILE exists already")


def _add_freezes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--freezes", metavar="FILE", default=FREEZES_FILE, help="the freezes file (%(default)s)"
    )


def _part(text: str) -> Part:
    name, _, size = text.partition("=")
    _part_name(name)
    if size == "rest":
        return Part(name, size)
    if _SHARE.fullmatch(size) and Fraction(size):
        return Part(name, size, share=Fraction(size))
    matching(_NUMBER, size, "must be NAME=SIZE, SIZE a share between 0 and 1, a number of documents, or rest")
    return Part(name, size, documents=int(size))


def _role(text: str) -> tuple[str, str]:
    name, _, role = text.partition("=")
    if role not in ROLES:
        raise argparse.ArgumentTypeError(f"must be NAME=ROLE, ROLE one of {', '.join(ROLES)}")
    return _part_name(name), role


def _part_name(name: str) -> str:
    if name.casefold() == MARKER.casefold():
        raise argparse.ArgumentTypeError("must have another name: this one marks directories that are whole")
    return matching(_NAME, name, "must start with a name of letters, digits, dots, underscores and dashes")


def _near(text: str) -> Fraction:
    share = Fraction(matching(_DECIMAL, text, "must be a share, as 0.8"))
    if not 0 < share <= 1:
        raise argparse.ArgumentTypeError("must be more than 0 and at most 1")
    return share


def _decimal(text: str) -> str:
    return matching(_DECIMAL, text, "must be a number in plain digits, as 0.01")


def _seed(text: str) -> str:
    return matching(_PRINTABLE, text, "must be printable ASCII, at most 256 characters")


def _key(text: str) -> str:
    return matching(_KEY, text, "must be letters, digits, dots, underscores and dashes")
