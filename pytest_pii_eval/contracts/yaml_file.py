"""Small files written by hand, YAML or JSON: strict like every input; a YAML scalar stays its own text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input
from pytest_pii_eval.contracts.strict_json import parse, refuse_foreign_start

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from yaml import Event

MAX_FILE_BYTES: Final = 1024 * 1024


def read_document(path: Path, *, root: Path | None = None) -> object:
    """Return what the file at `path` holds: JSON where its name ends in `.json`, else YAML.

    Raises `Fault` with the file's name and, for YAML, the line.
    """
    return parse_document(read_input(path, limit=MAX_FILE_BYTES, root=root), path)


def parse_document(payload: bytes, path: Path) -> object:
    """Return what the file at `path` holds where `payload` is its content, as `read_document` does."""
    try:
        refuse_foreign_start(payload)
        return parse(payload) if path.suffix == ".json" else parse_yaml(payload)
    except Fault as fault:
        raise fault.at(file=path.name) from None


def parse_yaml(payload: bytes) -> object:
    """Return the one document in `payload` as objects, arrays and strings.

    Scalars are never interpreted, so `0.95`, `no` and `1e3` stay what was written. Tags, anchors,
    aliases, merges, duplicate keys and keys that are no scalars are refused. Raises `Fault` with the
    line, also where PyYAML is not installed.
    """
    try:
        import yaml  # noqa: PLC0415  # an optional extra
    except ImportError:
        raise Fault("needs PyYAML to be read: pip install 'pytest-pii-eval[yaml]'") from None
    try:
        events = yaml.parse(_decoded(payload), Loader=yaml.SafeLoader)
        return _document(events)
    except yaml.MarkedYAMLError as error:
        # PyYAML's own message may quote the file.
        mark = error.problem_mark or error.context_mark
        raise Fault("is not valid YAML", line=mark.line + 1 if mark else None) from None
    except yaml.YAMLError:
        raise Fault("is not valid YAML: it holds a character that YAML does not allow") from None
    except RecursionError:
        raise Fault("nested too deeply") from None


def _decoded(payload: bytes) -> str:
    try:
        return payload.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Fault(f"not UTF-8: invalid byte 0x{payload[error.start]:02X} at byte {error.start}") from None


def _document(events: Iterator[Event]) -> object:
    """Return the value of the only document in a stream of events."""
    next(events)  # the start of the stream
    start = next(events)
    if type(start).__name__ != "DocumentStartEvent":
        raise Fault("holds nothing")
    value = _value(events, next(events))
    next(events)  # the end of the document
    after = next(events)
    if type(after).__name__ != "StreamEndEvent":
        raise Fault("holds more than one document", line=_line(after))
    return value


def _value(events: Iterator[Event], event: Any) -> object:
    kind = type(event).__name__
    if kind == "AliasEvent" or event.anchor is not None:
        raise Fault("uses an anchor or alias; write the value out", line=_line(event))
    if event.tag is not None:
        raise Fault("uses a tag; values are plain text, lists and mappings", line=_line(event))
    if kind == "ScalarEvent":
        return event.value
    return _sequence(events) if kind == "SequenceStartEvent" else _mapping(events)


def _sequence(events: Iterator[Event]) -> list[object]:
    values = []
    while type(event := next(events)).__name__ != "SequenceEndEvent":
        values.append(_value(events, event))
    return values


def _mapping(events: Iterator[Event]) -> dict[str, object]:
    values: dict[str, object] = {}
    while type(event := next(events)).__name__ != "MappingEndEvent":
        key = _value(events, event)
        if not isinstance(key, str):
            raise Fault("uses a list or mapping as a key", line=_line(event))
        if key in values:
            raise Fault("duplicate key in a mapping", line=_line(event))
        values[key] = _value(events, next(events))
    return values


def _line(event: Event) -> int | None:
    return event.start_mark.line + 1 if event.start_mark else None
