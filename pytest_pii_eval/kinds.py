"""Which files and node ids are ours, by name alone, and whether a hook has listeners we do not know."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from pytest_pii_eval.arguments import why

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

_PACKED = (".jsonl.gz", ".jsonl.zst", ".parquet")

_NOT_OURS = {
    "--pii-report": "is no report of pii-eval",
    "--pii-baseline": "is no report or snapshot of pii-eval",
    "--pii-markdown": "is no page of pii-eval",
    "--pii-html": "is no page of pii-eval",
}

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


def refuse_outputs(settings: Settings) -> str | None:
    """Return why a file may not be written where it was asked for, or None, with the option that names it."""
    outputs = settings.outputs
    files = {
        "--pii-report": None if settings.report_is_default else settings.report,
        "--pii-markdown": outputs.markdown,
        "--pii-html": outputs.html,
        "--pii-baseline": outputs.baseline if outputs.baseline_update else None,
    }
    asked = {option: path for option, path in files.items() if path is not None}
    for option, path in asked.items():
        complaint = _refuse_output(path, settings)
        if complaint is None and [*asked.values(), *_read_only(settings)].count(path) > 1:
            complaint = "names the file of another option, too; name another file"
        if complaint is None:
            complaint = _refuse_to_replace(option, path)
        if complaint is not None:
            return f"{option}: {complaint}"
    return None


def _refuse_to_replace(option: str, path: Path) -> str | None:
    """Return why what the file `path` holds may not be replaced, or None: nothing of somebody else's."""
    from pytest_pii_eval.reports.write import is_baseline, is_page, is_report  # noqa: PLC0415  # only where it is asked for

    is_ours = {"--pii-report": is_report, "--pii-baseline": is_baseline}.get(option, is_page)
    try:
        ours = not path.exists() or is_ours(path)
    except OSError:
        return "cannot be read, so what it holds would be lost; name another file"
    return None if ours else f"{_NOT_OURS[option]}, and is left as it is; name another file"


def _read_only(settings: Settings) -> list[Path | None]:
    """Return the files that the run reads and no output may replace."""
    baseline = None if settings.outputs.baseline_update else settings.outputs.baseline
    report = settings.report if settings.report_is_default else None
    return [baseline, report, settings.predictions]


def _refuse_output(target: Path, settings: Settings) -> str | None:
    """Return why `target` may not be written whatever it holds, or None."""
    if kind_of(target, settings) is not None:
        return "is a file of the suite; name another file"
    if ".git" in target.parts:
        return "lies in the folder of git; name another file"
    try:
        if target.is_symlink():
            return "is a symlink; name the real file"
        if target.exists() and not target.is_file():
            return "is no regular file; name one that may be replaced"
    except OSError as error:
        return f"cannot be a file here ({why(error)}); name another file"
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
    """Return the kind by the globs, which speak of JSON Lines; a packed name is that of what is packed."""
    if not name.endswith((".jsonl", ".yaml", ".yml", *_PACKED)):
        return None
    yaml = name.endswith((".yaml", ".yml"))
    names = {name}
    if name.endswith(_PACKED):
        from pytest_pii_eval.contracts.containers import plain_name  # noqa: PLC0415  # strangers' files have no such name

        names.add(plain_name(name))
    for kind, globs in settings.globs:
        if (kind == "corpora") == yaml and any(fnmatchcase(one, glob) for one in names for glob in globs):
            return kind
    return None
