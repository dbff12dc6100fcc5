"""Reads the formulas of docs/metrics.md: words become counts, signs become arithmetic; nothing else runs."""

from __future__ import annotations

import ast
import operator
import re
from fractions import Fraction
from typing import TYPE_CHECKING

from docs_fences import read_page

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_SIGNS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_ROW = re.compile(r"^\| `([a-z0-9_]+)`[^|]*\| ([^|]+) \|", re.MULTILINE)


def formulas() -> dict[str, str]:
    """Return the formula of each metric that has a row of its own, as the page words it."""
    table = read_page("docs/metrics.md").split("\n## Metrics\n")[1].split("\n## ")[0]
    return dict(_ROW.findall(table))


def value_of(formula: str, counts: Mapping[str, int | Fraction]) -> Fraction:
    """Return what a formula comes to; raises `ValueError` where a word of it is none of `counts`.

    `count: ` before it, and a remark behind it (`; may exceed 1`, `, at least 0`), are no part of it.
    """
    told = re.sub(r"^count: |; .*|, at least .*", "", formula).replace("\N{MINUS SIGN}", "-")
    # Longest first, or `gold characters` would be read as `gold`.
    names = sorted(counts, key=len, reverse=True)
    words = "|".join(map(re.escape, names))
    told = re.sub(rf"\b(?:{words})\b", lambda found: f"n{names.index(found[0])}", told)
    told = re.sub(r"\b(\d+) n", r"\1 * n", told)
    try:
        tree = ast.parse(told, mode="eval").body
    except SyntaxError:
        raise ValueError(formula) from None
    return _worth(tree, {f"n{place}": Fraction(counts[name]) for place, name in enumerate(names)})


def _worth(node: ast.expr, known: Mapping[str, Fraction]) -> Fraction:
    if isinstance(node, ast.BinOp) and type(node.op) in _SIGNS:
        return _SIGNS[type(node.op)](_worth(node.left, known), _worth(node.right, known))
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return Fraction(node.value)
    if isinstance(node, ast.Name) and node.id in known:
        return known[node.id]
    raise ValueError(ast.unparse(node))
