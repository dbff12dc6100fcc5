"""What one process knows of the suite: the bank, its engine, and what collection saw of each file."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import pytest

from pytest_pii_eval.collection.case_rows import CaseRows, Room, RowReader
from pytest_pii_eval.collection.subject_building import Builder
from pytest_pii_eval.collection.subjects import BankSubject
from pytest_pii_eval.contracts.containers import refuse_container
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_input
from pytest_pii_eval.contracts.jsonl import read_rows
from pytest_pii_eval.contracts.places import Places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_pii_eval.collection.quality.suite import QualitySuite
    from pytest_pii_eval.collection.subjects import Subject
    from pytest_pii_eval.contracts.bank import Bank
    from pytest_pii_eval.contracts.cases import Case, CaseContract, CaseKind
    from pytest_pii_eval.contracts.freezes_file import FreezesFile
    from pytest_pii_eval.contracts.jsonl import Row
    from pytest_pii_eval.detectors.bank_detector import BankDetector
    from pytest_pii_eval.settings import Settings

SUITE: pytest.StashKey[Suite] = pytest.StashKey()


class FileCensus:
    """What collection saw of one case file: rows, records, digests."""

    __slots__ = ("broken", "digests", "kind", "name", "occurrences", "read_whole", "rows")

    def __init__(self, name: str, kind: CaseKind) -> None:
        self.name = name
        self.kind = kind
        self.broken = False
        self.rows = 0
        self.occurrences = 0
        self.digests = bytearray()
        self.read_whole = False


class Suite:
    """The suite of one process; items reach it through `config.stash[SUITE]`."""

    def __init__(
        self,
        settings: Settings,
        subject: Subject | None = None,
        make: Callable[[str], object | None] = lambda _: None,
        make_adapter: Callable[[str], object | None] = lambda _: None,
    ) -> None:
        self.settings = settings
        self.make_adapter = make_adapter
        self.builder = Builder(settings, make, subject)
        self.files: dict[Path, FileCensus] = {}
        self._case_places = Places(kept=None)
        self.witnessed: set[int] = set()
        self._tag_sets: set[tuple[str, ...]] = set()
        self._keywords: dict[tuple[object, ...], set[str]] = {}
        self.boundary_negatives = 0
        self.run_directory: Path | None = None
        self.rows = RowReader(settings.root)
        self.room = Room()
        self.ids_were_named = False
        self.subject_is_needed = False
        self.corpora_were_met = False
        self.freezes_were_met = False
        self.bank_was_collected = False
        self.bank_fault_was_told = False
        self._contracts: dict[CaseKind, CaseContract] = {}
        self._detector: BankDetector | None = None

    def detector(self) -> BankDetector:
        """Return the engine over the bank, built once a process; raises the same `Fault` every time."""
        if self._detector is None:
            subject = self.subject()
            if not isinstance(subject, BankSubject):
                raise Fault("conformance cases are held against a bank; leave --pii-detector out, or them")
            self._detector = subject.detector
        return self._detector

    def subject(self) -> Subject:
        """Return what is held to the suite, built once a process; raises the same `Fault` every time."""
        return self.builder.subject()

    @cached_property
    def quality(self) -> QualitySuite:
        """The quality suites of this process; their rooms are imported once a file asks for them."""
        from pytest_pii_eval.collection.quality.suite import QualitySuite  # noqa: PLC0415  # only for slices

        return QualitySuite(self.settings, self.run_directory, lambda: self.freezes)

    @cached_property
    def freezes(self) -> FreezesFile | None:
        """The freezes file, or None where there is none; raises `Fault` where it breaks its contract."""
        path = self.settings.freezes
        if path is None or not (path.exists() or path.is_symlink()):
            return None
        from pytest_pii_eval.contracts.freezes_file import read_freezes  # noqa: PLC0415  # only where there is one

        shown = self.settings.shown(path)
        try:
            return read_freezes(path, root=self.settings.root)
        except Fault as fault:
            raise Fault(fault.rule, file=shown, line=fault.line, field=fault.field) from None

    @property
    def has_slices(self) -> bool:
        """Whether a file of a quality suite was met."""
        return "quality" in vars(self)

    @property
    def knows_subject(self) -> bool:
        """Whether this run is about a subject, and there is one: rules about freezes need none."""
        if not self.freezes_were_met:
            return True
        return (self.subject_is_needed or self.bank_was_collected) and self.fault() is None

    def fault(self) -> Fault | None:
        """Return what is wrong with the subject, or None."""
        try:
            self.subject()
        except Fault as fault:
            return fault
        return None

    @property
    def bank(self) -> Bank:
        """The bank under test; raises `Fault` where it is missing or broken."""
        return self.detector().bank

    @cached_property
    def entity_of(self) -> list[str]:
        """The entity of each active pattern of the bank, by the pattern's index."""
        return [pattern.entity_id for pattern in self.bank.patterns]

    @property
    def known_bank(self) -> Bank | None:
        """The bank that catalog identities speak about: the one under test, or one beside a detector."""
        self.subject()
        return self.builder.bank

    def contract(self, kind: CaseKind) -> CaseContract:
        """Return the contract of rows of `kind` against the bank."""
        if kind not in self._contracts:
            from pytest_pii_eval.contracts.cases import CaseContract  # noqa: PLC0415  # heavy, and not always needed

            self._contracts[kind] = CaseContract(kind, self.bank)
        return self._contracts[kind]

    def census(self, path: Path, kind: CaseKind) -> FileCensus:
        """Open the census of a file that is about to be collected."""
        census = self.files.get(path)
        if census is None:
            census = self.files[path] = FileCensus(self.settings.shown(path), kind)
        return census

    def case_rows(self, path: Path) -> CaseRows:
        """Return a place for the rows of a case file until they run."""
        return CaseRows(path, self.rows, self.room)

    def read_cases(self, path: Path, kind: CaseKind) -> Iterator[tuple[Row, Case]]:
        """Yield every row of a case file, checked and taken into the census; raises `Fault`."""
        census = self.census(path, kind)
        contract = self.contract(kind)
        refuse_container(kind, path.name, census.name)
        with open_input(path, root=self.settings.root, shown=census.name) as handle:
            for row in read_rows(handle, file=census.name):
                try:
                    case = contract.parse(row.value)
                    self._note(case, census, row.line)
                except Fault as fault:
                    raise fault.at(file=census.name, line=row.line) from None
                census.digests += contract.digest(case)
                yield row, case
        census.read_whole = True

    def _note(self, case: Case, census: FileCensus, line: int) -> None:
        """Take one checked case into the census; raises `Fault` where its id was seen before."""
        first = self._case_places.add(case.case_id, (census.name, line))
        if first is not None:
            file, at = first
            raise Fault(f"repeats the id of {file}:{at}", field="case_id")
        census.rows += 1
        census.occurrences += len(case.expected)
        self._tag_sets.add(case.tags)
        for _, _, pattern in case.expected:
            self.witnessed.add(pattern)
        if case.kind == "negative" and "boundary" in case.tags:
            self.boundary_negatives += 1

    @property
    def tags(self) -> frozenset[str]:
        """The tags that the cases carry."""
        return frozenset().union(*self._tag_sets)

    def keywords(self, case: Case) -> set[str]:
        """Return what `-k` finds `case` by: tags and entity ids; cases share the sets."""
        entity_of = self.entity_of
        entities = tuple([entity_of[pattern] for _, _, pattern in case.expected])
        words = self._keywords.get((case.tags, entities))
        if words is None:
            words = self._keywords[case.tags, entities] = {*case.tags, *entities}
        return words

    @property
    def cases(self) -> int:
        """How many cases the files hold."""
        return sum(census.rows for census in self.files.values())

    def count(self, kind: CaseKind) -> int:
        """Return how many cases of `kind` the files hold."""
        return sum(census.rows for census in self.files.values() if census.kind == kind)
