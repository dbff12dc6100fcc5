"""What an import is asked for, and the pin and recipe that it stands for; its documents are not read here."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.corpora_file import Pin, Source
from pytest_pii_eval.contracts.taxonomy import default_taxonomy, read_taxonomy
from pytest_pii_eval.corpora.deriving import TEXT_VIEW
from pytest_pii_eval.corpora.import_labels import LabelWish, labels_of
from pytest_pii_eval.corpora.recipe import bind

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pytest_pii_eval.contracts.quality_model import Completeness, LabelStrength, SplitRole
    from pytest_pii_eval.contracts.taxonomy import Taxonomy
    from pytest_pii_eval.corpora.draft import CorpusAdapter
    from pytest_pii_eval.corpora.receipt import Committed
    from pytest_pii_eval.corpora.recipe import Recipe

KEY: Final = "import"
"""The key of every import, where a pinned corpus has its own."""

_SHORT: Final = 12
_LONGEST: Final = 100


class Wish(NamedTuple):
    """What the command `pii-eval import` was asked for.

    `format` names an adapter and `options` are its own. `partial` says that not every span of the types is
    labelled, `weak` that the labels come from structure and not from people. `corpus` None: the provenance
    names the format and the input's hash. `shown` is what the user called the target.
    """

    format: str
    inputs: tuple[Path, ...]
    target: Path
    shown: str
    options: Mapping[str, str] = MappingProxyType({})
    labels: LabelWish = LabelWish()
    taxonomy: Path | None = None
    role: SplitRole = "validation"
    partial: bool = False
    weak: bool = False
    single_class: bool = False
    corpus: str | None = None
    max_quarantined: int = 0
    allow_tracked: bool = False
    quiet: bool = False


def taxonomy_of(wish: Wish) -> Taxonomy:
    """Return the taxonomy that an import maps to; raises `Fault` with its file's name."""
    return default_taxonomy() if wish.taxonomy is None else read_taxonomy(wish.taxonomy)


def recipe_of(wish: Wish, adapter: CorpusAdapter, found: Committed, taxonomy: Taxonomy) -> Recipe:
    """Return the recipe of an import of inputs that hold `found`; raises `Fault`."""
    labels = labels_of(wish.labels, taxonomy)
    return bind(_pin(wish, found, taxonomy), adapter, labels, types=None)


def corpus_of(wish: Wish, found: Committed) -> str:
    """Return how the provenance names the corpus."""
    if wish.corpus is not None:
        return wish.corpus
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", wish.format).strip("._-")[:_LONGEST]
    return f"{name}@{found.sha256[7 : 7 + _SHORT]}"


def _pin(wish: Wish, found: Committed, taxonomy: Taxonomy) -> Pin:
    strength: LabelStrength = "structured_weak" if wish.weak else "independent"
    completeness: Completeness = "partial" if wish.partial else "exhaustive_within_scope"
    decisive = {
        "artifact": found.sha256,
        "inputs": len(wish.inputs),
        "adapter": wish.format,
        "options": dict(wish.options),
        "excluded_labels": sorted(wish.labels.excluded),
        "split_role": wish.role,
        "label_strength": strength,
        "annotation_completeness": completeness,
        "single_class": wish.single_class,
        "max_quarantined": wish.max_quarantined,
        "corpus": wish.corpus,
        "taxonomy": None if wish.taxonomy is None else taxonomy.fingerprint,
    }
    return Pin(
        key=KEY,
        source=Source(None, None, None),
        size=found.bytes,
        sha256=found.sha256,
        licence="the user's own",
        redistribution="none: private",
        adapter=wish.format,
        options=wish.options,
        label_map=KEY,
        excluded_labels=wish.labels.excluded,
        split_key="template_id",
        split_role=wish.role,
        label_strength=strength,
        completeness=completeness,
        regions=(TEXT_VIEW,),
        languages=(),
        exclusions=(),
        in_domain_for=frozenset(),
        max_quarantined=wish.max_quarantined,
        gaps=(),
        bindings=None,
        fingerprint=fingerprint(decisive),
    )
