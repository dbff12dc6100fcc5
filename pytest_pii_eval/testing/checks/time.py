"""The rule about time: every document is answered within the limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.testing.drafts import Drafts, filler, length_for
from pytest_pii_eval.testing.examination import Broken, Inapplicable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_pii_eval.testing.examination import Examination

_REPEATED = ("1.1.1.", "a@", "a.", "0 ", "(", "+1-", "x" * 63 + ".", "-", "\n", "<a ")


def in_time(examination: Examination) -> None:
    """Short, long and repetitive documents are all answered within `time_limit`.

    The first that is not ends the examination: its call cannot be stopped, so the detector is not asked
    again.
    """
    asker = examination.asker
    if asker.limit is None:
        raise Inapplicable("the contract of this detector sets no time limit")
    late = asker.late_length
    for text in _texts(examination) if late is None else ():
        if asker.detect(text).late:
            late = asker.late_length = len(text)
            break
    if late is not None:
        raise Broken(f"no answer in {asker.limit:g} s for a document of {late:,} code points")


def _texts(examination: Examination) -> Iterator[str]:
    drafts, depth = Drafts(21), examination.limits.depth
    for identifier in examination.identifiers:
        yield drafts.around(identifier).text
    for length in (1_000, 4_000, depth, depth + 2_000):
        yield filler(length_for(21, length))
    for piece in _REPEATED:
        yield drafts.around(examination.identifiers[0], (piece * depth)[:depth]).text
