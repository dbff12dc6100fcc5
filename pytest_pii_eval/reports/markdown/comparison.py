"""A comparison as Markdown: what moved between two runs, or why they are not compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.reports.comparing.order import by_severity, told_apart
from pytest_pii_eval.reports.markdown.change_sentences import change_sentence, gate_change_sentence
from pytest_pii_eval.reports.markdown.escaping import MARKDOWN, escaped, figure, named, prose
from pytest_pii_eval.reports.markdown.gate_sentences import counted, listed
from pytest_pii_eval.reports.markdown.layout import Part, section, table, text_of
from pytest_pii_eval.reports.words import many

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pii_eval.reports.comparing.model import Change, Comparison, Move, Refusal, Side
    from pytest_pii_eval.reports.markdown.escaping import Voice

_HEADER: Final = ("slice", "type", "metric", "old", "new", "change", "tolerance")
_MOST: Final = 3
_TRENDS: Final = (
    ("worse", "Worse, but not judged or within the tolerance"),
    ("better", "Better"),
    ("neither", "Changed"),
)
_DIRECTIONS: Final = (("lost", "Lost cases and spans"), ("gained", "Gained cases and spans"))


MARK: Final = "<!-- pii-eval comparison -->"
"""The last line of the page: it tells ours from others' files."""


def render_comparison(comparison: Comparison) -> str:
    """Return the comparison as Markdown; it fits a comment on GitHub whatever was compared."""
    lines = [line for line in (regression_line(comparison), baseline_line(comparison)) if line]
    lines.extend((f"Old run: {_side(comparison.old)}", f"New run: {_side(comparison.new)}"))
    heading = f"## pii-eval compare: {verdict_words(comparison)}"
    return text_of([heading, *(f"- {line}" for line in lines)], comparison_parts(comparison), ["", MARK])


def verdict_words(comparison: Comparison) -> str:
    """Return whether anything got worse that must not, or that nothing was compared."""
    if comparison.refusals or comparison.passed is None:
        return "not compared"
    if comparison.passed:
        return "no regression"
    return f"FAIL (regressions: {_number(comparison):,})"


def regression_line(comparison: Comparison) -> str | None:
    """Return the worst regressions in one line, one a slice and type, and count the others."""
    sentences = regression_sentences(comparison, MARKDOWN)
    if not sentences:
        return None
    _, again = told_apart(comparison.regressions)
    same = f" ({many(len(again), 'more figure')} of the same)" if again else ""
    return f"Regression: {counted(sentences, _number(comparison))}{same}"


def regression_sentences(comparison: Comparison, voice: Voice) -> list[str]:
    """Return the regressions, worst first: the figure that says most of each slice and type, then gates."""
    own, _ = told_apart(by_severity(comparison.regressions))
    gates = [gate for gate in comparison.gates if gate.regression]
    return [
        *(change_sentence(change, voice) for change in _telling(own)),
        *(gate_change_sentence(gate, voice) for gate in gates),
    ]


def baseline_line(comparison: Comparison) -> str:
    """Return what came of the comparison in counts, or why there was none."""
    if comparison.refusals:
        reasons = listed([_refusal(one) for one in comparison.refusals], most=_MOST)
        return f"Not compared with the baseline: {reasons}"
    if comparison.passed is None:
        return "Not compared with the baseline: no reason was given"
    trends = [change.trend for change in comparison.changes if not change.regression]
    own, again = told_apart(comparison.regressions)
    counts = (
        ("regressions", len(own)),
        ("more figures of the same", len(again)),
        ("gates lost", sum(gate.regression for gate in comparison.gates)),
        ("cases lost", comparison.lost_cases),
        ("worse but tolerated or not judged", trends.count("worse")),
        ("better", trends.count("better")),
        ("otherwise changed", trends.count("neither")),
    )
    told = ", ".join(f"{words} {count:,}" for words, count in counts if count)
    return f"Against the baseline: {told or 'no figure moved'}, unchanged {comparison.unchanged:,}"


def comparison_parts(comparison: Comparison) -> list[Part]:
    """Return what moved: regressions in words, then folded tables."""
    own, again = told_apart(by_severity(comparison.regressions))
    rest = [change for change in comparison.changes if not change.regression]
    parts = [
        *_listed("Why nothing was compared", [_refusal(one) for one in comparison.refusals[_MOST:]]),
        *_told(comparison),
        *_gates(comparison),
        *_changes("Regressions", own, share=6_000),
        *_changes("More figures of the same regressions", again),
    ]
    for trend, title in _TRENDS:
        parts.extend(_changes(title, [change for change in rest if change.trend == trend]))
    for direction, title in _DIRECTIONS:
        moves = [move for move in comparison.moves or () if move.direction == direction]
        parts.extend(_moves(title, moves))
    return [*parts, *_listed("Notes on the comparison", [prose(note) for note in comparison.notes])]


def _told(comparison: Comparison) -> Iterator[Part]:
    """Yield the regressions in words, where more are worth a word than the first lines hold."""
    sentences = regression_sentences(comparison, MARKDOWN)
    if len(sentences) > _MOST:
        yield section("Regressions against the baseline", sentences, share=6_000)


def _telling(changes: Sequence[Change]) -> list[Change]:
    """Return the first figure of each slice and type; one of all types only where no type is told."""
    typed = {change.slice for change in changes if change.type is not None}
    found: dict[tuple[str | None, str | None], Change] = {}
    for change in changes:
        if change.type is not None or change.slice not in typed:
            found.setdefault((change.slice, change.type), change)
    return list(found.values())


def _number(comparison: Comparison) -> int:
    """Return how many regressions there are, without the figures that only say others again."""
    own, _ = told_apart(comparison.regressions)
    return len(own) + sum(gate.regression for gate in comparison.gates) + comparison.lost_cases


def _changes(title: str, changes: Sequence[Change], *, share: int = 3_000) -> Iterator[Part]:
    if changes:
        rows = (_row(change) for change in changes)
        yield table(title, _HEADER, rows, total=len(changes), share=share)


def _row(change: Change) -> tuple[str, ...]:
    slice_id = "conformance" if change.slice is None else escaped(change.slice)
    type_ = "all" if change.type is None else escaped(change.type)
    moved = "" if change.difference is None else f"{change.difference:+.4g}"
    tolerance = escaped(change.tolerance) if change.tolerance else "none"
    figures = (figure(change.old), figure(change.new), moved or "cannot be told")
    return (slice_id, type_, prose(change.metric), *figures, tolerance if change.judged else "not judged")


def _gates(comparison: Comparison) -> Iterator[Part]:
    if any(not gate.regression for gate in comparison.gates):
        rows = [gate_change_sentence(gate, MARKDOWN) for gate in comparison.gates]
        yield section("Gates with another verdict", rows)


def _moves(title: str, moves: Sequence[Move]) -> Iterator[Part]:
    if moves:
        header = ("kind", "id", "type", "old", "new", "slices")
        yield table(title, header, (_move(move) for move in moves), total=len(moves), share=3_000)


def _move(move: Move) -> tuple[str, ...]:
    type_ = "-" if move.type is None else escaped(move.type)
    slices = named(move.slices) or "-"
    return (move.kind, escaped(move.id), type_, prose(move.old), prose(move.new), slices)


def _listed(title: str, rows: list[str]) -> Iterator[Part]:
    if rows:
        yield section(title, rows, share=2_000)


def _refusal(one: Refusal) -> str:
    return f"{prose(one.part)} ({one.side}): {prose(one.words)}"


def _side(side: Side) -> str:
    version = "unknown version" if side.scorer_version is None else f"version {escaped(side.scorer_version)}"
    return f"{side.kind} {escaped(side.name)}, scored by {version}"
