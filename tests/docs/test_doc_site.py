"""The site builds from docs/ as docs/contributing.md says, and stands by itself."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from docs_fences import ROOT

pytest.importorskip("furo", reason="the extra docs is not installed")
pytest.importorskip("myst_parser", reason="the extra docs is not installed")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The built site, and what building it said."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n", "-b", "html"]
    built = subprocess.run(
        [*command, "-d", str(folder / "trees"), str(ROOT / "docs"), str(folder / "html")],
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
    )
    return folder / "html", f"{built.returncode}\n{built.stdout}{built.stderr}"


def test_the_site_builds_without_a_warning(site):
    """No page is outside of the contents, no link leads nowhere, no block has an unknown language."""
    assert site[1] == "0\n"


def test_no_page_loads_anything_from_elsewhere(site):
    """Scripts, styles, fonts and pictures are the site's own."""
    loaded = re.compile(r"""<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)=["'](?:https?:)?//[^"']*""")
    built = {path.name: path.read_text(encoding="utf-8") for path in site[0].glob("*.html")}
    assert "index.html" in built
    assert {name: loaded.findall(text) for name, text in built.items() if loaded.search(text)} == {}


def test_links_to_rendered_reports_lead_to_files_of_the_site(site):
    """Reports that were rendered before lie where the pages say."""
    links = {
        (path.parent / link).resolve()
        for path in site[0].rglob("*.html")
        for link in re.findall(
            r'href="((?:[\w-]+/)*(?:embedded|nerb|presidio)\.(?:html|json|md))"', path.read_text("utf-8")
        )
    }
    folder = (site[0] / "eval").resolve()
    assert {folder / f"{name}.html" for name in ("embedded", "nerb", "presidio")} <= links
    assert [link for link in links if link.parent == folder and not link.is_file()] == []
