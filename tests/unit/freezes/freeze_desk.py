"""A working directory in which tests run `pii-eval freeze`: a dev freeze, a sealed freeze, a freezes file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from freeze_suites import CANARY, write_suite

from pytest_pii_eval.cli import main

if TYPE_CHECKING:
    from pathlib import Path

FREEZES = """
version: pii_eval.freezes.v1
roles: [builder, tester]
sets:
  dev: {role: dev_freeze, suite: dev, readers: [builder], attestation: dev.attestation.json}
  open: {role: public, suite: open}
  sealed: {role: sealed_freeze, commitment: sealed.commitment.json}
train_lists: none
floors: floors.yaml
ledger: ledger.jsonl
reports: reports
"""


class FreezeDesk:
    """The working directory `folder`, which is made in it."""

    def __init__(self, folder: Path, capsys: Any) -> None:
        self.folder = folder
        self._capsys = capsys
        write_suite(folder / "dev", [1, 2, 3])
        write_suite(folder / "sealed", [7, 8, 8], role="sealed_freeze")
        (folder / "freezes.yaml").write_text(FREEZES)

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Run an action; return its status and what it prints on both streams, which no canary is in."""
        status = main(["freeze", *arguments])
        told = self._capsys.readouterr()
        assert CANARY not in told.out + told.err
        assert str(self.folder) not in told.out + told.err
        return status, told.out, told.err
