"""A plain function from text to spans, or an object with `detect`, as a detector."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.spans import MAX_PREDICTIONS, Detection, Span
from pytest_pii_eval.detectors.answers import BadAnswer

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pii_eval.contracts.offsets import OffsetUnit

_LABELS = ("type", "label", "entity_type", "entity")
_TRIPLE, _QUADRUPLE = 3, 4


class FunctionDetector:
    """A function from text to spans, or to one `Detection`.

    A span is a tuple `(start, end, label)` or `(start, end, label, score)`, a mapping with `start`, `end` and
    `type` (or `label`, `entity_type`, `entity`), or a `Span`. Offsets are code points unless the function has
    an attribute `offset_unit` that says otherwise; `version` and `label_map` are looked up on it as well.
    `options` are handed to each call, `made_with` were to the factory that made the function. The fingerprint
    binds name, version, all options and the source of the function's module, and nothing that this imports:
    where that matters, state another `version`.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        name: str,
        options: Mapping[str, object] | None = None,
        *,
        made_with: Mapping[str, object] | None = None,
    ) -> None:
        self._function = function
        self._options = dict(options or {})
        self._made_with = dict(made_with or {})
        self.name = name
        self.version = str(getattr(function, "version", "unversioned"))
        self.offset_unit: OffsetUnit = getattr(function, "offset_unit", "codepoint")
        self.label_map: str | None = getattr(function, "label_map", None)

    def detect(self, text: str) -> Detection:
        """Return what the function returns, as a `Detection`; raises `BadAnswer` where it is none."""
        return detection_of(self._function(text, **self._options))

    def fingerprint(self) -> str:
        """Return the SHA-256 of name, version and the module's source, as far as it can be read."""
        told = {"name": self.name, "version": self.version, "source": _source(self._function)}
        options = {**self._made_with, **self._options}
        return fingerprint({**told, "options": {key: str(value) for key, value in options.items()}})


def detection_of(value: object) -> Detection:
    """Return `value` as a `Detection`; raises `BadAnswer`, which never holds a value."""
    if isinstance(value, Detection):
        return value
    if inspect.iscoroutine(value):
        value.close()
        raise BadAnswer("an async function gives no spans - wrap it in one that runs it")
    if value is None or isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise BadAnswer("the answer is no collection of spans")
    # One more than the limit: an endless generator shall end, and be refused.
    return Detection(tuple(map(span_of, islice(value, MAX_PREDICTIONS + 1))))


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
    raise BadAnswer("an item is neither a Span nor a tuple or mapping of start and end and label")


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
