"""Makes quality records out of the document tables: texts, gold in code points, slices, templates."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from suite_source.markup import Mark, render
from suite_source.plan import VIEW, Plan, commitment
from suite_source.tables import Entity, TableError, lines, status, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SOURCE_CORPUS = "pytest_pii_eval_shipped"
_HEAD = re.compile(r"\[(?P<template>[a-z0-9_.]+)\] (?P<slices>[a-z0-9_. ]+)")
_UNCATALOGED = "_"


@dataclass(frozen=True)
class Written:
    """One document as it was written: its template, its slices, its text, and the marks in code points."""

    document_id: str
    template: str
    slice_ids: tuple[str, ...]
    text: str
    marks: tuple[Mark, ...]


def read_documents(source: str, suffix: str = "") -> list[Written]:
    """Return the documents of a table: a `[template] slices` line, then one template text a line.

    A document id is the template's name, `suffix` and a number, never a piece of the text.
    """
    counts: Counter[str] = Counter()
    documents, head = [], None
    for number, line in lines(source):
        opened = _HEAD.fullmatch(line)
        if opened:
            head = opened
        elif head is None:
            raise TableError(f"document table, line {number}: a text before the first template")
        else:
            counts[head["template"]] += 1
            name = f"{head['template']}{suffix}.{counts[head['template']]:03d}"
            slice_ids = tuple(head["slices"].split())
            documents.append(Written(name, head["template"] + suffix, slice_ids, *_in_code_points(line)))
    return documents


def active_paths(entities: list[Entity]) -> frozenset[str]:
    """Return `entity/name/pattern` of every pattern that is active with all that holds it."""
    return frozenset(
        f"{entity.id}/{name.id}/{pattern.id}"
        for entity, name, pattern in walk(entities)
        if all(status(level.options) == "active" for level in (entity, name, pattern))
    )


def record_row(document: Written, plans: dict[str, Plan], paths: frozenset[str]) -> dict[str, Any]:
    """Return the closed record row; raises `TableError` for gold that no slice or no active pattern holds."""
    roles = {plans[slice_id].role for slice_id in document.slice_ids}
    if len(roles) != 1:
        raise TableError(f"{document.document_id}: its slices differ in role")
    classes = {member for slice_id in document.slice_ids for member in plans[slice_id].classes}
    return {
        "document": {
            "document_id": document.document_id,
            "text": document.text,
            "text_view": VIEW,
            "split_role": roles.pop(),
        },
        "gold_spans": [_gold(document.document_id, mark, classes, paths) for mark in document.marks],
        "slice_ids": list(document.slice_ids),
    }


def provenance_row(document: Written) -> dict[str, str]:
    """Return the closed sidecar row of a document."""
    return {
        "document_id": document.document_id,
        "source_corpus": SOURCE_CORPUS,
        "template_id": document.template,
    }


def texts_commitment(documents: Iterable[Written]) -> str:
    r"""Return the commitment to all texts: each document id, U+0000, text and U+0000, in order of the ids."""
    ordered = sorted(documents, key=lambda document: document.document_id)
    return commitment("".join(f"{one.document_id}\0{one.text}\0" for one in ordered))


def _gold(document_id: str, mark: Mark, classes: set[str], paths: frozenset[str]) -> dict[str, Any]:
    entity_id, name_id, pattern_id = mark.path.split("/")
    cataloged = (name_id, pattern_id) != (_UNCATALOGED, _UNCATALOGED)
    if entity_id not in classes or (cataloged and mark.path not in paths):
        raise TableError(f"{document_id}: gold of a class outside its slices, or of no active pattern")
    identity = {"entity_id": entity_id, "name_id": name_id, "pattern_id": pattern_id}
    return {
        "document_id": document_id,
        "entity_class": entity_id,
        "start": mark.start,
        "end": mark.end,
        "catalog_identity": identity if cataloged else None,
    }


def _in_code_points(template: str) -> Iterator[Any]:
    text, marks = render(template)
    source = text.encode("utf-8")
    yield text
    yield tuple(
        Mark(mark.path, *(len(source[:offset].decode("utf-8")) for offset in (mark.start, mark.end)))
        for mark in marks
    )
