"""Writing the parts of a split, each a whole suite of JSON Lines with its rows; who goes where is given."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final, final

from pytest_pii_eval.contracts.containers import plain_name
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.yaml_file import parse_yaml
from pytest_pii_eval.freezes.suites import SUITE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from typing import BinaryIO, TypeAlias

    from pytest_pii_eval.contracts.jsonl import Row
    from pytest_pii_eval.contracts.places import Place
    from pytest_pii_eval.freezes.suites import SuiteFiles
    from pytest_pii_eval.private import PrivateDirectory

    IdOf: TypeAlias = Callable[[Any], str]

_BY_DOCUMENT: Final[Mapping[str, IdOf]] = {
    "records": lambda value: str(value["document"]["document_id"]),
    "provenance": lambda value: str(value["document_id"]),
    "bindings": lambda value: str(value["document_id"]),
}
"""Where a row names its document, by the kind of its file; rows of other kinds are for all parts."""


def write_parts(
    files: SuiteFiles,
    parts: Sequence[PrivateDirectory],
    part_of: Callable[[str], int],
    roles: Sequence[str | None],
) -> None:
    """Write the suite `files` into `parts`; `part_of` tells the part of each document, by its id.

    Rows of packed files are written as JSON Lines, under the name without its packing. Raises `Fault` where
    two names would be one then, and where a file is not what it was when it was read before.
    """
    _check_names(files)
    before = dict(files.committed)
    for kind in ("slices", "unsupported"):
        for path in files.of(kind):
            payload = _whole(files, kind, path)
            for part in parts:
                part.write(path.name, payload)
    for kind, id_of in _BY_DOCUMENT.items():
        for path in files.of(kind):
            with ExitStack() as stack:
                dealing = _Dealing(stack, parts, part_of, id_of)
                files.read(kind, dealing.deal, only=path)
    for part, role in zip(parts, roles, strict=True):
        for name, content in plain_files(files, role).items():
            part.write(name, content)
    if files.committed != before:
        raise _changed(files)


def plain_files(files: SuiteFiles, role: str | None) -> dict[str, bytes]:
    """Return the suite file and taxonomy of a part that has this role, if any; raises `Fault`."""
    plain = dict(files.plain)
    if role is None or files.suite.role == role:
        return plain
    if files.suite.role is not None:
        rule = "names another role already; take the line out to give parts a role"
        raise Fault(rule, file=SUITE, field="role")
    line = f"role: {role}\n".encode()
    if SUITE not in plain:
        return {SUITE: line}
    plain[SUITE] = _with_line(plain[SUITE], line, role)
    return plain


def _check_names(files: SuiteFiles) -> None:
    names: set[str] = set()
    for kind in _BY_DOCUMENT:
        for path in files.of(kind):
            name = plain_name(path.name)
            if name in names:
                rule = "would have the name of another file when it is unpacked; rename it"
                raise Fault(rule, file=path.name)
            names.add(name)


def _whole(files: SuiteFiles, kind: str, path: Path) -> bytes:
    """Return a file of the slice plan, which is small."""
    lines: list[bytes] = []
    files.read(kind, lambda row, _: lines.append(row.raw + b"\n"), only=path)
    return b"".join(lines)


def _with_line(payload: bytes, line: bytes, role: str) -> bytes:
    """Return a suite file with one line more, which says just that; raises `Fault` where it would not."""
    made = (payload if payload.endswith(b"\n") else payload + b"\n") + line
    document = parse_yaml(payload)
    wanted = {**document, "role": role} if isinstance(document, dict) else None
    try:
        fits = wanted is not None and parse_yaml(made) == wanted
    except Fault:
        fits = False
    if not fits:
        raise Fault(
            "is written so that no line can be added to it; write the role there yourself", file=SUITE
        )
    return made


def _changed(files: SuiteFiles) -> Fault:
    return Fault("changed while it was split; start again", file=files.folder.name)


@final
class _Dealing:
    """Deals the rows of one file out to parts; a part that gets none has no such file."""

    def __init__(
        self,
        stack: ExitStack,
        parts: Sequence[PrivateDirectory],
        part_of: Callable[[str], int],
        id_of: IdOf,
    ) -> None:
        self._stack = stack
        self._parts = parts
        self._part_of = part_of
        self._id_of = id_of
        self._handles: dict[int, BinaryIO] = {}

    def deal(self, row: Row, place: Place) -> None:
        """Write one row to the part of its document."""
        try:
            part = self._part_of(self._id_of(row.value))
        except (KeyError, TypeError):
            raise Fault("changed while it was split; start again", file=place[0]) from None
        if part not in self._handles:
            self._handles[part] = self._stack.enter_context(self._parts[part].open(plain_name(place[0])))
        self._handles[part].write(row.raw + b"\n")
