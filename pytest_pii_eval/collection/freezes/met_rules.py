"""The rules about freezes that look at the suites of the run, once all of them were collected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.collection.quality.domains import card_of, is_in_domain, names_of_subject
from pytest_pii_eval.collection.quality.origins import NO_TEMPLATE_IN_BOTH, shared_templates
from pytest_pii_eval.freezes.finding import PASS, Finding, fail, unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pytest_pii_eval.collection.quality.directory import QualityDirectory
    from pytest_pii_eval.collection.suite import Suite

_NO_SUITE: Final = "no suite with records was collected"


def every_suite_has_a_role(suite: Suite) -> Finding:
    """Judge that the freezes file names each suite and corpus of the run."""
    if not _directories(suite):
        return unknown(_NO_SUITE)
    nameless = [_shown(suite, one) for one in _directories(suite) if one.membership.one is None]
    return fail(*(f"{shown} is none of the sets" for shown in nameless)) if nameless else PASS


def no_template_in_train_and_test(suite: Suite) -> Finding:
    """Judge that no template (or document, by split key) is in a train and in a test split of the run.

    spec/evaluation.md, "Sets": such a template is an eval failure, even if F1 rises.
    """
    directories = _directories(suite)
    if not directories:
        return unknown(_NO_SUITE)
    count = shared_templates(one.origins for one in directories if one.origins is not None)
    if count:
        return fail(f"{count:,} templates are in split role train and in test")
    without = [_shown(suite, one) for one in directories if one.origins is None or not one.origins.templates]
    return unknown(*(f"{shown} has no provenance sidecar" for shown in without)) if without else PASS


def a_promotion_gate_is_out_of_domain(suite: Suite) -> Finding:
    """Judge that not only slices gate a promotion that come from what the detector trained on."""
    found = list(_gating(suite)) if suite.subject_is_needed else []
    if not found:
        return unknown("no promotion-gated slice was collected")
    if any(domain is False for _, domain in found):
        return PASS
    inside = [name for name, domain in found if domain]
    if len(inside) == len(found):
        return fail(f"only in-domain slices gate a promotion: {', '.join(sorted(inside))}")
    unsure = ", ".join(sorted(name for name, domain in found if domain is None))
    return unknown(
        f"nobody can tell whether these slices are in domain: {unsure}; give the detector a card in the"
        " freezes file, and the suite a provenance sidecar"
    )


def _gating(suite: Suite) -> Iterator[tuple[str, bool | None]]:
    names = names_of_subject(suite)
    card = card_of(suite, names)
    for directory in _directories(suite):
        for name, one in directory.plan.slices.items():
            if one.promotion_gate:
                yield name, is_in_domain(directory, name, names, card)


def _directories(suite: Suite) -> list[QualityDirectory]:
    return [suite.quality.directories[folder] for folder in sorted(suite.quality.directories)]


def _shown(suite: Suite, directory: QualityDirectory) -> str:
    if directory.corpus is not None:
        return f"corpus {directory.corpus.pin.key}"
    return suite.settings.shown(directory.folder)


MET_RULES: Final[Mapping[str, Callable[[Suite], Finding]]] = {
    "every-suite-has-a-role": every_suite_has_a_role,
    NO_TEMPLATE_IN_BOTH: no_template_in_train_and_test,
    "a-promotion-gate-is-out-of-domain": a_promotion_gate_is_out_of_domain,
}
