"""The checks that a suite supports a verdict about its bank; each returns a complaint or None."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_pii_eval.collection.suite import Suite


def _bank_is_valid(suite: Suite) -> str | None:
    return None if suite.bank.patterns else "the bank has no active pattern"


def _every_pattern_has_a_witness(suite: Suite) -> str | None:
    bank = suite.bank
    lacking = []
    for entity in bank.entities:
        without = [index for index in range(entity.start, entity.end) if index not in suite.witnessed]
        if without:
            lacking.append(f"{entity.entity_id} {_listed(suite, without)}")
    if not lacking:
        return None
    count = len(bank.patterns) - len(suite.witnessed)
    return f"{count} of {len(bank.patterns)} active patterns have no positive case: {', '.join(lacking)}"


def _listed(suite: Suite, without: list[int]) -> str:
    if suite.settings.reveal == "none":
        return str(len(without))
    patterns = (suite.bank.patterns[index] for index in without)
    return f"{len(without)} ({', '.join(f'{pattern.name_id}/{pattern.pattern_id}' for pattern in patterns)})"


def _every_tag_is_covered(suite: Suite) -> str | None:
    from pytest_pii_eval.contracts.case_model import TAGS  # noqa: PLC0415  # heavy, and this module is not

    lacking = [tag for tag in TAGS if tag not in suite.tags]
    return f"no case carries the tags: {', '.join(lacking)}" if lacking else None


def _a_boundary_negative_exists(suite: Suite) -> str | None:
    return None if suite.boundary_negatives else "no negative case carries the tag boundary"


def _both_kinds_have_cases(suite: Suite) -> str | None:
    empty = [kind for kind in ("positive", "negative") if not suite.count(kind)]
    return f"no {' and no '.join(empty)} case was collected" if empty else None


CHECKS: Mapping[str, Callable[[Suite], str | None]] = {
    "bank-has-active-patterns": _bank_is_valid,
    "every-active-pattern-has-a-witness": _every_pattern_has_a_witness,
    "every-tag-is-covered": _every_tag_is_covered,
    "a-boundary-negative-exists": _a_boundary_negative_exists,
    "positives-and-negatives-are-not-empty": _both_kinds_have_cases,
}
