"""A detector of one's own in the place of a bank: the same items, figures and gates; values by hand."""

from __future__ import annotations

import json

import pytest
from detector_modules import FIND, FULL
from quality_suite import gold

from pytest_pii_eval import Detection, Span, evaluate

UNKNOWN_MAP = "the taxonomy has no label map of the name that was asked for; it has: "


def test_a_plain_function_is_evaluated(quality, processes):
    """Ten lines are enough: `--pii-detector=mine:find`, and the figures are those of quality_suite.py."""
    quality.pytester.makepyfile(mine=FIND)
    result = quality.write().run(*processes, "--pii-detector=mine:find", bank=None)
    result.assert_outcomes(passed=7, skipped=2)
    assert quality.values("contact", "recall", "precision", "leaks", "containment", "masking_precision") == [
        (3, 5),
        (3, 5),
        1,
        (4, 5),
        (57, 114),
    ]
    assert quality.values("contact", "catalog_coverage", "cataloged_recall", "wrong_canonical") == [
        (3, 5),
        "identities_unavailable",
        "identities_unavailable",
    ]
    assert quality.values("contact", "protection_leaks", "candidate_coverage", "policy_loss") == [
        "protection_unavailable",
        "candidates_unavailable",
        "candidates_unavailable",
    ]
    report = quality.report()
    subject = report["subject"]
    assert (subject["kind"], subject["name"], subject["offset_unit"]) == ("detector", "find", "codepoint")
    assert (report["complete"], report["conformance"], report["passed"]) == (True, None, True)
    assert report["fingerprints"]["detector"] == subject["fingerprint"]


def test_a_class_answers_in_bytes_and_batches(quality):
    """Its byte offsets convert exactly, beside `ä` too; five documents of one shard are asked by twos."""
    quality.pytester.makepyfile(mine=FULL)
    result = quality.write().run("--pii-detector=mine:Full", bank=None)
    result.assert_outcomes(passed=7, skipped=2)
    assert quality.values("contact", "recall", "precision", "dropped") == [(3, 5), (3, 5), 0]
    assert quality.values("contact", "protection_leaks", "protection_containment") == [1, (4, 5)]
    subject = quality.report()["subject"]
    assert (subject["version"], subject["libraries"], subject["offset_unit"]) == (
        "2",
        {"somelib": "1.5"},
        "byte",
    )
    words = [line.split()[0] for line in (quality.path / "notes.log").read_text().splitlines()]
    assert words == ["built", "batch-of-2", "batch-of-2", "single", "closed"]


def test_neither_processes_nor_shards_change_the_report(quality):
    """Serial or `-n 2`, five documents a shard or one: equal bytes but for `run`."""
    quality.pytester.makepyfile(mine=FULL)
    texts = set()
    for arguments in ((), ("-n2",), ("--pii-shard-size=1",), ("-n2", "--pii-shard-size=2")):
        result = quality.write().run(*arguments, "--pii-detector=mine:Full", bank=None)
        assert result.ret == 0
        texts.add(quality.report_text())
    assert len(texts) == 1


def test_wrong_units_shift_and_drop(quality):
    """Bytes declared as code points: beside `ä` the address is one off, and nothing is repaired."""
    quality.pytester.makepyfile(mine=FULL.replace('"byte", 2', '"codepoint", 2'))
    text = "ä" * 30 + " ab@canary.example"
    quality.record("mailbox")["document"]["text"] = text
    quality.record("mailbox")["gold_spans"] = [
        {"document_id": "canarydoc.mailbox", **gold(text, "ab@canary.example", "email")}
    ]
    quality.only("contact")
    result = quality.write().run("--pii-detector=mine:Full", bank=None)
    result.assert_outcomes(failed=1, passed=1)
    assert quality.values("contact", "dropped", "leaks") == [1, 2]  # 30..47 became 61..78 of 48
    result.stdout.fnmatch_lines(["*max-dropped: dropped 1, must be at most 0 (support 5)"])


def test_stages_stand_side_by_side(quality):
    """Five golds: candidates cover all, policy keeps three, protection covers four; two are lost."""
    quality.pytester.makepyfile(
        mine="""
        import json
        from pytest_pii_eval import Detection, Span

        ROWS = [json.loads(line) for line in open("quality-records.jsonl", encoding="utf-8")]
        GOLD = {row["document"]["text"]: row["gold_spans"] for row in ROWS}
        KEPT = iter("xxx")

        def find(text):
            spans = [Span(g["start"], g["end"], g["entity_class"]) for g in GOLD[text]]
            selected = [span for span in spans if span.type == "email" or span.start == 0]
            kept = [span[:2] for span in spans if span.end - span.start > 3]
            return Detection(tuple(selected), tuple(spans), tuple(kept))
        """
    )
    result = (
        quality.only("contact")
        .write()
        .run("--pii-detector=mine:find", "--pii-gate-output=protection", bank=None)
    )
    assert result.ret == 0
    stages = quality.told("contact")["stages"]
    assert {name: (one["documents"], one["coverage"]["numerator"]) for name, one in stages.items()} == {
        "candidates": (5, 5),
        "selected": (5, 3),
        "protection": (5, 4),
    }
    assert quality.values("contact", "policy_loss", "recall") == [2, (3, 5)]
    result.stdout.fnmatch_lines(["slice *covered of 5: candidates 5, selected 3, protection 4"])


def test_protection_gates_refuse_a_detector_without_protection(quality):
    """Native output has no protection ranges: the gate is not evaluated, and fails."""
    quality.pytester.makepyfile(mine=FIND)
    arguments = ("--pii-gate-output=protection", "--pii-max-leaks=5", "--pii-detector=mine:find")
    result = quality.only("contact").write().run(*arguments, bank=None)
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["*max-leaks: protection_leaks is not evaluated (protection_unavailable)"])


def test_a_rule_on_protection_is_as_strict_as_a_flag(quality):
    """A row of the suite file that speaks of protection fails where nothing is protected."""
    quality.pytester.makepyfile(mine=FIND)
    quality.suite_file = "gates:\n  - {slice: contact, metric: protection_leaks, max: 5}\n"
    result = quality.only("contact").write().run("--pii-detector=mine:find", bank=None)
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["*gates[[]0[]]: protection_leaks is not evaluated (protection_unavailable)"])


@pytest.mark.parametrize("engine", ["embedded", "nerb"])
def test_engines_are_detectors_by_name(quality, engine):
    """`--pii-detector=nerb` is the bank under that engine, as `--pii-engine=nerb` is."""
    quality.write().run(f"--pii-engine={engine}", "-p", "no:terminal")
    wanted = quality.report_text()
    assert quality.run(f"--pii-detector={engine}").ret == 0
    assert quality.report_text() == wanted
    assert quality.report()["subject"]["engine"] == engine


def test_a_detector_leaves_conformance_cases_out(suite):
    """Cases ask a bank: beside a detector they are no items, and the header says so."""
    suite.pytester.makepyfile(mine=FIND)
    result = suite.write().run("--pii-detector=mine:find")
    result.assert_outcomes()
    result.stdout.fnmatch_lines(
        ["pii-eval: detector mine:find; conformance cases are left out, they ask a bank"]
    )


def test_catalog_identities_are_still_checked_against_a_bank(quality):
    """A bank beside the detector is what identities of the gold speak about."""
    quality.pytester.makepyfile(mine=FIND)
    quality.record("pair")["gold_spans"][0]["catalog_identity"]["pattern_id"] = "nowhere"
    result = quality.write().run("--pii-detector=mine:find")
    result.stdout.fnmatch_lines(["*catalog_identity: names no active pattern of the bank"])
    assert quality.run("--pii-detector=mine:find", bank=None).ret == 0


class _Own:
    name, version, offset_unit = "own", "1", "codepoint"

    def detect(self, text):
        start = text.find("@")
        return Detection((Span(start, start + 1, "AT"),) if start >= 0 else ())

    def fingerprint(self):
        return "sha256:" + "0" * 64


def test_evaluate_takes_any_detector(quality):
    """From Python: three of five documents hold an `@`, and no map knows the label."""
    report = evaluate(quality.write().path, _Own())
    assert report.subject.name == "own"
    contact = report.slices["contact"]
    assert contact.unmapped_labels == {"AT": 3}
    assert (report.passed, [gate.id for gate in report.gates if gate.verdict == "fail"]) == (
        False,
        ["labels.common"],
    )


def test_evaluate_takes_a_label_map(quality):
    """`label_map` names a map of the suite's taxonomy."""
    quality.suite_file = "taxonomy: taxonomy.yaml\n"
    taxonomy = {
        "version": "t1",
        "types": {"email": "contact", "person": "person"},
        "label_maps": {"signs": {"AT": "email"}},
    }
    quality.write()
    (quality.path / "taxonomy.yaml").write_text(json.dumps(taxonomy))
    report = evaluate(quality.path, _Own(), label_map="signs")
    assert report.subject.label_map == "signs"
    assert report.slices["contact"].metrics["precision"].denominator == 3


@pytest.mark.parametrize("name", ["signs", "Types"])
def test_a_label_map_that_is_not_there_is_refused(quality, name):
    """The first line says which maps there are."""
    quality.pytester.makepyfile(mine=FIND)
    result = quality.write().run("--pii-detector=mine:find", f"--pii-label-map={name}", bank=None)
    result.stdout.fnmatch_lines([f"*{UNKNOWN_MAP}*common*types"])
    assert result.ret == pytest.ExitCode.INTERRUPTED
