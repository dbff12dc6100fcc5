"""Gates of quality slices: at the limit, one step beyond, open, without evidence; values by hand."""

from __future__ import annotations

import pytest

# Counts that no bank can give: labels outside the map, and spans outside the text.
COUNTS = """
from pytest_pii_eval.collection.quality import shards

Document = shards.Document

def counted(length, gold, detection, *_):
    return Document(length, gold, detection, unmapped=2, dropped=1)

shards.Document = counted
"""
PROTECTION = """
from pytest_pii_eval.detectors.bank_detector import BankDetector

detect = BankDetector.detect

def protected(self, text, **limits):
    return detect(self, text, **limits)._replace(protection={ranges})

BankDetector.detect = protected
"""
# The slice `contact`: flag, metric, value, its support, a limit that holds, and one that does not.
FLAGS = [
    ("max-leaks", "leaks", 1, 5, "1", "0"),
    ("max-leaking-documents", "leaking_documents", 1, 3, "1", "0"),
    ("min-containment", "containment", 0.8, 5, "0.8", "0.800000000000000001"),
    ("min-masking-precision", "masking_precision", 0.5, 114, "0.5", "0.500000000000000001"),
    ("min-recall", "recall", 0.6, 5, "0.600000000000000000", "0.600000000000000001"),
    ("max-unmapped", "unmapped", 10, 5, "10", "9.999999999999999999"),
    ("max-dropped", "dropped", 5, 5, "5", "4"),
]
AT_LIMIT = [f"--pii-{name}={limit}" for name, _, _, _, limit, _ in FLAGS]


def test_every_flag_holds_at_its_limit(quality, processes):
    """All seven flags at the exact value: exit 0, and each gate with value, limit and support."""
    quality.pytester.makeconftest(COUNTS)
    result = quality.only("contact").write().run(*processes, *AT_LIMIT)
    assert result.ret == 0
    assert quality.report()["passed"] is True
    assert quality.report()["gates"] == [
        {
            "id": name,
            "slice": "contact",
            "metric": metric,
            "type": None,
            "direction": name[:3],
            "value": value,
            "limit": float(limit),
            "support": support,
            "verdict": "pass",
            "reason": None,
        }
        for name, metric, value, support, limit, _ in FLAGS
    ]


@pytest.mark.parametrize("flag", FLAGS, ids=[flag[0] for flag in FLAGS])
def test_every_flag_fails_one_step_beyond(quality, flag):
    """One step beyond the limit, however small, fails that gate alone; the report is there and says so."""
    name, metric, value, support, _, beyond = flag
    quality.pytester.makeconftest(COUNTS)
    result = quality.only("contact").write().run(*AT_LIMIT, f"--pii-{name}={beyond}")
    assert result.ret == 1
    result.assert_outcomes(passed=1, failed=1, deselected=5)
    report = quality.report()
    assert report["passed"] is report["slices"]["contact"]["passed"] is False
    assert report["complete"] is True
    (failed,) = [gate for gate in report["gates"] if gate["verdict"] == "fail"]
    assert (failed["id"], failed["metric"], failed["value"], failed["support"]) == (
        name,
        metric,
        value,
        support,
    )
    result.stdout.fnmatch_lines([f"  {name}: {metric} * (support {support})", f"gate * fail {name} *"])


def test_rates_are_compared_as_fractions(quality):
    """Two thirds keep a limit of eighteen sixes and miss the one that ends in a seven."""
    quality.only("people").write()
    sixes = "0.666666666666666666"
    assert quality.run(f"--pii-min-containment={sixes}").ret == 0
    assert quality.values("people", "containment") == [(2, 3)]
    assert quality.run(f"--pii-min-containment={sixes[:-1]}7").ret == 1


def test_flags_apply_to_every_slice(quality, processes):
    """Each slice is judged for itself: those with a leak are red, the others green."""
    result = quality.write().run(*processes, "--pii-max-leaks=0")
    assert result.ret == 1
    assert {(gate[0], gate[4], gate[6]) for gate in quality.judged() if gate[1] == "max-leaks"} == {
        ("contact", 1, "fail"),
        ("people", 1, "fail"),
        ("mail", 0, "pass"),
        ("mail.short", 0, "pass"),
        ("mail.weak", 0, "pass"),
        ("mail.partial", 0, "pass"),
    }
    assert {name for name, one in quality.report()["slices"].items() if not one["passed"]} == {
        "contact",
        "people",
    }


def test_ini_values_options_and_open(quality):
    """An ini value is a gate, an option goes before it, and `open` reports without judging."""
    quality.pytester.makeini("[pytest]\npii_max_leaks = 0\npii_min_recall = 0.5\n")
    quality.only("contact").write()
    assert quality.run().ret == 1
    assert quality.run("--pii-max-leaks=1").ret == 0
    assert quality.run("--pii-max-leaks=open", "--pii-min-recall=0.6").ret == 0
    assert quality.judged() == [
        ("contact", "max-leaks", "leaks", None, 1, None, "not_evaluated", "open"),
        ("contact", "min-recall", "recall", None, 0.6, 0.6, "pass", None),
        ("contact", "max-dropped", "dropped", None, 0, 0, "pass", None),
    ]


@pytest.mark.parametrize("name", [flag[0] for flag in FLAGS])
@pytest.mark.parametrize(
    "value", ["-1", "+1", "1e-3", ".5", "1.", "1/2", "nan", "inf", "many", "0,5", "\u0661"]
)
def test_nonsense_is_a_usage_error(pytester, name, value):
    """A limit that is no plain decimal number is refused before anything is collected."""
    with pytest.raises(pytest.UsageError, match=f"--pii-{name} must be a plain decimal number"):
        pytester.parseconfigure(f"--pii-{name}={value}")


def test_a_usage_error_ends_with_four(quality):
    """The run ends with 4, one line, and without a report."""
    for option in ("--pii-min-recall=half", "--pii-gate-output=everything", "--pii-shard-size=0"):
        result = quality.write().run(option)
        assert result.ret == 4
        assert not (quality.path / ".pii_eval").exists()
    result.stderr.fnmatch_lines(["ERROR: --pii-shard-size must be an integer from 1 to 1,000,000"])


def test_protection_judges_the_protected_ranges(quality):
    """Where nothing is protected all five gold spans leak, though the selected output covers four."""
    quality.pytester.makeconftest(PROTECTION.format(ranges="()"))
    quality.only("contact").write()
    flags = ("--pii-max-leaks=1", "--pii-min-recall=0.6")
    assert quality.run(*flags).ret == 0
    assert quality.run(*flags, "--pii-gate-output=protection").ret == 1
    assert quality.judged() == [
        ("contact", "max-leaks", "protection_leaks", None, 5, 1, "fail", None),
        ("contact", "min-recall", "recall", None, 0.6, 0.6, "pass", None),
        ("contact", "max-dropped", "dropped", None, 0, 0, "pass", None),
        # Implied: native labels outside the map are refused.
        ("contact", "max-unmapped", "unmapped", None, 0, 0, "pass", None),
    ]


@pytest.mark.parametrize("ranges", ["None", "None if 'Order' in text else ((0, len(text)),)"])
def test_protection_refuses_missing_and_partial_output(quality, ranges):
    """A detector that protects no document, or not every one, fails the masking gates."""
    quality.pytester.makeconftest(PROTECTION.format(ranges=ranges))
    quality.only("contact").write()
    assert quality.run("--pii-max-leaks=5", "--pii-gate-output=protection").ret == 1
    assert quality.judged()[0] == (
        *("contact", "max-leaks", "protection_leaks", None, None, 5),
        *("fail", "protection_unavailable"),
    )


def test_native_labels_are_refused_under_protection(quality):
    """Unmapped predictions fail a run that gates protection, unless a limit allows them."""
    quality.pytester.makeconftest(COUNTS)
    quality.only("contact").write()
    flags = ("--pii-max-dropped=5", "--pii-gate-output=protection")
    assert quality.run(*flags).ret == 1
    assert [gate[1] for gate in quality.judged() if gate[6] == "fail"] == ["max-unmapped"]
    assert quality.run(*flags, "--pii-max-unmapped=10").ret == 0


def test_weak_and_partial_slices_are_not_judged(quality):
    """A gate on a metric that labels cannot support is not evaluated, with its reason, and fails nothing."""
    quality.only("mail.weak", "mail.partial").write()
    result = quality.run("--pii-min-recall=1", "--pii-min-masking-precision=1", "--pii-max-leaks=0")
    assert result.ret == 0
    why = "partial_annotation, structured_weak_labels"
    result.stdout.fnmatch_lines(
        [
            f"gate         not_evaluated min-masking-precision: no slice supports masking_precision ({why})",
            f"gate         not_evaluated min-recall: no slice supports recall ({why})",
        ]
    )
    told = [gate for gate in quality.judged() if gate[1] != "max-dropped"]
    assert told == [
        row
        for name, reason in (("mail.partial", "partial_annotation"), ("mail.weak", "structured_weak_labels"))
        for row in (
            (name, "max-leaks", "leaks", None, 0, 0, "pass", None),
            (name, "min-masking-precision", "masking_precision", None, None, 1, "not_evaluated", reason),
            (name, "min-recall", "recall", None, None, 1, "not_evaluated", reason),
        )
    ]


@pytest.mark.parametrize("promoted", [False, True])
def test_a_promotion_gate_that_is_not_evaluated_fails(quality, promoted):
    """Without any mask there is no masking precision: that fails a promotion gate, and no other slice."""
    row = quality.promote()
    row["promotion_gate"] = promoted
    names = quality.bank["entities"]["email"]["names"]
    names["address"]["patterns"]["plain"]["value"] = "neverseen[0-9]"
    (name,) = quality.bank["entities"]["person"]["names"].values()
    name["patterns"]["full-name"]["value"] = "Nobody Here"
    result = quality.write().run("--pii-min-masking-precision=0", "--pii-min-recall=open")
    assert result.ret == int(promoted)
    verdict = "fail" if promoted else "not_evaluated"
    assert [(gate[1], *gate[6:]) for gate in quality.judged()] == [
        ("min-masking-precision", verdict, "no_masked_characters"),
        ("min-recall", "not_evaluated", "open"),
        ("max-dropped", "pass", None),
    ]
    if promoted:
        result.stdout.fnmatch_lines(
            ["  min-masking-precision: masking_precision is not evaluated (no_masked_characters)"]
        )


def test_a_promotion_gate_that_holds_passes(quality):
    """A promotion-gated slice over its whole population is judged as any other."""
    quality.promote()
    quality.write()
    assert quality.run("--pii-min-recall=0.6", "--pii-max-leaks=1").ret == 0
    assert quality.told("contact")["promotion_gate"] is True
    assert quality.run("--pii-min-recall=0.61").ret == 1


def test_a_misspelt_type_is_refused(quality):
    """A name in --pii-types that the taxonomy does not know must not leave every gate without gold."""
    result = quality.write().run("--pii-types=person,nope")
    assert result.ret == 2
    assert "--pii-types: 1 of the 2 names are no type of the taxonomy" in result.stdout.str()
    assert not (quality.path / ".pii_eval").exists()
