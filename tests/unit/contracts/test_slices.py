"""The slice plan: what a slice may say, what a promotion gate needs, what the fingerprint binds."""

from __future__ import annotations

import pytest
from quality_rows import plan_of, scope_row, slice_row

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.slices import Unsupported, make_plan, parse_slice, parse_unsupported

# The row of spec/enron-contract.md, "Closed quality input contracts", letter by letter.
SPEC_ROW = {
    "id": "person_all_validation",
    "label_artifact_id": "reviewed-person-labels",
    "label_strength": "independent",
    "annotation_scope": {
        "entity_classes": ["person"],
        "document_regions": ["natural_body"],
        "span_policy_sha256": "sha256:0000000000000000000000000000000000000000000000000000000000000000",
        "exclusions": [],
    },
    "annotation_completeness": "exhaustive_within_scope",
    "entity_class": "person",
    "cohort": "all",
    "split_role": "validation",
    "text_view": "natural_body",
    "text_view_descriptor": {
        "id": "natural_body",
        "artifact_sha256": "sha256:1111111111111111111111111111111111111111111111111111111111111111",
        "content_policy_sha256": "sha256:2222222222222222222222222222222222222222222222222222222222222222",
        "document_regions": ["natural_body"],
        "primary_for_quality": True,
        "answer_bearing_fields_included": False,
    },
    "promotion_gate": False,
}


def refusal(row: object) -> str:
    with pytest.raises(Fault) as caught:
        parse_slice(row)
    return str(caught.value)


def test_the_row_of_the_source_document_is_read() -> None:
    """Every field of the example lands where it belongs."""
    one = parse_slice(SPEC_ROW)
    assert (one.id, one.label_artifact_id) == ("person_all_validation", "reviewed-person-labels")
    assert (one.entity_class, one.types) == ("person", {"person"})
    assert (one.label_strength, one.completeness) == ("independent", "exhaustive_within_scope")
    assert (one.document_regions, one.exclusions) == ({"natural_body"}, set())
    assert (one.cohort, one.split_role, one.text_view) == ("all", "validation", "natural_body")
    assert (one.promotion_gate, one.answer_bearing, one.primary_view) == (False, False, True)
    assert one.independent
    assert one.exhaustive
    assert one.regions_cover_view


def test_a_scope_of_several_classes_lists_its_members() -> None:
    """The entity class is the scope's id; the types are the members."""
    one = parse_slice(scope_row())
    assert (one.entity_class, one.types) == ("person_and_email", {"person", "email"})


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"surprise": 1}, "has an unknown field"),
        ({"cohort": ...}, "cohort: is missing"),
        ({"promotion_gate": 0}, "promotion_gate: must be true or false"),
        ({"promotion_gate": "false"}, "promotion_gate: must be true or false"),
        ({"label_strength": "strong"}, "label_strength: must be 'independent' or 'structured_weak'"),
        ({"split_role": "dev"}, "split_role: must be 'train', 'validation' or 'test'"),
        ({"entity_class": "per son"}, "entity_class: must match ^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"),
        ({"annotation_scope__surprise": 1}, "annotation_scope: has an unknown field"),
        ({"annotation_scope__entity_classes": []}, "annotation_scope.entity_classes: must hold at least 1"),
        (
            {"annotation_scope__span_policy_sha256": "sha256:" + "A" * 64},
            "annotation_scope.span_policy_sha256: must match",
        ),
        ({"text_view_descriptor__primary_for_quality": 1}, "primary_for_quality: must be true or false"),
        ({"text_view_descriptor__document_regions": ["body"] * 257}, "must hold at most 256 entries"),
    ],
)
def test_the_shape_is_closed(changes: dict[str, object], place: str) -> None:
    """A field too many, too few or of another kind is refused with its place and rule."""
    assert place in refusal(slice_row(**changes))


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (
            slice_row(annotation_scope__entity_classes=["email"]),
            "annotation_scope.entity_classes: must name the slice's own entity_class, and nothing else",
        ),
        (
            scope_row(entity_class="email"),
            "entity_class: is the id of a scope of several classes and cannot be one of them",
        ),
        (
            scope_row(entity_class="person_contact"),
            "annotation_scope.entity_classes: the scope person_contact lists exactly contact and person",
        ),
        (
            scope_row(annotation_scope__entity_classes=["person", "person"]),
            "annotation_scope.entity_classes: names the same entry twice",
        ),
        (
            slice_row(annotation_scope__document_regions=["body", "body"]),
            "annotation_scope.document_regions: names the same entry twice",
        ),
        (
            slice_row(text_view_descriptor__document_regions=["body", "body"]),
            "text_view_descriptor.document_regions: names the same entry twice",
        ),
        (
            slice_row(annotation_scope__exclusions=["roles", "roles"]),
            "annotation_scope.exclusions: names the same entry twice",
        ),
        (slice_row(text_view_descriptor__id="subject"), "text_view_descriptor.id: disagrees with text_view"),
        (
            slice_row(annotation_scope__document_regions=["subject"], label_strength="structured_weak"),
            "annotation_scope.document_regions: names a region that the scanned view does not hold",
        ),
        (
            slice_row(text_view_descriptor__document_regions=["body", "subject"]),
            (
                "annotation_scope.document_regions: independent and exhaustive labels must cover"
                " every region of the view"
            ),
        ),
    ],
)
def test_fields_that_contradict_each_other_are_refused(row: dict[str, object], fault: str) -> None:
    """Each rule across fields has its own words."""
    assert refusal(row) == fault


@pytest.mark.parametrize(
    "weaker", [{"label_strength": "structured_weak"}, {"annotation_completeness": "partial"}]
)
def test_weaker_labels_may_cover_part_of_the_view(weaker: dict[str, str]) -> None:
    """Weak or partial labels may leave a region out, and then do not cover the view."""
    one = parse_slice(slice_row(text_view_descriptor__document_regions=["subject", "body"], **weaker))
    assert not one.regions_cover_view


def test_an_exclusion_leaves_the_regions_covered() -> None:
    """Whether regions cover the view is asked of regions alone, as the source document says."""
    one = parse_slice(slice_row(annotation_scope__exclusions=["names_in_addresses"]))
    assert one.regions_cover_view


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        (
            {"entity_class": "person", "annotation_scope__entity_classes": ["person"]},
            "annotation_scope.entity_classes: a promotion gate needs a combined scope of classes",
        ),
        ({"label_strength": "structured_weak"}, "label_strength: a promotion gate needs independent labels"),
        (
            {"annotation_completeness": "partial"},
            "annotation_completeness: a promotion gate needs labels that are exhaustive_within_scope",
        ),
        ({"split_role": "validation"}, "split_role: a promotion gate needs the split role test"),
        (
            {"annotation_scope__exclusions": ["roles"]},
            "annotation_scope.exclusions: a promotion gate needs a scope without exclusions",
        ),
        ({"cohort": "head"}, "cohort: a promotion gate needs the cohort all"),
        (
            {"text_view_descriptor__primary_for_quality": False},
            "text_view_descriptor.primary_for_quality: a promotion gate needs the primary view",
        ),
        (
            {"text_view_descriptor__answer_bearing_fields_included": True},
            (
                "text_view_descriptor.answer_bearing_fields_included:"
                " a promotion gate needs a view without answer-bearing fields"
            ),
        ),
    ],
)
def test_a_promotion_gate_needs_the_strongest_evidence(changes: dict[str, object], field: str) -> None:
    """A gate with one weak spot is refused; the same slice without a gate is read."""
    assert refusal(scope_row(promotion_gate=True, **changes)) == field
    assert not parse_slice(scope_row(promotion_gate=False, **changes)).promotion_gate


def test_a_promotion_gate_of_full_strength_is_read() -> None:
    """Combined scope, independent, exhaustive, test, all documents of the primary view."""
    assert parse_slice(scope_row(promotion_gate=True)).promotion_gate


def test_a_declared_gap_is_read_and_closed() -> None:
    """The example of the source document; a gap with a field too many is refused."""
    row = {
        "id": "person_head_tail",
        "dimension": "head_tail",
        "reason_code": "identity_frequency_unavailable",
    }
    assert parse_unsupported(row) == Unsupported(
        "person_head_tail", "head_tail", "identity_frequency_unavailable"
    )
    with pytest.raises(Fault, match="has an unknown field"):
        parse_unsupported({**row, "note": "x"})


def test_ids_are_unique_across_slices_and_gaps() -> None:
    """An id names one thing of the plan."""
    one, gap = parse_slice(slice_row("same")), Unsupported("same", "head_tail", "unknown")
    with pytest.raises(Fault, match="id: the plan uses the slice id same twice"):
        make_plan([one, one])
    with pytest.raises(Fault, match="id: the plan uses the slice id same twice"):
        make_plan([one], [gap])
    with pytest.raises(Fault, match="id: the plan uses the slice id same twice"):
        make_plan([], [gap, gap])


def test_a_plan_is_bounded() -> None:
    """256 slices and 256 gaps are a plan, one more of either is not."""
    slices = [parse_slice(slice_row(f"s{number}")) for number in range(257)]
    gaps = [Unsupported(f"g{number}", "d", "r") for number in range(257)]
    assert len(make_plan(slices[:256], gaps[:256]).slices) == 256
    with pytest.raises(Fault, match="the plan holds 257 slices; the limit is 256"):
        make_plan(slices)
    with pytest.raises(Fault, match="the plan holds 257 unsupported slices; the limit is 256"):
        make_plan([], gaps)


def test_the_fingerprint_ignores_every_order() -> None:
    """Rows, keys and lists in another order give the same plan and the same fingerprint."""
    two_regions = {"annotation_scope__document_regions": ["a", "b"], "label_strength": "structured_weak"}
    view = {"text_view_descriptor__document_regions": ["a", "b"]}
    first = scope_row(**two_regions, **view)
    turned = dict(
        reversed(
            scope_row(
                **{**two_regions, "annotation_scope__document_regions": ["b", "a"]},
                text_view_descriptor__document_regions=["b", "a"],
                annotation_scope__entity_classes=["email", "person"],
            ).items()
        )
    )
    assert plan_of(first, slice_row()) == plan_of(slice_row(), turned)
    assert list(plan_of(slice_row("b"), slice_row("a")).slices) == ["a", "b"]


@pytest.mark.parametrize(
    "changes",
    [
        {"label_artifact_id": "other"},
        {"cohort": "head"},
        {"annotation_scope__span_policy_sha256": "sha256:" + "3" * 64},
        {"text_view_descriptor__artifact_sha256": "sha256:" + "3" * 64},
        {"text_view_descriptor__content_policy_sha256": "sha256:" + "3" * 64},
        {"text_view_descriptor__primary_for_quality": False},
        {"annotation_scope__exclusions": ["roles"]},
    ],
)
def test_the_fingerprint_binds_every_field(changes: dict[str, object]) -> None:
    """A slice that says anything else makes another plan."""
    assert plan_of(slice_row(**changes)).fingerprint != plan_of(slice_row()).fingerprint


def test_the_fingerprint_binds_declared_gaps() -> None:
    """A gap declared or left out makes another plan."""
    gap = Unsupported("gap", "head_tail", "unknown")
    assert make_plan([], [gap]).fingerprint != make_plan([]).fingerprint
    assert make_plan([], [gap]).fingerprint != make_plan([], [gap._replace(reason_code="other")]).fingerprint
