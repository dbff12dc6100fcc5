"""The fixture `pii_snapshot`: written, compared, shown, and left alone where a run is only a part."""

from __future__ import annotations

import json

import pytest
from reading import lines_of
from syrupy.assertion import SnapshotAssertion

from pytest_pii_eval.reports.snapshots.form import read_snapshot, render_snapshot, snapshot_of
from pytest_pii_eval.reports.write import render_json
from pytest_pii_eval.snapshots import ReportSnapshotExtension

TESTS = """
from pytest_pii_eval import read_report

def test_one(pii_snapshot):
    assert read_report("one.json") == pii_snapshot

def test_two(pii_snapshot):
    assert read_report("two.json") == pii_snapshot
"""


@pytest.fixture
def desk(quality):
    """Two tests of two reports: that of the slices `mail` and `people`, and that of the second alone."""
    quality.only("mail", "people")
    quality.report_of_one = quality.evaluated()
    two = {"people": quality.report_of_one.slices["people"]}
    reports = {"one": quality.report_of_one, "two": quality.report_of_one.model_copy(update={"slices": two})}
    for name, report in reports.items():
        (quality.path / f"{name}.json").write_text(render_json(report), encoding="utf-8")
    for file in quality.path.glob("quality-*.jsonl"):
        file.unlink()
    quality.pytester.makepyfile(test_snap=TESTS)
    return quality


def run(desk, *arguments):
    """Run the two tests with syrupy."""
    return desk.run("test_snap.py", *arguments, bank=None, friends=("syrupy",))


def kept(desk):
    """Return name to bytes of the snapshots."""
    folder = desk.path / "__snapshots__/test_snap"
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*"))}


def lose_a_mail(desk):
    """Change the first report: one of two addresses of `mail` is no longer found."""
    told = json.loads((desk.path / "one.json").read_text(encoding="utf-8"))
    told["slices"]["mail"]["by_type"]["email"]["metrics"]["recall"].update(value=0.5, numerator=1)
    (desk.path / "one.json").write_text(json.dumps(told), encoding="utf-8")


def test_a_snapshot_that_is_not_there_fails(desk):
    """Nothing was kept: both tests fail, and nothing is written."""
    missing = run(desk)
    missing.assert_outcomes(failed=2)
    assert "does not exist" in lines_of(missing)
    assert kept(desk) == {}


def test_snapshots_are_written_and_hold(desk, processes):
    """An update writes a file a test, of the same bytes in two workers; then both pass."""
    run(desk, *processes, "--snapshot-update").assert_outcomes(passed=2)
    assert list(kept(desk)) == ["test_one.json", "test_two.json"]
    assert kept(desk)["test_one.json"].decode() == render_snapshot(snapshot_of(desk.report_of_one))
    held = run(desk, *processes)
    held.assert_outcomes(passed=2)
    assert held.ret == 0


def test_a_mismatch_shows_what_moved(desk):
    """The first lines, all that pytest shows, name slice, type and counts; the diff is one hunk."""
    run(desk, "--snapshot-update")
    lose_a_mail(desk)
    result = run(desk)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["E * REGRESSION: slice mail, email: recall 1.0 (2/2) -> 0.5000 (1/2)", "E * @@ -*"]
    )
    extension = ReportSnapshotExtension()
    new, old = (
        extension.serialize(read_snapshot(desk.path / "one.json")),
        kept(desk)["test_one.json"].decode(),
    )
    diff = list(extension.diff_lines(new, old))
    assert sum(line.startswith("@@") for line in diff) == 1
    assert ['"recall": "2/2"' in line for line in diff if line.startswith("- ")] == [True]
    assert ['"recall": "1/2"' in line for line in diff if line.startswith("+ ")] == [True]


def test_an_update_of_a_part_leaves_the_rest(desk, processes):
    """With -k only the selected snapshot changes; the other survives, and nothing is called obsolete."""
    run(desk, "--snapshot-update")
    before = kept(desk)
    lose_a_mail(desk)
    result = run(desk, *processes, "-k", "test_one", "--snapshot-update")
    assert result.ret == 0
    after = kept(desk)
    assert after.keys() == before.keys()
    assert after["test_two.json"] == before["test_two.json"]
    assert after["test_one.json"] != before["test_one.json"]


def test_an_obsolete_snapshot_is_told_and_removed(desk):
    """A snapshot whose test is gone fails the run, until an update removes it."""
    run(desk, "--snapshot-update")
    desk.pytester.makepyfile(test_snap=TESTS.partition("def test_two")[0])
    told = run(desk)
    assert told.ret == 1
    told.stdout.fnmatch_lines(["*1 snapshot unused*"])
    run(desk, "--snapshot-update")
    assert list(kept(desk)) == ["test_one.json"]


def test_what_is_no_report_is_refused_without_its_value(desk):
    """Text that was meant to be a report is named by its type alone."""
    desk.pytester.makepyfile(
        test_snap="def test_text(pii_snapshot):\n    value = open('canary.txt').read()\n"
        "    matches = pii_snapshot == value\n    assert matches, pii_snapshot.get_assert_diff()\n"
    )
    (desk.path / "canary.txt").write_text("wolframite", encoding="utf-8")
    result = run(desk)
    result.assert_outcomes(failed=1)
    told = lines_of(result)
    assert "TypeError: pii_snapshot takes a Report or a Snapshot, not str" in told
    assert "wolframite" not in told


def test_filters_are_refused(desk):
    """A report is kept whole: who leaves something out is told."""
    with pytest.raises(TypeError, match="keeps all of a report"):
        ReportSnapshotExtension().serialize(desk.report_of_one, exclude=lambda **_: True)


def test_the_fixture_takes_snapshots_too(desk):
    """A `Snapshot` and its report have one text."""
    extension = ReportSnapshotExtension()
    assert extension.serialize(snapshot_of(desk.report_of_one)) == extension.serialize(desk.report_of_one)


def test_without_syrupy_the_fixture_says_what_is_missing(desk):
    """Where syrupy's plugin is switched off there is no `snapshot` to build on."""
    result = desk.run("test_snap.py", bank=None)
    result.assert_outcomes(errors=2)
    assert "snapshot" in lines_of(result)


def test_the_fixture_is_a_syrupy_assertion(pii_snapshot):
    """What a test gets is syrupy's own assertion, with its options."""
    assert isinstance(pii_snapshot, SnapshotAssertion)
