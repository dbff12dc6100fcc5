"""The adapter of GLiNER models, whose labels are words of the user's; long texts are read in windows."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.adapters import models
from pytest_pii_eval.detectors.adapters.gliner_model import GlinerModel, Thresholds
from pytest_pii_eval.detectors.adapters.options import flag, number, whole, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from pytest_pii_eval.contracts.offsets import OffsetUnit
    from pytest_pii_eval.detectors.adapters.gliner_model import Words

LABELS: Final = (
    "person",
    "organization",
    "address",
    "email",
    "phone number",
    "username",
    "password",
    "ip address",
    "url",
    "date of birth",
    "credit card number",
    "bank account number",
    "iban",
    "passport number",
    "driver licence number",
    "national id number",
    "tax id number",
)
"""What is looked for where no labels are given."""


@final
class GlinerDetector:
    """A GLiNER model of one encoder or two that finds entities; not one that relates or generates.

    The library clips a text at the model's number of words and its tokenizer once more at its number of
    tokens. Here a text is read in overlapping windows that fit both, each possible span is judged once, by
    the window that owns its first word, and the library's own choice between overlapping spans is made over
    the whole text. A text that fits in one window is answered as `GLiNER.predict_entities` does.

    Candidates are the spans that score above `floor`, before that choice; selected are those above
    `threshold` that it keeps. Nothing is redacted. Offsets are code points, as Python's: a word's.
    """

    name = "gliner"
    offset_unit: OffsetUnit = "codepoint"

    def __init__(  # noqa: PLR0913  # one keyword an option
        self,
        model: str | Path,
        *,
        revision: str | None = None,
        labels: str | Iterable[str] = LABELS,
        threshold: str | float = 0.5,
        floor: str | float = 0.1,
        flat: str | bool = True,
        multi_label: str | bool = False,
        overlap: str | int | None = None,
        device: str = "cpu",
        threads: str | int | None = None,
    ) -> None:
        self.version = models.versions(["gliner"])["gliner"]
        self._labels = list(dict.fromkeys(words(labels)))
        if not self._labels:
            raise Fault("--pii-detector-option: labels must name at least one label")
        least = number(threshold, "threshold", most=1)
        self._thresholds = Thresholds(min(number(floor, "floor", most=1), least), least)
        self._rule = {"flat_ner": flag(flat, "flat"), "multi_label": flag(multi_label, "multi_label")}
        self._source = models.source(model, revision)
        self._device = models.device(device, threads)
        self._model = GlinerModel(self._source, self._labels, self._device)
        self._limits = self._model.limits(None if overlap is None else whole(overlap, "overlap", least=0))

    def detect(self, text: str) -> Detection:
        """Return the entities of `text`."""
        words_ = self._model.split(text)
        found = self._model.found(words_.tokens, self._limits, self._thresholds)
        chosen = self._model.choose(found.sure, **self._rule)
        return Detection(_spans(chosen, words_), _spans(found.candidates, words_))

    def libraries(self) -> Mapping[str, str]:
        """Return the versions of the packages that answers depend on."""
        return models.versions(["gliner", "transformers", "tokenizers", "torch"])

    def fingerprint(self) -> str:
        """Return the SHA-256 of the model's files (or its hub commit), the libraries and the options."""
        return self._fingerprint

    @cached_property
    def _fingerprint(self) -> str:
        options = {
            **self._rule,
            "labels": self._labels,
            "thresholds": list(self._thresholds),
            "limits": list(self._limits),
            "device": self._device,
        }
        model = self._source.identity(self._model.commit)
        return models.bound(self.name, self.libraries(), {"model": dict(model), "options": options})


def _spans(spans: Iterable[Any], split: Words) -> tuple[Span, ...]:
    return tuple(
        Span(split.starts[span.start], split.ends[span.end], span.entity_type, float(span.score))
        for span in spans
    )
