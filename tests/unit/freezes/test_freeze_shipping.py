"""The parts of the ship verdict: a run that ships, and every single thing that keeps one from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from ship_values import (
    FREEZES,
    OTHER,
    PLAN,
    binding,
    extra_gate,
    floors,
    gate,
    metric,
    nothing,
    quality_slice,
    report,
    scorer,
    subject,
)

from pytest_pii_eval.freezes.shipping import ship_parts

if TYPE_CHECKING:
    from pytest_pii_eval.reports.model import Report, RuleReport

NAMES = ["leakage", "floors", "contamination", "complete", "domain", "evidence", "scorer", "bound"]
DOCUMENTS = "protection_high_severity_leaking_documents"
LEAKS = "protection_high_severity_leaks"


def _parts(one: Report, **fields: Any) -> dict[str, RuleReport]:
    return ship_parts(one, binding(**fields), plan=PLAN, floors=floors(), freezes=FREEZES)


def _failed(one: Report, failures: int) -> dict[str, list[str]]:
    """Return the failing parts of a session in which so many tests and collections failed."""
    return _failing(
        ship_parts(one, binding(), plan=PLAN, floors=floors(), freezes=FREEZES, failures=failures)
    )


def _failing(parts: dict[str, RuleReport]) -> dict[str, list[str]]:
    return {name: part.reasons for name, part in parts.items() if part.verdict != "pass"}


def _leaky(**metrics: Any) -> Report:
    """Return the report whose one slice has these metrics."""
    own = quality_slice()["metrics"]
    kept = {name: value for name, value in {**own, **metrics}.items() if value is not None}
    return report(slices={"mail": quality_slice(metrics=kept)})


def test_a_run_that_ships() -> None:
    """Every part passes, without a reason."""
    parts = _parts(report())
    assert list(parts) == NAMES
    assert {part.verdict for part in parts.values()} == {"pass"}
    assert [part.reasons for part in parts.values()] == [[]] * 8


@pytest.mark.parametrize(
    ("metrics", "reason"),
    [
        (
            {DOCUMENTS: metric(2, None, 6)},
            "slice mail: 2 of 6 documents with high-severity gold leak from protection output; 0 may",
        ),
        (
            {LEAKS: metric(1, None, 8)},
            "slice mail: 1 of 8 high-severity spans leak from protection output; 0 may",
        ),
        (
            {DOCUMENTS: nothing("protection_unavailable")},
            "slice mail: high-severity leakage of protection output cannot be told (protection_unavailable)",
        ),
        (
            {LEAKS: nothing("empty_population")},
            "slice mail: high-severity leakage of protection output cannot be told (empty_population)",
        ),
        ({LEAKS: None}, "slice mail: high-severity leakage of protection output was not measured"),
        (
            {DOCUMENTS: {**metric(0, None, 6), "numerator": None}},
            "slice mail: high-severity leakage of protection output has no count",
        ),
    ],
)
def test_leakage_of_protection_output(metrics, reason) -> None:
    """One leak, and any figure that is missing, fails the part, and no other part."""
    failing = _failing(_parts(_leaky(**metrics)))
    assert list(failing) == ["leakage"]
    assert failing["leakage"][0] == reason


@pytest.mark.parametrize(
    "figure",
    [
        {**metric(0, None, 6), "numerator": 1},
        {**metric(0, None, 6), "value": 1.0},
    ],
)
def test_figures_that_disagree_are_leakage(figure) -> None:
    """Value and count have to say both that nothing leaks."""
    assert list(_failing(_parts(_leaky(**{DOCUMENTS: figure})))) == ["leakage"]


def test_zero_of_nothing_was_not_measured() -> None:
    """No leak among no documents shows nothing."""
    one = _leaky(**{DOCUMENTS: metric(0, None, 0), LEAKS: metric(0, None, 0)})
    assert _failing(_parts(one)) == {
        "leakage": ["no sealed slice holds high-severity gold, so nothing was shown about its leakage"]
    }


def test_selected_output_is_not_protection_output() -> None:
    """A clean `high_severity_leaking_documents` of the selected output does not stand in for protection."""
    one = _leaky(
        **{
            DOCUMENTS: nothing("protection_unavailable"),
            LEAKS: nothing("protection_unavailable"),
            "high_severity_leaking_documents": metric(0, None, 6),
            "high_severity_leaks": metric(0, None, 8),
        }
    )
    assert "leakage" in _failing(_parts(one))


def test_a_slice_may_lack_high_severity_gold() -> None:
    """Where another sealed slice has some, a slice without high-severity gold is no failure."""
    bare = {DOCUMENTS: nothing("no_high_severity_gold"), LEAKS: nothing("no_high_severity_gold")}
    one = report(slices={"mail": quality_slice(), "notes": quality_slice(metrics=bare)})
    assert _failing(_parts(one)) == {}


@pytest.mark.parametrize("role", ["dev_freeze", "public"])
def test_leakage_needs_a_sealed_slice_with_high_severity_gold(role) -> None:
    """High-severity gold of another set does not show that the sealed freeze does not leak."""
    bare = {DOCUMENTS: nothing("no_high_severity_gold"), LEAKS: nothing("no_high_severity_gold")}
    one = report(slices={"mail": quality_slice(metrics=bare), "notes": quality_slice(role=role)})
    assert _failing(_parts(one)) == {
        "leakage": ["no sealed slice holds high-severity gold, so nothing was shown about its leakage"]
    }


def test_a_leak_outside_the_sealed_freeze_is_no_leak_of_it() -> None:
    """Only slices of the sealed freeze are held to zero here; gates speak for the others."""
    leaking = quality_slice(role="public", metrics={DOCUMENTS: metric(3, None, 6), LEAKS: metric(3, None, 8)})
    assert _failing(_parts(report(slices={"mail": quality_slice(), "public": leaking}))) == {}


def test_documents_without_an_answer_are_leakage() -> None:
    """A failed document of a sealed slice may hold anything."""
    counts = {"documents": 40, "failed_documents": 3, "zero_gold_documents": 10}
    failing = _failing(_parts(report(slices={"mail": quality_slice(counts=counts)})))
    assert failing == {"leakage": ["slice mail: 3 documents have no answer"]}


def test_no_sealed_slice_at_all() -> None:
    """A report on other sets ships nothing: leakage, floors and domain all say so."""
    failing = _failing(_parts(report(slices={"mail": quality_slice(role="dev_freeze")})))
    assert list(failing) == ["leakage", "floors", "domain"]
    assert failing["leakage"] == ["no slice of a sealed freeze was reported"]


def test_rules_that_did_not_run() -> None:
    """A planned rule that left no finding fails by its name."""
    one = report(freeze_rules={"dev-freeze-was-read": {"verdict": "pass", "reasons": []}})
    assert _failing(_parts(one)) == {"contamination": ["train-lists-are-clean did not run"]}


@pytest.mark.parametrize("verdict", ["fail", "not_evaluated"])
def test_rules_that_do_not_pass(verdict) -> None:
    """A rule that fails, or could not be evaluated, fails the part; its own words stay where they are."""
    rules = dict(report().freeze_rules) | {PLAN[0]: {"verdict": verdict, "reasons": ["CANARY"]}}
    assert _failing(_parts(report(freeze_rules=rules))) == {
        "contamination": [f"train-lists-are-clean: {verdict}"]
    }


def test_a_rule_beside_the_plan_counts() -> None:
    """A rule that ran and failed fails the part, whether it was planned or not."""
    rules = dict(report().freeze_rules) | {"another": {"verdict": "fail", "reasons": []}}
    assert _failing(_parts(report(freeze_rules=rules))) == {"contamination": ["another: fail"]}


def test_an_empty_plan() -> None:
    """Where no rule was planned, nothing was shown about contamination."""
    parts = ship_parts(report(), binding(), plan=(), floors=floors(), freezes=FREEZES)
    assert _failing(parts) == {"contamination": ["no rule about freezes was planned"]}


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"complete": False}, "the run is not complete"),
        ({"consistent": False}, "processes disagree about suite or subject"),
        (
            {"selection": {"whole": False, "collected": 0, "selected": 0}},
            "a part of the suite was selected",
        ),
        (
            {"selection": {"whole": True, "collected": 0, "selected": 0, "limit": 5}},
            "the run was limited to the first documents of each suite",
        ),
        ({"missing_count": 1200}, "1,200 items have no verdict"),
        ({"missing": ["CANARY"]}, "1 items have no verdict"),
        ({"crashed": ["CANARY"]}, "the worker of 1 items crashed"),
        (
            {"passed": False},
            "the run did not pass, and no gate says why: an item failed, or nothing was evaluated",
        ),
        (
            {"passed": None},
            "the run did not pass, and no gate says why: an item failed, or nothing was evaluated",
        ),
    ],
)
def test_a_run_that_is_not_whole(fields, reason) -> None:
    """Each thing that a run may lack fails the part `complete` and no other."""
    assert _failing(_parts(report(**fields))) == {"complete": [reason]}


def test_a_failure_that_a_gate_explains_is_said_once() -> None:
    """Where a gate failed, the run did not pass for that reason: `floors` says it, and `complete` holds."""
    failed = gate(id="gates[2]", verdict="fail", value=0.5)
    one = report(gates=[gate(), extra_gate(), failed], passed=False)
    assert list(_failing(_parts(one))) == ["floors"]


@pytest.mark.parametrize("failures", [1, 1200])
def test_a_failure_that_the_report_does_not_know(failures) -> None:
    """A test of somebody else that failed, or a file that was not collected, keeps a run from shipping."""
    assert _failed(report(), failures) == {
        "complete": [f"{failures:,} tests or collections of the run failed"]
    }


def test_failures_that_another_part_explains() -> None:
    """Where a floor failed, its item is among the failures: the part that knows why says it."""
    one = report(gates=[gate(verdict="fail", value=0.85), extra_gate()], passed=False)
    assert list(_failed(one, 1)) == ["floors"]
    assert _failed(report(complete=False), 1) == {"complete": ["the run is not complete"]}


def test_only_in_domain_slices() -> None:
    """Slices that the detector's card lists do not gate a promotion alone."""
    one = report(slices={"mail": quality_slice(in_domain=True), "notes": quality_slice(in_domain=True)})
    assert _failing(_parts(one)) == {
        "domain": [
            "only in-domain slices gate this promotion; add one that the detector's card does not list"
        ]
    }


def test_one_out_of_domain_slice_is_enough() -> None:
    """In-domain slices may gate beside one that is not."""
    one = report(slices={"mail": quality_slice(in_domain=True), "notes": quality_slice()})
    assert _failing(_parts(one)) == {}


@pytest.mark.parametrize("fields", [{"promotion_gate": False}, {"evaluated": False}])
def test_an_out_of_domain_slice_has_to_gate(fields) -> None:
    """A slice that is no promotion gate, or was not evaluated, does not help an in-domain one."""
    one = report(slices={"mail": quality_slice(in_domain=True), "notes": quality_slice(**fields)})
    assert list(_failing(_parts(one))) == ["domain"]


@pytest.mark.parametrize("role", ["dev_freeze", "unit", None])
def test_the_out_of_domain_gate_is_sealed_or_public(role) -> None:
    """A dev freeze, a unit suite or one of no role, collected beside it, is no out-of-domain gate."""
    slices = {"mail": quality_slice(in_domain=True), "notes": quality_slice(role=role)}
    assert _failing(_parts(report(slices=slices))) == {
        "domain": [
            "only in-domain slices gate this promotion; add one that the detector's card does not list"
        ]
    }


def test_a_public_out_of_domain_gate_is_enough() -> None:
    """What is public may be the slice that the detector's card does not list."""
    slices = {"mail": quality_slice(in_domain=True), "notes": quality_slice(role="public")}
    assert _failing(_parts(report(slices=slices))) == {}


@pytest.mark.parametrize("role", ["dev_freeze", "unit", None])
def test_nobody_asks_for_the_domain_of_a_dev_freeze(role) -> None:
    """A slice that does not decide is not named as one whose domain nobody knows."""
    slices = {"mail": quality_slice(), "notes": quality_slice(role=role, in_domain=None)}
    assert _failing(_parts(report(slices=slices))) == {}


@pytest.mark.parametrize("other", [True, None])
def test_nobody_can_tell_the_domain(other) -> None:
    """What may be in-domain is not out of it; the reason says what to do."""
    slices = {"mail": quality_slice(in_domain=None), "notes": quality_slice(in_domain=other)}
    reasons = _failing(_parts(report(slices=slices)))["domain"]
    assert reasons[0] == (
        "slice mail: nobody can tell whether it is in-domain; give the detector a card in the freezes file,"
        " and the suite a provenance file"
    )
    assert len(reasons) == (1 if other else 2)


def test_a_sealed_slice_has_to_gate() -> None:
    """Where slices of other sets alone are promotion gates, the sealed freeze decided nothing."""
    slices = {"mail": quality_slice(promotion_gate=False), "spy": quality_slice(role="public")}
    assert _failing(_parts(report(slices=slices))) == {
        "domain": ["no evaluated slice of the sealed freeze is a promotion gate"]
    }


def test_a_run_that_is_no_evaluation() -> None:
    """Every note is a reason."""
    one = report(evidence_notes=["fewer_than_100_documents", "no_names"])
    assert _failing(_parts(one)) == {
        "evidence": [
            "the run is no evaluation: fewer_than_100_documents",
            "the run is no evaluation: no_names",
        ]
    }


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (
            {"git_revision": None},
            "the git revision of the scorer is unknown; install it from a git checkout, or a wheel of one",
        ),
        (
            {"git_revision": "3" * 40},
            "the git revision of the scorer is not the one that the run was bound to",
        ),
        (
            {"git_dirty": True},
            "the scorer is not shown to be what its git revision says; install it from a clean checkout",
        ),
        (
            {"git_dirty": None},
            "the scorer is not shown to be what its git revision says; install it from a clean checkout",
        ),
        ({"source_sha256": OTHER}, "the source of the scorer is not the one that the run was bound to"),
    ],
)
def test_the_scorer(fields, reason) -> None:
    """Unknown, dirty, or another than at the start: the scorer cannot promote."""
    assert _failing(_parts(report(scorer=scorer(**fields)))) == {"scorer": [reason]}


@pytest.mark.parametrize(
    ("fields", "bound", "reason"),
    [
        (
            {"fingerprint": OTHER},
            {},
            "the detector's fingerprint is not the one that the run was bound to",
        ),
        (
            {"replayed": True},
            {},
            "predictions were replayed; a promotion needs the answers of the detector itself",
        ),
        ({}, {"floors": OTHER}, "the floors are not those that the run was bound to"),
        ({}, {"freezes": OTHER}, "the freezes file changed while the run went on"),
    ],
)
def test_what_the_run_was_bound_to(fields, bound, reason) -> None:
    """Another detector, replayed predictions, other floors or sets fail the part `bound` and no other."""
    assert _failing(_parts(report(subject=subject(**fields)), **bound)) == {"bound": [reason]}


def test_reasons_are_bounded() -> None:
    """Of very many reasons fifty are listed, and how many more there are."""
    slices = {f"s{at:03}": quality_slice(metrics={}) for at in range(60)} | {"mail": quality_slice()}
    reasons = _parts(report(slices=slices))["leakage"].reasons
    assert len(reasons) == 51
    assert reasons[-1] == "and 70 more"


def test_nothing_but_ids_and_numbers() -> None:
    """Names of items, of detectors and words of rules do not reach a reason."""
    one = report(
        missing=["CANARY"],
        missing_count=1,
        crashed=["CANARY"],
        subject=subject(name="CANARY", label_map="CANARY", fingerprint=OTHER),
        freeze_rules={name: {"verdict": "fail", "reasons": ["CANARY"]} for name in PLAN},
        slices={"mail": quality_slice(cohort="CANARY", unmapped_labels={"CANARY": 3})},
    )
    said = [reason for part in _parts(one).values() for reason in part.reasons]
    assert len(said) == 5
    assert not [reason for reason in said if "CANARY" in reason or "\n" in reason]
