"""Scoring ready spans: ours and other scorers on the same documents, each in a process of its own.

20,000 documents of about 200 characters, four gold and four predicted spans each, ten types. Conversion into
a scorer's input form is not timed. All must count the same exact matches (tp, fp, fn) of the same documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench import targets
from bench.agreeing import agree
from bench.costs import Broken
from bench.plan import child, children_in_turns, cost_of
from bench.rows import Check, Row, row

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.plan import Plan

_DOCUMENTS = 20_000
_SAMPLE = 10  # presidio-evaluator takes a tenth: it needs a second for some five hundred.
_ALONE = "ours_dense"  # Documents of its own, that no other scorer gets.
_OF_TWO_TYPES = "nerb"
_OURS = {
    "ours": "all counts and metrics of the selected output",
    "ours_outputs": "candidates and protection ranges of their own as well",
    "ours_dense": "one document that holds all the spans",
}
_PEERS = {
    "nerb": "nerb's accumulator, one slice of two types",
    "nervaluate": "nervaluate, four schemes",
    "seqscore": "seqscore, exact counts only",
    "presidio_evaluator": "presidio-evaluator, a tenth of them",
}


def measure(plan: Plan) -> list[Row]:
    """Return a row a scorer; a peer that is not installed is left out."""
    documents = plan.size(_DOCUMENTS)
    jobs = {name: _job(plan, name, documents) for name in (*_OURS, *_PEERS)}
    found = children_in_turns({name: job for name, job in jobs.items() if _present(name, job)}, plan.rounds)
    compare({name: (jobs[name]["documents"], one) for name, one in found.items() if name != _ALONE})
    base = found["ours"]["rate"]
    return [_row(name, one, base=base, documents=documents) for name, one in found.items()]


def _job(plan: Plan, name: str, documents: int) -> dict[str, Any]:
    job = {"place": f"bench.scorers:{name}", "documents": documents}
    if name != "presidio_evaluator":
        return job
    return job | {"python": plan.peer_python, "documents": documents // _SAMPLE}


def _present(name: str, job: Mapping[str, Any]) -> bool:
    if name in _OURS:
        return True
    try:
        child(**{**job, "documents": 10})
    except Broken as broken:
        print(f"scoring: {name} is left out: {str(broken).splitlines()[-1]}", flush=True)
        return False
    return True


def compare(found: Mapping[str, tuple[int, Mapping[str, Any]]]) -> None:
    """Hold the exact counts of each scorer, given with its documents, to ours; raises `Broken`."""
    known: dict[tuple[int, bool], dict[str, float]] = {}
    for name, (documents, figures) in found.items():
        joined = name == _OF_TWO_TYPES
        if (documents, joined) not in known:
            known[documents, joined] = counts_of_ours(documents, joined=joined)
        expected = known[documents, joined]
        told = {key: figures[key] for key in expected}
        agree(f"scoring {documents:,} documents", {"ours": expected, name: told})


def counts_of_ours(documents: int, *, joined: bool) -> dict[str, float]:
    """Return what ours counts, in a process of its own."""
    counts = child("bench.scorers:exact_counts", documents=documents, joined=joined)
    return {name: counts[name] for name in ("tp", "fp", "fn")}


def _row(name: str, one: Mapping[str, Any], *, base: float, documents: int) -> Row:
    work = f"{documents:,} documents"
    unit = "spans a CPU second" if name == _ALONE else "documents a CPU second"
    if name in _OURS:
        target = targets.SCORING_RATE if name == "ours" else None
        return row((work, f"ours: {_OURS[name]}"), cost_of(one), Check(unit, one["rate"], least=target))
    checks = (Check(unit, one["rate"]), Check("ours / theirs", base / one["rate"]))
    return row((work, _PEERS[name]), cost_of(one), *checks, peer=True)
