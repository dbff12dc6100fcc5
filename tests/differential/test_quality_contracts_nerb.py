"""Acceptance of plans and records against nerb 0.0.12: valid rows and rows with one thing changed.

Meant to differ, and left out of the mutations: ids may hold upper-case letters here (classes of corpora
do), document ids are opaque ids here and any text there, and scopes of several classes other than nerb's
own `person_contact` are ours alone; each of these has a test at the end.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.contracts.bank import parse_bank
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.population import Population
from pytest_pii_eval.contracts.records import RecordContract
from pytest_pii_eval.contracts.slices import make_plan, parse_slice, parse_unsupported

nerb = pytest.importorskip("nerb.enron_quality")

DIGEST = "sha256:" + "0" * 64
DESCRIBED = {"description": "", "status": "active", "metadata": {}}
LITERAL = {
    **DESCRIBED,
    "kind": "literal",
    "priority": 1,
    "case_sensitive": True,
    "normalize_whitespace": False,
    "left_boundary": "word",
    "right_boundary": "word",
}
BANK = {
    **DESCRIBED,
    "schema_version": "nerb.bank.v1",
    "id": "small",
    "name": "small",
    "version": "1",
    "created_at": "2026-01-01T00:00:00Z",
    "updated_at": "2026-01-01T00:00:00Z",
    "unicode_normalization": "none",
    "default_regex_flags": [],
    "entities": {
        "person": {
            **DESCRIBED,
            "regex_flags": [],
            "names": {
                "ada": {
                    **DESCRIBED,
                    "canonical": "Ada Moe",
                    "patterns": {
                        "full": {**LITERAL, "value": "Ada Moe"},
                        "retired": {**LITERAL, "value": "Moe", "status": "inactive"},
                    },
                }
            },
        }
    },
}
OURS = parse_bank(BANK)


def slice_row(slice_id: str, types: list[str], **changes: Any) -> dict[str, Any]:
    return {
        "id": slice_id,
        "label_artifact_id": "labels",
        "label_strength": "independent",
        "annotation_scope": {
            "entity_classes": types,
            "document_regions": ["body", "subject"],
            "span_policy_sha256": DIGEST,
            "exclusions": [],
        },
        "annotation_completeness": "exhaustive_within_scope",
        "entity_class": types[0] if len(types) == 1 else "person_contact",
        "cohort": "all",
        "split_role": "test",
        "text_view": "mail",
        "text_view_descriptor": {
            "id": "mail",
            "artifact_sha256": DIGEST,
            "content_policy_sha256": DIGEST,
            "document_regions": ["body", "subject"],
            "primary_for_quality": True,
            "answer_bearing_fields_included": False,
        },
        "promotion_gate": False,
        **changes,
    }


def record_row() -> dict[str, Any]:
    identity = {"entity_id": "person", "name_id": "ada", "pattern_id": "full"}
    gold = [
        {"document_id": "doc", "entity_class": "person", "start": 0, "end": 7, "catalog_identity": identity},
        {"document_id": "doc", "entity_class": "contact", "start": 9, "end": 19, "catalog_identity": None},
        {"document_id": "doc", "entity_class": "person", "start": 0, "end": 3, "catalog_identity": None},
    ]
    return {
        "document": {
            "document_id": "doc",
            "text": "Ada Moe, ada@x.test \U0001f600",
            "text_view": "mail",
            "split_role": "test",
        },
        "gold_spans": gold,
        "slice_ids": ["gated", "persons", "contacts"],
    }


PLAN = [
    slice_row("gated", ["contact", "person"], promotion_gate=True),
    slice_row("persons", ["person"]),
    slice_row("contacts", ["contact"], cohort="known"),
    slice_row("train", ["person"], split_role="train"),
    slice_row(
        "other",
        ["person"],
        text_view="x",
        text_view_descriptor={
            **slice_row("x", ["x"])["text_view_descriptor"],
            "id": "x",
        },
    ),
]
GAPS = [{"id": "head_tail", "dimension": "head_tail", "reason_code": "frequency_unavailable"}]


def we_accept(plan: list[Any], gaps: list[Any], rows: list[Any]) -> bool:
    try:
        made = make_plan(map(parse_slice, plan), map(parse_unsupported, gaps))
        contract, population = RecordContract(made, OURS), Population(made)
        for line, row in enumerate(rows, start=1):
            population.add(contract.parse(row), ("records", line))
        population.finish()
    except Fault:
        return False
    return True


def nerb_accepts(plan: list[Any], gaps: list[Any], rows: list[Any]) -> bool:
    """Consume all rows; whether the resulting metrics may be promoted is no question of input."""
    try:
        session = nerb.prepare_enron_quality(BANK, slice_specs=plan, unsupported_slice_specs=gaps)
    except nerb.EnronQualityError:
        return False
    with session:
        try:
            for row in rows:
                if not isinstance(row, dict) or set(row) != {"document", "gold_spans", "slice_ids"}:
                    return False  # nerb's own loop over records asks this before it consumes
                session.consume(row["document"], row["gold_spans"], row["slice_ids"])
        except nerb.EnronQualityError:
            return False
    return True


def places_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, one in inner for found in places_in(one, (*path, key)))]


def mutated(value: Any, path: tuple[Any, ...], change: Any) -> Any:
    value = deepcopy(value)
    target = value
    for step in path[:-1]:
        target = target[step]
    if change is ...:
        del target[path[-1]]
    elif change == "twice" and isinstance(target, list):
        target.append(deepcopy(target[path[-1]]))
    elif change == "unknown" and isinstance(target, dict):
        target["surprise"] = 1
    else:
        target[path[-1]] = change
    return value


# Words of both formats, so that mutations also lead to other valid rows.
values = st.sampled_from(
    [
        *(..., "twice", "unknown", None, True, False, 0, 1, 3, 7, 19, 21, 22, -1, 2.0, 10**30, "", [], {}),
        *("person", "contact", "person_contact", "ada", "full", "retired", "doc", "doc2", "mail", "x"),
        *(
            "test",
            "train",
            "validation",
            "independent",
            "structured_weak",
            "exhaustive_within_scope",
            "partial",
        ),
        *("all", "known", "gated", "persons", "contacts", "other", "body", "a" * 128, "a" * 129, DIGEST),
        *(["person"], ["contact", "person"], ["person", "contact"], ["body"], ["subject", "body"], ["gated"]),
        *(
            ["persons", "gated"],
            ["persons", "persons", "gated"],
            ["persons"],
            ["train"],
            "a b",
            "\u00e9",
            "a\n",
        ),
        *({"entity_id": "person", "name_id": "ada", "pattern_id": "full"}, "\ud83d", DIGEST.upper()),
    ]
)
# Where ours is meant to be narrower: a document id is an opaque id.
DOCUMENT_ID = ("document", "document_id")


@settings(max_examples=400, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(places_in(record_row())[1:]), values), min_size=1, max_size=2))
def test_records_are_accepted_alike(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    """A record with one or two things changed is accepted by both or by none."""
    row = record_row()
    for path, change in changes:
        if path == DOCUMENT_ID:
            continue
        try:
            row = mutated(row, path, change)
        except (KeyError, IndexError, TypeError):
            continue  # the first change took the second one's place away
    assert we_accept(PLAN, GAPS, [row]) == nerb_accepts(PLAN, GAPS, [row])


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(range(len(PLAN))),
    st.lists(st.tuples(st.sampled_from(places_in(PLAN[0])[1:]), values), min_size=1, max_size=2),
)
def test_slices_are_accepted_alike(number: int, changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    """A plan with one or two things changed in a slice is accepted by both or by none."""
    row = PLAN[number]
    for path, change in changes:
        try:
            row = mutated(row, path, change)
        except (KeyError, IndexError, TypeError):
            continue
    plan = [*PLAN[:number], row, *PLAN[number + 1 :]]
    if is_scope_of_our_own(row):
        return
    assert we_accept(plan, GAPS, []) == nerb_accepts(plan, GAPS, [])


def is_scope_of_our_own(row: dict[str, Any]) -> bool:
    scope = row.get("annotation_scope")
    classes = scope.get("entity_classes") if isinstance(scope, dict) else None
    return isinstance(classes, list) and len(classes) > 1 and row.get("entity_class") != "person_contact"


@settings(max_examples=100, deadline=None)
@given(st.sampled_from([(), *places_in(GAPS)[2:]]), values)
def test_declared_gaps_are_accepted_alike(path: tuple[Any, ...], change: Any) -> None:
    """A declared gap with one thing changed is accepted by both or by none."""
    gaps = mutated(GAPS, path, change) if path else [*GAPS, *GAPS]
    assert we_accept(PLAN, gaps, []) == nerb_accepts(PLAN, gaps, [])


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["test", "train"]), st.booleans()), max_size=4)
)
def test_populations_are_accepted_alike(population: list[tuple[str, str, bool]]) -> None:
    """Repeated ids and documents that a promotion gate leaves out are refused by both."""
    rows = []
    for document_id, role, gated in population:
        row = mutated(record_row(), ("gold_spans",), [])
        row["document"] |= {"document_id": document_id, "split_role": role}
        row["slice_ids"] = ["train"] if role == "train" else ["persons", "gated"] if gated else ["persons"]
        rows.append(row)
    assert we_accept(PLAN, GAPS, rows) == nerb_accepts(PLAN, GAPS, rows)


def test_the_unchanged_suite_is_accepted_by_both() -> None:
    """The starting point of all mutations is valid."""
    assert we_accept(PLAN, GAPS, [record_row()])
    assert nerb_accepts(PLAN, GAPS, [record_row()])


def test_only_we_take_upper_case_ids_and_scopes_of_our_own() -> None:
    """Labels of corpora are upper case; a scope of any classes is what our slices are for."""
    for row in (slice_row("Persons", ["person"]), slice_row("p", ["PERSON"])):
        assert we_accept([row], [], [])
        assert not nerb_accepts([row], [], [])
    scope = slice_row(
        "scope", ["email", "person", "phone"], entity_class="personal_data", promotion_gate=True
    )
    assert we_accept([scope], [], [])
    assert not nerb_accepts([scope], [], [])


def test_only_nerb_takes_document_ids_that_are_no_opaque_ids() -> None:
    """A path or an address as a document id is refused here."""
    row = record_row()
    for name in ("maildir/x/1.", "a" * 129, "ada@x.test"):
        row["document"]["document_id"] = name
        for gold in row["gold_spans"]:
            gold["document_id"] = name
        assert nerb_accepts(PLAN, GAPS, [row])
        assert not we_accept(PLAN, GAPS, [row])
