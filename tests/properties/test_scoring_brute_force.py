"""The scorer against one that looks at every character and every pair of spans, on generated documents."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.contracts.spans import Detection, GoldSpan, Span
from pytest_pii_eval.scoring.documents import Document, Scope
from pytest_pii_eval.scoring.tally import score_documents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pii_eval.scoring.evidence import Evidence

    Spanned: TypeAlias = Span | GoldSpan
    Spans: TypeAlias = Sequence[Span | GoldSpan | tuple[int, int]]
    Counts: TypeAlias = Counter[str | tuple[str, ...]]

SCOPE = Scope(frozenset({"a", "b", "c"}), frozenset({"b"}))
IDENTITIES = [None, ("a", "n", "p"), ("a", "n", "q"), ("a", "m", "p"), ("b", "n", "p")]


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Short documents full of nested, overlapping, touching, equal spans, in and out of scope."""
    length = draw(st.integers(1, 14))
    start = st.integers(0, length - 1)
    ranges = start.flatmap(lambda at: st.tuples(st.just(at), st.integers(at + 1, min(length, at + 5))))
    types, identities = st.sampled_from("abcx"), st.sampled_from(IDENTITIES)
    golds = st.builds(
        lambda r, t, i, g: GoldSpan(*r, t, i, g), ranges, types, identities, st.sampled_from([None, 1, 2])
    )
    spans = st.builds(lambda r, t, i: Span(*r, t, 0.5, i), ranges, types, identities)
    gold = draw(st.lists(golds, max_size=6))
    selected = draw(st.lists(spans, max_size=6)) + [
        Span(*gold[at][:3], None, draw(identities))
        for at in draw(st.lists(st.integers(0, 5), max_size=4))
        if at < len(gold)
    ]
    detection = Detection(
        tuple(selected),
        draw(st.none() | st.lists(spans, max_size=3).map(tuple)),
        draw(st.none() | st.lists(ranges, max_size=3).map(tuple)),
        draw(st.sampled_from([False, False, False, True])),
    )
    failed = draw(st.sampled_from([False] * 7 + [True]))
    return Document(length, tuple(gold), None if failed else detection, draw(st.integers(0, 2)), 1)


def chars(spans: Spans) -> set[int]:
    return {at for span in spans for at in range(span[0], span[1])}


def key(span: Spanned) -> tuple[int, int, str]:
    return tuple(span[:3])


def name(span: Spanned) -> tuple[str, ...] | None:
    return span.identity[:2] if span.identity else None


def brute_output(counted: Counts, output: str, golds: list[GoldSpan], masked: set[int]) -> None:
    union = chars(golds)
    counted[output, "documents"] += 1
    counted[output, "gold"] += len(golds)
    counted[output, "gold_characters"] += len(union)
    counted[output, "covered_characters"] += len(union & masked)
    counted[output, "masked_characters"] += len(masked)
    leaks = [gold for gold in golds if not chars([gold]) <= masked]
    counted[output, "leaks"] += len(leaks)
    counted[output, "leaking_documents"] += bool(leaks)
    counted[output, "high_severity_leaking_documents"] += any(gold.type == "b" for gold in leaks)
    for type_ in {gold.type for gold in golds}:
        counted[output, type_, "leaks"] += sum(gold.type == type_ for gold in leaks)
        own = chars([gold for gold in golds if gold.type == type_])
        counted[output, type_, "leaked_characters"] += len(own - masked)
    for group in repeated(golds):
        counted[output, "leaking_repeated_identifiers"] += any((g.type, g.group) == group for g in leaks)
    if not golds:
        counted[output, "zero_gold_masked_documents"] += bool(masked)
        counted[output, "zero_gold_masked_characters"] += len(masked)


def repeated(golds: list[GoldSpan]) -> list[tuple[str, int | None]]:
    groups = Counter((gold.type, gold.group) for gold in golds if gold.group is not None)
    return [group for group, number in groups.items() if number > 1]


def brute_exact(
    counted: Counts, golds: list[GoldSpan], preds: list[Span]
) -> tuple[list[GoldSpan], list[Span]]:
    """Count exact matches key by key; return the gold spans and predictions left over."""
    rest_golds, rest_preds = list(golds), list(preds)
    cataloged_miss = False
    for same in {key(gold) for gold in golds}:
        ours = [gold for gold in golds if key(gold) == same]
        theirs = [pred for pred in preds if key(pred) == same]
        tp = min(len(ours), len(theirs))
        names = Counter(name(gold) for gold in ours if gold.identity)
        given_names = Counter(name(pred) for pred in theirs)
        hits = (names & given_names).total()
        wrong = max(0, tp - hits - sum(gold.identity is None for gold in ours))
        counted[same[2], "tp"] += tp
        counted[same[2], "cataloged"] += names.total()
        counted[same[2], "cataloged_tp"] += hits
        counted[same[2], "wrong_canonical"] += wrong
        cataloged_miss |= hits < names.total()
        for _ in range(tp):
            rest_golds.remove(next(gold for gold in rest_golds if key(gold) == same))
            rest_preds.remove(next(pred for pred in rest_preds if key(pred) == same))
    counted["documents_with_any_cataloged_miss"] += cataloged_miss
    counted["documents_with_any_miss"] += bool(rest_golds)
    return rest_golds, rest_preds


def brute_states(counted: Counts, golds: list[GoldSpan], selected: Sequence[Span]) -> None:
    for gold in golds:
        place = chars([gold])
        if place & chars([one for one in selected if one.type == gold.type]):
            counted[gold.type, "shift"] += 1
        elif place & chars(selected):
            cover = {
                type_: len(place & chars([one for one in selected if one.type == type_]))
                for type_ in {one.type for one in selected}
            }
            taken_for = min(cover, key=lambda type_: (-cover[type_], type_))
            counted[gold.type, "wrong_type"] += 1
            counted["confusion", gold.type, taken_for] += 1


def brute_sweep(ours: Spans, theirs: Spans) -> tuple[int, list[Spanned], list[Spanned]]:
    """Pair from left to right; return the number of pairs and both leftovers."""
    waiting = ([], [])
    pairs = 0
    events = sorted(
        [(*gold[:2], 0, at) for at, gold in enumerate(ours)]
        + [(*p[:2], 1, at) for at, p in enumerate(theirs)]
    )
    left = ({*range(len(ours))}, {*range(len(theirs))})
    for start, end, side, at in events:
        partners = [one for one in waiting[1 - side] if one[0] > start]
        if partners:
            partner = min(partners)
            waiting[1 - side].remove(partner)
            left[side].discard(at)
            left[1 - side].discard(partner[2])
            pairs += 1
        else:
            waiting[side].append((end, start, at))
    return pairs, [ours[at] for at in left[0]], [theirs[at] for at in left[1]]


def brute_pairs(counted: Counts, rest_golds: list[GoldSpan], rest_preds: list[Span]) -> None:
    left_golds, left_preds = [], []
    for type_ in {span.type for span in [*rest_golds, *rest_preds]}:
        pairs, ours, theirs = brute_sweep(
            [gold for gold in rest_golds if gold.type == type_], [p for p in rest_preds if p.type == type_]
        )
        counted["paired_shift"] += pairs
        left_golds += ours
        left_preds += theirs
    for gold in [*left_golds]:
        partner = next((pred for pred in left_preds if pred[:2] == gold[:2]), None)
        if partner is not None:
            left_golds.remove(gold)
            left_preds.remove(partner)
            counted["paired_wrong_type"] += 1
    counted["paired_shift_and_type"] += brute_sweep(left_golds, left_preds)[0]


def brute(document: Document) -> Counts:
    """Return every count of one document, by name."""
    counted = Counter()
    golds = [gold for gold in document.gold if gold.type in SCOPE.types]
    failed = document.detection is None or document.detection.partial
    detection = Detection((), (), ()) if failed else document.detection
    preds = [pred for pred in detection.selected if pred.type in SCOPE.types]
    counted["documents"] += 1
    counted["failed_documents"] += failed
    counted["partial_documents"] += failed and document.detection is not None
    counted["failed_zero_gold_documents"] += failed and not golds
    counted["characters"] += document.length
    counted["unmapped"] += document.unmapped
    counted["dropped"] += document.dropped
    counted["out_of_scope"] += len(detection.selected) - len(preds)
    counted["duplicates"] += len(preds) - len({key(pred) for pred in preds})
    counted["gold_characters"] += len(chars(golds))
    counted["documents_with_gold"] += bool(golds)
    counted["documents_with_cataloged_gold"] += any(gold.identity for gold in golds)
    counted["high_severity_documents"] += any(gold.type == "b" for gold in golds)
    counted["repeated_identifiers"] += len(repeated(golds))
    counted["zero_gold_documents"] += not golds
    counted["zero_gold_characters"] += 0 if golds else document.length
    for type_ in SCOPE.types:
        own = [gold for gold in golds if gold.type == type_]
        counted[type_, "gold"] += len(own)
        counted[type_, "gold_characters"] += len(chars(own))
        counted[type_, "pred"] += sum(pred.type == type_ for pred in preds)
    rest_golds, rest_preds = brute_exact(counted, golds, preds)
    brute_states(counted, rest_golds, detection.selected)
    for pred in preds:
        counted[pred.type, "extra"] += not chars([pred]) & chars(golds)
    brute_pairs(counted, rest_golds, rest_preds)
    masks = {
        "selected": detection.selected,
        "scope": preds,
        "protection": detection.protection,
        "candidates": detection.candidates,
    }
    for output, spans in masks.items():
        if spans is not None:
            brute_output(counted, output, golds, chars(spans))
    return counted


def flat(evidence: Evidence) -> Counts:
    """Return the counts of `evidence` by the names that `brute` uses."""
    counted = Counter(evidence.counts._asdict())
    for type_, row in evidence.types.items():
        counted.update({(type_, field): number for field, number in row._asdict().items()})
    for output, row in evidence.outputs.items():
        counted.update({(output, field): number for field, number in row._asdict().items()})
    for place, row in evidence.leaks.items():
        counted.update({(*place, field): number for field, number in row._asdict().items()})
    counted.update({("confusion", *pair): number for pair, number in evidence.confusion.items()})
    return +counted


@settings(max_examples=400, deadline=None)
@given(st.lists(documents(), max_size=8))
def test_every_count_agrees_with_counting_characters_and_pairs(population: list[Document]) -> None:
    """Every count of the evidence is what a character-by-character, pair-by-pair count finds."""
    expected = Counter()
    for document in population:
        expected.update(brute(document))
    assert flat(score_documents(population, SCOPE)) == +expected


@settings(max_examples=3, deadline=None)
@given(st.lists(documents(), min_size=20, max_size=20))
def test_counts_agree_across_many_chunks_of_documents(population: list[Document]) -> None:
    """A population larger than what is counted in one pass gives the same sums."""
    expected = Counter()
    for document in population:
        expected.update({key_: 40 * number for key_, number in brute(document).items()})
    assert flat(score_documents(population * 40, SCOPE)) == +expected
