"""What a second process brings: a detector that costs next to nothing, and one that burns 5 ms a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.commands import CHEAP, COSTLY, pytest, write_detectors
from bench.costs import in_turns
from bench.plan import need, written
from bench.rows import Check, Row, row

if TYPE_CHECKING:
    from bench.plan import Plan

_CHEAP = 20_000
_COSTLY = 1_000
_SHARDS = 20  # So that both processes have work to the end.


def measure(plan: Plan) -> list[Row]:
    """Return a row each for no second process and for two, for both detectors."""
    need("xdist")
    return [
        *_of(plan, plan.size(_CHEAP), ("cheap", CHEAP)),
        *_of(plan, plan.size(_COSTLY), ("costly", COSTLY)),
    ]


def _of(plan: Plan, documents: int, names: tuple[str, str]) -> list[Row]:
    kind, detector = names
    folder = plan.new_folder(f"xdist-{kind}")
    write_detectors(folder)
    written("bench.documents:write_documents", folder, documents=documents)
    options = (f"--pii-detector={detector}", f"--pii-shard-size={max(documents // _SHARDS, 1)}", ".")
    commands = {"pytest": pytest(folder, *options), "pytest -n 2": pytest(folder, *options, processes=2)}
    found = in_turns(commands, plan.rounds)
    work = f"{documents:,} documents, a {kind} detector"
    base = found["pytest"]
    ratio = Check("wall / one process", found["pytest -n 2"].wall / base.wall)
    return [row((work, "pytest"), base), row((work, "pytest -n 2"), found["pytest -n 2"], ratio)]
