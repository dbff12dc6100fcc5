"""The rules across the fields of one slice row; its fields alone are checked by their model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from pytest_pii_eval.contracts.quality_model import SliceRow

# The one scope id that nerb defines itself, with its members in the order that it demands.
_FIXED_SCOPES: Final = {"person_contact": ["contact", "person"]}


def check_slice(row: SliceRow) -> None:
    """Raise `Fault` with the field and the rule where the fields of `row` contradict each other."""
    _check_lists(row)
    _check_scope(row)
    _check_view(row)
    if row["promotion_gate"]:
        _check_promotion(row)


def _check_lists(row: SliceRow) -> None:
    scope, view = row["annotation_scope"], row["text_view_descriptor"]
    for field, ids in (
        ("annotation_scope.entity_classes", scope["entity_classes"]),
        ("annotation_scope.document_regions", scope["document_regions"]),
        ("annotation_scope.exclusions", scope["exclusions"]),
        ("text_view_descriptor.document_regions", view["document_regions"]),
    ):
        if len(set(ids)) != len(ids):
            raise Fault("names the same entry twice", field=field)


def _check_scope(row: SliceRow) -> None:
    entity_class, classes = row["entity_class"], row["annotation_scope"]["entity_classes"]
    field = "annotation_scope.entity_classes"
    fixed = _FIXED_SCOPES.get(entity_class)
    if fixed is not None:
        if classes != fixed:
            raise Fault(f"the scope {entity_class} lists exactly {' and '.join(fixed)}", field=field)
    elif len(classes) == 1:
        if classes[0] != entity_class:
            raise Fault("must name the slice's own entity_class, and nothing else", field=field)
    elif entity_class in classes:
        raise Fault("is the id of a scope of several classes and cannot be one of them", field="entity_class")


def _check_view(row: SliceRow) -> None:
    view = row["text_view_descriptor"]
    if view["id"] != row["text_view"]:
        raise Fault("disagrees with text_view", field="text_view_descriptor.id")
    annotated = set(row["annotation_scope"]["document_regions"])
    field = "annotation_scope.document_regions"
    if not annotated.issubset(view["document_regions"]):
        raise Fault("names a region that the scanned view does not hold", field=field)
    strong = (
        row["label_strength"] == "independent" and row["annotation_completeness"] == "exhaustive_within_scope"
    )
    if strong and annotated != set(view["document_regions"]):
        raise Fault("independent and exhaustive labels must cover every region of the view", field=field)


def _check_promotion(row: SliceRow) -> None:
    scope, view = row["annotation_scope"], row["text_view_descriptor"]
    # With the two rules on strength kept, the labels cover the view: that is a rule of every such slice.
    for kept, field, rule in (
        (len(scope["entity_classes"]) > 1, "annotation_scope.entity_classes", "a combined scope of classes"),
        (row["label_strength"] == "independent", "label_strength", "independent labels"),
        (
            row["annotation_completeness"] == "exhaustive_within_scope",
            "annotation_completeness",
            "labels that are exhaustive_within_scope",
        ),
        (row["split_role"] == "test", "split_role", "the split role test"),
        (not scope["exclusions"], "annotation_scope.exclusions", "a scope without exclusions"),
        (row["cohort"] == "all", "cohort", "the cohort all"),
        (view["primary_for_quality"], "text_view_descriptor.primary_for_quality", "the primary view"),
        (
            not view["answer_bearing_fields_included"],
            "text_view_descriptor.answer_bearing_fields_included",
            "a view without answer-bearing fields",
        ),
    ):
        if not kept:
            raise Fault(f"a promotion gate needs {rule}", field=field)
