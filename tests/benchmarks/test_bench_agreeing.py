"""What both sides of a comparison tell must be the same."""

from __future__ import annotations

import json
from importlib.util import find_spec

import pytest
from bench_modules import agreeing, conformance, costs, plan, quality, scoring

COUNTS = {
    "active_patterns": 50,
    "patterns_with_positive_cases": 49,
    "approved_positive_cases": 150,
    "correctly_mapped": 147,
    "missed": 2,
    "wrong_canonical": 1,
    "negative_cases": 10,
    "unexpected_negative_matches": 4,
}
NERB_QUALITY = {
    "quality": {
        "slices": [
            {"id": "b", "documents": 7, "true_positive": 5, "false_positive": 1, "false_negative": 3},
            {"id": "a", "documents": 9, "true_positive": 0, "false_positive": 0, "false_negative": 2},
        ]
    }
}
OURS_QUALITY = {
    "slices": {
        "b": {
            "counts": {"documents": 7},
            "by_type": {
                "email": {"counts": {"tp": 4, "fp": 0, "fn": 1}},
                "phone": {"counts": {"tp": 1, "fp": 1, "fn": 2}},
            },
        },
        "a": {
            "counts": {"documents": 9},
            "by_type": {"email": {"counts": {"tp": 0, "fp": 0, "fn": 2}}},
        },
    }
}
THREE = {"tp": 3, "fp": 1, "fn": 2}


def written(path, document):
    path.write_text(json.dumps(document))
    return path


def figures(**counts):
    return {"cpu": 1.0, "rate": 20.0, "peak_mb": 30.0, **counts}


def test_sides_that_differ_are_told():
    """The work, both sides, and what each tells."""
    agreeing.agree("a work", {"ours": 1, "one": 1})
    with pytest.raises(costs.Broken, match=r"^a work: two does not tell what ours tells: 0, not 1$"):
        agreeing.agree("a work", {"ours": 1, "one": 1, "two": 0})


@pytest.mark.parametrize("section", ["conformance", "catalog_conformance"])
def test_conformance_reports_are_read_alike(section, tmp_path):
    """Ours and nerb's have the same counts under their own names, beside what is not compared."""
    report = {section: {**COUNTS, "recall": 0.98}}
    assert agreeing.conformance_counts(written(tmp_path / "r.json", report)) == COUNTS


@pytest.mark.parametrize("report", [NERB_QUALITY, OURS_QUALITY])
def test_quality_reports_are_read_alike(report, tmp_path):
    """Counts of types are added up in each slice: 4 + 1 found, 0 + 1 too many, 1 + 2 missed."""
    assert agreeing.quality_counts(written(tmp_path / "r.json", report)) == {
        "a": {"documents": 9, "tp": 0, "fp": 0, "fn": 2},
        "b": {"documents": 7, "tp": 5, "fp": 1, "fn": 3},
    }


@pytest.mark.parametrize("other", ["nerb", "pytest -n 2 --pii-items=file"])
def test_whole_conformance_runs_are_compared(other, tmp_path, monkeypatch):
    """A run that misses one case more than the others ends the benchmark."""

    def in_turns(commands, rounds):
        for name in commands:
            more = {"missed": 3, "correctly_mapped": 146} if name == other else {}
            section = "catalog_conformance" if name == "nerb" else "conformance"
            path = tmp_path / "conformance" / conformance.report_of(name)
            written(path, {section: {**COUNTS, **more}})
        return dict.fromkeys(commands, costs.Cost(1, 1, 1))

    monkeypatch.setattr(conformance, "need", lambda _: None)
    monkeypatch.setattr(conformance, "written", lambda *_, **__: None)
    monkeypatch.setattr(conformance, "in_turns", in_turns)
    with pytest.raises(costs.Broken, match=r"'correctly_mapped': 14[67]"):
        conformance.measure(plan.Plan(tmp_path))


@pytest.mark.parametrize("missed", [3, 2])
def test_whole_quality_runs_are_compared(missed, tmp_path, monkeypatch):
    """Nerb misses three spans of a slice: a run that misses two of them ends the benchmark."""

    def in_turns(commands, rounds):
        ours = json.loads(json.dumps(OURS_QUALITY))
        ours["slices"]["b"]["by_type"]["phone"]["counts"]["fn"] = missed - 1
        for name, command in commands.items():
            who = name.split()[0]
            written(command.folder / quality.report_of(who), ours if who == "pytest" else NERB_QUALITY)
        return dict.fromkeys(commands, costs.Cost(1, 1, 1))

    monkeypatch.setattr(quality, "need", lambda _: None)
    monkeypatch.setattr(quality, "written", lambda *_, **__: None)
    monkeypatch.setattr(quality, "in_turns", in_turns)
    if missed == 3:
        assert len(quality.measure(plan.Plan(tmp_path))) == 2
        return
    with pytest.raises(costs.Broken, match=r"^quality: pytest does not tell what nerb tells"):
        quality.measure(plan.Plan(tmp_path))


def test_a_scorer_that_counts_nothing_is_not_passed_over(monkeypatch):
    """Zeros are an answer, and another one than ours."""
    monkeypatch.setattr(scoring, "counts_of_ours", lambda *_, **__: THREE)
    scoring.compare({"seqscore": (20, figures(**THREE))})
    with pytest.raises(costs.Broken, match=r"^scoring 20 documents: seqscore does not tell"):
        scoring.compare({"seqscore": (20, figures(tp=0, fp=0, fn=0))})


def test_scorers_are_held_to_ours_on_their_own_documents(monkeypatch):
    """A tenth of them for one, two types for another; ours counts each only once."""
    asked = []
    monkeypatch.setattr(
        scoring, "counts_of_ours", lambda *number, joined: asked.append((*number, joined)) or THREE
    )
    of_all = dict.fromkeys(("ours", "nervaluate", "nerb"), (20, figures(**THREE)))
    scoring.compare({**of_all, "presidio_evaluator": (2, figures(**THREE))})
    assert asked == [(20, False), (20, True), (2, False)]


@pytest.mark.parametrize("name", ["ours", "ours_outputs", "nerb", "nervaluate", "seqscore"])
def test_scorers_count_the_same(name):
    """Ten documents with four gold spans each, counted by each scorer in a process of its own."""
    if not name.startswith("ours") and find_spec(name) is None:
        pytest.skip(f"{name} is not installed")
    counted = plan.child(f"bench.scorers:{name}", documents=10)
    assert counted["tp"] + counted["fn"] == 40
    scoring.compare({name: (10, counted)})
