"""The build hook that puts the git revision into wheel and sdist; the work tree is left as it is."""

from __future__ import annotations

import runpy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "pytest_pii_eval"


class RevisionHook(BuildHookInterface):  # type: ignore[type-arg]  # of any builder's configuration
    """Adds the file that `pytest_pii_eval.reports.provenance` reads where it is installed.

    Outside a git checkout nothing is added: a wheel that is built from an sdist keeps the file of the sdist.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the file to the builder; an editable install runs from the checkout, which knows it better."""
        if version == "editable":
            return
        # Run, not imported: that would leave bytecode in the work tree.
        provenance = runpy.run_path(str(Path(self.root, PACKAGE, "reports", "provenance.py")))
        payload: bytes | None = provenance["revision_file"]()
        if payload is None:
            return
        self._folder = TemporaryDirectory(prefix="pii-eval-build-")
        name: str = provenance["REVISION_FILE"]
        file = Path(self._folder.name, name)
        file.write_bytes(payload)
        build_data["force_include"][str(file)] = f"{PACKAGE}/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002  # hatchling's names
        """Remove the temporary file."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()
