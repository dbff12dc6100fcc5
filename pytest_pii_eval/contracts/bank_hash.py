"""The fingerprint of a bank document: what order and repetition of its lists do not change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_pii_eval.contracts.bank_model import RegexPattern
from pytest_pii_eval.contracts.canonical import canonical_bytes, canonical_pieces, fingerprint_of

if TYPE_CHECKING:
    from pytest_pii_eval.contracts.bank_model import BankModel

_FLAG_ORDER = ("ASCII", "IGNORECASE", "MULTILINE", "DOTALL", "VERBOSE")
# Bank, entities, entity, names: below lies one name, which is small.
_DEPTH = 4


def bank_fingerprint(document: object, *, in_order: bool) -> str:
    """Return the SHA-256 of the canonical bank (the one `nerb` prints as `bank_hash`).

    `in_order` says that `is_in_order` holds of the whole bank: then the document is canonical but for the
    order of keys.
    """
    leaf = _plain if in_order else _ordered_leaf
    return fingerprint_of(canonical_pieces(document, _DEPTH, leaf))


def is_in_order(model: BankModel) -> bool:
    """Say whether every list of flags and references stands as the canonical bank has it."""
    flags = [model.default_regex_flags]
    references = [model.eval_refs]
    if model.metadata:
        return False  # what lies in metadata is reordered too where it bears one of these keys
    for entity in model.entities.values():
        flags.append(entity.regex_flags)
        references.append(entity.eval_refs)
        for name in entity.names.values():
            references.append(name.eval_refs)
            for pattern in name.patterns.values():
                references.append(pattern.eval_refs)
                if isinstance(pattern, RegexPattern):
                    flags.append(pattern.regex_flags)
                if pattern.metadata:
                    return False
            if name.metadata:
                return False
        if entity.metadata:
            return False
    return all(row == _ordered(row) for row in flags if row) and all(
        row == sorted(row) for row in references if row
    )


def _plain(value: object, _key: str | None) -> bytes:
    return canonical_bytes(value)


def _ordered_leaf(value: object, key: str | None) -> bytes:
    return canonical_bytes(_canonical(value, key))


def _ordered(flags: list[Any]) -> list[str]:
    known = [flag for flag in _FLAG_ORDER if flag in flags]
    return known + sorted(set(flags).difference(known), key=repr)  # metadata may hold others


def _canonical(value: object, key: str | None) -> object:
    if isinstance(value, dict):
        return {name: _canonical(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        words = all(isinstance(inner, str) for inner in value)  # always, but in metadata
        if key == "eval_refs" and words:
            return sorted(value)
        if key in {"default_regex_flags", "regex_flags"} and words:
            return _ordered(value)
        return [_canonical(inner, None) for inner in value]
    return value
