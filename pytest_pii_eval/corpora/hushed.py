"""Reading with an adapter that is not ours: what it prints may be text, so it goes nowhere."""

from __future__ import annotations

import os
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, Any, final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pii_eval.corpora.draft import CorpusAdapter, Draft, Unfit

_OPTIONAL = ("keeps_labels_apart", "not_promotable")
_END: Any = object()


@final
class Hushed:
    """An adapter that reads as another does, and prints nothing while it does.

    Only what Python prints is kept back; a progress bar that was made before goes on.
    """

    def __init__(self, adapter: CorpusAdapter) -> None:
        self._adapter = adapter
        self.name = adapter.name
        self.version = adapter.version
        self.offset_unit = adapter.offset_unit
        self.policy = adapter.policy
        for name in _OPTIONAL:
            if hasattr(adapter, name):
                setattr(self, name, getattr(adapter, name))

    def read(self, path: Path) -> Iterator[Draft | Unfit]:
        """Yield what the adapter yields, each with its output dropped."""
        with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123  # the null device is no path of ours
            with redirect_stdout(nowhere), redirect_stderr(nowhere):
                drafts = iter(self._adapter.read(path))
            while True:
                with redirect_stdout(nowhere), redirect_stderr(nowhere):
                    draft = next(drafts, _END)
                if draft is _END:  # not None: an adapter that yields one must not end the corpus
                    return
                yield draft
