"""What a stranger's adapter prints while it reads may be text, so it is dropped."""

from __future__ import annotations

import os
import sys

import pytest

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.draft import Draft
from pytest_pii_eval.corpora.finding import build_adapter
from pytest_pii_eval.corpora.hushed import quietly
from pytest_pii_eval.silence import Silence


class Loud:
    """An adapter that prints what it reads, when it is called, at each row, and at its end."""

    name, version, offset_unit, policy = "loud", "1", "codepoint", "as it stands"
    not_promotable = "made_up"
    roles = ("train",)

    def read(self, path):
        """Say what is read on both outputs, before each row and at the end."""
        for row in (1, 2):
            sys.stdout.write(f"canary text {path}")
            sys.stderr.write("canary text")
            yield Draft(row, f"d{row}", "canary text", ())
        sys.stdout.write("canary text")


def test_a_loud_adapter_is_read_in_silence(tmp_path, capfd):
    """Both drafts come, nothing is printed by the adapter, and the reader between them may print."""
    adapter = build_adapter("loud", {}, lambda _: Loud)
    for draft in adapter.read(tmp_path):
        sys.stdout.write(f"{draft.row}\n")
    assert capfd.readouterr() == ("1\n2\n", "")
    assert (adapter.name, adapter.not_promotable, adapter.roles) == ("loud", "made_up", ("train",))
    assert not hasattr(adapter, "keeps_labels_apart")


class Ending(Loud):
    """An adapter that says at its end what it was about."""

    def read(self, path):
        """Fail to end quietly."""
        try:
            yield from super().read(path)
        finally:
            os.write(2, b"canary text")
            raise SystemExit("canary text")


def test_an_adapter_that_is_left_early_ends_in_silence(tmp_path, capfd):
    """Whoever stops reading hears nothing of it."""
    drafts = build_adapter("loud", {}, lambda _: Ending).read(tmp_path)
    next(drafts)
    drafts.close()
    assert capfd.readouterr() == ("", "")


def test_an_interrupt_between_two_swaps_leaves_the_outputs_as_they_were(monkeypatch, capfd):
    """Ctrl-C may come before the block that drops output has begun, or after it has ended."""
    entered, before = Silence.__enter__, sys.stdout

    def interrupted(self):
        entered(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(Silence, "__enter__", interrupted)
    with pytest.raises(KeyboardInterrupt):
        quietly(lambda: None)
    assert sys.stdout is before
    os.write(1, b"heard")
    assert capfd.readouterr() == ("heard", "")


@pytest.mark.parametrize("roles", ["train", ["train"], ("canary text",), ([],)])
def test_roles_are_those_of_splits_and_no_text(roles):
    """Words of a stranger that would be printed as roles are refused, and not told."""
    kind = type("Own", (Loud,), {"roles": roles})
    with pytest.raises(Fault) as refusal:
        build_adapter("own", {}, lambda _: kind)
    assert str(refusal.value) == "the adapter own has roles that are no tuple of train, validation, test"
