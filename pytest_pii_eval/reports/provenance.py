"""Facts about this package as it runs: source digest, version, git revision."""

from __future__ import annotations

import hashlib
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
_GIT_SECONDS = 60


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
    """Return (commit, dirty) of the checkout this package runs from; (None, None) where there is none."""
    if not (_PACKAGE.parent / ".git").exists():
        return None, None
    revision = _git("rev-parse", "HEAD")
    status = _git("status", "--porcelain", "--", str(_PACKAGE))
    return revision or None, None if status is None else bool(status)


def _git(*arguments: str) -> str | None:
    try:
        finished = subprocess.run(  # noqa: S603  # fixed arguments, no shell
            ["git", "-C", str(_PACKAGE.parent), *arguments],  # noqa: S607  # git is found as the user finds it
            capture_output=True,
            check=True,
            text=True,
            timeout=_GIT_SECONDS,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return finished.stdout.strip()
