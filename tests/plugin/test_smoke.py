"""The small suite passes as it stands."""


def test_small_suite_passes(suite, processes):
    """Bank, cases and support checks hold, and the report says so."""
    result = suite.write().run(*processes)
    result.assert_outcomes(passed=18 + 6 + 5)
    assert result.ret == 0
    report = suite.report()
    assert report["passed"] is True
    assert report["complete"] is True
    assert report["conformance"]["correctly_mapped"] == 18
    assert report["conformance"]["negative_cases"] == 6
