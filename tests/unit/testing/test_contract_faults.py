"""The contract for detectors: each fault fails the test that is named after it, and no other."""

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
    "BytesAsCodepoints": "offsets_are_in_the_declared_unit",
    "Utf16AsCodepoints": "offsets_are_in_the_declared_unit",
    "CodepointsAsBytes": "offsets_are_in_the_declared_unit",
    "InclusiveEnds": "covers_exactly_the_identifier",
    "Window": "finds_beyond_every_window",
    "ChunksOfThousand": "finds_beyond_every_window",
    "CacheByLength": "documents_do_not_affect_each_other",
    "CacheByBeginning": "documents_do_not_affect_each_other",
    "CacheByEnd": "documents_do_not_affect_each_other",
    "Sleeper": "returns_in_time",
    "SleepsOnLength": "returns_in_time",
    "RaisesText": "exceptions_hold_no_text",
    "RaisesTextAlways": "exceptions_hold_no_text",
    "RaisesTextInCause": "exceptions_hold_no_text",
    "RaisesTextInNote": "exceptions_hold_no_text",
    "RaisesTextInGroup": "exceptions_hold_no_text",
    "RaisesOnNul": "answers_any_text",
    "Logs": "output_holds_no_text",
    "LogsDebugFields": "output_holds_no_text",
    "Prints": "output_holds_no_text",
    "WritesToDescriptor": "output_holds_no_text",
    "Warns": "output_holds_no_text",
    "OddEven": "equal_input_gives_equal_answers",
    "Composes": "text_is_taken_as_it_is",
    "Decomposes": "text_is_taken_as_it_is",
    "Strips": "text_is_taken_as_it_is",
    "UnixLineEnds": "text_is_taken_as_it_is",
    "DropsZeroWidth": "text_is_taken_as_it_is",
    "EndsAtNul": "text_is_taken_as_it_is",
    "Folds": "text_is_taken_as_it_is",
    "SentenceOffsets": "offsets_count_from_the_start_of_the_text",
    "LineOffsets": "offsets_count_from_the_start_of_the_text",
    "BatchDrifts": "batch_equals_single",
    "BatchSorts": "batch_equals_single",
    "Grows": "state_does_not_grow",
    "Connects": "uses_no_network",
    "LooksUp": "uses_no_network",
    "MergesNeighbours": "keeps_touching_identifiers_apart",
    "FirstMention": "finds_every_mention",
    "Unpicklable": "works_in_another_process",
    "OtherFingerprint": "works_in_another_process",
    "ChangingFingerprint": "fingerprint_is_a_stable_digest",
    "ClipsAtTheEnd": "finds_at_the_edges_of_a_text",
    "OutOfRange": "offsets_are_valid",
    "FloatOffsets": "offsets_are_valid",
    "NoDetection": "offsets_are_valid",
    "SpanOnBlanks": "blank_text_has_no_spans",
    "FindsNothing": "finds_its_identifiers",
    "SharesABuffer": "threads_get_equal_answers",
    "Unprotected": "protection_covers_selected",
}
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


def _run(pytester, names, *arguments, limit="5.0"):
    pytester.makeini(f"[pytest]\npythonpath = {_HERE}")
    source = MODULE.format(limit=limit) + "".join(CLASS.format(name=name) for name in names)
    pytester.makepyfile(test_broken=source)
    return pytester.runpytest_subprocess("-v", "-p", "no:cacheprovider", "-W", "error", *arguments)


def _outcomes(result):
    """Return the tests that failed or broke, by class, from the lines of `-v`."""
    failed = {}
    for line in result.outlines:
        met = re.match(r"test_broken\.py::Test(\w+)::test_(\w+) (\w+)", line)
        if met:
            failed.setdefault(met[1], [])
            if met[3] not in ("PASSED", "SKIPPED"):
                failed[met[1]].append(met[2])
    return failed


def test_each_fault_fails_its_own_test(pytester):
    """A detector with one fault fails the test of that name, a correct one none."""
    slow = ("Sleeper", "SleepsOnLength")
    failed = _outcomes(_run(pytester, [name for name in FAULTS if name not in slow]))
    failed |= _outcomes(_run(pytester, slow, limit="0.5"))
    assert failed == {name: [fault] if fault else [] for name, fault in FAULTS.items()}
