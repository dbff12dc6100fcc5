"""The one exception for bad input; its text says where and which rule, never what stood there."""

from __future__ import annotations

from typing import final


@final
class Fault(ValueError):
    """Input that breaks a contract, as one printable line.

    `file` is a name safe to print, `line` counts from 1, `field` is a path of field names and
    ordinals (`expected[0].start`), `rule` says what is wrong and what to do. No part of a value from
    the input may be put into any of them.
    """

    def __init__(
        self, rule: str, *, file: str | None = None, line: int | None = None, field: str | None = None
    ) -> None:
        super().__init__(rule)
        self.rule = rule
        self.file = file
        self.line = line
        self.field = field

    def at(self, *, file: str | None = None, line: int | None = None, field: str | None = None) -> Fault:
        """Return the same fault with the places that were unknown so far filled in."""
        return Fault(
            self.rule,
            file=self.file if self.file is not None else file,
            line=self.line if self.line is not None else line,
            field=self.field if self.field is not None else field,
        )

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (self.rule, self.file, self.line, self.field))

    def __str__(self) -> str:
        place = printable(self.file or "")
        if self.line is not None:
            place = f"{place}:{self.line}" if place else f"line {self.line}"
        return ": ".join(part for part in (place, self.field, self.rule) if part)


def printable(name: str) -> str:
    """Return the name of a file with what a terminal would act on, or hide, as escapes."""
    if name.isprintable():
        return name
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in name)


def _rebuild(rule: str, file: str | None, line: int | None, field: str | None) -> Fault:
    return Fault(rule, file=file, line=line, field=field)
