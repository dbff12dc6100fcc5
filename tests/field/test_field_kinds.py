"""Kinds of faults seen in the field, in texts of our own, held by a detector that answers just so.

Kinds that other tests hold: labels of the wrong case (tests/plugin/test_detector_faults.py,
`test_case_is_never_folded`), maps that lead nowhere (`test_a_map_that_leads_nowhere_is_a_collection_error`),
a detector that is stuck (`test_a_stuck_detector_is_killed`), one that breaks in a batch
(`test_one_bad_document_spoils_no_other_of_its_batch`), gold in another unit
(tests/plugin/test_offset_units.py); odd answers, labels and state (test_field_answers.py); text in
exceptions, output and files of a run, and pickling (test_field_leaks.py); what the contract finds
(test_field_contract.py and tests/unit/testing/test_contract_faults.py).
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import pytest
from field_suite import Figures, constant, failed_gates, figures, held, rate

Rows: TypeAlias = list[tuple[int, int, str]]
_P, _C = "PERSON", "COMPANY"


class Kind(NamedTuple):
    """A text, its gold, what a detector answers, the gates that fail, and the figures; all by hand."""

    text: str
    gold: Rows
    answer: Rows
    gates: str
    figures: Figures


SHIFTED, EXTRA = "leaks recall precision", "precision false_alarm_rate"
KINDS = {
    "utf-16 units": Kind(
        "🎻🎻 met Ines Falkner today",
        [(7, 19, _P)],
        [(9, 21, _P)],
        SHIFTED,
        Figures(0, 1, 1, 12, 10, 0, 0, 0),
    ),
    "bytes": Kind(
        "Ärger über Ines Falkner heute",
        [(11, 23, _P)],
        [(13, 25, _P)],
        SHIFTED,
        Figures(0, 1, 1, 12, 10, 0, 0, 0),
    ),
    "graphemes": Kind(  # the first one is four code points
        "👩‍⚕️ Ines Falkner called",
        [(5, 17, _P)],
        [(2, 14, _P)],
        SHIFTED,
        Figures(0, 1, 1, 12, 9, 0, 0, 0),
    ),
    "composed form": Kind(
        "Zoe\u0308 Falk wrote",
        [(0, 9, _P)],
        [(0, 8, _P)],
        SHIFTED,
        Figures(0, 1, 1, 9, 8, 0, 0, 0),
    ),
    "decomposed form": Kind(
        "für Zoë Falk da",
        [(4, 12, _P)],
        [(5, 14, _P)],
        SHIFTED,
        Figures(0, 1, 1, 8, 7, 0, 0, 0),
    ),
    "offsets of a sentence": Kind(
        "Ines rang. Ines Falkner wrote.",
        [(0, 4, _P), (11, 23, _P)],
        [(0, 4, _P), (0, 12, _P)],
        SHIFTED,
        Figures(1, 1, 1, 16, 5, 1, 0, 0),  # (0, 12) reaches the second name's first letter
    ),
    "offsets of a sentence that are those of another": Kind(
        "Ines called. Omar called.",
        [(0, 4, _P), (13, 17, _P)],
        [(0, 4, _P), (0, 4, _P)],
        SHIFTED,
        Figures(1, 0, 1, 8, 4, 1, 0, 1),
    ),
    "offsets in the redacted text": Kind(
        "Ines and Omar Falkner left",
        [(0, 4, _P), (9, 21, _P)],
        [(0, 4, _P), (26, 38, _P)],
        "leaks recall dropped",
        Figures(1, 0, 1, 16, 4, 1, 1, 0),
    ),
    "offsets in the rendered text": Kind(
        "<b>Ines&amp;Omar</b> Ltd",
        [(3, 16, _C)],
        [(0, 9, _C)],
        SHIFTED,
        Figures(0, 1, 1, 13, 6, 0, 0, 0),
    ),
    "marks of direction": Kind(
        "\u200fנועם\u200f (Noam)",  # noqa: RUF001  # Hebrew is Hebrew
        [(1, 5, _P), (8, 12, _P)],
        [(0, 6, _P), (8, 12, _P)],
        "recall precision",
        Figures(1, 1, 1, 8, 8, 2, 0, 0),
    ),
    "byte order mark": Kind(
        "\ufeffInes Falkner",
        [(1, 13, _P)],
        [(0, 12, _P)],
        SHIFTED,
        Figures(0, 1, 1, 12, 11, 0, 0, 0),
    ),
    "duplicates": Kind(
        "Ines Falkner",
        [(0, 12, _P)],
        [(0, 12, _P)] * 4,
        "precision",
        Figures(1, 0, 0, 12, 12, 1, 0, 3),
    ),
    "overlaps where nothing is": Kind(
        "batch 2026-0417-88 sealed",
        [],
        [(6, 18, "PHONE"), (11, 18, _P), (6, 15, _C), (6, 18, "SSN")],
        EXTRA,
        Figures(0, 4, 0, 0, 0, 0, 0, 0),
    ),
    "out of range, empty, reversed, negative": Kind(
        "brief",
        [],
        [(0, 900, _P), (2, 2, _P), (4, 1, _P), (-4, -1, _P), (5, 6, _P)],
        "dropped",
        Figures(0, 0, 0, 0, 0, 0, 5, 0),
    ),
    "another occurrence": Kind(
        "Falk met Ines Falk",
        [(0, 4, _P), (9, 18, _P)],
        [(0, 4, _P), (9, 13, _P)],
        SHIFTED,
        Figures(1, 1, 1, 13, 8, 1, 0, 0),
    ),
    "one mention of two": Kind(
        "Ines came; Ines left",
        [(0, 4, _P), (11, 15, _P)],
        [(0, 4, _P)],
        "leaks recall",
        Figures(1, 0, 1, 8, 4, 1, 0, 0),
    ),
    "a part": Kind(
        "call 0049 30 5550 172 now",
        [(5, 21, "PHONE")],
        [(5, 17, "PHONE")],
        SHIFTED,
        Figures(0, 1, 1, 16, 12, 0, 0, 0),
    ),
    "too much": Kind(
        "account AB12 0042 bounced",
        [(8, 17, "IBAN")],
        [(8, 25, "IBAN")],
        "recall precision",
        Figures(0, 1, 1, 9, 9, 1, 0, 0),
    ),
    "halves at a seam": Kind(
        "y" * 507 + " ines@mail.example end",
        [(508, 525, "EMAIL")],
        [(508, 512, "EMAIL"), (512, 525, "EMAIL")],
        "recall precision",
        Figures(0, 2, 1, 17, 17, 1, 0, 0),
    ),
    "neighbours as one": Kind(
        "i@x.example o@y.example",
        [(0, 11, "EMAIL"), (12, 23, "EMAIL")],
        [(0, 23, "EMAIL")],
        "recall precision",
        Figures(0, 1, 2, 22, 22, 2, 0, 0),
    ),
    "another type": Kind(
        "Falk GmbH pays",
        [(0, 9, _C)],
        [(0, 9, _P)],
        "recall precision",
        Figures(0, 1, 1, 9, 9, 1, 0, 0),
    ),
    "nothing, after its own time-out": Kind(
        "7.7.7." * 6_000 + " i@x.example",
        [(36_001, 36_012, "EMAIL")],
        [],
        "leaks recall",
        Figures(0, 0, 1, 11, 0, 0, 0, 0),
    ),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_shows_in_figures_and_gates(tmp_path, name):
    """Nothing is shifted, folded, merged or clamped to look better, and the gates for it fail."""
    kind = KINDS[name]
    types = {row[2] for row in [*kind.gold, *kind.answer]}
    report = held(tmp_path, (kind.text, kind.gold), constant(kind.answer), types)
    assert figures(report) == kind.figures
    assert failed_gates(report) == set(kind.gates.split())
    assert report.passed is False


@pytest.mark.parametrize("name", KINDS)
def test_the_right_answer_passes(tmp_path, name):
    """Control: a detector that answers the gold breaks no gate, so that it is the fault that breaks them."""
    kind = KINDS[name]
    types = {row[2] for row in [*kind.gold, *kind.answer]}
    assert failed_gates(held(tmp_path, (kind.text, kind.gold), constant(kind.gold), types)) == set()


@pytest.mark.parametrize(("name", "unit"), [("utf-16 units", "utf16"), ("bytes", "byte")])
def test_a_declared_unit_is_converted_exactly(tmp_path, name, unit):
    """The very answer that is shifted as code points is right once its unit is declared."""
    kind = KINDS[name]
    report = held(tmp_path, (kind.text, kind.gold), constant(kind.answer, unit))
    assert (failed_gates(report), rate(report, "recall")) == (set(), (1, 1))


def test_nothing_to_find_and_nothing_found_proves_nothing(tmp_path):
    """Without gold and predictions, gates of recall, precision and F1 have no value, so none passes."""
    report = held(tmp_path, ("Nothing to see", []), constant([]), [_P])
    verdicts = {gate.metric: gate.verdict for gate in report.gates}
    assert {verdicts[name] for name in ("recall", "precision", "f1", "leaks")} == {"not_evaluated"}
