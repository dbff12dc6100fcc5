"""Simple case folding against what Python knows of case."""

from __future__ import annotations

import unicodedata

from pytest_pii_eval.detectors.bank.folding import cased_between, family, fold

EVERY = [chr(point) for point in range(0x110000) if not 0xD800 <= point < 0xE000]


def test_one_to_one_foldings_of_python_are_kept() -> None:
    """Characters that str.casefold brings to the same one character are of one family."""
    for character in EVERY:
        folded = character.casefold()
        if len(folded) == 1 and unicodedata.unidata_version <= "16.0.0":
            assert fold(character) == fold(folded)
            assert ord(folded) in family(ord(character))


def test_folding_keeps_length_and_place() -> None:
    """Every character folds to one, the same alone and between others."""
    for character in EVERY:
        assert len(fold(character)) == 1
        assert fold(f"aΣ{character}Σ")[2] == fold(character)


def test_families_are_what_folds_together() -> None:
    """The members of a family fold to one character, and a character of no family to itself."""
    cased = set(cased_between(0, 0x10FFFF))
    assert len(cased) == 2938
    for character in EVERY:
        if ord(character) in cased:
            assert {fold(chr(other)) for other in family(ord(character))} == {fold(character)}
        else:
            assert fold(character) == character


def test_the_kelvin_sign_and_its_family() -> None:
    """K, k and the Kelvin sign are a family; dotless i is alone."""
    assert family(ord("k")) == (0x4B, 0x6B, 0x212A)
    assert family(0x131) == (0x131,)
