"""The books of one shard: asking its documents, and what is counted of it besides the evidence of slices."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_pii_eval.collection.replies import reason_of
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.records import has_identities
from pytest_pii_eval.detectors.answers import Answer, BadAnswer
from pytest_pii_eval.scoring.latency import Latency
from pytest_pii_eval.scoring.offset_hint import OffsetFits, added

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_pii_eval.collection.quality.shards import Scoring
    from pytest_pii_eval.collection.replies import Reply
    from pytest_pii_eval.contracts.records import Record

_SUM_BITS = 512


class Asked(NamedTuple):
    """A document that is asked about: its line from 1, its record, and the slices that it counts in."""

    line: int
    record: Record
    slices: list[str]


class Books:
    """Asks the subject, and keeps count."""

    def __init__(self, scoring: Scoring, file: str) -> None:
        self._scoring = scoring
        self._file = file
        self._failed: Counter[str] = Counter()
        self._first_failure: int | None = None
        self._documents = 0
        self._predictions = 0
        self._content = 0
        self._gold = 0
        self._offsets: dict[str, OffsetFits] = {}
        self._labels: dict[str, list[Counter[str]]] = {}
        self._latency = Latency()
        if scoring.subject.build_seconds:
            self._latency.add_build(scoring.subject.build_seconds)
            scoring.subject.build_seconds = 0.0  # told once

    def ask(self, batch: Sequence[Asked]) -> Iterator[tuple[Asked, Answer | None, str | None]]:
        """Yield each document with its answer, and why it counts as failed, if it does.

        The answer is None where there is none; one that was cut off is there, and counts as failed.
        """
        records = [asked.record for asked in batch]
        try:
            replies = self._scoring.subject.ask(records)
        except Fault as fault:
            raise fault.at(file=self._file, line=batch[0].line) from None
        for asked, reply in zip(batch, replies, strict=True):
            self._documents += 1
            answer, reason = self._answer(asked, reply)
            if reason is not None:
                self._fail(reason, asked.line)
            yield asked, answer, reason

    def add_offsets(self, name: str, fits: Mapping[str, OffsetFits]) -> None:
        """Count for a slice what another offset unit would make of the gold that was missed."""
        types = self._scoring.scopes[name].types
        mine = [fit for type_, fit in fits.items() if type_ in types]
        if mine:
            self._offsets[name] = added([self._offsets.get(name, OffsetFits()), *mine])

    def add_labels(self, name: str, answer: Answer) -> None:
        """Count for a slice the labels without a type, and the types that are out of its scope."""
        interpreter = self._scoring.interpreter
        if interpreter is None or interpreter.any_type:
            return  # the entities of a bank are no labels, and may be names
        types = self._scoring.scopes[name].types
        outside = [span.type for span in answer.detection.selected if span.type not in types]
        if answer.unmapped or outside:
            unmapped, beside = self._labels.setdefault(name, [Counter(), Counter()])
            unmapped.update(answer.unmapped)
            beside.update(outside)

    def commit(self, record: Record) -> None:
        """Add the record to the commitments: sums, so that neither order nor shard size matters."""
        contract = self._scoring.contract
        gold = _number(contract.gold_digest(record))
        self._gold += gold
        # Without catalog identities both digests are of the same bytes.
        same = not has_identities(record)
        self._content += gold if same else _number(contract.digest(record))

    def of_slice(self, name: str) -> tuple[OffsetFits, dict[str, int], dict[str, int]]:
        """Return what was counted of a slice: offset fits, labels without a type, types out of its scope."""
        unmapped, outside = self._labels.get(name, ({}, {}))
        return (
            self._offsets.get(name, OffsetFits()),
            dict(sorted(unmapped.items())),
            dict(sorted(outside.items())),
        )

    def account(self) -> dict[str, Any]:
        """Return the counts of all documents, and the commitments."""
        return {
            "documents": self._documents,
            "predictions": self._predictions,
            "failed": dict(self._failed),
            "first_failure": self._first_failure,
            "latency": self._latency.packed(),
            "content": _hex(self._content),
            "gold": _hex(self._gold),
        }

    def _answer(self, asked: Asked, reply: Reply) -> tuple[Answer | None, str | None]:
        text = asked.record.text
        if reply.detection is None:
            return None, reply.failure or "no_answer"
        try:
            answer = self._read(text, reply)
        except BadAnswer as error:
            return None, reason_of(error)
        self._latency.add(len(text), reply.seconds, warm=reply.warm)
        self._predictions += len(answer.detection.selected)
        return answer, "partial_answer" if answer.detection.partial else None

    def _read(self, text: str, reply: Reply) -> Answer:
        detection = reply.detection
        interpreter = self._scoring.interpreter
        if interpreter is None or detection is None:
            return Answer(detection, {}, 0)  # type: ignore[arg-type]  # the caller has looked
        answer = interpreter.read(text, detection)
        return answer._replace(dropped=answer.dropped + reply.dropped) if reply.dropped else answer

    def _fail(self, reason: str, line: int) -> None:
        self._failed[reason] += 1
        self._first_failure = self._first_failure or line


def _number(digest: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(digest, digest_size=_SUM_BITS // 8).digest(), "big")


def _hex(total: int) -> str:
    return f"{total % (1 << _SUM_BITS):0{_SUM_BITS // 4}x}"
