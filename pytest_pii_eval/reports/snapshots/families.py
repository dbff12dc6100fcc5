"""Metrics by family, so that a slice and a type take few lines; what a family shares is written once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Families = dict[str, tuple[str, ...]]
"""Names of families, in the order in which they are written, with the metrics of each."""

_LEAKS: Final = ("leaks", "leak_rate", "containment", "character_recall", "character_leak_rate")
_SEVERE: Final = (
    "high_severity_leaks",
    "high_severity_leak_rate",
    "high_severity_leaking_documents",
    "high_severity_document_leak_rate",
)
_SLICE_LEAKS: Final = (
    *_LEAKS,
    "leaking_documents",
    "document_leak_rate",
    "repeated_identifier_coverage",
)
_UTILITY: Final = ("masking_precision", "over_redaction_rate", "masked_character_fraction")
_ZERO_GOLD: Final = (
    "zero_gold_document_mask_rate",
    "zero_gold_masked_character_fraction",
    "false_alarm_rate",
)
_PROTECTION: Final = "protection_"


def _protected(families: Families) -> Families:
    return {
        _PROTECTION + name: tuple(_PROTECTION + one for one in metrics) for name, metrics in families.items()
    }


_SELECTED: Final[Families] = {"leaks": _SLICE_LEAKS, "high_severity": _SEVERE, "utility": _UTILITY}

SLICE_FAMILIES: Final[Families] = {
    "answers": ("unmapped", "dropped", "failed_documents"),
    "stages": ("candidate_coverage", "candidate_character_recall", "policy_loss"),
    "catalog": ("catalog_coverage", "cataloged_recall", "wrong_canonical", "cataloged_document_miss_rate"),
    "zero_gold": _ZERO_GOLD,
    **_protected({"zero_gold": _ZERO_GOLD}),
    "exact": (
        "precision",
        "recall",
        "labeled_span_recall",
        "f1",
        "macro_f1",
        "extra_span_rate",
        "document_miss_rate",
    ),
    "f2": ("high_severity_f2",),
    **_SELECTED,
    **_protected(_SELECTED),
}
"""The families of a slice over all its types; those that move when a find is lost lie together."""

TYPE_FAMILIES: Final[Families] = {
    "exact": ("precision", "recall", "labeled_span_recall", "f1"),
    "f2": ("f2",),
    "catalog": ("catalog_coverage", "cataloged_recall", "wrong_canonical"),
    "leaks": _LEAKS,
    "protection_leaks": tuple(_PROTECTION + one for one in _LEAKS),
    "stages": ("candidate_coverage",),
}
"""The families of one type."""

OTHER: Final = "other"
"""The family of the metrics that this version does not know."""

AS_SELECTED: Final = "as selected"
"""What stands for a family on protection ranges whose figures are all those of the selected output."""

RESTATED: Final = {
    "labeled_span_recall": "recall",
    "leak_rate": "leaks",
    "containment": "leaks",
    "character_leak_rate": "character_recall",
    "high_severity_leak_rate": "high_severity_leaks",
}
"""Metrics that say another one in another way; they are written only where they do not."""

Packed = dict[str, dict[str, str] | str]
"""Figures by family: each by its name, or one string where all of the family share it."""


def packed(figures: Mapping[str, str], families: Families) -> Packed:
    """Return `figures` by family, in the order of `families`."""
    known = {name for names in families.values() for name in names}
    found: Packed = {}
    for family, names in families.items():
        held = {name: figures[name] for name in names if name in figures}
        if held:
            found[family] = _shared(family, held, figures, families)
    others = {name: figures[name] for name in sorted(figures) if name not in known}
    return {**found, **({OTHER: others} if others else {})}


def unpacked(rows: Mapping[str, Mapping[str, str] | str], families: Families) -> dict[str, str]:
    """Return every figure of `rows` by its name; the inverse of `packed`."""
    return dict(_unpacked(rows, families))


def _unpacked(rows: Mapping[str, Mapping[str, str] | str], families: Families) -> Iterator[tuple[str, str]]:
    for family, row in rows.items():
        if not isinstance(row, str):
            yield from row.items()
            yield from _restated(row, families.get(family, ()))
            continue
        base = family.removeprefix(_PROTECTION)
        source = _whole(rows.get(base, {}), families.get(base, ()))
        for name, twin in zip(families.get(family, ()), families.get(base, ()), strict=True):
            if row != AS_SELECTED:
                yield name, row
            elif twin in source:
                yield name, source[twin]


def _whole(row: Mapping[str, str] | str, names: tuple[str, ...]) -> dict[str, str]:
    """Return the figures of a family on the selected output."""
    if isinstance(row, str):
        return {} if row == AS_SELECTED else dict.fromkeys(names, row)
    return {**row, **dict(_restated(row, names))}


def _restated(row: Mapping[str, str], names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the figures of a family that `row` leaves out, for another one of it says them."""
    for name in names:
        told = _restatement(name, row)
        if name not in row and told is not None:
            yield name, told


def _restatement(name: str, row: Mapping[str, str]) -> str | None:
    """Return what the figure `name` is where it says another figure of `row` in its own way."""
    selected = name.removeprefix(_PROTECTION)
    if selected not in RESTATED:
        return None
    figure = row.get(name.removesuffix(selected) + RESTATED[selected])
    if figure is None or selected == "labeled_span_recall" or figure.startswith("null"):
        return figure
    if selected == "character_leak_rate":
        return _other_part(figure)
    count, _, population = figure.partition(" of ")
    if not (count.isdecimal() and population.isdecimal() and int(population)):
        return None
    rate = f"{count}/{population}"
    return _other_part(rate) if selected == "containment" else rate


def _other_part(rate: str) -> str | None:
    """Return 1 - `rate` in the same population, or None where it is no plain rate."""
    part, _, whole = rate.partition("/")
    if not (part.isdecimal() and whole.isdecimal() and int(part) <= int(whole)):
        return None
    return f"{int(whole) - int(part)}/{whole}"


def _shared(
    family: str, held: dict[str, str], figures: Mapping[str, str], families: Families
) -> dict[str, str] | str:
    """Return one string where the family is whole and says one thing, else its figures by name."""
    if held.keys() != set(families[family]):
        return held
    values = list(held.values())
    if len(set(values)) == 1 and (len(values) == 1 or values[0].startswith("null")):
        return values[0]
    twins = families.get(family.removeprefix(_PROTECTION), ())
    if family.startswith(_PROTECTION) and values == [figures.get(name) for name in twins]:
        return AS_SELECTED
    return {name: figure for name, figure in held.items() if figure != _restatement(name, held)}
