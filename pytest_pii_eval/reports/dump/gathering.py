"""The second pass over errors: the most frequent surfaces with their documents, slices and first contexts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.reports.dump.census import surface_key
from pytest_pii_eval.reports.dump.contexts import context_of, shortened
from pytest_pii_eval.reports.dump.model import STATES, Group, Page, Some, TypeSection

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_pii_eval.reports.dump.census import Census, Kind
    from pytest_pii_eval.reports.dump.contexts import Predicted
    from pytest_pii_eval.reports.dump.model import Context, Occurrence, State

_CONTEXTS: Final = 5
_LISTED: Final = 20


@final
class Listing:
    """The first ids of documents, in order, and their number; one that comes again at once counts once."""

    def __init__(self, longest: int = _LISTED) -> None:
        self._longest = longest
        self._shown: list[str] = []
        self._last: str | None = None
        self.number = 0

    def add(self, document: str) -> None:
        """Take the id of a document."""
        if document == self._last:
            return
        self._last = document
        self.number += 1
        if len(self._shown) < self._longest:
            self._shown.append(document)

    def some(self) -> Some:
        """Return what is shown, and how many more there are."""
        return Some(tuple(self._shown), self.number - len(self._shown))


class _Growing:
    def __init__(self, surface: str) -> None:
        self.surface = surface
        self.number = 0
        self.documents = Listing()
        self.slices: Counter[str] = Counter()
        self.taken_for: Counter[str] = Counter()
        self.contexts: list[Context] = []

    def closed(self) -> Group:
        return Group(
            self.surface,
            self.number,
            self.documents.some(),
            _most(self.slices),
            _most(self.taken_for),
            tuple(self.contexts),
        )


@final
class Gathering:
    """Takes the errors that the census chose."""

    def __init__(self, census: Census) -> None:
        self._census = census
        self._groups: dict[Kind, dict[bytes, _Growing | None]] = {
            kind: dict.fromkeys(surfaces) for kind, surfaces in census.chosen().items()
        }

    def add(
        self, document: str, text: str, found: Iterable[Occurrence], selected: Sequence[Predicted]
    ) -> None:
        """Take the errors of one document; its id is shown as it is, and `text` around each error."""
        for one in found:
            surface = text[one.start : one.end]
            groups, key = self._groups[one.state, one.type], surface_key(surface)
            if key not in groups:
                continue
            group = groups[key]
            if group is None:
                group = groups[key] = _Growing(shortened(surface))
            group.number += 1
            group.documents.add(document)
            group.slices.update(one.slices)
            if one.taken_for:
                group.taken_for[one.taken_for] += 1
            if len(group.contexts) < _CONTEXTS:
                group.contexts.append(context_of(document, text, one, selected))

    def pages(self) -> tuple[Page, ...]:
        """Return a page for each state, also where there is no error."""
        return tuple(self._page(state) for state in STATES)

    def _page(self, state: State) -> Page:
        sections = [self._section(kind) for kind in self._groups if kind[0] == state]
        sections.sort(key=lambda one: (-one.number, one.type))
        return Page(state, sum(one.number for one in sections), tuple(sections))

    def _section(self, kind: Kind) -> TypeSection:
        groups = tuple(group.closed() for group in self._groups[kind].values() if group is not None)
        count = self._census.spans[kind]
        slices = tuple(_ordered(self._census.slices[kind]))
        return TypeSection(kind[1], count, slices, groups, count - sum(group.number for group in groups))


def _ordered(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda one: (-one[1], one[0]))


def _most(counts: Counter[str]) -> Some:
    lines = tuple(f"{name} ({count:,})" for name, count in _ordered(counts))
    return Some(lines[:_LISTED], max(0, len(lines) - _LISTED))
