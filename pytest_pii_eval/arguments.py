"""What the commands of `pii-eval` have in common: arguments read one by one, and complaints; no actions."""

from __future__ import annotations

import argparse
import errno
import os
import re
import sys
from pathlib import Path
from typing import Final

MAX_SECONDS: Final = 1_000_000
"""The longest time limit of a document that may be asked for; the system takes no limit of any length."""

_ADAPTER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,127}")


def path_of(given: str, root: Path | None = None) -> Path:
    """Return the absolute path of an argument, relative to `root` or else to the working directory."""
    # normpath, not resolve: a symlink on the way must stay visible to the checks that refuse it.
    return Path(os.path.normpath((root or Path.cwd()) / given))


def option_of(text: str) -> tuple[str, str]:
    """Return key and value of `KEY=VALUE`; raises `ArgumentTypeError` where it is none."""
    key, found, value = text.partition("=")
    if not found or not key.isidentifier():
        raise argparse.ArgumentTypeError("must have the form KEY=VALUE")
    return key, value


def adapter_name(text: str) -> str:
    """Return the name of a corpus adapter; raises `ArgumentTypeError` where it is none."""
    return matching(_ADAPTER, text, "must be the name of an adapter, or module:attribute")


def matching(pattern: re.Pattern[str], text: str, rule: str) -> str:
    """Return `text`; raises `ArgumentTypeError` with `rule` where it is not written as `pattern` says."""
    if not pattern.fullmatch(text):
        raise argparse.ArgumentTypeError(rule)
    return text


def why(error: OSError) -> str:
    """Return the name of an error of the system: its own words hold a path."""
    return errno.errorcode.get(error.errno or 0, "unknown error")


def complain(*lines: str) -> None:
    """Print lines on stderr."""
    for line in lines:
        print(line, file=sys.stderr)  # noqa: T201  # what a command is for
