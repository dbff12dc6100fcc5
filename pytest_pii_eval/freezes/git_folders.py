"""What folders show of git by themselves: which hold a work tree, which are git's own; git is not asked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def work_tree_of(path: Path) -> Path | None:
    """Return the top of the git work tree that holds `path`, or None."""
    return next(iter(work_trees(path)), None)


def work_trees(path: Path) -> list[Path]:
    """Return the folders on the way to `path` that are tops of work trees, the nearest first.

    `.git` is a file in a worktree of its own and in a submodule.
    """
    return [one for one in (path, *path.parents) if os.path.lexists(one / ".git")]


def is_inside_git(place: Path) -> bool:
    """Whether `place` lies in a folder in which git keeps a repository."""
    if any(part.casefold() == ".git" for part in place.parts):
        return True
    return any(_is_git_folder(one) for one in (place, *place.parents))


def is_same(folder: Path, other: Path) -> bool:
    """Whether both are there, and are one folder."""
    try:
        return folder.samefile(other)
    except OSError:
        return False


def _is_git_folder(folder: Path) -> bool:
    return all((folder / name).exists() for name in ("HEAD", "objects", "refs"))
