"""A product that only returns masked text, as a detector: what it removed is found by alignment."""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.adapters.options import flag
from pytest_pii_eval.detectors.alignment import align
from pytest_pii_eval.detectors.answers import BadAnswer
from pytest_pii_eval.detectors.placeholders import DEFAULT_PLACEHOLDER, NO_LABEL, label_of
from pytest_pii_eval.detectors.plain import FunctionDetector

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pii_eval.contracts.offsets import OffsetUnit


class RedactorDetector:
    """A function from text to masked text.

    `function` is that function, or `module:attribute` of it. `placeholder` is a regular expression (of `re`)
    for what the product puts in place of what it removes. `label` is the label of all spans; without it a
    span is labelled with the letters of its placeholder (`<PERSON_1>` is `PERSON`), or `MASKED` where that
    has none or touching placeholders do not agree. `in_place` states that the product writes one character
    for each that it removes, as `****` for `Anna`.

    Selected spans and protection are the removed ranges: the product decides nothing else. It shows no
    candidates. Offsets are code points, because they come from aligning two texts here. `detect` raises
    `AlignmentRefused` where the masked text does not say for certain what was removed, and `BadAnswer` where
    the function returns no text.
    """

    offset_unit: OffsetUnit = "codepoint"

    def __init__(
        self,
        function: str | Callable[[str], Any],
        placeholder: str = DEFAULT_PLACEHOLDER,
        label: str | None = None,
        in_place: str | bool = False,  # noqa: FBT001, FBT002  # an option, always given by name
    ) -> None:
        self._mask = _function(function)
        self._placeholder = _expression(placeholder)
        self._label = label
        self._in_place = flag(in_place, "in_place")
        name = function if isinstance(function, str) else getattr(function, "__qualname__", "function")
        self._named = FunctionDetector(self._mask, name)
        self.name = "redactor"
        self.version = self._named.version
        self.label_map = self._named.label_map

    def detect(self, text: str) -> Detection:
        """Return one span a removed range, and the same ranges as protection."""
        masked = self._mask(text)
        if not isinstance(masked, str):
            raise BadAnswer("the masked text is no text")
        removed = align(text, masked, self._placeholder, in_place=self._in_place)
        spans = tuple(Span(one.start, one.end, self._label_of(one.placeholders)) for one in removed)
        return Detection(spans, None, tuple((one.start, one.end) for one in removed))

    def fingerprint(self) -> str:
        """Return the SHA-256 that binds the function, as far as it can be read, and every option."""
        return fingerprint(
            {
                "adapter": self.name,
                "function": self._named.fingerprint(),
                "placeholder": self._placeholder.pattern,
                "label": self._label,
                "in_place": self._in_place,
            }
        )

    def _label_of(self, placeholders: tuple[str, ...]) -> str:
        if self._label is not None:
            return self._label
        labels = {label_of(one) for one in placeholders}
        return labels.pop() if len(labels) == 1 else NO_LABEL


def _function(named: str | Callable[[str], Any]) -> Callable[[str], Any]:
    """Return the function; raises `Fault` where there is none of this name."""
    found: Any = _imported(named) if isinstance(named, str) else named
    if not callable(found):
        raise Fault(
            "--pii-detector-option: function is not callable; name a function from text to masked text"
        )
    return found  # type: ignore[no-any-return]  # what it takes and returns shows when it is called


def _imported(named: str) -> object:
    module, _, attribute = named.partition(":")
    if not (module and attribute):
        raise Fault("--pii-detector-option: function must be module:attribute")
    try:
        found: Any = import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module and not module.startswith(f"{error.name}."):
            raise
        raise Fault(f"--pii-detector-option: function: there is no module {module}") from None
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise Fault(f"--pii-detector-option: function: {module} has no attribute {part}")
        found = getattr(found, part)
    return found


def _expression(placeholder: str) -> re.Pattern[str]:
    """Return the compiled expression; raises `Fault` where it is none, or matches without a character."""
    try:
        compiled = re.compile(placeholder)
    except re.error:
        compiled = None
    if compiled is None or compiled.search(""):
        raise Fault(
            "--pii-detector-option: placeholder must be a regular expression that matches no empty text"
        )
    return compiled
