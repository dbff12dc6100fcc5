"""Turns a JSON Lines file of labelled spans into a quality suite: records, slices and provenance.

    python records_from_spans.py SPANS.jsonl NEW_DIR [--labels MAP.json] [--role ROLE]
                                 [--partial] [--weak] [--single-class]

A row of SPANS.jsonl has `doc_id`, `text`, `spans`, `source_corpus` and `template_id`; other fields are
ignored. A span is `[start, end, label]` in Unicode code points, half-open. MAP.json is an object from label
to class, and several labels may share a class. A label without an entry becomes a class of its own, its name
in small letters: a detector that does not know the class misses the span, and nothing vanishes.

Slices: `all` (every class, every document), `class.CLASS` (one class, every document), `negative` (documents
without a span). With `--single-class`, for tools such as nerb that know no scope of several classes, `all` is
left out and `negative` becomes `negative.CLASS`. With `--partial` or `--weak` a document without a span
proves nothing, so there is no negative slice. Catalog identities are `null`: nobody compared the spans with
a bank.

Ids that are no opaque ids are replaced: a document's by a digest, a corpus's or template's by its letters and
a digest. The whole input is checked before NEW_DIR is made. The first fault ends the run with status 2 and
one line that names place and rule, never a value. Standard library only.
"""
# ruff: noqa: INP001 - a script to copy, not a package

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_FIELDS = ("doc_id", "text", "spans", "source_corpus", "template_id")
_OPAQUE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_CLASS = re.compile(r"[a-z][a-z0-9_-]{0,79}")
_SCOPE = "all_labels"
_VIEW = "natural_body"
_SPAN_POLICY = "Spans stand as they do in the source file."
_CONTENT_POLICY = "A text is the whole text of its row, unchanged."


class Refusal(Exception):
    """The input cannot be taken; the message says where and why, and holds no value."""


class Row(NamedTuple):
    """One checked row: opaque ids, and spans as start, end (code points, half-open) and class."""

    document_id: str
    text: str
    spans: tuple[tuple[int, int, str], ...]
    source_corpus: str
    template_id: str


class Plan(NamedTuple):
    """One slice to be; its cohort is `all` documents or the `zero_gold` ones."""

    cohort: str
    id: str
    entity_class: str
    classes: list[str]


class Labels:
    """From label to class: the entry of the map, else the label's own name in small letters."""

    def __init__(self, entries: dict[str, str]) -> None:
        self._entries = entries
        self._owners: dict[str, str] = {}

    def class_of(self, label: Any) -> str:
        """Return the class; raises `Refusal` where a label's own class belongs to another label."""
        if not isinstance(label, str):
            raise Refusal("a label is no string")
        if label in self._entries:
            return self._entries[label]
        own = re.sub(r"[^a-z0-9_-]", "_", label.lower())
        if not _CLASS.fullmatch(own) or own == _SCOPE:
            raise Refusal("a label whose name makes no class; give it an entry in the label map")
        if own in self._entries.values() or self._owners.setdefault(own, label) != label:
            raise Refusal("a label without an entry in the label map, whose class is that of another label")
        return own


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns 0, or 2 where the input or the output directory is refused."""
    options = _parser().parse_args(arguments)
    try:
        labels = Labels(_label_map(options.labels))
        _write_suite(options, labels, _classes(rows(options.spans, labels)))
    except (Refusal, OSError) as fault:
        reason = f"file or directory: {fault.strerror}" if isinstance(fault, OSError) else fault
        sys.stderr.write(f"refused: {reason}\n")
        return 2
    return 0


def rows(path: Path, labels: Labels) -> Iterator[Row]:
    """Yield the rows of a file; raises `Refusal` with the number of the first line that is at fault."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                yield _row(json.loads(line.decode("utf-8")), labels)
            except Refusal as refusal:
                raise Refusal(f"line {number}: {refusal}") from None
            except (ValueError, RecursionError):
                raise Refusal(f"line {number}: not JSON in UTF-8") from None


def slice_rows(classes: list[str], options: argparse.Namespace, artifact: str) -> list[dict[str, Any]]:
    """Return the slice rows that the options ask for; `artifact` is the SHA-256 of the source file."""
    plans = [Plan("all", f"class.{one}", one, [one]) for one in classes]
    if options.single_class:
        plans += [Plan("zero_gold", f"negative.{one}", one, [one]) for one in classes]
    else:
        scope = _SCOPE if len(classes) > 1 else classes[0]  # the contract: one class is its own scope
        plans.insert(0, Plan("all", "all", scope, classes))
        plans.append(Plan("zero_gold", "negative", scope, classes))
    if options.partial or options.weak:
        plans = [plan for plan in plans if plan.cohort == "all"]
    return [_slice_row(plan, options, artifact) for plan in plans]


def record_row(row: Row, slices: list[dict[str, Any]], role: str) -> dict[str, Any]:
    """Return the record of a row, with every slice that it belongs to."""
    document = {"document_id": row.document_id, "text": row.text, "text_view": _VIEW, "split_role": role}
    gold = [
        {
            "document_id": row.document_id,
            "entity_class": class_id,
            "start": start,
            "end": end,
            "catalog_identity": None,
        }
        for start, end, class_id in row.spans
    ]
    slice_ids = [one["id"] for one in slices if one["cohort"] == "all" or not row.spans]
    return {"document": document, "gold_spans": gold, "slice_ids": slice_ids}


def _write_suite(options: argparse.Namespace, labels: Labels, classes: list[str]) -> None:
    slices = slice_rows(classes, options, _file_digest(options.spans))
    records = (record_row(row, slices, options.role) for row in rows(options.spans, labels))
    options.directory.mkdir(mode=0o700)
    _write(options.directory / "quality-slices.jsonl", slices)
    _write(options.directory / "quality-records.jsonl", records)
    _write(options.directory / "quality-provenance.jsonl", map(_provenance, rows(options.spans, labels)))


def _write(path: Path, values: Iterable[dict[str, Any]]) -> None:
    with path.open("x", encoding="utf-8", newline="\n") as file:
        for value in values:
            file.write(json.dumps(value, ensure_ascii=False) + "\n")


def _classes(checked: Iterable[Row]) -> list[str]:
    seen: set[str] = set()
    classes: set[str] = set()
    for number, row in enumerate(checked, start=1):
        if row.document_id in seen:
            raise Refusal(f"line {number}: doc_id: an earlier row has this id")
        seen.add(row.document_id)
        classes.update(class_id for _, _, class_id in row.spans)
    if not classes:
        raise Refusal("no row has a span, so there is no class to make a slice of")
    return sorted(classes)


def _row(value: Any, labels: Labels) -> Row:
    if not isinstance(value, dict) or any(name not in value for name in _FIELDS):
        raise Refusal("a row is an object with " + ", ".join(_FIELDS))
    document_id, corpus, template = (
        _name(value, name) for name in ("doc_id", "source_corpus", "template_id")
    )
    text = _text(value, "text")
    spans = _spans(value["spans"], len(text), labels)
    opaque = document_id if _OPAQUE.fullmatch(document_id) else "d-" + _digest(document_id)[:16]
    return Row(opaque, text, spans, _readable(corpus), _readable(template))


def _name(row: dict[str, Any], name: str) -> str:
    number = type(row[name]) is int  # template 7 is as good a name as "7"; true is none
    value = str(row[name]) if number else _text(row, name)
    if not value:
        raise Refusal(f"{name}: empty")
    return value


def _text(row: dict[str, Any], name: str) -> str:
    value = row[name]
    if not isinstance(value, str):
        raise Refusal(f"{name}: not a string")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise Refusal(f"{name}: a lone surrogate is no character")
    return value


def _spans(values: Any, length: int, labels: Labels) -> tuple[tuple[int, int, str], ...]:
    if not isinstance(values, list):
        raise Refusal("spans: not a list")
    spans = [_span(value, length, labels, f"spans[{index}]") for index, value in enumerate(values)]
    if len(set(spans)) != len(spans):
        raise Refusal("spans: two with the same place and class")
    return tuple(sorted(spans))


def _span(value: Any, length: int, labels: Labels, place: str) -> tuple[int, int, str]:
    if not isinstance(value, list) or len(value) != len(("start", "end", "label")):
        raise Refusal(f"{place}: not [start, end, label]")
    start, end, label = value
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= length:
        raise Refusal(f"{place}: not 0 <= start < end <= {length} code points of the text")
    try:
        return start, end, labels.class_of(label)
    except Refusal as refusal:
        raise Refusal(f"{place}: {refusal}") from None


def _provenance(row: Row) -> dict[str, str]:
    return {name: getattr(row, name) for name in ("document_id", "source_corpus", "template_id")}


def _slice_row(plan: Plan, options: argparse.Namespace, artifact: str) -> dict[str, Any]:
    return {
        "id": plan.id,
        "label_artifact_id": f"spans.{artifact[:16]}",
        "label_strength": "structured_weak" if options.weak else "independent",
        "annotation_scope": {
            "entity_classes": plan.classes,
            "document_regions": [_VIEW],
            "span_policy_sha256": f"sha256:{_digest(_SPAN_POLICY)}",
            "exclusions": [],
        },
        "annotation_completeness": "partial" if options.partial else "exhaustive_within_scope",
        "entity_class": plan.entity_class,
        "cohort": plan.cohort,
        "split_role": options.role,
        "text_view": _VIEW,
        "text_view_descriptor": {
            "id": _VIEW,
            "artifact_sha256": f"sha256:{artifact}",
            "content_policy_sha256": f"sha256:{_digest(_CONTENT_POLICY)}",
            "document_regions": [_VIEW],
            "primary_for_quality": True,
            "answer_bearing_fields_included": False,
        },
        "promotion_gate": False,
    }


def _readable(name: str) -> str:
    if _OPAQUE.fullmatch(name):
        return name
    letters = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:100]
    return f"{letters or 'x'}-{_digest(name)[:8]}"


def _label_map(path: Path | None) -> dict[str, str]:
    if path is None:
        return {}
    try:
        entries = json.loads(path.read_bytes().decode("utf-8"))
    except ValueError:
        raise Refusal("label map: not JSON in UTF-8") from None
    if not isinstance(entries, dict):
        raise Refusal("label map: not an object")
    for value in entries.values():
        if not isinstance(value, str) or not _CLASS.fullmatch(value) or value == _SCOPE:
            raise Refusal(f"label map: a class is {_CLASS.pattern}, and not the name of the scope")
    return entries


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Turn labelled spans into a quality suite.")
    parser.add_argument(
        "spans", type=Path, help="JSON Lines: doc_id, text, spans, source_corpus, template_id"
    )
    parser.add_argument("directory", type=Path, help="new directory to write the suite into")
    parser.add_argument("--labels", type=Path, help="JSON object from label to class")
    parser.add_argument("--role", choices=("train", "validation", "test"), default="validation")
    parser.add_argument("--partial", action="store_true", help="not every span of the classes is labelled")
    parser.add_argument("--weak", action="store_true", help="the labels come from structure, not from people")
    parser.add_argument("--single-class", action="store_true", help="write only slices of one class")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
