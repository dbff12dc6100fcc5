"""From drafts to documents: types, roles, templates, and what is left out and counted."""

from __future__ import annotations

import pytest
from corpus_files import CANARY, DRAFTS, FakeAdapter, prepared, recipe_of

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.deriving import (
    Deriver,
    Document,
)
from pytest_pii_eval.corpora.draft import Draft, Unfit


def derived(*drafts: Draft | Unfit, **changes):
    """Return the deriver of a pin, and what it made of the drafts."""
    deriver = Deriver(recipe_of(**changes))
    return deriver, list(deriver.documents(drafts))


def one(*spans, text="0123456789", row=1, name=None, **given) -> Draft:
    return Draft(row, name or f"d{row}", text, spans, given.pop("template_id", "t"), **given)


def test_labels_become_types() -> None:
    """Spans come by start, with the type of their label; excluded labels are left out and counted."""
    deriver, documents = derived(one((5, 7, "email"), (0, 4, "verb"), (0, 3, "first_name"), (2, 3, "verb")))
    assert documents == [Document("d1", "t", "test", "0123456789", ((0, 3, "person"), (5, 7, "email")))]
    assert (deriver.rows, deriver.excluded, deriver.quarantined) == (1, 2, {})


def test_an_unknown_label_quarantines_its_row() -> None:
    """No span of the row is kept, and the label is counted for whoever owns the map."""
    deriver, documents = derived(
        one((0, 1, "name"), (1, 2, "Name"), (2, 3, "verb"), (4, 5, "Name")), one((0, 1, "name"), row=2)
    )
    assert [document.document_id for document in documents] == ["d2"]
    assert (deriver.quarantined, deriver.unknown) == ({"unknown_label": 1}, {"Name": 2})
    assert deriver.excluded == 0  # of a row that is left out, nothing is counted


def test_where_labels_are_types_others_are_unknown() -> None:
    """The types of the taxonomy stay, excluded ones are left out, and the rest has no place."""
    deriver, documents = derived(
        one((0, 1, "person"), (1, 2, "email")),
        one((0, 1, "wizard"), row=2),
        label_map="types",
        excluded_labels=["email"],
    )
    assert [document.spans for document in documents] == [((0, 1, "person"),)]
    assert (deriver.excluded, deriver.quarantined) == (1, {"unknown_label": 1})


def test_two_labels_of_one_type_on_one_range_do_not_fit() -> None:
    """A record holds no two equal spans; two types on a range, or one type on two, are fine."""
    deriver, documents = derived(
        one((0, 3, "name"), (0, 3, "first_name")),
        one((0, 3, "name"), (0, 3, "email"), row=2),
        one((0, 3, "name"), (0, 4, "name"), row=3),
        one((0, 3, "verb"), (0, 3, "verb"), row=4),
    )
    assert [document.document_id for document in documents] == ["d2", "d3", "d4"]
    assert deriver.quarantined == {"repeated_span": 1}


def test_a_repeated_id_quarantines_the_later_row() -> None:
    """The first document of an id stays; a row that did not fit has taken no id."""
    deriver, documents = derived(
        one((0, 1, "Name"), name="a b", row=1),
        one(name="a b", row=2),
        one(name="a b", row=3, text="other"),
        one(name="a  b", row=4),
    )
    assert [document.text for document in documents] == ["0123456789", "0123456789"]
    assert deriver.quarantined == {"unknown_label": 1, "repeated_document": 1}
    assert deriver.rows == 4


def test_a_repeated_document_counts_nothing_but_itself() -> None:
    """Neither its spans of excluded labels nor its notes are those of a document."""
    deriver, documents = derived(
        one((0, 4, "verb"), name="a", row=1, notes=(("merged", 2),)),
        one((0, 4, "verb"), (5, 6, "verb"), name="a", row=2, notes=(("merged", 3),)),
    )
    assert [document.spans for document in documents] == [()]
    assert (deriver.excluded, deriver.notes) == (1, {"merged": 2})
    assert deriver.quarantined == {"repeated_document": 1}


def test_a_thousand_unknown_labels_are_remembered() -> None:
    """More are not; those that are remembered are counted on, and rows of all of them are left out."""
    rows = [one((0, 1, f"label {number}"), row=number) for number in range(1, 1_003)]
    again = [one((0, 1, "label 1000"), row=1_003), one((0, 1, "label 1001"), row=1_004)]
    deriver, documents = derived(*rows, *again)
    assert (documents, deriver.quarantined) == ([], {"unknown_label": 1_004})
    assert deriver.unknown == {f"label {number}": 1 for number in range(1, 1_000)} | {"label 1000": 2}


def test_what_an_adapter_left_out_is_counted_and_told() -> None:
    """The reason is the adapter's, and so is the number of the row."""
    told = []
    deriver = Deriver(recipe_of(), told.append)
    rows = [Unfit(1, "value_differs"), one(row=2), one((0, 1, "Name"), row=3), Unfit(4, "value_differs")]
    assert len(list(deriver.documents(rows))) == 1
    assert deriver.quarantined == {"value_differs": 2, "unknown_label": 1}
    assert told == [Unfit(1, "value_differs"), Unfit(3, "unknown_label"), Unfit(4, "value_differs")]


@pytest.mark.parametrize(
    ("draft", "reason"),
    [
        (one((0, 11, "name")), "offset_outside_text"),
        (one((-1, 3, "name")), "offset_outside_text"),
        (one((3, 2, "name")), "offset_outside_text"),
        (one((3, 3, "name")), "empty_span"),
        (one((False, 3, "name")), "offset_not_integer"),
        (one((0, True, "name")), "offset_not_integer"),
        (one((0, 3.0, "name")), "offset_not_integer"),
        (one((0.0, 3, "verb")), "offset_not_integer"),
        (one(("0", 3, "name")), "offset_not_integer"),
        (one((0, 3, ["name"])), "spans_not_readable"),
        (one((0, 3, None)), "spans_not_readable"),
        (one((0, 11, "verb")), "offset_outside_text"),
        (one(text="\ud800"), "lone_surrogate"),
        (one(text=b"x"), "text_not_string"),
        (one(text="x" * (10 * 1024 * 1024 + 1)), "text_too_long"),
        (one(*[(0, 1, "name")] * 100_001), "too_many_spans"),
    ],
    ids=lambda given: given if isinstance(given, str) else "draft",
)
def test_what_no_record_can_hold_does_not_fit(draft, reason) -> None:
    """An adapter of somebody else is not trusted to have looked."""
    deriver, documents = derived(draft)
    assert (documents, deriver.quarantined) == ([], {reason: 1})


@pytest.mark.parametrize(
    ("draft", "told"),
    [
        (Unfit(1, CANARY), "a reason that there is not"),
        (one(role=CANARY), "a split role that there is not"),
        (one(notes=((f"{CANARY} met", 1),)), "a note whose name is no identifier"),
    ],
)
def test_words_of_an_adapter_that_are_none_stop_it(draft, told) -> None:
    """What is printed or stands in a receipt is a closed list, or an identifier."""
    with pytest.raises(Fault) as caught:
        derived(draft)
    assert str(caught.value) == f"corpora.demo.adapter: its adapter gives {told}"


def test_notes_add_up() -> None:
    """Each note of each document counts, also one that a draft gives twice."""
    deriver, _ = derived(
        one(notes=(("merged", 2), ("merged", 3))), one(row=2, notes=(("kept", 1), ("merged", 1)))
    )
    assert deriver.notes == {"merged": 6, "kept": 1}


def test_roles() -> None:
    """A draft without a role has the pin's."""
    _, documents = derived(one(), one(row=2, role="train"), one(row=3, role="validation"), split_role="train")
    assert [document.role for document in documents] == ["train", "train", "validation"]


def test_what_is_held_out_is_counted_by_role(tmp_path) -> None:
    """Documents and spans of each other role; none of their spans counts as one of the corpus."""
    text = "Ada Vale wrote to ada@vale.example."
    both = ((0, 8, "name"), (18, 34, "email"))
    drafts = [
        Draft(1, "d1", text, both[:1], "t"),
        Draft(2, "d2", text, both, "t", "train"),
        Draft(3, "d3", text, both[1:], "t", "validation"),
        Draft(4, "d4", text, (*both, (4, 8, "last_name")), "t", "train"),
        Draft(5, "d5", text, (), "t", "validation"),
    ]
    receipt, _ = prepared(tmp_path, FakeAdapter(drafts))
    assert {role: (one.documents, one.spans) for role, one in receipt.held_out.items()} == {
        "train": (2, 5),
        "validation": (2, 1),
    }
    assert (receipt.rows, receipt.documents, receipt.spans_by_type) == (5, 1, {"person": 1})


def test_templates() -> None:
    """By document, a document is its own template; by template, a draft without one is a fault."""
    _, documents = derived(one(name="a b"), one(row=2), split_key="document_id")
    assert [document.template_id for document in documents] == [one_.document_id for one_ in documents]
    _, documents = derived(
        one(template_id="t 1"), one(row=2, template_id="t 1"), one(row=3, template_id="t1")
    )
    first, second, third = [document.template_id for document in documents]
    assert (first == second, third) == (True, "t1")
    with pytest.raises(Fault, match=r"^corpora\.demo: gives no template id; let split_key be document_id$"):
        derived(one(template_id=None))


def test_the_small_corpus_of_these_tests() -> None:
    """Four of its five rows are documents."""
    deriver = Deriver(recipe_of(FakeAdapter()))
    documents = list(deriver.documents(DRAFTS))
    assert [document.role for document in documents] == ["test", "test", "test", "train"]
    assert documents[1].document_id == "d-a03f1d611645eb53ad16c1af"  # printf 'two words' | sha256sum
    assert (deriver.quarantined, deriver.excluded) == ({"value_differs": 1}, 1)
