"""Span columns that are text, JSON or the repr of a Python list; parsed, and nothing of it is run."""

from __future__ import annotations

import ast
import json
import re
from typing import Final, Literal, NoReturn, TypeAlias

from pydantic_core import from_json

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.strict_json import parse_line
from pytest_pii_eval.corpora.draft import UnfitRow

Encoding = Literal["auto", "list", "json", "python"]
"""How a column holds its spans: `list` as they are, `json` and `python` as text."""

ENCODINGS: Final[tuple[Encoding, ...]] = ("auto", "list", "json", "python")

MAX_LITERAL: Final = 1 << 18
"""Characters of a Python literal that has to be parsed as one: its tree takes some 200 bytes a character."""

_Sequence: TypeAlias = list[object] | tuple[object, ...]

# A run of what differs from JSON in its quotes alone, and behind it a string that has to be written anew.
_RUN: Final = re.compile(
    r"""((?:[^'"\\]++|'[^'"\\]*+')*+)('(?:[^'\\]++|\\.)*+'|"(?:[^"\\]++|\\.)*+"|\Z)""", re.DOTALL
)
_SPECIAL: Final = re.compile(r'"|\\(?:x[0-9a-fA-F]{2}|.)', re.DOTALL)
_SAME: Final = {'"': r"\"", r"\"": r"\"", r"\'": "'", r"\\": r"\\", r"\n": r"\n", r"\r": r"\r", r"\t": r"\t"}
# What repr writes behind a backslash; Python warns at most others, and they are not the work of repr.
_FOREIGN_ESCAPE: Final = re.compile(r"""(?:[^\\]++|\\[\\'"nrtxuU])*+\\""")


def parse_spans(value: object, encoding: Encoding = "auto") -> _Sequence:
    """Return the list or tuple that `value` is or writes; raises `UnfitRow` (`spans_not_readable`).

    Text holds lists, tuples, dicts, strings, numbers, true, false and nothing else; a dict has a key once.
    `auto` takes a list as it is; text is JSON if it is valid JSON, else Python.
    """
    found = _read(value, encoding)
    if type(found) is not list and type(found) is not tuple:
        raise UnfitRow("spans_not_readable")
    return found


def _read(value: object, encoding: Encoding) -> object:
    if type(value) is not str:
        return value if encoding in ("auto", "list") else None
    if encoding == "python":
        return parse_python(value)
    if encoding == "json":
        return parse_json(value)
    return _guessed(value) if encoding == "auto" else None


def _guessed(text: str) -> object:
    """Read JSON or Python; text whose first quote is a single one cannot be JSON."""
    single = text.find("'")
    if single >= 0 and '"' not in text[:single]:
        return parse_python(text)
    try:
        return parse_json(text)
    except UnfitRow:
        return parse_python(text)


def parse_json(text: str) -> object:
    """Return the JSON value that `text` writes; raises `UnfitRow`."""
    try:
        return parse_line(text.encode("utf-8"))
    except (Fault, UnicodeEncodeError):
        raise UnfitRow("spans_not_readable") from None


def parse_python(text: str) -> object:
    """Return the plain value whose repr `text` is; raises `UnfitRow`.

    Whatever `parse_literal` reads comes out equal, but faster; JSON's words for None, True and False are
    read too.
    """
    try:
        if '"' not in text and "\\" not in text:
            quick = _plain_dicts(text.replace("'", '"'))
            if quick is not None:
                return quick
        written = _as_json(text)
        found, end = _DECODER.raw_decode(written)
    except (ValueError, RecursionError):  # what JSON cannot say, Python's own parser decides
        return parse_literal(text)
    return found if end == len(written) else parse_literal(text)


def _plain_dicts(written: str) -> list[dict[str, object]] | None:
    """Return a list of flat dicts of which none has a key twice; None where that cannot be told at once.

    The quick parser keeps the last of two entries of one key. Each entry has a colon, so where there are as
    many colons as entries, none was lost. Where strings hold colons, too, keys are counted: no string of
    `written` holds a quote, so a quote before a colon ends a key.
    """
    found = from_json(written, allow_inf_nan=False)
    if type(found) is not list or any(type(one) is not dict for one in found) or written[0] != "[":
        return None
    entries = sum(map(len, found))
    if entries == written.count(":"):
        return found
    apart = any(f'"{blank}:' in written for blank in " \t\n\r")
    return None if apart or entries != written.count('":') else found


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def _refuse_constant(_: str) -> NoReturn:
    raise ValueError


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse_constant)


def _as_json(text: str) -> str:
    """Return `text` with its strings as JSON writes them; outside strings JSON means the same or nothing.

    Raises `ValueError` where it cannot tell what a string is.
    """
    if '"' not in text and "\\" not in text:
        return text.replace("'", '"')
    parts: list[str] = []
    at = 0
    while at < len(text):
        found = _RUN.match(text, at)
        if found is None:
            raise ValueError
        plain, string = found.groups()
        parts += (plain.replace("'", '"'), string and f'"{_SPECIAL.sub(_json_special, string[1:-1])}"')
        at = found.end()
    return "".join(parts)


def _json_special(found: re.Match[str]) -> str:
    """Return a quote or an escape as JSON writes it; raises `ValueError` where JSON has another rule."""
    written = found[0]
    if written in _SAME:
        return _SAME[written]
    if len(written) == len("\\xhh"):
        return "\\u00" + written[2:]
    raise ValueError


def parse_literal(text: str) -> object:
    """Return the plain value that `text` writes in Python, by Python's own parser; raises `UnfitRow`."""
    if len(text) > MAX_LITERAL or ("\\" in text and _has_foreign_escape(text)):
        raise UnfitRow("spans_not_readable")
    try:
        return _plain(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # `from None`: it carries the text
        raise UnfitRow("spans_not_readable") from None


def _has_foreign_escape(text: str) -> bool:
    return _FOREIGN_ESCAPE.match(text) is not None


def _plain(node: ast.expr) -> object:
    match node:
        case ast.Constant(value=None | bool() | str() | int() | float() as value):
            return value
        case ast.List(elts=elements):
            return [_plain(one) for one in elements]
        case ast.Tuple(elts=elements):
            return tuple([_plain(one) for one in elements])
        case ast.Dict(keys=keys, values=values):
            return _dict(keys, values)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            if type(value) is not bool:
                return -value
    raise ValueError


def _dict(keys: list[ast.expr | None], values: list[ast.expr]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in zip(keys, values, strict=True):
        if not isinstance(key, ast.Constant) or type(key.value) is not str or key.value in found:
            raise ValueError
        found[key.value] = _plain(value)
    return found
