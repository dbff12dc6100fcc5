"""The rows of the table, how new ones replace old ones, and their file; no measuring and no Markdown."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from bench.costs import Cost

SCHEMA = "pii_eval.benchmarks.v1"
_PLACES = 4


@dataclass(frozen=True, slots=True)
class Check:
    """One figure of a row, and the limit it is held to, if any: at most, or at least, a number."""

    measure: str
    value: float
    most: float | None = None
    least: float | None = None

    @property
    def holds(self) -> bool | None:
        """Whether the figure keeps its limit; `None` where it has none."""
        if self.most is not None:
            return self.value <= self.most
        return None if self.least is None else self.value >= self.least


@dataclass(frozen=True, slots=True)
class Row:
    """What one piece of work cost one side. `work` and `who` name a row among those of its benchmark."""

    work: str
    who: str
    side: Literal["ours", "peer"]
    cpu: float | None
    wall: float | None
    peak_mb: float | None
    sum_mb: float | None = None
    checks: tuple[Check, ...] = ()
    benchmark: str = ""
    run: str = ""
    reason: str = ""

    @property
    def key(self) -> str:
        """The name under which a reason is kept."""
        return f"{self.benchmark}: {self.work}: {self.who}"

    @property
    def missed(self) -> bool:
        """Whether a limit is not kept."""
        return any(check.holds is False for check in self.checks)

    @property
    def held(self) -> bool:
        """Whether any figure has a limit."""
        return any(check.holds is not None for check in self.checks)

    def without_targets(self) -> Row:
        """Return the row with its figures, held to no limit."""
        return replace(self, checks=tuple(Check(check.measure, check.value) for check in self.checks))


def row(names: tuple[str, str], cost: Cost, *checks: Check, peer: bool = False) -> Row:
    """Return the row of a cost; `names` are the work and who did it. A wall time of 0 was not taken."""
    return Row(
        *names,
        "peer" if peer else "ours",
        round(cost.cpu, _PLACES),
        round(cost.wall, _PLACES) or None,
        round(cost.megabytes, 1),
        cost.together if cost.together is None else round(cost.together, 1),
        tuple(replace(check, value=float(f"{check.value:.4g}")) for check in checks),
    )


@dataclass(frozen=True, slots=True)
class Results:
    """All rows, and the runs (machine, versions, date) they are of, by name."""

    runs: Mapping[str, Mapping[str, Any]]
    rows: tuple[Row, ...]

    def replaced(self, benchmark: str, rows: Iterable[Row], run: tuple[str, Mapping[str, Any]]) -> Results:
        """Return the results with new rows of a benchmark, without runs that have no rows left."""
        name, about = run
        new = tuple(replace(one, benchmark=benchmark, run=name) for one in rows)
        kept = tuple(one for one in self.rows if one.benchmark != benchmark) + new
        used = {one.run for one in kept}
        return Results({key: one for key, one in {**self.runs, name: about}.items() if key in used}, kept)

    def ordered(self, benchmarks: Iterable[str]) -> Results:
        """Return the rows in the order of their benchmarks, without those of unknown ones."""
        return Results(
            self.runs, tuple(one for name in benchmarks for one in self.rows if one.benchmark == name)
        )

    def reasoned(self, reasons: Mapping[str, str]) -> Results:
        """Return the rows that miss a target with their reasons, and the others with none."""
        told = (replace(one, reason=reasons.get(one.key, "") if one.missed else "") for one in self.rows)
        return Results(self.runs, tuple(told))


def read_results(path: Path) -> Results:
    """Return the results of a file, or none where it is not there."""
    if not path.exists():
        return Results({}, ())
    document = json.loads(path.read_text(encoding="utf-8"))
    if document["schema"] != SCHEMA:
        raise SystemExit(f"{path.name} is not of the schema {SCHEMA}: remove it or name another with --out")
    return Results(document["runs"], tuple(map(_read_row, document["rows"])))


def _read_row(one: dict[str, Any]) -> Row:
    checks = ({key: check[key] for key in ("measure", "value", "most", "least")} for check in one["checks"])
    return Row(**{**one, "checks": tuple(Check(**check) for check in checks)})


def write_results(path: Path, results: Results) -> None:
    """Write the results, one row a line below its name, so that a change is one in the file, too."""
    rows = [
        {**asdict(one), "checks": [{**asdict(check), "holds": check.holds} for check in one.checks]}
        for one in results.rows
    ]
    document = {"schema": SCHEMA, "runs": results.runs, "rows": rows}
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
