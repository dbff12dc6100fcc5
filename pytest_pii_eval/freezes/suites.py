"""A suite as its files: which there are, and each read once, strictly and row by row; no rule of freezes."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final, TypeVar, final

from pytest_pii_eval.arguments import why
from pytest_pii_eval.contracts.bindings import Bindings
from pytest_pii_eval.contracts.canonical import sha256
from pytest_pii_eval.contracts.commitment_model import CommittedFile
from pytest_pii_eval.contracts.containers import refuse_container
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import (
    hash_of_input,
    open_input,
    read_input,
    state_of_input,
)
from pytest_pii_eval.contracts.population import Population
from pytest_pii_eval.contracts.provenance import Coverage, parse_origin
from pytest_pii_eval.contracts.records import RecordContract
from pytest_pii_eval.contracts.row_files import open_row_file
from pytest_pii_eval.contracts.slices import make_plan, parse_slice, parse_unsupported
from pytest_pii_eval.contracts.suite_file import check_rules, read_suite_file
from pytest_pii_eval.contracts.yaml_file import MAX_FILE_BYTES, read_document
from pytest_pii_eval.scoring.metrics import METRIC_NAMES, TYPE_METRIC_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import TypeAlias

    from pytest_pii_eval.contracts.jsonl import Row
    from pytest_pii_eval.contracts.places import Place
    from pytest_pii_eval.contracts.provenance import Origin
    from pytest_pii_eval.contracts.records import Record
    from pytest_pii_eval.contracts.row_files import RowFile
    from pytest_pii_eval.contracts.slices import Slice, SlicePlan
    from pytest_pii_eval.contracts.suite_file import SuiteFile

    Kinds: TypeAlias = Callable[[Path], str | None]

SUITE: Final = "suite.yaml"
ROWS: Final = ("slices", "unsupported", "bindings", "records", "provenance")
"""The kinds of files with rows that a suite consists of."""

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,254}")
_Parsed = TypeVar("_Parsed")


def paths_of(folder: Path, kinds: Kinds) -> dict[str, tuple[Path, ...]]:
    """Return the files with rows in `folder` by their kind, in order of their names; raises `Fault`."""
    try:
        paths = sorted(folder.iterdir())
    except OSError as error:
        raise Fault(f"is no directory that can be read ({why(error)})", file=folder.name) from None
    found: dict[str, list[Path]] = {kind: [] for kind in ROWS}
    for path in paths:
        kind = kinds(path)
        if kind in found:
            found[kind].append(path)
    return {kind: tuple(ones) for kind, ones in found.items()}


@final
class SuiteFiles:
    """The files of the suite in `folder`; `committed` says what those were that have been read so far."""

    def __init__(self, folder: Path, kinds: Kinds, *, root: Path | None = None) -> None:
        self.folder = folder
        self._root = root
        self._paths = paths_of(folder, kinds)
        self.committed: dict[str, CommittedFile] = {}
        for kind, paths in self._paths.items():
            for path in paths:
                check_name(path.name, kind)
        if not self.of("records"):
            raise Fault("holds no records; it is no suite", file=folder.name)
        if len(self.of("bindings")) > 1:
            raise Fault("holds several files of catalog bindings; put them into one", file=folder.name)
        self.suite: SuiteFile = self._read_suite()

    def of(self, kind: str) -> tuple[Path, ...]:
        """Return the files of `kind`, which is one of `ROWS`."""
        return self._paths[kind]

    @property
    def names_elsewhere(self) -> bool:
        """Whether the suite file names a taxonomy that does not lie beside it."""
        if SUITE not in self.plain or len(self.plain) > 1:
            return False
        document = read_document(self.folder / SUITE, root=self._root)
        return isinstance(document, dict) and "taxonomy" in document

    @cached_property
    def plain(self) -> Mapping[str, bytes]:
        """The suite file and the taxonomy beside it, as far as there are any, by name."""
        path = self.folder / SUITE
        if not path.exists():
            return {}
        named = _taxonomy_name(read_document(path, root=self._root))
        names = (SUITE,) if named is None else (SUITE, named)
        return {name: read_input(self.folder / name, limit=MAX_FILE_BYTES, root=self._root) for name in names}

    def read(self, kind: str, take: Callable[[Row, Place], None], *, only: Path | None = None) -> None:
        """Hand each row of the files of `kind`, or of one, to `take`; its `Fault` gets the place it lacks."""
        for path in self.of(kind) if only is None else (only,):
            refuse_container(kind, path.name)
            with open_row_file(path, root=self._root) as file:
                for row in file.rows():
                    try:
                        take(row, (path.name, row.line))
                    except Fault as fault:
                        raise fault.at(file=path.name, line=row.line) from None
                self.committed[path.name] = self._as_it_lies(path, file)

    def _as_it_lies(self, path: Path, file: RowFile) -> CommittedFile:
        """Return size and hash of the file on the disk, which is the one whose rows were read."""
        with open_input(path, root=self._root) as handle:
            size, digest = hash_of_input(handle)
            file.check_unchanged(state_of_input(handle))
        return CommittedFile(bytes=size, sha256=digest)

    def _read_suite(self) -> SuiteFile:
        suite = read_suite_file(self.folder / SUITE, root=self._root)
        for name, payload in self.plain.items():
            self.committed[name] = CommittedFile(bytes=len(payload), sha256=sha256(payload))
        return suite


@final
class SuiteReading:
    """One reading of a whole suite: its plan at once, then all that its documents are, by `read`."""

    def __init__(self, files: SuiteFiles) -> None:
        self._files = files
        self.plan: SlicePlan = make_plan(
            self._parsed("slices", self._known_slice), self._parsed("unsupported", parse_unsupported)
        )
        try:
            check_rules(files.suite, self.plan, metrics=METRIC_NAMES, type_metrics=TYPE_METRIC_NAMES)
        except Fault as fault:
            raise fault.at(file=SUITE) from None
        self.contract = RecordContract(self.plan)
        self.population = Population(self.plan)

    def read(
        self, on_record: Callable[[Record, Row, Place], None], on_origin: Callable[[Origin, Place], None]
    ) -> None:
        """Hand on each record, then each row of provenance; raises `Fault` where a contract is broken."""
        bindings = self._bindings()

        def take(row: Row, place: Place) -> None:
            record = self.contract.parse(row.value)
            self.population.add(record, place)
            if bindings is not None:
                bindings.bound(record)
            on_record(record, row, place)

        with self.population.reading():
            self._files.read("records", take)
        self.population.finish()
        if bindings is not None:
            bindings.finish()
        if not len(self.population):
            raise Fault("holds no document", file=self._files.folder.name)
        self._cover(on_origin)

    def _cover(self, on_origin: Callable[[Origin, Place], None]) -> None:
        coverage = Coverage(self.population)

        def take(row: Row, place: Place) -> None:
            origin = parse_origin(row.value)
            coverage.add(origin, place)
            on_origin(origin, place)

        with coverage.reading():
            self._files.read("provenance", take)
        if self._files.of("provenance"):
            coverage.finish()

    def _bindings(self) -> Bindings | None:
        paths = self._files.of("bindings")
        if not paths:
            return None
        bindings = Bindings(paths[0].name)
        self._files.read("bindings", lambda row, _: bindings.add(row.value, row.line))
        return bindings

    def _parsed(self, kind: str, parse: Callable[[object], _Parsed]) -> list[_Parsed]:
        parsed: list[_Parsed] = []
        self._files.read(kind, lambda row, _: parsed.append(parse(row.value)))
        return parsed

    def _known_slice(self, value: object) -> Slice:
        one = parse_slice(value)
        self._files.suite.taxonomy.check_slice(one)
        return one


def check_name(name: str, what: str) -> None:
    """Raise `Fault` where the name of a file is none that a commitment has; the name stays out of it."""
    if not _NAME.fullmatch(name):
        rule = "has a name with more in it than letters, digits, dots, underscores and dashes; rename it"
        raise Fault(f"a file of the suite ({what}) {rule}")


def check_provenance(files: SuiteFiles, option: str) -> None:
    """Raise `Fault` where templates are asked for and no file says which document is of which."""
    if not files.of("provenance"):
        rule = "has no provenance sidecar, which says the template of each document"
        raise Fault(f"{rule}; add one, or give {option} document_id", file=files.folder.name)


def check_taxonomy(files: SuiteFiles) -> None:
    """Raise `Fault` where the suite file names a taxonomy elsewhere: it is bound by nothing."""
    if files.names_elsewhere:
        raise Fault("must lie beside, to belong to the suite", file=SUITE, field="taxonomy")


def _taxonomy_name(document: object) -> str | None:
    """Return the name of the taxonomy that a suite file names, where it lies beside; raises `Fault`."""
    named = document.get("taxonomy") if isinstance(document, dict) else None
    if not isinstance(named, str):
        return None
    path = PurePosixPath(named)
    if len(path.parts) != 1:
        return None
    check_name(path.name, "taxonomy")
    return path.name
