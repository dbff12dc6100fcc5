"""The differences from nerb that are meant, one test each; docs/differences-from-nerb.md names them."""

from __future__ import annotations

import pytest
import regex as regex_module
from engine_patterns import found, literal, regex, strings

from pytest_pii_eval.detectors.bank.engine import Engine
from pytest_pii_eval.detectors.bank.errors import BadPattern, ScanFailure


def test_look_around_references_and_atomic_groups_are_taken() -> None:
    """What nerb refuses as not linear in time works here."""
    assert strings(regex(r"(?<=#)(\d)\1(?!\d)"), "#11 #112 22") == ["11"]
    assert strings(regex(r"(?>a|ab)c"), "abc ac") == ["ac"]


def test_backtracking_has_a_time_limit() -> None:
    """An expression that nerb runs in linear time can end a scan here, as a failure and not as no records."""
    with pytest.raises(ScanFailure, match="seconds a document"):
        Engine([regex("(?:a|aa)+b|(?:a|aa)+c")], time_limit=0.1).scan("a" * 60 + "d")


def test_an_expression_that_is_empty_by_its_parts_is_refused() -> None:
    """Not four texts that are tried decide, as in nerb, but the shortest match by the parts."""
    with pytest.raises(BadPattern, match="can match the empty string"):
        Engine([regex(r"\b{start}\w*")])


def test_equal_surfaces_in_one_entity_are_told_apart() -> None:
    """Patterns of one canonical name and value, which nerb refuses as ambiguous, go by index."""
    patterns = [literal("ab", "a", canonical_name="x"), literal("ab", "b", canonical_name="x")]
    assert found(patterns, "ab") == [("a", "ab")]


def test_ascii_takes_opposites_in_classes_and_named_boundaries() -> None:
    r"""Under ASCII nerb refuses `[\W]` and `\b{start}`; here the class is ASCII's and the place Unicode's."""
    assert strings(regex(r"[^\W]+", "n", "ASCII"), "éa") == ["a"]
    assert strings(regex(r"\b{start}a", "n", "ASCII"), "éa a") == ["a"]


def test_ascii_with_verbose_keeps_the_space() -> None:
    r"""Under both flags nerb's `\s` and flexible white space lose U+0020; here they keep it."""
    flags = frozenset({"ASCII", "VERBOSE"})
    assert strings(regex(r"a\sb", "n", "ASCII", "VERBOSE"), "a b") == ["a b"]
    assert strings(literal("a b", normalize_whitespace=True, flags=flags), "a b") == ["a b"]


def test_word_start_and_end_never_mean_angle_brackets() -> None:
    r"""An expression of characters alone has `\<` as a place, too; nerb reads it as `<`."""
    assert strings(regex(r"\<ab"), "ab <ab") == ["ab", "ab"]
    assert strings(regex(r"ab\>"), "ab> abc") == ["ab"]


def test_the_order_holds_beside_an_optional_place_at_the_end() -> None:
    r"""The order of patterns decides; nerb gives `-\z?` the start of an earlier `-b\s+-`."""
    patterns = [regex(r"-\z?", "b"), literal("-b -", "a", normalize_whitespace=True)]
    assert found(patterns, "-b --") == [("a", "-b -"), ("b", "-")]


def test_a_loop_whose_body_prefers_nothing_stops_at_nothing() -> None:
    """Where a repeated body prefers to match nothing, the loop ends there; nerb goes on and finds `1ab`."""
    assert strings(regex(r"(?:1|a??)+[ab]"), "1ab") == ["1a", "b"]


def test_lines_of_refusal_are_ours() -> None:
    """Nesting ends at 100 levels, not 250; a property by age is not known."""
    with pytest.raises(BadPattern, match="more than 100 levels"):
        Engine([regex("(" * 101 + "a" + ")" * 101)])
    with pytest.raises(BadPattern, match="property"):
        Engine([regex(r"\p{age=6.0}")])


def test_large_expressions_compile() -> None:
    """Repetitions that are too large for nerb's automata are taken."""
    assert strings(regex(r"\w{1000}{20}"), "a" * 20_000) == ["a" * 20_000]


def test_a_literal_may_hold_nul() -> None:
    """U+0000 in a literal, which nerb refuses, is a character like others."""
    assert strings(literal("a\0b"), "a\0b") == ["a\0b"]


def test_classes_know_the_unicode_of_the_regex_module() -> None:
    """A letter that came after Unicode 16.0 is a word character where the installed `regex` knows it."""
    newer = "\u0558"
    expected = [newer] if regex_module.match(r"\w", newer) else []
    assert strings(regex(r"\w"), newer) == expected


def test_banks_with_a_normal_form_are_scanned() -> None:
    """NFC and NFKC, which nerb's engine refuses, are scanned."""
    assert found([literal("é")], "e\u0301", "NFC") == [("n", "e\u0301")]
