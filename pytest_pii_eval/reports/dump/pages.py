"""The HTML pages of the error dump: one template a kind of page; all that comes from a run is escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pytest_pii_eval.reports.dump.model import MEANINGS, TITLES, WARNING
from pytest_pii_eval.reports.dump.words import listed
from pytest_pii_eval.reports.templates import templates_of
from pytest_pii_eval.reports.words import inert

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jinja2 import Environment

    from pytest_pii_eval.reports.dump.model import Dump, Page, State

INDEX: Final = "index.html"
FILES: Final[dict[State, str]] = {
    "miss": "misses.html",
    "wrong_type": "wrong-types.html",
    "shift": "shifts.html",
    "extra": "extras.html",
    "leak": "leaks.html",
}
_SLICES: Final = 8


class _Link(NamedTuple):
    file: str
    title: str
    number: int | None


def pages_of(dump: Dump) -> Iterator[tuple[str, Iterator[str]]]:
    """Yield the name of each page, and its text piece by piece."""
    environment = _environment()
    shared = {"warning": WARNING, "titles": TITLES, "meanings": MEANINGS, "links": _links(dump)}
    index = environment.get_template("index.html")
    told = {"dump": dump, "subject": inert(dump.subject), "files": FILES, "slices_shown": _SLICES}
    yield INDEX, index.generate(**shared, **told, title="Errors", file=INDEX)
    state = environment.get_template("state.html")
    for page in dump.pages:
        yield FILES[page.state], state.generate(**shared, **_of(page))


def _of(page: Page) -> dict[str, Any]:
    return {"page": page, "title": TITLES[page.state], "file": FILES[page.state]}


def _links(dump: Dump) -> list[_Link]:
    pages = [_Link(FILES[page.state], TITLES[page.state], page.number) for page in dump.pages]
    return [_Link(INDEX, "Overview", None), *pages]


def _environment() -> Environment:
    environment = templates_of("pytest_pii_eval.reports.dump")
    environment.filters["inert"] = inert
    environment.globals["listed"] = listed
    return environment
