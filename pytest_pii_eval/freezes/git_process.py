"""Running git to read from it: one fixed environment, no network, bounded time, faults without text."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from pathlib import Path

SECONDS: Final = 60
"""How long one call of git may take."""

_OPTIONS: Final = (
    "--no-pager",
    "--literal-pathspecs",  # the name of a file is no pattern
    "--no-replace-objects",  # a replaced commit is another history than the one that was pushed
    "-c",
    "core.fsmonitor=false",  # would start a program that the repository names
    "-c",
    "core.trustctime=true",
    "-c",
    "core.checkStat=default",
)
_NO_REPOSITORY: Final = "lies in no git repository; freezes are held by git: make it one, and commit"
_REFUSED: Final = (
    "lies in a git repository of another user, which git refuses to read; give it to this user, or name it"
    " in the setting safe.directory of git"
)


class Answer(NamedTuple):
    """What git wrote to stdout, and its exit code; `why` is its own complaint, never to be shown."""

    out: bytes
    code: int
    why: str


def ask(folder: Path, *arguments: str, given: bytes = b"") -> Answer:
    """Return what git says in `folder`; raises `Fault` where it cannot be run or takes too long."""
    try:
        finished = subprocess.run(  # noqa: S603  # a list of arguments, no shell
            ["git", *_OPTIONS, "-C", str(folder), *arguments],  # noqa: S607  # git is found as the user finds it
            input=given,
            capture_output=True,
            check=False,
            env=_environment(),
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise Fault(f"git did not answer within {SECONDS} seconds; try again") from None
    except FileNotFoundError:
        raise Fault("git is not installed, and freezes are held by git: install it") from None
    except (OSError, ValueError):
        raise Fault("git cannot be run here") from None
    return Answer(finished.stdout, finished.returncode, finished.stderr.decode("utf-8", "replace"))


def read(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
    """Return what git writes in `folder`; raises `Fault` where it fails, which is never "nothing there"."""
    answer = ask(folder, *arguments, given=given)
    if answer.code:
        raise fault_of(answer, arguments[0])
    return answer.out


def names_in(out: bytes) -> list[str]:
    """Return the entries of an answer that `-z` separates, as names of the file system."""
    return [os.fsdecode(one) for one in out.split(b"\0") if one]


def fault_of(answer: Answer, action: str) -> Fault:
    """Return what a refusal of git means; its own words hold paths."""
    if "dubious ownership" in answer.why:
        return Fault(_REFUSED)
    if "not a git repository" in answer.why:
        return Fault(_NO_REPOSITORY)
    if "must be run in a work tree" in answer.why:
        return Fault("lies in a git repository without a work tree; run it in a checkout")
    return Fault(
        f"git {action} failed (exit code {answer.code}): the repository is damaged, or lacks objects, as a"
        " partial clone does; run git fsck, or clone it whole"
    )


def _environment() -> dict[str, str]:
    """Return the environment without what a hook or a user tells git about other repositories."""
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith("GIT_")}
    return {
        **kept,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": "none",  # a partial clone would fetch what it lacks
        "GIT_GRAFT_FILE": os.devnull,
        "GIT_DISCOVERY_ACROSS_FILESYSTEM": "1",
        "LC_ALL": "C",
        "LANGUAGE": "",
    }
