"""Whole quality runs on short documents with the shipped bank, beside nerb on the same files.

Both must count the same documents, matches, false alarms and misses in each slice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.agreeing import agree, quality_counts
from bench.commands import nerb_quality, pytest, report_of
from bench.costs import Command, in_turns
from bench.plan import need, written
from bench.rows import Check, Row, row

if TYPE_CHECKING:
    from bench.plan import Plan

_FEW = 25  # nerb wants five in each slice.
_MANY = 4_000


def measure(plan: Plan) -> list[Row]:
    """Return a row each; start-up and compiling, told by a run of 25 documents, are taken off a document."""
    need("nerb")
    documents = plan.size(_MANY)
    commands: dict[str, Command] = {}
    for size in (_FEW, documents):
        folder = plan.new_folder(f"quality-{size}")
        written("bench.documents:write_documents", folder, documents=size)
        commands[f"nerb {size}"] = nerb_quality(folder, report_of("nerb"))
        report = f"--pii-report={report_of('pytest')}"
        commands[f"pytest {size}"] = pytest(folder, "--pii-bank=bank.json", report, ".")
    found = in_turns(commands, plan.rounds)
    folder = commands[f"nerb {documents}"].folder
    agree("quality", {who: quality_counts(folder / report_of(who)) for who in ("nerb", "pytest")})
    work = f"{documents:,} short documents, the shipped bank"
    rows = []
    for name in ("nerb", "pytest"):
        less, cost = found[f"{name} {_FEW}"], found[f"{name} {documents}"]
        each = 1e6 * (cost.cpu - less.cpu) / (documents - _FEW)
        checks = [Check("µs of CPU a document", each)]
        if name != "nerb":
            checks += [Check("wall / nerb", cost.wall / found[f"nerb {documents}"].wall)]
        rows.append(row((work, name), cost, *checks, peer=name == "nerb"))
    return rows
