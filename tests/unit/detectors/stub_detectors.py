"""Detectors that go wrong in the ways that a process of their own is for."""

from __future__ import annotations

import logging
import os
import re
import sys
import time
import warnings

from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.answers import BadAnswer
from pytest_pii_eval.detectors.bank.errors import ScanFailure

CANARY = "Ada-Lovelace"


def find(text):
    """Find numbers, unless the text asks for something else."""
    odd = ODD.get(text.partition(" ")[0])
    return odd(text) if odd else [(match.start(), match.end(), "N") for match in re.finditer("[0-9]+", text)]


find.version = "3.2"
find.label_map = "common"


def no_function(text, other):
    """Take more than a text: no detector, and no factory without options."""


def _sleep(_):
    time.sleep(1000)


def _loop(_):
    while True:
        pass


def _hold_the_lock(_):
    """Match for ages in C, without giving the interpreter lock to anyone."""
    re.match(r"(a+)+$", "a" * 60 + "b")


def _die(_):
    os.abort()


def _leave(_):
    sys.exit(CANARY)


def _fail(text):
    raise ValueError(text)


def _fail_by_rule(_):
    raise BadAnswer("the rule of a bad answer")


def _fail_by_reason(_):
    raise ScanFailure("match_limit", "3 matches a document")


def _no_spans(_):
    return 7


def _noise(text):
    sys.stdout.write(text)
    sys.stderr.write(text)
    os.write(1, text.encode())
    os.write(2, text.encode())
    logging.getLogger().error(text)
    warnings.warn(text, stacklevel=1)
    os.system(f"echo '{text}'; echo '{text}' >&2; cat")  # noqa: S605  # a subprocess makes noise and reads
    return [(0, 1, sys.stdin.read() or "QUIET")]


ODD = {
    "sleep": _sleep,
    "loop": _loop,
    "lock": _hold_the_lock,
    "die": _die,
    "leave": _leave,
    "fail": _fail,
    "rule": _fail_by_rule,
    "limit": _fail_by_reason,
    "none": _no_spans,
    "noise": _noise,
}


class Whole:
    """A detector with all that the protocol knows; it takes its time to start."""

    name = "whole"
    version = "4"
    offset_unit = "utf16"
    identities = True
    label_map = "presidio"

    def __init__(self, label, start="0", closed=None):
        time.sleep(float(start))
        self.label = label
        self.closed = closed

    def libraries(self):
        """Name one package."""
        return {"stub": "1.0"}

    def fingerprint(self):
        """Be the same everywhere."""
        return "sha256:" + "cd" * 32

    def detect(self, text):
        """Find all of the text, in every stage; or sleep."""
        if text == "sleep":
            _sleep(text)
        span = Span(0, len(text), self.label, 0.5, ("e", "n", "p"))
        return Detection((span,), (span, span), ((0, 1),), partial=True)

    def close(self):
        """Leave a file behind."""
        if self.closed:
            with open(self.closed, "x"):  # noqa: PTH123  # shortest
                pass


class Unready:
    """A detector that raises, with text, when it is built."""

    def __init__(self):
        raise RuntimeError(CANARY)


class Leaving:
    """A detector that ends its process when it is built."""

    def __init__(self):
        sys.exit(0)


class Aborting:
    """A detector that kills its process when it is built."""

    def __init__(self):
        os.abort()


class Wordless(Whole):
    """A detector that cannot say what it is."""

    def __init__(self):
        super().__init__("A")

    def fingerprint(self):
        """Fail, with text."""
        raise RuntimeError(CANARY)


class Unpicklable(Whole):
    """A detector that holds what does not pickle."""

    def __init__(self):
        super().__init__("A")
        self.function = lambda: None


class Unloadable(Whole):
    """A detector that pickles, and raises when it is loaded."""

    def __init__(self):
        super().__init__("A")

    def __setstate__(self, state):
        raise RuntimeError(CANARY)
