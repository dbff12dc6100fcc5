"""The items of a case file where several cases share one: by pattern and reason, or all of the file."""

from __future__ import annotations

import os
from array import array
from typing import TYPE_CHECKING, final

from pytest_pii_eval.collection.failures import one_line
from pytest_pii_eval.collection.groups import GroupRun
from pytest_pii_eval.collection.nodes import CUT_OFF, EVIDENCE, ConformanceItem
from pytest_pii_eval.collection.running import CaseOutcome
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.scoring.case_groups import EVERY_CASE, pattern_group, reason_group

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.collection.nodes import CaseFile
    from pytest_pii_eval.collection.suite import Suite
    from pytest_pii_eval.contracts.cases import Case


@final
class GroupItem(ConformanceItem):
    """Several cases of one file; holds the numbers of their rows."""

    rows: array[int]

    def outcome(self) -> CaseOutcome:
        """Scan and judge every case, and add up what was found."""
        file = self.parent
        suite = file.suite
        run = GroupRun(suite)
        stopped, interrupted = "", False
        try:
            run.take(file.rows.cases(self.rows, suite.contract(file.kind)))
        except KeyboardInterrupt:
            stopped, interrupted = "interrupted", True
        except BaseException as error:  # noqa: BLE001  # a row that cannot be read again, whatever the reason
            stopped = one_line(error)
        left = self.cases - run.done
        evidence, failures = run.outcome(left=left)
        heads = [f"{self.name}: {run.failed:,} of {self.cases:,} cases do not hold"] if run.failed else []
        heads += (
            [f"{self.name}: {left:,} of {self.cases:,} cases were not reached: {stopped}"] if stopped else []
        )
        failure = "\n".join([*heads, *failures]) or None
        if interrupted:  # raised out here, it leads to no frame with text
            self.stash[EVIDENCE], self.stash[CUT_OFF] = evidence, failure or ""
            raise KeyboardInterrupt
        return CaseOutcome(evidence, failure)


def group_items(file: CaseFile, suite: Suite) -> Iterator[GroupItem]:
    """Check every row of `file`, then yield its groups by their first rows; raises `Fault`."""
    groups: dict[str, _Group] = {}
    named = _named(file)
    holders: dict[str, str] = {}
    shared: dict[frozenset[str], set[str]] = {}
    name_of = _name_of_file if suite.settings.items == "file" else _name_of_pattern
    for row, case in suite.read_cases(file.path, file.kind):
        name = name_of(case)
        group = groups.get(name)
        if group is None:
            group = groups[name] = _Group()
        group.rows.append(file.rows.add(row, case))
        group.occurrences += len(case.expected)
        words = suite.keywords(case)
        if not words <= group.words:
            union = group.words | words
            group.words = shared.setdefault(frozenset(union), union)
        if case.case_id in named:
            holders[case.case_id] = name
    _refuse_single_cases(file, {one: name for one, name in holders.items() if one not in groups})
    for name, group in groups.items():
        yield _item(file, name, group)


@final
class _Group:
    __slots__ = ("occurrences", "rows", "words")

    def __init__(self) -> None:
        self.rows = array("I")
        self.occurrences = 0
        self.words: set[str] = set()


def _name_of_file(_: Case) -> str:
    return EVERY_CASE


def _name_of_pattern(case: Case) -> str:
    return pattern_group(case.expected[0].pattern) if case.expected else reason_group(case.reason_code)


def _item(file: CaseFile, name: str, group: _Group) -> GroupItem:
    item: GroupItem = GroupItem.from_parent(file, name=name)
    item.rows = group.rows
    item.number = group.rows[0]
    item.cases = len(group.rows)
    item.occurrences = group.occurrences
    item.extra_keyword_matches = group.words  # groups share the sets
    return item


def _named(file: CaseFile) -> set[str]:
    """Return the names inside `file` that the command line asks for."""
    folder, here = file.config.invocation_params.dir, str(file.path)
    parts = [argument.partition("::") for argument in file.config.args]
    # As pytest finds them: without a look at the disk.
    return {name for path, found, name in parts if found and os.path.abspath(folder / path) == here}  # noqa: PTH100


def _refuse_single_cases(file: CaseFile, holders: dict[str, str]) -> None:
    """Raise `Fault` where a case was asked for by its id: pytest would only say that it is not found."""
    for case_id, name in holders.items():
        items = file.suite.settings.items
        rule = f"under --pii-items {items} the case {case_id} is part of the item {name}"
        raise Fault(f"{rule}; name that item, or give --pii-items case", file=file.shown)
