"""Tiny git repositories for tests of freezes, made by git itself, whatever the machine configures."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_IDENTITY = ("-c", "user.name=Nobody", "-c", "user.email=nobody@example.invalid")
_SETTINGS = (
    "-c",
    "protocol.file.allow=always",
    "-c",
    "commit.gpgsign=false",
    "-c",
    "core.hooksPath=/dev/null",
)


class Checkout:
    """A work tree at `top`; `git` runs git in it, `commit` returns the new revision."""

    def __init__(self, top: Path) -> None:
        self.top = top

    @classmethod
    def new(cls, top: Path) -> Checkout:
        """Return an empty repository whose branch is `main`."""
        top.mkdir(parents=True, exist_ok=True)
        made = cls(top)
        made.git("init", "-q", "-b", "main")
        return made

    def git(self, *arguments: str) -> str:
        """Return what git writes; a failure of git is an error of the test."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        done = subprocess.run(
            ["git", *_IDENTITY, *_SETTINGS, *arguments],  # noqa: S607  # git as the tests find it
            cwd=self.top,
            env={**kept, "GIT_CONFIG_GLOBAL": os.devnull},
            capture_output=True,
            check=True,
            text=True,
        )
        return done.stdout.strip()

    def write(self, name: str, text: str = "") -> Path:
        """Write one file, with the folders on the way to it, and return its path."""
        path = self.top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        return path

    def commit(self, **texts: str) -> str:
        """Write `texts` into the files of those names, commit all that there is, and return the revision."""
        for name, text in texts.items():
            self.write(name, text)
        self.git("add", "--all")
        self.git("commit", "-q", "--allow-empty", "-m", "a change")
        return self.git("rev-parse", "HEAD")

    def branch(self, name: str, start: str = "HEAD") -> None:
        """Make a branch and check it out."""
        self.git("checkout", "-q", "-b", name, start)

    def merge(self, name: str, **texts: str) -> str:
        """Merge `name` with a commit of its own, which also writes `texts`; return the revision."""
        self.git("merge", "-q", "--no-ff", "--no-commit", "-X", "ours", name)
        return self.commit(**texts)

    def clone(self, target: Path, *options: str) -> Checkout:
        """Return a clone of this repository."""
        self.git("clone", "-q", *options, f"file://{self.top}", str(target))
        return Checkout(target)


ODD = [
    "with space.txt",
    "line\nfeed.txt",
    "ümläut-😀.txt",
    "star*.txt",
    ":(top)magic.txt",
    "-dash.txt",
    '"quoted".txt',
]


class History:
    """One repository with a line of history on each side of a merge, and a merge that edits by itself."""

    def __init__(self, top: Path) -> None:
        made = self.checkout = Checkout.new(top)
        for name in ODD:
            made.write(f"odd/{name}", name)
        self.first = made.commit(floors="open", ledger="one", kept="kept")
        made.branch("side")
        self.side_edit = made.commit(floors="0.5")
        self.side_revert = made.commit(floors="open")
        made.git("checkout", "-q", "main")
        self.main_edit = made.commit(ledger="two")
        self.merge = made.merge("side")
        made.branch("other", self.main_edit)
        self.other = made.commit(kept="kept still")
        made.git("checkout", "-q", "main")
        self.evil = made.merge("other", floors="0.1")
        made.git("mv", "ledger", "moved")
        self.renamed = made.commit()
