"""A plain function from text to spans, or an object with `detect`, as a detector."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.answers import BadAnswer

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pii_eval.detectors.protocol import OffsetUnit

_LABELS = ("type", "label", "entity_type", "entity")
_TRIPLE, _QUADRUPLE = 3, 4


class FunctionDetector:
    """A function from text to spans, or to one `Detection`.

    A span is a tuple `(start, end, label)` or `(start, end, label, score)`, a mapping with `start`, `end` and
    `type` (or `label`, `entity_type`, `entity`), or a `Span`. Offsets are code points unless the function has
    an attribute `offset_unit` that says otherwise; `version` and `label_map` are looked up on it as well. The
    fingerprint binds its name, its version and the source of its module.
    """

    def __init__(self, function: Callable[[str], Any], name: str) -> None:
        self._function = function
        self.name = name
        self.version = str(getattr(function, "version", "unversioned"))
        self.offset_unit: OffsetUnit = getattr(function, "offset_unit", "codepoint")
        self.label_map: str | None = getattr(function, "label_map", None)

    def detect(self, text: str) -> Detection:
        """Return what the function returns, as a `Detection`; raises `BadAnswer` where it is none."""
        return detection_of(self._function(text))

    def fingerprint(self) -> str:
        """Return the SHA-256 of name, version and the module's source, as far as it can be read."""
        return fingerprint({"name": self.name, "version": self.version, "source": _source(self._function)})


def detection_of(value: object) -> Detection:
    """Return `value` as a `Detection`; raises `BadAnswer`, which never holds a value."""
    if isinstance(value, Detection):
        return value
    if value is None or isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise BadAnswer("the answer is no collection of spans")
    return Detection(tuple(span_of(item) for item in value))


def span_of(item: object) -> Span:
    """Return one span of an answer; offsets are judged later, where the text is known."""
    if isinstance(item, Span):
        return item
    if isinstance(item, Mapping):
        label = next((item[name] for name in _LABELS if name in item), None)
        if "start" in item and "end" in item:
            return Span(item["start"], item["end"], cast("str", label), _score(item.get("score")))
    elif isinstance(item, (tuple, list)) and len(item) in (_TRIPLE, _QUADRUPLE):
        return Span(item[0], item[1], item[2], _score(item[3]) if len(item) == _QUADRUPLE else None)
    raise BadAnswer("holds an item that is neither a span, (start, end, label) nor a mapping of these")


def _score(value: object) -> float | None:
    try:
        return None if value is None else float(value)  # type: ignore[arg-type]  # numpy's numbers too
    except (TypeError, ValueError):
        return None


def _source(function: object) -> str:
    """Return the source of the whole module: what the function calls is mostly there."""
    try:
        module = inspect.getmodule(function)
        return inspect.getsource(module if module is not None else cast("Any", function))
    except (OSError, TypeError):
        return ""
