"""Builders of models so small that their answers can be worked out by hand; they write them to a folder."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertForTokenClassification, PreTrainedTokenizerFast

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
# A LayerNorm of this epsilon and this weight divides by a thousand and multiplies by it: it only takes
# the mean away, which no softmax sees.
EPSILON = 1e6


def word_pieces(pieces: Iterable[str], length: int | None) -> PreTrainedTokenizerFast:
    """Return a WordPiece tokenizer of `pieces` that ignores case and accents, and clips at `length`."""
    vocabulary = {piece: index for index, piece in enumerate([*SPECIAL, *pieces])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))  # noqa: S106  # a token of a model
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])],
    )
    names = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    more = {} if length is None else {"model_max_length": length}
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names, **more)


def tagger(
    folder: Path,
    labels: Sequence[str],
    pieces: Mapping[str, tuple[str, float]],
    length: int | None = 512,
    positions: int = 512,
) -> Path:
    """Write a BERT tagger that gives each of `pieces` its label with its probability, in any context.

    `labels` begin with the one for everything that is no piece; that has probability 0.99.
    """
    tokenizer = word_pieces(pieces, length)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=len(labels),
        num_hidden_layers=0,
        num_attention_heads=1,
        intermediate_size=1,
        max_position_embeddings=positions,
        layer_norm_eps=EPSILON,
        id2label=dict(enumerate(labels)),
        label2id={label: index for index, label in enumerate(labels)},
    )
    network = BertForTokenClassification(config)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.zero_()
        network.bert.embeddings.LayerNorm.weight.fill_(math.sqrt(EPSILON))
        network.classifier.weight.copy_(torch.eye(len(labels)))
        rows = network.bert.embeddings.word_embeddings.weight
        rows[:, 0] = _logit(0.99, len(labels))
        for piece, (label, probability) in pieces.items():
            row = rows[tokenizer.convert_tokens_to_ids(piece)]
            row.zero_()
            row[labels.index(label)] = _logit(probability, len(labels))
    network.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _logit(probability: float, labels: int) -> float:
    """Return the logit that gives one label `probability` where all others have logit 0."""
    return math.log(probability * (labels - 1) / (1 - probability))
