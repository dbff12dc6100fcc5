"""The error dump: records are read again from their files, twice, and their errors written with text.

This is the one output that holds text of documents; what it shows, and how, is in `reports.dump`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.row_files import RowFiles
from pytest_pii_eval.private import private_directory
from pytest_pii_eval.reports.dump.census import Census
from pytest_pii_eval.reports.dump.gathering import Gathering, Listing
from pytest_pii_eval.reports.dump.model import Dump, Unanswered
from pytest_pii_eval.reports.dump.occurrences import occurrences
from pytest_pii_eval.session.outcomes import Outcomes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_pii_eval.contracts.row_files import RowFile
    from pytest_pii_eval.private import PrivateDirectory
    from pytest_pii_eval.reports.dump.model import Occurrence
    from pytest_pii_eval.reports.model import Report
    from pytest_pii_eval.session.outcomes import Shard, Told
    from pytest_pii_eval.session.results import Results
    from pytest_pii_eval.settings import Settings

_UNANSWERED = 1_000
"""Ids shown of documents without an answer, for each reason."""


def write_error_dump(settings: Settings, report: Report, results: Results) -> list[str]:
    """Commit the dump directory; return what went wrong, in lines without text or paths."""
    if settings.outputs.error_dump is None:
        return []
    try:
        with private_directory(settings.outputs.error_dump, ignored=True) as directory:
            _write(directory, _dump_of(settings, report, Outcomes(results)))
    except OSError as error:
        return [f"the error dump was not written ({error.strerror})"]
    except Fault as fault:
        return [f"the error dump was not written: {fault}"]
    return []


def _write(directory: PrivateDirectory, dump: Dump) -> None:
    from pytest_pii_eval.reports.dump.pages import pages_of  # noqa: PLC0415  # Jinja2, only when asked for
    from pytest_pii_eval.reports.dump.text_form import text_form  # noqa: PLC0415

    for name, pieces in [*pages_of(dump), ("errors.txt", text_form(dump))]:
        with directory.open(name) as handle:
            handle.writelines(piece.encode("utf-8") for piece in pieces)


def _dump_of(settings: Settings, report: Report, outcomes: Outcomes) -> Dump:
    census = Census()
    unanswered: dict[str, Listing] = {}
    documents = 0
    for told in _told(outcomes):
        documents += 1
        if told.reason is not None:
            unanswered.setdefault(told.reason, Listing(_UNANSWERED)).add(told.document_id)
    for _, text, found in _errors(settings, outcomes):
        census.add(text, found)
    gathering = Gathering(census)
    for told, text, found in _errors(settings, outcomes):
        gathering.add(told.document_id, text, found, told.selected)
    reasons = [Unanswered(reason, one.number, one.some()) for reason, one in sorted(unanswered.items())]
    subject = f"{report.subject.name} {report.subject.version}"
    return Dump(subject, documents, gathering.pages(), tuple(reasons))


def _told(outcomes: Outcomes) -> Iterator[Told]:
    outcomes.restart()
    for shard in outcomes.shards:
        yield from outcomes.documents(shard)
    outcomes.finish()


def _errors(settings: Settings, outcomes: Outcomes) -> Iterator[tuple[Told, str, list[Occurrence]]]:
    """Yield the documents that have an answer, and errors in it, with their text."""
    outcomes.restart()
    files = RowFiles()
    for shard in outcomes.shards:
        wrong = (
            (told, found)
            for told in outcomes.documents(shard)
            if told.reason is None and (found := occurrences(told.views, told.slices))
        )
        with files.open(shard.path, root=settings.root, shown=shard.file) as file:
            yield from _with_text(file, shard, wrong)
    outcomes.finish()


def _with_text(
    file: RowFile, shard: Shard, wrong: Iterable[tuple[Told, list[Occurrence]]]
) -> Iterator[tuple[Told, str, list[Occurrence]]]:
    """Read the rows of a shard again, in step with what became of them; both go by line."""
    if file.state != shard.state:
        raise _changed(shard)
    rows = file.rows(line=shard.line - 1, offset=shard.offset)
    for told, found in wrong:
        row = next((row for row in rows if row.line == told.line), None)
        text = None if row is None else _text(row.value, told)
        if text is None:
            raise _changed(shard)
        yield told, text, found
    file.check_unchanged()


def _text(value: dict[str, Any], told: Told) -> str | None:
    """Return the text of the record that was scored, or None where this is another one."""
    document = value.get("document")
    if not isinstance(document, dict) or document.get("document_id") != told.document_id:
        return None
    text = document.get("text")
    return text if isinstance(text, str) and len(text) == told.length else None


def _changed(shard: Shard) -> Fault:
    return Fault("changed since the run scored it; run again", file=shard.file)
