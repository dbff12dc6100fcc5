"""The scorers that are compared: each is called in a process of its own and returns its figures.

Who tells exact counts returns them as `tp`, `fp` and `fn`: same start, end and type.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from bench.scored import TYPES, generate
from bench.timing import repeated

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pytest_pii_eval.scoring.documents import Document

_SEVERE = frozenset({"secret", "gov_id", "payment"})
_ZEROS = "sha256:" + "0" * 64
_LONG_ENOUGH = 0.5


def ours(documents: int) -> dict[str, float]:
    """All counts and all metrics of the selected output."""
    return _ours(generate(documents), documents)


def ours_outputs(documents: int) -> dict[str, float]:
    """The same with candidates and protection ranges, each masked and counted on its own."""
    return _ours(generate(documents, outputs=True), documents)


def ours_dense(documents: int) -> dict[str, float]:
    """One document that holds all the spans, each overlapping its neighbours."""
    from pytest_pii_eval.contracts.spans import Detection, GoldSpan, Span  # noqa: PLC0415  # the runner must stay small
    from pytest_pii_eval.scoring.documents import Document  # noqa: PLC0415  # the same, as in all of this file

    gold = tuple(GoldSpan(3 * at, 3 * at + 10, TYPES[at % 10]) for at in range(documents))
    found = tuple(Span(3 * at + at % 3, 3 * at + 10, TYPES[at % 9], 0.9) for at in range(documents))
    return _ours([Document(3 * documents + 20, gold, Detection(found))], documents)


def exact_counts(documents: int, *, joined: bool) -> dict[str, float]:
    """Return what ours counts; `joined` makes two types of the ten, as nerb's accumulator gets them."""
    made = generate(documents)
    two = _two(TYPES[:2])
    counts = _ours([_joined(one, two) for one in made] if joined else made, documents)
    return {name: counts[name] for name in ("tp", "fp", "fn")}


def _two(names: Sequence[str]) -> dict[str, str]:
    return {type_: names[at % 2] for at, type_ in enumerate(TYPES)}


def _joined(one: Document, two: Mapping[str, str]) -> Document:
    gold = tuple(span._replace(type=two[span.type]) for span in one.gold)
    found = one.detection.selected if one.detection else ()
    selected = tuple(span._replace(type=two[span.type]) for span in found)
    return one._replace(gold=gold, detection=one.detection and one.detection._replace(selected=selected))


def _ours(documents: list[Document], number: int) -> dict[str, float]:
    from pytest_pii_eval.scoring.documents import Scope  # noqa: PLC0415  # as above
    from pytest_pii_eval.scoring.labels import Labels  # noqa: PLC0415  # as above
    from pytest_pii_eval.scoring.metrics import derive  # noqa: PLC0415  # as above
    from pytest_pii_eval.scoring.tally import score_documents  # noqa: PLC0415  # as above

    scope = Scope(frozenset(TYPES), _SEVERE)

    def work() -> Any:
        evidence = score_documents(documents, scope)
        derive(evidence, scope, Labels())
        return evidence.types.values()

    figures, types = _timed(work, number)
    return figures | {name: sum(getattr(one, name) for one in types) for name in ("tp", "fp", "fn")}


def nerb(documents: int) -> dict[str, float]:
    """Use nerb's accumulator over one slice, which takes two types: ours are joined to two."""
    from nerb import enron_quality as quality  # noqa: PLC0415  # optional peer

    scope = (
        *(
            "slice",
            "labels",
            "independent",
            quality.PERSON_CONTACT_ENTITY_CLASSES,
            ("body",),
            _ZEROS,
            (),
            "exhaustive_within_scope",
        ),
    )
    view = (
        quality.PERSON_CONTACT_SCOPE_ID,
        "all",
        "train",
        "view",
        _ZEROS,
        _ZEROS,
        ("body",),
        True,
        False,
        False,
    )
    spec = quality._SliceSpec(*scope, *view)  # noqa: SLF001  # no public way in
    rows = [_nerb_row(quality, document) for document in generate(documents)]

    def work() -> Any:
        accumulator = quality._SliceAccumulator()  # noqa: SLF001  # the same
        for row in rows:
            quality._accumulate_slice_document(accumulator, spec, *row)  # noqa: SLF001  # the same
        return quality._finish_slice(spec, accumulator)  # noqa: SLF001  # the same

    figures, told = _timed(work, documents)
    return figures | _counts(told["true_positive"], told["predicted_spans"], told["gold_spans"])


def _nerb_row(quality: Any, one: Document) -> tuple[Any, ...]:
    joined = _two(quality.PERSON_CONTACT_ENTITY_CLASSES)
    span, found = quality._GoldSpan, quality._Prediction  # noqa: SLF001  # no public way in
    return (
        quality._Document("d", "x" * one.length, "view", "train"),  # noqa: SLF001  # the same
        tuple(span("d", joined[g.type], g.start, g.end, g.identity) for g in one.gold),
        tuple(
            found("d", joined[p.type], p.start, p.end, *(p.identity or (p.type, "n", "p")))
            for p in (one.detection.selected if one.detection else ())
        ),
    )


def nervaluate(documents: int) -> dict[str, float]:
    """Four schemes, overall and by type."""
    from nervaluate.evaluator import Evaluator  # noqa: PLC0415  # optional peer

    made = generate(documents)
    sides = [
        [_labels(one.gold) for one in made],
        [_labels(one.detection.selected) for one in made if one.detection],
    ]
    figures, result = _timed(lambda: Evaluator(*sides, tags=list(TYPES), loader="dict").evaluate(), documents)
    strict = result["overall"]["strict"]
    return figures | _counts(strict.correct, strict.actual, strict.possible)


def _labels(spans: tuple[Any, ...]) -> list[dict[str, object]]:
    return [{"label": span.type, "start": span.start, "end": span.end - 1} for span in spans]


def seqscore(documents: int) -> dict[str, float]:
    """Exact counts by type from ready mentions, nothing else."""
    from seqscore import model, scoring  # noqa: PLC0415  # optional peer

    pairs = [
        [[model.Mention(model.Span(span.start, span.end), span.type) for span in side] for side in sides]
        for sides in ((one.gold, one.detection.selected) for one in generate(documents) if one.detection)
    ]

    def work() -> Any:
        score = scoring.ClassificationScore()
        for gold, found in pairs:
            scoring.score_sequence_mentions(found, gold, score)
        return score

    figures, score = _timed(work, documents)
    return figures | _counts(score.true_pos, score.total_pos, score.total_ref)


def presidio_evaluator(documents: int) -> dict[str, float]:
    """Its span evaluator over one row a token, typed and untyped."""
    import pandas as pd  # noqa: PLC0415  # comes with the optional peer
    from presidio_evaluator.evaluation import SpanEvaluator  # noqa: PLC0415  # optional peer

    rows = [row for at, document in enumerate(generate(documents)) for row in _tokens(at, document)]
    frame = pd.DataFrame(rows, columns=["sentence_id", "token", "annotation", "prediction", "start_indices"])
    evaluator = SpanEvaluator(iou_threshold=1.0)
    figures, result = _timed(lambda: evaluator.calculate_score_on_df(frame), documents)
    types = result.per_type.values()
    sums = ("true_positives", "num_predicted", "num_annotated")
    return figures | _counts(*(sum(getattr(one, name) for one in types) for name in sums))


def _tokens(at: int, document: Document) -> list[tuple[object, ...]]:
    """Return one row for each stretch between two span edges; overlaps keep the last type."""
    found = document.detection.selected if document.detection else ()
    edges = sorted({0, document.length, *(edge for span in (*document.gold, *found) for edge in span[:2])})
    return [
        (at, "x" * (end - start), _tag(document.gold, start), _tag(found, start), start)
        for start, end in pairwise(edges)
    ]


def _tag(spans: tuple[Any, ...], position: int) -> str:
    return next((span.type for span in spans if span.start <= position < span.end), "O")


def _counts(right: int, found: int, gold: int) -> dict[str, float]:
    return {"tp": right, "fp": found - right, "fn": gold - right}


def _timed(work: Callable[[], Any], number: int) -> tuple[dict[str, float], Any]:
    """Return CPU seconds and documents a CPU second of the median of some calls, and the last result."""
    seconds, result = repeated(work, _LONG_ENOUGH)
    return {"cpu": seconds, "rate": number / seconds}, result
