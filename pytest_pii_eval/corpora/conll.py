"""The column files of CoNLL, a token and its tag a line, by document; what tags mean lives in `tags`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.jsonl import MAX_LINE_BYTES
from pytest_pii_eval.contracts.quality_model import MAX_TEXT_BYTES
from pytest_pii_eval.contracts.strict_json import refuse_foreign_start
from pytest_pii_eval.corpora.draft import Unfit, UnfitRow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.corpora.draft import Reason

MAX_TOKENS: Final = 1_000_000
"""Tokens of one document."""

_DOCUMENT: Final = b"-DOCSTART-"
_BLANKS: Final = re.compile(" +")


class Columns(NamedTuple):
    """Which columns hold token and tag: indexes from 0, -1 for the last."""

    token: int
    tag: int


class Tokens(NamedTuple):
    """A document as its file has it: line of its first token, counted from 1, its tokens and their tags."""

    line: int
    tokens: list[str]
    tags: list[str]


def read_conll(handle: BinaryIO, columns: Columns, *, file: str) -> Iterator[Tokens | Unfit]:
    """Yield the documents of `handle`: they end at a blank line, at a `-DOCSTART-` line and at the end.

    Lines end with a line feed, or with a carriage return and a line feed. A line with a tab is split at
    tabs, any other at runs of blanks. Raises `Fault` for another encoding and for a line beyond the limit.
    """
    document: _Document | None = None
    for number, raw in enumerate(_lines(handle, file), 1):
        if not raw.strip(b" \t") or raw.split(maxsplit=1)[:1] == [_DOCUMENT]:
            if document is not None:
                yield document.made()
            document = None
        else:
            document = document or _Document(number)
            document.add(raw, columns)
    if document is not None:
        yield document.made()


def _lines(handle: BinaryIO, file: str) -> Iterator[bytes]:
    number = 0
    while raw := handle.readline(MAX_LINE_BYTES + 2):
        number += 1
        try:
            _check(raw, number)
        except Fault as fault:
            raise fault.at(file=file, line=number) from None
        yield raw.removesuffix(b"\n").removesuffix(b"\r")


def _check(raw: bytes, number: int) -> None:
    if number == 1:
        refuse_foreign_start(raw)
    if len(raw) > MAX_LINE_BYTES + 1:
        raise Fault(f"line is longer than the limit of {MAX_LINE_BYTES:,} bytes")


class _Document:
    """A document being read; once a line does not fit it keeps nothing but the reason."""

    def __init__(self, line: int) -> None:
        self._tokens = Tokens(line, [], [])
        self._size = 0
        self._reason: Reason | None = None

    def add(self, raw: bytes, columns: Columns) -> None:
        if self._reason is not None:
            return
        try:
            self._keep(*_token_and_tag(raw, columns))
        except UnfitRow as unfit:
            self._reason = unfit.reason
            self._tokens = Tokens(self._tokens.line, [], [])

    def made(self) -> Tokens | Unfit:
        return self._tokens if self._reason is None else Unfit(self._tokens.line, self._reason)

    def _keep(self, token: str, tag: str) -> None:
        self._size += len(token)
        if self._size > MAX_TEXT_BYTES or len(self._tokens.tokens) == MAX_TOKENS:
            raise UnfitRow("text_too_long")
        self._tokens.tokens.append(token)
        self._tokens.tags.append(tag)


def _token_and_tag(raw: bytes, columns: Columns) -> tuple[str, str]:
    try:
        line = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise UnfitRow("row_not_readable") from None
    cells = line.split("\t") if "\t" in line else _BLANKS.split(line.strip(" "))
    if max(columns) >= len(cells) or len(cells) == 1:
        raise UnfitRow("field_missing")
    return cells[columns.token], cells[columns.tag]
