"""The contract for detectors: a fault fails the test named after it, no other, and shows no text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("hypothesis", reason="the contracts draw texts with hypothesis (extra: testing)")

_HERE = Path(__file__).parent
FAULTS = {
    "Correct": "",
    "CorrectBytes": "",
    "CorrectUtf16": "",
    "AnswersOfTheLast": "documents_do_not_affect_each_other",
    "BatchConnects": "uses_no_network",
    "BatchDrifts": "batch_equals_single",
    "BatchGrows": "state_does_not_grow",
    "BatchRaisesText": "exceptions_hold_no_text",
    "BatchSorts": "batch_equals_single",
    "BatchTruncates": "batch_equals_single",
    "BytesAsCodepoints": "offsets_are_in_the_declared_unit",
    "CacheByBeginning": "documents_do_not_affect_each_other",
    "CacheByEnd": "documents_do_not_affect_each_other",
    "CacheByLength": "documents_do_not_affect_each_other",
    "CandidatesInBytes": "offsets_are_in_the_declared_unit",
    "ChangingFingerprint": "fingerprint_is_a_stable_digest",
    "ChunksOfThousand": "finds_beyond_every_window",
    "ClipsAtTheEnd": "finds_at_the_edges_of_a_text",
    "CodepointsAsBytes": "offsets_are_in_the_declared_unit",
    "Composes": "text_is_taken_as_it_is",
    "Connects": "uses_no_network",
    "Decomposes": "text_is_taken_as_it_is",
    "DropsZeroWidth": "text_is_taken_as_it_is",
    "EndsAtNul": "text_is_taken_as_it_is",
    "FindsEnds": "covers_exactly_the_identifier",
    "FindsHalves": "covers_exactly_the_identifier",
    "FindsNothing": "finds_its_identifiers",
    "FirstMention": "finds_every_mention",
    "FloatOffsets": "offsets_are_valid",
    "Folds": "text_is_taken_as_it_is",
    "Grows": "state_does_not_grow",
    "InclusiveEnds": "covers_exactly_the_identifier",
    "KeepsValues": "state_does_not_grow",
    "LineOffsets": "offsets_count_from_the_start_of_the_text",
    "Logs": "output_holds_no_text",
    "LogsDebugFields": "output_holds_no_text",
    "LooksUp": "uses_no_network",
    "MergesNeighbours": "keeps_touching_identifiers_apart",
    "NoCollection": "offsets_are_valid",
    "NoDetection": "offsets_are_valid",
    "OddEven": "equal_input_gives_equal_answers",
    "OtherFingerprint": "works_in_another_process",
    "OutOfRange": "offsets_are_valid",
    "Prints": "output_holds_no_text",
    "PrintsBytesToAKeptStream": "output_holds_no_text",
    "PrintsToAKeptStream": "output_holds_no_text",
    "PrintsValues": "output_holds_no_text",
    "ProtectionWideInBytes": "offsets_are_in_the_declared_unit",
    "RaisesBase64": "exceptions_hold_no_text",
    "RaisesOnNul": "answers_any_text",
    "RaisesPrefix": "exceptions_hold_no_text",
    "RaisesText": "exceptions_hold_no_text",
    "RaisesTextAlways": "exceptions_hold_no_text",
    "RaisesTextInCause": "exceptions_hold_no_text",
    "RaisesTextInGroup": "exceptions_hold_no_text",
    "RaisesTextInNote": "exceptions_hold_no_text",
    "Random": "equal_input_gives_equal_answers",
    "RandomSometimes": "equal_input_gives_equal_answers",
    "SentenceOffsets": "offsets_count_from_the_start_of_the_text",
    "SharesABuffer": "threads_get_equal_answers",
    "SpanOnBlanks": "blank_text_has_no_spans",
    "Strips": "text_is_taken_as_it_is",
    "TokenWindows": "finds_beyond_every_window",
    "TuplesForSpans": "offsets_are_valid",
    "TwentySpans": "finds_every_mention",
    "UnixLineEnds": "text_is_taken_as_it_is",
    "Unpicklable": "works_in_another_process",
    "Unprotected": "protection_covers_selected",
    "Utf16AsCodepoints": "offsets_are_in_the_declared_unit",
    "Warns": "output_holds_no_text",
    "WideWindows": "finds_beyond_every_window",
    "WideWordWindows": "finds_beyond_every_window",
    "Window": "finds_beyond_every_window",
    "WordWindows": "finds_beyond_every_window",
    "WritesToDescriptor": "output_holds_no_text",
}
SLOW_FAULTS = {"Sleeper": "returns_in_time", "SleepsOnLength": "returns_in_time"}
MODULE = """
import finders
import pytest
from pytest_pii_eval.testing import DetectorContract

class Contract(DetectorContract):
    identifiers = finders.IDENTIFIERS
    time_limit = {limit}
    depth = 6_000
    examples = 10
    repetitions = 20

"""
CLASS = """
class Test{name}(Contract):
    @pytest.fixture(scope="class")
    @classmethod
    def detector(cls):
        return finders.{name}()
"""
# All that pytest can be asked to show: variables, output, records, warnings.
LOUD = ("-l", "--tb=long", "-vv", "-rA", "-s", "--log-cli-level=DEBUG", "--full-trace", "--showlocals")
SECRETS = re.compile(
    r"zoe.?quill|example\.(org|net)|max.?tarn|20.?7946|quorfenbilge|vastrumelick|please about|about after"
    r"|7a6f652e7175696c6c|кириллица|日本語|Jose\u0301",
    re.IGNORECASE,
)


@pytest.fixture
def run(pytester):
    """Return what runs a module of contract classes with the arguments, warnings being errors."""
    pytester.makeini(f"[pytest]\npythonpath = {_HERE}\nconsole_output_style = classic")

    def run(source, *arguments):
        pytester.makepyfile(test_broken=source)
        fixed = ("-p", "no:cacheprovider", "-p", "no:randomly", "-W", "error")
        return pytester.runpytest_subprocess(*fixed, *arguments)

    return run


def outcomes(result):
    """Return the tests that failed or broke, by class, from the lines of `-rA`."""
    failed = {}
    for line in result.outlines:
        met = re.match(r"(PASSED|FAILED|ERROR) test_broken\.py::Test(\w+)::test_(\w+)", line)
        if met:
            failed.setdefault(met[2], [])
            if met[1] != "PASSED":
                failed[met[2]].append(met[3])
    return failed


def source_of(names, limit):
    return MODULE.format(limit=limit) + "".join(CLASS.format(name=name) for name in names)


def expected(faults):
    return {name: [fault] if fault else [] for name, fault in faults.items()}


def test_each_fault_fails_its_own_test_and_shows_no_text(run):
    """A detector with one fault fails the test of that name, a correct one none; no failure holds text."""
    result = run(source_of(FAULTS, limit=10.0), *LOUD)
    assert outcomes(result) == expected(FAULTS)
    assert not SECRETS.search("\n".join([*result.outlines, *result.errlines]))


def test_one_that_sleeps_fails_the_test_of_time_alone(run):
    """A detector that is stuck fails the test of time, and the others end without it."""
    result = run(source_of(SLOW_FAULTS, limit=0.5), *LOUD)
    assert outcomes(result) == expected(SLOW_FAULTS)
    assert not SECRETS.search("\n".join([*result.outlines, *result.errlines]))


@pytest.mark.parametrize("capture", ["fd", "sys", "no"])
def test_streams_kept_from_import_show_nothing(run, capture):
    """What a detector writes to a stream it kept is dropped in every test, however pytest captures."""
    faults = {name: FAULTS[name] for name in ("PrintsToAKeptStream", "PrintsBytesToAKeptStream")}
    result = run(source_of(faults, limit=10.0), "-rA", "--tb=long", f"--capture={capture}")
    assert outcomes(result) == expected(faults)
    assert not SECRETS.search("\n".join([*result.outlines, *result.errlines]))


OPTIONS = """
def make():
    return finders.Unpicklable()

class TestFactory(Contract):
    factory = make

    @pytest.fixture(scope="class")
    @classmethod
    def detector(cls):
        return make()

class TestNamedFactory(TestFactory):
    factory = "finders:Unpicklable"

class TestNewEachTime(Contract):
    @pytest.fixture
    def detector(self):
        return finders.Correct()

class TestOwnThread(Contract):
    time_limit = None

    @pytest.fixture
    def detector(self):
        return finders.Correct()

class TestLoopback(Contract):
    network = "loopback"

    @pytest.fixture
    def detector(self):
        return finders.Connects()

class TestOneIdentifierAnyLabel(Contract):
    identifiers = [(None, finders.IDENTIFIERS[0][1])]

    @pytest.fixture
    def detector(self):
        return finders.CorrectUtf16()

class TestBrokenProperty(Contract):
    @pytest.fixture
    def detector(self):
        return finders.BrokenProperty()

class TestNoIdentifiers(Contract):
    identifiers = ()

    @pytest.fixture
    def detector(self):
        return finders.Correct()

class TestBlankAtTheEnd(TestNoIdentifiers):
    identifiers = [("EMAIL", finders.IDENTIFIERS[0][1] + " ")]
"""


def test_options_are_kept_also_under_xdist(run):
    """Factory, scope of the fixture, thread and network are as the class says, over two processes too."""
    pytest.importorskip("xdist", reason="runs the contract in two processes")
    result = run(MODULE.format(limit=10.0) + OPTIONS, *LOUD, "-n2")
    met = outcomes(result)
    broken_off = met.pop("BrokenProperty")
    refused = met.pop("NoIdentifiers"), met.pop("BlankAtTheEnd")
    kept = ("Factory", "NamedFactory", "NewEachTime", "OwnThread", "Loopback", "OneIdentifierAnyLabel")
    assert met == {name: [] for name in kept}
    assert sorted(broken_off) == [
        "batch_equals_single",
        "exceptions_hold_no_text",
        "output_holds_no_text",
        "state_does_not_grow",
        "uses_no_network",
    ]
    assert [len(tests) for tests in refused] == [24, 24]
    result.stdout.fnmatch_lines(
        ["*identifier 0 is no (label or None, value) whose value has no blanks at its ends"]
    )
    assert not SECRETS.search("\n".join([*result.outlines, *result.errlines]))
