"""What a run does with bad input: exit status, what still runs, what is left on disk; files that are none."""

from __future__ import annotations

import os

import pytest
from bad_input import case, collection_errors, line

_LATIN1 = b'{"case_id":"d2","text":"Jos\xe9 Quartzmore"}\n'
_SAID = "conformance-positive-broken.jsonl:2: not UTF-8: invalid byte 0xE9 at byte 27"


@pytest.fixture
def broken(suite):
    """A sound suite beside which a file lies whose second line is Latin-1."""
    path = suite.write().path / "conformance-positive-broken.jsonl"
    path.write_bytes(line(case("good.1")) + _LATIN1)
    return suite


def test_nothing_runs_and_the_last_report_stays(suite, processes):
    """A broken file stops the run before any case; the report of an earlier run is not touched."""
    suite.write().run()
    before = (suite.path / ".pii_eval/report.json").read_bytes()
    (suite.path / "conformance-positive-broken.jsonl").write_bytes(line(case("good.1")) + _LATIN1)
    result = suite.run(*processes)
    assert collection_errors(result) == {"conformance-positive-broken.jsonl": [_SAID]}
    assert result.ret == 2
    assert "Interrupted: 1 error during collection" in result.stdout.str()
    assert result.parseoutcomes()["errors"] == 1
    assert "passed" not in result.parseoutcomes()
    assert (suite.path / ".pii_eval/report.json").read_bytes() == before
    assert sorted(path.name for path in (suite.path / ".pii_eval").iterdir()) == [".gitignore", "report.json"]


def test_stop_at_the_first(broken, processes):
    """Under -x the first broken file ends collection, the second is not spoken of."""
    (broken.path / "conformance-positive-worse.jsonl").write_bytes(b"\n")
    result = broken.run("-x", *processes)
    assert list(collection_errors(result)) == ["conformance-positive-broken.jsonl"]
    assert result.ret in (1, 2)  # pytest's own choice: 1 alone, 2 under xdist
    assert "stopping after 1 failures" in result.stdout.str()
    assert not (broken.path / ".pii_eval").exists()


def test_going_on_is_never_a_pass(broken, processes):
    """What can be read runs and is counted, support is not judged, and the report is incomplete."""
    result = broken.run("--continue-on-collection-errors", *processes)
    assert collection_errors(result) == {"conformance-positive-broken.jsonl": [_SAID]}
    result.assert_outcomes(passed=18 + 6, errors=1)
    assert result.ret == 1
    report = broken.report()
    assert report["complete"] is False
    assert report["passed"] is False
    assert report["selection"]["whole"] is False
    assert report["conformance"]["correctly_mapped"] == 18
    result.stdout.fnmatch_lines(
        [
            "verdict * FAIL",
            "pii-eval: 1 case file could not be read; its cases are missing from every count",
        ]
    )


def test_named_cases_of_a_broken_file(broken):
    """A sound case of a broken file does not run either: the file says why."""
    result = broken.run("conformance-positive-broken.jsonl::good.1")
    assert collection_errors(result) == {"conformance-positive-broken.jsonl": [_SAID]}
    assert result.ret == 4


def test_broken_files_of_others_keep_the_habits_of_xdist(suite):
    """Under xdist a module that does not import lets our cases run, as it does without this plugin."""
    suite.write().pytester.makepyfile(test_other="import nowhere_to_be_found")
    result = suite.run("-n2")
    assert result.parseoutcomes()["passed"] == 18 + 6 + 5
    assert result.ret == 1


@pytest.mark.parametrize("arguments", [(), ("-n2",), ("-x",), ("--continue-on-collection-errors",)], ids=str)
def test_a_broken_bank_is_told_once(suite, arguments):
    """Two case files and a broken bank: one error, whatever the options; nothing of ours runs."""
    suite.bank["entities"]["person"]["Quartzmore"] = 1
    result = suite.write().run(*arguments)
    assert collection_errors(result) == {"bank.json": ["bank.json: entities[1]: has an unknown field"]}
    assert result.ret == (1 if arguments and arguments[0] != "-n2" else 2)
    assert not (suite.path / ".pii_eval").exists()


def test_a_broken_bank_is_told_for_named_cases(suite, processes):
    """Where single cases are named pytest finds none of them, and the bank's fault says why."""
    suite.bank["status"] = "on"
    arguments = ("conformance-positive.jsonl::person.00", "conformance-negative.jsonl::clean.00")
    result = suite.write().run(*arguments, *processes)
    assert list(collection_errors(result).values()) == [
        ["bank.json: status: must be 'draft', 'active', 'inactive' or 'deprecated'"]
    ]
    assert result.ret == (2 if processes else 4)


def test_no_bank_at_all(suite, processes):
    """Case files without a bank say how to give one; a bank that is not there says so."""
    result = suite.write().run(*processes, bank=None)
    rule = "conformance cases need a bank; give --pii-bank=FILE or the ini value pii_bank"
    assert collection_errors(result) == {"pii_bank": [rule]}
    assert result.ret == 2
    result = suite.run(*processes, bank="folder/gone.json")
    assert collection_errors(result) == {"folder/gone.json": ["folder/gone.json: does not exist"]}
    assert result.ret == 2
    assert not (suite.path / ".pii_eval").exists()


def test_links_are_refused(suite):
    """A linked case file and a linked folder below the root are refused; nothing is read through them."""
    path = suite.write().path
    (path / "real").mkdir()
    (path / "real/cases.txt").write_bytes(line(case("linked.1")))
    (path / "real/conformance-positive-in.jsonl").write_bytes(line(case("linked.2")))
    (path / "conformance-positive-link.jsonl").symlink_to(path / "real/cases.txt")
    (path / "conformance-positive-passwd.jsonl").symlink_to("/etc/passwd")
    (path / "way").symlink_to(path / "real")
    result = suite.run("--ignore=real")
    assert collection_errors(result) == {
        "conformance-positive-link.jsonl": [
            "conformance-positive-link.jsonl: is a symlink; name the real file"
        ],
        "conformance-positive-passwd.jsonl": [
            "conformance-positive-passwd.jsonl: is a symlink; name the real file"
        ],
        "way/conformance-positive-in.jsonl": [
            "way/conformance-positive-in.jsonl: is reached through a symlink; name the real folder"
        ],
    }
    assert result.ret == 2
    assert "root:" not in result.stdout.str()


def test_linked_bank_is_refused(suite):
    """A bank that is a link, dangling or not, is refused."""
    (suite.write().path / "link.json").symlink_to(suite.path / "bank.json")
    (suite.path / "dangling.json").symlink_to(suite.path / "nowhere.json")
    for bank in ("link.json", "dangling.json"):
        result = suite.run(bank=bank)
        assert collection_errors(result) == {bank: [f"{bank}: is a symlink; name the real file"]}
        assert result.ret == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_and_folders_are_no_files(suite):
    """A pipe or a folder with the name of a case file is passed by, and as a bank refused; nothing hangs."""
    suite.write()
    os.mkfifo(suite.path / "conformance-positive-pipe.jsonl")
    (suite.path / "conformance-negative-folder.jsonl").mkdir()
    suite.run().assert_outcomes(passed=18 + 6 + 5)
    assert suite.run("conformance-positive-pipe.jsonl").ret == 4  # pytest finds nothing by that name
    os.mkfifo(suite.path / "pipe.json")
    for bank in ("pipe.json", "conformance-negative-folder.jsonl"):
        result = suite.run(bank=bank)
        assert collection_errors(result) == {bank: [f"{bank}: is not a regular file"]}
        assert result.ret == 2


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="root reads everything")
def test_unreadable_files(suite):
    """A file without read permission says so by the name of the error."""
    (suite.write().path / "conformance-positive.jsonl").chmod(0)
    result = suite.run()
    rule = "conformance-positive.jsonl: cannot be opened (EACCES)"
    assert collection_errors(result) == {"conformance-positive.jsonl": [rule]}
    assert result.ret == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--pii-engine=Zephyrine",), "argument --pii-engine: invalid choice"),
        (("--pii-reveal=everything",), "argument --pii-reveal: invalid choice"),
        (("-o", "pii_reveal=everything"), "ini value pii_reveal must be one of: none, ids, text"),
        (("-o", "pii_engine=rust"), "ini value pii_engine must be one of: embedded, nerb"),
        (("-o", "pii_max_matches=0"), "ini value pii_max_matches must be a positive integer"),
        (("-o", "pii_max_matches=1.5"), "ini value pii_max_matches must be a positive integer"),
        (("-o", "pii_time_limit=nan"), "ini value pii_time_limit must be a positive number"),
        (("-o", "pii_time_limit=soon"), "ini value pii_time_limit must be a positive number"),
        (("--pii-detector=",), "--pii-detector has no value; give one, or leave the option out"),
        (("--pii-max-leaks=",), "--pii-max-leaks has no value; give one, or leave the option out"),
        (("--pii-min-recall=1.1",), "--pii-min-recall is a share; nothing reaches more than 1"),
        (("-o", "pii_min_containment=95"), "--pii-min-containment is a share; nothing reaches more than 1"),
        (("--pii-audit-dir=bank.json",), "--pii-audit-dir: exists already; name a new directory"),
        (
            ("--pii-audit-dir=no/where",),
            "--pii-audit-dir: lies in a folder that does not exist; create it first",
        ),
    ],
    ids=lambda value: value[-1] if isinstance(value, tuple) else "",
)
def test_usage_errors(suite, arguments, said):
    """Options that make no sense end the run before collection: exit 4, nothing written."""
    result = suite.write().run(*arguments)
    assert said in result.stderr.str()
    assert result.ret == 4
    assert not (suite.path / ".pii_eval").exists()
