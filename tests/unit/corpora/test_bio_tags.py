"""From tags to chunks of tokens, strictly, in three schemes."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seqscore.encoding import get_encoding
from seqscore.model import Mention, Span

from pytest_pii_eval.corpora.draft import UnfitRow
from pytest_pii_eval.corpora.tags import SCHEMES, chunks


@pytest.mark.parametrize(
    ("scheme", "tags", "expected"),
    [
        ("bio", "O B-A I-A O", [(1, 3, "A")]),
        ("bio", "B-A B-A I-A", [(0, 1, "A"), (1, 3, "A")]),
        ("bio", "B-A I-A B-B", [(0, 2, "A"), (2, 3, "B")]),
        ("bio", "B-LOC-CITY I-LOC-CITY", [(0, 2, "LOC-CITY")]),
        ("bioes", "S-A B-A I-A E-A S-B O", [(0, 1, "A"), (1, 4, "A"), (4, 5, "B")]),
        ("io", "I-A I-A I-B O I-B", [(0, 2, "A"), (2, 3, "B"), (4, 5, "B")]),
        ("bio", "", []),
    ],
)
def test_chunks_of_valid_tags(scheme, tags, expected):
    """A chunk is half-open in tokens, two that touch stay two, and a label may hold a hyphen."""
    assert list(chunks(tags.split(), scheme)) == expected


@pytest.mark.parametrize(
    ("scheme", "tags"),
    [
        ("bio", ["I-A"]),
        ("bio", ["O", "I-A"]),
        ("bio", ["B-A", "I-B"]),
        ("bio", ["B-A", "O", "I-A"]),
        ("bio", ["S-A"]),
        ("bio", ["E-A"]),
        ("bio", ["U-A"]),
        ("bio", ["b-A"]),
        ("bio", ["o"]),
        ("bio", ["B"]),
        ("bio", ["B-"]),
        ("bio", ["B_A"]),
        ("bio", ["-A"]),
        ("bio", [""]),
        ("bio", ["O-A"]),
        ("bio", ["B-A "]),
        ("bio", ["B- A"]),
        ("bio", ["B-A A"]),
        ("bio", [" O"]),
        ("bio", [7]),
        ("bio", [None]),
        ("bio", [["O"]]),
        ("bioes", ["B-A"]),
        ("bioes", ["B-A", "O"]),
        ("bioes", ["B-A", "I-A"]),
        ("bioes", ["B-A", "S-A"]),
        ("bioes", ["B-A", "E-B"]),
        ("bioes", ["E-A"]),
        ("bioes", ["S-A", "I-A"]),
        ("bioes", ["S-A", "E-A"]),
        ("bioes", ["B-A", "E-A", "I-A"]),
        ("io", ["B-A"]),
    ],
)
def test_tag_that_its_scheme_does_not_allow_is_refused(scheme, tags):
    """Nothing is repaired: an I- without its B-, another label, an unknown state, a loose end."""
    with pytest.raises(UnfitRow) as caught:
        chunks(tags, scheme)
    assert caught.value.reason == "bad_tag"


@st.composite
def encoded(draw):
    """Tags of random chunks as seqscore writes them, with what seqscore reads back from them."""
    scheme = draw(st.sampled_from(SCHEMES))
    mentions, at = [], 0
    chunk = st.tuples(st.integers(0, 2), st.integers(1, 3), st.sampled_from("AB"))
    for gap, length, label in draw(st.lists(chunk, max_size=6)):
        mentions.append(Mention(Span(at + gap, at + gap + length), label))
        at += gap + length
    encoding = get_encoding(scheme.upper())
    tags = list(encoding.encode_mentions(mentions, at + 1))
    read = encoding.decode_labels(tags)
    return scheme, tags, [(one.span.start, one.span.end, one.type) for one in read]


@settings(max_examples=50, deadline=None)
@given(encoded())
def test_chunks_agree_with_seqscore(case):
    """On valid tags of every scheme the chunks are those that seqscore reads."""
    scheme, tags, expected = case
    assert list(chunks(tags, scheme)) == expected


@settings(max_examples=50, deadline=None)
@given(
    st.sampled_from(SCHEMES),
    st.lists(st.sampled_from(["O", *[f"{state}-{label}" for state in "BIES" for label in "AB"]]), max_size=5),
)
def test_refusals_agree_with_seqscore(scheme, tags):
    """Whatever tags come: they are refused exactly where seqscore finds a state or a transition invalid."""
    try:
        chunks(tags, scheme)
    except UnfitRow:
        refused = True
    else:
        refused = False
    assert refused == (not seqscore_allows(scheme, tags))


def seqscore_allows(scheme, tags):
    encoding = get_encoding(scheme.upper())
    labels = [("O", None), *[encoding.split_label(tag) for tag in tags], ("O", None)]
    return all(encoding.is_valid_state(state) for state, _ in labels) and all(
        encoding.is_valid_transition(first, first_label, second, second_label)
        for (first, first_label), (second, second_label) in pairwise(labels)
    )
