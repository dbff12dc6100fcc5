"""Options of an adapter, all of them text: choices, names and numbers; what they mean is the adapter's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from pytest_pii_eval.contracts.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_Choice = TypeVar("_Choice", bound=str)


def one_of(option: str, value: str, choices: Sequence[_Choice]) -> _Choice:
    """Return the choice that `value` is; raises `Fault` with the choices."""
    for choice in choices:
        if value == choice:
            return choice
    raise Fault(f"must be one of: {', '.join(choices)}", field=f"options.{option}")


def several_of(option: str, value: str, choices: Sequence[_Choice]) -> tuple[_Choice, ...]:
    """Return the choices that `value` names, joined by a plus sign; raises `Fault` with the choices."""
    named = tuple(one_of(option, one, choices) for one in value.split("+"))
    if len(set(named)) != len(named):
        raise Fault("names one of its choices twice", field=f"options.{option}")
    return named


def names_of(option: str, value: str, pattern: str) -> tuple[str, ...]:
    """Return the names in `value`, joined by a plus sign; raises `Fault` where one is none or comes twice."""
    names = tuple(value.split("+"))
    if len(set(names)) != len(names) or not all(re.fullmatch(pattern, name) for name in names):
        raise Fault("must be different names, joined by a plus sign", field=f"options.{option}")
    return names


def whole(option: str, value: str, *, least: int = 0) -> int:
    """Return the number in the plain digits of `value`; raises `Fault` where it is none or below `least`."""
    if not re.fullmatch("0|[1-9][0-9]{0,17}", value) or int(value) < least:
        raise Fault(f"must be a whole number of {least} or more, in plain digits", field=f"options.{option}")
    return int(value)


def named(option: str, value: str, pattern: str) -> str:
    """Return `value`; raises `Fault` where it is not written as `pattern` says."""
    if not re.fullmatch(pattern, value):
        raise Fault("is not written as it must be", field=f"options.{option}")
    return value


def refuse_options(options: Mapping[str, str | None], what: str) -> None:
    """Raise `Fault` for the first option that was given though `what` has no use for it."""
    for option, value in options.items():
        if value is not None:
            raise Fault(f"does not belong to {what}; leave it out", field=f"options.{option}")
