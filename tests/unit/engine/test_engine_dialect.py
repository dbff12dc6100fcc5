"""The expression language: what each construct of Rust's `regex` matches, by its documentation."""

# ruff: noqa: RUF001 -- characters that look alike are what these tests are about

from __future__ import annotations

import pytest
from engine_patterns import regex, strings

from pytest_pii_eval.detectors.bank.engine import Engine
from pytest_pii_eval.detectors.bank.errors import BadPattern


def matches(value: str, text: str, *flags: str) -> list[str]:
    return strings(regex(value, "n", *flags), text)


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        # Places
        ("a$", "a\n", []),
        (r"a\z", "a\n", []),
        (r"a\z", "ba", ["a"]),
        ("(?m)a$", "a\nba", ["a", "a"]),
        ("(?m)^a", "a\na", ["a", "a"]),
        ("(?m)a$", "a\r\n", []),
        ("(?mR)^a$", "a\r\na\r", ["a", "a"]),
        (r"\Aa", "aa", ["a"]),
        (r"\b{start}a\w", "ab-ac", ["ab", "ac"]),
        (r"\wa\b{end}", "baab", []),
        (r"\b{start-half}a", "a-a", ["a", "a"]),
        (r"a\b{end-half}", "ab a", ["a"]),
        (r"\<\w+\>", "ab c", ["ab", "c"]),
        (r"\b{2}a", "a", ["a"]),
        (r"(?-u:\b)a", "éa", ["a"]),
        (r"\Ba", "éa", ["a"]),
        # The dot
        (".", "\n\r\u2028", ["\r", "\u2028"]),
        ("(?s).", "\n", ["\n"]),
        ("(?R).", "\r\nx", ["x"]),
        # Repetition
        ("a{2}", "aaa", ["aa"]),
        ("a{ 1 , 2 }", "aaa", ["aa", "a"]),
        ("a{2,}?", "aaaa", ["aa", "aa"]),
        ("a+?", "aa", ["a", "a"]),
        ("a++", "aab", ["aa"]),
        ("a++a", "aaa", ["aaa"]),
        ("(?U)a+", "aa", ["a", "a"]),
        ("(?U)a+?", "aa", ["aa"]),
        ("a?*b", "aab", ["aab"]),
        ("(?:ab?){2}{2}", "aababa", ["aababa"]),
        ("a}]", "a}]", ["a}]"]),
        # Groups and flags
        ("(?P<x>a)(?<y>b)", "ab", ["ab"]),
        ("(?<é.1[0]>a)", "a", ["a"]),
        ("a(?i)b|c", "aB C ac", ["aB", "C", "c"]),
        ("(a(?i)b)c", "aBc aBC", ["aBc"]),
        ("(?i:a)b", "Ab AB", ["Ab"]),
        ("(?i)(?-i:a)b", "aB AB", ["aB"]),
        ("(?s-i:.)", "\n", ["\n"]),
        ("()a", "a", ["a"]),
        # Escapes
        (r"\x41\u0042\U00000043\x{44}\u{45}", "ABCDE", ["ABCDE"]),
        (r"\x{1F600}", "😀", ["😀"]),
        (r"\a\f\t\n\r\v", "\a\f\t\n\r\v", ["\a\f\t\n\r\v"]),
        (r"\.\-\&\~\#\ \/\"\_\%", '.-&~# /"_%', ['.-&~# /"_%']),
        # Classes
        ("[]a]+", "]a", ["]a"]),
        ("[^]a]+", "]ab", ["b"]),
        ("[-a]+", "-a", ["-a"]),
        ("[a-]+", "-a", ["-a"]),
        ("[--a]+", "-a", ["-a"]),
        ("[a[bc]d]+", "abcde", ["abcd"]),
        ("[a-z&&[^b]]+", "abc", ["a", "c"]),
        ("[a-z--b]+", "abc", ["a", "c"]),
        ("[a-c~~b-d]+", "abcd", ["a", "d"]),
        ("[a-d&&b-d--c]+", "abcd", ["b", "d"]),
        ("[a&b]+", "a&b", ["a&b"]),
        ("[a&&]|x", "ax", ["x"]),
        (r"[^\s\S]|x", "ax", ["x"]),
        (r"[\w--\d_]+", "a1_b", ["a", "b"]),
        ("[[:alpha:]1]+", "é1a", ["1a"]),
        ("[[:^alpha:]]+", "éa", ["é"]),
        ("[[:foo:]]+", "of:", ["of:"]),
        (r"[\x61-\u{63}]+", "abcd", ["abc"]),
        (r"[\]\\]+", "]\\", ["]\\"]),
        # Properties
        (r"\pL+", "aé1", ["aé"]),
        (r"\PL", "a1", ["1"]),
        (r"\p{Greek}\p{sc=Latn}\p{gc=Nd}", "αa1", ["αa1"]),
        (r"\p{Script!=Greek}", "αa", ["a"]),
        (r"[\p{Lu}\p{Uppercase_Letter}]", "Aa", ["A"]),
        (r"\p{any}\p{ascii}", "éa", ["éa"]),
        (r"\p{isgreek}", "α", ["α"]),
        (r"\p{VS}", "\ufe0f", ["\ufe0f"]),
        (r"(?-u:\w)+", "aé", ["a"]),
        # Case
        ("(?i)[k]", "K\u212a", ["K", "\u212a"]),
        ("(?i)[^k]", "K\u212aa", ["a"]),
        (r"(?i)\p{Lu}", "aA1", ["a", "A"]),
        (r"(?i)\P{Lu}", "aA1", ["1"]),
        (r"(?i)[[:^upper:]]", "aA1", ["1"]),
        ("(?i)[a-z&&[^k]]+", "aK\u212ab", ["a", "b"]),
        ("(?i)ß", "ẞ ss", ["ẞ"]),
        ("(?i-u:k)", "K\u212a", ["K"]),
        ("(?-u)(?i)é", "Éé", ["é"]),
        # Verbose
        ("(?x) a b # c\n c", "abc", ["abc"]),
        (r"(?x)a\ b", "a b", ["a b"]),
        ("(?x)[a b]+", "a b", ["a", "b"]),
        ("(?x)[a # c ]\n b]+", "abc", ["ab"]),
        ("(?x)a {2}", "aa", ["aa"]),
        (r"(?x)\x{ 4 1 }", "A", ["A"]),
        ("(?x)a(?-x: )b", "a b", ["a b"]),
        ("(?x)a\u2003b\u0085c", "abc", ["abc"]),
        ("(?x)a\x1cb", "a\x1cb", ["a\x1cb"]),
    ],
)
def test_what_rust_accepts_means_what_it_means_there(value: str, text: str, expected: list[str]) -> None:
    """Each construct matches as Rust's `regex` documents it."""
    assert matches(value, text) == expected


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        ("(?<=a)b", "ab cb", ["b"]),
        ("(?<!a)b", "ab cb", ["b"]),
        ("a(?=b)", "ab ac", ["a"]),
        ("a(?!b)", "ab ac", ["a"]),
        (r"(a|b)\1", "ab bb", ["bb"]),
        (r"(?P<x>a|b)-(?P=x)", "a-b b-b", ["b-b"]),
        (r"(?<x>a)-\k<x>", "a-a", ["a-a"]),
        (r"(?i)(k)-\1", "k-K", ["k-K"]),
        (r"(?i)(ß)-\1", "ß-ss", []),
        ("(?>a|ab)c", "abc ac", ["ac"]),
        (r"a\Z", "a\n", []),
    ],
)
def test_extensions(value: str, text: str, expected: list[str]) -> None:
    """Look-around, references, atomic groups and the end of the text by its Python name are taken as well."""
    assert matches(value, text) == expected


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ("a(", "a group without its closing parenthesis"),
        ("a)", "a closing parenthesis without its opening one"),
        ("[a", "the expression ends too early"),
        ("a\\", "the expression ends too early"),
        ("*a", "a repetition of nothing"),
        ("a|+", "a repetition of nothing"),
        ("(?i)*", "a repetition of nothing"),
        ("a{,2}", "a counted repetition without a number that can be used"),
        ("a{x}", "a counted repetition without a number that can be used"),
        ("a{e<=1}", "a counted repetition without a number that can be used"),
        ("a{1", "a counted repetition without its closing brace"),
        ("a{2,1}", "a counted repetition whose most is less than its least"),
        ("[z-a]", "a range in a class that ends before it starts"),
        (r"[\d-z]", "a range in a class that does not start with a character"),
        (r"[a-\d]", "a range in a class that does not end in a character"),
        (r"[\b]", "an escape that is not known"),
        (r"\Ka", "an escape that is not known"),
        (r"\Ga", "an escape that is not known"),
        (r"\L<x>a", "an escape that is not known"),
        (r"\R", "an escape that is not known"),
        (r"\X", "an escape that is not known"),
        (r"\N{DIGIT ONE}", "an escape that is not known"),
        (r"\é", "an escape that is not known"),
        (r"\m<a", "an escape that is not known"),
        (r"a\b{side}", "a word boundary of a name that is not known"),
        (r"\x4", "the expression ends too early"),
        (r"\x{}", "a hexadecimal escape without its digits"),
        (r"\xg1", "a hexadecimal escape without its digits"),
        (r"\x{d800}", "a hexadecimal escape that is no Unicode scalar value"),
        (r"\p{Foo}", "a Unicode property that is not known"),
        (r"\p{^L}", "a Unicode property that is not known"),
        (r"\p{Block=ASCII}", "a Unicode property that is not known"),
        (r"\p{IDS}\p{Cs}", "a Unicode property that is not known"),
        (r"\p{L", "a Unicode property without its closing brace"),
        ("(?P<x>a)(?P<x>b)", "two groups of the same name"),
        ("(?P<1>a)", "a group name that is no name"),
        ("(?#c)a", "a group whose flags or kind are not known"),
        ("(?R)a(?1)", "a group whose flags or kind are not known"),
        ("(?|a)", "a group whose flags or kind are not known"),
        ("(?e)a", "a group whose flags or kind are not known"),
        ("(?a)a", "a group whose flags or kind are not known"),
        ("(?L)a", "a group whose flags or kind are not known"),
        ("(?ii)a", "a group whose flags or kind are not known"),
        ("(?i-)a", "a group whose flags are not complete"),
        ("(?)a", "a group whose flags are not complete"),
        ("(?(1)a|b)", "a group whose flags or kind are not known"),
        (r"\1(a)", "a reference to a group that is not complete before it"),
        (r"(a\1)", "a reference to a group that is not complete before it"),
        (r"(?P=x)a", "a reference to a group that is not complete before it"),
        (r"a\0", "a reference to a group that is not complete before it"),
        (r"(a)\01", "a reference to a group that is not complete before it"),
        ("(?-u:.)", "a dot that would match broken UTF-8"),
        ("(?-u:[^a])", "a class that would match broken UTF-8"),
        (r"(?-u:\W)", "a class that would match broken UTF-8"),
        ("(?-u:[é])", "a class that would match broken UTF-8"),
        (r"(?-u:\xff)", "an escape that would match broken UTF-8"),
        (r"(?-u:\pL)", "a Unicode property where the flag u is off"),
        ("(?:" * 101 + "a" + ")" * 101, "more than 100 levels of nesting"),
        ("[" * 101 + "a" + "]" * 101, "more than 100 levels of nesting"),
        ("a" + "{2}" * 101, "more than 100 levels of nesting"),
        ("(?<=a+|\\w{2,})" * 2 + "[", "the expression ends too early"),
    ],
)
def test_what_neither_rust_nor_we_know_is_refused(value: str, rule: str) -> None:
    """Constructs of other engines, and broken ones, are refused by a rule that names the kind."""
    with pytest.raises(BadPattern) as error:
        Engine([regex(value)])
    assert error.value.rule == rule


def test_deep_nesting_up_to_the_limit_compiles() -> None:
    """A hundred groups inside one another are parsed, written and compiled."""
    assert matches("(" * 100 + "a" + ")" * 100, "a") == ["a"]


def test_stacked_repetitions_do_not_explode() -> None:
    """`a*` under further operators is one repetition, not exponentially many ways to match."""
    assert matches("(?:(?:a+)+)+b|c", "a" * 5_000 + "c") == ["c"]


def test_a_search_sees_what_stands_before_it() -> None:
    """Behind a match, boundaries and look-behind still see the text before the place of the search."""
    assert matches(r"\bab|(?<=b)c|\Ax", "ababcx") == ["ab", "c"]
