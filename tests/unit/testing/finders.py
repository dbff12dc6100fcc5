"""A correct small detector, and ones that are it with one fault each."""

# ruff: noqa: D101, D102  # the name of a class says its fault; more where that is not plain

from __future__ import annotations

import base64
import contextlib
import hashlib
import logging
import os
import random
import re
import socket
import sys
import threading
import time
import unicodedata
import warnings
from itertools import pairwise

from pytest_pii_eval.contracts.spans import Detection, Span

IDENTIFIERS = [
    ("EMAIL", "zoe.quill@example.org"),
    ("PHONE", "+44 20 7946 0018"),
    ("EMAIL", "max.tarn@example.net"),
]
_KEPT = sys.stdout
_EXPRESSIONS = {
    "EMAIL": re.compile(r"[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z]{2,12}){1,3}"),
    "PHONE": re.compile(r"\+[0-9]{2} [0-9]{2} [0-9]{4} [0-9]{4}"),
}


def found(text):
    """Return the spans of all expressions in code points."""
    return [
        Span(match.start(), match.end(), label)
        for label, expression in _EXPRESSIONS.items()
        for match in expression.finditer(text)
    ]


def answer(spans):
    return Detection(tuple(spans), None, tuple((span.start, span.end) for span in spans))


def moved(spans, offset):
    """Return the spans with both offsets changed by a function."""
    return [span._replace(start=offset(span.start), end=offset(span.end)) for span in spans]


class Correct:
    """Finds e-mail addresses and telephone numbers."""

    name, version, offset_unit = "finder", "1", "codepoint"
    thread_safe = True

    def detect(self, text):
        return answer(found(text))

    def detect_batch(self, texts):
        return [self.detect(text) for text in texts]

    def fingerprint(self):
        return "sha256:" + hashlib.sha256(type(self).__name__.encode()).hexdigest()


class CorrectBytes(Correct):
    offset_unit = "byte"

    def detect(self, text):
        return answer(moved(found(text), lambda at: len(text[:at].encode())))


class CorrectUtf16(Correct):
    offset_unit = "utf16"

    def detect(self, text):
        return answer(moved(found(text), lambda at: len(text[:at].encode("utf-16-le")) // 2))


class BytesAsCodepoints(CorrectBytes):
    offset_unit = "codepoint"


class Utf16AsCodepoints(CorrectUtf16):
    offset_unit = "codepoint"


class CodepointsAsBytes(Correct):
    offset_unit = "byte"


class InclusiveEnds(Correct):
    def detect(self, text):
        return answer([span._replace(end=span.end - 1) for span in found(text)])


class Window(Correct):
    """Reads the first 512 words."""

    def detect(self, text):
        words = list(re.finditer(r"\S+", text))
        return answer(found(text[: words[511].end()] if len(words) > 512 else text))


class ChunksOfThousand(Correct):
    """Reads 1,000 code points at a time, and loses what stands across two chunks."""

    def detect(self, text):
        spans = []
        for at in range(0, len(text), 1_000):
            spans += moved(found(text[at : at + 1_000]), lambda offset, at=at: offset + at)
        return answer(spans)


class CacheByLength(Correct):
    def __init__(self):
        self.cache = {}

    def detect(self, text):
        key = self.key(text)
        if key not in self.cache:
            self.cache[key] = answer(found(text))
        return self.cache[key]

    def key(self, text):
        return len(text)


class CacheByBeginning(CacheByLength):
    def key(self, text):
        return text[:100]


class CacheByEnd(CacheByLength):
    def key(self, text):
        return text[-100:]


class AnswersOfTheLast(Correct):
    """Adds what it found in the document before."""

    def __init__(self):
        self.last = []

    def detect(self, text):
        last, self.last = self.last, found(text)
        ours = [span for span in last if span.end <= len(text) and text.strip()]
        return answer(list(dict.fromkeys(self.last + ours)))


class Sleeper(Correct):
    def detect(self, text):
        time.sleep(20)
        return super().detect(text)


class SleepsOnLength(Correct):
    def detect(self, text):
        if len(text) > 3_000:
            time.sleep(20)
        return super().detect(text)


class RaisesText(Correct):
    def detect(self, text):
        if len(text) > 5_000:
            raise ValueError("text too long: " + text)
        return super().detect(text)


class RaisesTextAlways(Correct):
    def detect(self, text):
        raise ValueError("bad input: " + text)


class RaisesTextInCause(Correct):
    def detect(self, text):
        if "\x00" in text:
            try:
                raise KeyError(text)  # noqa: TRY301  # the fault
            except KeyError as error:
                raise ValueError("bad input") from error
        return super().detect(text)


class RaisesTextInNote(Correct):
    def detect(self, text):
        if isinstance(text, str) and "\udcff" in text:
            error = ValueError("bad input")
            error.add_note(f"the text was {text!a}")
            raise error
        return super().detect(text)


class RaisesTextInGroup(Correct):
    def detect(self, text):
        if len(text) > 15_000:
            raise ExceptionGroup("bad input", [ValueError("too long", text)])
        return super().detect(text)


class RaisesOnNul(Correct):
    def detect(self, text):
        if "\x00\x01" in text:
            raise ValueError("embedded null byte")
        return super().detect(text)


class Logs(Correct):
    def detect(self, text):
        logging.getLogger("finder").info("scanning %s", text)
        return super().detect(text)


class LogsDebugFields(Correct):
    def detect(self, text):
        logging.getLogger("finder").debug("scanning", extra={"document": text})
        return super().detect(text)


class Prints(Correct):
    def detect(self, text):
        print(text)  # noqa: T201  # the fault
        return super().detect(text)


class PrintsValues(Correct):
    def detect(self, text):
        for span in found(text):
            print("hit", text[span.start : span.end])  # noqa: T201  # the fault
        return super().detect(text)


class WritesToDescriptor(Correct):
    def detect(self, text):
        os.write(2, ascii(text).encode())
        return super().detect(text)


class Warns(Correct):
    def detect(self, text):
        warnings.warn(f"odd text: {text}", stacklevel=1)
        return super().detect(text)


class OddEven(Correct):
    """Answers every other call; field fault BI-073."""

    def __init__(self):
        self.calls = 0

    def detect(self, text):
        self.calls += 1
        return super().detect(text) if self.calls % 2 else answer([])


class Random(Correct):
    def __init__(self):
        self.random = random.Random(7)  # noqa: S311  # no secret

    def detect(self, text):
        return answer(found(text) if self.random.random() < self.share else [])

    share = 0.5


class RandomSometimes(Random):
    share = 0.9


class PrintsToAKeptStream(Correct):
    def detect(self, text):
        _KEPT.write(text)
        return super().detect(text)


class Composes(Correct):
    """Works on the NFC form; field fault BI-011."""

    def detect(self, text):
        return answer(found(unicodedata.normalize("NFC", text)))


class Decomposes(Correct):
    def detect(self, text):
        return answer(found(unicodedata.normalize("NFKD", text)))


class Strips(Correct):
    def detect(self, text):
        return answer(found(text.strip()))


class UnixLineEnds(Correct):
    def detect(self, text):
        return answer(found(text.replace("\r\n", "\n")))


class DropsZeroWidth(Correct):
    def detect(self, text):
        return answer(found(re.sub("[\u200b-\u200d\u2060\ufeff]", "", text)))


class EndsAtNul(Correct):
    def detect(self, text):
        return answer(found(text.partition("\x00")[0]))


class Folds(Correct):
    def detect(self, text):
        return answer(found(text.casefold()))


class SentenceOffsets(Correct):
    """Counts from the start of each sentence; field fault BI-020."""

    def detect(self, text):
        return answer([span for part in re.split(r"(?<=[.!?]) ", text) for span in found(part)])


class LineOffsets(Correct):
    def detect(self, text):
        return answer([span for part in text.split("\n") for span in found(part)])


class BatchDrifts(Correct):
    """Counts from the start of the longest text of a batch, as padding on the left does."""

    def detect_batch(self, texts):
        longest = max(map(len, texts), default=0)
        return [answer(moved(found(text), lambda at, text=text: at + longest - len(text))) for text in texts]


class BatchSorts(Correct):
    def detect_batch(self, texts):
        return [self.detect(text) for text in sorted(texts, key=len)]


class Grows(Correct):
    def __init__(self):
        self.seen = []

    def detect(self, text):
        detection = super().detect(text)
        self.seen.append([text[span.start : span.end] for span in detection.selected])
        return detection


class Connects(Correct):
    def detect(self, text):
        with contextlib.suppress(OSError), socket.socket() as connection:
            connection.settimeout(0.05)
            connection.connect(("127.0.0.1", 9))
        return super().detect(text)


class LooksUp(Correct):
    def detect(self, text):
        with contextlib.suppress(OSError):
            socket.getaddrinfo("localhost", 80)
        return super().detect(text)


class MergesNeighbours(Correct):
    """Makes one span of two that are at most two code points apart; field fault BI-068."""

    def detect(self, text):
        merged = []
        for span in sorted(found(text)):
            if merged and span.start - merged[-1].end <= 2:
                merged[-1] = merged[-1]._replace(end=span.end)
            else:
                merged.append(span)
        return answer(merged)


class FirstMention(Correct):
    def detect(self, text):
        values = {text[span.start : span.end]: span for span in reversed(found(text))}
        return answer(values.values())


class Unpicklable(Correct):
    """Holds a lock and a function without a name; field fault BI-083."""

    def __init__(self):
        self.lock = threading.Lock()
        self.key = lambda text: text


class OtherFingerprint(Correct):
    def fingerprint(self):
        return "sha256:" + hashlib.sha256(str(os.getpid()).encode()).hexdigest()


class ChangingFingerprint(Correct):
    def __init__(self):
        self.calls = 0

    def detect(self, text):
        self.calls += 1
        return super().detect(text)

    def fingerprint(self):
        return "sha256:" + hashlib.sha256(str(self.calls).encode()).hexdigest()


class ClipsAtTheEnd(Correct):
    def detect(self, text):
        return answer([span._replace(end=min(span.end, len(text) - 1)) for span in found(text)])


class OutOfRange(Correct):
    """Answers short texts with a span beyond their end, besides; field fault BI-081."""

    def detect(self, text):
        extra = [Span(0, 500, "PERSON")] if 0 < len(text) < 500 and text.strip() else []
        return answer([*found(text), *extra])


class FloatOffsets(Correct):
    def detect(self, text):
        spans = [*found(text), Span(1.0, 2.0, "PERSON")] if text.strip() else []
        return answer(spans)


class NoDetection(Correct):
    def detect(self, text):
        return list(found(text))


class TuplesForSpans(Correct):
    def detect(self, text):
        return Detection(tuple(tuple(span) for span in found(text)))


class NoCollection(Correct):
    def detect(self, text):  # noqa: ARG002  # whatever it is
        return Detection(5)


class BrokenProperty(Correct):
    @property
    def detect_batch(self):
        raise RuntimeError(IDENTIFIERS[0][1])


class SpanOnBlanks(Correct):
    def detect(self, text):
        return answer(found(text) if text.strip() else [Span(0, 1, "EMAIL")] if text else [])


class FindsNothing(Correct):
    def detect(self, text):
        return answer(found(text[:0]))


class SharesABuffer(Correct):
    """Keeps the text of the call on itself though it claims to be thread-safe."""

    def detect(self, text):
        self.text = text
        time.sleep(0.0002)
        return super().detect(self.text)


class Unprotected(Correct):
    def detect(self, text):
        detection = super().detect(text)
        return detection._replace(protection=tuple((start + 1, end) for start, end in detection.protection))


class FindsEnds(Correct):
    """Answers the first and the last three code points of each identifier."""

    def detect(self, text):
        spans = found(text)
        return answer(
            [span._replace(end=span.start + 3) for span in spans]
            + [span._replace(start=span.end - 3) for span in spans]
        )


class FindsHalves(Correct):
    def detect(self, text):
        spans = [(span, (span.start + span.end) // 2) for span in found(text)]
        return answer(
            [span._replace(end=middle) for span, middle in spans]
            + [span._replace(start=middle) for span, middle in spans]
        )


class TwentySpans(Correct):
    def detect(self, text):
        return answer(sorted(found(text))[:20])


class TokenWindows(Correct):
    """Reads so many tokens at a time, and loses what stands across two windows."""

    token, size = re.compile(r"\w+|[^\w\s]"), 512

    def detect(self, text):
        seams = [match.start() for match in self.token.finditer(text)][self.size :: self.size]
        spans = []
        for start, end in pairwise([0, *seams, len(text)]):
            spans += moved(found(text[start:end]), lambda offset, start=start: offset + start)
        return answer(spans)


class WordWindows(TokenWindows):
    token = re.compile(r"\S+")


class WideWindows(TokenWindows):
    size = 1_000


class WideWordWindows(WordWindows):
    size = 1_000


class CandidatesInBytes(Correct):
    def detect(self, text):
        spans = found(text)
        return answer(spans)._replace(candidates=tuple(moved(spans, lambda at: len(text[:at].encode()))))


class ProtectionWideInBytes(Correct):
    """Begins each protection range where it should, and ends it in bytes."""

    def detect(self, text):
        spans = found(text)
        ranges = tuple((span.start, len(text[: span.end].encode())) for span in spans)
        return answer(spans)._replace(protection=ranges)


class KeepsValues(Correct):
    """Keeps each value it meets, once."""

    def __init__(self):
        self.values = {}

    def detect(self, text):
        detection = super().detect(text)
        for span in detection.selected:
            self.values[text[span.start : span.end]] = text
        return detection


class BatchGrows(Correct):
    def __init__(self):
        self.seen = []

    def detect_batch(self, texts):
        self.seen.extend(texts)
        return super().detect_batch(texts)


class BatchConnects(Correct):
    def detect_batch(self, texts):
        with contextlib.suppress(OSError):
            socket.getaddrinfo("localhost", 80)
        return super().detect_batch(texts)


class BatchRaisesText(Correct):
    def detect_batch(self, texts):
        if any(len(text) > 5_000 for text in texts):
            raise ValueError("bad batch: " + texts[0])
        return super().detect_batch(texts)


class BatchTruncates(Correct):
    """Answers the first 16 texts of a batch."""

    batch_size = 32

    def detect_batch(self, texts):
        return [self.detect(text if number < 16 else "") for number, text in enumerate(texts)]


class RaisesBase64(Correct):
    def detect(self, text):
        if len(text) > 5_000:
            raise ValueError(base64.b64encode(text.encode()).decode())
        return super().detect(text)


class RaisesPrefix(Correct):
    def detect(self, text):
        if len(text) > 5_000:
            raise ValueError("cannot read " + text[:20])
        return super().detect(text)


class PrintsBytesToAKeptStream(Correct):
    def detect(self, text):
        _KEPT.buffer.write(text.encode("utf-8", "replace"))
        return super().detect(text)
