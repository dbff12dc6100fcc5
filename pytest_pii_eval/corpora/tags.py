"""Tags of tokens: from a tag a token to chunks of tokens, strictly; where tokens stand lives in `tokens`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from pytest_pii_eval.corpora.draft import UnfitRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Scheme = Literal["bio", "bioes", "io"]
"""How tags say where a chunk begins and ends.

`bio`: B- begins, I- goes on. `bioes`: B- begins, I- goes on, E- ends, S- is a chunk of one token.
`io`: I- alone; equal labels side by side are one chunk, for the scheme cannot tell two apart.
"""

SCHEMES: Final[tuple[Scheme, ...]] = ("bio", "bioes", "io")

OUTSIDE: Final = "O"

_STATES: Final[Mapping[Scheme, str]] = {"bio": "BI", "bioes": "BIES", "io": "I"}


class Chunk(NamedTuple):
    """Tokens `first` to `end`, half-open, that carry one label."""

    first: int
    end: int
    label: str


class Tag(NamedTuple):
    """A tag taken apart: its state, `O` outside, and its label, empty outside."""

    state: str
    label: str


_NOTHING: Final = Tag(OUTSIDE, "")


def chunks(tags: Iterable[object], scheme: Scheme) -> tuple[Chunk, ...]:
    """Return the chunks that `tags` mark, in order; raises `UnfitRow` (`bad_tag`).

    Nothing is repaired: a tag that its predecessor does not allow is refused, where evaluation scripts since
    CoNLL-2003 (W03-0419) read an I- without its B- as the begin of a chunk. The files of that task, which
    have a B- only between two chunks that touch (IOB1), are refused too: convert them to IOB2 first.
    """
    found: list[Chunk] = []
    previous = _NOTHING
    for index, text in enumerate(tags):
        tag = taken_apart(text, _STATES[scheme])
        if not _may_follow(scheme, previous, tag):
            raise UnfitRow("bad_tag")
        if _begins(scheme, previous, tag):
            found.append(Chunk(index, index + 1, tag.label))
        elif tag is not _NOTHING:
            found[-1] = found[-1]._replace(end=index + 1)
        previous = tag
    if not _may_follow(scheme, previous, _NOTHING):
        raise UnfitRow("bad_tag")
    return tuple(found)


def taken_apart(text: object, states: str) -> Tag:
    """Return the tag in `text`: `O`, or a state, a hyphen and a label; raises `UnfitRow` (`bad_tag`)."""
    if text == OUTSIDE:
        return _NOTHING
    if type(text) is not str or text[:1] not in states or text[1:2] != "-" or text[2:].split() != [text[2:]]:
        raise UnfitRow("bad_tag")
    return Tag(text[0], text[2:])


def _begins(scheme: Scheme, previous: Tag, tag: Tag) -> bool:
    if scheme == "io":
        return tag is not _NOTHING and tag != previous
    return tag.state in ("B", "S")


def _may_follow(scheme: Scheme, previous: Tag, tag: Tag) -> bool:
    if scheme == "io":
        return True
    open_before = previous.state in ("B", "I")
    if tag.state in ("I", "E"):
        return open_before and tag.label == previous.label
    return scheme == "bio" or not open_before
