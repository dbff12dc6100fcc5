# ruff: noqa: INP001  # Sphinx reads this file by its path
"""How Sphinx builds this folder into one site: MyST pages, the theme Furo, nothing from the network."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pygments.lexers.data import JsonLexer

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "pytest-pii-eval"
author = "pytest-pii-eval maintainers"
project_copyright = "pytest-pii-eval maintainers, Apache-2.0"

extensions = ["myst_parser"]
root_doc = "index"
source_suffix = {".md": "markdown"}
# Beside eval/index.md lie reports as they were rendered: they are copied, not built.
_RENDERED: Final = ("embedded", "nerb", "presidio")
exclude_patterns = ["examples/**", *(f"eval/{name}.md" for name in _RENDERED)]
myst_heading_anchors = 4
nitpicky = True

html_theme = "furo"
html_title = project
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False

# Pages that lie where a reader of the repository looks for them, and what each is called on the site.
_OUTSIDE: Final = {
    "../README.md": "index.md",
    "../conformance/README.md": "shipped-suite.md",
    "../benchmarks/README.md": "benchmark-scripts.md",
    "../CHANGELOG.md": "changelog.md",
}
# As it is a file of no page, Sphinx would offer it as a download, or say that the page is not there.
_TO_A_RENDERED_REPORT: Final = re.compile(
    rf"\[([^\]]*)\]\(((?:\.\./|eval/)*(?:{'|'.join(_RENDERED)})\.(?:html|json|md))\)"
)
_HERE: Final = Path(__file__).parent


def _name_what_is_on_the_site(_: Sphinx, name: str, source: list[str]) -> None:
    """Turn links that are right in the repository into links that are right on the site."""
    up = "../" * name.count("/")
    for outside, page in _OUTSIDE.items():
        source[0] = source[0].replace(f"]({up}{outside}", f"]({up}{page}")
    source[0] = _TO_A_RENDERED_REPORT.sub(r'<a href="\2">\1</a>', source[0])


def _copy_evaluations(app: Sphinx, failure: Exception | None) -> None:
    """Put the generated reports beside the pages that speak of them, byte for byte."""
    if failure is None and (_HERE / "eval").is_dir():
        left_out = shutil.ignore_patterns("index.md", "*.py", "__pycache__")
        shutil.copytree(_HERE / "eval", app.outdir / "eval", dirs_exist_ok=True, ignore=left_out)


def setup(app: Sphinx) -> None:
    """Register what this file adds."""
    app.add_lexer("jsonl", JsonLexer)
    app.connect("source-read", _name_what_is_on_the_site)
    app.connect("build-finished", _copy_evaluations)
