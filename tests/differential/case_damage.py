"""Random ways to damage the rows of a suite, each a small change of decoded rows in place."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from bank_damage import patterns_of
from generated_suite import Document, Suite, occurrence

if TYPE_CHECKING:
    import random


def _row(suite: Suite, rng: random.Random) -> tuple[Document, Document]:
    row = rng.choice(suite.positives)
    return row, rng.choice(row["expected"])


def _take_ids(suite: Suite, one: Document, ids: tuple[str, str, str]) -> None:
    one.update(occurrence(suite.bank, ids, one["string"], one["start"]))


def _ids(one: Document) -> tuple[str, str, str]:
    return one["entity_id"], one["name_id"], one["pattern_id"]


def _active(suite: Suite) -> list[tuple[str, str, str]]:
    return [ids for ids, _ in patterns_of(suite.bank)]


def other_pattern_of_the_name(suite: Suite, rng: random.Random) -> None:
    """Expect another pattern of the same name: detected, but by the wrong pattern."""
    for _ in range(5):
        _, one = _row(suite, rng)
        _take_ids(suite, one, rng.choice([ids for ids in _active(suite) if ids[:2] == _ids(one)[:2]]))


def other_name_at_the_span(suite: Suite, rng: random.Random) -> None:
    """Expect another name of the same entity: a wrong canonical."""
    for _ in range(5):
        _, one = _row(suite, rng)
        _take_ids(suite, one, rng.choice([ids for ids in _active(suite) if ids[0] == one["entity_id"]]))


def other_entity_at_the_span(suite: Suite, rng: random.Random) -> None:
    """Expect some pattern of any entity."""
    _, one = _row(suite, rng)
    _take_ids(suite, one, rng.choice(_active(suite)))


def other_name_beside_the_right_one(suite: Suite, rng: random.Random) -> None:
    """Expect another name too: the right one's match is reserved and does not serve as a rival."""
    for _ in range(5):
        row, one = _row(suite, rng)
        ids = rng.choice([ids for ids in _active(suite) if ids[0] == one["entity_id"]])
        extra = occurrence(suite.bank, ids, one["string"], one["start"])
        if extra not in row["expected"]:
            row["expected"].insert(rng.randint(0, 1), extra)


def shift_span(suite: Suite, rng: random.Random) -> None:
    """Move start or end by a code point and keep the string consistent."""
    for _ in range(5):
        row, one = _row(suite, rng)
        text = row["text"]
        start = len(text.encode()[: one["start"]].decode()) + rng.choice([-1, 0, 1])
        end = len(text.encode()[: one["end"]].decode()) + rng.choice([-1, 0, 1])
        if 0 <= start < end <= len(text):
            one.update(string=text[start:end], start=len(text[:start].encode()), end=len(text[:end].encode()))


def edit_text_before(suite: Suite, rng: random.Random) -> None:
    """Put characters in front of a text and move the spans along."""
    row, _ = _row(suite, rng)
    front = rng.choice(["é", "\U0001f600", "a", "Fenwick ", "x_", "\u0301", " "])
    row["text"] = front + row["text"]
    for one in row["expected"]:
        one["start"] += len(front.encode())
        one["end"] += len(front.encode())


def edit_text_around(suite: Suite, rng: random.Random) -> None:
    """Put a character right before or behind an occurrence: a boundary may go."""
    for _ in range(5):
        row, one = _row(suite, rng)
        at = rng.choice([one["start"], one["end"]])
        put = rng.choice(["s", "_", "9", "-", "\u0301", "\u200d", "é"]).encode()
        payload = row["text"].encode()
        row["text"] = (payload[:at] + put + payload[at:]).decode()
        for other in row["expected"]:
            other["start"] += len(put) * (other["start"] >= at)
            other["end"] += len(put) * (other["end"] > at)


def edit_text_inside(suite: Suite, rng: random.Random) -> None:
    """Change the case, or the white space, of the one string of a row, consistently."""
    rows = [row for row in suite.positives if len(row["expected"]) == 1]
    for row in rng.sample(rows, min(5, len(rows))):
        one = row["expected"][0]
        changed = rng.choice(
            [str.lower, str.swapcase, lambda text: text.replace(" ", "  "), lambda text: f"{text}e"]
        )
        string = changed(one["string"])
        payload = row["text"].encode()
        row["text"] = (payload[: one["start"]] + string.encode() + payload[one["end"] :]).decode()
        one.update(string=string, end=one["start"] + len(string.encode()))


def edit_text_alone(suite: Suite, rng: random.Random) -> None:
    """Change a text and leave the spans: refused wherever that moves a string."""
    row, _ = _row(suite, rng)
    at = rng.randint(0, len(row["text"]))
    row["text"] = row["text"][:at] + "é" + row["text"][at:]


def repeat_occurrence(suite: Suite, rng: random.Random) -> None:
    """Expect the same twice."""
    row, one = _row(suite, rng)
    row["expected"].append(copy.deepcopy(one))


def drop_cases(suite: Suite, rng: random.Random) -> None:
    """Drop the cases of a few patterns: support is incomplete."""
    chosen = set(rng.sample(_active(suite), 3))
    suite.positives[:] = [
        row for row in suite.positives if not chosen & {_ids(one) for one in row["expected"]}
    ]


def drop_all(suite: Suite, rng: random.Random) -> None:
    """Empty one of the two artifacts: nothing is evaluated."""
    rng.choice([suite.positives, suite.negatives]).clear()


def hit_negative(suite: Suite, rng: random.Random) -> None:
    """Put strings of positive cases into negative texts."""
    for row in rng.sample(suite.negatives, 4):
        strings = [_row(suite, rng)[1]["string"] for _ in range(rng.randint(1, 2))]
        row["text"] = rng.choice(["{} {}", "{}\n<b>{}</b>", "x{} {}"]).format(row["text"], " ".join(strings))


def break_row(suite: Suite, rng: random.Random) -> None:
    """Break a rule of the contract in one row."""
    row, one = _row(suite, rng)
    other = rng.choice(suite.negatives)
    payload = row["text"].encode()
    row_end, tail = len(payload), payload[one["start"] :].decode()
    breaks = [
        lambda: row.update(case_id=other["case_id"]),
        lambda: row.update(case_id="a b"),
        lambda: row.update(tags=[*row["tags"], "negative"]),
        lambda: row.update(tags=["colour"]),
        lambda: row.update(tags=[]),
        lambda: row.update(text=""),
        lambda: row.update(note="x"),
        lambda: row.update(expected=[]),
        lambda: row.update(schema_version="nerb.enron_conformance_positive_case.v1"),
        lambda: other.update(tags=["boundary"]),
        lambda: other.update(reason_code="a b"),
        lambda: other.update(reason_code="x" * 129),
        lambda: one.update(canonical_name=one["canonical_name"] + "."),
        lambda: one.update(pattern_kind="regex" if one["pattern_kind"] == "literal" else "literal"),
        lambda: one.update(string=one["string"] + "."),
        lambda: one.update(start=True),
        lambda: one.update(end=float(one["end"])),
        lambda: one.update(start=one["end"]),
        lambda: one.update(start=-1),
        lambda: one.update(end=len(row["text"].encode()) + 1),
        lambda: one.update(end=row_end + 1, string=tail),
        lambda: one.update(pattern_id="nobody"),
        lambda: one.pop("pattern_kind"),
    ]
    rng.choice(breaks)()


DAMAGES = (
    other_pattern_of_the_name,
    other_name_at_the_span,
    other_entity_at_the_span,
    other_name_beside_the_right_one,
    shift_span,
    edit_text_before,
    edit_text_around,
    edit_text_inside,
    edit_text_alone,
    repeat_occurrence,
    drop_cases,
    drop_all,
    hit_negative,
    break_row,
)
