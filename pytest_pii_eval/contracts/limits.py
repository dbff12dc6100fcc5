"""Gates as asked for: a metric, a direction and a limit in exact decimal text, or the word open."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Literal, NamedTuple

from pytest_pii_eval.contracts.faults import Fault

Direction = Literal["min", "max"]
"""`min`: the metric must be the limit or more. `max`: the limit or less."""

EVERY_SLICE = "*"

MINIMUM_DOCUMENTS = 100
"""Documents that a run needs to be an evaluation, where the freezes file does not say."""

ABSENT = "corpus_absent"
"""The reason code of a corpus that is not prepared on this machine."""

_DECIMAL = re.compile(r"[0-9]{1,18}(\.[0-9]{1,18})?", re.ASCII)


class GateRule(NamedTuple):
    """One gate as asked for: `slice` is an id or `*`, `type` is None for all types together.

    `limit` is exact, None for `open`. A `strict` gate that cannot be evaluated fails.
    """

    id: str
    slice: str
    metric: str
    type: str | None
    direction: Direction
    limit: Fraction | None
    strict: bool = False


def parse_limit(text: str) -> Fraction | None:
    """Return the limit that decimal `text` names, exactly; `None` for `open`. Else raise `Fault`.

    A limit is written in plain digits, `0`, `3` or `0.95`: without sign, exponent or white space.
    """
    if text == "open":
        return None
    if not _DECIMAL.fullmatch(text):
        raise Fault("a limit is a plain decimal number such as 0.95, or the word open")
    return Fraction(text)
