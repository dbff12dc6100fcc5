"""A builder of GLiNER models so small that their answers can be worked out by hand."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import torch
from gliner import GLiNER, GLiNERConfig
from tiny_models import EPSILON, word_pieces

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MAX_WIDTH = 4
_SCALE = 20.0


class Word(NamedTuple):
    """How much a word is the first and the last one of an entity of `label`: 0 or about 1."""

    label: str
    first: float
    last: float


def probability(first: float, last: float) -> float:
    """Return the score of a span whose first word is `first` and whose last word is `last`."""
    return 1 / (1 + math.exp(-_SCALE * (max(0.0, first + last - 1) - 0.5)))


def finder(folder: Path, words: Mapping[str, Word], max_len: int = 384, length: int | None = 512) -> Path:
    """Write a model that scores each span by `probability` of its outer words, whatever lies between.

    `max_len` is its length in words, `length` that of its tokenizer in tokens. Labels must be one word.
    """
    labels = sorted({word.label for word in words.values()})
    tokenizer = word_pieces([*labels, *words, "x", "y", "##x"], length)
    tokenizer.save_pretrained(folder)
    # Columns: first and last of each label, the label itself, a constant, and one that makes the mean zero.
    size = 3 * len(labels) + 2
    encoder = {
        "model_type": "bert",
        "vocab_size": len(tokenizer),
        "hidden_size": size,
        "num_hidden_layers": 0,
        "num_attention_heads": 1,
        "intermediate_size": 1,
        "max_position_embeddings": 2048,
        "layer_norm_eps": EPSILON,
    }
    config = GLiNERConfig(
        model_name=str(folder),
        encoder_config=encoder,
        hidden_size=size,
        max_width=MAX_WIDTH,
        max_len=max_len,
        num_rnn_layers=0,
        embed_ent_token=False,
        dropout=0.0,
    )
    model = GLiNER.from_config(config, backbone_from_pretrained=False)
    with torch.no_grad():
        _write(model, labels, words)
    model.save_pretrained(folder)
    return folder


def _write(model: GLiNER, labels: list[str], words: Mapping[str, Word]) -> None:
    for parameter in model.model.parameters():
        parameter.zero_()
    count = len(labels)
    embeddings = model.model.token_rep_layer.bert_layer.model.embeddings
    embeddings.LayerNorm.weight.fill_(math.sqrt(EPSILON))
    tokenizer = model.data_processor.transformer_tokenizer
    rows = embeddings.word_embeddings.weight
    rows[:, 3 * count] = 1.0
    for text, word in words.items():
        row = rows[tokenizer.convert_tokens_to_ids(text)]
        row[labels.index(word.label)] = word.first
        row[count + labels.index(word.label)] = word.last
    for index, label in enumerate(labels):
        rows[tokenizer.convert_tokens_to_ids(label)][2 * count + index] = 1.0
    rows[:, -1] = -rows[:, :-1].sum(dim=1)
    _write_heads(model.model, count)


def _write_heads(heads: torch.nn.Module, count: int) -> None:
    """Make the score of a span and a label `_SCALE * (relu(first + last - 1) - 0.5)`."""
    span, constant = heads.span_rep_layer.span_rep_layer, 3 * count
    size = constant + 2
    for index in range(count):
        for layers, column in ((span.project_start, index), (span.project_end, count + index)):
            layers[0].weight[index, column] = 1.0
            layers[3].weight[index, index] = 1.0
        span.out_project[0].weight[index, index] = 1.0
        span.out_project[0].weight[index, size + index] = 1.0
        span.out_project[0].bias[index] = -1.0
        span.out_project[3].weight[index, index] = 1.0
        heads.prompt_rep_layer[0].weight[index, 2 * count + index] = 1.0
        heads.prompt_rep_layer[3].weight[index, index] = _SCALE
    span.out_project[3].bias[constant] = 1.0
    heads.prompt_rep_layer[3].bias[constant] = -_SCALE / 2
