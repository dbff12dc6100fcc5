"""Somebody who follows a page: one folder, one shell after another, one Python; knows nothing of rules."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from docs_fences import ROOT

_KEPT = ("LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV")
_SECONDS = 60
_SCRIPT = """trap 'pwd > "$DOCS_ENDS_IN"' EXIT
{text}"""
# Plugins of this environment that no page speaks of: a reader has none of them, and each start pays for them.
_STRANGERS = [
    "anyio",
    "faker",
    "html",
    "html_fixtures",
    "hypothesispytest",
    "metadata",
    "pytest_jsonreport",
    "randomly",
]
_LEFT_OUT = shutil.ignore_patterns("__pycache__", ".pii_eval", ".pytest_cache")


class Reader:
    """Follows blocks; `output` is what the last one printed."""

    def __init__(self, folder: Path) -> None:
        self.folder = self.here = folder / "page"
        self.home = folder / "home"
        for made in (self.folder, self.home):
            made.mkdir()
        self.output = ""
        self.namespace: dict[str, Any] = {"__name__": "__page__"}

    def bring(self, source: str, name: str) -> None:
        """Copy a file or folder of the repository."""
        origin, target = ROOT / source, self._inside(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        if origin.is_dir():
            shutil.copytree(origin, target, dirs_exist_ok=True, ignore=_LEFT_OUT)
        else:
            shutil.copyfile(origin, target)

    def write(self, name: str, text: str) -> None:
        """Write a file where the last shell ended."""
        target = self._inside(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")

    def shell(self, text: str) -> int:
        """Run commands in a new shell that begins where the last one ended; return its exit status."""
        ends_in = self.home / "ends-in"
        process = subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", _SCRIPT.format(text=text)],  # noqa: S607  # the reader's own
            cwd=self.here,
            env={**self._environment(), "DOCS_ENDS_IN": str(ends_in)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            text=True,
            encoding="utf-8",
        )
        try:
            self.output, _ = process.communicate(timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise
        self.here = Path(ends_in.read_text(encoding="utf-8").strip())
        return process.returncode

    def execute(self, text: str, place: str) -> None:
        """Run Python in the namespace of the page; its modules are those of the page's folder, too."""
        known, printed = set(sys.modules), io.StringIO()
        sys.path.insert(0, str(self.here))
        try:
            with contextlib.chdir(self.here), contextlib.redirect_stdout(printed):
                exec(compile(text, place, "exec"), self.namespace)  # noqa: S102  # what the page is for
        finally:
            sys.path.remove(str(self.here))
            for name in set(sys.modules) - known:
                if str(getattr(sys.modules[name], "__file__", "")).startswith(str(self.folder)):
                    del sys.modules[name]
        self.output = printed.getvalue()

    def _inside(self, name: str) -> Path:
        target = (self.here / name).resolve()
        assert target.is_relative_to(self.folder.resolve()), "a page writes into its own folder"
        return target

    def _environment(self) -> dict[str, str]:
        """Return what a terminal of the reader has: none of what this run or a CI has set."""
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        who = {f"GIT_{role}_NAME": "Some Body" for role in ("AUTHOR", "COMMITTER")}
        who |= {f"GIT_{role}_EMAIL": "some@body.example" for role in ("AUTHOR", "COMMITTER")}
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        without = " ".join(f"-p no:{name}" for name in _STRANGERS)
        run = {"PATH": path, "HOME": str(self.home), "COLUMNS": "80", "PYTEST_ADDOPTS": without}
        # Nothing is installed by a page: a block that installs belongs into the list of those not run.
        return {**kept, **who, **run, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
