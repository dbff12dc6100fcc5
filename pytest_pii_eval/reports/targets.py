"""What the commands on reports share: where they write, what is left as it is, and tolerances."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.arguments import path_of

if TYPE_CHECKING:
    from pathlib import Path

STANDARD_OUTPUT: Final = "-"


class Target(NamedTuple):
    """A file to write: the option that names it, and the file, or `-` for standard output."""

    option: str
    name: str

    @property
    def path(self) -> Path | None:
        """Return where the file lies, or None for standard output."""
        return None if self.name == STANDARD_OUTPUT else path_of(self.name)


def targets_of(given: argparse.Namespace, *options: str) -> list[Target]:
    """Return the files that `options` of a command name, those that were not given left out."""
    names = ((f"--{option}", getattr(given, option)) for option in options)
    return [Target(option, name) for option, name in names if name is not None]


def misused(targets: list[Target], *inputs: str | None) -> str | None:
    """Return what makes no sense about `targets`, or None: none may replace an `inputs` or another target."""
    paths = [target.path for target in targets]
    if len(set(paths)) < len(paths):
        return f"{' and '.join(target.option for target in targets)} name the same target; name two"
    read = {path_of(one) for one in inputs if one is not None}
    if any(path is not None and (path in read or not read.isdisjoint(path.parents)) for path in paths):
        return "an output cannot replace what it is made of, nor lie in it; name another file"
    return None


def refuse_strangers(targets: list[Target]) -> None:
    """Raise `Fault` where a target would replace what pii-eval did not write."""
    from pytest_pii_eval.contracts.faults import Fault  # noqa: PLC0415  # `--help` needs none of it
    from pytest_pii_eval.reports.write import is_page  # noqa: PLC0415  # as above

    for option, path in ((target.option, target.path) for target in targets):
        if path is None:
            continue
        if ".git" in path.parts:
            raise Fault(f"{option}: lies in the folder of git; name another file", file=path.name)
        if path.is_symlink():
            raise Fault(f"{option}: is a symlink; name the real file", file=path.name)
        if path.exists() and not (path.is_file() and is_page(path)):
            raise Fault(
                f"{option}: was not written by pii-eval, and is left as it is; name another file",
                file=path.name,
            )


def write(target: Target, text: str) -> None:
    """Write `text` where `target` says; raises `OSError` where the disk refuses."""
    from pytest_pii_eval.reports.write import write_atomically  # noqa: PLC0415  # as above

    if target.path is None:
        sys.stdout.write(text)
    else:
        write_atomically(target.path, text)


def add_tolerance(parser: argparse.ArgumentParser) -> None:
    """Declare `--tolerance`."""
    parser.add_argument(
        "--tolerance",
        dest="tolerances",
        metavar="METRIC=VALUE",
        type=_tolerance,
        action="append",
        default=[],
        help="how much worse a metric may be, in counts or rate points; may be given several times",
    )


def _tolerance(text: str) -> tuple[str, str]:
    name, found, value = text.partition("=")
    if not found:
        raise argparse.ArgumentTypeError("must have the form METRIC=VALUE, such as recall=0.01")
    return name.strip(), value.strip()
