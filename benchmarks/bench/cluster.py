"""What a cluster of this machine costs beside the same run inline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.commands import CHEAP, COSTLY, pii_eval, write_detectors
from bench.costs import Broken, in_turns, run
from bench.plan import Absent, need, written
from bench.rows import Check, Row, row

if TYPE_CHECKING:
    from bench.plan import Plan

_DOCUMENTS = {"cheap": (20_000, CHEAP), "costly": (2_000, COSTLY)}
_ROUNDS = 2
_BATCHES = 20  # So that both workers have work to the end.


def measure(plan: Plan) -> list[Row]:
    """Return a row inline and with clusters of one and two workers, for a cheap and a costly detector."""
    need("distributed")
    folder = plan.new_folder("cluster-help")
    try:
        run(pii_eval(folder, "run", "--help"))
    except Broken:
        raise Absent("the command `pii-eval run` is not here") from None
    return [one for kind in _DOCUMENTS for one in _of(plan, kind)]


def _of(plan: Plan, kind: str) -> list[Row]:
    full, detector = _DOCUMENTS[kind]
    documents = plan.size(full)
    folder = plan.new_folder(f"cluster-{kind}")
    write_detectors(folder)
    written("bench.documents:write_documents", folder, documents=documents)
    size = (folder / "quality-records.jsonl").stat().st_size
    words = (f"--detector={detector}", f"--batch-bytes={size // _BATCHES + 1}", "--quiet", ".")
    commands = {"pii-eval run": pii_eval(folder, "run", *words)}
    for workers in (1, 2):
        commands[f"--cluster local:{workers}"] = pii_eval(
            folder, "run", "--cluster", f"local:{workers}", *words, several=True
        )
    found = in_turns(commands, plan.turns(_ROUNDS))
    base = found["pii-eval run"]
    work = f"{documents:,} documents, a {kind} detector"
    return [
        row((work, name), cost, *([] if cost is base else [Check("wall / inline", cost.wall / base.wall)]))
        for name, cost in found.items()
    ]
