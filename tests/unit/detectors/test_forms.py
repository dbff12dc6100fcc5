"""The JSON form of a detection: what it means, what is refused, and that it goes there and back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors import forms
from pytest_pii_eval.detectors.answers import BadAnswer

_offsets = st.integers(-1, 10_000_000)
_labels = st.text(st.characters(codec="utf-8"), max_size=8)
_identities = st.none() | st.tuples(_labels, _labels, _labels)
_scores = st.none() | st.floats(allow_nan=False, allow_infinity=False)
_stages = st.lists(st.builds(Span, _offsets, _offsets, _labels, _scores, _identities), max_size=4).map(tuple)
_ranges = st.lists(st.tuples(_offsets, _offsets), max_size=4).map(tuple)
_detections = st.builds(Detection, _stages, st.none() | _stages, st.none() | _ranges, st.booleans())


@given(_detections)
def test_there_and_back(detection) -> None:
    """Written as JSON text and read again, a detection is the same."""
    assert forms.read(json.loads(json.dumps(forms.write(detection)))) == detection


def test_all_of_it() -> None:
    """Each stage and both writings of a span are read; absent and null stages are unavailable."""
    form = {
        "selected": [[0, 3, "NAME"], [4, 9, "CITY", 1], {"start": 2, "end": 5, "type": "X"}],
        "candidates": [{"start": 0, "end": 3, "label": "NAME", "score": 0.5, "identity": ["e", "n", "p"]}],
        "protection": [[0, 9]],
        "partial": True,
    }
    assert forms.read(form) == Detection(
        (Span(0, 3, "NAME"), Span(4, 9, "CITY", 1.0), Span(2, 5, "X")),
        (Span(0, 3, "NAME", 0.5, ("e", "n", "p")),),
        ((0, 9),),
        partial=True,
    )
    assert forms.read({"selected": []}) == Detection(())
    assert forms.read({"selected": [], "candidates": None, "protection": None}) == Detection((), None, None)
    assert forms.read({"selected": [], "candidates": [], "protection": []}) == Detection((), (), ())


_CANARY = "Ada Lovelace"
_LONE = {"start": 0, "end": 1}


@pytest.mark.parametrize(
    "form",
    [
        _CANARY,
        None,
        [],
        {},
        {"candidates": []},
        {"selected": None},
        {"selected": _CANARY},
        {"selected": {_CANARY: 1}},
        {"selected": [], _CANARY: 1},
        {"selected": [], "candidates": _CANARY},
        {"selected": [], "protection": [[0, 1, 2]]},
        {"selected": [], "protection": [[0, 1.0]]},
        {"selected": [], "protection": [_CANARY]},
        {"selected": [], "partial": 1},
        {"selected": [_CANARY]},
        {"selected": [[0, 1]]},
        {"selected": [[0, 1, "A", 0.5, "more"]]},
        {"selected": [["0", 1, "A"]]},
        {"selected": [[True, 1, "A"]]},
        {"selected": [[0, 1.0, "A"]]},
        {"selected": [[0, None, "A"]]},
        {"selected": [[0, 1, None]]},
        {"selected": [[0, 1, 7]]},
        {"selected": [[0, 1, "A", _CANARY]]},
        {"selected": [[0, 1, "A", True]]},
        {"selected": [[0, 1, "A", float("nan")]]},
        {"selected": [[0, 1, "A", 10**400]]},
        {"selected": [_LONE]},
        {"selected": [{"end": 1, "label": "A"}]},
        {"selected": [{**_LONE, "label": "A", "type": "A"}]},
        {"selected": [{**_LONE, "label": "A", _CANARY: 1}]},
        {"selected": [{**_LONE, "label": "A", "identity": ["e", "n"]}]},
        {"selected": [{**_LONE, "label": "A", "identity": ["e", "n", 1]}]},
        {"selected": [{**_LONE, "label": "A", "identity": _CANARY}]},
    ],
)
def test_refused(form) -> None:
    """Anything else is no answer, and the rule says so without a word of it."""
    with pytest.raises(BadAnswer) as caught:
        forms.read(form)
    assert _CANARY not in str(caught.value)


class _Number:
    def __index__(self):
        return 4

    def __float__(self):
        return 0.25


def test_written_from_other_kinds_of_numbers() -> None:
    """Numbers of other libraries are written as JSON has them; an offset that is none is out of range."""
    spans = (Span(_Number(), 9, "A", _Number()), Span(0.0, True, "B", float("nan")), Span(2**60, 3, "C", "x"))
    form = forms.write(Detection(spans, None, ((_Number(), None),)))
    assert json.loads(json.dumps(form)) == {
        "selected": [[4, 9, "A", 0.25], [-1, -1, "B"], [-1, 3, "C"]],
        "protection": [[4, -1]],
    }


@pytest.mark.parametrize(
    "answer",
    [
        None,
        _CANARY,
        [Span(0, 1, "A")],
        Detection(None),
        Detection(_CANARY),
        Detection(((0, 1, "A"),)),
        Detection((Span(0, 1, None),)),
        Detection((Span(0, 1, "A", None, _CANARY),)),
        Detection((), _CANARY),
        Detection((), None, _CANARY),
        Detection((), None, (_CANARY,)),
        Detection((), None, ((0, 1, 2),)),
    ],
)
def test_nothing_to_write(answer) -> None:
    """What is no detection in this process is none in another: the same exception, without text."""
    with pytest.raises(BadAnswer) as caught:
        forms.write(answer)
    assert _CANARY not in str(caught.value)
