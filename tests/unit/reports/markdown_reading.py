"""Markdown as an independent parser reads it: headings, lists, tables and what is neither text nor code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

SAFE = {"text", "code_inline", "softbreak"}
# What GitHub makes links, mentions, emojis and references of, in text that is not code.
ACTIVE = re.compile(r"@\w|://|www\.|mailto:|:[\w+-]+:|GH-\d|#\d|~~|\$")


class Table(NamedTuple):
    """One table: the title that it is folded under or headed by, and its cells as plain text."""

    title: str
    header: list[str]
    rows: list[list[str]]


def tokens(markdown: str) -> list[Token]:
    """Return the tokens of CommonMark with tables and HTML."""
    return MarkdownIt("commonmark", {"html": True}).enable("table").parse(markdown)


def inline(markdown: str) -> list[Token]:
    """Return what stands inside of the blocks."""
    return [child for token in tokens(markdown) for child in token.children or ()]


def strange(markdown: str) -> list[str]:
    """Return what is neither text nor code inside of the blocks, and text that GitHub makes something of."""
    found = inline(markdown)
    formed = [f"{one.type} {one.content}" for one in found if one.type not in SAFE]
    return formed + [one.content for one in found if one.type == "text" and ACTIVE.search(one.content)]


def html(markdown: str) -> list[str]:
    """Return the lines of HTML, in order."""
    blocks = [token.content for token in tokens(markdown) if token.type == "html_block"]
    return [line for block in blocks for line in block.strip().split("\n")]


def tables(markdown: str) -> list[Table]:
    """Return the tables with what stands above each."""
    return list(_tables(tokens(markdown)))


def titled(markdown: str, title: str) -> Table:
    """Return the one table whose title starts with `title`."""
    (found,) = [table for table in tables(markdown) if table.title.startswith(title)]
    return found


def items(markdown: str, heading: str) -> list[str]:
    """Return the items of the list below a heading, as plain text."""
    found, inside, current = [], False, ""
    for token in tokens(markdown):
        if token.type == "heading_open":
            inside, current = False, "heading"
        elif token.type == "list_item_open":
            current = "item"
        elif token.type == "inline" and current == "heading":
            inside, current = plain(token) == heading, ""
        elif token.type == "inline" and current == "item":
            found += [plain(token)] if inside else []
            current = ""
    return found


def plain(token: Token) -> str:
    """Return the text of an inline token, code without its fences."""
    return "".join(child.content for child in token.children or ())


def _tables(found: list[Token]) -> Iterator[Table]:
    title, table = "", None
    for token in found:
        if token.type == "html_block" and "<summary>" in token.content:
            title = token.content.partition("<summary>")[2].partition("</summary>")[0]
        elif token.type == "table_open":
            table = Table(title, [], [])
        elif token.type == "tr_open" and table is not None:
            table.rows.append([])
        elif token.type == "inline" and table is not None:
            table.rows[-1].append(plain(token))
        elif token.type == "inline":
            title = plain(token)
        elif token.type == "table_close" and table is not None:
            yield table._replace(header=table.rows[0], rows=table.rows[1:])
            table = None
