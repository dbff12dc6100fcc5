"""Whether a slice is in domain: by the card of the detector, its model, and the sources of the slice."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from pytest_pii_eval.collection.corpora.corpus import SubjectNames
from pytest_pii_eval.collection.quality.domains import card_of, is_in_domain, names_of_subject
from pytest_pii_eval.collection.quality.origins import Origins, shared_templates
from pytest_pii_eval.contracts.provenance import Origin
from pytest_pii_eval.contracts.records import Record

NOBODY = SubjectNames(frozenset({"finder"}), complete=True)


def origins(*sources: str, split_key: str = "template_id", role: str = "test") -> Origins:
    """Return the origins of one document a source, all in the slice `mail`."""
    found = Origins(split_key)
    for number, source in enumerate(sources):
        found.note(Record(f"{role}.{number}", "", "body", role, (), ("mail",)))
        found.learn(Origin(f"{role}.{number}", source, f"t.{number}"))
    return found


def suite_of(sources: Origins | None, *, file: object = None) -> SimpleNamespace:
    """Return what a suite is to the question, with no corpus behind it."""
    return SimpleNamespace(corpus=None, origins=sources, membership=SimpleNamespace(file=file))


@pytest.mark.parametrize(
    ("sources", "card", "expected"),
    [
        (["letters@1f2e"], {"letters"}, True),
        (["Letters@1f2e"], {"letters"}, True),
        (["notes+letters@1"], {"letters"}, True),
        (["notes", "letters"], {"letters"}, True),
        (["notes@2"], {"letters"}, False),
        (["letters_v2"], {"letters"}, False),
        (["notes"], set(), False),
        (["notes"], None, None),
        ([], {"letters"}, None),
    ],
)
def test_sources_are_compared_with_the_card(sources, card, expected) -> None:
    """One source of the slice on the card is enough; without card or sources nobody can tell."""
    known = None if card is None else frozenset(card)
    assert is_in_domain(suite_of(origins(*sources)), "mail", NOBODY, known) is expected


def test_without_a_sidecar_nobody_can_tell() -> None:
    """A suite that says nothing about its sources is neither in domain nor out of it."""
    assert is_in_domain(suite_of(None), "mail", NOBODY, frozenset()) is None


@pytest.mark.parametrize(
    ("trained", "key", "card", "file", "expected"),
    [
        (True, "spy", None, None, True),
        (False, "spy", {"spy"}, "freezes", True),
        (False, "spy", {"other"}, "freezes", False),
        (False, "spy", None, "freezes", None),
        (False, "spy", None, None, False),
        (None, "spy", {"other"}, "freezes", None),
    ],
)
def test_a_corpus_has_a_pin_and_a_key(trained, key, card, file, expected) -> None:
    """The pin or the card marks a corpus; beside a freezes file a detector without a card cannot be told."""
    corpus = SimpleNamespace(pin=SimpleNamespace(key=key), trained=lambda _: trained)
    directory = SimpleNamespace(corpus=corpus, origins=None, membership=SimpleNamespace(file=file))
    known = None if card is None else frozenset(card)
    assert is_in_domain(directory, key, NOBODY, known) is expected


def subject(
    kind: str, *, name: str = "finder", detector: str | None = None, model: str | None = None
) -> object:
    """Return a suite with a subject, and the cards of two detectors."""
    options = () if model is None else (("model", model),)
    cards = {"house/tagger": frozenset({"Letters@2"}), "my.finder:Finder": frozenset()}
    return SimpleNamespace(
        subject=lambda: SimpleNamespace(kind=kind, facts=lambda: {"name": name}),
        settings=SimpleNamespace(detector_options=options, detector=detector),
        freezes=SimpleNamespace(cards=cards),
    )


@pytest.mark.parametrize(
    ("suite", "expected"),
    [
        (subject("detector", model="./House/Tagger@main"), frozenset({"letters"})),
        (subject("detector", detector="my.finder:Finder"), frozenset()),
        (subject("detector", name="house/tagger"), frozenset({"letters"})),
        (subject("detector"), None),
        (subject("bank"), frozenset()),
    ],
    ids=["by-model", "by-option", "by-name", "no-card", "a-bank"],
)
def test_a_card_is_found_by_any_name(suite, expected) -> None:
    """A card is of a detector's name, its model, or what the option says; a bank trains on nothing."""
    assert card_of(suite, names_of_subject(suite)) == expected


def test_templates_are_shared_over_suites_but_not_over_roles_of_one_side() -> None:
    """Of three templates in train two are in test; validation is on neither side."""
    train = origins("a", "a", "a", role="train")
    test = origins("a", "a", role="test")
    validation = origins("a", "a", "a", role="validation")
    assert shared_templates([train, validation]) == 0
    assert shared_templates([train, test, validation]) == 2


def test_documents_are_compared_where_they_are_what_is_split() -> None:
    """By document id, a template in two suites says nothing."""
    train = origins("a", role="train", split_key="document_id")
    test = origins("a", role="test", split_key="document_id")
    assert shared_templates([train, test]) == 0
