"""Which files and node ids are ours, by name alone, and whether a hook has listeners we do not know."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pytest

    from pytest_pii_eval.settings import Settings

_FAMILIAR = frozenset({"_pytest", "xdist", "pytest_pii_eval"})

FileKind = Literal["positive", "negative", "bank"]


def kind_of(path: Path, settings: Settings) -> FileKind | None:
    """Return what `path` is to this plugin, or None; called for every file of every user, so cheap."""
    if path == settings.bank:
        return "bank"
    if path.suffix != ".jsonl":
        return None
    return _case_kind(path.name, settings)


def kind_of_node(nodeid: str, settings: Settings) -> FileKind | None:
    """Return the kind of file that the item `nodeid` came from, or None where it is not ours."""
    file, found, _ = nodeid.partition("::")
    if not found:
        return None
    name = file.rsplit("/", 1)[-1]
    if settings.bank is not None and file == settings.shown(settings.bank):
        return "bank"
    return _case_kind(name, settings)


def has_strangers(config: pytest.Config, hook: str) -> bool:
    """Whether anything but pytest, xdist and this plugin implements `hook`."""
    return any(
        implementation.function.__module__.partition(".")[0] not in _FAMILIAR
        for implementation in getattr(config.hook, hook).get_hookimpls()
    )


def _case_kind(name: str, settings: Settings) -> FileKind | None:
    if any(fnmatchcase(name, glob) for glob in settings.positive_globs):
        return "positive"
    if any(fnmatchcase(name, glob) for glob in settings.negative_globs):
        return "negative"
    return None
