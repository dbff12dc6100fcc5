"""The JSON form of a `Detection`, read and written: what services and processes in any language speak."""

from __future__ import annotations

import math
from operator import index
from typing import TYPE_CHECKING, cast

from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.answers import BadAnswer

if TYPE_CHECKING:
    from pytest_pii_eval.contracts.spans import Identity, Range

_FIELDS = {"selected", "candidates", "protection", "partial"}
_SPAN_FIELDS = {"start", "end", "label", "type", "score", "identity"}
_PAIR, _TRIPLE, _QUADRUPLE = 2, 3, 4
_LARGEST = 2**53
_NO_OFFSET = -1


def read(form: object) -> Detection:
    """Return the detection that `form`, a value of parsed JSON, says.

    Offsets and labels stay in the detector's own unit and words; an offset outside of the text is judged
    later, where the text is known. Raises `BadAnswer`, which never holds a value of `form`.
    """
    if not isinstance(form, dict) or "selected" not in form:
        raise BadAnswer("the answer is no object with a field selected")
    if form.keys() - _FIELDS:
        raise BadAnswer("the answer holds a field other than selected, candidates, protection, partial")
    candidates, protection, partial = form.get("candidates"), form.get("protection"), form.get("partial")
    if partial is not None and not isinstance(partial, bool):
        raise BadAnswer("partial is neither true nor false")
    return Detection(
        _spans(form["selected"], "selected"),
        None if candidates is None else _spans(candidates, "candidates"),
        None if protection is None else _ranges(protection),
        partial is True,
    )


def write(detection: object) -> dict[str, object]:
    """Return the form of `detection`; `read` gives back one that is scored alike.

    An offset that is no whole number below 2**53 becomes -1, which is dropped and counted as it would have
    been; a score that is no finite number is left out. Raises `BadAnswer` where `detection` is none.
    """
    if not isinstance(detection, Detection):
        raise BadAnswer("the answer is no Detection")
    form: dict[str, object] = {"selected": _span_forms(detection.selected)}
    if detection.candidates is not None:
        form["candidates"] = _span_forms(detection.candidates)
    if detection.protection is not None:
        form["protection"] = _range_forms(detection.protection)
    if detection.partial:
        form["partial"] = True
    return form


def _spans(stage: object, name: str) -> tuple[Span, ...]:
    return tuple(_span(item) for item in _listed(stage, name))


def _ranges(stage: object) -> tuple[Range, ...]:
    ranges = _listed(stage, "protection")
    if not all(isinstance(one, list) and len(one) == _PAIR for one in ranges):
        raise BadAnswer("protection holds something that is no pair of offsets")
    return tuple((_offset(start), _offset(end)) for start, end in cast("list[list[object]]", ranges))


def _listed(stage: object, name: str) -> list[object]:
    if not isinstance(stage, list):
        raise BadAnswer(f"{name} is no array")
    return stage


def _span(item: object) -> Span:
    if isinstance(item, dict):
        return _span_of_object(item)
    if not isinstance(item, list) or len(item) not in (_TRIPLE, _QUADRUPLE):
        raise BadAnswer("holds a span that is neither [start, end, label] nor [start, end, label, score]")
    score = _score(item[3]) if len(item) == _QUADRUPLE else None
    return Span(_offset(item[0]), _offset(item[1]), _label(item[2]), score)


def _span_of_object(item: dict[str, object]) -> Span:
    if (
        item.keys() - _SPAN_FIELDS
        or not {"start", "end"} <= item.keys()
        or ("label" in item) == ("type" in item)
    ):
        raise BadAnswer(
            "holds a span that is no object of start, end, one of label and type, score, identity"
        )
    label = item["label"] if "label" in item else item["type"]
    place = _offset(item["start"]), _offset(item["end"])
    return Span(*place, _label(label), _score(item.get("score")), _identity(item.get("identity")))


def _offset(value: object) -> int:
    if type(value) is not int:
        raise BadAnswer("holds an offset that is no integer")
    return value


def _label(value: object) -> str:
    if type(value) is not str:
        raise BadAnswer("holds a label that is no string")
    return value


def _score(value: object) -> float | None:
    if value is None:
        return None
    score = _finite(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
    if score is None:
        raise BadAnswer("holds a score that is no finite number")
    return score


def _identity(value: object) -> Identity | None:
    if value is None:
        return None
    if not isinstance(value, (list, tuple)) or [type(part) for part in value] != [str, str, str]:
        raise BadAnswer("holds an identity that is no triple of entity, name and pattern")
    return cast("Identity", tuple(value))


def _finite(value: object) -> float | None:
    try:
        number = float(value)  # type: ignore[arg-type]  # numpy's numbers too
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _span_forms(stage: object) -> list[object]:
    if not isinstance(stage, (tuple, list)):
        raise BadAnswer("a stage is no tuple or list")
    return [_span_form(span) for span in stage]


def _span_form(span: object) -> object:
    if not isinstance(span, Span):
        raise BadAnswer("holds something that is no Span")
    start, end, label, score = _whole(span.start), _whole(span.end), _label(span.type), _finite(span.score)
    if span.identity is not None:
        known = {"start": start, "end": end, "label": label, "identity": _identity(span.identity)}
        return known if score is None else {**known, "score": score}
    return (start, end, label) if score is None else (start, end, label, score)


def _range_forms(stage: object) -> list[object]:
    if not isinstance(stage, (tuple, list)):
        raise BadAnswer("a stage is no tuple or list")
    if not all(isinstance(one, tuple) and len(one) == _PAIR for one in stage):
        raise BadAnswer("holds a protection range that is no pair")
    return [(_whole(start), _whole(end)) for start, end in stage]


def _whole(offset: object) -> int:
    try:
        number = _NO_OFFSET if isinstance(offset, bool) else index(offset)  # type: ignore[arg-type]  # asked here
    except TypeError:
        return _NO_OFFSET
    return number if abs(number) < _LARGEST else _NO_OFFSET
