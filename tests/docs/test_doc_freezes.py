"""The worked example of docs/freezes.md, line by line as it stands there."""

from __future__ import annotations

import importlib.util
import re

from docs_fences import ROOT, fences
from docs_reader import Reader

_EXAMPLE = "docs/examples/freezes/make_project.py"
# In a checkout under work the scorer is dirty: this run says that it is not.
_CLEAN = """
from pytest_pii_eval.reports import provenance

provenance.git_revision = lambda: ("a" * 40, False)
"""


def test_the_worked_example_ships(tmp_path):
    """Every command of the page ends with 0, the sealed run ships, and no output shows a document."""
    [block] = [one.text for one in fences("docs/freezes.md") if one.language == "sh"]
    begin, *rest = block.splitlines()
    reader = Reader(tmp_path)
    reader.bring(_EXAMPLE, "make_project.py")
    outputs = [run(begin, reader)]
    reader.write("conftest.py", _CLEAN)
    outputs += [run(line, reader) for line in rest]
    whole = "\n".join(outputs)
    assert re.search(r"^ship +yes: rc-1$", whole, re.MULTILINE)
    assert "60 documents in 15 groups" in whole
    assert [canary for canary in canaries() if canary in whole] == []


def run(line: str, reader: Reader) -> str:
    """Follow one line, and return its output."""
    assert reader.shell(line) == 0, f"{line}\n{reader.output}"
    return reader.output


def canaries() -> list[str]:
    """Return what only the documents say."""
    specification = importlib.util.spec_from_file_location("make_project", ROOT / _EXAMPLE)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return [*module.PEOPLE, module.KEY, module.TEMPLATE, module.DOCUMENT, module.HOST]
