"""A directory as a quality suite: its slice plan, the census of its records, its shards."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from pytest_pii_eval.collection.quality.cutting import Cutter
from pytest_pii_eval.collection.quality.membership import UNGOVERNED, Gold
from pytest_pii_eval.collection.quality.origins import Origins
from pytest_pii_eval.collection.quality.shards import Scoring
from pytest_pii_eval.contracts.bindings import Bindings, read_bindings
from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.containers import refuse_container
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.population import Population
from pytest_pii_eval.contracts.provenance import Coverage, parse_origin
from pytest_pii_eval.contracts.records import RecordContract, has_identities
from pytest_pii_eval.contracts.row_files import RowFiles, open_row_file
from pytest_pii_eval.contracts.slices import make_plan, parse_slice, parse_unsupported
from pytest_pii_eval.contracts.suite_file import SuiteFile, check_rules, read_suite_file
from pytest_pii_eval.corpora.receipt import RECEIPT
from pytest_pii_eval.kinds import kind_of
from pytest_pii_eval.scoring.documents import Scope
from pytest_pii_eval.scoring.metrics import METRIC_NAMES, TYPE_METRIC_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping
    from pathlib import Path

    from pytest_pii_eval.collection.corpora.corpus import Corpus
    from pytest_pii_eval.collection.quality.membership import Membership
    from pytest_pii_eval.collection.quality.shards import Shard
    from pytest_pii_eval.collection.subjects import Subject
    from pytest_pii_eval.contracts.bank import Bank
    from pytest_pii_eval.contracts.jsonl import Row
    from pytest_pii_eval.contracts.places import Place
    from pytest_pii_eval.contracts.records import Record
    from pytest_pii_eval.contracts.slices import Slice, SlicePlan
    from pytest_pii_eval.detectors.answers import Interpreter
    from pytest_pii_eval.settings import FileKind, Settings

_Parsed = TypeVar("_Parsed")
_SHOWN = 12


class QualityDirectory:
    """Everything collection learns of one directory; built whole or refused with the first `Fault`.

    A prepared corpus is such a directory, with its gates in the corpora file. `documents` counts those that
    are scored, by slice: all of the population, or the first `--pii-limit` of it. `membership` says which set
    of the freezes file it is; `origins` is there where somebody asks where its documents come from.
    """

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        bank: Bank | None,
        subject: Subject | None = None,
        *,
        corpus: Corpus | None = None,
        membership: Membership = UNGOVERNED,
    ) -> None:
        self.folder = folder
        self.settings = settings
        self.corpus = corpus
        self._bank = bank
        self._is_scored = subject is not None
        self._ids: dict[str, dict[str, int]] = {}
        self._states: dict[Path, tuple[int, ...]] = {}
        self.membership = membership
        given = self._read_suite_file() if corpus is None else corpus.suite_file
        self.suite_file: SuiteFile = membership.governed(
            given, settings.shown(folder), scored=self._is_scored
        )
        self.plan: SlicePlan = make_plan(
            self._parsed("slices", self._known_slice), self._parsed("unsupported", parse_unsupported)
        )
        self._check_gates()
        self._check_types_asked_for()
        self.identities = subject is None or subject.identities
        self._interpreter = None if subject is None else self._interpreter_of(subject)
        self.label_map = None if subject is None else subject.label_map(self.suite_file.taxonomy)
        self.bindings: Bindings | None = self._read_bindings()
        self.population = Population(self.plan)
        self.documents: Counter[str] = Counter()
        self._has_identities = False
        self.shards: list[Shard] = []
        roles = {one.split_role for one in self.plan.slices.values()}
        asked = membership.file is not None or roles >= {"train", "test"}
        self.origins: Origins | None = Origins(membership.split_key(corpus)) if asked else None
        self._take_census()
        self._cover_provenance()

    def _read_suite_file(self) -> SuiteFile:
        settings = self.settings
        try:
            return read_suite_file(self.folder / "suite.yaml", root=settings.root)
        except Fault as fault:  # the file is named by its last part, and may be the taxonomy beside
            shown = settings.shown(self.folder / (fault.file or "suite.yaml"))
            raise Fault(fault.rule, file=shown, line=fault.line, field=fault.field) from None

    def _check_types_asked_for(self) -> None:
        asked = self.settings.types
        unknown = sum(name not in self.suite_file.taxonomy.types for name in asked)
        if unknown:
            raise Fault(f"--pii-types: {unknown} of the {len(asked)} names are no type of the taxonomy")
        if (
            asked
            and self.corpus is None
            and self.plan.slices
            and not any(scope.types for scope in self.scopes.values())
        ):
            raise Fault("--pii-types: no slice has any of these types in its scope")

    @property
    def commitment(self) -> str | None:
        """What a run binds of the corpus that this is, catalog bindings included; None for other suites."""
        if self.corpus is None:
            return None
        bindings = None if self.bindings is None else self.bindings.fingerprint
        return fingerprint({"corpus": self.corpus.commitment, "bindings": bindings})

    @property
    def cataloged(self) -> bool:
        """Whether every gold span says whether a bank knows it: a corpus or an import alone says so of none.

        `pii-eval import` writes `null` for each span and leaves its receipt, so that `null` says "nobody
        looked" there; an identity that somebody entered since says that it was looked at.
        """
        if self.bindings is not None:
            return True
        return self.corpus is None and (self._has_identities or not (self.folder / RECEIPT).exists())

    def shards_in(self, path: Path) -> list[Shard]:
        """Return the shards of one records file."""
        return [shard for shard in self.shards if shard.path == path]

    def shards_of(self, slice_id: str) -> list[Shard]:
        """Return the shards that hold documents of a slice."""
        return [shard for shard in self.shards if slice_id in shard.slices]

    def ids_in(self, path: Path) -> Mapping[str, int]:
        """Return the ids of slices or gaps in one plan file with their lines, in order."""
        return self._ids.get(self.settings.shown(path), {})

    @cached_property
    def scopes(self) -> dict[str, Scope]:
        """The scope of every slice, cut down to the requested types."""
        taxonomy, asked = self.suite_file.taxonomy, self.settings.types
        scopes = {}
        for name, one in self.plan.slices.items():
            types = one.types & asked if asked else one.types
            if self.suite_file.types is not None:
                types &= self.suite_file.types
            scopes[name] = Scope(types, taxonomy.high_severity(types))
        return scopes

    def scoring(self, subject: Subject) -> Scoring:
        """Return what shards of this directory are scored with."""
        contract = RecordContract(self.plan, self._bank)
        root = self.settings.root
        return Scoring(
            contract, subject, self._interpreter, self.scopes, root, self.bindings, files=RowFiles()
        )

    def _interpreter_of(self, subject: Subject) -> Interpreter | None:
        """Return what reads the replies; refuses a label map that gives no type in any scope."""
        interpreter = subject.interpreter(self.suite_file.taxonomy)
        wanted = frozenset().union(*(scope.types for scope in self.scopes.values()))
        if interpreter is not None and not interpreter.any_type and wanted and not interpreter.types & wanted:
            raise Fault(
                f"label sets are disjoint: the detector's labels become {_listed(interpreter.types)},"
                f" and the slices ask for {_listed(wanted)}; give a label map in the taxonomy"
            )
        return interpreter

    def files(self, kind: FileKind) -> Iterator[Path]:
        """Yield the files of `kind`, in order of their names."""
        for path in sorted(self.folder.iterdir()):
            if kind_of(path, self.settings) == kind:
                yield path

    def _rows(self, kind: FileKind, take: Callable[[Row, Place], None]) -> None:
        """Hand every row of the files of `kind` to `take`; a fault gets the place that it lacks."""
        for path in self.files(kind):
            shown = self.settings.shown(path)
            refuse_container(kind, path.name, shown)
            with open_row_file(path, root=self.settings.root, shown=shown) as file:
                self._states[path] = file.state
                for row in file.rows():
                    try:
                        take(row, (shown, row.line))
                    except Fault as fault:
                        raise fault.at(file=shown, line=row.line) from None

    def _parsed(self, kind: FileKind, parse: Callable[[object], _Parsed]) -> list[_Parsed]:
        parsed: list[_Parsed] = []

        def take(row: Row, place: Place) -> None:
            parsed.append(parse(row.value))
            self._note_id(str(row.value["id"]), place)

        self._rows(kind, take)
        return parsed

    def _known_slice(self, value: object) -> Slice:
        one = parse_slice(value)
        self.suite_file.taxonomy.check_slice(one)
        return one

    def _note_id(self, name: str, place: Place) -> None:
        for file, ids in self._ids.items():
            if name in ids:
                raise Fault(f"the plan uses this id twice; the first is {file}:{ids[name]}", field="id")
        self._ids.setdefault(place[0], {})[name] = place[1]

    def _check_gates(self) -> None:
        try:
            check_rules(self.suite_file, self.plan, metrics=METRIC_NAMES, type_metrics=TYPE_METRIC_NAMES)
        except Fault as fault:
            suite = self.settings.shown(self.folder / "suite.yaml")
            raise fault.at(file=suite if self.corpus is None else self.corpus.file) from None

    def _read_bindings(self) -> Bindings | None:
        """Return the catalog bindings: those that the pin of a corpus names, or the file of the directory."""
        if self.corpus is None:
            paths = list(self.files("bindings"))
        else:
            paths = [] if self.corpus.pin.bindings is None else [self.corpus.pin.bindings]
        if len(paths) > 1:
            shown = self.settings.shown(paths[1])
            raise Fault(
                f"is beside {paths[0].name}: catalog bindings are one file, put both into one", file=shown
            )
        root, bank = self.settings.root, self._bank
        for path in paths:
            bindings = read_bindings(path, root=root, shown=self.settings.shown(path), bank=bank)
            if self._is_scored and bank is None and bindings.identities:
                rule = "names patterns, and only a bank tells whether they are active; give --pii-bank"
                raise Fault(rule, file=self.settings.shown(path))
            return bindings
        return None

    def _take_census(self) -> None:
        contract = RecordContract(self.plan, self._bank)
        cutter = Cutter(self.settings.shard_size)
        limit = self.settings.limit
        gold = Gold(self.membership, contract)

        def take(row: Row, place: Place) -> None:
            record = contract.parse(row.value)
            self.population.add(record, place)
            if not self._has_identities:
                self._has_identities = has_identities(record)
            self._govern(record, gold)
            if self.bindings is not None:
                record = self.bindings.bound(record)
            if limit is not None and len(self.population) > limit:
                return  # checked as every record is, and not scored
            for name in record.slice_ids:
                self.documents[name] += 1
            cutter.add(place[0], row, record.slice_ids)

        with self.population.reading():
            self._rows("records", take)
        for path in self.files("records"):
            self.shards.extend(cutter.shards(path, self.settings.shown(path), self._states[path]))
        self.population.finish()
        try:
            gold.check()
        except Fault as fault:
            raise fault.at(file=self.settings.shown(self.folder)) from None
        if self.bindings is not None:
            self.bindings.finish()
        if self.corpus is not None and len(self.population) != self.corpus.receipt.documents:
            rule = f"hold {len(self.population):,} documents; the receipt of the corpus says otherwise"
            raise Fault(rule, file=self.settings.shown(self.folder))

    def _govern(self, record: Record, gold: Gold) -> None:
        """Note what the rules about freezes ask of a record."""
        if self.origins is not None:
            self.origins.note(record)
        gold.add(record)

    def _cover_provenance(self) -> None:
        coverage = Coverage(self.population)

        def take(row: Row, place: Place) -> None:
            origin = parse_origin(row.value)
            coverage.add(origin, place)
            if self.origins is not None:
                self.origins.learn(origin)

        with coverage.reading():
            self._rows("provenance", take)
        if any(True for _ in self.files("provenance")):
            coverage.finish()
        self.population.release()


def _listed(names: Collection[str]) -> str:
    shown = ", ".join(sorted(names)[:_SHOWN])
    return f"{shown} and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else shown or "nothing"
