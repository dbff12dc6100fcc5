"""The rules about freezes by name, in the order in which they are run; what most of them say is elsewhere."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.finding import PASS, fail
from pytest_pii_eval.freezes.rules_of_git import (
    evidence_is_committed,
    floors_set_without_sealed_scores,
    scorer_revision_is_known,
    sealed_and_thresholds_not_in_one_change,
)
from pytest_pii_eval.freezes.rules_of_lists import (
    sealed_shares_no_template,
    sealed_templates_are_in_no_train_list,
)
from pytest_pii_eval.freezes.rules_of_sets import dev_freeze_holds_its_slices, dev_freeze_was_read
from pytest_pii_eval.freezes.verifying import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_pii_eval.freezes.finding import Finding
    from pytest_pii_eval.freezes.standing import Standing


def ledger_holds(standing: Standing) -> Finding:
    """Fail where the ledger is no chain, git once had lines that it has no more, or a report disagrees.

    Nothing is bound to the last line but its report.
    """
    try:
        reasons = verify(standing.file, standing.repository, root=standing.root).faults
    except Fault as fault:
        return fail(str(fault))
    return fail(*reasons) if reasons else PASS


RULES: Final[Mapping[str, Callable[[Standing], Finding]]] = MappingProxyType(
    {
        "dev-freeze-was-read": dev_freeze_was_read,
        "dev-freeze-holds-its-slices": dev_freeze_holds_its_slices,
        "sealed-templates-are-in-no-train-list": sealed_templates_are_in_no_train_list,
        "sealed-shares-no-template": sealed_shares_no_template,
        "sealed-and-thresholds-not-in-one-change": sealed_and_thresholds_not_in_one_change,
        "floors-set-without-sealed-scores": floors_set_without_sealed_scores,
        "scorer-revision-is-known": scorer_revision_is_known,
        "ledger-holds": ledger_holds,
        "evidence-is-committed": evidence_is_committed,
    }
)
"""Every rule says of a standing whether it holds; none raises `Fault`."""
