"""What decides the records of a corpus: its pin, its label map and its adapter, bound by one fingerprint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.corpora_file import LABELS_ARE_TYPES
from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pii_eval.contracts.corpora_file import Pin
    from pytest_pii_eval.contracts.taxonomy import Taxonomy
    from pytest_pii_eval.corpora.draft import CorpusAdapter

FORMAT = "pii_eval.prepared_corpus.v1"
"""The form of a prepared suite; it changes whenever equal drafts give other files."""

MAX_TYPES = 256


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the suite of a corpus is made.

    `labels` maps labels of the corpus to types; `types` are all types that it can give, the scope that was
    annotated, or None where labels are types: the scope is then what the corpus holds. Equal artifacts and
    equal fingerprints give equal files.
    """

    pin: Pin
    adapter: CorpusAdapter
    labels: Mapping[str, str]
    types: tuple[str, ...] | None
    span_policy: str
    fingerprint: str


def make_recipe(pin: Pin, adapter: CorpusAdapter, taxonomy: Taxonomy) -> Recipe:
    """Return the recipe of `pin`; raises `Fault` where its role or its types are none that can be had."""
    if pin.label_map == LABELS_ARE_TYPES:
        kept = {name: name for name in taxonomy.types if name not in pin.excluded_labels}
        return bind(pin, adapter, kept, types=None)
    labels = dict(taxonomy.label_maps[pin.label_map])
    types = tuple(sorted(set(labels.values())))
    if not 0 < len(types) <= MAX_TYPES:
        rule = f"gives {len(types):,} types; a slice holds from 1 to {MAX_TYPES}"
        raise Fault(rule, field=f"corpora.{pin.key}.label_map")
    return bind(pin, adapter, labels, types=types)


def bind(
    pin: Pin, adapter: CorpusAdapter, labels: Mapping[str, str], *, types: tuple[str, ...] | None
) -> Recipe:
    """Return the recipe of a pin and an adapter whose labels become types as `labels` says.

    Raises `Fault` where the adapter keeps the role of the pin out of runs.
    """
    roles = getattr(adapter, "roles", None)
    if roles is not None and pin.split_role not in roles:
        rule = f"must be {' or '.join(roles)}: the adapter {adapter.name} keeps every other role out of runs"
        raise Fault(rule, field=f"corpora.{pin.key}.split_role")
    span_policy = fingerprint({"adapter": adapter.name, "version": adapter.version, "policy": adapter.policy})
    bound = {"format": FORMAT, "pin": pin.fingerprint, "labels": dict(labels), "span_policy": span_policy}
    return Recipe(
        pin=pin,
        adapter=adapter,
        labels=labels,
        types=types,
        span_policy=span_policy,
        fingerprint=fingerprint(bound),
    )
