"""What docs/detector-protocol.md shows is what the code reads."""

from __future__ import annotations

import json
import sys

from docs_fences import fences

from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors import forms
from pytest_pii_eval.detectors.adapters.process import ProcessDetector
from pytest_pii_eval.detectors.lines import Hello, hello_of, request, response


def _blocks(language):
    return [one.text for one in fences("docs/detector-protocol.md") if one.language == language]


def test_the_program() -> None:
    """The program of the page is a detector."""
    [program] = _blocks("python")
    detector = ProcessDetector([sys.executable, "-c", program])
    assert detector.detect("room 12\n7") == Detection((Span(5, 7, "NUMBER"), Span(8, 9, "NUMBER")))
    assert (detector.name, detector.version, detector.offset_unit) == ("digits", "1", "codepoint")
    detector.close()


def test_the_forms() -> None:
    """The detection and the introduction of the page are read as the page says."""
    detection, hello = map(json.loads, _blocks("json"))
    assert forms.read(detection) == Detection(
        (Span(4, 7, "PERSON"), Span(11, 27, "EMAIL", 0.98)),
        (Span(4, 7, "PERSON", 0.6), Span(11, 27, "EMAIL", 0.98)),
        ((4, 7), (11, 27)),
    )
    assert hello_of(hello) == Hello("mine", "1.4.0", "utf16")


def test_the_lines() -> None:
    """The lines of the page are those that are sent and read."""
    [talk] = [block for block in _blocks("text") if block.startswith(">")]
    hello, first, answer, second, refusal = (line[2:] for line in talk.splitlines())
    assert hello_of(json.loads(hello)).name == "digits"
    assert (request(1, "room 12"), request(2, "\N{GRINNING FACE}")) == (
        f"{first}\n".encode(),
        f"{second}\n".encode(),
    )
    assert response(answer.encode(), 1) == Detection((Span(5, 7, "NUMBER"),))
    assert response(refusal.encode(), 2) == ("ValueError", "digits.py:9", None, None)
