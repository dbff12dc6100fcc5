"""The debug figure of the adapter tests, by hand."""

from __future__ import annotations

from token_f1 import token_f1

TEXT = "Ask Ann Lee, now"  # tokens: Ask Ann Lee , now


def test_token_f1_forgives_what_exact_spans_do_not():
    """Gold is two tokens, found one of them: one common of 2 + 1, so 2/3, where no span is exact."""
    assert token_f1(TEXT, [(4, 11, "PER")], [(4, 7, "PER")]) == 2 / 3


def test_labels_count():
    """The same place under another label has nothing in common."""
    assert token_f1(TEXT, [(4, 11, "PER")], [(4, 11, "ORG")]) == 0


def test_nothing_on_both_sides_is_no_figure():
    """Neither 0 nor 1."""
    assert token_f1(TEXT, [], []) is None
    assert token_f1(TEXT, [], [(0, 3, "PER")]) == 0
