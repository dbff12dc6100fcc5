"""Snapshots of reports on syrupy: one readable file a snapshot, and a diff that shows what moved."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.strict_json import parse
from pytest_pii_eval.reports.comparing.compare import compare_reports
from pytest_pii_eval.reports.comparing.text import comparison_lines
from pytest_pii_eval.reports.model import Report
from pytest_pii_eval.reports.snapshots.form import render_snapshot, snapshot_of
from pytest_pii_eval.reports.snapshots.model import Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syrupy.assertion import SnapshotAssertion

_CONTEXT: Final = 3
_LONGEST: Final = 200


def report_snapshot(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """Return `snapshot` for reports: it takes a `Report` or `Snapshot`, else raises `TypeError`."""
    return snapshot.use_extension(ReportSnapshotExtension)


class ReportSnapshotExtension(SingleFileSnapshotExtension):
    """Writes `pii_eval.snapshot.v1` into `__snapshots__/MODULE/TEST.json`."""

    _write_mode = WriteMode.TEXT
    file_extension = "json"

    def serialize(self, data: Any, *, exclude: Any = None, include: Any = None, **_: Any) -> str:
        """Return the text of the snapshot of `data`; raises `TypeError` where something shall be left out."""
        if exclude is not None or include is not None:
            raise TypeError("pii_snapshot keeps all of a report; exclude and include are not for it")
        if isinstance(data, Report):
            data = snapshot_of(data)
        if not isinstance(data, Snapshot):
            # The value may hold text, so only its type is named.
            kind = type(data).__name__
            raise TypeError(f"pii_snapshot takes a Report or a Snapshot, not {kind}")
        return render_snapshot(data)

    def diff_lines(self, serialized_data: Any, snapshot_data: Any) -> Iterator[str]:
        """Yield what moved in words, for pytest shows the first lines alone, then the unified diff."""
        yield from _moved(str(snapshot_data), str(serialized_data))
        old, new = (str(text).splitlines() for text in (snapshot_data, serialized_data))
        lines = difflib.unified_diff(old, new, "snapshot", "report", n=_CONTEXT, lineterm="")
        for line in lines:
            unchanged = line.startswith(" ") and len(line) > _LONGEST
            yield f"{line[:_LONGEST]}…" if unchanged else line


def _moved(old: str, new: str) -> list[str]:
    """Return what moved between two snapshots as a comparison says it; nothing where one of them is none."""
    try:
        before, after = (Snapshot.model_validate(parse(text.encode()), strict=True) for text in (old, new))
    except (Fault, ValidationError):
        return []
    comparison = compare_reports(before, after)
    moved = comparison.refusals or comparison.changes or comparison.gates
    return comparison_lines(comparison) if moved else []
