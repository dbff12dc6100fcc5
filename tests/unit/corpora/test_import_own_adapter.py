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


@pytest.fixture
def stranger(desk, monkeypatch):
    """Import with a module of the given source, and return the status and what was written."""

    def run(source, capfd):
        desk.file("stranger_adapter.py", source)
        desk.file("own.txt", "x")
        monkeypatch.delitem(sys.modules, "stranger_adapter", raising=False)
        status = desk.run("stranger_adapter:Adapter", "own.txt")
        told = capfd.readouterr()
        return status, told.out + told.err

    yield run
    sys.modules.pop("stranger_adapter", None)


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


KNOWN = """\
import os, subprocess, sys, warnings
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.draft import Draft, Unfit

class Own(BaseException):
    pass

{on_import}

class Adapter:
    name, version, offset_unit, policy = "own", "1", "codepoint", "as it stands"

    def __init__(self):
        {on_call}

    def read(self, path):
        {on_read}
        yield Draft(1, "1", "Ann", ((0, 3, "person"),))
"""
RAISED = ["SystemExit(W)", "GeneratorExit(W)", "Own(W)", "Fault(W, file=W, field=W)", "OSError(5, W, W)"]
MISSING = "ModuleNotFoundError(W, name=W)"


def of_a_stranger(**what):
    places = {"on_import": "", "on_call": "pass", "on_read": "pass"} | what
    return KNOWN.format(**places).replace("W", repr(CANARY))


@pytest.mark.parametrize("place", ["on_import", "on_call", "on_read"])
@pytest.mark.parametrize("raised", [*RAISED, MISSING])
def test_whatever_a_stranger_raises_is_told_by_type_and_place(desk, stranger, capfd, place, raised):
    """An exit, an exception of no usual kind, or a fault of ours in other hands: one line, no words."""
    status, told = stranger(of_a_stranger(**{place: f"raise {raised}"}), capfd)
    kind = raised.partition("(")[0]
    assert status == 1
    assert f"{kind} in stranger_adapter.py:" in told
    assert told.count("\n") == 1
    assert not any(word in told for word in CANARY.split())
    assert nothing_is_left(desk)


@pytest.mark.parametrize("place", ["on_import", "on_call", "on_read"])
@pytest.mark.parametrize(
    "said",
    [
        "print(W, flush=True)",
        "print(W, file=sys.__stdout__)",
        "print(W, file=sys.stderr)",
        "os.write(1, W.encode())",
        "os.write(2, W.encode())",
        "warnings.warn(W)",
        "subprocess.run([sys.executable, '-c', 'print(5 * 5 * 5)'], check=True)",
    ],
)
def test_whatever_a_stranger_says_goes_nowhere(stranger, capfd, recwarn, place, said):
    """Printed, written to a descriptor, warned, or said by a process it starts."""
    status, told = stranger(of_a_stranger(**{place: said}), capfd)
    assert status == 0
    assert told.startswith("suite: 1 document, 1 span of 1 type, 0 quarantined;")
    assert told.count("\n") == 1
    assert not any(word in told for word in (*CANARY.split(), "125"))
    assert recwarn.list == []


@pytest.mark.parametrize(
    "row",
    [
        "Unfit(W, 'value_differs')",
        "Unfit(0, 'value_differs')",
        "Unfit(True, 'value_differs')",
        "Unfit(1, [W])",
        "Draft(W, '2', W, ())",
        "Draft(2.0, '2', W, ())",
        "Draft(2, 2, W, ())",
        "Draft(2, '2', W, None)",
        "Draft(2, '2', W, (), [W])",
        "Draft(2, '2', W, (), 't', [W])",
        "Draft(2, '2', W, (), 't', 'test', 5)",
        "(2, '2', W, (), None, None, ())",
        "W",
    ],
)
def test_a_row_that_is_none_is_a_breach_of_contract(desk, stranger, capfd, row):
    """Its number is printed and its ids become names, so they have to be what they are said to be."""
    status, told = stranger(of_a_stranger(on_read=f"yield {row}"), capfd)
    rule = "it yields a row that is no Draft or Unfit, or one with a field of another type"
    assert (status, told) == (1, f"the adapter own breaks its contract: {rule}\n")
    assert nothing_is_left(desk)


def test_spans_of_other_types_are_quarantined(stranger, capfd):
    """What is a number to Python and no integer of JSON is counted, not written."""
    status, told = stranger(
        of_a_stranger(
            on_read="yield Draft(2, '2', W, ((False, True, 'person'),)); "
            "yield Draft(3, '3', W, ((0, 3, ['person']),))"
        ),
        capfd,
    )
    assert status == 1
    assert "quarantined: offset_not_integer 1, spans_not_readable 1\n" in told


def test_an_interrupt_of_a_stranger_has_no_words(stranger, capfd):
    """Ctrl-C in the middle of a stranger's code ends as it does elsewhere, and the outputs are back."""
    assert stranger(of_a_stranger(on_call="raise KeyboardInterrupt(W)"), capfd) == (
        130,
        "suite: interrupted; nothing is left of it\n",
    )
