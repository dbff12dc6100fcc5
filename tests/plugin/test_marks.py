"""Marks that a conftest puts on items of ours mean what they mean on any item."""

from __future__ import annotations

MARKING = """
import pytest

def pytest_collection_modifyitems(items):
    for item in items:
        if item.name in {"clean.01", "clean.05", "person.02", "every-tag-is-covered"}:
            item.add_marker(pytest.mark.skip(reason="not today"))
        if item.name == "email.03":
            item.add_marker(pytest.mark.xfail(reason="known", strict=True))
"""


def test_skipped_cases_are_a_hole_and_expected_failures_count(suite, processes) -> None:
    """A skip mark skips a case or a check wherever it stands in its file; the run is incomplete and fails.

    The case that is marked as expected to fail passes, and a strict mark makes that a failure.
    """
    suite.pytester.makeconftest(MARKING)
    suite.write().run(*processes).assert_outcomes(passed=24, skipped=4, failed=1)
    report = suite.report()
    assert (report["complete"], report["passed"]) == (False, False)
    assert report["missing"] == ["clean.01", "clean.05", "every-tag-is-covered", "person.02"]
    conformance = report["conformance"]
    assert (conformance["correctly_mapped"], conformance["missed"], conformance["negative_cases"]) == (
        17,
        1,
        6,
    )
