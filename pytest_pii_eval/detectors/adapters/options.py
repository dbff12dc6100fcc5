"""Reading the options of an adapter: they come as text from the command line, or as values from Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    _Number = TypeVar("_Number", int, float)

_WORDS = {"true": True, "false": False}


def number(value: str | float, name: str, *, least: float = 0.0, most: float = float("inf")) -> float:
    """Return `value` as a number from `least` to `most`; raises `Fault` with the option's name."""
    return _parsed(float, value, name, (least, most))


def whole(value: str | int, name: str, *, least: int = 1, most: int = 1_000_000) -> int:
    """Return `value` as an integer from `least` to `most`; raises `Fault` with the option's name."""
    return _parsed(int, value, name, (least, most))


def flag(value: str | bool, name: str) -> bool:  # noqa: FBT001  # the option's value itself
    """Return `value`, or what the words true and false say; raises `Fault` with the option's name."""
    if isinstance(value, bool):
        return value
    if value not in _WORDS:
        raise Fault(f"--pii-detector-option: {name} must be true or false")
    return _WORDS[value]


def words(value: str | Iterable[str]) -> tuple[str, ...]:
    """Return a comma-separated text, or any collection of texts, as a tuple without empty parts."""
    parts = value.split(",") if isinstance(value, str) else value
    return tuple(part.strip() for part in parts if part.strip())


def _parsed(kind: Callable[..., _Number], value: object, name: str, bounds: tuple[float, float]) -> _Number:
    try:
        result = kind(value)
    except (TypeError, ValueError):
        result = kind("nan") if kind is float else None  # type: ignore[assignment]  # refused below
    if result is None or not bounds[0] <= result <= bounds[1]:
        least, most = bounds
        raise Fault(f"--pii-detector-option: {name} must be a number from {least:g} to {most:g}")
    return result
