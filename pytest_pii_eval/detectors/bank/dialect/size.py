"""How large an expression becomes once its counted repetitions are written out, as `regex` does."""

from __future__ import annotations

from functools import singledispatch

from pytest_pii_eval.detectors.bank.dialect.nodes import Atomic, Choice, Group, Look, Node, Repeat, Sequence


@singledispatch
def written_out(_node: Node) -> int:
    """Return how many single steps `node` holds, each as often as its repetitions copy it."""
    return 1


@written_out.register(Atomic)
@written_out.register(Group)
@written_out.register(Look)
def _inner(node: Atomic | Group | Look) -> int:
    return written_out(node.inner)


@written_out.register
def _repeat(node: Repeat) -> int:
    return max(1, node.least, node.most or 0) * written_out(node.inner)


@written_out.register
def _sequence(node: Sequence) -> int:
    return sum(map(written_out, node.parts))


@written_out.register
def _choice(node: Choice) -> int:
    return sum(map(written_out, node.branches))
