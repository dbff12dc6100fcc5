"""The text form of the error dump: the same groups as on the pages, for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.reports.dump.model import MEANINGS, TITLES, WARNING
from pytest_pii_eval.reports.dump.words import listed
from pytest_pii_eval.reports.words import inert

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.reports.dump.model import Context, Dump, Group, Mark, Page, TypeSection, Unanswered

_SIGNS: Final[dict[Mark, tuple[str, str]]] = {
    "": ("", ""),
    "gold": ("⟦", "⟧"),
    "predicted": ("⟨", "⟩"),
    "both": ("⟦⟨", "⟩⟧"),
}


def text_form(dump: Dump) -> Iterator[str]:
    """Yield the lines, each with its line feed."""
    yield f"PRIVATE. {WARNING}\n\n"
    yield f"What {inert(dump.subject)} got wrong, in {dump.documents:,} documents.\n"
    yield "In a context: ⟦gold span⟧, ⟨predicted span⟩, ⟦⟨both⟩⟧. What cannot be seen is escaped.\n"
    for page in dump.pages:
        yield from _page(page)
    yield "\n== Documents without an answer\n"
    for one in dump.unanswered:
        yield _unanswered(one)
    if not dump.unanswered:
        yield "none\n"


def _page(page: Page) -> Iterator[str]:
    yield f"\n== {TITLES[page.state]}: {page.number:,}\n{MEANINGS[page.state]}\n"
    for section in page.sections:
        yield from _section(section)


def _section(section: TypeSection) -> Iterator[str]:
    slices = ", ".join(f"{inert(name)} ({number:,})" for name, number in section.slices)
    yield f"\n-- type {inert(section.type)}: {section.number:,}; slices: {slices}\n"
    for group in section.groups:
        yield from _group(group)
    if section.left_out:
        yield f"\n{section.left_out:,} more errors, of other texts, are left out here.\n"


def _group(group: Group) -> Iterator[str]:
    yield f"\n{group.number:,} x {group.surface}\n"
    if group.taken_for.shown:
        yield f"    taken for: {listed(group.taken_for)}\n"
    yield f"    slices: {listed(group.slices)}\n    documents: {listed(group.documents)}\n"
    for context in group.contexts:
        yield _context(context)
    if group.number > len(group.contexts):
        yield f"    {group.number - len(group.contexts):,} more are not shown.\n"


def _context(context: Context) -> str:
    text = "".join(part.text.join(_SIGNS[part.mark]) for part in context.parts)
    predicted = f"; predicted: {', '.join(context.predictions)}" if context.predictions else ""
    return f"    | {text}\n      {inert(context.document)}, {context.start}-{context.end}{predicted}\n"


def _unanswered(one: Unanswered) -> str:
    return f"{one.number:,} x {inert(one.reason)}: {listed(one.documents)}\n"
