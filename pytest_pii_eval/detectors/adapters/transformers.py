"""The adapter of token classification models of Hugging Face transformers, read in windows without a gap."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, final

from transformers import TokenClassificationPipeline

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.adapters import models
from pytest_pii_eval.detectors.adapters.options import number, whole, words
from pytest_pii_eval.detectors.adapters.transformers_model import (
    network_of,
    stride_of,
    tokenizer_of,
    window_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from pytest_pii_eval.contracts.offsets import OffsetUnit

_AGGREGATIONS = ("simple", "first", "average", "max")


@final
class TransformersDetector:
    """A token classification pipeline.

    The pipeline clips a text at the model's length unless it is given a stride: it always is. `window` is
    the length in tokens, special ones included (default: all that the model takes), `stride` how many of
    them two windows share (default: a quarter).

    Selected are the pipeline's entities that score at least `threshold`; candidates are all of them, and
    unknown where there is no threshold. Nothing is redacted. Offsets are code points: the fast tokenizers
    report them so, of the text before normalisation. Labels are the model's own without their prefix.
    """

    name = "transformers"
    offset_unit: OffsetUnit = "codepoint"
    label_map = "common"
    batch_size = 8

    def __init__(  # noqa: PLR0913  # one keyword an option
        self,
        model: str | Path,
        *,
        revision: str | None = None,
        device: str = "cpu",
        threads: str | int | None = None,
        aggregation: str = "simple",
        ignore: str | Iterable[str] = "O",
        threshold: str | float | None = None,
        window: str | int | None = None,
        stride: str | int | None = None,
        batch: str | int = 1,
    ) -> None:
        if aggregation not in _AGGREGATIONS:
            raise Fault(f"--pii-detector-option: aggregation must be one of: {', '.join(_AGGREGATIONS)}")
        self._threshold = None if threshold is None else number(threshold, "threshold", most=1)
        self._batch = whole(batch, "batch", most=4096)
        self._source = models.source(model, revision)
        place = models.device(device, threads)
        self.version = models.versions(["transformers"])["transformers"]
        tokenizer = tokenizer_of(self._source)
        network = network_of(self._source)
        self._commit = getattr(network.config, "_commit_hash", None)
        self._window = window_of(window, tokenizer, network)
        self._stride = stride_of(stride, self._window - tokenizer.num_special_tokens_to_add())
        tokenizer.model_max_length = self._window
        self._settings = {"aggregation_strategy": aggregation, "ignore_labels": list(words(ignore))}
        self._pipeline: Any = TokenClassificationPipeline(
            model=network,
            tokenizer=tokenizer,
            device=place,
            stride=self._stride,
            **self._settings,
        )

    def detect(self, text: str) -> Detection:
        """Return the entities of `text`; a lone surrogate makes the tokenizer raise."""
        return self.detect_batch([text])[0]

    def detect_batch(self, texts: Sequence[str]) -> Sequence[Detection]:
        """Return one answer a text; `batch` windows go through the model at once."""
        answers = {text: Detection((), None if self._threshold is None else ()) for text in texts}
        filled = [text for text in answers if text.strip()]
        if filled:
            answers |= zip(filled, map(self._detection, self._entities(filled)), strict=True)
        return [answers[text] for text in texts]

    def libraries(self) -> Mapping[str, str]:
        """Return the versions of the packages that answers depend on."""
        return models.versions(["transformers", "tokenizers", "torch"])

    def fingerprint(self) -> str:
        """Return the SHA-256 of the model's files (or its hub commit), the libraries and the options."""
        return self._fingerprint

    @cached_property
    def _fingerprint(self) -> str:
        options = {
            **self._settings,
            "threshold": self._threshold,
            "window": self._window,
            "stride": self._stride,
            "batch": self._batch,
            "device": str(self._pipeline.device),
        }
        model = self._source.identity(self._commit)
        return models.bound(self.name, self.libraries(), {"model": dict(model), "options": options})

    def _entities(self, texts: list[str]) -> list[list[dict[str, Any]]]:
        entities: list[list[dict[str, Any]]] = self._pipeline(texts, batch_size=self._batch)
        return entities

    def _detection(self, entities: list[dict[str, Any]]) -> Detection:
        found = tuple(
            Span(entity["start"], entity["end"], entity["entity_group"], float(entity["score"]))
            for entity in entities
        )
        threshold = self._threshold
        if threshold is None:
            return Detection(found)
        return Detection(tuple(span for span in found if (span.score or 0.0) >= threshold), found)
