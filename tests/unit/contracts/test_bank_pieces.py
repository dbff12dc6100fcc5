"""Banks of more names than one piece holds: places, limits and the fingerprint are those of the whole."""

from __future__ import annotations

import hashlib
import json

import pytest
from contract_values import bank, entity, literal, name

from pytest_pii_eval.contracts.bank import BankLimits, parse_bank
from pytest_pii_eval.contracts.bank_pieces import pieces_of
from pytest_pii_eval.contracts.faults import Fault


def names(count):
    return {f"n{at:05}": name(f"N{at}", {"p": literal(f"v{at}")}) for at in range(count)}


def test_pieces_hold_a_thousand_names_and_all_of_them() -> None:
    """2,500 names, one, and 700 are cut behind the first two thousands and where the rest has no room."""
    document = bank({"e": entity(names(2_500)), "f": entity(names(1)), "g": entity(names(700))})
    sizes = [
        {key: len(one["names"]) for key, one in piece["entities"].items()} for piece in pieces_of(document)
    ]
    assert sizes == [{"e": 1_000}, {"e": 1_000}, {"e": 500, "f": 1}, {"g": 700}]


@pytest.mark.parametrize("document", [[], {}, {"entities": []}, {"entities": {"e": 1}}, {"entities": {}}])
def test_what_is_no_bank_is_one_piece(document) -> None:
    """The model refuses it as it stands."""
    assert list(pieces_of(document)) == [document]


def test_patterns_keep_their_places_across_pieces() -> None:
    """The last of 2,500 names, and the entity behind it, stand where the file has them."""
    parsed = parse_bank(bank({"e": entity(names(2_500)), "f": entity(names(1))}))
    assert parsed.place(2_499) == "entities[0].names[2499].patterns[0]"
    assert parsed.place(2_500) == "entities[1].names[0].patterns[0]"


def test_a_fault_behind_the_first_piece_names_its_place() -> None:
    """Ordinals of a fault count from the start of the file."""
    document = bank({"e": entity(names(1_500))})
    document["entities"]["e"]["names"]["n01400"]["patterns"]["p"]["priority"] = "high"
    with pytest.raises(Fault) as fault:
        parse_bank(document)
    assert fault.value.field == "entities[0].names[1400].patterns[0].priority"


def test_limits_count_all_pieces() -> None:
    """One pattern more than the limit is refused, in whatever piece it stands."""
    document = bank({"e": entity(names(1_500)), "f": entity(names(600))})
    parse_bank(document, limits=BankLimits(patterns=2_100, entities=2))
    with pytest.raises(Fault, match="holds 2,100 patterns; the limit is 2,099"):
        parse_bank(document, limits=BankLimits(patterns=2_099))


@pytest.mark.parametrize("flags", [["ASCII", "DOTALL"], ["DOTALL", "ASCII"]])
def test_the_fingerprint_is_that_of_the_whole(flags) -> None:
    """It is the SHA-256 of the sorted JSON of all pieces together."""
    document = bank({"e": entity(names(1_200), regex_flags=flags)})
    expected = bank({"e": entity(names(1_200), regex_flags=["ASCII", "DOTALL"])})
    text = json.dumps(expected, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert parse_bank(document).fingerprint == "sha256:" + hashlib.sha256(text.encode()).hexdigest()
