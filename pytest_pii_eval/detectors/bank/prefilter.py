"""A quick look at which of many expressions may match in a text at all; only with `google-re2` installed.

It can let an expression through that does not match, never hold one back that does: each is widened
before, and a sentinel shows whether RE2 had memory enough to answer.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, final

from pytest_pii_eval.detectors.bank.dialect.widen import ODD, widen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_pii_eval.detectors.bank.dialect.nodes import Node

# Below this many expressions a search for each is as quick as the look before.
_FEWEST = 6
_MEMORY = 24 * 1024 * 1024
"""RE2 keeps what it learned of texts until this is full; 64 MiB made long runs larger, and hardly faster."""


@final
class Prefilter:
    """Expressions in one RE2 set; the number of an expression is its place in `nodes`."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._every = frozenset(range(len(nodes)))
        self._open: set[int] = set()
        self._numbers: dict[int, int] = {}
        self._set: Any = None
        if len(nodes) >= _FEWEST:
            self._set = self._build(nodes)

    def _build(self, nodes: Sequence[Node]) -> Any:
        try:
            re2 = import_module("re2")  # Typed nowhere, and not a dependency.
        except ImportError:
            return None
        options = re2.Options()
        options.max_mem = _MEMORY
        options.log_errors = False
        built = re2.Set.SearchSet(options)
        self._sentinel = built.Add("")
        for number, node in enumerate(nodes):
            try:
                self._numbers[built.Add(widen(node))] = number
            except re2.error:
                self._open.add(number)
        try:
            built.Compile()
        except re2.error:
            return None
        return built

    def may_match(self, text: str) -> frozenset[int] | set[int]:
        """Return the numbers of all expressions that may match somewhere in `text`."""
        if self._set is None:
            return self._every
        if not text.isascii() and any(odd in text for odd in ODD):
            return self._every
        found = self._set.Match(text) or ()
        if self._sentinel not in found:  # The empty expression matches everywhere: RE2 gave up.
            return self._every
        return self._open | {self._numbers[one] for one in found if one != self._sentinel}
