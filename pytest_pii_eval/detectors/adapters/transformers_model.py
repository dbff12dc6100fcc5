"""Loading a token classification model: whole, with a tokenizer that knows offsets, and its windows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transformers import AutoModelForTokenClassification, AutoTokenizer

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.detectors.adapters.options import whole

if TYPE_CHECKING:
    from pytest_pii_eval.detectors.adapters.models import Source

_WINDOW = 512
_LONGEST = 1_000_000


def tokenizer_of(source: Source) -> Any:
    """Load the tokenizer; raises `Fault` where it is no fast one."""
    tokenizer = AutoTokenizer.from_pretrained(
        source.place, revision=source.revision or "main", local_files_only=source.local
    )
    if not tokenizer.is_fast:
        raise Fault("transformers: the tokenizer is not a fast one: it gives no offsets and clips long texts")
    return tokenizer


def network_of(source: Source) -> Any:
    """Load the model; raises `Fault` where a part of it would be made of random weights."""
    network, report = AutoModelForTokenClassification.from_pretrained(
        source.place,
        revision=source.revision or "main",
        local_files_only=source.local,
        output_loading_info=True,
    )
    if report["missing_keys"]:
        raise Fault("transformers: the model has no trained weights for token classification")
    return network.eval()


def window_of(value: str | int | None, tokenizer: Any, network: Any) -> int:
    """Return the length of a window in tokens; never more than the model has positions for."""
    special = tokenizer.num_special_tokens_to_add()
    positions = _positions(network)
    longest = positions or _LONGEST
    if value is not None:
        return whole(value, "window", least=special + 2, most=longest)
    usual = getattr(network.config, "max_position_embeddings", None) or _WINDOW
    said = tokenizer.model_max_length
    return int(min(longest, said if said <= _LONGEST else usual))


def _positions(network: Any) -> int | None:
    """Return how many tokens the table of positions holds; a padding row and those before it hold none."""
    for name, module in network.named_modules():
        if name.endswith("position_embeddings") and hasattr(module, "num_embeddings"):
            padding = getattr(module, "padding_idx", None)
            return int(module.num_embeddings - (0 if padding is None else padding + 1))
    return None


def stride_of(value: str | int | None, room: int) -> int:
    """Return how many tokens two windows share, of `room` that are not special ones."""
    return room // 4 if value is None else whole(value, "stride", least=0, most=room - 1)
