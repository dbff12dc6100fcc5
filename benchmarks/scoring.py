"""Scoring speed side by side: 20,000 documents, four gold and four predicted spans each, ten types.

Usage: python benchmarks/scoring.py [--documents N] [--scorer NAME]

Each scorer that can be imported runs in a process of its own; conversion into its input form is not
timed. CPU seconds of the best of three rounds count: wall time follows the load of the machine.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import resource
import subprocess
import sys
import time
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pytest_pii_eval.contracts.spans import Detection, GoldSpan, Span
from pytest_pii_eval.scoring.documents import Document, Scope
from pytest_pii_eval.scoring.labels import Labels
from pytest_pii_eval.scoring.metrics import derive
from pytest_pii_eval.scoring.tally import score_documents

if TYPE_CHECKING:
    from collections.abc import Callable

TYPES = ("person", "email", "phone", "iban", "payment", "secret", "gov_id", "address", "org", "date")
SCOPE = Scope(frozenset(TYPES), frozenset({"secret", "gov_id", "payment"}))


def generate(number: int, *, outputs: bool = False) -> list[Document]:
    """Return documents of about 200 characters with four fifths of their gold spans found exactly.

    Spans are apart, so that every scorer measures the same thing. With `outputs` each document also has
    candidates and protection ranges that differ from its selected spans.
    """
    rng = random.Random(7)  # noqa: S311 - a seeded workload, not a secret
    return [_document(rng, outputs=outputs) for _ in range(number)]


def _document(rng: random.Random, *, outputs: bool) -> Document:
    gold: list[GoldSpan] = []
    found: list[Span] = []
    position = 0
    for _ in range(4):
        start = position + rng.randint(10, 55)
        end = position = start + rng.randint(5, 20)
        type_ = rng.choice(TYPES)
        identity = (type_, f"n{rng.randrange(100)}", "p") if rng.random() < 0.5 else None  # noqa: PLR2004 - a share
        gold.append(GoldSpan(start, end, type_, identity))
        found.append(_prediction(rng, gold[-1]))
    selected = tuple(found)
    if not outputs:
        return Document(position + 10, tuple(gold), Detection(selected))
    candidates = (*selected, Span(0, 3, "org"))
    protection = tuple((span.start, span.end + 1) for span in selected)
    return Document(position + 10, tuple(gold), Detection(selected, candidates, protection))


def _prediction(rng: random.Random, gold: GoldSpan) -> Span:
    start, end, type_, identity, _ = gold
    (start, end, type_), *_ = rng.choices(
        [
            (start, end, type_),
            (start + 1, end + 1, type_),
            (start, end, rng.choice(TYPES)),
            (end + 2, end + 6, type_),
        ],
        [80, 8, 6, 6],
    )
    return Span(start, end, type_, 0.9, identity)


def ours(number: int) -> tuple[Callable[[], object], str]:
    """All counts and all metrics of the selected output."""
    return _ours(generate(number))


def ours_outputs(number: int) -> tuple[Callable[[], object], str]:
    """The same with candidates and protection ranges, each masked and counted on its own."""
    return _ours(generate(number, outputs=True))


def ours_dense(number: int) -> tuple[Callable[[], object], str]:
    """One document that holds all the spans, each overlapping its neighbours."""
    gold = tuple(GoldSpan(3 * at, 3 * at + 10, TYPES[at % 10]) for at in range(number))
    found = tuple(Span(3 * at + at % 3, 3 * at + 10, TYPES[at % 9], 0.9) for at in range(number))
    return _ours([Document(3 * number + 20, gold, Detection(found))])


def _ours(documents: list[Document]) -> tuple[Callable[[], object], str]:
    def run() -> object:
        return derive(score_documents(documents, SCOPE), SCOPE, Labels())

    micro = derive(score_documents(documents, SCOPE), SCOPE, Labels()).overall["f1"]
    return run, f"F1 {float(micro.value or 0):.6f}"


def nervaluate(number: int) -> tuple[Callable[[], object], str]:
    """Four schemes, overall and by type."""
    from nervaluate.evaluator import Evaluator  # noqa: PLC0415 - optional peer

    documents = generate(number)
    sides = [
        [_labels(document.gold) for document in documents],
        [_labels(document.detection.selected) for document in documents if document.detection],
    ]
    strict = Evaluator(*sides, tags=list(TYPES), loader="dict").evaluate()["overall"]["strict"]
    return lambda: Evaluator(*sides, tags=list(TYPES), loader="dict").evaluate(), f"F1 {strict.f1:.6f}"


def _labels(spans: tuple[Any, ...]) -> list[dict[str, object]]:
    return [{"label": span.type, "start": span.start, "end": span.end - 1} for span in spans]


def seqscore(number: int) -> tuple[Callable[[], object], str]:
    """Exact counts by type from ready mentions, nothing else."""
    from seqscore import model, scoring  # noqa: PLC0415 - optional peer

    pairs = [
        [[model.Mention(model.Span(span.start, span.end), span.type) for span in side] for side in sides]
        for sides in ((one.gold, one.detection.selected) for one in generate(number) if one.detection)
    ]

    def run() -> Any:
        score = scoring.ClassificationScore()
        for gold, found in pairs:
            scoring.score_sequence_mentions(found, gold, score)
        return score

    return run, f"F1 {run().f1:.6f}"


def presidio_evaluator(number: int) -> tuple[Callable[[], object], str]:
    """Its span evaluator over one row a token, typed and untyped."""
    import pandas as pd  # noqa: PLC0415 - comes with the optional peer
    from presidio_evaluator.evaluation import SpanEvaluator  # noqa: PLC0415 - optional peer

    rows = [row for at, document in enumerate(generate(number)) for row in _tokens(at, document)]
    frame = pd.DataFrame(rows, columns=["sentence_id", "token", "annotation", "prediction", "start_indices"])
    evaluator = SpanEvaluator(iou_threshold=1.0)
    return lambda: evaluator.calculate_score_on_df(frame), "one tag a token"


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


SCORERS: dict[str, tuple[str, Callable[[int], tuple[Callable[[], object], str]]]] = {
    "ours": ("pytest_pii_eval", ours),
    "ours, candidates and protection": ("pytest_pii_eval", ours_outputs),
    "ours, one dense document (spans)": ("pytest_pii_eval", ours_dense),
    "seqscore mentions": ("seqscore", seqscore),
    "nervaluate": ("nervaluate", nervaluate),
    "presidio-evaluator": ("presidio_evaluator", presidio_evaluator),
}


def measure(name: str, number: int) -> dict[str, object]:
    """Return the best CPU seconds of three rounds of one scorer, and the peak memory of its process."""
    run, note = SCORERS[name][1](number)
    seconds = []
    for _ in range(3):
        begun = time.process_time()
        run()
        seconds.append(time.process_time() - begun)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {"scorer": name, "cpu": min(seconds), "rate": number / min(seconds), "peak": peak, "note": note}


def main() -> None:
    """Run every importable scorer in a process of its own and print one line each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--scorer", choices=SCORERS)
    arguments = parser.parse_args()
    if arguments.scorer:
        print(json.dumps(measure(arguments.scorer, arguments.documents)))
        return
    print(f"{'scorer':34} {'CPU s':>8} {'per CPU s':>10} {'peak MB':>8}  note")
    for name, (module, _) in SCORERS.items():
        if importlib.util.find_spec(module) is None:
            print(f"{name:34} not installed")
            continue
        command = [sys.executable, __file__, "--scorer", name, "--documents", str(arguments.documents)]
        finished = subprocess.run(command, check=True, capture_output=True, text=True)
        one = json.loads(finished.stdout.splitlines()[-1])
        print(f"{name:34} {one['cpu']:8.3f} {one['rate']:10,.0f} {one['peak']:8}  {one['note']}")


if __name__ == "__main__":
    main()
