"""The comparison of two reports, `pii_eval.comparison.v1`: counts, rates and ids; no text."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from pytest_pii_eval.reports.model import Count, MetricReport, Verdict

Part = Literal[
    "gold",
    "cases",
    "slice_plan",
    "policy",
    "taxonomy",
    "incomplete",
    "limited",
    "partial",
    "slices",
    "nothing_in_common",
]
"""What keeps two reports from being compared: which part of them differs, or what one of them lacks."""


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Side(_Closed):
    """Whose run it was: the subject by name, and the version of this package that scored it."""

    kind: Literal["bank", "detector"]
    name: str
    scorer_version: str | None


class Refusal(_Closed):
    """One reason why nothing was compared; `side` says whose fault it is, `words` what to do about it."""

    part: Part
    side: Literal["old", "new", "both"]
    words: str


class Change(_Closed):
    """One figure that is not what it was.

    `slice` is None for conformance; `type` is None for all types in scope, and an entity class or `tag NAME`
    in conformance. `difference` is new - old, null where either has no value. `judged`: a move for the worse
    beyond `tolerance` (a decimal number as it was written) is a regression. `severe`: a leak of the type is
    of high severity in the slice.
    """

    slice: str | None
    type: str | None
    metric: str
    old: MetricReport
    new: MetricReport
    difference: float | None
    trend: Literal["better", "worse", "neither"]
    judged: bool
    tolerance: str | None
    regression: bool
    severe: bool = False


class GateChange(_Closed):
    """One gate with another verdict; a regression where it held and does not now, or fails and did not."""

    id: str
    slice: str | None
    old: Verdict
    new: Verdict
    regression: bool


class Move(_Closed):
    """A case or gold span that was found and no longer is (`lost`), or the other way round (`gained`).

    `id` is that of the case, or of the document with the gold span's ordinal: `DOCUMENT#0`. `slices` are
    those that hold the document; `type` is that of the span. Only from two audit directories.
    """

    kind: Literal["case", "span"]
    id: str
    slices: list[str]
    type: str | None
    old: str
    new: str
    direction: Literal["lost", "gained"]


class Comparison(_Closed):
    """What moved between two runs on the same gold, slice plan, policy and taxonomy.

    Where `refusals` holds anything, nothing was compared and `passed` is null; else `passed` tells whether
    there is no regression. `changes` hold regressions first, then what is worse, then the rest, each by
    slice, type and metric. `unchanged` counts the figures that are what they were; `moves` is null without
    audit directories.
    """

    schema_version: Literal["pii_eval.comparison.v1"] = "pii_eval.comparison.v1"
    old: Side
    new: Side
    refusals: list[Refusal]
    notes: list[str]
    changes: list[Change]
    gates: list[GateChange]
    unchanged: Count
    moves: list[Move] | None = None
    passed: bool | None

    @property
    def faults(self) -> list[Refusal]:
        """Return the refusals that somebody must mend: all, unless the new run was narrowed on purpose.

        Nobody expects that to be compared. Where it met one directory of two, its plan and policy are others
        by that alone; whether they fit is for the next whole run to tell.
        """
        asked = any(one.part in {"limited", "partial"} and one.side == "new" for one in self.refusals)
        return [one for one in self.refusals if not asked or one.side == "old" or one.part == "incomplete"]

    @property
    def is_narrowed(self) -> bool:
        """Whether nothing was compared because the new run was narrowed on purpose: that fails nothing."""
        return bool(self.refusals) and not self.faults

    @property
    def lost_cases(self) -> int:
        """Return how many cases were found and no longer are: a case that was gained makes up for none."""
        return sum(move.kind == "case" and move.direction == "lost" for move in self.moves or ())

    @property
    def regressions(self) -> list[Change]:
        """Return the changes that are regressions."""
        return [change for change in self.changes if change.regression]
