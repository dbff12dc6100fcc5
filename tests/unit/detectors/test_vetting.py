"""What a detector must say of itself before it is asked; each fault one line without a value."""

from __future__ import annotations

import pytest

from pytest_pii_eval import Detection
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.detectors.vetting import vetted

CANARY = "Zephyrine Quartzmore"


class Good:
    """A detector that keeps the protocol."""

    name, version, offset_unit = "good", "1 beta", "byte"

    def detect(self, _text):
        """Find nothing."""
        return Detection(())

    def fingerprint(self):
        """Return a digest."""
        return "sha256:" + "0" * 64


def raising(*_):
    raise LookupError(CANARY)


def _good(**changes):
    return type("Good", (Good,), changes)()


def test_a_good_one_is_handed_on():
    """It is the same object; optional parts may be there or not."""
    for detector in (Good(), _good(libraries=lambda _: {"lib": "1"}, batch_size=4, label_map="common")):
        assert vetted(detector, "mine:Good") is detector


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"name": ""}, "has a name"),
        ({"name": f"{CANARY}\n"}, "has a name"),
        ({"name": 5}, "has a name"),
        ({"name": "x" * 201}, "has a name"),
        ({"version": None}, "has a version"),
        ({"offset_unit": "grapheme"}, "states no offset unit of: codepoint, byte, utf16"),
        ({"fingerprint": lambda _: None}, "has a fingerprint()"),
        ({"fingerprint": lambda _: CANARY}, "has a fingerprint()"),
        ({"fingerprint": lambda _: "sha256:abc"}, "has a fingerprint()"),
        ({"fingerprint": raising}, "cannot say its fingerprint(): LookupError in test_vetting.py:"),
        ({"libraries": lambda _: {"lib": 1}}, "has libraries()"),
        ({"libraries": raising}, "cannot say its libraries(): LookupError in test_vetting.py:"),
        ({"label_map": {"A": "b"}}, "has a label_map that is not the name of one"),
        ({"batch_size": 0}, "has a batch_size"),
        ({"batch_size": -1}, "has a batch_size"),
        ({"batch_size": "8"}, "has a batch_size"),
        ({"batch_size": True}, "has a batch_size"),
    ],
)
def test_what_it_says_wrong_is_told(changes, problem):
    """The name it was asked for by, what is wrong, and nothing of what it said."""
    with pytest.raises(Fault) as caught:
        vetted(_good(**changes), "mine:Bad")
    assert str(caught.value).startswith(f"the detector mine:Bad {problem}")
    assert CANARY not in str(caught.value)


def test_a_class_is_no_detector():
    """A hook that forgets to make an object is told so."""
    with pytest.raises(Fault, match="the detector ours is a class; make an object of it"):
        vetted(Good, "ours")


def test_what_is_lacking_is_named():
    """All of it at once."""
    with pytest.raises(Fault, match="lacks: name, version, offset_unit, detect, fingerprint;"):
        vetted(object(), "mine:Nothing")
