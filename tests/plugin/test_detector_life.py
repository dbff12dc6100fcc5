"""A detector's life in a run: found, built once a process, shared, closed; each error is one line."""

from __future__ import annotations

from collections import Counter

import pytest
from detector_modules import FIND, FULL
from reading import lines_of

from conftest import NAME

USES_THE_FIXTURE = """
def test_the_detector_finds(pii_detector):
    assert len(pii_detector.detect("ask ab@canary.example").selected) == 1
"""


def _notes(quality) -> Counter[str]:
    return Counter(line.split()[0] for line in (quality.path / "notes.log").read_text().splitlines())


def test_each_process_builds_once_and_closes_once(quality, processes):
    """Shards, slices and a Python test share one detector a process; both ends are logged once each."""
    quality.pytester.makepyfile(mine=FULL, test_mine=USES_THE_FIXTURE)
    result = quality.write().run(*processes, "--pii-detector=mine:Full", "--pii-shard-size=1", bank=None)
    result.assert_outcomes(passed=12, skipped=2)
    expected = 2 if processes else 1
    pids = {line for line in (quality.path / "notes.log").read_text().splitlines() if line[:5] == "built"}
    assert (len(pids), _notes(quality)["built"], _notes(quality)["closed"]) == (expected,) * 3


def test_the_fixture_alone_builds_and_closes(quality):
    """Without a file of ours a Python test still gets the detector, and it is closed."""
    quality.pytester.makepyfile(mine=FULL, test_mine=USES_THE_FIXTURE)
    result = quality.run("--pii-detector=mine:Full", "test_mine.py", bank=None)
    result.assert_outcomes(passed=1)
    assert _notes(quality) == {"built": 1, "single": 1, "closed": 1}


def test_the_fixture_needs_a_subject(quality):
    """Without one it fails in one line that says what to give."""
    quality.pytester.makepyfile(test_mine=USES_THE_FIXTURE)
    result = quality.run("test_mine.py", bank=None)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["pii_detector: conformance cases need a bank; give --pii-bank=FILE*"])


def test_options_reach_a_class(quality):
    """`--pii-detector-option KEY=VALUE`, the command line over the ini file."""
    quality.pytester.makeini("[pytest]\npii_detector = mine:Full\npii_detector_options =\n  size=1\n")
    quality.pytester.makepyfile(
        mine=FULL, test_mine="def test_size(pii_detector):\n    assert pii_detector.size == 3"
    )
    result = quality.run("--pii-detector-option=size=3", "test_mine.py", bank=None)
    result.assert_outcomes(passed=1)


def test_a_plugin_makes_detectors(quality, processes):
    """`pytest_pii_make_detector` is asked before the shipped adapters, and may decline."""
    quality.pytester.makepyfile(mine=FULL)
    quality.pytester.makeconftest(
        """
        def pytest_pii_make_detector(name, config):
            if name == "presidio":
                from mine import Full
                return Full(size=7)
        """
    )
    result = quality.write().run(*processes, "-p", "mine", "--pii-detector=presidio", bank=None)
    result.assert_outcomes(passed=7, skipped=2)
    assert quality.report()["subject"]["name"] == "full"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["--pii-detector=nobody"],
            "--pii-detector: no detector has this name; name module:attribute or one of: *presidio*",
        ),
        (
            ["--pii-detector=nowhere:find"],
            "--pii-detector: there is no module nowhere; run where it can be imported*",
        ),
        (
            ["--pii-detector=mine:lost"],
            "--pii-detector: mine has no attribute lost; it was found in *mine.py",
        ),
        (
            ["--pii-detector=mine:PATTERNS"],
            "--pii-detector: mine:PATTERNS is neither a detector nor callable",
        ),
        (
            ["--pii-detector=mine:Broken"],
            "the detector mine:Broken could not be built: LookupError in mine.py:*",
        ),
        (["--pii-detector=mine:Half"], "the detector mine:Half lacks: version, offset_unit, fingerprint;*"),
        (
            ["--pii-detector=mine:Broken", "--pii-detector-option=speed=3"],
            "--pii-detector-option: mine:Broken takes no speed; it takes: none",
        ),
        (
            ["--pii-detector=mine:Grapheme"],
            "the detector mine:Grapheme states no offset unit of: codepoint, byte, utf16",
        ),
        (["--pii-predictions=nowhere.jsonl"], "nowhere.jsonl: does not exist"),
    ],
)
def test_what_cannot_be_built_is_one_line(quality, arguments, line):
    """A collection error of one line, and nothing of what the module says itself."""
    source = f"""
class Broken:
    def __init__(self):
        print("{NAME}")
        raise LookupError("{NAME}")

class Half:
    name = "half"
    def detect(self, text): ...

class Grapheme(Half):
    version, offset_unit = "1", "grapheme"
    def fingerprint(self): return ''
"""
    quality.pytester.makepyfile(mine=FIND + source)
    result = quality.write().run(*arguments, "-vv", "--tb=long", "-l", bank=None)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines([line])
    assert NAME not in lines_of(result).replace(f'"{NAME}"', "")
    assert not (quality.path / ".pii_eval").exists()


def test_a_broken_build_is_one_error_under_xdist(quality):
    """Two workers meet the same fault; it is told once a worker at most, and without text."""
    quality.pytester.makepyfile(mine=f'def make():\n    raise LookupError("{NAME}")\n')
    result = quality.write().run("-n2", "--pii-detector=mine:make", bank=None)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["the detector mine:make could not be built: LookupError in mine.py:2;*"])
    assert NAME not in lines_of(result)


def test_a_broken_close_is_one_line(quality, processes):
    """The run is red, the report is there, and the text of the exception is not."""
    quality.pytester.makepyfile(mine=FULL.replace('note("closed")', f'raise OSError("{NAME}")'))
    result = quality.write().run(*processes, "--pii-detector=mine:Full", bank=None)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["pii-eval: *the detector could not be closed: OSError in mine.py:*"])
    assert NAME not in lines_of(result)
    assert quality.report()["complete"] is True


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ("--pii-detector=mine:find", "--pii-predictions=p.jsonl"),
            "give either --pii-detector or --pii-predictions",
        ),
        (("--pii-detector-option=size",), "--pii-detector-option: number 1 must have the form KEY=VALUE"),
        (("--pii-document-timeout=soon",), "must be a plain decimal number of seconds above 0"),
        (("--pii-document-timeout=0",), "must be a plain decimal number of seconds above 0"),
        (("--pii-document-timeout=999999999999999999",), "of seconds above 0, at most 1,000,000"),
        (("--pii-max-p95-ms=fast",), "--pii-max-p95-ms must be a plain decimal number"),
    ],
)
def test_options_that_make_no_sense_are_refused(quality, arguments, line):
    """A usage error of one line."""
    result = quality.run(*arguments, bank=None)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{line}*"])


@pytest.mark.parametrize("how", ["sys.exit(NAME)", "raise KeyboardInterrupt(NAME)", "sys.exit(0)"])
def test_a_close_that_leaves_does_not_end_the_run(quality, processes, how):
    """A failed run stays failed, with its section and its report, and the text stays inside."""
    source = FULL.replace('note("closed")', how.replace("NAME", repr(NAME)))
    quality.pytester.makepyfile(mine="import sys\n" + source)
    arguments = ("--pii-detector=mine:Full", "--pii-max-leaks=0")
    result = quality.only("contact").write().run(*processes, *arguments, bank=None)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["gate         fail max-leaks*", "pii-eval: *could not be closed: *"])
    assert NAME not in lines_of(result)


@pytest.mark.parametrize(
    ("where", "how"),
    [("module", "sys.exit(NAME)"), ("hook", "pytest.skip(NAME)"), ("hook", "pytest.fail(NAME)")],
)
def test_a_build_that_leaves_is_a_collection_error(quality, where, how):
    """Neither a constructor nor a plugin's hook ends the session or shows its text."""
    leaving = f"import pytest, sys\nNAME = {NAME!r}\n"
    quality.pytester.makepyfile(mine=f"{leaving}\ndef make():\n    {how}\n")
    if where == "hook":
        quality.pytester.makeconftest(f"{leaving}\ndef pytest_pii_make_detector(name, config):\n    {how}\n")
    result = quality.write().run("--pii-detector=mine:make", bank=None)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*the detector* could not be built: *"])
    assert NAME not in lines_of(result)


def test_a_forked_child_does_not_run_on(quality):
    """A detector that forks and lets the child go: one run, one summary."""
    quality.pytester.makepyfile(
        mine="import os\n" + FIND.replace("def find(text):", "def find(text):\n    os.fork()", 1)
    )
    result = quality.only("contact").write().run("--pii-detector=mine:find", bank=None)
    assert [line for line in result.outlines if line.startswith("verdict")] == ["verdict      pass"]
    assert quality.values("contact", "recall") == [(3, 5)]


def test_a_run_that_dies_leaves_no_older_report(quality):
    """What an earlier run said does not stand for one that ended without a word."""
    quality.pytester.makepyfile(mine=FIND)
    assert quality.only("contact").write().run("--pii-detector=mine:find", bank=None).ret == 0
    assert quality.report()["passed"] is True
    quality.pytester.makepyfile(mine="import os\ndef find(text):\n    os._exit(0)\n")
    quality.run("--pii-detector=mine:find", bank=None)
    assert not (quality.path / ".pii_eval/report.json").exists()


def test_a_fingerprint_that_differs_between_processes_is_told(quality):
    """The report is not consistent, does not pass, and the section says where to look."""
    source = FULL.replace('"7" * 64', 'f"{os.getpid():064x}"')
    quality.pytester.makepyfile(mine=source)
    result = quality.write().run("-n2", "--pii-detector=mine:Full", bank=None)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["incomplete   *processes disagree*fingerprint*"])
    report = quality.report()
    assert (report["consistent"], report["complete"], report["passed"]) == (False, False, False)


def test_a_quiet_run_names_what_failed_as_a_whole(quality):
    """Under -q a run whose items all pass says why it is red."""
    quality.pytester.makepyfile(mine=FIND.replace('"email"', '"E-MAIL"').replace('"person"', '"P-1"'))
    result = quality.only("contact").write().run("-q", "--pii-detector=mine:find", bank=None)
    result.stdout.fnmatch_lines(["pii-eval: FAIL; 1/1 slices held; failed labels.common"])


def test_a_syntax_error_is_told_where_it_stands(quality):
    """File and line of the error, and not of the importer."""
    quality.pytester.makepyfile(mine="def find(text):\n    return [\n")
    result = quality.write().run("--pii-detector=mine:find", bank=None)
    result.stdout.fnmatch_lines(["the detector mine:find could not be built: SyntaxError in mine.py:2;*"])


def test_options_beside_predictions_are_refused(quality):
    """Nobody would be asked with them."""
    result = quality.run("--pii-predictions=p.jsonl", "--pii-detector-option=a=b", bank=None)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--pii-predictions asks no detector: leave its options and time-out out"])
