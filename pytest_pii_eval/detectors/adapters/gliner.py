"""The adapter of GLiNER models, whose labels are words of the user's; long texts are read in windows."""

from __future__ import annotations

from copy import copy
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, final

from gliner import GLiNER
from huggingface_hub import snapshot_download

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.adapters import models
from pytest_pii_eval.detectors.adapters.options import flag, number, whole, words
from pytest_pii_eval.detectors.adapters.windows import Limits, windows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_pii_eval.detectors.adapters.windows import Window
    from pytest_pii_eval.detectors.protocol import OffsetUnit

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

_UNLIMITED = 1_000_000


class _Words(NamedTuple):
    """The words of a text and their code points."""

    tokens: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]


class _Found(NamedTuple):
    """Spans of words, before and after the threshold; both before overlaps are resolved."""

    candidates: list[Any]
    sure: list[Any]


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
        self._threshold = number(threshold, "threshold", most=1)
        self._floor = min(number(floor, "floor", most=1), self._threshold)
        self._rule = {"flat_ner": flag(flat, "flat"), "multi_label": flag(multi_label, "multi_label")}
        self._source = models.source(model, revision)
        folder = _folder(self._source)
        self._commit = None if self._source.local else folder.name
        self._device = models.device(device, threads)
        self._model = _loaded(folder, self._device)
        self._choose = self._model.decoder.greedy_search
        self._model.decoder = _undecided(self._model.decoder)
        self._collator = self._model.create_collator()
        self._limits = self._measured(None if overlap is None else whole(overlap, "overlap", least=0))

    def detect(self, text: str) -> Detection:
        """Return the entities of `text`."""
        split = self._split(text)
        candidates, sure = [], []
        for window in windows(self._costs(split.tokens), self._limits):
            found = self._found(split.tokens, window)
            candidates += found.candidates
            sure += found.sure
        chosen = self._choose(sure, **self._rule)
        return Detection(_spans(chosen, split), _spans(candidates, split))

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
            "threshold": self._threshold,
            "floor": self._floor,
            "limits": list(self._limits),
            "device": self._device,
        }
        model = self._source.identity(self._commit)
        return models.bound(self.name, self.libraries(), {"model": dict(model), "options": options})

    def _split(self, text: str) -> _Words:
        return _Words(*(rows[0] for rows in self._model.prepare_inputs([text])))

    def _costs(self, tokens: Sequence[str]) -> list[int]:
        """Return how many tokens of the encoder each word takes: at least one, at most a window."""
        if not tokens:
            return []
        costs = [0] * len(tokens)
        encoded = self._tokenizer(
            list(tokens), is_split_into_words=True, add_special_tokens=False, truncation=False
        )
        for index in encoded.word_ids():
            costs[index] += 1
        return costs

    def _found(self, tokens: Sequence[str], window: Window) -> _Found:
        """Run the model over one window and keep what it owns, in words of the whole text."""
        batch = self._batch(tokens[window.start : window.end])
        output = self._model.run_batch(batch, threshold=self._threshold)
        both = (
            self._model.decode_batch(output, batch, threshold=threshold, flat_ner=False)[0]
            for threshold in (self._floor, self._threshold)
        )
        return _Found(*(_owned(spans, window) for spans in both))

    def _batch(self, tokens: Sequence[str]) -> Any:
        inputs = self._model.prepare_base_input([list(tokens)])
        return self._model.collate_batch(inputs, self._labels, self._collator)

    def _measured(self, overlap: int | None) -> Limits:
        """Return what a window may hold beside the labels, which stand in front of each window."""
        config, tokenizer = self._model.config, self._tokenizer
        said, tokenizer.model_max_length = tokenizer.model_max_length, _UNLIMITED
        one = ["a"]
        taken = self._batch(one)["input_ids"].shape[1] - self._costs(one)[0]
        tokenizer.model_max_length = said
        room = _positions(tokenizer, config) - taken
        if room < 1:
            raise Fault("gliner: the labels leave no room for text in the model's window; give fewer")
        usual = max(2 * config.max_width, config.max_len // 4)
        return Limits(config.max_len, room, usual if overlap is None else overlap)

    @property
    def _tokenizer(self) -> Any:
        return self._model.data_processor.transformer_tokenizer


def _folder(source: models.Source) -> Path:
    """Return the folder of the model, fetched from the hub where it is none; it is named by its commit."""
    return Path(source.place if source.local else snapshot_download(source.place, revision=source.revision))


def _loaded(folder: Path, device: str) -> Any:
    """Load the model; raises `Fault` where a part of it would be made of random weights."""
    options = {"local_files_only": True, "map_location": device}
    try:
        model = GLiNER.from_pretrained(str(folder), strict=True, **options)
    except RuntimeError as error:
        if "Missing key" in str(error) or "size mismatch" in str(error):
            raise Fault("gliner: the weights of the model lack a part, or do not fit it") from None
        # Buffers that older libraries wrote and newer ones do not read are harmless.
        model = GLiNER.from_pretrained(str(folder), **options)
    others = ("relations_layer", "labels_decoder")
    if model.config.model_type == "gliner_streaming_span" or any(
        getattr(model.config, name, None) for name in others
    ):
        raise Fault("gliner: only models that find entities are read, not those that relate or generate")
    return model


def _undecided(decoder: Any) -> Any:
    """Return a copy of `decoder` that keeps overlapping spans: they are resolved over the whole text."""
    open_decoder = copy(decoder)
    open_decoder.greedy_search = _all
    return open_decoder


def _all(spans: list[Any], *_: Any, **__: Any) -> list[Any]:
    """Stand in for `greedy_search`: choose nothing."""
    return spans


def _owned(spans: Iterable[Any], window: Window) -> list[Any]:
    owned = [span for span in spans if window.first <= span.start + window.start < window.last]
    for span in owned:
        span.start += window.start
        span.end += window.start
    return owned


def _spans(spans: Iterable[Any], split: _Words) -> tuple[Span, ...]:
    return tuple(
        Span(split.starts[span.start], split.ends[span.end], span.entity_type, float(span.score))
        for span in spans
    )


def _positions(tokenizer: Any, config: Any) -> int:
    """Return how many tokens the tokenizer keeps and the encoder has positions for."""
    encoder = config.encoder_config
    relative = encoder.model_type == "deberta-v2" and not encoder.position_biased_input
    positions = None if relative else getattr(encoder, "max_position_embeddings", None)
    return int(min(tokenizer.model_max_length, positions or _UNLIMITED, _UNLIMITED))
