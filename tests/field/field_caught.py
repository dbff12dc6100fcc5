"""How each field fault in ../shared that concerns a detector is caught, by the id of its row."""

from __future__ import annotations

from typing import NamedTuple


class Caught(NamedTuple):
    """How a row's detector is caught.

    `gates` are the metrics whose gates fail where the detector is held to the row's document. `contract` is
    the small faulty detector of the same kind that fails the contract suite, by its name in
    test_contract_faults.py or test_field_contract.py. `run` is a test of pytest runs that holds the row.
    """

    gates: str
    contract: str = ""
    run: str = ""


MISSED, EXTRA = "leaks recall", "precision false_alarm_rate"
SHIFTED = f"{MISSED} precision"
CONTAINED = "recall precision"
QUIET, LOUD = "test_field_leaks.py::test_a_silent_miss", "test_field_leaks.py::test_a_loud_failure"
MADE = "test_field_leaks.py::test_one_that_cannot_be_pickled"

# What is caught, by hand from what the rows expect. Those of the kind gold.* have a fault in the gold: it is
# scored as it was given, and the detector is blamed for it.
CAUGHT = {
    "BI-001": Caught(SHIFTED, "Utf16AsCodepoints"),
    "BI-010": Caught(SHIFTED, "CountsGraphemes"),
    "BI-011": Caught(SHIFTED, "Composes"),
    "BI-013": Caught(SHIFTED, "CountsGraphemes"),
    "BI-016": Caught(SHIFTED, "CollapsesBlanks"),
    "BI-018": Caught(SHIFTED, "Composes"),
    "BI-020": Caught(SHIFTED, "SentenceOffsets"),
    "BI-021": Caught(f"{MISSED} dropped", "RedactedOffsets"),
    "BI-023": Caught(""),  # exact: nothing to catch
    "BI-025": Caught(CONTAINED, "DropsMarks"),
    "BI-026": Caught(SHIFTED, "ReadsMarkup"),
    "BI-028": Caught(CONTAINED),
    "BI-030": Caught(SHIFTED),
    "BI-033": Caught("recall"),
    "BI-035": Caught(SHIFTED),
    "BI-036": Caught(CONTAINED),
    "BI-038": Caught("precision"),
    "BI-040": Caught("precision"),
    "BI-041": Caught(SHIFTED),
    "BI-043": Caught("precision"),
    "BI-045": Caught(CONTAINED),  # as a type; as a label, see test_labels_in_no_map
    "BI-046": Caught(CONTAINED),  # the same
    "BI-048": Caught(SHIFTED),
    "BI-050": Caught(EXTRA),
    "BI-051": Caught(EXTRA),
    "BI-053": Caught(EXTRA),
    "BI-055": Caught(EXTRA),
    "BI-056": Caught(EXTRA),
    "BI-058": Caught(CONTAINED, "TakesTheNextWord"),
    "BI-060": Caught(SHIFTED),
    "BI-061": Caught(CONTAINED),
    "BI-063": Caught(EXTRA),
    "BI-065": Caught(SHIFTED),
    "BI-066": Caught(SHIFTED, "ReadsMarkup"),
    "BI-068": Caught(CONTAINED, "MergesNeighbours"),
    "BI-070": Caught(SHIFTED),
    "BI-071": Caught(SHIFTED, "FirstMention"),
    "BI-073": Caught("", "OddEven"),  # the first answer is right, so no gate can tell
    "BI-075": Caught(CONTAINED, "SplitsAtSeams"),
    "BI-076": Caught(MISSED, "RaisesText", LOUD),
    "BI-078": Caught(MISSED, "GivesUp"),
    "BI-080": Caught(""),  # the size alone: it is answered
    "BI-081": Caught("dropped", "OutOfRange"),
    "BI-083": Caught("", "Unpicklable", MADE),
    "BI-085": Caught("", "", MADE),
    "BI-088": Caught(""),  # nothing fails, and nothing passes either
    "BI-091": Caught(SHIFTED, "DropsTheMark"),
    "BI-120": Caught(MISSED, "", QUIET),
    "BI-121": Caught(MISSED, "", QUIET),
    "BI-123": Caught(MISSED, "", QUIET),
    "BI-125": Caught(MISSED, "RaisesTextInCause", LOUD),
    "BI-126": Caught("", "WritesToDescriptor", LOUD),  # what it finds is right
    "BI-128": Caught(MISSED, "", QUIET),
}
