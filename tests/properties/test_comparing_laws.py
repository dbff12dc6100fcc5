"""Laws of snapshots and comparisons: read back exactly, mirrored, and never stricter for more tolerance."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.reports.comparing.compare import compare_reports
from pytest_pii_eval.reports.comparing.model import Comparison
from pytest_pii_eval.reports.comparing.text import comparison_lines
from pytest_pii_eval.reports.model import Gate, MetricReport, Selection, UnsupportedReport
from pytest_pii_eval.reports.snapshots.families import SLICE_FAMILIES, TYPE_FAMILIES, packed, unpacked
from pytest_pii_eval.reports.snapshots.figures import figure_of, metric_of, value_of
from pytest_pii_eval.reports.snapshots.form import read_snapshot, render_snapshot
from pytest_pii_eval.reports.snapshots.model import (
    Completeness,
    ConformanceSnapshot,
    Declared,
    SliceSnapshot,
    Snapshot,
    SubjectSnapshot,
    TypeSnapshot,
    Verdict,
)

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
counts = st.dictionaries(st.sampled_from(["gold", "tp", "correctly_mapped", "missed"]), st.integers(1, 9))
integers = st.integers(0, 12)
rates = st.builds(
    lambda n, d, s: f"{n}/{d}" + (f" of {s}" if s else ""), integers, st.integers(1, 12), integers
)
tallies = st.builds(lambda n, s: f"{n} of {s}", integers, integers)
absences = st.sampled_from(["null: no_gold", "null: protection_unavailable"])
rate_figures = rates | absences
tally_figures = tallies | absences
COUNTED = {"leaks", "leaking_documents", "wrong_canonical"}


def figures(families):
    """Return figures of some metrics of `families`, the same on protection every other time."""
    known = [name for family in families.values() for name in family]
    each = {
        name: tally_figures if name.removeprefix("protection_") in COUNTED else rate_figures for name in known
    }
    return st.fixed_dictionaries(each).flatmap(
        lambda found: st.sampled_from(
            [
                found,
                {name: found.get(name.removeprefix("protection_"), figure) for name, figure in found.items()},
            ]
        )
    )


gates = st.lists(
    st.builds(
        Gate,
        id=names,
        metric=names,
        type=st.none() | names,
        direction=st.just("max"),
        value=st.none() | st.integers(0, 5) | st.floats(0, 1),
        limit=st.none() | st.integers(0, 5) | st.floats(0, 1),
        support=st.none() | st.integers(0, 5),
        verdict=st.sampled_from(["pass", "fail", "not_evaluated"]),
        reason=st.none() | names,
    ),
    max_size=3,
)
declared = Declared(
    entity_class="anybody",
    types=["email"],
    cohort="all",
    split_role="test",
    text_view="natural_body",
    label_strength="independent",
    annotation_completeness="exhaustive_within_scope",
    promotion_gate=False,
)
slices = st.builds(
    SliceSnapshot,
    declared=st.just(declared),
    verdict=st.builds(Verdict, evaluated=st.booleans(), reason=st.none() | names, passed=st.booleans()),
    gates=gates,
    counts=counts,
    metrics=figures(SLICE_FAMILIES).map(lambda found: packed(found, SLICE_FAMILIES)),
    outputs=st.sampled_from([{}, {"protection": "as selected", "selected": {"leaks": 1}}]),
    unmapped_labels=st.dictionaries(names, st.integers(1, 5), max_size=2),
    out_of_scope_types=st.just({}),
    confusion=st.dictionaries(names, counts, max_size=2),
    types=st.dictionaries(
        names,
        st.builds(
            TypeSnapshot,
            counts=counts,
            metrics=figures(TYPE_FAMILIES).map(lambda found: packed(found, TYPE_FAMILIES)),
        ),
        max_size=2,
    ),
)
conformances = st.builds(
    ConformanceSnapshot,
    evaluated=st.booleans(),
    passed=st.none() | st.booleans(),
    counts=counts,
    by_entity=st.dictionaries(names, counts, max_size=2),
    by_tag=st.dictionaries(names, counts, max_size=2),
)


def snapshot(one, conformance, name="words"):
    """Return a whole snapshot of one slice."""
    return Snapshot(
        left_out=["run"],
        subject=SubjectSnapshot(kind="detector", name=name),
        scorer_version="1",
        taxonomy=None,
        completeness=Completeness(complete=True, consistent=True, missing=0, crashed=0),
        selection=Selection(whole=True, collected=1, selected=1, every_item=True),
        fingerprints={"gold": "sha256:" + "0" * 64},
        evidence_notes=[],
        gates=[],
        conformance=conformance,
        slices={"a": one},
        unsupported_slices={"gap": UnsupportedReport(dimension="x", reason_code="y")},
    )


snapshots = st.builds(snapshot, slices, conformances, names)
same_place = st.builds(snapshot, slices, conformances)
LIMITED = settings(max_examples=25, deadline=None)


@LIMITED
@given(snapshots)
def test_a_snapshot_is_read_back_exactly(one):
    """Whatever it holds, the file gives the snapshot, and is JSON for any parser."""
    text = render_snapshot(one)
    json.loads(text)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "snap.json"
        file.write_text(text, encoding="utf-8", newline="\n")
        assert read_snapshot(file) == one
    assert render_snapshot(read_back(text)) == text


def read_back(text):
    """Return the snapshot in a text."""
    return Snapshot.model_validate_json(text, strict=True)


@LIMITED
@given(figures(SLICE_FAMILIES), figures(TYPE_FAMILIES))
def test_packing_loses_no_figure(overall, of_type):
    """Families that were shortened give every figure back."""
    assert unpacked(packed(overall, SLICE_FAMILIES), SLICE_FAMILIES) == overall
    assert unpacked(packed(of_type, TYPE_FAMILIES), TYPE_FAMILIES) == of_type


@LIMITED
@given(rate_figures | tally_figures)
def test_a_figure_is_its_metric(figure):
    """A figure and the metric of it are one: the same text but for a support that goes without saying."""
    metric = metric_of(figure)
    assert metric_of(figure_of(metric)) == metric
    assert value_of(figure_of(metric)) == value_of(figure)


@LIMITED
@given(st.text(max_size=20), st.integers(0, 9))
def test_a_reason_of_any_text_is_read_back(reason, support):
    """What stands for no value may be anything, and stays inert."""
    metric = MetricReport(value=None, numerator=None, denominator=None, support=support, reason=reason)
    assert value_of(figure_of(metric)) is None
    assert metric_of(figure_of(metric)).support == support


@LIMITED
@given(same_place)
def test_a_run_compares_with_itself(one):
    """Nothing moved, and that passes."""
    comparison = compare_reports(one, one)
    assert (comparison.changes, comparison.gates, comparison.refusals) == ([], [], [])
    assert comparison.passed is True


MIRROR = {"better": "worse", "worse": "better", "neither": "neither"}


@LIMITED
@given(same_place, same_place)
def test_the_other_way_round_is_the_mirror(one, other):
    """Better and worse change places, old and new too, and as much stayed as it was."""
    forth, back = compare_reports(one, other), compare_reports(other, one)
    assert forth.unchanged == back.unchanged
    there = {(change.slice, change.type, change.metric): change for change in forth.changes}
    again = {(change.slice, change.type, change.metric): change for change in back.changes}
    assert there.keys() == again.keys()
    for place, change in there.items():
        assert (change.trend, change.old, change.new) == (
            *(MIRROR[again[place].trend], again[place].new),
            again[place].old,
        )
        assert not (change.regression and again[place].regression and change.difference is not None)


@LIMITED
@given(same_place, same_place, st.integers(0, 10), st.integers(0, 10))
def test_more_tolerance_makes_no_regression(one, other, less, more):
    """What a small tolerance allows, a greater one allows, too."""
    metrics = ("recall", "leaks", "precision", "conformance_recall")

    def regressions(amount):
        allowed = dict.fromkeys(metrics, f"{amount / 10:.1f}")
        found = compare_reports(one, other, tolerances=allowed).regressions
        return {(change.slice, change.type, change.metric) for change in found}

    low, high = sorted((less, more))
    assert regressions(high) <= regressions(low)


@LIMITED
@given(same_place, same_place)
def test_a_comparison_is_told_in_lines_and_json(one, other):
    """Its lines are lines, with nothing that a terminal obeys, and its JSON is read back."""
    comparison = compare_reports(one, other)
    assert all(line.isprintable() for line in comparison_lines(comparison, whole=True))
    assert Comparison.model_validate_json(comparison.model_dump_json()) == comparison
