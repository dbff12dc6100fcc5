"""`pii-eval import` with an adapter of the user's own: interrupts, failures, changes and roles."""

from __future__ import annotations

import sys

import pytest
from import_desk import CANARY, Desk

ADAPTER = """\
from pytest_pii_eval.corpora.draft import Draft

reads = 0

class Adapter:
    name, version, offset_unit, policy = "own", "1", "codepoint", "as it stands"

    def read(self, path):
        global reads
        reads += 1
        for number in range(1, 4):
            yield Draft(number, str(number), "Ann", ((0, 3, "person"),){more})
        {then}
"""


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A desk in an empty folder; what the command appends to the module path goes with the test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return Desk(tmp_path)


@pytest.fixture
def own(desk, monkeypatch):
    """Import with an adapter of the user's own: `more` goes into its drafts, `then` is its last statement."""

    def run(then="pass", more="", options=()):
        desk.file("own_adapter.py", ADAPTER.format(then=then, more=more))
        desk.file("own.txt", "x")
        monkeypatch.delitem(sys.modules, "own_adapter", raising=False)
        return desk.run("own_adapter:Adapter", "own.txt", *options)

    yield run
    sys.modules.pop("own_adapter", None)


def nothing_is_left(desk):
    """Tell whether no suite and no part of one lies in the folder."""
    return not any("suite" in name for name in desk.left())


@pytest.mark.parametrize("reads", [1, 2])
def test_an_interrupt_leaves_nothing(desk, own, capsys, reads):
    """Ctrl-C while reading or while writing ends with 130."""
    assert own(f"if reads == {reads}: raise KeyboardInterrupt") == 130
    assert capsys.readouterr().err == "suite: interrupted; nothing is left of it\n"
    assert nothing_is_left(desk)


@pytest.mark.parametrize("reads", [1, 2])
def test_an_adapter_that_fails_is_told_without_its_words(desk, own, capsys, reads):
    """A stranger's exception may hold text of a document: its type and place are told."""
    assert own(f"if reads == {reads}: raise ValueError('{CANARY}')") == 1
    told = capsys.readouterr().err
    assert told.startswith("ValueError in own_adapter.py:13; its text is withheld")
    assert CANARY not in told
    assert nothing_is_left(desk)


@pytest.mark.parametrize(
    "then",
    [
        "if reads == 2: yield Draft(4, '4', 'Eve', ((0, 3, 'person'),))",
        "if reads == 2: path.write_text('y')",
    ],
)
def test_an_input_that_changes_is_refused(desk, own, capsys, then):
    """A second reading that differs, or a file that was written to, leaves nothing."""
    assert own(then) == 1
    assert capsys.readouterr().err == (
        "the input changed while it was read, or its adapter reads it differently twice; start again\n"
    )
    assert nothing_is_left(desk)


def test_documents_of_another_role_are_left_out_and_counted(desk, own, capsys):
    """A corpus that splits gives the role that is asked for; none of it is a fault."""
    more = ", role='test' if number == 3 else 'train'"
    assert own(more=more, options=("--role=train",)) == 0
    assert "2 documents, 2 spans of 1 type, 1 document of another role left out, 0 quarantined;" in (
        capsys.readouterr().out
    )
    assert desk.receipt()["held_out"] == {"test": {"documents": 1, "spans": 1}}
    desk.out.rename(desk.folder / "first")
    assert own(more=more) == 1
    assert capsys.readouterr().err == (
        "none of 3 rows is a document of the role validation (test, train there is)\n"
    )
