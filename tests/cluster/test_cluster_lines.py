"""What `pii-eval run` and `predict` print where something goes wrong: one line, their own words, no text."""

from __future__ import annotations

from pathlib import Path

import pytest
from cluster_suite import MAIL, ClusterSuite, told

from pytest_pii_eval.cli import main
from pytest_pii_eval.cluster.failed_cases import FailedCases
from pytest_pii_eval.cluster.mapped import Group

LONG = "x" * 300
# Ends the process with text of a document where nobody asks about one.
EXITING = """
from pytest_pii_eval import Detection, Span

TEXT = "Zephyrine Quartzmore"

class Spans(tuple):
    def __iter__(self):
        raise MODE(TEXT)

class Iterated:
    name, version, offset_unit = "exiting", "1", "codepoint"

    def fingerprint(self):
        return "sha256:" + "7" * 64

    def detect(self, text):
        return Detection(Spans((Span(0, 1, "email"),)))

class Asked(Iterated):
    asked = 0

    def fingerprint(self):
        Asked.asked += 1
        if Asked.asked > 1:
            raise MODE(TEXT)
        return super().fingerprint()

    def detect(self, text):
        return Detection(())
"""


@pytest.fixture
def suite(tmp_path, monkeypatch):
    """Forty documents in two files, written, below the working directory."""
    monkeypatch.chdir(tmp_path)
    return ClusterSuite(tmp_path).write()


def exiting(suite, mode):
    """Write the detectors, in a module of its own name, that raise `mode`."""
    module = f"exiting_{suite.root.name}_{mode.lower()}"
    (suite.root / f"{module}.py").write_text(EXITING.replace("MODE", mode), encoding="utf-8")
    return module


VERBS = [("run", "suite", "--quiet"), ("predict", "suite", "--out", "made.jsonl", "--quiet")]


@pytest.mark.parametrize("verb", VERBS, ids=["run", "predict"])
@pytest.mark.parametrize("detector", ["Iterated", "Asked"])
@pytest.mark.parametrize("mode", ["SystemExit", "GeneratorExit", "ValueError"])
def test_an_exit_with_text_is_one_line_without_it(suite, capsys, verb, detector, mode):
    """An answer that raises when it is read, and the second question about the detector itself: no text."""
    code = main([*verb, "--detector", f"{exiting(suite, mode)}:{detector}"])
    captured = capsys.readouterr()
    assert not told(captured.out + captured.err)
    assert "Traceback" not in captured.err
    assert captured.err.count("\n") <= 1
    assert code == 1
    assert mode in captured.err


@pytest.mark.parametrize("verb", VERBS, ids=["run", "predict"])
def test_an_interrupt_of_a_detector_keeps_its_meaning(suite, capsys, verb):
    """Status 130 and a line, without the text that it came with."""
    assert main([*verb, "--detector", f"{exiting(suite, 'KeyboardInterrupt')}:Iterated"]) == 130
    captured = capsys.readouterr()
    assert "interrupted" in captured.err
    assert not told(captured.out + captured.err)


@pytest.mark.parametrize("option", ["--cluster", "--baseline", "--report", "--html", "--markdown"])
def test_a_name_that_is_too_long_is_wrong_usage(suite, capsys, option):
    """300 characters: status 2, the option, and no traceback."""
    try:
        code = main(["run", "suite", "--bank", "bank.json", option, LONG])
    except SystemExit as ended:  # argparse
        code = ended.code
    assert code == 2
    assert option in capsys.readouterr().err.splitlines()[-1]


def test_a_suite_whose_name_is_too_long_is_no_directory(suite, capsys):
    """It is the suite that is told, and not the file of the predictions."""
    assert main(["predict", LONG, "--bank", "bank.json", "--out", "made.jsonl"]) == 1
    assert capsys.readouterr().err == f"{LONG}: is no directory\n"


def test_a_url_is_refused_where_nothing_reads_it(suite, capsys):
    """`predict` in one process reads folders; the URL is not told, as it may hold a key."""
    url = "https://user:SECRET@host/suite?sig=SECRET"
    assert main(["predict", url, "--bank", "bank.json", "--out", "made.jsonl"]) == 2
    assert capsys.readouterr().err == "pii-eval predict: a suite at a URL goes with --cluster\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--detector", "nobody"], "--detector: no detector has this name; name module:attribute or one of:"),
        (["--detector", "nobody_here:find"], "--detector: there is no module nobody_here;"),
        (["--detector", "DETECTOR", "--detector-option", "a=b"], "--detector-option: DETECTOR takes no a;"),
        (["--bank", "bank.json", "--types", "nothing"], "--types: 1 of the 1 names are no type of"),
    ],
)
def test_faults_name_the_arguments_of_the_command(suite, capsys, arguments, line):
    """What `--pii-detector` is for pytest is `--detector` here."""
    given = [one.replace("DETECTOR", suite.detector) for one in arguments]
    for verb in VERBS if "--types" not in arguments else VERBS[:1]:
        assert main([*verb, *given]) == 1
        captured = capsys.readouterr()
        assert captured.err.startswith(line.replace("DETECTOR", suite.detector)), verb
        assert "--pii-" not in captured.err


def test_what_is_an_option_of_pytest_stays_one(suite, capsys):
    """A sealed freeze is run by pytest alone, and by its option."""
    suite.suite_file = "role: sealed_freeze\n"
    suite.write()
    for verb in VERBS:
        assert main([*verb, "--bank", "bank.json"]) == 1
        line = "suite: is a sealed freeze: only pytest --pii-sealed runs it, once a promotion\n"
        assert capsys.readouterr().err == line


@pytest.mark.parametrize("verb", VERBS, ids=["run", "predict"])
@pytest.mark.parametrize("limit", ["1000000.1", "999999999999999999", "1e3", "0", "-1"])
def test_a_time_limit_has_bounds(suite, capsys, verb, limit):
    """A limit that no clock of the system takes would leave each document without an answer."""
    with pytest.raises(SystemExit) as ended:
        main([*verb, "--bank", "bank.json", f"--timeout={limit}"])
    assert ended.value.code == 2
    rule = "argument --timeout: must be a plain decimal number of seconds above 0, at most 1,000,000\n"
    assert capsys.readouterr().err.endswith(rule)


def test_the_longest_time_limit_is_taken(suite):
    """The bound itself serves: every document has an answer."""
    detector = ["--detector", suite.detector, "--timeout", "1000000"]
    assert main(["run", "suite", *detector, "--quiet"]) == 0


def test_a_report_that_was_not_written_is_not_claimed(suite, capsys, monkeypatch):
    """A disk that takes no report and no page: neither is named as written, and why is told."""

    def full(path, text):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pytest_pii_eval.session.publish.write_atomically", full)
    monkeypatch.setattr("pytest_pii_eval.session.outputs.write_atomically", full)
    pages = ["--report", "r.json", "--html", "r.html", "--markdown", "r.md"]
    assert main(["run", "suite", "--bank", "bank.json", "--quiet", *pages]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert not [line for line in lines if line.startswith(("report  ", "HTML  ", "Markdown  "))]
    assert "pii-eval: the report could not be written (No space left on device): r.json" in lines


def test_one_page_that_was_not_written_leaves_the_others(suite, capsys):
    """A page into a folder that is a file: the report is named, the page is not."""
    Path("taken").touch()
    assert main(["run", "suite", "--bank", "bank.json", "--quiet", "--html", "taken/r.html"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "report       .pii_eval/report.json" in lines
    assert not [line for line in lines if line.startswith("HTML  ")]


def test_credentials_of_a_url_are_not_told(suite, capsys):
    """A signature in the query of a URL is neither printed nor in the report, nor in a fault."""
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.put(str(suite.path), "/bucket/suite?sig=SECRET", recursive=True)
    arguments = ["run", "memory://bucket/suite?sig=SECRET", "--bank", "bank.json", "--quiet"]
    try:
        assert main(arguments) == 0
        report = Path(".pii_eval/report.json").read_text(encoding="utf-8")
        memory.pipe_file("/bucket/suite?sig=SECRET/quality-slices.jsonl", b"{}\n")
        assert main(arguments) == 1
    finally:
        memory.rm("/bucket", recursive=True)
    captured = capsys.readouterr()
    assert "SECRET" not in captured.out + captured.err + report
    assert captured.err.startswith("suite/quality-slices.jsonl:1: ")
    assert main(["run", "memory://user:SECRET@host", "--bank", "bank.json"]) == 1
    assert capsys.readouterr().err == "the suite: cannot be listed (FileNotFoundError)\n"


def test_a_url_that_ends_in_dots(suite):
    """`suite/.` and `suite/inner/..` are the folder itself."""
    pytest.importorskip("fsspec")
    (suite.path / "inner").mkdir()
    for where in (f"local://{suite.path}/.", f"local://{suite.path}/inner/.."):
        assert main(["run", where, "--bank", "bank.json", "--quiet"]) == 0, where


def positive(number, *, is_found):
    """Return a case with one address, which the bank does not find where it is the part of a word."""
    text = f"Case {number} to {MAIL}." if is_found else f"Case {number} to {MAIL}x."
    start = text.index(MAIL)
    expected = {
        "entity_id": "email",
        "name_id": "address",
        "pattern_id": "plain",
        "pattern_kind": "literal",
        "canonical_name": "an address",
        "string": MAIL,
        "start": start,
        "end": start + len(MAIL),
    }
    version = "nerb.enron_conformance_positive_case.v2"
    head = {"schema_version": version, "case_id": f"case-{number:03}", "text": text}
    return {**head, "tags": ["whitespace"], "expected": [expected]}


def test_failed_cases_are_named(suite, capsys):
    """Two of four cases in two files do not hold: their lines, in the order of the suite, and no text."""
    rows = [positive(number, is_found=number % 2 == 0) for number in range(4)]
    suite.rows("conformance-positive-0001.jsonl", rows[:2])
    suite.rows("conformance-positive-0002.jsonl", rows[2:])
    assert main(["run", "suite", "--bank", "bank.json", "--quiet"]) == 1
    out = capsys.readouterr().out
    why = "1 of 1 expected records not mapped (1 missed, 0 wrong canonical)"
    assert [line for line in out.splitlines() if line.startswith("failed ")] == [
        f"failed       case case-001: {why}",
        f"failed       case case-003: {why}",
    ]


def test_failed_cases_beyond_fifty_are_counted():
    """Groups of 40 failed, 3 failed, and 70 of which 50 are told: 50 lines, then how many more."""
    cases = FailedCases()
    assert cases.lines() == []
    for first, failed, shown in ((0, 40, 40), (40, 3, 3), (43, 70, 50)):
        cases.add(Group("", failed, tuple(f"case {number}" for number in range(first, first + shown))))
    assert cases.lines() == [*(f"case {number}" for number in range(50)), "and 63 more failed cases"]
