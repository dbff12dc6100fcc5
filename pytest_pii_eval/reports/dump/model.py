"""What the error dump shows: errors grouped by state, type and surface. It holds text of documents."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

State = Literal["miss", "wrong_type", "shift", "extra", "leak"]
Mark = Literal["", "gold", "predicted", "both"]

STATES: Final[tuple[State, ...]] = get_args(State)

TITLES: Final[dict[State, str]] = {
    "miss": "Misses",
    "wrong_type": "Wrong types",
    "shift": "Shifts",
    "extra": "Extras",
    "leak": "Leaks",
}
MEANINGS: Final[dict[State, str]] = {
    "miss": "Gold spans that no prediction overlaps.",
    "wrong_type": "Gold spans that only predictions of other types overlap.",
    "shift": "Gold spans that a prediction of their type overlaps, and none equals.",
    "extra": "Predictions that overlap no gold span in scope: false alarms.",
    "leak": "Gold spans with a character outside every prediction; each is a miss, shift or wrong type, too.",
}
WARNING: Final = (
    "This holds text of documents. The directory is private: do not commit it, do not share it,"
    " and delete it once the errors are read."
)


class Occurrence(NamedTuple):
    """One error at one place of a document, and the slices where it counts; `taken_for` may be empty."""

    state: State
    type: str
    start: int
    end: int
    taken_for: str
    slices: tuple[str, ...]


class Part(NamedTuple):
    """A stretch of a context, made harmless to the eye, and whether it is gold, predicted or both."""

    text: str
    mark: Mark


class Context(NamedTuple):
    """One error in its text; `predictions` are the types and places of predictions that overlap it."""

    document: str
    start: int
    end: int
    parts: tuple[Part, ...]
    predictions: tuple[str, ...]


class Some(NamedTuple):
    """The first lines of a list, and how many more it has."""

    shown: tuple[str, ...]
    more: int


class Group(NamedTuple):
    """The errors of one state, type and surface: their number, where, and the first of them in context."""

    surface: str
    number: int
    documents: Some
    slices: Some
    taken_for: Some
    contexts: tuple[Context, ...]


class TypeSection(NamedTuple):
    """The errors of one state and type, most frequent surface first; what is left out is counted."""

    type: str
    number: int
    slices: tuple[tuple[str, int], ...]
    groups: tuple[Group, ...]
    left_out: int


class Page(NamedTuple):
    """The errors of one state, by type, the type with most errors first."""

    state: State
    number: int
    sections: tuple[TypeSection, ...]


class Unanswered(NamedTuple):
    """Documents that have no answer for one reason."""

    reason: str
    number: int
    documents: Some


class Dump(NamedTuple):
    """All pages of a run; `subject` is what was asked, `documents` how many answers were looked at."""

    subject: str
    documents: int
    pages: tuple[Page, ...]
    unanswered: tuple[Unanswered, ...]
