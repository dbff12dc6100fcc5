"""Which metrics are better when they grow, and which of them may not get worse unless a tolerance says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from fractions import Fraction

Trend = Literal["better", "worse", "neither"]
_Aim = Literal["up", "down", "neither"]

_PROTECTION: Final = "protection_"

_UP: Final = (
    "candidate_character_recall",
    "candidate_coverage",
    "cataloged_recall",
    "character_recall",
    "containment",
    "f1",
    "f2",
    "high_severity_f2",
    "labeled_span_recall",
    "macro_f1",
    "masking_precision",
    "precision",
    "recall",
    "repeated_identifier_coverage",
)
_DOWN: Final = (
    "cataloged_document_miss_rate",
    "character_leak_rate",
    "document_leak_rate",
    "document_miss_rate",
    "dropped",
    "extra_span_rate",
    "failed_documents",
    "false_alarm_rate",
    "high_severity_document_leak_rate",
    "high_severity_leak_rate",
    "high_severity_leaking_documents",
    "high_severity_leaks",
    "leak_rate",
    "leaking_documents",
    "leaks",
    "over_redaction_rate",
    "policy_loss",
    "unmapped",
    "wrong_canonical",
    "zero_gold_document_mask_rate",
    "zero_gold_masked_character_fraction",
)
_NEITHER: Final = ("catalog_coverage", "masked_character_fraction")

_CONFORMANCE_DOWN: Final = (
    "failed_positive_cases",
    "failed_scans",
    "missed",
    "patterns_without_witness",
    "unexpected_negative_matches",
    "wrong_canonical",
)
_CONFORMANCE_UP: Final = ("recall",)
_CONFORMANCE_NEITHER: Final = ("active_patterns",)

CATALOG: Final = frozenset(
    {"catalog_coverage", "cataloged_recall", "wrong_canonical", "cataloged_document_miss_rate"}
)
"""The metrics of slices that rest on what the records declare as cataloged."""

_LOST_FINDS: Final = frozenset({"cataloged_recall", "labeled_span_recall", "recall", "wrong_canonical"})
_PROTECTIVE: Final = frozenset({"character_recall", "containment"})

_AIMS: Final[dict[str, _Aim]] = {
    **dict.fromkeys((*_UP, *_CONFORMANCE_UP), "up"),
    **dict.fromkeys((*_DOWN, *_CONFORMANCE_DOWN), "down"),
    **dict.fromkeys((*_NEITHER, *_CONFORMANCE_NEITHER), "neither"),
}

CONFORMANCE: Final = frozenset({*_CONFORMANCE_UP, *_CONFORMANCE_DOWN})
"""The figures of conformance that may not get worse."""

CONFORMANCE_GATES: Final = "conformance."
"""What the ids of the gates about cases start with."""

PREFIX: Final = "conformance_"
"""What a tolerance puts before a figure of conformance: that of `recall` is about slices alone."""

_OF_SLICES: Final = _UP + _DOWN + _NEITHER
KNOWN: Final = frozenset(
    {*_OF_SLICES, *(_PROTECTION + name for name in _OF_SLICES), *(PREFIX + name for name in CONFORMANCE)}
)
"""The names that a tolerance may have."""


def trend(metric: str, old: Fraction | None, new: Fraction | None) -> Trend:
    """Return whether `new` is better than `old`; of a value that is missing nobody can tell."""
    if old is None or new is None or old == new:
        return "neither"
    aim = aim_of(metric)
    if aim == "neither":
        return "neither"
    return "better" if (new > old) == (aim == "up") else "worse"


def aim_of(metric: str) -> _Aim:
    """Return whether `metric` is better up or down; of an unknown one nobody can tell."""
    return _AIMS.get(metric.removeprefix(_PROTECTION), "neither")


def is_judged(metric: str) -> bool:
    """Whether a slice may not get worse in `metric`: leaks of any kind, what is covered, and finds."""
    name = metric.removeprefix(_PROTECTION)
    leaks = name in _DOWN and "leak" in name
    return leaks or name in _PROTECTIVE or name in _LOST_FINDS
