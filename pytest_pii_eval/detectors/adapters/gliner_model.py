"""A GLiNER model as the adapter uses it: loaded whole, measured, and run over one window at a time."""

from __future__ import annotations

from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, final

from gliner import GLiNER
from huggingface_hub import snapshot_download

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.detectors.adapters.windows import Limits, windows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_pii_eval.detectors.adapters.models import Source
    from pytest_pii_eval.detectors.adapters.windows import Window

_UNLIMITED = 1_000_000


class Words(NamedTuple):
    """The words of a text and their code points, ends exclusive."""

    tokens: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]


class Found(NamedTuple):
    """The library's spans, in words: those above the floor and above the threshold, overlaps and all."""

    candidates: list[Any]
    sure: list[Any]


class Thresholds(NamedTuple):
    """The scores that a candidate and a selected span are above."""

    floor: float
    selected: float


@final
class GlinerModel:
    """A model that looks for `labels`; raises `Fault` where it cannot, or would be random in part."""

    def __init__(self, source: Source, labels: Sequence[str], device: str) -> None:
        folder = _folder(source)
        self.commit = None if source.local else folder.name
        self._labels = list(labels)
        self._model = _loaded(folder, {"local_files_only": source.local, "map_location": device})
        self.choose = self._model.decoder.greedy_search
        self._model.decoder = _undecided(self._model.decoder)
        self._collator = self._model.create_collator()
        self._tokenizer: Any = self._model.data_processor.transformer_tokenizer

    def split(self, text: str) -> Words:
        """Return the words that the library splits `text` into."""
        return Words(*(rows[0] for rows in self._model.prepare_inputs([text])))

    def limits(self, overlap: int | None) -> Limits:
        """Return what a window may hold beside the labels, which stand in front of each."""
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

    def found(self, tokens: Sequence[str], limits: Limits, thresholds: Thresholds) -> Found:
        """Return what is found in all windows over `tokens`."""
        all_found = Found([], [])
        for window in windows(self._costs(tokens), limits):
            one = self._found(tokens, window, thresholds)
            all_found.candidates.extend(one.candidates)
            all_found.sure.extend(one.sure)
        return all_found

    def _found(self, tokens: Sequence[str], window: Window, thresholds: Thresholds) -> Found:
        """Run the model over one window and keep what it owns, in words of the whole text."""
        batch = self._batch(tokens[window.start : window.end])
        output = self._model.run_batch(batch, threshold=thresholds.selected)
        both = (
            self._model.decode_batch(output, batch, threshold=threshold, flat_ner=False)[0]
            for threshold in thresholds
        )
        return Found(*(_owned(spans, window) for spans in both))

    def _costs(self, tokens: Sequence[str]) -> list[int]:
        """Return how many tokens of the encoder each word takes; one that it removes takes none."""
        if not tokens:
            return []
        costs = [0] * len(tokens)
        encoded = self._tokenizer(
            list(tokens), is_split_into_words=True, add_special_tokens=False, truncation=False
        )
        for index in encoded.word_ids():
            costs[index] += 1
        return costs

    def _batch(self, tokens: Sequence[str]) -> Any:
        inputs = self._model.prepare_base_input([list(tokens)])
        return self._model.collate_batch(inputs, self._labels, self._collator)


def _folder(source: Source) -> Path:
    """Return the folder of the model, fetched from the hub where it is none; it is named by its commit."""
    return Path(source.place if source.local else snapshot_download(source.place, revision=source.revision))


def _loaded(folder: Path, options: Mapping[str, Any]) -> Any:
    """Load the model; raises `Fault` where a part of it would be made of random weights."""
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


def _positions(tokenizer: Any, config: Any) -> int:
    """Return how many tokens the tokenizer keeps and the encoder has positions for."""
    encoder = config.encoder_config
    relative = encoder.model_type == "deberta-v2" and not encoder.position_biased_input
    positions = None if relative else getattr(encoder, "max_position_embeddings", None)
    return int(min(tokenizer.model_max_length, positions or _UNLIMITED, _UNLIMITED))
