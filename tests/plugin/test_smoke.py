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


def test_help_names_every_option(pytester):
    """`pytest --help` prints them all: a sign that its formatter takes for its own would end it."""
    result = pytester.runpytest_subprocess("--help")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*--pii-bank=FILE*", "*--pii-detector=NAME*", "*--pii-max-p95-ms=*"])
