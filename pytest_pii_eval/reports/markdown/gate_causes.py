"""Which types are behind a failed gate of all types, each counted as the gate's own metric counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.reports.comparing.severity import HIGH, about_finding, about_leaks, bare, output_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_pii_eval.reports.model import TypeReport

_OF_CHARACTERS: Final = frozenset({"character_recall", "character_leak_rate"})
_OF_CATALOG: Final = {
    "catalog_coverage": ("catalog_coverage", "is not cataloged in {} gold spans"),
    "cataloged_document_miss_rate": ("cataloged_recall", "is not mapped in {} cataloged spans"),
    "cataloged_recall": ("cataloged_recall", "is not mapped in {} cataloged spans"),
}
_OF_PREDICTIONS: Final = {
    "extra_span_rate": "is extra in {} predictions",
    "precision": "is wrong in {} predictions",
}
_BALANCED: Final = frozenset({"f1", "f2", "macro_f1"})


class Cause(NamedTuple):
    """A type that adds to a bad figure: how much of it, what that means, and the type."""

    number: int
    words: str
    type: str


def causes(metric: str, types: Mapping[str, TypeReport]) -> Iterator[Cause]:
    """Yield the types that add to a bad `metric`; of some metrics no type can be told."""
    for type_, one in types.items():
        found = [(part, whole, words) for part, whole, words in _parts(metric, one) if part > 0]
        if found:
            words = " and ".join(words.format(f"{part:,} of {whole:,}") for part, whole, words in found)
            yield Cause(sum(part for part, _, _ in found), words, type_)


def _parts(metric: str, one: TypeReport) -> Iterator[tuple[int, int, str]]:
    """Yield how much of what population is bad, and the words for it."""
    output, own = output_of(metric), bare(metric).removeprefix(HIGH)
    if output == "candidate_":
        yield _lacking(one, "candidate_coverage", "is not among the candidates in {} gold spans")
    elif own in _OF_CHARACTERS:
        yield _lacking(one, f"{output}character_recall", "leaves {} gold characters visible")
    elif about_leaks(metric):
        yield _counted(one, f"{output}leaks", "leaks {} gold spans")
    elif own == "wrong_canonical":
        yield _counted(one, own, "has another name in {} cataloged spans")
    elif own in _OF_CATALOG:
        yield _lacking(one, *_OF_CATALOG[own])
    else:
        yield from _of_matches(own, one)


def _of_matches(own: str, one: TypeReport) -> Iterator[tuple[int, int, str]]:
    gold, pred, found, extra = (one.counts.get(name, 0) for name in ("gold", "pred", "tp", "extra"))
    if about_finding(own):
        yield gold - found, gold, "is not found exactly in {} gold spans"
    if own in _BALANCED:
        yield pred - found, pred, _OF_PREDICTIONS["precision"]
    elif own in _OF_PREDICTIONS:
        yield (extra if own == "extra_span_rate" else pred - found), pred, _OF_PREDICTIONS[own]


def _counted(one: TypeReport, metric: str, words: str) -> tuple[int, int, str]:
    """Return a count of the type in its population; without a value there is nothing to tell."""
    found = one.metrics.get(metric)
    return (0, 0, words) if found is None else (found.numerator or 0, found.support, words)


def _lacking(one: TypeReport, metric: str, words: str) -> tuple[int, int, str]:
    """Return what a rate of the type lacks to be 1, in its population."""
    found = one.metrics.get(metric)
    if found is None or found.numerator is None or found.denominator is None:
        return 0, 0, words
    return found.denominator - found.numerator, found.denominator, words
