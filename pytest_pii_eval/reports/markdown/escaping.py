"""Names and words of a report as inert Markdown; what they say is decided elsewhere.

A report may come from anywhere, so nothing in it may form Markdown, HTML, a link, a mention or a cell border.
Backslashes do not help against what GitHub makes of `@name`, `www.` or `:emoji:` in rendered text; code spans
do.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.reports.words import inert, metric_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_pii_eval.reports.model import MetricReport

_BAR: Final = r"\u{7c}"
_LONG_RUN: Final = 9 * "`"
_NAME: Final = 128
_WORDS: Final = 480
# Words that form nothing anywhere but at the start of a line, where they never stand: no colon or underscore
# that could make a link, an emoji or an emphasis, no `GH-1`, and no number that could start a list.
_PLAIN: Final = re.compile(
    r"""[A-Za-z(](?:[A-Za-z0-9 ,;.()'"%/+=]|:(?=[ ])|-(?![0-9])|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9]))*"""
)
# GitHub makes links of addresses without a scheme, and of what could be a commit.
_LINKED: Final = re.compile(r"www\.|\b[0-9a-f]{7,40}\b", re.IGNORECASE)


def escaped(name: str) -> str:
    r"""Return `name` as one code span, in a fence that no run of backticks in it closes; a bar is `\u{7c}`.

    Bars cannot stay: what reads a table splits it at bars before it sees code spans, and implementations
    do not agree on a bar behind a backslash.
    """
    return _code(_bounded(name, _NAME))


def prose(words: str) -> str:
    """Return words of ours as they are, and anything that could form Markdown as a code span."""
    shown = inert(words, longest=_WORDS)
    return shown if _PLAIN.fullmatch(shown) and not _LINKED.search(shown) else _code(_bounded(words, _WORDS))


def figure(metric: MetricReport) -> str:
    """Return a metric with its counts, or `null` with its reason."""
    if metric.value is None:
        return f"null ({prose(metric.reason or 'no reason')})"
    return metric_text(metric)


def named(names: Sequence[str], quote: Callable[[str], str] = escaped, *, most: int = 6) -> str:
    """Return the first names in one line, and how many more there are."""
    shown = ", ".join(quote(name) for name in names[:most])
    return f"{shown} and {len(names) - most:,} more" if len(names) > most else shown


class Voice(NamedTuple):
    """How sentences quote a report: `name` an id, `word` a code or metric that is most likely ours."""

    name: Callable[[str], str]
    word: Callable[[str], str]


MARKDOWN: Final = Voice(escaped, prose)
PLAIN: Final = Voice(inert, partial(inert, longest=_WORDS))


def _bounded(name: str, longest: int) -> str:
    """Return `name` inert and barless; an eighth of it where it became escapes or asks for a long fence."""
    shown = inert(name, longest=longest).replace("|", _BAR)
    long = len(shown) > longest + longest // 2 or _LONG_RUN in shown
    return inert(name, longest=longest // 8).replace("|", _BAR) if long else shown


def _code(shown: str) -> str:
    if not shown:
        return "(empty)"
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    padded = shown.strip(" ") and (shown[0] in "` " or shown[-1] in "` ")
    return f"{fence} {shown} {fence}" if padded else f"{fence}{shown}{fence}"
