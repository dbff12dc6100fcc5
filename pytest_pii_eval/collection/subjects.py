"""What is held to a suite: a bank, a detector, or predictions made before; asked documents, it replies."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Literal, Protocol

from pytest_pii_eval.collection.replies import Reply, one_process, reason_of, timed
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.detectors.answers import Interpreter
from pytest_pii_eval.detectors.protocol import libraries_of
from pytest_pii_eval.scoring.latency import WARM_UP
from pytest_pii_eval.withheld import is_interrupt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pii_eval.contracts.offsets import OffsetUnit
    from pytest_pii_eval.contracts.records import Record
    from pytest_pii_eval.contracts.taxonomy import Taxonomy
    from pytest_pii_eval.detectors.bank_detector import BankDetector
    from pytest_pii_eval.detectors.protocol import Detector
    from pytest_pii_eval.detectors.replay import Predictions

SubjectKind = Literal["bank", "detector", "predictions"]

TYPES = "types"
"""The label map that is none: labels are types themselves."""

_BATCH = 32


class Subject(Protocol):
    """What is held to the suite in this process."""

    kind: SubjectKind
    identities: bool
    batch_size: int
    build_seconds: float

    @property
    def detector(self) -> Detector | None:
        """The detector that is asked, if one is."""

    def ask(self, records: Sequence[Record]) -> list[Reply]:
        """Return a reply a document, in order; raises only `Fault`."""

    def label_map(self, taxonomy: Taxonomy) -> str | None:
        """Return the name of the label map that is used; raises `Fault` where the taxonomy lacks it."""

    def interpreter(self, taxonomy: Taxonomy) -> Interpreter | None:
        """Return what reads the replies; None where they need no reading. Raises `Fault` as `label_map`."""

    def facts(self) -> dict[str, Any]:
        """Return what the report says of the subject; equal in every process."""

    def close(self) -> None:
        """Let go of what the subject holds."""


class BankSubject:
    """A bank: its labels are the types, its offsets code points inside the text."""

    kind: SubjectKind = "bank"
    identities = True
    batch_size = 1
    build_seconds = 0.0

    def __init__(self, detector: BankDetector, max_matches: int) -> None:
        self.detector = detector
        self._max_matches = max_matches
        self._asked = 0

    def ask(self, records: Sequence[Record]) -> list[Reply]:
        """Scan the documents one by one."""
        return [self._reply(record.text) for record in records]

    def label_map(self, taxonomy: Taxonomy) -> None:
        """Return None: entities are types."""

    def interpreter(self, taxonomy: Taxonomy) -> None:
        """Return None."""

    def facts(self) -> dict[str, Any]:
        """Return name, version and engine."""
        detector, engine = self.detector, self.detector.engine_facts()
        return {
            "kind": self.kind,
            "name": detector.name,
            "version": detector.version,
            "engine": engine["engine"],
            "engine_version": engine["version"],
            "libraries": engine["libraries"],
            "fingerprint": detector.fingerprint(),
        }

    def close(self) -> None:
        """Do nothing: an engine holds memory only."""

    def _reply(self, text: str) -> Reply:
        self._asked += 1
        return timed(
            lambda: self.detector.detect(text, max_matches=self._max_matches), warm=self._asked <= WARM_UP
        )


class DetectorSubject:
    """Any detector; asked in batches where it takes them, unless single documents are to be timed."""

    kind: SubjectKind = "detector"

    def __init__(
        self,
        detector: Detector,
        *,
        label_map: str | None = None,
        build_seconds: float = 0.0,
        one_by_one: bool = False,
    ) -> None:
        self.detector = detector
        self.identities = bool(getattr(detector, "identities", False))
        self.build_seconds = build_seconds
        self._batch = None if one_by_one else getattr(detector, "detect_batch", None)
        self.batch_size = int(getattr(detector, "batch_size", _BATCH)) if self._batch else 1
        self._label_map = label_map
        self._unit: OffsetUnit = detector.offset_unit
        self._asked = 0

    def ask(self, records: Sequence[Record]) -> list[Reply]:
        """Ask the documents at once, and one by one where that fails: one bad document spoils no other."""
        texts = [record.text for record in records]
        warm = self._asked < WARM_UP
        self._asked += len(texts)
        if self._batch is not None and len(texts) > 1:
            replies = self._ask_together(texts, warm=warm)
            if replies is not None:
                return replies
        return [timed(lambda text=text: self.detector.detect(text), warm=warm) for text in texts]  # type: ignore[misc]  # bound now

    def label_map(self, taxonomy: Taxonomy) -> str | None:
        """Return the name of this detector's map in `taxonomy`."""
        asked = self._label_map or getattr(self.detector, "label_map", None)
        return chosen_map(taxonomy, self.detector.name, asked)

    def interpreter(self, taxonomy: Taxonomy) -> Interpreter:
        """Return what converts offsets and maps labels."""
        return _interpreter(self._unit, taxonomy, self.label_map(taxonomy))

    def facts(self) -> dict[str, Any]:
        """Return name, version, unit, label map and libraries."""
        detector = self.detector
        return detector_facts(detector, libraries_of(detector), self._unit)

    def close(self) -> None:
        """Close the detector, if it can be closed."""
        close = getattr(self.detector, "close", None)
        if callable(close):
            close()

    def _ask_together(self, texts: list[str], *, warm: bool) -> list[Reply] | None:
        started = time.perf_counter()
        try:
            with one_process():
                detections = list(self._batch(list(texts)))  # type: ignore[misc]  # asked only where it is there
        except BaseException as error:  # asked again one by one, where it is told
            if is_interrupt(error):
                raise
            return None
        if len(detections) != len(texts):
            return None
        seconds, characters = time.perf_counter() - started, sum(map(len, texts)) or 1
        return [
            Reply(detection, None, seconds * len(text) / characters, warm=warm)
            for text, detection in zip(texts, detections, strict=True)
        ]


class PredictionsSubject:
    """Predictions that a detector made before; the detector itself is not needed."""

    kind: SubjectKind = "predictions"
    detector = None
    batch_size = 1
    build_seconds = 0.0

    def __init__(self, predictions: Predictions, *, label_map: str | None = None) -> None:
        self.predictions = predictions
        self.identities = predictions.identities
        self._label_map = label_map

    def ask(self, records: Sequence[Record]) -> list[Reply]:
        """Look the documents up; raises `Fault` where one is missing or its text is another now."""
        return [self._reply(record) for record in records]

    def label_map(self, taxonomy: Taxonomy) -> str | None:
        """Return the name of the map in `taxonomy` for the detector that predicted."""
        made = self.predictions
        return chosen_map(taxonomy, made.name, self._label_map or made.label_map)

    def interpreter(self, taxonomy: Taxonomy) -> Interpreter:
        """Return what maps labels; offsets are code points already, and a bank's entities are types."""
        if self.identities:
            return Interpreter("codepoint", None, None)
        return _interpreter("codepoint", taxonomy, self.label_map(taxonomy))

    def facts(self) -> dict[str, Any]:
        """Return name, version and fingerprint of the detector that predicted."""
        facts = detector_facts(self.predictions, self.predictions.libraries, "codepoint")
        return {**facts, "replayed": True}

    def close(self) -> None:
        """Close the files."""
        self.predictions.close()

    def _reply(self, record: Record) -> Reply:
        try:
            detection, dropped = self.predictions.answer(record.document_id, record.text)
        except Fault:
            raise
        except Exception as error:  # noqa: BLE001  # a document that had no answer when it was predicted
            return Reply(None, reason_of(error), 0.0)
        return Reply(detection, None, 0.0, dropped)


def chosen_map(taxonomy: Taxonomy, name: str, asked: str | None) -> str | None:
    """Return the name of the label map `asked` for, or of the detector, or None: labels are types.

    Raises `Fault` where the map asked for is not in the taxonomy.
    """
    if asked == TYPES:
        return None
    if asked is not None and asked not in taxonomy.label_maps:
        known = ", ".join(sorted([*taxonomy.label_maps, TYPES]))
        raise Fault(f"the taxonomy has no label map of the name that was asked for; it has: {known}")
    chosen = asked or name
    return chosen if chosen in taxonomy.label_maps else None


def _interpreter(unit: OffsetUnit, taxonomy: Taxonomy, chosen: str | None) -> Interpreter:
    return Interpreter(unit, None if chosen is None else taxonomy.label_maps[chosen], taxonomy.types)


def detector_facts(
    detector: Detector | Predictions, libraries: Mapping[str, str], unit: OffsetUnit
) -> dict[str, Any]:
    """Return what the report says of a detector, or of the one that predicted."""
    fingerprint = detector.fingerprint
    return {
        "kind": "detector",
        "name": detector.name,
        "version": detector.version,
        "libraries": dict(libraries),
        "fingerprint": fingerprint() if callable(fingerprint) else fingerprint,
        "offset_unit": unit,
    }
