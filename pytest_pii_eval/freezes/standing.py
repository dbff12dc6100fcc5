"""What rules about freezes look at: the freezes file, its repository, and what the run was told."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.contracts.faults import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from pytest_pii_eval.contracts.faults import Fault
    from pytest_pii_eval.contracts.freezes_file import FreezesFile
    from pytest_pii_eval.freezes.git import Repository


class Standing(NamedTuple):
    """Where a freezes file stands.

    `root` is the folder below which no symlink may be on the way. `repository` is a `Fault` where there is
    none. `git_range` is what `--pii-git-range` gave. `kinds` tells which file of a suite is what.
    `environment` is that of the process, in which a CI says what a pull request goes into.
    """

    file: FreezesFile
    root: Path
    repository: Repository | Fault
    git_range: str | None
    kinds: Callable[[Path], str | None]
    environment: Mapping[str, str]

    def shown(self, path: Path) -> str:
        """Return how output names `path`: relative to the root, or only its last part."""
        try:
            return printable(path.relative_to(self.root).as_posix())
        except ValueError:
            return printable(path.name)
