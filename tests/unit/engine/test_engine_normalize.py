"""Banks that ask for NFC or NFKC: matched on the normal form, reported in bytes of the source."""

# ruff: noqa: RUF001 -- characters that look alike are what these tests are about

from __future__ import annotations

import unicodedata

import pytest
from engine_patterns import found, literal, regex, word

from pytest_pii_eval.contracts.patterns import Match
from pytest_pii_eval.detectors.bank.engine import Engine
from pytest_pii_eval.detectors.bank.normalize import normalize


@pytest.mark.parametrize(
    ("value", "text", "string"),
    [
        ("é", "xe\u0301y", "e\u0301"),
        ("e\u0301", "xéy", "é"),
        ("각", "\u1100\u1161\u11a8", "\u1100\u1161\u11a8"),
        ("각", "가\u11a8", "가\u11a8"),
        ("Å", "\u212b", "\u212b"),
        ("ṩ", "s\u0307\u0323", "s\u0307\u0323"),
        ("\u0b94", "\u0b92\u0bd7", "\u0b92\u0bd7"),
    ],
)
def test_nfc_finds_equal_text(value: str, text: str, string: str) -> None:
    """Canonically equal text matches, and the record covers the source characters."""
    assert found([literal(value)], text, "NFC") == [("n", string)]


@pytest.mark.parametrize(
    ("value", "text", "string"),
    [
        ("fi", "oﬁx", "ﬁ"),
        ("f", "oﬁx", "ﬁ"),
        ("12", "①②", "①②"),
        ("A", "Ａ", "Ａ"),
        ("ガ", "ｶﾞ", "ｶﾞ"),
        ("kg", "㎏", "㎏"),
    ],
)
def test_nfkc_finds_compatible_text(value: str, text: str, string: str) -> None:
    """Compatible text matches; a match of a part of a ligature covers the ligature."""
    assert found([literal(value)], text, "NFKC") == [("n", string)]


def test_nfc_leaves_compatible_text_apart() -> None:
    """A ligature is no `fi` under NFC."""
    assert found([literal("fi")], "ﬁ", "NFC") == []


def test_without_normalization_nothing_is_equal() -> None:
    """A bank of `none` tells composed from decomposed text."""
    assert found([literal("é")], "e\u0301") == []


def test_expressions_see_the_normal_form() -> None:
    """An expression runs on the normalized text, and its boundaries do."""
    assert found([regex(r"caf.\b")], "cafe\u0301 x", "NFC") == [("n", "cafe\u0301")]
    assert found([word("cafe")], "cafe\u0301", "NFC") == []


def test_offsets_behind_a_change() -> None:
    """Bytes behind a cluster that changed its length are those of the source."""
    assert Engine([literal("x")], "NFC").scan("e\u0301xéx") == [Match(3, 4, 0), Match(6, 7, 0)]


def test_a_cluster_that_does_not_change_is_matched_in_parts() -> None:
    """Marks that stay apart in the normal form stay apart in the record."""
    assert found([literal("q")], "q\u0301e\u0301", "NFC") == [("n", "q")]


@pytest.mark.parametrize("form", ["NFC", "NFKC"])
def test_every_character_normalizes_behind_any_start(form: str) -> None:
    """Cluster by cluster, each character gives what normalizing the whole gives."""
    for point in range(0x110000):
        if not 0xD800 <= point < 0xE000:
            for before in ("e", "\u1100", "가"):
                text = before + chr(point)
                normal = normalize(text, form)  # type: ignore[arg-type]
                assert (normal.text if normal else text) == unicodedata.normalize(form, text)


def test_the_unicode_version_is_part_of_the_facts() -> None:
    """The tables of unicodedata count among the libraries only where they are used."""
    assert "unicodedata" not in Engine([]).libraries()
    assert Engine([], "NFC").libraries()["unicodedata"] == unicodedata.unidata_version
