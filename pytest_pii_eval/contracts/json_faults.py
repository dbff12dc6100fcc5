"""Where JSON that parses breaks a rule of ours: a second look, taken only once the first found a fault."""

from __future__ import annotations

import json
import math
import re
from typing import NamedTuple

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]|-?(?:NaN|Infinity)|-?\d[\d.eE+-]*', re.DOTALL)
_COLON = re.compile(r"\s*:")


class Offence(NamedTuple):
    """A broken rule, and the code point in the document where the token that breaks it starts."""

    rule: str
    position: int


def first_offence(text: str) -> Offence:
    """Return the first token of `text` that strict JSON refuses though `json` would take it.

    Those are a key that its object has already, NaN and Infinity, numbers that no float or integer
    holds, and strings with a lone surrogate. `text` must hold one; behind a syntax error the answer means
    nothing.
    """
    frames: list[set[str] | None] = []  # the keys of each open object, None for an array
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word in "{[":
            frames.append(set() if word == "{" else None)
        elif word in "}]":
            frames.pop()
        else:
            is_key = bool(frames) and frames[-1] is not None and _COLON.match(text, token.end()) is not None
            rule = _string(word, frames[-1] if is_key else None) if word[0] == '"' else _number(word)
            if rule is not None:
                return Offence(rule, token.start())
    return Offence("breaks a rule of strict JSON", 0)


def _string(word: str, keys: set[str] | None) -> str | None:
    value = json.loads(word)
    if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
        return "holds a lone surrogate escape, which is no character"
    if keys is None:
        return None
    if value in keys:
        return "duplicate key in an object"
    keys.add(value)
    return None


def _number(word: str) -> str | None:
    if word[-1] in "Ny":
        return f"{word} is not JSON"
    try:
        value = json.loads(word)
    except ValueError:  # Python's limit on the digits of an integer
        return "holds a number with too many digits"
    return "holds a number too large for a float" if value in (math.inf, -math.inf) else None
