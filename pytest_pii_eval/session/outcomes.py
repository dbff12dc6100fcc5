"""What became of documents, as the processes of a run kept it: read again by the controller, in order."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.scoring.packing import unpacked
from pytest_pii_eval.wire import OUTCOMES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_pii_eval.scoring.evidence import Evidence
    from pytest_pii_eval.session.results import Results


class Shard(NamedTuple):
    """A run of rows in one records file, and the spool that says what became of them.

    `file` is the name of the records file in messages; `state` that of the file when its rows were checked.
    """

    spool: Path
    path: Path
    file: str
    suite: str
    offset: int
    line: int
    rows: int
    state: tuple[int, ...]


class Told(NamedTuple):
    """What became of one document; `slices` gives for each slice that ran the index of its view.

    A view holds gold spans and predictions as `scoring.outcomes` has them; `selected` holds start, end
    and type of every prediction that was scored.
    """

    line: int
    document_id: str
    length: int
    outcome: str
    reason: str | None
    unmapped: int
    dropped: int
    selected: list[tuple[int, int, str]]
    views: list[tuple[list[list[Any]], list[list[Any]]]]
    slices: Mapping[str, int]


@final
class Outcomes:
    """The spools of a run, cut down to the slices that ran: where only some did, others were scored along."""

    def __init__(self, results: Results) -> None:
        self._expected = _documents_by_slice(results)
        found = [] if results.kept is None or not self._expected else results.kept.glob(f"*{OUTCOMES}")
        # Files of two suites may have one name; their slices differ, and so does the first of them.
        self.shards = sorted(
            (_shard_of(path) for path in found), key=lambda one: (one.file, one.suite, one.line)
        )
        self._heard: Counter[str] = Counter()

    def documents(self, shard: Shard) -> Iterator[Told]:
        """Yield the documents of a shard that are in a slice that ran, by line."""
        with shard.spool.open("rb") as handle:
            handle.readline()
            for line in handle:
                told = _told(json.loads(line))
                slices = {name: view for name, view in told.slices.items() if name in self._expected}
                if slices:
                    self._heard.update(slices.keys())
                    yield told._replace(slices=slices)

    def finish(self) -> None:
        """Raise `Fault` unless every document of every slice that ran was yielded once."""
        if self._heard != self._expected:
            raise Fault("what became of some documents was not kept; run again")

    def restart(self) -> None:
        """Count anew, for another pass."""
        self._heard.clear()


def _documents_by_slice(results: Results) -> Counter[str]:
    """Return how many documents were scored, for every slice that ran and has any."""
    payloads = (json.loads(text) for text in results.quality.values())
    counts: Counter[str] = Counter()
    for payload in payloads:
        if "slice" in payload:
            evidence: Evidence = unpacked(payload["evidence"])
            counts[payload["slice"]] += evidence.counts.documents
    return +counts


def _shard_of(path: Path) -> Shard:
    with path.open("rb") as handle:
        head = json.loads(handle.readline())
    state = tuple(head.pop("state"))
    return Shard(spool=path, path=Path(head.pop("path")), state=state, **head)


def _told(value: dict[str, Any]) -> Told:
    return Told(document_id=value.pop("id"), **value)
