"""How a snapshot lies in its file: a small object a line, and all that a slice says close together."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from pytest_pii_eval.reports.words import inert

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pytest_pii_eval.reports.model import Gate
    from pytest_pii_eval.reports.snapshots.model import ConformanceSnapshot, SliceSnapshot, Snapshot

_WIDTH: Final = 320
_UNSEEN: Final = re.compile(r"[^\x20-\x7e]")


def render_snapshot(snapshot: Snapshot) -> str:
    """Return `snapshot` as JSON with a final line feed; equal snapshots give equal text.

    A slice is one block: what it declares, its gates, its figures by family, then a line a type. Characters
    that no eye or terminal shows are escaped, in the way of JSON.
    """
    return "{\n" + ",\n".join(_sections(snapshot)) + "\n}\n"


def _sections(snapshot: Snapshot) -> Iterator[str]:
    yield f'  "schema_version": {_line(snapshot.schema_version)}'
    yield _block("left_out", _joined(map(_line, snapshot.left_out)), "[]")
    yield f'  "subject": {_line(_plain(snapshot.subject))}'
    yield f'  "scorer_version": {_line(snapshot.scorer_version)}'
    yield f'  "taxonomy": {_line(snapshot.taxonomy)}'
    yield f'  "completeness": {_line(_plain(snapshot.completeness))}'
    yield f'  "selection": {_line(_plain(snapshot.selection))}'
    yield _block("fingerprints", _keyed(sorted(snapshot.fingerprints.items())))
    yield _block("evidence_notes", [_line(note) for note in snapshot.evidence_notes], "[]")
    yield _block("gates", _gates(snapshot.gates), "[]")
    yield _conformance(snapshot.conformance)
    slices = [f"{_line(name)}: {_slice(one)}" for name, one in sorted(snapshot.slices.items())]
    yield _block("slices", slices)
    gaps = {name: _plain(gap) for name, gap in sorted(snapshot.unsupported_slices.items())}
    yield _block("unsupported_slices", _keyed(gaps.items()))


def _conformance(found: ConformanceSnapshot | None) -> str:
    if found is None:
        return '  "conformance": null'
    rows = [
        f'"evaluated": {_line(found.evaluated)}, "passed": {_line(found.passed)}',
        f'"counts": {_line(_sorted(found.counts))}',
    ]
    for name, parts in (("by_entity", found.by_entity), ("by_tag", found.by_tag)):
        rows.append(_nested(name, _keyed((key, _sorted(row)) for key, row in sorted(parts.items())), "    "))
    return _block("conformance", rows)


def _slice(one: SliceSnapshot) -> str:
    """Return the block of a slice; what moves together when a find is lost is at most six lines apart."""
    rows = [
        f'"declared": {_line(_plain(one.declared))}',
        *([] if one.corpus is None else [f'"corpus": {_line(_plain(one.corpus))}']),
        *([] if one.offset_hint is None else [f'"offset_hint": {_line(one.offset_hint)}']),
        f'"unmapped_labels": {_line(_sorted(one.unmapped_labels))}',
        f'"out_of_scope_types": {_line(_sorted(one.out_of_scope_types))}',
        f'"verdict": {_line(_plain(one.verdict))}',
        _nested("gates", _gates(one.gates), "      ", "[]"),
        f'"counts": {_line(_sorted(one.counts))}',
        f'"confusion": {_line({name: _sorted(row) for name, row in sorted(one.confusion.items())})}',
        _nested("metrics", _keyed(one.metrics.items()), "      "),
        _nested("outputs", _outputs(one), "      "),
        _nested("types", _keyed((name, _plain(row)) for name, row in sorted(one.types.items())), "      "),
    ]
    return "{\n      " + ",\n      ".join(rows) + "\n    }"


def _outputs(one: SliceSnapshot) -> list[str]:
    return _joined(_keyed((name, _counts(row)) for name, row in one.outputs.items()))


def _gates(gates: Sequence[Gate]) -> list[str]:
    """Return gates in lines, as many as fit into one: however many there are, they take few lines."""
    return _joined([_line(_plain(gate)) for gate in gates])


def _joined(texts: Iterable[str]) -> list[str]:
    """Return `texts` in order, as many on a line as fit into it."""
    lines: list[str] = []
    for text in texts:
        if lines and len(lines[-1]) + len(text) < _WIDTH:
            lines[-1] += f", {text}"
        else:
            lines.append(text)
    return lines


def _block(name: str, rows: Sequence[str], brackets: str = "{}") -> str:
    if not rows:
        return f'  "{name}": {brackets}'
    return f'  "{name}": {brackets[0]}\n    ' + ",\n    ".join(rows) + f"\n  {brackets[1]}"


def _nested(name: str, rows: Sequence[str], indent: str, brackets: str = "{}") -> str:
    """Return `rows` one a line, with no line for a bracket alone: each would part what moves together."""
    if not rows:
        return f'"{name}": {brackets}'
    gap = f",\n{indent}  "
    return f'"{name}": {brackets[0]}{gap.join(rows)}{brackets[1]}'


def _keyed(items: Iterable[tuple[str, object]]) -> list[str]:
    return [f"{_line(key)}: {_line(value)}" for key, value in items]


def _counts(row: Mapping[str, int] | str) -> object:
    return row if isinstance(row, str) else _sorted(row)


def _sorted(row: Mapping[str, Any]) -> dict[str, Any]:
    return dict(sorted(row.items()))


def _plain(model: Any) -> dict[str, Any]:
    plain: dict[str, Any] = model.model_dump(mode="json", exclude_defaults=True)
    return plain


def _line(value: object) -> str:
    """Return `value` as JSON on one line, with an escape for each character that cannot be seen."""
    return _UNSEEN.sub(_escaped, json.dumps(value, ensure_ascii=False, allow_nan=False))


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    return character if inert(character) == character else json.dumps(character)[1:-1]
