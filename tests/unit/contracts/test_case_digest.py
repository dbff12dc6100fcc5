"""The digest of a case: it sees all content and nothing of order."""

from __future__ import annotations

import pytest
from contract_values import ADA, TEXT, TICKET, bank, entity, literal, name, negative, positive

from pytest_pii_eval.contracts.bank import parse_bank
from pytest_pii_eval.contracts.cases import CaseContract

BANK = parse_bank(bank())
POSITIVE = CaseContract("positive", BANK)
NEGATIVE = CaseContract("negative", BANK)


def _digest(contract: CaseContract, row: dict) -> bytes:
    return contract.digest(contract.parse(row))


BASE = _digest(POSITIVE, positive(ADA, TICKET))


@pytest.mark.parametrize(
    "row",
    [
        positive(TICKET, ADA),
        positive(ADA, TICKET, tags=["casing", "unicode"]),
        dict(reversed(positive(dict(reversed(ADA.items())), TICKET).items())),
    ],
)
def test_order_is_not_content(row) -> None:
    """Occurrences, tags and keys in another order give the same digest."""
    assert _digest(POSITIVE, row) == BASE


@pytest.mark.parametrize(
    "row",
    [
        positive(ADA),
        positive(TICKET),
        positive(ADA, TICKET, case_id="case.9"),
        positive(ADA, TICKET, text=f"{TEXT}."),
        positive(ADA, TICKET, text=f"{TEXT}\n"),
        positive(ADA, TICKET, text=TEXT.replace("Hi", "hi")),
        positive(ADA, TICKET, tags=["unicode"]),
        positive(ADA, TICKET, tags=["unicode", "casing", "html"]),
        positive(ADA, {**TICKET, "start": 27, "end": 34}, text=f"{TEXT} TCK-123"),
    ],
)
def test_content_changes_the_digest(row) -> None:
    """Id, text, tags and occurrences of a positive case are content."""
    assert _digest(POSITIVE, row) != BASE


@pytest.mark.parametrize(
    "change", [{"case_id": "case.9"}, {"text": "Nobody!"}, {"tags": ["negative"]}, {"reason_code": "other"}]
)
def test_content_of_negatives_changes_the_digest(change) -> None:
    """Id, text, tags and reason of a negative case are content."""
    assert _digest(NEGATIVE, negative(**change)) != _digest(NEGATIVE, negative())


def test_same_span_under_another_pattern_is_another_digest() -> None:
    """The pattern behind a span is content, though span and text stay."""
    names = {one: name("Ada", {"p": literal("Ada")}) for one in ("a", "b")}
    contract = CaseContract("positive", parse_bank(bank({"person": entity(names)})))
    row = {"entity_id": "person", "pattern_id": "p", "pattern_kind": "literal", "canonical_name": "Ada"}
    rows = [
        positive({**row, "name_id": one, "string": "Ada", "start": 0, "end": 3}, text="Ada")
        for one in ("a", "b")
    ]
    assert _digest(contract, rows[0]) != _digest(contract, rows[1])


def test_the_place_in_the_catalog_is_not_content() -> None:
    """Adding a pattern in front of another leaves the digests of its cases."""
    document = bank()
    document["entities"]["aaa"] = entity({"n": name("N", {"p": literal("zzz")})})
    later = CaseContract("positive", parse_bank(document))
    assert _digest(later, positive(ADA, TICKET)) == BASE


def test_a_text_can_not_pass_for_an_occurrence() -> None:
    """A text that starts like the form of an occurrence is told from one.

    The one text is `TCK-123`; the other holds it too, behind a line that reads like an occurrence.
    """
    start = {**TICKET, "start": 0, "end": 7}
    one = positive(start, {**TICKET, "start": 8, "end": 15}, text="TCK-123 TCK-123")
    other = positive(start, text="8 15 code ticket plain\nTCK-123 TCK-123")
    other["expected"] = [{**TICKET, "start": 0, "end": 7, "string": "8 15 co"}]
    assert _digest(POSITIVE, one) != _digest(POSITIVE, other)


def test_digests_are_32_bytes() -> None:
    """A digest is a raw SHA-256."""
    assert len(BASE) == 32
