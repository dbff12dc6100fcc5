"""The documents that scorers get: gold spans and what was found, most of it right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench.texts import seeded

if TYPE_CHECKING:
    import random

    from pytest_pii_eval.scoring.documents import Document

TYPES = ("person", "email", "phone", "iban", "payment", "secret", "gov_id", "address", "org", "date")
_NAMED = 0.5


def generate(number: int, *, outputs: bool = False) -> list[Document]:
    """Return documents of about 200 characters with four fifths of their gold spans found exactly.

    Spans are apart, so that every scorer measures the same thing. With `outputs` each document also has
    candidates and protection ranges that differ from its selected spans.
    """
    dice = seeded()
    return [_document(dice, outputs=outputs) for _ in range(number)]


def _document(dice: random.Random, *, outputs: bool) -> Document:
    from pytest_pii_eval.contracts.spans import Detection, GoldSpan, Span  # noqa: PLC0415  # the runner must stay small
    from pytest_pii_eval.scoring.documents import Document  # noqa: PLC0415  # the same

    gold: list[GoldSpan] = []
    found: list[Span] = []
    position = 0
    for _ in range(4):
        start = position + dice.randint(10, 55)
        end = position = start + dice.randint(5, 20)
        type_ = dice.choice(TYPES)
        identity = (type_, f"n{dice.randrange(100)}", "p") if dice.random() < _NAMED else None
        gold.append(GoldSpan(start, end, type_, identity))
        found.append(Span(*_placed(dice, gold[-1]), 0.9, identity))
    selected = tuple(found)
    if not outputs:
        return Document(position + 10, tuple(gold), Detection(selected))
    candidates = (*selected, Span(0, 3, "org"))
    protection = tuple((span.start, span.end + 1) for span in selected)
    return Document(position + 10, tuple(gold), Detection(selected, candidates, protection))


def _placed(dice: random.Random, gold: Any) -> tuple[int, int, str]:
    start, end, type_, _, _ = gold
    choices = [
        (start, end, type_),
        (start + 1, end + 1, type_),
        (start, end, dice.choice(TYPES)),
        (end + 2, end + 6, type_),
    ]
    return dice.choices(choices, [80, 8, 6, 6])[0]
