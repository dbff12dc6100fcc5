"""Gates of a slice: which metric, of which type, against which limit; and their verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.contracts.limits import EVERY_SLICE
from pytest_pii_eval.scoring.gates import judge
from pytest_pii_eval.scoring.metric import absent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pii_eval.contracts.limits import GateRule
    from pytest_pii_eval.scoring.gates import Judgement
    from pytest_pii_eval.scoring.metrics import SliceMetrics


class JudgedGate(NamedTuple):
    """A gate of one slice with its verdict; `failed` also says so of a strict one without evidence."""

    rule: GateRule
    judgement: Judgement
    failed: bool


def judge_slice(
    slice_id: str,
    metrics: SliceMetrics,
    rules: Iterable[GateRule],
    *,
    promotion: bool,
    unanswered: bool = False,
) -> list[JudgedGate]:
    """Judge every rule that speaks about the slice, in the order of the rules.

    A promotion gate that is not evaluated fails, unless it is open on purpose (spec: every unset floor is).
    A strict gate fails where documents went unanswered: protection gates reject partial output.
    """
    judged = []
    for rule in rules:
        if rule.slice not in (EVERY_SLICE, slice_id):
            continue
        found = metrics.overall if rule.type is None else metrics.types.get(rule.type, {})
        judgement = judge(found.get(rule.metric) or absent("no_gold"), rule.limit, rule.direction)
        unproven = judgement.verdict == "not_evaluated" and rule.limit is not None
        failed = judgement.verdict == "fail" or (unproven and (promotion or rule.strict))
        failed = failed or (unanswered and rule.strict)
        judged.append(JudgedGate(rule, judgement, failed))
    return judged
