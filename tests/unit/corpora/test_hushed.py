"""What a stranger's adapter prints while it reads may be text, so it is dropped."""

from __future__ import annotations

import sys

from pytest_pii_eval.corpora.draft import Draft
from pytest_pii_eval.corpora.finding import build_adapter


class Loud:
    """An adapter that prints what it reads, when it is called, at each row, and at its end."""

    name, version, offset_unit, policy = "loud", "1", "codepoint", "as it stands"
    not_promotable = "made_up"

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
    assert (adapter.name, adapter.not_promotable) == ("loud", "made_up")
    assert not hasattr(adapter, "keeps_labels_apart")
