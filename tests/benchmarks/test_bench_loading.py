"""Both engines begin with one bank file; sizes are measured in turns; medians are medians."""

from __future__ import annotations

import pytest
from bench_modules import costs, engine, growth, plan, timing


@pytest.fixture
def measured(tmp_path, monkeypatch):
    """Return a function that measures engines, of which one finds something else in what is loaded."""

    def children_in_turns(jobs, rounds):
        scans = {
            f"{kind}_{figure}": 1.0 for kind in ("ascii", "accents") for figure in ("cpu", "mb", "records")
        }
        common = {"peak_mb": 100.0, "records": "same", **scans}
        return {
            who: {"cpu": 2.0 if who.startswith("nerb") else 1.0, **common, **other.get(who, {})}
            for who in jobs
        }

    other = {}

    def measure(**figures):
        other.update(figures)
        return engine.measure(plan.Plan(tmp_path))

    monkeypatch.setattr(engine, "need", lambda _: None)
    monkeypatch.setattr(engine, "child", lambda *_, **__: None)
    monkeypatch.setattr(engine, "children_in_turns", children_in_turns)
    return measure


def test_the_target_is_of_the_way_from_a_file(measured):
    """Loading 10,000 names is held to a share of nerb's time, and compiling ready patterns to nothing."""
    held = {
        (row.work.split(",")[0], check.measure) for row in measured() for check in row.checks if check.most
    }
    assert held == {("load bank file and compile", "CPU / nerb"), ("load bank file and compile", "peak MB")}


def test_a_bank_beyond_the_limit_of_an_entity_says_so(measured):
    """100,000 names are more than nerb takes in one entity, and 50 expressions count in its limit."""
    works = {row.work.split(", ", 1)[1] for row in measured() if row.work.startswith("load")}
    assert {one for one in works if "two entities" in one} == {
        "100,000 names in two entities, no expressions",
        "99,950 names in two entities, 50 mixed expressions",
    }


def test_engines_that_load_another_bank_are_told(measured):
    """What is found with the loaded bank is compared before a row is made."""
    with pytest.raises(
        costs.Broken, match=r"^load bank file and compile, 1,000 names, no expressions: nerb does"
    ):
        measured(nerb={"records": "others"})


def test_both_load_the_same_bank_from_one_file(tmp_path):
    """Names and expressions of 20 patterns or more are found alike by each engine, in its own process."""
    pytest.importorskip("nerb")
    plan.child("bench.engine_work:write", folder=str(tmp_path), names=20, kind="50 mixed")
    told = [
        plan.child(f"bench.engine_work:{function}", folder=str(tmp_path))["records"]
        for function in ("ours_loaded", "nerb_loaded", "nerb_commands")
    ]
    assert len(set(told)) == 1


def test_growth_runs_small_sizes_in_turns(tmp_path, monkeypatch):
    """Ten units, a thousand and ten thousand take five rounds together; larger ones one each, alone."""
    runs = []

    def in_turns(commands, rounds):
        runs.append((list(commands), rounds))
        return {name: costs.Cost(1, int(name), 50) for name in commands}

    monkeypatch.setattr(growth, "in_turns", in_turns)
    monkeypatch.setattr(growth, "written", lambda *_, **__: None)
    rows = growth.measure(plan.Plan(tmp_path, rounds=3))
    small = (["10", "1000", "10000"], 5)
    assert runs == 2 * [small, (["100000"], 1), (["1000000"], 1)] + 2 * [small, (["100000"], 1)]
    assert [row.work for row in rows[:2]] == [
        "1,000 documents, a cheap detector",
        "10,000 documents, a cheap detector",
    ]
    assert list(tmp_path.iterdir()) == []


def test_repeated_work_takes_the_median(monkeypatch):
    """Calls of 1, 3 and half a second come to 4.5 in all, which is long enough; the middle one counts."""
    clock = iter([0.0, 1.0, 1.0, 4.0, 4.0, 4.5])
    results = iter("abc")
    monkeypatch.setattr(timing.time, "process_time", lambda: next(clock))
    assert timing.repeated(lambda: next(results), 4.2) == (1.0, "c")
