"""The suite file and the YAML it is written in: exact limits, closed fields, nothing clever."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from quality_rows import plan_of, scope_row, slice_row

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.limits import GateRule
from pytest_pii_eval.contracts.suite_file import check_rules, parse_suite, read_suite_file
from pytest_pii_eval.contracts.taxonomy import default_taxonomy
from pytest_pii_eval.contracts.yaml_file import parse_yaml

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.contracts.suite_file import SuiteFile

EXAMPLE = """\
taxonomy: taxonomy.yaml
role: dev_freeze
types: [person, email]
gates:
  - {slice: "*", metric: leaks, max: 0}
  - {slice: names, metric: recall, type: person, min: 0.950}
floors:
  - {slice: names, metric: precision, min: open}
"""
TAXONOMY = "version: v1\ntypes: {person: person, email: contact}\n"


def suite(text: str) -> SuiteFile:
    return parse_suite(parse_yaml(text.encode()), default_taxonomy())


def refusal(text: str) -> str:
    with pytest.raises(Fault) as caught:
        suite(text)
    return str(caught.value)


def test_a_suite_file_is_read(tmp_path: Path) -> None:
    """Limits are exact fractions of what was written; the taxonomy lies beside the file."""
    (tmp_path / "suite.yaml").write_text(EXAMPLE)
    (tmp_path / "taxonomy.yaml").write_text(TAXONOMY)
    read = read_suite_file(tmp_path / "suite.yaml", root=tmp_path)
    assert (read.role, read.types, read.taxonomy.version) == ("dev_freeze", {"person", "email"}, "v1")
    assert read.gates == (
        GateRule("gates[0]", "*", "leaks", None, "max", Fraction(0)),
        GateRule("gates[1]", "names", "recall", "person", "min", Fraction(19, 20)),
    )
    assert read.floors == (GateRule("floors[0]", "names", "precision", None, "min", None),)
    assert [rule.id for rule in read.rules()] == ["gates[0]", "gates[1]", "floors[0]"]


def test_without_a_file_nothing_is_asked(tmp_path: Path) -> None:
    """No file and an empty mapping are the same: built-in taxonomy, no gates."""
    absent = read_suite_file(tmp_path / "suite.yaml")
    assert absent == suite("{}")
    assert (absent.role, absent.types, absent.rules()) == (None, None, ())
    assert absent.taxonomy is default_taxonomy()


def test_faults_name_the_file_they_are_in(tmp_path: Path) -> None:
    """A fault of the taxonomy is the taxonomy's, one of the suite the suite's."""
    (tmp_path / "suite.yaml").write_text("taxonomy: t.yaml\n")
    with pytest.raises(Fault, match=r"^t\.yaml: does not exist$"):
        read_suite_file(tmp_path / "suite.yaml")
    (tmp_path / "t.yaml").write_text("version: v1\ntypes: {}\n")
    with pytest.raises(Fault, match=r"^t\.yaml: types: must hold at least 1 entries$"):
        read_suite_file(tmp_path / "suite.yaml")
    for path in ("/etc/taxonomy.yaml", "C:/t.yaml", "a\\\\t.yaml"):
        (tmp_path / "suite.yaml").write_text(f'taxonomy: "{path}"\n')
        with pytest.raises(
            Fault, match=r"^suite\.yaml: taxonomy: must be a relative path with forward slashes$"
        ):
            read_suite_file(tmp_path / "suite.yaml")


def test_a_linked_suite_file_is_refused(tmp_path: Path) -> None:
    """A symlink is no absent file, not even a broken one."""
    (tmp_path / "suite.yaml").symlink_to(tmp_path / "nowhere.yaml")
    with pytest.raises(Fault, match=r"suite\.yaml: is a symlink"):
        read_suite_file(tmp_path / "suite.yaml")


GATE = "gates: [{slice: names, metric: leaks, %s}]\n"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("- a\n", "must be an object"),
        ("surprise: 1\n", "has an unknown field"),
        ("role: freeze\n", "role: must be 'unit', 'public', 'dev_freeze' or 'sealed_freeze'"),
        ("types: []\n", "types: must hold at least 1 entries"),
        ("types: [person, person]\n", "types: names the same type twice"),
        ("types: [person, wizard]\n", "types[1]: is no type of the taxonomy"),
        (GATE % "max: 0, note: x", "gates[0]: has an unknown field"),
        (GATE % "type: person", "gates[0]: needs either min or max"),
        (GATE % "min: 0, max: 1", "gates[0]: needs either min or max"),
        (GATE % "type: wizard, max: 0", "gates[0].type: is no type of the taxonomy"),
        (GATE % "type: '', max: 0", "gates[0].type: must match"),
        (GATE % "max:", "gates[0].max: a limit is a plain decimal number such as 0.95, or the word open"),
        (GATE % "max: .5", "gates[0].max: a limit is a plain decimal number such as 0.95, or the word open"),
        (GATE % "max: 1e-3", "gates[0].max: a limit is a plain decimal number"),
        (GATE % "max: -1", "gates[0].max: a limit is a plain decimal number"),
        (GATE % "max: .nan", "gates[0].max: a limit is a plain decimal number"),
        (GATE % "max: 95%", "gates[0].max: a limit is a plain decimal number"),
        ("gates: [{slice: a b, metric: leaks, max: 0}]\n", "gates[0].slice: must match"),
        ("gates: [{slice: '**', metric: leaks, max: 0}]\n", "gates[0].slice: must match"),
        ("floors: [{slice: a, metric: Leaks, max: 0}]\n", "floors[0].metric: must match"),
        (
            "gates: [{slice: a, metric: leaks, max: 0}, {slice: a, metric: leaks, max: 1}]\n",
            "gates[1]: says again what gates[0] is about",
        ),
    ],
)
def test_a_bad_suite_file_is_refused(text: str, fault: str) -> None:
    """Every rule has its place."""
    assert refusal(text).startswith(fault)


def test_both_bounds_of_one_metric_are_two_gates() -> None:
    """A floor and a ceiling differ, and so do all types and one type."""
    row = "{slice: a, metric: recall, %s}"
    rows = ", ".join(row % end for end in ("min: 0", "max: 1", "type: person, min: 0"))
    assert len(suite(f"gates: [{rows}]\n").gates) == 3


def test_the_fingerprint_binds_meaning_and_no_order() -> None:
    """0.95 and 0.950 are one limit; another limit, type, role or kind of rule is another policy."""
    first = "{slice: a, metric: recall, min: 0.95}"
    second = "{slice: b, metric: leaks, max: 0}"
    before = suite(f"gates: [{first}, {second}]\ntypes: [person, email]\n").fingerprint
    assert (
        suite(f"types: [email, person]\ngates: [{second}, {first.replace('0.95', '0.950')}]\n").fingerprint
        == before
    )
    others = (
        f"gates: [{first}]\ntypes: [person, email]\n",
        f"gates: [{first}, {second.replace('0', '1')}]\ntypes: [person, email]\n",
        f"gates: [{first}, {second}]\ntypes: [person]\n",
        f"gates: [{first}, {second}]\ntypes: [person, email]\nrole: dev_freeze\n",
        f"floors: [{first}, {second}]\ntypes: [person, email]\n",
    )
    assert before not in {suite(other).fingerprint for other in others}


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        ("slice: nobody, metric: leaks, max: 0", "gates[0].slice: names no slice of the plan"),
        ("slice: '*', metric: leek, max: 0", "gates[0].metric: is no metric of a slice"),
        ("slice: '*', metric: leaks, type: person, max: 0", "gates[0].metric: is no metric of a single type"),
        (
            "slice: person_all, metric: recall, type: email, min: 1",
            "gates[0].type: is in the scope of no slice that the gate speaks of",
        ),
        (
            "slice: '*', metric: recall, type: phone, min: 1",
            "gates[0].type: is in the scope of no slice that the gate speaks of",
        ),
    ],
)
def test_a_gate_that_speaks_of_nothing_is_refused(rule: str, fault: str) -> None:
    """A misspelt gate would pass for ever: it is an error."""
    plan = plan_of(scope_row(), slice_row())
    with pytest.raises(Fault) as caught:
        check_rules(
            suite(f"gates: [{{{rule}}}]\n"), plan, metrics={"leaks", "recall"}, type_metrics={"recall"}
        )
    assert str(caught.value) == fault


def test_gates_of_known_slices_metrics_and_types_are_accepted() -> None:
    """An id, all slices, one type in the scope of any slice."""
    rules = (
        "slice: everyone, metric: recall, type: email, min: 1",
        "slice: '*', metric: recall, type: email, min: 1",
        "slice: '*', metric: leaks, max: 0",
    )
    read = suite(f"gates: [{', '.join('{' + rule + '}' for rule in rules)}]\n")
    check_rules(read, plan_of(scope_row(), slice_row()), metrics={"leaks", "recall"}, type_metrics={"recall"})


def test_yaml_scalars_stay_what_was_written() -> None:
    """No scalar becomes a number, a boolean, a date or null."""
    text = "a: 0.95\nb: no\nc: ~\nd:\ne: 2026-01-01\nf: '1'\ng: [0x10, null]\n"
    assert parse_yaml(text.encode()) == {
        "a": "0.95",
        "b": "no",
        "c": "~",
        "d": "",
        "e": "2026-01-01",
        "f": "1",
        "g": ["0x10", "null"],
    }


@pytest.mark.parametrize(
    ("payload", "fault"),
    [
        (b"a: 1\nb: 2\na: 3\n", "line 3: duplicate key in a mapping"),
        (b"a: 1\nb: {c: 1, 'c': 2}\n", "line 2: duplicate key in a mapping"),
        (b"a: &x 1\nb: *x\n", "line 1: uses an anchor or alias; write the value out"),
        (b"a: *x\n", "line 1: uses an anchor or alias; write the value out"),
        (
            b"a: 1\nb: !!python/name:os.system x\n",
            "line 2: uses a tag; values are plain text, lists and mappings",
        ),
        (b"a: !!int 1\n", "line 1: uses a tag; values are plain text, lists and mappings"),
        (b"? [a]\n: b\n", "line 1: uses a list or mapping as a key"),
        (b"a: b\n---\nc: d\n", "line 2: holds more than one document"),
        (b"", "holds nothing"),
        (b"# only a comment\n", "holds nothing"),
        (b"a: 1\nSECRET: ]\n", "line 2: is not valid YAML"),
        (b"a: SECRET\x00\n", "is not valid YAML: it holds a character that YAML does not allow"),
        (b"a: \xff\n", "not UTF-8: invalid byte 0xFF at byte 3"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_yaml_is_refused_where_it_is_clever_or_broken(payload: bytes, fault: str) -> None:
    """The fault has the line and no word of the file."""
    with pytest.raises(Fault) as caught:
        parse_yaml(payload)
    assert str(caught.value).startswith(fault)
    assert "SECRET" not in str(caught.value)


def test_a_suite_file_without_pyyaml_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PyYAML is an extra: one line names it."""
    monkeypatch.setitem(sys.modules, "yaml", None)
    (tmp_path / "suite.yaml").write_text("{}\n")
    with pytest.raises(Fault) as caught:
        read_suite_file(tmp_path / "suite.yaml")
    assert str(caught.value) == "suite.yaml: needs PyYAML to be read: pip install 'pytest-pii-eval[yaml]'"


def test_a_big_file_is_refused_unread(tmp_path: Path) -> None:
    """A file written by hand holds a mebibyte at most."""
    (tmp_path / "suite.yaml").write_bytes(b"#" * (1024 * 1024 + 1))
    with pytest.raises(Fault, match=r"suite\.yaml: holds more than the limit of 1,048,576 bytes"):
        read_suite_file(tmp_path / "suite.yaml")
