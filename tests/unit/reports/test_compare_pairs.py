"""Every ordered pair of six kinds of runs: compared, or refused for the right reasons, each in its words."""

from __future__ import annotations

import pytest
from compared_runs import Suite

from pytest_pii_eval.reports.comparing.compare import compare_reports

OTHER = "sha256:" + "7" * 64

# Old runs from top to bottom, new ones from left to right; `part.side`, `.both` where no side is named.
TABLE = """
       | same            | gold            | plan                      | policy              | incomplete                | limited
same   | compared        | gold            | slice_plan                | policy              | incomplete.new            | limited.new
gold   | gold            | compared        | gold slice_plan           | gold policy         | incomplete.new            | limited.new
plan   | slice_plan      | gold slice_plan | compared                  | slice_plan policy   | incomplete.new slice_plan | limited.new slice_plan
policy | policy          | gold policy     | slice_plan policy         | compared            | incomplete.new policy     | limited.new
incomplete | incomplete.old | incomplete.old | incomplete.old slice_plan | incomplete.old policy | incomplete.both          | incomplete.old limited.new
limited | limited.old    | limited.old     | limited.old slice_plan    | limited.old         | limited.old incomplete.new | limited.both
"""  # noqa: E501  # a table is read across
WORDS = {
    "gold": "the gold differs (records or spans); score both runs on the same gold",
    "slice_plan": "the slice plan differs; run both with the same slice files",
    "policy": "the policy of the slices differs; give both runs the same gates, suite file and types",
    "incomplete": "not everything that was planned reported; run it again to its end",
    "limited": "scored only the first documents of each suite; run it without --pii-limit",
}


def _cells():
    head, *rows = [
        [cell.strip() for cell in line.split("|")] for line in TABLE.strip("\n").splitlines() if line.strip()
    ]
    return [
        (old, new, cell.split()) for old, *cells in rows for new, cell in zip(head[1:], cells, strict=True)
    ]


CELLS = _cells()


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Six reports: three of runs on changed suites, an incomplete one, a limited one, and the one beside."""
    folder = tmp_path_factory.mktemp("runs")
    same = Suite().evaluated(folder / "same")
    gold, plan, policy, short = Suite(), Suite(), Suite(), Suite()
    gold.forgotten = ("people", 1)
    plan.cohort = "short"
    policy.gates = ["{slice: '*', metric: leaks, max: 1}"]
    short.documents = 1
    of_shards = ("gold", "quality_protocol", "catalog_bindings", "quality_run")
    incomplete = {
        "complete": False,
        "missing_count": 1,
        "fingerprints": {name: one for name, one in same.fingerprints.items() if name not in of_shards},
    }
    first = short.evaluated(folder / "short")
    limited = {
        "selection": first.selection.model_copy(update={"limit": 1, "whole": False}),
        "fingerprints": {**first.fingerprints, "quality_policy": OTHER},
    }
    return {
        "same": same,
        "gold": gold.evaluated(folder / "gold"),
        "plan": plan.evaluated(folder / "plan"),
        "policy": policy.evaluated(folder / "policy"),
        "incomplete": same.model_copy(update=incomplete),
        "limited": first.model_copy(update=limited),
    }


def test_the_table_holds_every_pair():
    """Six kinds of old runs, each with six kinds of new ones."""
    assert len({(old, new) for old, new, _ in CELLS}) == 36


@pytest.mark.parametrize(("old", "new", "told"), CELLS)
def test_a_pair_is_compared_or_refused(runs, old, new, told):
    """Each reason is told with its side, and no other; a pair without any is compared and passes."""
    comparison = compare_reports(runs[old], runs[new])
    found = {(one.part, one.side) for one in comparison.refusals}
    wanted = [cell.partition(".") for cell in told if cell != "compared"]
    assert found == {(part, side or "both") for part, _, side in wanted}
    assert comparison.passed is (True if told == ["compared"] else None)


@pytest.mark.parametrize(("old", "new", "told"), CELLS)
def test_a_refusal_says_what_to_do(runs, old, new, told):
    """The words of each reason say what differs, and how to make two runs that can be compared."""
    for one in compare_reports(runs[old], runs[new]).refusals:
        assert WORDS[one.part] in one.words
        if one.side != "both":
            assert one.words.startswith(f"the {one.side} run ")
