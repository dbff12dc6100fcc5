"""Token F1 of two sets of spans: a debug figure beside a failed comparison, never a gate."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\w+|[^\w\s]")


def token_f1(text, gold, found):
    """Return F1 over tokens that carry a label, a token with several labels once each; None without any.

    A token carries the label of each span that overlaps it. It says how far apart two answers are where their
    spans differ; as a score it would forgive every wrong boundary.
    """
    wanted, got = _tags(text, gold), _tags(text, found)
    if not wanted and not got:
        return None
    return 2 * len(wanted & got) / (len(wanted) + len(got))


def _tags(text, spans):
    return {
        (token.start(), span[2])
        for token in _TOKEN.finditer(text)
        for span in spans
        if span[0] < token.end() and token.start() < span[1]
    }
