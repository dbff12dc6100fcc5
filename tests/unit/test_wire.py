"""The short form of a passed case's report between an xdist worker and its controller."""

from __future__ import annotations

import pytest

from pytest_pii_eval.wire import pack, unpack

NODEIDS = ["test_a.py::test_a", "sub/conformance-positive.jsonl::case.1-x", "conformance-negative.jsonl::n"]
EVIDENCE = '{"k":"positive","t":["html"],"o":[[7,0]]} with a space'
LOCATION = ("sub/conformance-positive.jsonl", 41, "positive case.1-x")


def _report(**fields):
    own = {"duration": 0.25, "pii_evidence": EVIDENCE}
    outcome = fields.pop("outcome", "passed")
    return pytest.TestReport(NODEIDS[1], LOCATION, {}, outcome, None, "call", **{**own, **fields})


def _travelled(data, **fields):
    return {**data, "item_index": 1, "worker_id": "gw0", "testrun_uid": "abc", **fields}


def test_what_travels() -> None:
    """Line, duration, kind and evidence travel as one string; node id and name do not."""
    assert pack(_report()) == {"$report_type": "PiiCase", "case": f"41 0.250000 positive {EVIDENCE}"}


def test_the_controller_gets_the_report_back() -> None:
    """What was packed comes back as the report that the worker had."""
    report = unpack(_travelled(pack(_report())), NODEIDS)
    before = _report()
    for name in ("nodeid", "location", "outcome", "when", "longrepr", "sections", "duration", "pii_evidence"):
        assert getattr(report, name) == getattr(before, name), name
    assert (report.passed, report.keywords, report.user_properties) == (True, {}, [])


def test_what_xdist_looks_for_is_there() -> None:
    """The report says which worker ran it, and which item it was."""
    report = unpack(_travelled(pack(_report())), NODEIDS)
    assert (report.item_index, report.worker_id, report.testrun_uid) == (1, "gw0", "abc")


@pytest.mark.parametrize(
    "fields",
    [
        {"outcome": "failed"},
        {"outcome": "skipped"},
        {"sections": [("Captured stdout call", "x")]},
        {"pii_facts": "{}"},
        {"pii_evidence": None},
    ],
)
def test_what_must_travel_whole(fields) -> None:
    """A report that says more than that a case passed is left to xdist."""
    assert pack(_report(**fields)) is None


def test_a_report_without_evidence_is_not_ours() -> None:
    """A passed test of somebody else is left alone."""
    report = pytest.TestReport("test_a.py::test_a", ("test_a.py", 1, "test_a"), {}, "passed", None, "call")
    assert pack(report) is None


@pytest.mark.parametrize(
    "data", [{}, {"$report_type": "TestReport", "nodeid": "x"}, {"$report_type": "CollectReport"}]
)
def test_reports_of_others_are_not_unpacked(data) -> None:
    """Serialised reports of pytest itself are left to pytest."""
    assert unpack(data, NODEIDS) is None


def test_a_long_duration_keeps_microseconds() -> None:
    """Durations are kept to the microsecond."""
    report = unpack(_travelled(pack(_report(duration=123.4567891))), NODEIDS)
    assert report.duration == 123.456789
