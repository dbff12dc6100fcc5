"""Laws of the quality contracts: order means nothing, numbers add up, and nothing invalid is let through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.places import Places
from pytest_pii_eval.contracts.population import Population
from pytest_pii_eval.contracts.records import Record, RecordContract
from pytest_pii_eval.contracts.slices import make_plan, parse_slice

if TYPE_CHECKING:
    from collections.abc import Callable

DIGEST = "sha256:" + "0" * 64
TYPES = ("email", "person", "phone")
CANARY = "Q7canary"


def slice_row(
    slice_id: str, entity_class: str, types: list[str], *, promoted: bool = False
) -> dict[str, Any]:
    return {
        "id": slice_id,
        "label_artifact_id": "labels",
        "label_strength": "independent",
        "annotation_scope": {
            "entity_classes": types,
            "document_regions": ["body"],
            "span_policy_sha256": DIGEST,
            "exclusions": [],
        },
        "annotation_completeness": "exhaustive_within_scope",
        "entity_class": entity_class,
        "cohort": "all",
        "split_role": "test",
        "text_view": "body",
        "text_view_descriptor": {
            "id": "body",
            "artifact_sha256": DIGEST,
            "content_policy_sha256": DIGEST,
            "document_regions": ["body"],
            "primary_for_quality": True,
            "answer_bearing_fields_included": False,
        },
        "promotion_gate": promoted,
    }


SLICES = [
    *(slice_row(name, name, [name]) for name in TYPES),
    slice_row("all", "scope", list(TYPES), promoted=True),
]
PLAN = make_plan(map(parse_slice, SLICES))
CONTRACT = RecordContract(PLAN)

ranges = st.tuples(st.integers(0, 12), st.integers(0, 12))
keys = st.tuples(ranges, st.sampled_from(TYPES))


def record(text: str, gold: list[tuple[tuple[int, int], str]], slices: list[str]) -> dict[str, Any]:
    return {
        "document": {"document_id": "doc", "text": text, "text_view": "body", "split_role": "test"},
        "gold_spans": [
            {"document_id": "doc", "entity_class": name, "start": start, "end": end, "catalog_identity": None}
            for (start, end), name in gold
        ],
        "slice_ids": slices,
    }


records = st.builds(
    record,
    st.text(alphabet="ab é\U0001f600\u0301", min_size=6, max_size=12),
    st.lists(keys, max_size=4),
    st.lists(st.sampled_from([*TYPES, "all"]), min_size=1, max_size=3),
)


def valid(row: dict[str, Any]) -> bool:
    """Decide by the words of the contract, span by span."""
    gold = [(one["start"], one["end"], one["entity_class"]) for one in row["gold_spans"]]
    covered = set(TYPES) if "all" in row["slice_ids"] else set(row["slice_ids"])
    length = len(row["document"]["text"])
    return (
        len(set(row["slice_ids"])) == len(row["slice_ids"])
        and len(set(gold)) == len(gold)
        and all(start < end <= length and name in covered for start, end, name in gold)
    )


@settings(max_examples=300, deadline=None)
@given(records)
def test_a_record_is_accepted_exactly_when_every_rule_holds(row: dict[str, Any]) -> None:
    """The fast checks agree with the rules spelled out one by one."""
    try:
        CONTRACT.parse(row)
        accepted = True
    except Fault:
        accepted = False
    assert accepted == valid(row)


@settings(max_examples=100, deadline=None)
@given(records.filter(valid), st.randoms(use_true_random=False))
def test_the_order_within_a_row_means_nothing(row: dict[str, Any], shuffler: Any) -> None:
    """Gold, memberships and keys in any order give an equal record, but for group numbers, and digest."""
    turned = dict(reversed(row.items()))
    turned["gold_spans"] = shuffler.sample(row["gold_spans"], len(row["gold_spans"]))
    turned["slice_ids"] = shuffler.sample(row["slice_ids"], len(row["slice_ids"]))
    first, second = CONTRACT.parse(row), CONTRACT.parse(turned)
    assert first == second
    assert CONTRACT.digest(first) == CONTRACT.digest(second)


@settings(max_examples=100, deadline=None)
@given(records.filter(valid))
def test_a_group_is_what_repeats(row: dict[str, Any]) -> None:
    """Two spans share a group exactly when text and type are equal; a lone span has none."""
    read = CONTRACT.parse(row)
    for one in read.gold:
        same = [
            other
            for other in read.gold
            if (read.text[other.start : other.end], other.type) == (read.text[one.start : one.end], one.type)
        ]
        assert (one.group is None) == (len(same) == 1)
        assert all(other.group == one.group for other in same)
        assert sum(other.group == one.group for other in read.gold if one.group is not None) in (0, len(same))


@settings(max_examples=100, deadline=None)
@given(st.permutations(SLICES))
def test_the_order_of_slices_means_nothing(rows: list[dict[str, Any]]) -> None:
    """Any order of rows is the same plan."""
    assert make_plan(map(parse_slice, rows)) == PLAN


def places_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, one in inner for found in places_in(one, (*path, key)))]


def refusal_of(read: Callable[[Any], object], row: Any) -> Fault | None:
    try:
        read(row)
    except Fault as fault:
        return fault
    return None


GOOD = record(CANARY + " x", [((0, 3), "person"), ((2, 9), "email")], ["all", "person"])
GOOD["gold_spans"][0]["catalog_identity"] = {"entity_id": "person", "name_id": "n", "pattern_id": "p"}
junk = st.sampled_from(
    [
        None,
        True,
        -1,
        3.5,
        10**4000,
        CANARY,
        "",
        "\ud83d",
        [],
        [CANARY],
        {},
        {CANARY: CANARY},
        [None],
        float("nan"),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(places_in(GOOD)), junk)
def test_any_value_in_any_place_is_read_or_refused_in_one_line_without_it(
    path: tuple[Any, ...], value: Any
) -> None:
    """Whatever stands where: a record or a `Fault`, short, printable and free of the document's words."""
    row: Any = record(CANARY + " x", [((0, 3), "person"), ((2, 9), "email")], ["all", "person"])
    row["gold_spans"][0]["catalog_identity"] = dict(GOOD["gold_spans"][0]["catalog_identity"])
    if path:
        target = row
        for step in path[:-1]:
            target = target[step]
        target[path[-1]] = value
    else:
        row = value
    fault = refusal_of(CONTRACT.parse, row)
    assert CANARY not in str(fault)
    assert str(fault).isascii()
    assert len(str(fault)) < 200
    assert fault is None or fault.__cause__ is None


names = st.sampled_from([f"d{number}" for number in range(8)])


@settings(max_examples=100, deadline=None)
@given(st.lists(names))
def test_places_are_a_dict_of_first_mentions(mentions: list[str]) -> None:
    """The index of ids answers as a dict does."""
    places, expected = Places(), {}
    for line, name in enumerate(mentions, start=1):
        assert places.add(name, ("f", line)) == expected.get(name)
        expected.setdefault(name, ("f", line))
    assert len(places) == len(expected)
    assert sorted(place for _, place in places) == sorted(expected.values())


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sets(st.sampled_from([*TYPES, "all"]), min_size=1), max_size=5))
def test_a_population_is_exact_when_the_gate_is_in_every_document(memberships: list[set[str]]) -> None:
    """Counts are those of the memberships; `finish` refuses exactly the populations with a gap."""
    population = Population(PLAN)
    for number, slices in enumerate(memberships):
        population.add(Record(f"d{number}", "", "body", "test", (), tuple(slices)), ("f", number + 1))
    for name in (*TYPES, "all"):
        assert population.documents(name) == sum(name in slices for slices in memberships)
    gaps = [number for number, slices in enumerate(memberships, start=1) if "all" not in slices]
    if not gaps:
        population.finish()
        return
    with pytest.raises(Fault) as caught:
        population.finish()
    assert (caught.value.file, caught.value.line) == ("f", gaps[0])
