"""The worked example of docs/freezes.md, line by line as it stands there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from freeze_project import CANARIES, EXAMPLE, SCORER, clean_environment

PAGE = EXAMPLE.parents[2] / "freezes.md"


def commands() -> list[str]:
    """Return the lines of the worked example."""
    block = re.search(r"```sh worked-example\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    return block[1].splitlines()


def test_the_worked_example_ships(tmp_path):
    """Every command of the page ends with 0, the sealed run ships, and no output shows a document."""
    (tmp_path / "make_project.py").write_bytes(EXAMPLE.read_bytes())
    first, *rest = commands()
    outputs = [run(first, tmp_path)]
    project = tmp_path / "try" / "project"
    (project / "conftest.py").write_text(SCORER, encoding="utf-8")
    outputs += [run(line, project) for line in rest]
    whole = "\n".join(outputs)
    assert re.search(r"^ship +yes: rc-1$", whole, re.MULTILINE)
    assert "60 documents in 15 groups" in whole
    assert not [canary for canary in CANARIES if canary in whole]


def run(line: str, folder: Path) -> str:
    """Run one line in a shell, with the commands of this environment; return both outputs."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    who = {"GIT_AUTHOR_NAME": "Some Body", "GIT_AUTHOR_EMAIL": "some@body.example"}
    who |= {name.replace("AUTHOR", "COMMITTER"): value for name, value in who.items()}
    finished = subprocess.run(
        ["bash", "-euc", line],  # noqa: S607  # the shell of the page's reader
        cwd=folder,
        env={**clean_environment(), **who, "PATH": path, "PYTEST_ADDOPTS": "-p no:randomly"},
        capture_output=True,
        check=False,
        text=True,
    )
    output = finished.stdout + finished.stderr
    assert finished.returncode == 0, f"{line}\n{output}"
    return output
