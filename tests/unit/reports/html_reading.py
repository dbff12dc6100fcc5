"""HTML pages as their tests read them: tags with attributes, headings, tables, and text without markup."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser

VOID = frozenset({"meta", "link", "br", "img", "hr", "input", "wbr"})


class Page(HTMLParser):
    """A parsed page: `tags` in order with their attributes, and text by the elements around it."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.joins = False
        self.parts: list[tuple[tuple[str, ...], str]] = []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag, attrs):
        """Note a tag; no attribute may be there twice."""
        assert len(dict(attrs)) == len(attrs), "an attribute is there twice"
        self.tags.append((tag, dict(attrs)))
        self.joins = tag == "wbr"
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        """Note a tag that closes itself."""
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        """Close what was opened last."""
        assert self.open.pop() == tag

    def handle_data(self, data):
        """Note text; where a name may be broken (`wbr`) it goes on."""
        if not data.strip():
            return
        within, text = tuple(self.open), data.strip()
        if self.joins:
            text = self.parts.pop()[1] + text
        self.joins = False
        self.parts.append((within, text))

    @property
    def text(self) -> str:
        """All text outside the style sheet, in order."""
        return "\n".join(text for within, text in self.parts if "style" not in within)

    def shape(self) -> Counter[tuple[str, ...]]:
        """How often each tag stands with which attributes, but for places where a name may be broken."""
        return Counter((tag, *sorted(attributes)) for tag, attributes in self.tags if tag != "wbr")

    def values(self, name: str) -> list[str]:
        """Return the values of an attribute, wherever it stands."""
        return [found[name] or "" for _, found in self.tags if name in found]

    def within(self, tag: str) -> list[str]:
        """Return the texts inside elements of a tag."""
        return [text for within, text in self.parts if tag in within]
