"""Python tests beside our files: fixtures live as long as they should, and interrupts leave a report."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import defaultdict

import pytest

from conftest import OTHER_PLUGINS

LOG = """
import os, pathlib, pytest

PLACE = pathlib.Path(__file__).parent
while not (PLACE / "bank.json").exists():
    PLACE = PLACE.parent

def note(*words):
    with (PLACE / "events.log").open("a") as log:
        log.write(" ".join([str(os.getpid()), *words]) + "\\n")

def fixture_of(scope, name):
    @pytest.fixture(scope=scope, autouse=True)
    def fixture():
        note("setup", name)
        yield
        note("teardown", name)
    return fixture
"""
# The scan is patched where it is defined: no hook of a stranger, so the fast path stays on.
ROOT_CONFTEST = """
from log import fixture_of, note
from pytest_pii_eval.detectors.bank_detector import BankDetector

of_the_session = fixture_of("session", "session")
scan = BankDetector.scan

def noted(self, text, **limits):
    note("case")
    return scan(self, text, **limits)

BankDetector.scan = noted
"""
PACKAGE_CONFTEST = """
from log import fixture_of

of_the_package = fixture_of("package", "package")
"""
MODULE = """
from log import fixture_of, note

of_the_module = fixture_of("module", "{name}")

def test_one():
    note("run", "{name}")

def test_two():
    note("run", "{name}")
"""


@pytest.fixture
def mixed(suite):
    """Our files with Python tests before, between and after them, in the same folder and in a package."""
    suite.pytester.makeini("[pytest]\npython_files = *_test.py\npythonpath = .")
    suite.write()
    inner = suite.path / "b_package"
    inner.mkdir()
    files = {
        "log.py": LOG,
        "conftest.py": ROOT_CONFTEST,
        "a_test.py": MODULE.format(name="before"),
        "conformance-o_test.py": MODULE.format(name="between"),
        "z_test.py": MODULE.format(name="after"),
        "b_package/__init__.py": "",
        "b_package/conftest.py": PACKAGE_CONFTEST,
        "b_package/a_test.py": MODULE.format(name="inner-before"),
        "b_package/z_test.py": MODULE.format(name="inner-after"),
    }
    for name, source in files.items():
        (suite.path / name).write_text(source, encoding="utf-8")
    suite.write_rows("b_package/conformance-positive-inner.jsonl", suite.positives[:4])
    suite.write_rows("conformance-positive.jsonl", suite.positives[4:])
    return suite


def events(suite):
    """Return the events of each process, in order."""
    by_process = defaultdict(list)
    for line in (suite.path / "events.log").read_text().splitlines():
        process, _, event = line.partition(" ")
        by_process[process].append(event)
    return list(by_process.values())


def module(name):
    """Return what happens in one Python file."""
    return [f"setup {name}", f"run {name}", f"run {name}", f"teardown {name}"]


def test_fixtures_live_as_long_as_they_should(mixed):
    """Each fixture is torn down once, right behind its last test, whatever files of ours lie around it."""
    result = mixed.run()
    result.assert_outcomes(passed=29 + 10)
    before = module("before")
    inner = module("inner-before")
    assert events(mixed) == [
        [
            "setup session",
            *before,
            "setup package",
            *inner,
            *["case"] * 4,
            *module("inner-after"),
            "teardown package",
            *["case"] * 6,
            *module("between"),
            *["case"] * 14,
            *module("after"),
            "teardown session",
        ]
    ]
    assert mixed.report()["complete"] is True
    assert mixed.report()["passed"] is True


@pytest.mark.parametrize("schedule", ["load", "loadfile"])
def test_fixtures_are_balanced_in_every_worker(mixed, schedule):
    """Under xdist too each setup has its teardown, and no test runs outside its fixtures."""
    result = mixed.run("-n2", f"--dist={schedule}")
    result.assert_outcomes(passed=29 + 10)
    assert mixed.report()["passed"] is True
    cases = 0
    for process in events(mixed):
        live = set()
        for event in process:
            word, _, name = event.partition(" ")
            if word == "setup":
                assert name not in live
                live.add(name)
            elif word == "teardown":
                live.remove(name)
            elif word == "run":
                assert {name, "session"} <= live
            else:
                cases += 1
        assert live == set()
    assert cases == 24


def test_shuffled_items_keep_fixtures_balanced(mixed):
    """pytest-randomly mixes the files; teardown still happens for each setup, and the verdict stands."""
    for seed in (1, 2):
        (mixed.path / "events.log").unlink(missing_ok=True)
        result = mixed.run(f"--randomly-seed={seed}", friends=("randomly",))
        result.assert_outcomes(passed=29 + 10)
        (process,) = events(mixed)
        assert process.count("case") == 24
        for name in ("session", "package", "before", "between", "after", "inner-before", "inner-after"):
            assert process.count(f"setup {name}") == process.count(f"teardown {name}") > 0
        assert mixed.report()["passed"] is True


def test_exit_of_a_python_test_leaves_a_report(mixed):
    """`pytest.exit` between our files: what was heard is counted, the rest is missing."""
    (mixed.path / "conformance-o_test.py").write_text("import pytest\ndef test_it(): pytest.exit('enough')\n")
    result = mixed.run()
    assert result.ret == 2
    report = mixed.report()
    assert report["complete"] is False
    assert report["passed"] is False
    # The four positive cases of the package and the six negatives lie before the exit.
    assert report["conformance"]["correctly_mapped"] == 4
    assert report["conformance"]["approved_positive_cases"] == 18
    assert report["missing"] == sorted(row["case_id"] for row in mixed.positives[4:])


def test_failing_python_test_leaves_our_verdict_alone(mixed):
    """A Python test that fails decides the exit status; the report speaks of the bank alone."""
    (mixed.path / "z_test.py").write_text("def test_it(): assert False\n")
    result = mixed.run()
    result.assert_outcomes(passed=29 + 8, failed=1)
    assert result.ret == 1
    assert mixed.report()["passed"] is True


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals and named pipes")
def test_interrupt_leaves_a_report(suite):
    """Ctrl-C in a case: exit 2, a report of what ran, and the rest named as missing."""
    suite.pytester.makeconftest(
        """
        import signal
        from pytest_pii_eval.detectors.bank_detector import BankDetector

        scan = BankDetector.scan

        def waiting(self, text, **limits):
            if text.startswith("Päper 4 "):
                open("ready", "w").close()
                signal.pause()
            return scan(self, text, **limits)

        BankDetector.scan = waiting
        """
    )
    suite.write()
    os.mkfifo(suite.path / "ready")
    others = [f"-pno:{plugin}" for plugin in OTHER_PLUGINS]
    command = [sys.executable, "-m", "pytest", *others, "--pii-bank=bank.json"]
    with subprocess.Popen(command, cwd=suite.path, stdout=subprocess.PIPE, text=True) as process:
        (suite.path / "ready").open().close()
        process.send_signal(signal.SIGINT)
        try:
            output, _ = process.communicate(timeout=60)
        finally:
            process.kill()  # where the shell that started us ignores interrupts, so does the run
    assert process.returncode == 2
    assert "KeyboardInterrupt" in output
    report = suite.report()
    assert report["complete"] is False
    assert report["passed"] is False
    # person.04 is the ninth positive row.
    assert report["missing"] == sorted(row["case_id"] for row in suite.positives[8:])
    assert report["conformance"]["correctly_mapped"] == 8
    assert report["conformance"]["missed"] == 10
