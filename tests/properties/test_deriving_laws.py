"""Laws of deriving: lines of random drafts are accepted by their contracts, and say what the drafts say."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.contracts.corpora_file import parse_corpora
from pytest_pii_eval.contracts.jsonl import read_rows
from pytest_pii_eval.contracts.population import Population
from pytest_pii_eval.contracts.provenance import Coverage, parse_origin
from pytest_pii_eval.contracts.records import RecordContract
from pytest_pii_eval.contracts.slices import make_plan, parse_slice
from pytest_pii_eval.contracts.taxonomy import default_taxonomy
from pytest_pii_eval.corpora.deriving import Deriver, opaque, provenance_line, record_line
from pytest_pii_eval.corpora.draft import Draft
from pytest_pii_eval.corpora.plan import corpus_name, slice_row
from pytest_pii_eval.corpora.recipe import make_recipe

TYPES = {"name": "person", "first_name": "person", "email": "email", "iban": "iban", "verb": None}
PIN = {
    "source": {"kind": "local", "path": "a"},
    "bytes": "1",
    "sha256": "a" * 64,
    "licence": "none",
    "redistribution": "none",
    "adapter": "any",
    "label_map": "gretel_finance",
    "excluded_labels": ["verb"],
    "split_key": "template_id",
    "split_role": "test",
    "label_strength": "independent",
    "annotation_completeness": "exhaustive_within_scope",
    "regions": ["body"],
    "languages": ["en"],
    "max_quarantined": "0",
}
# The longest key that there is: what is made of it must still be an identifier.
KEY = "k" * 64
ADAPTER = SimpleNamespace(name="any", version="1", offset_unit="codepoint", policy="any", read=None)
FILE = {"version": "pii_eval.corpora.v1", "corpora": {KEY: PIN}}
RECIPE = make_recipe(
    parse_corpora(FILE, Path("c.yaml"), default_taxonomy()).pins[KEY], ADAPTER, default_taxonomy()
)
AWKWARD = st.sampled_from('"\\/\n\r\t\0\x1f\x7f\x85\u2028\u2029\ufeffé😀\U0010ffff')
TEXTS = st.text(AWKWARD | st.characters(exclude_categories=["Cs"]), max_size=12)
IDS = st.text(AWKWARD | st.characters(), max_size=6) | st.sampled_from(["a", "A", "d-" + "0" * 24])


@st.composite
def drafts(draw) -> list[Draft]:
    """Return drafts with unique ids and valid spans, of which none are equal by type."""
    made = []
    for row, name in enumerate(draw(st.lists(IDS, unique=True, min_size=1, max_size=4)), 1):
        text = draw(TEXTS)
        places = st.tuples(
            st.integers(0, len(text)), st.integers(0, len(text)), st.sampled_from(sorted(TYPES))
        )
        spans = draw(st.lists(places, max_size=5, unique_by=lambda one: (one[0], one[1], TYPES[one[2]])))
        kept = tuple(one for one in spans if one[0] < one[1])
        made.append(Draft(row, name, text, kept, draw(IDS)))
    return made


@settings(max_examples=40, deadline=None)
@given(drafts())
def test_the_lines_say_what_the_drafts_said(given_drafts) -> None:
    """Read back through their contracts, records and provenance are the drafts, label by label."""
    deriver = Deriver(RECIPE)
    documents = list(deriver.documents(given_drafts))
    assert not deriver.quarantined
    records = b"".join(record_line(document, [KEY]) for document in documents)
    origins = b"".join(provenance_line(document, corpus_name(RECIPE.pin)) for document in documents)

    plan = make_plan([parse_slice(slice_row(RECIPE, RECIPE.types))])
    contract, population = RecordContract(plan), Population(plan)
    read = []
    for row in read_rows(BytesIO(records), file="r"):
        read.append(contract.parse(row.value))
        population.add(read[-1], ("r", row.line))
    population.finish()
    coverage = Coverage(population)
    told = [parse_origin(row.value) for row in read_rows(BytesIO(origins), file="p")]
    for line, origin in enumerate(told, 1):
        coverage.add(origin, ("p", line))
    coverage.finish()

    assert [record.text for record in read] == [draft.text for draft in given_drafts]
    assert [record.slice_ids for record in read] == [(KEY,)] * len(given_drafts)
    assert [[span[:3] for span in record.gold] for record in read] == [
        sorted((start, end, TYPES[label]) for start, end, label in draft.spans if TYPES[label])
        for draft in given_drafts
    ]
    assert [one.source_corpus for one in told] == [f"{KEY}@aaaaaaaaaaaa"] * len(given_drafts)
    same = [draft.template_id for draft in given_drafts]
    assert [same.index(one) for one in same] == [
        [other.template_id for other in told].index(one.template_id) for one in told
    ]


@settings(max_examples=40, deadline=None)
@given(st.lists(IDS, unique=True, max_size=6))
def test_names_and_ids_are_one_to_one(names) -> None:
    """Different names are different ids, also where a name is the id of another."""
    names = list(dict.fromkeys([*names, *(opaque(name, "d") for name in names)]))
    assert len({opaque(name, "d") for name in names}) == len(names)
