"""The nodes of the tree: case files, the bank, and their items; what a failure shows is text-free."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import closing, nullcontext
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Self

import pytest

from pytest_pii_eval.collection.failures import CaseFailure, NothingToJudge, one_line
from pytest_pii_eval.collection.running import CaseOutcome, run_case
from pytest_pii_eval.collection.suite import SUITE, Suite
from pytest_pii_eval.collection.support import CHECKS
from pytest_pii_eval.contracts.collector import paused_collector
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.silence import Silence
from pytest_pii_eval.withheld import without_frames

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from pytest_pii_eval.collection.case_rows import CaseRows
    from pytest_pii_eval.contracts.cases import CaseKind

EVIDENCE: pytest.StashKey[str] = pytest.StashKey()
QUALITY: pytest.StashKey[str] = pytest.StashKey()

CUT_OFF: pytest.StashKey[str] = pytest.StashKey()
"""What the report of a group says in which an interrupt came."""


class TextFreeFile(pytest.File):
    """A file whose collection errors print one line, whatever the traceback options say."""

    @classmethod
    def from_parent(cls, parent: pytest.Collector, *, path: Path, **fields: Any) -> Self:  # type: ignore[override]
        """Make the node; outside the root directory its id is the file's name: folders may name people."""
        settings = parent.config.stash[SUITE].settings
        if not path.is_relative_to(settings.root):
            fields.setdefault("nodeid", settings.shown(path))
        return super().from_parent(parent, path=path, **fields)

    @cached_property
    def suite(self) -> Suite:
        """The suite of this process."""
        return self.config.stash[SUITE]

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> str:  # type: ignore[override]
        """Return what output may show."""
        return one_line(excinfo.value)

    def refuse(self, fault: Fault) -> NoReturn:
        """Turn a fault into a collection error of one line."""
        raise self.CollectError(str(fault)) from None


class CaseFile(TextFreeFile):
    """One file of conformance cases; becomes an item a row or a group, after every row was checked."""

    kind: CaseKind
    rows: CaseRows
    # Shared by thousands of items, so kept here.
    shown: str
    hooks: Any

    @classmethod
    def from_parent(cls, parent: pytest.Collector, *, path: Path, kind: CaseKind) -> CaseFile:  # type: ignore[override]
        """Make the node of one case file, and make it known to the suite."""
        node: CaseFile = super().from_parent(parent, path=path)
        node.kind = kind
        node.shown = node.suite.settings.shown(path)
        node.hooks = node.ihook
        node.rows = node.suite.case_rows(path)
        node.suite.census(path, kind)  # known from now on, even where --lf skips its rows
        return node

    def collect(self) -> list[ConformanceItem]:
        """Check every row, then return the items that were asked for."""
        suite = self.suite
        suite.subject_is_needed = True
        try:
            suite.detector()
        except Fault as fault:
            return self._nothing(fault)
        try:
            with paused_collector():
                return without_frames(lambda: list(self._items(suite)))
        except Fault as fault:
            suite.census(self.path, self.kind).broken = True
            self.refuse(fault)

    def _nothing(self, fault: Fault) -> list[ConformanceItem]:
        """Return no items, as the bank's own node reports its fault, once.

        Where single ids are named, pytest stops before that node with "not found": then the first file
        says why.
        """
        if self.suite.ids_were_named and not self.suite.bank_fault_was_told:
            self.suite.bank_fault_was_told = True
            self.refuse(fault)
        return []

    def _items(self, suite: Suite) -> Iterator[ConformanceItem]:
        if suite.settings.items != "case":
            from pytest_pii_eval.collection.group_nodes import group_items  # noqa: PLC0415  # only when asked for

            yield from group_items(self, suite)
            return
        for row, case in suite.read_cases(self.path, self.kind):
            item: CaseItem = CaseItem.from_parent(self, name=case.case_id)
            item.number = self.rows.add(row, case)
            item.occurrences = len(case.expected)
            item.extra_keyword_matches = suite.keywords(case)
            yield item


class TextFreeItem(pytest.Item):
    """An item that shows only what it says itself, whatever is raised, printed, logged or warned in it."""

    @abstractmethod
    def check(self) -> None:
        """Raise `CaseFailure` where the item does not hold; this is what a kind of item defines."""

    def runtest(self) -> None:
        """Check in silence, unless text was asked for."""
        if self.config.stash[SUITE].settings.reveal == "text":
            self.check_within(nullcontext())
            return
        with closing(Silence()) as silence:
            self.check_within(silence)

    @cached_property
    def location(self) -> tuple[str, int | None, str]:
        """As `reportinfo`, with the file as output names it."""
        path, line, name = self.reportinfo()
        return (self.config.stash[SUITE].settings.shown(Path(path)), line, name)

    def check_within(self, silence: AbstractContextManager[None]) -> None:
        """Check inside the block `silence`; raises nothing whose traceback leads to frames with text."""
        failure: BaseException | None = None
        try:
            with silence:
                self.check()
        except NothingToJudge as reason:
            failure = pytest.skip.Exception(str(reason))
        except KeyboardInterrupt:
            failure = KeyboardInterrupt()  # pytest shows the arguments of the frames it was raised in
        except BaseException as error:  # noqa: BLE001  # SystemExit and pytest's own outcomes too: all are the detector's
            failure = CaseFailure(one_line(error))
        if failure is not None:  # raised out here, it has no context
            raise failure

    def repr_failure(
        self,
        excinfo: pytest.ExceptionInfo[BaseException],
        style: Any = None,  # noqa: ARG002  # pytest passes it; no style shows more
    ) -> str:
        """Return what output may show."""
        return one_line(excinfo.value)


class ConformanceItem(TextFreeItem):
    """One case, or several of one file, the first of which lies in the row `number` (from 0)."""

    number: int
    cases: int = 1
    occurrences: int
    parent: CaseFile

    @property
    def ihook(self) -> Any:
        """The hooks for this file, looked up once a file instead of several times an item."""
        return self.parent.hooks

    @abstractmethod
    def outcome(self) -> CaseOutcome:
        """Scan and judge; where an interrupt comes, what was found until then is on the stash."""

    def check(self) -> None:
        """Leave the evidence on the stash, then complain."""
        outcome = self.outcome()
        self.stash[EVIDENCE] = outcome.evidence
        if outcome.failure is not None:
            raise CaseFailure(outcome.failure)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return file, line from 0, and a name."""
        # Not a suffix of the node id: the terminal would rewrite the dots of such a name.
        return self.path, self.number, f"{self.parent.kind} {self.name}"

    @property
    def location(self) -> tuple[str, int | None, str]:
        """As `reportinfo`, with the file relative to the root directory; asked for once, so not cached."""
        return (self.parent.shown, self.number, f"{self.parent.kind} {self.name}")


class CaseItem(ConformanceItem):
    """One conformance case."""

    def outcome(self) -> CaseOutcome:
        """Scan the case and judge what was found."""
        file = self.parent
        suite = file.suite
        return run_case(suite, file.rows.case(self.number, suite.contract(file.kind)))


class BankFile(TextFreeFile):
    """The bank under test; becomes its support checks."""

    def collect(self) -> Iterator[SupportItem]:
        """Load the bank, then yield its support checks."""
        suite = self.suite
        suite.bank_was_collected = True
        try:
            suite.detector()
        except Fault as fault:
            self.refuse(fault)
        for name in CHECKS:
            yield SupportItem.from_parent(self, name=name)


class SubjectFile(TextFreeFile):
    """The detector or the predictions under test, where they are at fault; has no items."""

    def collect(self) -> list[pytest.Item]:
        """Say what is wrong."""
        fault = self.suite.fault()
        if fault is not None:
            self.refuse(fault)
        return []


class SupportItem(TextFreeItem):
    """One check that the suite supports a verdict about the bank."""

    parent: BankFile

    def check(self) -> None:
        """Raise where the check does not hold."""
        complaint = CHECKS[self.name](self.parent.suite)
        if complaint is not None:
            raise CaseFailure(f"{self.name}: {complaint}")

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return file, line from 0, and a name; a check has no line, but a skip mark asks for one."""
        return self.path, 0, f"support {self.name}"
