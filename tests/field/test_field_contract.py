"""The contract for detectors on faults seen in the field that tests/unit/testing/finders.py does not have.

Held there: UTF-16 and byte offsets declared as code points, NFC and NFKD forms, offsets by sentence and
line, lost windows, merged neighbours, first mentions, answers that alternate, state that grows, exceptions
and output with text, spans out of range, objects that cannot be pickled.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from field_suite import run_pytest

pytest.importorskip("hypothesis", reason="the contracts draw texts with hypothesis (extra: testing)")

FAULTS = {
    "Whole": "",
    "CollapsesBlanks": "text_is_taken_as_it_is",
    "CountsGraphemes": "text_is_taken_as_it_is",
    "DropsMarks": "text_is_taken_as_it_is",
    "DropsTheMark": "text_is_taken_as_it_is",
    "GivesUp": "finds_beyond_every_window",
    "ReadsMarkup": "text_is_taken_as_it_is",
    "RedactedOffsets": "finds_every_mention keeps_touching_identifiers_apart",
    "SaysAllTwice": "",
    "SplitsAtSeams": "finds_beyond_every_window",
    # How much it takes depends on where an identifier stands, so it is nowhere found as in a neutral text.
    "TakesTheNextWord": "covers_exactly_the_identifier finds_at_the_edges_of_a_text finds_beyond_every_window"
    " finds_every_mention keeps_touching_identifiers_apart",
}
MODULE = """
import field_finders
import pytest
from pytest_pii_eval.testing import DetectorContract

class Contract(DetectorContract):
    identifiers = field_finders.IDENTIFIERS
    depth, examples, repetitions = 3_000, 5, 5
"""
CLASS = """
class Test{name}(Contract):
    @pytest.fixture(scope="class")
    @classmethod
    def detector(cls):
        return field_finders.{name}()
"""


def test_each_fault_fails_its_tests(pytester, monkeypatch):
    """What a detector does to a text, its windows or its ends fails the tests listed for it, and no other."""
    pytester.makeini(f"[pytest]\npythonpath = {Path(__file__).parent}\nconsole_output_style = classic")
    pytester.makepyfile(test_field=MODULE + "".join(CLASS.format(name=name) for name in FAULTS))
    result = run_pytest(pytester, monkeypatch, "-rA", "-Werror", "-pno:cacheprovider")
    failed = dict.fromkeys(FAULTS, "")
    for line in result.outlines:
        if met := re.match(r"(FAILED|ERROR) test_field\.py::Test(\w+)::test_(\w+)", line):
            failed[met[2]] = f"{failed[met[2]]} {met[3]}".strip()
    assert failed == FAULTS
    assert result.parseoutcomes()["passed"] > 15 * len(FAULTS)
    assert not re.search("okafor|4471|tariq", "\n".join([*result.outlines, *result.errlines]))
