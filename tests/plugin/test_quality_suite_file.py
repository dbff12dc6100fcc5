"""Gates that a suite file asks for, those that a freeze implies, and gates about nothing; values by hand."""

from __future__ import annotations

import json

import pytest

from pytest_pii_eval import Fault


def test_suite_file_gates_by_metric_slice_and_type(quality, processes):
    """Gates and floors of one slice or all, of one type or all, with a limit or open, in order."""
    quality.suite_file = """
gates:
  - {slice: contact, metric: leaks, type: person, max: 1}
  - {slice: contact, metric: recall, type: email, min: 1}
  - {slice: contact, metric: false_alarm_rate, max: 0.4999}
  - {slice: "*", metric: precision, min: open}
floors:
  - {slice: people, metric: recall, min: 0.334}
  - {slice: "*", metric: recall, type: person, min: 0.3333}
"""
    result = quality.only("contact", "people").write().run(*processes)
    assert result.ret == 1
    dropped = ("max-dropped", "dropped", None, 0, 0, "pass", None)
    assert quality.judged() == [
        ("contact", *dropped),
        ("contact", "gates[0]", "leaks", "person", 1, 1, "pass", None),
        ("contact", "gates[1]", "recall", "email", 1, 1, "pass", None),
        ("contact", "gates[2]", "false_alarm_rate", None, 0.5, 0.4999, "fail", None),
        ("contact", "gates[3]", "precision", None, 0.6, None, "not_evaluated", "open"),
        ("contact", "floors[1]", "recall", "person", 1 / 3, 0.3333, "pass", None),
        ("people", *dropped),
        ("people", "gates[3]", "precision", None, 1, None, "not_evaluated", "open"),
        ("people", "floors[0]", "recall", None, 1 / 3, 0.334, "fail", None),
        ("people", "floors[1]", "recall", "person", 1 / 3, 0.3333, "pass", None),
    ]
    result.stdout.fnmatch_lines_random(
        [
            "  gates[[]2[]]: false_alarm_rate 0.500000 (1/2), must be at most 0.499900 (4999/10000) (*2)",
            "  floors[[]0[]]: recall 0.333333 (1/3), must be at least 0.334000 (167/500) (*3)",
        ]
    )


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("{slice: nobody, metric: recall, min: 1}", "gates[0].slice: names no slice of the plan"),
        ("{slice: nicknames, metric: recall, min: 1}", "gates[0].slice: names no slice of the plan"),
        ("{slice: contact, metric: recal, min: 1}", "gates[0].metric: is no metric of a slice"),
        (
            "{slice: contact, metric: dropped, type: email, max: 0}",
            "gates[0].metric: is no metric of a single type",
        ),
        (
            "{slice: contact, metric: recall, type: iban, min: 1}",
            "gates[0].type: is in the scope of no slice that the gate speaks of",
        ),
        (
            "{slice: contact, metric: recall, type: shoe_size, min: 1}",
            "gates[0].type: is no type of the taxonomy",
        ),
        ("{slice: contact, metric: recall}", "gates[0]: needs either min or max"),
        (
            "{slice: contact, metric: recall, min: 95%}",
            "gates[0].min: a limit is a plain decimal number such as 0.95, or the word open",
        ),
    ],
)
def test_a_gate_about_nothing_is_one_line(quality, rule, line):
    """A gate that speaks of no slice, metric or type is refused with its place, not judged as passing."""
    quality.suite_file = f"gates:\n  - {rule}\n"
    with pytest.raises(Fault) as fault:
        quality.evaluated()
    assert str(fault.value) == f"suite.yaml: {line}"


def test_a_bad_suite_file_is_a_collection_error(quality, processes):
    """The run ends with 2 and one line; nothing is written."""
    quality.suite_file = "gates:\n  - {slice: nobody, metric: recall, min: 1}\n"
    result = quality.write().run(*processes)
    assert result.ret == 2
    lines = [line for line in result.outlines if line.startswith("suite.yaml: ")]
    assert lines == ["suite.yaml: gates[0].slice: names no slice of the plan"]
    assert not (quality.path / ".pii_eval").exists()


@pytest.mark.parametrize(
    ("role", "verdict"),
    [
        ("dev_freeze", "fail"),
        ("unit", None),
        ("public", None),
        (None, None),
    ],
)
def test_high_severity_leakage_fails_a_freeze(quality, role, verdict):
    """A leaking document of high severity fails a freeze without any flag, and no suite of another role."""
    types = {"email": "contact", "person": "person"}
    document = {"version": "mine", "types": types, "high_severity": ["person"]}
    (quality.path / "taxonomy.json").write_text(json.dumps(document), encoding="utf-8")
    quality.suite_file = "taxonomy: taxonomy.json\n" + (f"role: {role}\n" if role else "")
    report = quality.evaluated()
    found = [gate for gate in report.gates if gate.id == "high-severity-leakage"]
    told = {gate.slice: (gate.verdict, gate.value, gate.support, gate.reason) for gate in found}
    nothing = ("not_evaluated", None, 0, "no_high_severity_gold")
    assert told == (
        {
            "contact": ("fail", 1, 2, None),
            "people": ("fail", 1, 2, None),
            **dict.fromkeys(("mail", "mail.short", "mail.weak", "mail.partial"), nothing),
        }
        if verdict
        else {}
    )
    assert report.passed is (verdict is None)
    if role == "sealed_freeze":
        assert quality.run().ret == 1
        assert [gate[0] for gate in quality.judged() if gate[6] == "fail"] == ["contact", "people"]


def test_no_high_severity_leak_passes_a_freeze(quality):
    """A freeze whose high-severity gold is all covered passes, and says that it was judged."""
    document = {"version": "mine", "types": {"email": "contact"}, "high_severity": ["contact"]}
    (quality.path / "taxonomy.json").write_text(json.dumps(document), encoding="utf-8")
    quality.suite_file = "taxonomy: taxonomy.json\nrole: dev_freeze\n"
    report = quality.only("mail").evaluated()
    (gate,) = [gate for gate in report.gates if gate.id == "high-severity-leakage"]
    assert (gate.verdict, gate.value, gate.limit, gate.support) == ("pass", 0, 0, 1)
    assert report.passed is True


def test_a_bad_suite_file_below_the_root_is_named_with_its_folder(quality):
    """Two folders have a file of that name: the line says which."""
    quality.only("contact").write()
    folder = quality.path / "inner"
    folder.mkdir()
    for path in [*quality.path.glob("*.jsonl")]:
        path.rename(folder / path.name)
    (folder / "suite.yaml").write_text("rules: []\n", encoding="utf-8")
    result = quality.run()
    result.stdout.fnmatch_lines(["inner/suite.yaml: has an unknown field*"])
