"""A correct small detector, and ones with one fault each that was seen in the field."""

# ruff: noqa: D101, D102  # the name of a class says its fault; more where that is not plain

from __future__ import annotations

import hashlib
import html
import re
import unicodedata
from itertools import pairwise

import regex

from pytest_pii_eval import Detection, Span

IDENTIFIERS = [
    ("MAIL", "lena.okafor@example.org"),
    ("BADGE", "QX-4471-88"),
    ("MAIL", "tariq@mail.example"),
]
_EXPRESSION = re.compile(r"(?P<MAIL>[a-z.]{1,30}@[a-z]{1,20}\.[a-z]{2,9})|(?P<BADGE>QX-[0-9]{4}-[0-9]{2})")
_SEAM = 1_000


def found(text):
    """Return the spans in code points."""
    return [Span(*match.span(), match.lastgroup) for match in _EXPRESSION.finditer(text)]


class Whole:
    """Finds addresses and badges, and protects what it finds."""

    name, version, offset_unit = "whole", "1", "codepoint"

    def detect(self, text):
        spans = tuple(self.spans(text))
        return Detection(spans, None, tuple(span[:2] for span in spans))

    def spans(self, text):
        return found(text)

    def fingerprint(self):
        return "sha256:" + hashlib.sha256(type(self).__name__.encode()).hexdigest()


class CountsGraphemes(Whole):
    """Counts what a reader takes for one character."""

    def spans(self, text):
        for start, end, label, *_ in found(text):
            yield Span(*(len(regex.findall(r"\X", text[:at])) for at in (start, end)), label)


class CollapsesBlanks(Whole):
    """Reads the composed form with single blanks."""

    def spans(self, text):
        return found(re.sub(" {2,}", " ", unicodedata.normalize("NFC", text)))


class ReadsMarkup(Whole):
    """Reads the text that a browser shows."""

    def spans(self, text):
        return found(html.unescape(text))


class DropsMarks(Whole):
    """Reads without the marks that say which way to write."""

    def spans(self, text):
        return found(re.sub("[\u200e\u200f\u202a-\u202e\u2066-\u2069]", "", text))


class DropsTheMark(Whole):
    """Takes a byte order mark for no part of the text."""

    def spans(self, text):
        return found(text.removeprefix("\ufeff"))


class RedactedOffsets(Whole):
    """Counts in the redacted text, in which what was found before has become longer."""

    def spans(self, text):
        for number, span in enumerate(found(text)):
            yield span._replace(start=span.start + 17 * number, end=span.end + 17 * number)


class TakesTheNextWord(Whole):
    def spans(self, text):
        for span in found(text):
            word = re.compile(" [a-z]*").match(text, span.end)
            yield span._replace(end=word.end() if word else span.end)


class GivesUp(Whole):
    """Skips what would take too long, and says nothing of it."""

    def spans(self, text):
        return found(text) if len(text) < 2_500 else ()


class SplitsAtSeams(Whole):
    """Reads by windows, and answers with both halves of what stands across two."""

    def spans(self, text):
        for span in found(text):
            seam = span.start // _SEAM * _SEAM + _SEAM
            cuts = [span.start, seam, span.end] if seam < span.end else [span.start, span.end]
            for start, end in pairwise(cuts):
                yield span._replace(start=start, end=end)


class SaysAllTwice(Whole):
    """Repeats its spans: the contract lets it, and each copy is a false positive in the counts."""

    def spans(self, text):
        return found(text) * 2
