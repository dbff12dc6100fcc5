"""What each reason code means, in words (docs/metrics.md); a code that is a suite's own has none."""

from __future__ import annotations

import re
from typing import Final

from pytest_pii_eval.reports.words import inert

_WORDS: Final = {
    "empty_population": "The slice holds no documents, so there is nothing to measure.",
    "structured_weak_labels": "It needs open-world labels; these are weak, taken from structure. What is not"
    " labelled may still be personal data.",
    "partial_annotation": "It needs open-world labels; this annotation is not exhaustive within its scope.",
    "regions_do_not_cover_view": "It needs open-world labels; parts of the scanned view were not annotated.",
    "catalog_unbound": "Nobody adjudicated the gold against a bank: what the bank knew is unknown.",
    "identities_unavailable": "The detector's spans name no pattern of a bank, so no identity can be right or"
    " wrong.",
    "protection_unavailable": "The detector exposed no protection ranges for at least one document.",
    "candidates_unavailable": "The detector exposed no candidates for at least one document.",
    "failed_documents": "The detector failed on a document without gold, and so has not left it alone.",
    "no_gold": "No gold span is in scope.",
    "no_predictions": "Nothing in scope was predicted.",
    "no_cataloged_gold": "No gold span is known to the bank.",
    "no_high_severity_gold": "No gold span is of high severity.",
    "no_repeated_identifiers": "No text repeats within a document.",
    "no_zero_gold_documents": "Every document has gold, so a false alarm on a clean one cannot be seen.",
    "no_masked_characters": "Nothing is masked.",
    "no_characters": "The texts are empty.",
    "zero_labeled_spans": "The labels are weak or partial, without one gold span: nothing can be said.",
    "zero_gold_promotion_support": "The slice is to gate a promotion and holds no gold: it cannot.",
    "corpus_absent": "The pinned corpus is not prepared on this machine; see `pii-eval corpus list`.",
    "open": "The limit is open: the figure is reported and not judged.",
    "no_documents_in_band": "No answered document was of the size that the gate speaks about.",
    "no_negatives": "No evaluated slice holds a document without gold: false alarms were not looked for.",
    "no_names": "No slice holds gold that is the name of a person.",
}
_OWN: Final = "Declared by the suite in a word of its own; its files say more."
_FEWER: Final = re.compile(r"fewer_than_(\d{1,9})_documents", re.ASCII)


def meaning(code: str) -> str:
    """Return what `code` means, in a sentence."""
    few = _FEWER.fullmatch(code)
    if few is not None:
        return f"Fewer than {few[1]} documents were scored, which shows too little."
    return _WORDS.get(code, _OWN)


def reason_text(code: str) -> str:
    """Return a code with its meaning."""
    return f"{inert(code)}: {meaning(code)}"
