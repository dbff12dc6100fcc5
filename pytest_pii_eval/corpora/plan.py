"""The slice plan of a prepared corpus: one slice over all of it, and the gaps that its pin declares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.corpora.deriving import TEXT_VIEW

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pii_eval.contracts.corpora_file import Pin
    from pytest_pii_eval.corpora.recipe import Recipe

SCOPE: Final = "all_types"
"""The id of the scope of a corpus with several types."""

EXCLUDED: Final = "excluded_labels"
"""The exclusion that says that the pin leaves labels of the corpus out."""

_CONTENT: Final = {"view": TEXT_VIEW, "policy": "the text of a row as it stands"}


def slice_row(recipe: Recipe, types: Sequence[str]) -> dict[str, Any]:
    """Return the slice of a corpus, under its key, over `types`."""
    pin = recipe.pin
    return {
        "id": pin.key,
        "label_artifact_id": f"corpus.{(pin.sha256 or '')[7:23]}",
        "label_strength": pin.label_strength,
        "annotation_scope": {
            "entity_classes": list(types),
            "document_regions": list(pin.regions),
            "span_policy_sha256": recipe.span_policy,
            "exclusions": _exclusions(pin),
        },
        "annotation_completeness": pin.completeness,
        "entity_class": types[0] if len(types) == 1 else SCOPE,
        "cohort": "all",
        "split_role": pin.split_role,
        "text_view": TEXT_VIEW,
        "text_view_descriptor": {
            "id": TEXT_VIEW,
            "artifact_sha256": pin.sha256,
            "content_policy_sha256": fingerprint(_CONTENT),
            "document_regions": list(pin.regions),
            "primary_for_quality": True,
            "answer_bearing_fields_included": False,
        },
        "promotion_gate": False,
    }


def gap_rows(pin: Pin) -> list[dict[str, str]]:
    """Return the declared gaps of a corpus."""
    return [gap._asdict() for gap in pin.gaps]


def corpus_name(pin: Pin) -> str:
    """Return how provenance names a corpus: its key, and the commit or the first digits of its hash."""
    return f"{pin.key}@{(pin.source.revision or (pin.sha256 or '')[7:])[:12]}"


def _exclusions(pin: Pin) -> list[str]:
    return sorted({*pin.exclusions, *([EXCLUDED] if pin.excluded_labels else [])})
