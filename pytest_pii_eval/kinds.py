"""Which files and node ids are ours, by name alone, and whether a hook has listeners we do not know."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import pytest

    from pytest_pii_eval.settings import FileKind, Settings

_FAMILIAR = frozenset(
    {
        "__channelexec__",  # the name that xdist's side of a worker runs under
        "_hypothesis_pytestplugin",  # returns at once where an item has no `obj`
        "_pytest",
        "pytest_pii_eval",
        "pytest_randomly",  # seeds `random`, which no case uses
        "syrupy",  # notes outcomes of any phase
        "xdist",
    }
)

# The node that says that cases need a bank, where none was given.
NO_BANK = "pii_bank"

# The node that says what is wrong with a detector.
NO_DETECTOR = "pii_detector"


def kind_of(path: Path, settings: Settings) -> FileKind | None:
    """Return what `path` is to this plugin, or None; called for every file of every user, so cheap."""
    if path == settings.bank:
        return "bank"
    if path == settings.freezes:
        return "freezes"
    return _kind_of_name(path.name, settings)


def ours_among(nodeids: Iterable[str], settings: Settings) -> list[str]:
    """Return the node ids that came from files of this plugin, in order."""
    kinds: dict[str, FileKind | None] = {}
    ours = []
    for nodeid in nodeids:
        file, found, _ = nodeid.partition("::")
        if file not in kinds:
            kinds[file] = _kind_of_file(file, settings)
        if found and kinds[file]:
            ours.append(nodeid)
    return ours


def refuse_report(settings: Settings) -> str | None:
    """Return why the report may not go where it was asked to, or None: it would replace what stands there."""
    target = settings.report
    if kind_of(target, settings) is not None:
        return "is a file of the suite; name another file"
    if target.is_symlink():
        return "is a symlink; name the real file"
    if target.exists() and not target.is_file():
        return "is no regular file; name one that the report may replace"
    return None


def _kind_of_file(file: str, settings: Settings) -> FileKind | None:
    if settings.bank is not None and file == settings.shown(settings.bank):
        return "bank"
    if settings.freezes is not None and file == settings.shown(settings.freezes):
        return "freezes"
    return _kind_of_name(file.rsplit("/", 1)[-1], settings)


def has_strangers(config: pytest.Config, hook: str) -> bool:
    """Whether anybody implements `hook` of whom we do not know that one report an item is enough."""
    return any(
        implementation.function.__module__.partition(".")[0] not in _FAMILIAR
        for implementation in getattr(config.hook, hook).get_hookimpls()
    )


def _kind_of_name(name: str, settings: Settings) -> FileKind | None:
    if not name.endswith((".jsonl", ".yaml", ".yml")):
        return None
    yaml = not name.endswith(".jsonl")
    for kind, globs in settings.globs:
        if (kind == "corpora") == yaml and any(fnmatchcase(name, glob) for glob in globs):
            return kind
    return None
