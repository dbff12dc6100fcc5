"""Facts about this package as it runs: source digest, version, git revision.

The build hook runs this file by itself, so it imports nothing but the standard library.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

REVISION_FILE = "_revision.json"
"""Where an installed package finds the commit that it was built from."""

_PACKAGE = Path(__file__).parents[1]
_GIT_SECONDS = 60
_REVISION = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_CACHED = "H"  # a tracked file that git neither skips nor assumes to be unchanged


@cache
def package_version() -> str:
    """Return the installed version of this package."""
    return library_version("pytest-pii-eval")


def library_version(distribution: str) -> str:
    """Return the version of an installed distribution, or `unknown`."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "unknown"


def source_sha256(*rooms: str) -> str:
    """Return the SHA-256 over the Python sources of the named rooms of this package (all, if none)."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        name = path.relative_to(_PACKAGE).as_posix()
        if not rooms or name.split("/", 1)[0].removesuffix(".py") in rooms:
            payload = path.read_bytes().replace(b"\r\n", b"\n")
            digest.update(f"{name} {len(payload)}\n".encode())
            digest.update(payload)
    return "sha256:" + digest.hexdigest()


def git_revision() -> tuple[str | None, bool | None]:
    """Return (commit, dirty) of the sources that this package runs from; (None, None) where nobody knows it.

    A checkout knows it from git, an installed package from the file that was written when it was built:
    there, sources that are not those of the build are dirty.
    """
    return _of_checkout() or _of_build()


def revision_file() -> bytes | None:
    """Return what a build puts beside these sources as `REVISION_FILE`, or None where git knows no commit."""
    found = _of_checkout()
    if found is None:
        return None
    fields = {"revision": found[0], "dirty": found[1], "source_sha256": source_sha256()}
    return json.dumps(fields, sort_keys=True).encode() + b"\n"


def _of_build() -> tuple[str | None, bool | None]:
    try:
        found = json.loads((_PACKAGE / REVISION_FILE).read_bytes())
        revision, dirty, digest = found["revision"], found["dirty"], found["source_sha256"]
    except (OSError, ValueError, TypeError, KeyError):
        return None, None
    if not isinstance(revision, str) or not _REVISION.fullmatch(revision):
        return None, None
    if digest != source_sha256():
        return revision, True
    return revision, dirty if isinstance(dirty, bool) else None


def _of_checkout() -> tuple[str, bool | None] | None:
    """Return (commit, dirty) as git tells them, or None where the folder above is no checkout of ours."""
    if not (_PACKAGE.parent / ".git").exists():
        return None
    revision = _git("rev-parse", "--verify", "HEAD^{commit}")
    listed = _git("ls-files", "-v", "-z", "--", _PACKAGE.name)
    if not revision or not listed:
        return None
    return revision, _is_dirty(listed)


def _is_dirty(listed: str) -> bool | None:
    """Whether sources differ from the commit; `listed` are the tracked files, each after its tag and a space.

    Status alone does not tell of sources that git was asked to ignore, or whose changes it was asked to.
    """
    status = _git("status", "--porcelain", "--untracked-files=all", "--", _PACKAGE.name)
    tracked = {name: tag for tag, _, name in (one.partition(" ") for one in listed.split("\0")) if name}
    sources = {path.relative_to(_PACKAGE.parent).as_posix() for path in _PACKAGE.rglob("*.py")}
    if not sources <= tracked.keys() or set(tracked.values()) != {_CACHED}:
        return True
    return None if status is None else bool(status)


def _git(*arguments: str) -> str | None:
    # Where git runs a hook, GIT_DIR and others name another repository.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", "-c", "core.fsmonitor=false", "-C", str(_PACKAGE.parent), *arguments]
    try:
        finished = subprocess.run(  # noqa: S603  # fixed arguments, no shell
            command,
            capture_output=True,
            check=True,
            encoding="utf-8",
            env={**environment, "GIT_OPTIONAL_LOCKS": "0"},
            timeout=_GIT_SECONDS,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return finished.stdout.strip()
