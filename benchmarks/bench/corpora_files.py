"""Generated corpus files of several formats, and the adapters that read them; nothing is timed here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.texts import seeded

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

_POOL = 2_000
_LABELS = ["first_name", "last_name", "user_name", "email", "street_address", "date_of_birth", "url", "pin"]
_WORDS = "please send the draft before noon and ask about it with thanks".split()  # noqa: SIM905  # shorter to read
_ACCENTED = [*_WORDS, "naïve", "Zürich", "résumé", "“draft”", "—"]
_SURFACES = (
    "Tamsin",
    "Orlowe",
    "O'Nowhere",
    "t.orlowe@example.org",
    "12 Nowhere Lane",
    "2024-02-30",
    41_017_233,
)


class Workload(NamedTuple):
    """A corpus file: who writes it, and the adapter that reads it."""

    file: str
    write: Callable[[Path, Iterator[dict[str, Any]]], None]
    adapter: str
    options: Mapping[str, str]
    spans: int = 8
    stretch: int = 240


def rows(number: int, workload: Workload) -> Iterator[dict[str, Any]]:
    """Yield generated rows, half of them in ASCII alone; no two have the same text."""
    dice = seeded()
    pool = [_row(dice, _WORDS if at % 2 else _ACCENTED, workload) for at in range(min(_POOL, number))]
    for at in range(number):
        text, spans = pool[at % len(pool)]
        names = {"uid": f"{at // 2:08x}", "locale": ("us", "intl")[at % 2]}
        yield {**names, "text": f"{text}{at}", "spans": spans}


def _row(dice: random.Random, words: list[str], workload: Workload) -> tuple[str, list[dict[str, Any]]]:
    text, spans = "", []
    for at in range(workload.spans):
        text += " ".join(dice.choices(words, k=workload.stretch // 6)) + " "
        surface = dice.choices(_SURFACES, [8, 8, 1, 8, 8, 8, 3])[0]
        end = len(text) + len(str(surface))
        spans.append({"start": len(text), "end": end, "text": surface, "label": _LABELS[at]})
        text += f"{surface} "
    return text, spans


def _parquet(path: Path, generated: Iterator[dict[str, Any]]) -> None:
    import pyarrow as pa  # noqa: PLC0415  # only the process that writes needs it
    import pyarrow.parquet as pq  # noqa: PLC0415  # the same

    table = pa.Table.from_pylist([row | {"spans": repr(row["spans"])} for row in generated])
    pq.write_table(table, path, row_group_size=len(table))


def _lines(path: Path, generated: Iterator[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as handle:
        handle.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in generated)


def _array(path: Path, generated: Iterator[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as handle:
        for at, row in enumerate(generated):
            handle.write(("," if at else "[") + json.dumps(_task(at, row), ensure_ascii=False))
        handle.write("]")


def _task(at: int, row: dict[str, Any]) -> dict[str, Any]:
    values = [
        {"start": one["start"], "end": one["end"], "text": str(one["text"]), "labels": [one["label"]]}
        for one in row["spans"]
    ]
    result = [{"id": "r", "from_name": "l", "to_name": "t", "type": "labels", "value": one} for one in values]
    return {"id": at, "data": {"text": row["text"]}, "annotations": [{"completed_by": 1, "result": result}]}


_IDS = {"document_id": "uid+locale", "value": "text"}
WORKLOADS = {
    "Parquet, spans as Python repr, one row group": Workload("a.parquet", _parquet, "spans", _IDS),
    "JSON Lines, spans as lists": Workload("a.jsonl", _lines, "spans", _IDS),
    "JSON Lines, short rows": Workload("a.jsonl", _lines, "spans", _IDS, spans=3, stretch=90),
    "one JSON array of Label Studio tasks": Workload("a.json", _array, "label-studio", {}),
}
