"""A run of one suite by batches, on this machine or on a cluster: one map, one merge, one report."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Final, NamedTuple, cast, final

from pytest_pii_eval.cluster.arguments import BATCH_BYTES
from pytest_pii_eval.cluster.bench import Bench
from pytest_pii_eval.cluster.directory import CountedDirectory
from pytest_pii_eval.cluster.engines import InlineEngine, Lost, Task
from pytest_pii_eval.cluster.failed_cases import FailedCases
from pytest_pii_eval.cluster.fittings import fitted
from pytest_pii_eval.cluster.mapping import Mapping
from pytest_pii_eval.cluster.merge import Merge
from pytest_pii_eval.cluster.recipe import Recipe, packed
from pytest_pii_eval.cluster.staging import staged
from pytest_pii_eval.cluster.storage import storage_of
from pytest_pii_eval.collection.quality.membership import membership_of
from pytest_pii_eval.collection.suite import Suite
from pytest_pii_eval.contracts.files import read_input
from pytest_pii_eval.reckoning import Reckoning
from pytest_pii_eval.silence import silenced

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pii_eval.cluster.engines import Engine
    from pytest_pii_eval.cluster.mapped import Group
    from pytest_pii_eval.cluster.staging import Staged
    from pytest_pii_eval.contracts.cases import CaseKind
    from pytest_pii_eval.reports.model import Report
    from pytest_pii_eval.settings import FileKind, Settings

_CASE_BYTES: Final = 256 * 1024
"""Bytes of a batch of cases: each is scanned with a whole bank, and they are few beside records."""


class Wish(NamedTuple):
    """What shall run: the suite's folder or URL, the settings, and where; `cluster` None is this process."""

    suite: str
    settings: Settings
    cluster: str | None = None
    batch_bytes: int = BATCH_BYTES
    quiet: bool = False


@final
class ClusterRun:
    """One run; `lost` says of each batch that killed its workers its file, first line and rows.

    `failed_cases` are the conformance cases that do not hold.
    """

    def __init__(self, wish: Wish, engine_of: Callable[[str, Recipe], Engine] | None = None) -> None:
        self._wish = wish
        self._engine_of = engine_of or on_dask
        self.lost: list[str] = []
        self.failed_cases = FailedCases()
        self.trouble: str | None = None

    def report(self) -> Report:
        """Run everything and build the report; raises `Fault` where a file breaks its contract."""
        wish = self._wish
        storage = storage_of(wish.suite, wish.settings)
        with staged(storage, wish.settings) as found:
            suite = Suite(found.settings)
            try:
                return self._report(found, suite)
            finally:
                self.trouble = suite.builder.close()

    def _report(self, found: Staged, suite: Suite) -> Report:
        suite.subject()
        if suite.settings.asks_a_bank:
            _check_cases(found, suite)
        membership = membership_of(suite.freezes, found.folder, None)
        directory = silenced(
            lambda: CountedDirectory(
                found.folder, found.settings, suite.known_bank, suite.subject(), membership=membership
            )
        )
        recipe = recipe_of(found, directory)
        bench = Bench(recipe, fitted(suite.builder))
        cluster = self._wish.cluster
        engine = InlineEngine(bench) if cluster is None else self._engine_of(cluster, recipe)
        reckoning = Reckoning(suite)
        with closing(engine):
            mapping = Mapping(bench, engine, batch_bytes=self._wish.batch_bytes, quiet=self._wish.quiet)
            if suite.settings.asks_a_bank:
                self._cases(mapping, found, reckoning)
            if {"records", "slices"} & set(found.kinds.values()):
                merge = self._merged(mapping, found, directory)
                suite.quality.directories[found.folder] = directory
                self._slices(merge, directory, reckoning)
        for name in self.lost:
            reckoning.miss(name)
        return silenced(lambda: reckoning.report(processes=engine.processes))

    def _cases(self, mapping: Mapping, found: Staged, reckoning: Reckoning) -> None:
        """Judge the cases, which are all good rows."""
        batches = mapping.batches(found.of_kind("positive", "negative"), most=_CASE_BYTES)
        for batch, result in mapping.results(Task.CASES, batches):
            if isinstance(result, Lost):
                self.lost.append(f"cases.{batch.number} (every worker died)")
                continue
            group: Group = result
            self.failed_cases.add(group)
            reckoning.cases(f"cases.{batch.number}", group.evidence, failed=bool(group.failed))

    def _slices(self, merge: Merge, directory: CountedDirectory, reckoning: Reckoning) -> None:
        """Judge the slices by what all batches came to."""
        if len(directory.population):
            reckoning.shard("batches", merge.account())
        reckoning.results.facts_disagree = not merge.agrees
        reckoning.slices(directory, merge.totals.of)

    def _merged(self, mapping: Mapping, found: Staged, directory: CountedDirectory) -> Merge:
        """Return the sum of all records, checked across rows."""
        merge = Merge(directory, mapping.shown, mapping.bench.fittings().identity)
        batches = mapping.batches(found.of_kind("records"))
        with directory.population.reading():
            for batch, result in mapping.results(Task.RECORDS, batches):
                mapped = result
                if isinstance(result, Lost):
                    mapped = mapping.bench.unanswered(batch)
                    self.lost.append(mapping.named(batch, merge.rows_before(batch.file), mapped.rows))
                merge.add(batch, mapped)
        mapping.check(directory, merge, found)
        return merge


def _check_cases(found: Staged, suite: Suite) -> None:
    """Read every case, so that the first fault is told before any runs; raises `Fault`."""
    for file in found.of_kind("positive", "negative"):
        kind = cast("CaseKind", found.kinds[file.name])
        for _ in suite.read_cases(found.folder / file.name, kind):
            pass


def recipe_of(found: Staged, directory: CountedDirectory, batch_size: int | None = None) -> Recipe:
    """Return what the workers of a run need to know; raises `Fault` where the bank cannot be read."""
    settings = found.settings
    files = found.of_kind("records", "provenance", "positive", "negative")
    return Recipe(
        settings,
        None if settings.bank is None else read_input(settings.bank, limit=1 << 30, root=settings.root),
        directory.plan,
        directory.suite_file.taxonomy,
        directory.scopes,
        directory.bindings,
        found.storage,
        tuple(files),
        tuple(found.shown(file) for file in files),
        tuple(cast("FileKind", found.kinds[file.name]) for file in files),
        batch_size,
        needs_gold=directory.gold.is_asked_for,
    )


def on_dask(address: str, recipe: Recipe) -> Engine:
    """Return the engine at `address`; raises `Fault` where there is none."""
    from pytest_pii_eval.cluster.dask_engine import DaskEngine  # noqa: PLC0415  # only with --cluster

    return DaskEngine(address, packed(recipe))
