"""A working directory in which tests of `pii-eval freeze split` split a suite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from freeze_suites import CANARY, write_suite

from pytest_pii_eval.cli import main

if TYPE_CHECKING:
    from pathlib import Path

HALVES = ("--part=dev=0.5", "--part=sealed=rest")


class SplitDesk:
    """A working directory with a suite of twelve documents of six templates, two each."""

    def __init__(self, folder: Path, capsys: Any) -> None:
        self.folder = folder
        self.suite = write_suite(folder / "suite", [1, 2, 3, 4, 5, 6] * 2)
        self._capsys = capsys

    def split(self, *options: str) -> tuple[int, str, str]:
        """Run the command, into `parts`; return its status, and what it prints on both streams."""
        status = main(["freeze", "split", "suite", "--out=parts", *options])
        told = self._capsys.readouterr()
        assert CANARY not in told.out + told.err
        assert str(self.folder) not in told.out + told.err
        return status, told.out, told.err

    def refused(self, *options: str) -> str:
        """Return the line of a split that is refused; nothing of it is left."""
        before = sorted(self.folder.iterdir())
        status, out, err = self.split(*(options or HALVES))
        assert (status, out) == (1, "")
        assert sorted(self.folder.iterdir()) == before
        return err.removesuffix("\n")

    def part(self, name: str) -> Path:
        """Return the folder of a part."""
        return self.folder / "parts" / name
