"""Small detectors for the small quality suite, as the source of modules that a run imports by name.

`FIND` finds what the small bank finds: addresses, and the canary's name; so its figures are those of
quality_suite.py, without identities.
"""

from __future__ import annotations

from conftest import NAME

FIND = f"""
import re

PATTERNS = (("email", re.compile(r"[a-z]+@[a-z]+\\.example")), ("person", re.compile("{NAME}")))

def find(text):
    for label, pattern in PATTERNS:
        for match in pattern.finditer(text):
            yield match.start(), match.end(), label
"""

# A class with every optional part, in bytes, that writes down how it is used.
FULL = (
    FIND
    + """
import os
from pytest_pii_eval import Detection, Span

def note(word):
    # One write of a short line: lines of two workers never mix.
    descriptor = os.open("notes.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(descriptor, f"{word} {os.getpid()}\\n".encode())
    os.close(descriptor)

class Full:
    name, version, offset_unit, batch_size = "full", "2", "byte", 2

    def __init__(self, size="0"):
        note("built")
        self.size = int(size)

    def detect(self, text):
        note("single")
        return self._detect(text)

    def detect_batch(self, texts):
        note(f"batch-of-{len(texts)}")
        return [self._detect(text) for text in texts]

    def _detect(self, text):
        def place(point):
            return len(text[:point].encode())
        spans = tuple(Span(place(a), place(b), label, 0.5) for a, b, label in find(text))
        return Detection(spans, None, tuple(span[:2] for span in spans))

    def fingerprint(self):
        return "sha256:" + "7" * 64

    def libraries(self):
        return {"somelib": "1.5"}

    def close(self):
        note("closed")
"""
)


def raising(source: str) -> str:
    """Return `FIND` whose function runs `source` on the text of the meeting first."""
    body = "\n".join(f"        {line}" for line in source.splitlines())
    return FIND.replace("def find(text):", f'def find(text):\n    if " met " in text:\n{body}', 1)
