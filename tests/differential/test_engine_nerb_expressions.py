"""The embedded engine against nerb: generated expressions, alone and beside literals."""

# ruff: noqa: RUF001 -- characters that look alike are what these tests are about

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_engine_nerb import FLAGS, literals, nerb_records, our_records, sane_flags, texts_about

from pytest_pii_eval.contracts.patterns import ActivePattern
from pytest_pii_eval.detectors.bank.errors import BadPattern, ScanFailure

ALPHABET = "abkKé1- \n_ſ\u0301"
ONES = r"a b k é 1 - ſ . \w \W \d \s \S [ab] [^a] [a-k] [\w--a] [[:alpha:]1] [^\s1] \pL \p{Lu} \x{e9}"
ONE = st.sampled_from([*ONES.split(), r"\ ", "(?i:k)", "(?s:.)", "(?-u:[a-k])"])
PLACE = st.sampled_from(
    [r"\b", r"\B", "^", "$", r"\A", r"\z", "(?m:^)", "(?m:$)", r"(?-u:\b)", r"(?-u:\B)", r"(?:\b{start})"]
)
# Only what matches something is repeated: of a loop over nothing the engines think differently (see docs).
REPEATED = st.tuples(
    ONE, st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "*?", "+?", "??", "{2,}", "++", "{ 1 , 2 }"])
)


# nerb can lose an earlier pattern to a later one that ends in an optional place (see docs).
PLACES_AT_END = (")", "){1,2}", ")+?", "$", r"\b", r"\B", r"\z")


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return expressions made of smaller ones."""
    several = st.lists(inner, min_size=2, max_size=3)
    return (
        several.map("".join)
        | several.map(lambda parts: f"(?:{'|'.join(parts)})")
        | inner.map(lambda part: f"(?i:{part})")
        | inner.map(lambda part: f"({part})")
        | inner.map(lambda part: f"(?:a(?:{part}))+?")
        | inner.map(lambda part: f"(?:b(?:{part})){{1,2}}")
    )


EXPRESSIONS = st.recursive(ONE | PLACE | REPEATED.map("".join), grown, max_leaves=8)


def agree(patterns: list[ActivePattern], texts: list[str]) -> None:
    """Compare records, unless one of the engines refuses the expression or ours runs out of time."""
    try:
        ours = our_records(patterns, texts)
        theirs = nerb_records(patterns, texts)
    except (BadPattern, ScanFailure):
        assume(False)
    except RuntimeError:  # The native code of nerb panics at some expressions, such as `(?i:(?i:\wa))`.
        assume(False)
    except ValueError:
        # Under ASCII nerb refuses some expressions that we take (see docs), and only there.
        assume(not any("ASCII" in one.flags for one in patterns))
        raise
    assert ours == theirs


@settings(max_examples=400, deadline=None)
@given(
    EXPRESSIONS,
    st.sets(st.sampled_from(FLAGS), max_size=2),
    st.lists(st.text(ALPHABET, max_size=20), min_size=3),
)
def test_an_expression_matches_as_in_nerb(value: str, flags: set[str], texts: list[str]) -> None:
    """One expression under any flags finds the same spans in both engines."""
    agree([ActivePattern("e", "n", "p", "regex", "c", value, 1, sane_flags(flags))], texts)


@st.composite
def mixed_banks(draw: st.DrawFn) -> tuple[list[ActivePattern], list[str]]:
    """Draw an entity of literals and expressions that compete for their places."""
    patterns = draw(literals("ab 1-", "e", frozenset()))
    for number in range(draw(st.integers(1, 3))):
        names = st.sampled_from(["x", "y", "X"])
        value = draw(EXPRESSIONS.filter(lambda one: not one.endswith(PLACES_AT_END)))
        patterns.append(
            ActivePattern(
                "e", f"r{number}", f"r{number}", "regex", draw(names), value, draw(st.integers(1, 2))
            )
        )
    return patterns, draw(texts_about([one.value for one in patterns if one.kind == "literal"], "ab 1-k"))


@settings(max_examples=300, deadline=None)
@given(mixed_banks())
def test_literals_and_expressions_compete_as_in_nerb(drawn: tuple[list[ActivePattern], list[str]]) -> None:
    """In one entity the order of patterns decides between both kinds as it does in nerb."""
    agree(*drawn)
