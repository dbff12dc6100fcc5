"""The fixtures for Python tests."""


def test_bank_and_evaluation_reach_python_tests(suite):
    """`pii_bank` is the bank of the run, and `pii_evaluate` gives the report of a directory."""
    suite.write()
    suite.pytester.makepyfile(
        """
        from pytest_pii_eval import BankDetector

        def test_suite(pii_bank, pii_evaluate, request):
            assert pii_bank.id == "small-bank"
            report = pii_evaluate(request.config.rootpath, BankDetector(pii_bank))
            assert report.passed is True
            assert report.conformance.correctly_mapped == 18
            assert report.conformance.negative_cases == 6
        """
    )
    suite.run("-k", "test_suite").assert_outcomes(passed=1, deselected=24 + 5)


def test_bank_fixture_without_a_bank_says_what_to_give(suite):
    """Without a bank the fixture is an error of one line that names the option."""
    suite.pytester.makepyfile("def test_it(pii_bank):\n    pass\n")
    result = suite.run(bank=None)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*needs --pii-bank=FILE or the ini value pii_bank*"])
