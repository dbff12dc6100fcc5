"""Sets of code points written out for the `regex` module."""

from __future__ import annotations

from functools import reduce

from pytest_pii_eval.detectors.bank.dialect.nodes import Negation, Operation, Property, Ranges, Set, Union

_EVERYTHING = Ranges(((0, 0x10FFFF),))


def point_source(point: int) -> str:
    """Return a code point so that it stands for itself anywhere, in a set and outside."""
    character = chr(point)
    if character.isascii() and character.isalnum():
        return character
    return f"\\U{point:08x}"


def set_source(inner: Set) -> str:
    """Return a set as one item that matches one code point."""
    simple = simplify(inner)
    if isinstance(simple, Property):
        return simple.source
    if simple == Negation(Ranges(((10, 10),))):
        return "."
    return "(?s:.)" if simple == _EVERYTHING else _bracketed(simple)


def simplify(inner: Set) -> Set:
    r"""Return an equal set in which no union holds a negation and no negation another.

    The module gets such sets wrong: it reads `[^\s\S]` as everything and `[[^a][^b]]` as `[^ab]`.
    """
    if isinstance(inner, Negation):
        negated = simplify(inner.inner)
        return negated.inner if isinstance(negated, Negation) else Negation(negated)
    if isinstance(inner, Operation):
        return Operation(inner.operator, simplify(inner.left), simplify(inner.right))
    if isinstance(inner, Union):
        return _union(list(map(simplify, inner.items)))
    return inner


def _union(items: list[Set]) -> Set:
    negated = [item.inner for item in items if isinstance(item, Negation)]
    plain: list[Set] = [item for item in items if not isinstance(item, Negation)]
    if not negated:
        return plain[0] if len(plain) == 1 else Union(tuple(plain))
    left_out = reduce(lambda left, right: Operation("&&", left, right), negated)
    return Negation(Operation("--", left_out, _union(plain)) if plain else left_out)


def _bracketed(inner: Set) -> str:
    if inner == Union(()):
        return r"[^\U00000000-\U0010ffff]"
    if isinstance(inner, Negation):
        return r"[\U00000000-\U0010ffff]" if inner.inner == Union(()) else f"[^{_members(inner.inner)}]"
    return f"[{_members(inner)}]"


def _members(inner: Set) -> str:
    """Return what stands between the brackets of a set."""
    if isinstance(inner, Ranges):
        return "".join(_range(low, high) for low, high in inner.ranges)
    if isinstance(inner, Property):
        return inner.source
    if isinstance(inner, Union):
        return "".join(map(_member, inner.items))
    if isinstance(inner, Operation):
        return f"{_bracketed(inner.left)}{inner.operator}{_bracketed(inner.right)}"
    return _bracketed(inner)


def _member(item: Set) -> str:
    return _members(item) if isinstance(item, Ranges | Property) else _bracketed(item)


def _range(low: int, high: int) -> str:
    return point_source(low) if low == high else f"{point_source(low)}-{point_source(high)}"
