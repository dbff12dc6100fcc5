"""The rule about state: many texts leave nothing behind."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from contextlib import contextmanager, suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pytest_pii_eval.testing.asking import unheard
from pytest_pii_eval.testing.drafts import filler, length_for, renumbered, shuffled_words
from pytest_pii_eval.testing.examination import Broken

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pii_eval.testing.examination import Examination

_ROUNDS = 4
_SLACK = 4_096
"""Bytes that a round may leave for other reasons: free lists of Python itself, other threads."""
_GROWTH = 22  # the number of this test
_BATCH = 4
_VALUES = 4


def growth(examination: Examination) -> None:
    """Many texts later the process holds no more Python objects than before.

    Counted are the bytes that Python allocated, in rounds of equal work; caches that fill up once are in the
    smallest round only if they never do. The texts are made of the same words and are of equal length, but
    each has values of its own: identifiers with other letters or digits. Batches are asked too.
    """
    calls, limit = examination.limits.repetitions, examination.limits.growth_limit
    values = [identifier.value for identifier in examination.identifiers]
    with unheard():
        reply = examination.asker.reply(
            lambda: _grown(examination.detector, values, calls), documents=2 * calls * (_ROUNDS + 1)
        )
    if reply.late:
        raise Broken(f"no answers in time to {calls * (_ROUNDS + 1)} texts")
    if reply.error is not None:
        raise reply.error
    smallest = min(reply.value)
    if smallest > limit * calls + _SLACK:
        raise Broken(
            f"state grows with every document: {smallest // calls:,} bytes a call in the best of "
            f"{_ROUNDS} rounds of {calls} calls; the limit is {limit}"
        )


def _grown(detector: Any, values: Sequence[str], calls: int) -> list[int]:
    """Return how many bytes more are held after each round, but for the first, which warms up."""
    rounds = [range(number * calls, (number + 1) * calls) for number in range(_ROUNDS + 1)]
    with _traced():
        held = [_held_after(detector, values, rounds[0])]
        with _frozen():
            held += [_held_after(detector, values, numbers) for numbers in rounds[1:]]
    return [after - before for before, after in pairwise(held)]


@contextmanager
def _traced() -> Iterator[None]:
    """Count what is allocated within; whoever traced before goes on."""
    was_tracing = tracemalloc.is_tracing()
    if not was_tracing:
        tracemalloc.start()
    try:
        yield
    finally:
        if not was_tracing:
            tracemalloc.stop()


@contextmanager
def _frozen() -> Iterator[None]:
    """Spare the garbage collector what was there before: it is much, and looked through once a round."""
    is_ours = gc.get_freeze_count() == 0
    if is_ours:
        gc.freeze()
    try:
        yield
    finally:
        if is_ours:
            gc.unfreeze()


def _held_after(detector: Any, values: Sequence[str], numbers: range) -> int:
    detect_batch = getattr(detector, "detect_batch", None)
    texts = list[str]()
    for number in numbers:
        text = _text(values, number)
        with suppress(Exception):  # other tests tell
            detector.detect(text)
        texts.append(text)
        if detect_batch is not None and (len(texts) == _BATCH or number == numbers[-1]):
            with suppress(Exception):
                list(detect_batch(texts))
            texts = []
    text, texts = "", []
    _flush()
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def _flush() -> None:
    """What is printed is dropped here, but a stream keeps some of it until it is flushed."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def _text(values: Sequence[str], number: int) -> str:
    """Return a text that no other number has, with values that no other has, and the first as it is."""
    mine = " ".join([values[0], *(renumbered(value, number) for value in values[:_VALUES])])
    text = f"{filler(250, first=13)} {shuffled_words(number)} {mine} "
    return text + filler(length_for(_GROWTH, len(text) + 250) - len(text), first=31)
