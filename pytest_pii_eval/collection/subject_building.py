"""Building what is held to the suite, once a process and in silence; whatever goes wrong is one `Fault`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from pytest_pii_eval.collection.subjects import BankSubject, DetectorSubject, PredictionsSubject
from pytest_pii_eval.contracts.collector import paused_collector
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.silence import silenced, without_raised_warnings
from pytest_pii_eval.withheld import is_interrupt, type_and_place, withheld, without_frames

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pii_eval.collection.subjects import Subject
    from pytest_pii_eval.contracts.bank import Bank
    from pytest_pii_eval.detectors.protocol import Detector
    from pytest_pii_eval.settings import Settings


class Builder:
    """Builds the subject when it is first asked for, and closes it.

    `make` gives a detector of a plugin by its name, or None; `bank` returns the bank where none is read from
    the file that `settings` name.
    """

    def __init__(
        self,
        settings: Settings,
        make: Callable[[str], object | None],
        subject: Subject | None = None,
        *,
        bank: Callable[[], Bank | None] | None = None,
    ) -> None:
        self._settings = settings
        self._make = make
        self._bank_of_others = bank
        self._subject = subject
        self._fault: Fault | None = None
        self.bank: Bank | None = subject.detector.bank if isinstance(subject, BankSubject) else None

    def subject(self) -> Subject:
        """Return the subject; raises the same `Fault` every time."""
        if self._subject is not None:
            return self._subject
        if self._fault is not None:
            raise self._fault
        try:
            self._subject = subject = without_frames(self._build_in_silence)
        except Fault as fault:
            self._fault = problem = fault
        except BaseException as error:  # SystemExit too: its text and frames may hold names
            if is_interrupt(error):
                raise
            what = "engine" if self._settings.asks_a_bank else "detector"
            self._fault = problem = Fault(f"the {what} could not be built: {withheld(error)}")
        else:
            return subject
        raise problem

    def close(self) -> str | None:
        """Close the subject, if it was built; return a line where that failed."""
        if self._subject is None:
            return None
        try:
            silenced(self._subject.close)
        except BaseException as error:  # noqa: BLE001  # a stranger's code; SystemExit would end the run in silence
            return f"the detector could not be closed: {type_and_place(error)}"
        return None

    def _build_in_silence(self) -> Subject:
        shown = self._settings.reveal == "text"
        with without_raised_warnings(shown=shown):
            return self._build() if shown else silenced(self._build)

    def _build(self) -> Subject:
        settings = self._settings
        if settings.asks_a_bank and settings.bank is None:
            raise Fault("conformance cases need a bank; give --pii-bank=FILE or the ini value pii_bank")
        try:
            with paused_collector():
                self.bank = self._load_bank()
                if self.bank is not None and settings.asks_a_bank:
                    return self._bank_subject(self.bank)
        except Fault as fault:
            file = settings.shown(settings.bank) if settings.bank else fault.file
            raise Fault(fault.rule, file=file, line=fault.line, field=fault.field) from None
        if settings.predictions is not None:
            from pytest_pii_eval.detectors.replay import Predictions  # noqa: PLC0415  # only when asked for

            predictions = Predictions(settings.predictions, root=settings.root, shown=settings.shown)
            return PredictionsSubject(predictions, label_map=settings.label_map)
        started = time.perf_counter()
        detector = self._detector(settings.detector or "")
        seconds = time.perf_counter() - started
        return DetectorSubject(
            detector,
            label_map=settings.label_map,
            build_seconds=seconds,
            one_by_one=settings.max_p95_ms is not None,
        )

    def _load_bank(self) -> Bank | None:
        if self._bank_of_others is not None:
            return self._bank_of_others()
        # Heavy: a run that only walks past files of ours does not pay for it.
        from pytest_pii_eval.contracts.bank import load_bank  # noqa: PLC0415  # see above

        settings = self._settings
        return None if settings.bank is None else load_bank(settings.bank, root=settings.root)

    def _bank_subject(self, bank: Bank) -> BankSubject:
        from pytest_pii_eval.detectors.bank_detector import BankDetector  # noqa: PLC0415  # as above

        settings = self._settings
        detector = BankDetector(bank, engine=settings.engine, time_limit=settings.time_limit)
        return BankSubject(detector, settings.max_matches)

    def _detector(self, name: str) -> Detector:
        """Return the detector of a plugin, or else an adapter of ours or what `module:attribute` names."""
        from pytest_pii_eval.detectors.finding import Wanted, build  # noqa: PLC0415  # as above
        from pytest_pii_eval.detectors.isolated import IsolatedDetector, limited  # noqa: PLC0415  # as above
        from pytest_pii_eval.detectors.vetting import vetted  # noqa: PLC0415  # as above

        settings = self._settings
        limit = settings.document_timeout
        made = self._make(name)
        if made is not None:
            detector = vetted(made, name)
            return detector if limit is None else IsolatedDetector.of(detector, limit)
        wanted = Wanted(name, settings.detector_options, settings.module_paths)
        return build(wanted) if limit is None else limited(wanted, limit)
