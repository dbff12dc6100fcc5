"""What the controller must know of the quality suites of a process; ids of slices, no text."""

from __future__ import annotations

from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_pii_eval.collection.quality.domains import card_of, is_in_domain, names_of_subject
from pytest_pii_eval.collection.quality.gates import gate_rules
from pytest_pii_eval.collection.quality.nodes import ShardItem, SliceItem
from pytest_pii_eval.collection.quality.verdicts import labels_of
from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.limits import ABSENT, MINIMUM_DOCUMENTS
from pytest_pii_eval.settings import MAX_PREDICTIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

    from pytest_pii_eval.collection.corpora.corpus import SubjectNames
    from pytest_pii_eval.collection.quality.directory import QualityDirectory
    from pytest_pii_eval.collection.suite import Suite
    from pytest_pii_eval.contracts.limits import GateRule


class _Domains(NamedTuple):
    """What is known of the subject's training: its names, and the corpora on its card."""

    names: SubjectNames
    card: frozenset[str] | None


def quality_facts(suite: Suite) -> dict[str, Any] | None:
    """Return plan, gaps, taxonomy and policy of all directories; equal in every process."""
    directories = [suite.quality.directories[folder] for folder in sorted(suite.quality.directories)]
    if not directories and not suite.quality.absent:
        return None
    names = names_of_subject(suite)
    domains = _Domains(names, card_of(suite, names))
    rules = chain.from_iterable(gate_rules(one.settings, one.suite_file) for one in directories)
    return {
        "slices": {name: facts for one in directories for name, facts in _slices(one, domains).items()},
        "gaps": {
            **{key: {"dimension": "corpus", "reason_code": ABSENT} for key in suite.quality.absent},
            **{
                name: {"dimension": gap.dimension, "reason_code": gap.reason_code}
                for one in directories
                for name, gap in one.plan.unsupported.items()
            },
        },
        "limit": suite.settings.limit,
        "max_predictions": suite.settings.max_predictions,
        "minimum_documents": _minimum_documents(suite),
        "name_types": _name_types(directories),
        "corpora": {one.corpus.pin.key: one.corpus.commitment for one in directories if one.corpus},
        "bindings": sorted(one.bindings.fingerprint for one in directories if one.bindings),
        "shards": sum(len(one.shards) for one in directories),
        "plan": fingerprint(sorted(one.plan.fingerprint for one in directories)),
        "taxonomy": fingerprint(sorted(one.suite_file.taxonomy.fingerprint for one in directories)),
        "taxonomy_version": "+".join(sorted({one.suite_file.taxonomy.version for one in directories})),
        "policy": fingerprint(
            {
                "gates": sorted({_rule(rule) for rule in rules}),
                "suites": sorted(one.suite_file.fingerprint for one in directories),
                "types": sorted(suite.settings.types),
                **({} if suite.settings.limit is None else {"limit": suite.settings.limit}),
                **_raised(suite.settings.max_predictions),
            }
        ),
    }


def _raised(max_predictions: int) -> dict[str, int]:
    return {} if max_predictions == MAX_PREDICTIONS else {"max_predictions": max_predictions}


def every_slice_is_selected(suite: Suite, items: Sequence[pytest.Item]) -> bool:
    """Whether every slice and every shard of the directories met is among `items`."""
    directories = suite.quality.directories.values()
    slices = sum(isinstance(item, SliceItem) for item in items)
    shards = sum(isinstance(item, ShardItem) for item in items)
    return slices == sum(len(one.plan.slices) for one in directories) and shards == sum(
        len(one.shards) for one in directories
    )


def _slices(directory: QualityDirectory, domains: _Domains) -> dict[str, Any]:
    scopes = directory.scopes
    return {
        name: {
            "declared": {
                "entity_class": one.entity_class,
                "cohort": one.cohort,
                "split_role": one.split_role,
                "text_view": one.text_view,
                "label_strength": one.label_strength,
                "annotation_completeness": one.completeness,
                "promotion_gate": one.promotion_gate,
                "role": directory.suite_file.role,
            },
            "types": sorted(scopes[name].types),
            "high_severity": sorted(scopes[name].high_severity),
            "labels": list(labels_of(one, directory)),
            "documents": directory.documents[name],
            "corpus": _corpus(directory, domains.names),
            "in_domain": is_in_domain(directory, name, domains.names, domains.card),
        }
        for name, one in directory.plan.slices.items()
    }


def _corpus(directory: QualityDirectory, names: SubjectNames) -> dict[str, Any] | None:
    corpus = directory.corpus
    return None if corpus is None else {**corpus.facts(names), "commitment": directory.commitment}


def _minimum_documents(suite: Suite) -> int:
    with suppress(Fault):  # of a freezes file that cannot be read: its own node reports it
        if suite.freezes is not None:
            return suite.freezes.minimum_documents
    return MINIMUM_DOCUMENTS


def _name_types(directories: Sequence[QualityDirectory]) -> list[str]:
    """Return the types of persons: without one of them no names were looked for."""
    types = chain.from_iterable(one.suite_file.taxonomy.types.items() for one in directories)
    return sorted({name for name, class_ in types if class_ == "person"})


def _rule(rule: GateRule) -> str:
    return f"{rule.slice} {rule.metric} {rule.type} {rule.direction} {rule.limit}"
