"""Rules about long texts: an identifier is found at every depth, and among many others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.testing.drafts import Drafts, alone
from pytest_pii_eval.testing.examination import verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pii_eval.testing.drafts import Draft, Identifier, Place
    from pytest_pii_eval.testing.examination import Examination

_KEPT = "long texts"
_LOOKED_AT = 5
_ENOUGH = 10
_GAP = 24
"""Code points between two identifiers of a crowded text, at most."""
_WORDS_BETWEEN = 5
_WORDS = re.compile(r"\S+")
_TOKENS = re.compile(r"\w+|[^\w\s]")


class Crowded(NamedTuple):
    """What long texts with many identifiers showed: how many stood there, and what was not found.

    `anywhere` holds faults at places where an identifier is not found alone either, in the same text with no
    other in it; `among_others` those where it is found alone.
    """

    asked: int
    anywhere: Sequence[str]
    among_others: Sequence[str]


def depths(examination: Examination) -> None:
    """An identifier is found at every depth of a long text, whatever windows it is read in.

    Each text is packed with identifiers, and over all of them every seam falls into one: they are shifted by
    code points, by words and by tokens. What is not found is looked for alone at the same place of the same
    text, between as many words and tokens: what many identifiers cause is the matter of another test.
    """
    crowded = in_crowds(examination)
    verdict(crowded.anywhere, crowded.asked, "not found at some depth of a long text")


def in_crowds(examination: Examination) -> Crowded:
    """Return what long texts with many identifiers show; asked once, as two rules need it."""
    if _KEPT not in examination.kept:
        examination.kept[_KEPT] = _in_crowds(examination)
    crowded: Crowded = examination.kept[_KEPT]
    return crowded


def _in_crowds(examination: Examination) -> Crowded:
    asked, anywhere, among_others = 0, list[str](), list[str]()
    for draft in _crowds(examination):
        if len(anywhere) + len(among_others) >= _ENOUGH:
            break
        asked += len(draft.places)
        missing = examination.missing_places(draft)
        for place in _some(list(missing)):
            is_lost_alone = bool(examination.missing(alone(draft, place)))
            (anywhere if is_lost_alone else among_others).append(missing[place])
    return Crowded(asked, anywhere, among_others)


def _some(places: Sequence[Place]) -> Sequence[Place]:
    """Return some of the places: the last, and others evenly from the first on."""
    step = -(-len(places) // _LOOKED_AT) or 1
    return list(dict.fromkeys([*places[-1:], *places[::step]]))


def _crowds(examination: Examination) -> Iterator[Draft]:
    drafts, found, limits = Drafts(3), examination.found, examination.limits
    longest = max(len(identifier.value) for identifier in found)
    for offset in range(0, longest + _GAP, limits.step):
        if offset != 1:  # a lone blank at the start is the matter of another test
            yield drafts.packed(found, offset, limits.depth)
    for identifier, words in dict.fromkeys([*_shifts(found, _WORDS), *_shifts(found, _TOKENS)]):
        yield drafts.shifted(identifier, words, limits.depth)


def _shifts(found: Sequence[Identifier], token: re.Pattern[str]) -> Iterator[tuple[Identifier, int]]:
    """Yield the identifier of most tokens with shifts in words, so that every seam falls into it once."""

    def size(identifier: Identifier) -> int:
        return len(token.findall(identifier.value))

    widest = max(found, key=size)
    if size(widest) > 1:
        for words in range(0, size(widest) + _WORDS_BETWEEN, size(widest) - 1):
            yield widest, words
