"""What the plugin costs a run that uses none of our files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench import targets
from bench.commands import pytest
from bench.costs import in_turns, run
from bench.rows import Check, Row, row

if TYPE_CHECKING:
    from bench.plan import Plan

_TURNS = 10


def measure(plan: Plan) -> list[Row]:
    """Return a row without and one with the plugin; they differ by little, so turns are many."""
    folder = plan.new_folder("start-up")
    (folder / "test_nothing.py").write_text("def test_nothing():\n    pass\n", encoding="utf-8")
    commands = {
        "pytest without the plugin": pytest(folder, "-p", "no:pii_eval", "test_nothing.py"),
        "pytest with the plugin": pytest(folder, "test_nothing.py"),
    }
    for command in commands.values():
        run(command)
    found = in_turns(commands, _TURNS * (1 if plan.quick else plan.rounds))
    without, with_plugin = found.values()
    added = Check("ms of CPU added", 1000 * (with_plugin.cpu - without.cpu), most=targets.START_UP_MS)
    work, (first, second) = "one empty Python test", commands
    return [row((work, first), without), row((work, second), with_plugin, added)]
