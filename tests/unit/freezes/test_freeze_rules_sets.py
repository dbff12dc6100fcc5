"""The rules about the dev freeze: a reader attested it as it is, and it holds what it must."""

from __future__ import annotations

import json
from datetime import date

import pytest
from freeze_projects import FREEZES, SLICES, Project, write_dev
from freeze_suites import CANARY, rows_of, slice_row, write_rows

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.finding import PASS
from pytest_pii_eval.freezes.rules_of_sets import dev_freeze_holds_its_slices, dev_freeze_was_read, today

DAY = date(2026, 3, 1)
NO_GIT = Fault("lies in no git repository")
AGAIN = "pii-eval freeze attest dev --by ROLE"
SEALED = {name: one for name, one in FREEZES["sets"].items() if name == "sealed"}


@pytest.fixture
def project(tmp_path):
    """A project whose dev freeze was read."""
    return Project(tmp_path)


def read(project, day=DAY):
    """Return what the rule finds of who read the dev freeze."""
    return dev_freeze_was_read(project.standing(NO_GIT), lambda: day)


def held(project):
    """Return what the rule finds of what the dev freeze holds."""
    return dev_freeze_holds_its_slices(project.standing(NO_GIT))


def test_a_dev_freeze_that_a_reader_attested_passes(project):
    """Role, set, day and gold are right."""
    assert read(project) == PASS


def test_without_dev_freeze_nothing_can_be_said(project):
    """A file that names none shows nothing."""
    project.freezes(sets=SEALED)
    assert read(project) == held(project) == ("not_evaluated", ("the file names no dev freeze",))


def test_without_attestation_the_command_is_said(project):
    """Nobody read it yet, which is no failure, and no pass."""
    (project.top / "freezes/dev.attestation.json").unlink()
    reason = f"nobody attested yet that a human read the dev freeze: {AGAIN}"
    assert read(project) == ("not_evaluated", (reason,))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"by": "reviewer"}, "the attestation is by a role that is none of the readers of the dev freeze"),
        ({"by": CANARY}, "the attestation is by a role that is none of the readers of the dev freeze"),
        ({"set": CANARY}, "the attestation is of another set than the dev freeze"),
        ({"at": "2026-03-03"}, "the attestation is of a day to come"),
        ({"at": "2026-02-30"}, "the attestation is of a day that is in no calendar"),
        ({"documents": 6}, f"the dev freeze changed after it was read: read it anew, then {AGAIN}"),
        (
            {"gold": "sha256:" + "0" * 64},
            f"the dev freeze changed after it was read: read it anew, then {AGAIN}",
        ),
    ],
)
def test_an_attestation_that_is_wrong_fails(project, changes, reason):
    """By a foreign role, of another set, of a day to come, of other gold."""
    project.attest(**changes)
    assert read(project) == ("fail", (reason,))


def test_a_day_ahead_may_be_another_time_zone(project):
    """Where it is tomorrow already, the attestation is of today."""
    project.attest(at="2026-03-02")
    assert read(project) == PASS


def test_all_that_is_wrong_is_said(project):
    """One run tells every reason."""
    project.attest(by="reviewer", set="other", documents=7)
    assert len(read(project).reasons) == 3


def test_gold_that_changed_after_it_was_read_fails(project):
    """A model's proposal taken over into gold needs another human reading."""
    path = project.top / "dev/quality-records.jsonl"
    rows = rows_of(path)
    rows[0]["gold_spans"] = []
    write_rows(path, rows)
    assert read(project).verdict == "fail"


def test_rows_in_another_order_are_the_same_gold(project):
    """What a human read does not depend on the order of lines."""
    path = project.top / "dev/quality-records.jsonl"
    write_rows(path, rows_of(path)[::-1])
    assert read(project) == PASS


@pytest.mark.parametrize("text", ["", "{}\n", "no json " + CANARY, json.dumps({"by": CANARY}) + "\n"])
def test_a_broken_attestation_fails_with_its_name(project, text):
    """And nothing of what stood there is shown."""
    project.write("freezes/dev.attestation.json", text)
    found = read(project)
    assert found.verdict == "fail"
    assert found.reasons[0].startswith("dev.attestation.json: ")
    assert CANARY not in found.reasons[0]


def test_a_symlink_for_an_attestation_fails(project, tmp_path):
    """It could change without git seeing it."""
    path = project.top / "freezes/dev.attestation.json"
    path.rename(tmp_path / "elsewhere.json")
    path.symlink_to(tmp_path / "elsewhere.json")
    assert read(project) == ("fail", ("dev.attestation.json: is a symlink; name the real file",))


def test_a_dev_freeze_that_is_broken_fails_both_rules(project):
    """A record that breaks its contract is said by file and line, without its text."""
    with (project.top / "dev/quality-records.jsonl").open("a", encoding="utf-8") as handle:
        handle.write(json.dumps({"document": CANARY}) + "\n")
    for found in (read(project), held(project)):
        assert found.verdict == "fail"
        assert found.reasons[0].startswith("quality-records.jsonl:6: ")
        assert CANARY not in found.reasons[0]


def test_a_dev_freeze_that_is_not_there_fails_both_rules(project):
    """Nothing can be read, so nothing was."""
    (project.top / "dev").rename(project.top / "gone")
    assert (read(project).verdict, held(project).verdict) == ("fail", "fail")


def test_today_is_a_day_of_utc():
    """The clock of the rule is that of no time zone, and not years off."""
    assert today() >= date(2026, 1, 1)


def test_a_dev_freeze_with_all_slices_passes(project):
    """Five slices, a document in each, and provenance."""
    assert held(project) == PASS


def test_slices_may_have_other_ids(project):
    """The file says which slice is which."""
    dev = {**FREEZES["sets"]["dev"], "slices": {"names": "people"}}
    project.freezes(sets={"dev": dev})
    assert held(project) == ("fail", ("the slice plan of the dev freeze lacks: names (people)",))
    path = project.top / "dev/quality-slices.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace('"names"', '"people"'), encoding="utf-8")
    path = project.top / "dev/quality-records.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace('"names"', '"people"'), encoding="utf-8")
    assert held(project) == PASS


def test_slices_that_are_lacking_are_named(project):
    """All of them at once."""
    write_dev(project.top / "dev", ("structured", "names", "secrets"))
    kept = [slice_row(one, promotion_gate=False) for one in ("structured", "names", "secrets")]
    write_rows(project.top / "dev/quality-slices.jsonl", kept)
    assert held(project) == ("fail", ("the slice plan of the dev freeze lacks: negative, long_doc",))


def test_slices_without_document_are_named(project):
    """A plan alone holds nothing."""
    write_dev(project.top / "dev", SLICES[:3])
    assert held(project) == ("fail", ("no document of the dev freeze is in: negative, long_doc",))


def test_rows_without_provenance_fail(project):
    """Every row is tagged with its corpus and its template."""
    (project.top / "dev/quality-provenance.jsonl").unlink()
    reason = "no provenance sidecar tags the rows of the dev freeze with source_corpus and template_id"
    assert held(project) == ("fail", (reason,))


def test_a_dev_freeze_of_documents_needs_no_template_to_be_attested(project):
    """Who read it does not depend on how it is split."""
    (project.top / "dev/quality-provenance.jsonl").unlink()
    assert read(project) == PASS
