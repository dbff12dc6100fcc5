"""Where the report goes, how it gets there, who may change it, and what the terminal shows of it."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys

import pytest

from conftest import OTHER_PLUGINS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="file modes and links are those of POSIX")


def test_default_place_ignores_itself(suite):
    """The report goes to .pii_eval/report.json, sorted and ended by a line feed, in a folder git ignores."""
    suite.write().run()
    folder = suite.path / ".pii_eval"
    assert sorted(path.name for path in folder.iterdir()) == [".gitignore", "report.json"]
    assert (folder / ".gitignore").read_text().splitlines()[-1] == "*"
    text = (folder / "report.json").read_bytes().decode("utf-8")
    assert text.endswith("}\n")
    assert "\r" not in text
    assert text == json.dumps(json.loads(text), ensure_ascii=False, sort_keys=True, indent=2) + "\n"
    assert json.loads(text)["schema_version"] == "pii_eval.report.v1"


def test_option_is_relative_to_where_pytest_was_called(suite):
    """`--pii-report` and `--pii-bank` are paths as seen from the folder pytest was started in."""
    suite.pytester.makeini("[pytest]")
    suite.write()
    below = suite.path / "below"
    below.mkdir()
    os.chdir(below)
    result = suite.run("--pii-report=new/mine.json", "..", bank="../bank.json")
    assert result.ret == 0
    assert suite.report("below/new/mine.json")["passed"] is True
    assert [path.name for path in (below / "new").iterdir()] == ["mine.json"]
    assert not (suite.path / ".pii_eval").exists()
    result.stdout.fnmatch_lines(["report       below/new/mine.json"])


def test_ini_value_is_relative_to_the_root_directory(suite):
    """Ini values `pii_bank` and `pii_report` are paths as seen from the root directory."""
    suite.pytester.makeini("[pytest]\npii_bank = bank.json\npii_report = out/mine.json")
    suite.write()
    below = suite.path / "below"
    below.mkdir()
    os.chdir(below)
    assert suite.run("..", bank=None).ret == 0
    assert suite.report("out/mine.json")["passed"] is True
    # The option wins over the ini value.
    assert suite.run("..", "--pii-report=other.json", bank=None).ret == 0
    assert suite.report("below/other.json")["passed"] is True


def test_unwritable_report_is_one_line_and_exit_1(suite):
    """A target below a file costs the run its success, not a traceback."""
    target = "bank.json/x.json"
    result = suite.write().run(f"--pii-report={target}")
    result.assert_outcomes(passed=29)
    assert result.ret == 1
    result.stdout.fnmatch_lines([f"pii-eval: the report could not be written (*): {target}"])
    assert "Traceback" not in result.stdout.str() + result.stderr.str()
    assert [line for line in result.outlines if line.startswith("report ")] == []
    assert [path.name for path in suite.path.iterdir() if path.suffix == ".tmp"] == []


def test_hook_changes_the_report(suite, processes):
    """A conftest.py may change the report, once a run, on the controller alone."""
    suite.pytester.makeconftest(
        """
        def pytest_pii_modify_report(report, config):
            assert not hasattr(config, "workerinput")
            print("asked once")
            facts = report.run.model_copy(update={"platform": "builder"})
            return report.model_copy(update={"run": facts})
        """
    )
    result = suite.write().run(*processes, "-s")
    assert result.ret == 0
    assert result.stdout.str().count("asked once") == 1
    assert suite.report()["run"]["platform"] == "builder"
    assert suite.report()["passed"] is True


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("raise RuntimeError('secret')", "RuntimeError"),
        ("return 'secret'", "AttributeError"),
        ("return report.model_copy(update={'complete': 'secret'})", "ValidationError"),
    ],
    ids=["raises", "junk", "invalid"],
)
def test_hook_that_fails_costs_its_change_alone(suite, body, kind):
    """A hook that raises or returns junk is named by type; the report is written without its change."""
    suite.pytester.makeconftest(f"def pytest_pii_modify_report(report, config):\n    {body}\n")
    result = suite.write().run("-qq")
    assert result.ret == 1
    told = f"pii-eval: a pytest_pii_modify_report hook failed ({kind}); its change is dropped"
    assert [line for line in result.outlines if "pii-eval" in line] == [told]
    assert "secret" not in result.stdout.str() + result.stderr.str()
    assert suite.report()["passed"] is True


def test_two_runs_at_once_leave_a_whole_report(suite):
    """Two processes that write the same report at once leave one whole report, and nothing beside it."""
    suite.write()
    others = [f"-pno:{plugin}" for plugin in OTHER_PLUGINS]
    command = [sys.executable, "-m", "pytest", "-q", *others, "-pno:cacheprovider", "--pii-bank=bank.json"]
    running = [subprocess.Popen(command, cwd=suite.path, stdout=subprocess.PIPE) for _ in range(3)]
    for process in running:
        process.communicate(timeout=60)
    assert [process.returncode for process in running] == [0, 0, 0]
    assert suite.report()["passed"] is True
    names = sorted(path.name for path in (suite.path / ".pii_eval").iterdir())
    assert names == [".gitignore", "report.json"]


def test_report_of_an_earlier_run_is_replaced(suite):
    """The file is moved into place: a reader that has the old one open keeps it whole."""
    suite.write().run()
    place = suite.path / ".pii_eval/report.json"
    with place.open(encoding="utf-8") as old:
        before = place.stat().st_ino
        suite.negatives.pop()
        suite.write().run()
        assert place.stat().st_ino != before
        assert json.load(old)["conformance"]["negative_cases"] == 6
    assert suite.report()["conformance"]["negative_cases"] == 5
    assert stat.S_IMODE(place.stat().st_mode) & 0o777 == 0o644


def test_terminal_says_as_much_as_asked(suite):
    """A section of aggregates by default and with -v, one line under -q, nothing under -qq."""
    suite.write()
    lines = [
        "verdict      pass",
        "conformance  recall 1.0: 18/18 mapped, 0 missed, 0 wrong canonical; 0/6 negatives hit",
        "support      2/2 active patterns in 2 entities have a witness",
        "report       .pii_eval/report.json",
    ]
    for verbosity in ((), ("-v",)):
        out = suite.run(*verbosity).outlines
        heading = next(index for index, line in enumerate(out) if line.strip("= ") == "pii-eval")
        assert out[heading + 1 : heading + 5] == lines
        assert out[heading + 5].startswith("===")
    quiet = suite.run("-q").outlines
    assert [line for line in quiet if "pii-eval" in line] == [
        "pii-eval: pass; recall 1.0: 18/18 mapped, 0 missed, 0 wrong canonical; 0/6 negatives hit"
    ]
    silent = suite.run("-qq")
    assert "pii" not in silent.stdout.str().replace(str(suite.path), "")
    assert silent.ret == 0


@pytest.mark.parametrize(
    ("target", "complaint"),
    [
        ("bank.json", "is a file of the suite; name another file"),
        ("conformance-negative.jsonl", "is a file of the suite; name another file"),
        ("link.json", "is a symlink; name the real file"),
        ("pipe", "is no regular file; name one that may be replaced"),
        ("folder", "is no regular file; name one that may be replaced"),
        (".git/hooks/post-checkout", "lies in the folder of git; name another file"),
    ],
)
def test_a_target_that_would_be_lost_is_refused(suite, target, complaint):
    """A report never takes the place of an input, a link, a device, a pipe or a folder."""
    suite.write()
    (suite.path / "real.json").write_text("kept")
    (suite.path / "link.json").symlink_to("real.json")
    (suite.path / "folder").mkdir()
    os.mkfifo(suite.path / "pipe")
    before = (suite.path / "bank.json").read_bytes()
    result = suite.run(f"--pii-report={target}")
    assert result.ret == 4
    result.stderr.fnmatch_lines([f"ERROR: --pii-report: {complaint}"])
    assert (suite.path / "bank.json").read_bytes() == before
    assert (suite.path / "link.json").is_symlink()
    assert (suite.path / "pipe").is_fifo()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--pii-report=notes.txt"], "--pii-report: is no report of pii-eval"),
        (["--pii-report=own.json"], "--pii-report: is no report of pii-eval"),
        (["--pii-report=schema.json"], "--pii-report: is no report of pii-eval"),
        (["--pii-report=baseline.json"], "--pii-report: is no report of pii-eval"),
        (["--pii-markdown=notes.txt"], "--pii-markdown: is no page of pii-eval"),
        (["--pii-html=notes.txt"], "--pii-html: is no page of pii-eval"),
        (
            ["--pii-baseline=own.json", "--pii-baseline-update"],
            "--pii-baseline: is no report or snapshot of pii-eval",
        ),
        (["--pii-markdown=.pii_eval/old.json"], "--pii-markdown: is no page of pii-eval"),
    ],
)
def test_what_others_wrote_is_not_replaced(suite, options, told):
    """No output takes the place of a file that pii-eval did not write, nor a page that of a report."""
    suite.write()
    (suite.path / ".pii_eval").mkdir()
    held = {
        "notes.txt": 'A note on `<!-- pii-eval report -->` and "pii_eval.report.v1".\n',
        "own.json": '{"schema_version": "own.v1"}\n',
        "schema.json": '{"properties": {"schema_version": {"const": "pii_eval.report.v1"}}}\n',
        "baseline.json": '{"schema_version": "pii_eval.snapshot.v1"}\n',
        ".pii_eval/old.json": '{"schema_version": "pii_eval.report.v1"}\n',
    }
    for name, text in held.items():
        (suite.path / name).write_text(text, encoding="utf-8")
    result = suite.run(*options)
    assert result.ret == 4
    result.stderr.fnmatch_lines([f"ERROR: {told}, and is left as it is; name another file"])
    assert {name: (suite.path / name).read_text(encoding="utf-8") for name in held} == held


def test_what_we_wrote_and_what_is_empty_is_replaced(suite):
    """Report, snapshot and pages of an earlier run, and empty files, are replaced."""
    suite.write()
    options = (
        *("--pii-report=r.json", "--pii-markdown=p.md", "--pii-html=p.html"),
        *("--pii-baseline=b.json", "--pii-baseline-update"),
    )
    names = ("r.json", "p.md", "p.html", "b.json")
    for name in names:
        (suite.path / name).touch()
    assert suite.run(*options).ret == 0
    for name in names:
        assert (suite.path / name).stat().st_size
        os.utime(suite.path / name, (0, 0))
    assert suite.run(*options).ret == 0
    assert [name for name in names if (suite.path / name).stat().st_mtime == 0] == []
