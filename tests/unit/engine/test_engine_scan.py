"""The scan, sentence by sentence of spec/bank.md, with answers worked out by hand."""

# ruff: noqa: RUF001 -- characters that look alike are what these tests are about

from __future__ import annotations

import pytest
from engine_patterns import found, literal, regex, strings, word

from pytest_pii_eval.contracts.patterns import Match
from pytest_pii_eval.detectors.bank.engine import Engine


def test_the_earliest_start_wins() -> None:
    """A match that starts earlier keeps out one of a better pattern that starts inside it."""
    patterns = [literal("bcd", "a", priority=1), literal("abc", "b", priority=2)]
    assert found(patterns, "abcd") == [("b", "abc")]


def test_priority_decides_at_one_start() -> None:
    """Of two patterns that match at one start, the one of the lower priority number is reported."""
    patterns = [literal("ab", "a", priority=2), literal("abc", "b", priority=1)]
    assert found(patterns, "abc") == [("b", "abc")]


def test_canonical_name_decides_at_equal_priority() -> None:
    """At equal priority the canonical name decides, by code points, and not the order of ids."""
    patterns = [literal("ab", "a", canonical_name="z"), literal("abc", "b", canonical_name="Z")]
    assert found(patterns, "abc") == [("b", "abc")]


def test_surface_decides_at_equal_canonical_name() -> None:
    """A literal's surface is its value and a regex's its pattern id: `b` comes before `c`."""
    patterns = [
        literal("c", "a", canonical_name="x"),
        regex("c.", "b", canonical_name="x", pattern_id="b"),
        literal("c..", "c", canonical_name="x"),
    ]
    assert found(patterns, "c..") == [("b", "c.")]


def test_the_scan_goes_on_behind_the_match() -> None:
    """What starts inside a match is not reported, what starts at its end is."""
    assert strings(literal("aa"), "aaaaa") == ["aa", "aa"]


def test_the_pick_moves_on_with_each_match() -> None:
    """A pattern that lost its start to another is found again at the next place that is free."""
    patterns = [regex(r"\d+-", "a"), regex(r"\d\d", "b")]
    assert found(patterns, "123-45") == [("a", "123-"), ("b", "45")]


def test_entities_overlap_freely() -> None:
    """Each entity is scanned on its own: both report the same place."""
    patterns = [literal("Sam", "a", entity_id="e1"), literal("Samwise", "b", entity_id="e2")]
    assert found(patterns, "Samwise") == [("a", "Sam"), ("b", "Samwise")]


def test_records_are_sorted_by_start_end_and_pattern() -> None:
    """Records of different entities come by start, then end, then index of the pattern."""
    patterns = [
        literal(value, value, entity_id=f"e{number}")
        for number, value in enumerate(["bc", "abc", "ab", "ab"])
    ]
    assert Engine(patterns).scan("abc") == [Match(0, 2, 2), Match(0, 2, 3), Match(0, 3, 1), Match(1, 3, 0)]


def test_offsets_are_bytes() -> None:
    """Starts and ends count UTF-8 bytes: 2 for é, 3 for €, 4 for a character beyond the BMP."""
    patterns = [literal("x")]
    assert Engine(patterns).scan("éx€x😀x") == [Match(2, 3, 0), Match(6, 7, 0), Match(11, 12, 0)]


def test_alternation_is_ordered() -> None:
    """Inside an expression the first branch that matches wins, not the longest."""
    assert strings(regex("Sam|Samwise"), "Samwise") == ["Sam"]


def test_a_boundary_is_tested_before_the_pick() -> None:
    """A literal that fails its boundary does not keep out a longer one at the same start."""
    assert found([word("Sam", "a"), word("Samwise", "b")], "Samwise") == [("b", "Samwise")]


def test_a_literal_is_no_expression() -> None:
    """The characters that mean something in expressions stand for themselves."""
    assert strings(literal("a.b*(c)"), "aXb a.b*(c)") == ["a.b*(c)"]


@pytest.mark.parametrize("space", [" ", "   ", "\n", "\t \r\n", "\u00a0", "\u2003\u3000", "\u0085"])
def test_normalized_white_space_is_any_run(space: str) -> None:
    """A run of white space in the value matches every run of Unicode white space."""
    text = f"Jane{space}Roe"
    assert strings(literal("Jane  Roe", normalize_whitespace=True), text) == [text]


@pytest.mark.parametrize("between", ["", "-", "\u200b", "\x1c", "\u180e"])
def test_normalized_white_space_is_white_space_only(between: str) -> None:
    """Nothing, a hyphen, a zero-width space or a separator control does not stand for white space."""
    assert strings(literal("Jane Roe", normalize_whitespace=True), f"Jane{between}Roe") == []


def test_white_space_is_literal_unless_normalized() -> None:
    """Without normalize_whitespace only the same white space matches, beside a literal with it as well."""
    patterns = [literal("a b", "a"), literal("c d", "b", normalize_whitespace=True)]
    assert found(patterns, "a  b a\tb a b c  d") == [("a", "a b"), ("b", "c  d")]


def test_edge_white_space_is_a_run_too() -> None:
    """White space at an edge of the value takes the whole run, and can be matched in its middle."""
    patterns = [literal(" b", "a", normalize_whitespace=True), literal("a ", "b")]
    assert found(patterns, "a   b  b") == [("b", "a "), ("a", "  b"), ("a", "  b")]


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("Roe", 1),
        ("(Roe)", 1),
        ("Roe's", 1),
        ("xRoe", 0),
        ("Roe1", 0),
        ("Roe_", 0),
        ("éRoe", 0),
        ("Roe\u0301", 0),
        ("Roe\u200d", 0),
        ("Roe\u200b", 1),
        ("Roe漢", 0),
    ],
)
def test_a_word_side_is_a_unicode_boundary(text: str, hits: int) -> None:
    """Letters, digits, underscore, marks and joiners at a side belong to the word."""
    assert len(strings(word("Roe"), text)) == hits


def test_a_word_side_beside_no_word_character_asks_for_one() -> None:
    """Where the literal's edge is no word character, the boundary wants a word character outside."""
    assert strings(literal("-a", left_boundary="word"), "-a x-a") == ["-a"]
    assert Engine([literal("-a", left_boundary="word")]).scan("-a x-a") == [Match(4, 6, 0)]


def test_each_side_has_its_own_boundary() -> None:
    """A boundary on the left alone lets the word go on, on the right alone lets it start before."""
    assert strings(literal("Sam", left_boundary="word"), "Samwise xSam") == ["Sam"]
    assert Engine([literal("Sam", right_boundary="word")]).scan("Samwise xSam") == [Match(9, 12, 0)]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Müller", "MÜLLER"),
        ("sam", "ſam"),
        ("kelvin", "\u212aELVIN"),
        ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
        ("ß", "ẞ"),
        ("𐐀", "𐐨"),
        ("Ꭰ", "ꭰ"),
        ("ϑ", "Θ"),
    ],
)
def test_case_folds_one_to_one(value: str, text: str) -> None:
    """A case-insensitive literal takes every character that folds to the same one."""
    assert strings(literal(value, case_sensitive=False), text) == [text]


@pytest.mark.parametrize(
    ("value", "text"), [("ß", "SS"), ("ss", "ß"), ("İ", "i"), ("ı", "I"), ("ﬁ", "fi"), ("i", "İ")]
)
def test_case_does_not_fold_to_more_or_to_turkish(value: str, text: str) -> None:
    """Foldings to two characters, and those of dotted and dotless i, are none."""
    assert strings(literal(value, case_sensitive=False), text) == []


def test_a_case_sensitive_literal_stays_so_beside_others() -> None:
    """A case-insensitive neighbour does not change what a case-sensitive literal matches."""
    patterns = [
        literal("Sam", "a", entity_id="e1"),
        literal("sam", "b", entity_id="e2", case_sensitive=False),
    ]
    assert found(patterns, "sam Sam") == [("b", "sam"), ("a", "Sam"), ("b", "Sam")]


def test_a_flag_makes_every_literal_case_insensitive() -> None:
    """IGNORECASE from the bank or entity holds for a literal that says case_sensitive."""
    assert strings(literal("Sam", flags=frozenset({"IGNORECASE"})), "SAM") == ["SAM"]


@pytest.mark.parametrize("flag", ["MULTILINE", "DOTALL", "VERBOSE"])
def test_other_flags_do_not_touch_literals(flag: str) -> None:
    """A literal keeps its dots, anchors and white space under the flags of expressions."""
    assert strings(literal("a #.$ b", flags=frozenset({flag})), "a #.$ b") == ["a #.$ b"]


def test_ascii_narrows_boundaries_and_white_space_of_literals() -> None:
    """Under ASCII é ends a word and a no-break space is no white space, but é still has its case."""
    flags = frozenset({"ASCII"})
    assert strings(word("a", flags=flags), "éa") == ["a"]
    assert strings(literal("a b", normalize_whitespace=True, flags=flags), "a\u00a0b a\tb") == ["a\tb"]
    assert strings(literal("é", case_sensitive=False, flags=flags), "É") == ["É"]


def test_ascii_narrows_classes_and_boundaries_of_expressions() -> None:
    r"""ASCII leaves \w \d \s \b with ASCII only, and their opposites with the rest."""
    assert strings(regex(r"\w+", "n", "ASCII"), "aé1") == ["a", "1"]
    assert strings(regex(r"\d+", "n", "ASCII"), "1١") == ["1"]
    assert strings(regex(r"a\s", "n", "ASCII"), "a\u00a0a ") == ["a "]
    assert strings(regex(r"\ba", "n", "ASCII"), "éa") == ["a"]
    assert strings(regex(r"\W", "n", "ASCII"), "aé") == ["é"]


def test_flags_of_expressions() -> None:
    """MULTILINE, DOTALL and VERBOSE do what they say, IGNORECASE folds as for literals."""
    assert strings(regex("^b", "n", "MULTILINE"), "a\nb") == ["b"]
    assert strings(regex("a.b", "n", "DOTALL"), "a\nb") == ["a\nb"]
    assert strings(regex("a b # c", "n", "VERBOSE"), "ab") == ["ab"]
    assert strings(regex("k", "n", "IGNORECASE"), "K\u212a") == ["K", "\u212a"]


def test_literals_and_expressions_compete() -> None:
    """Both kinds stand in one order within an entity."""
    patterns = [
        regex(r"\d{4}", "a", priority=2),
        literal("20", "b", priority=1),
        literal("2024-05", "c", priority=3),
    ]
    assert found(patterns, "2024-05 1999") == [("b", "20"), ("a", "1999")]


def test_no_patterns_and_no_text() -> None:
    """Without patterns, or in an empty text, nothing is found."""
    assert Engine([]).scan("text") == []
    assert Engine([literal("a"), regex("b", "m")]).scan("") == []


def test_a_long_text_is_scanned_as_one() -> None:
    """A match across any border inside a long text is found, once."""
    value = "x" + "-" * 700 + "x"
    text = (" " * 1_500 + value) * 200
    assert [one.start for one in Engine([literal(value)]).scan(text)] == [
        1_500 + k * 2_202 for k in range(200)
    ]
