"""A run that meets none of our files pays nothing for this plugin, and does not see it."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROBE = """
import sys

def test_nothing_heavy():
    heavy = {"pydantic", "pydantic_core", "regex", "ahocorasick_rs", "nerb"}
    assert heavy.isdisjoint(sys.modules)
"""


def test_strangers_run_imports_nothing_heavy(suite):
    """No pydantic, regex or automaton is loaded, nothing is printed or written."""
    suite.pytester.makepyfile(test_probe=PROBE)
    (suite.path / "rows.jsonl").write_text("{}\n")
    (suite.path / "bank.json").write_text("no bank at all")
    result = suite.run_cold()
    result.assert_outcomes(passed=1)
    assert_unseen(suite, result)


def test_bank_in_the_ini_file_costs_nothing_without_cases(suite):
    """With `pii_bank` set, a run of Python tests alone neither loads the bank nor mentions it."""
    suite.pytester.makeini("[pytest]\npii_bank = data/bank.json")
    suite.pytester.makepyfile(test_probe=PROBE)
    (suite.path / "data").mkdir()
    (suite.path / "data/bank.json").write_text("no bank at all")
    result = suite.run_cold("test_probe.py")
    result.assert_outcomes(passed=1)
    assert_unseen(suite, result)


@pytest.mark.parametrize("argument", ["test_probe.py", "test_probe.py::test_nothing_heavy"])
def test_case_files_that_are_not_asked_for_cost_nothing(suite, argument):
    """Case files and bank beside a Python test are walked past: not read, nothing heavy loaded for them."""
    suite.pytester.makeini("[pytest]\npii_bank = bank.json")
    suite.pytester.makepyfile(test_probe=PROBE)
    suite.write()
    result = suite.run_cold(argument)
    result.assert_outcomes(passed=1)
    assert_unseen(suite, result)


def assert_unseen(suite, result):
    """Check that nothing but pytest's own list of plugins shows that this one is installed."""
    shown = [line for line in result.outlines + result.errlines if "pii" in line]
    assert all(line.startswith(("plugins: ", "rootdir: ", "running: ", "     in: ")) for line in shown)
    assert not (suite.path / ".pii_eval").exists()


def test_entry_module_imports_pytest_and_the_standard_library_alone():
    """Importing the plugin module loads no third-party module beyond those pytest itself loads."""
    program = """
import sys
import pytest
before = set(sys.modules)
import pytest_pii_eval.plugin
new = {name.partition(".")[0] for name in set(sys.modules) - before}
print(sorted(new - set(sys.stdlib_module_names)))
"""
    finished = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert finished.stdout == "['pytest_pii_eval']\n"
