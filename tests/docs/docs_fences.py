"""The pages of the documentation and the code blocks in them; what becomes of a block is said elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

ROOT = Path(__file__).parents[2]
_COMMENT = re.compile(r"<!-- (.*?) -->\s*")


@dataclass(frozen=True, slots=True)
class Fence:
    """A code block: where it stands, what its info string says, and what stands right above it."""

    page: str
    line: int
    language: str
    name: str
    text: str
    comments: tuple[str, ...]
    follows: Fence | None = None
    """The block right above, with nothing but blank lines and comments between."""

    @property
    def first(self) -> str:
        """The first line: with the page it names a block."""
        return self.text.partition("\n")[0]

    @property
    def place(self) -> str:
        """Where a reader finds it."""
        return f"{self.page}:{self.line}"


def pages() -> list[str]:
    """Return every page that somebody wrote, relative to the root of the repository."""
    paths = [ROOT / "README.md", ROOT / "CHANGELOG.md"]
    paths += [
        path for folder in ("docs", "conformance", "benchmarks") for path in (ROOT / folder).rglob("*.md")
    ]
    rendered = {path for path in paths if path.parent == ROOT / "docs" / "eval" and path.name != "index.md"}
    return sorted(path.relative_to(ROOT).as_posix() for path in paths if path not in rendered)


def read_page(page: str) -> str:
    """Return the text of a page."""
    return (ROOT / page).read_text(encoding="utf-8")


def fences(page: str) -> list[Fence]:
    """Return the code blocks of a page, in order."""
    return list(fences_of(read_page(page), page))


def fences_of(text: str, page: str = "page.md") -> Iterator[Fence]:
    """Yield the code blocks of a Markdown text; `page` is what they are said to stand in."""
    comments: tuple[str, ...] = ()
    follows: Fence | None = None
    for token in MarkdownIt("commonmark").parse(text):
        if token.type == "html_block" and _COMMENT.match(token.content):
            comments += tuple(_COMMENT.findall(token.content))
        elif token.type in ("fence", "code_block"):
            fence = _fence(token, page, comments, follows)
            yield fence
            comments, follows = (), fence
        else:
            comments, follows = (), None


def _fence(token: Token, page: str, comments: tuple[str, ...], follows: Fence | None) -> Fence:
    language, _, name = token.info.strip().partition(" ")
    line = (token.map or [0])[0] + 1
    return Fence(page, line, language, name.strip(), token.content, comments, follows)
