"""The scorers that are compared: each is called in a process of its own and returns its figures."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from bench.texts import seeded

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from pytest_pii_eval.scoring.documents import Document

TYPES = ("person", "email", "phone", "iban", "payment", "secret", "gov_id", "address", "org", "date")
_SEVERE = frozenset({"secret", "gov_id", "payment"})
_ZEROS = "sha256:" + "0" * 64
_NAMED = 0.5
_LONG_ENOUGH = 0.5


def generate(number: int, *, outputs: bool = False) -> list[Document]:
    """Return documents of about 200 characters with four fifths of their gold spans found exactly.

    Spans are apart, so that every scorer measures the same thing. With `outputs` each document also has
    candidates and protection ranges that differ from its selected spans.
    """
    dice = seeded()
    return [_document(dice, outputs=outputs) for _ in range(number)]


def _document(dice: random.Random, *, outputs: bool) -> Document:
    from pytest_pii_eval.contracts.spans import Detection, GoldSpan, Span  # noqa: PLC0415  # as in all of this file
    from pytest_pii_eval.scoring.documents import Document  # noqa: PLC0415  # the runner must stay small

    gold: list[GoldSpan] = []
    found: list[Span] = []
    position = 0
    for _ in range(4):
        start = position + dice.randint(10, 55)
        end = position = start + dice.randint(5, 20)
        type_ = dice.choice(TYPES)
        identity = (type_, f"n{dice.randrange(100)}", "p") if dice.random() < _NAMED else None
        gold.append(GoldSpan(start, end, type_, identity))
        found.append(Span(*_placed(dice, gold[-1]), 0.9, identity))
    selected = tuple(found)
    if not outputs:
        return Document(position + 10, tuple(gold), Detection(selected))
    candidates = (*selected, Span(0, 3, "org"))
    protection = tuple((span.start, span.end + 1) for span in selected)
    return Document(position + 10, tuple(gold), Detection(selected, candidates, protection))


def _placed(dice: random.Random, gold: Any) -> tuple[int, int, str]:
    start, end, type_, _, _ = gold
    choices = [
        (start, end, type_),
        (start + 1, end + 1, type_),
        (start, end, dice.choice(TYPES)),
        (end + 2, end + 6, type_),
    ]
    return dice.choices(choices, [80, 8, 6, 6])[0]


def ours(documents: int) -> dict[str, float]:
    """All counts and all metrics of the selected output."""
    return _ours(generate(documents), documents)


def ours_outputs(documents: int) -> dict[str, float]:
    """The same with candidates and protection ranges, each masked and counted on its own."""
    return _ours(generate(documents, outputs=True), documents)


def ours_dense(documents: int) -> dict[str, float]:
    """One document that holds all the spans, each overlapping its neighbours."""
    from pytest_pii_eval.contracts.spans import Detection, GoldSpan, Span  # noqa: PLC0415  # as above
    from pytest_pii_eval.scoring.documents import Document  # noqa: PLC0415  # as above

    gold = tuple(GoldSpan(3 * at, 3 * at + 10, TYPES[at % 10]) for at in range(documents))
    found = tuple(Span(3 * at + at % 3, 3 * at + 10, TYPES[at % 9], 0.9) for at in range(documents))
    return _ours([Document(3 * documents + 20, gold, Detection(found))], documents)


def _ours(documents: list[Document], number: int) -> dict[str, float]:
    from pytest_pii_eval.scoring.documents import Scope  # noqa: PLC0415  # as above
    from pytest_pii_eval.scoring.labels import Labels  # noqa: PLC0415  # as above
    from pytest_pii_eval.scoring.metrics import derive  # noqa: PLC0415  # as above
    from pytest_pii_eval.scoring.tally import score_documents  # noqa: PLC0415  # as above

    scope = Scope(frozenset(TYPES), _SEVERE)
    figures, metrics = _timed(lambda: derive(score_documents(documents, scope), scope, Labels()), number)
    return figures | {"f1": float(metrics.overall["f1"].value or 0)}


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

    return _timed(work, documents)[0]


def _nerb_row(quality: Any, one: Document) -> tuple[Any, ...]:
    two = quality.PERSON_CONTACT_ENTITY_CLASSES
    joined = {type_: two[at % 2] for at, type_ in enumerate(TYPES)}
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
    return figures | {"f1": result["overall"]["strict"].f1}


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
    return figures | {"f1": score.f1}


def presidio_evaluator(documents: int) -> dict[str, float]:
    """Its span evaluator over one row a token, typed and untyped."""
    import pandas as pd  # noqa: PLC0415  # comes with the optional peer
    from presidio_evaluator.evaluation import SpanEvaluator  # noqa: PLC0415  # optional peer

    rows = [row for at, document in enumerate(generate(documents)) for row in _tokens(at, document)]
    frame = pd.DataFrame(rows, columns=["sentence_id", "token", "annotation", "prediction", "start_indices"])
    evaluator = SpanEvaluator(iou_threshold=1.0)
    return _timed(lambda: evaluator.calculate_score_on_df(frame), documents)[0]


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


def _timed(work: Callable[[], Any], number: int) -> tuple[dict[str, float], Any]:
    """Return CPU seconds and documents a CPU second of the best of some calls, and the last result."""
    seconds: list[float] = []
    while sum(seconds) < _LONG_ENOUGH:
        started = time.process_time()
        result = work()
        seconds.append(time.process_time() - started)
    return {"cpu": min(seconds), "rate": number / min(seconds)}, result
