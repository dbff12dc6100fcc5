"""Nothing of a report becomes markup, whatever it holds, and nothing of it is obeyed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from html_reading import Page
from html_reports import Replacing

import pytest_pii_eval.reports.html as room
from pytest_pii_eval.reports.html.page import render_html

FOLDER = Path(room.__file__).parent
ATTACKS = {
    "script": "<script>alert(1)</script>",
    "handler": "\"' onload=alert(1) x=",
    "template": "{{7*7}}{% raw %}{#",
    "image": "<img src=x onerror=alert(1)>",
    "closing": "</title></style></svg></details></main><h1>owned</h1>",
    "comment": "<!--]]><![CDATA[",
    "escape": "\x1b[31m\x07\x00",
    "bidi": "\u202egnp.exe\u2066\u200f",
    "long": "a" * 10_000,
    "marks": "e" + "\u0301" * 5_000,
}


def _page(word: str) -> tuple[str, Page]:
    replacing = Replacing(word)
    source = render_html(replacing.report(), replacing.comparison())
    return source, Page(source)


@pytest.fixture(scope="module")
def harmless():
    """The page of the same report with plain words for names."""
    return _page("plain")[1]


@pytest.mark.parametrize("name", ATTACKS)
def test_names_never_become_elements_or_attributes(name, harmless):
    """A page of hostile names has the very tags and attributes of a page of plain ones."""
    assert _page(ATTACKS[name])[1].shape() == harmless.shape()


@pytest.mark.parametrize("name", ATTACKS)
def test_no_page_holds_script_or_handler(name):
    """No script, no attribute that acts, and every link leads inside the page."""
    source, page = _page(ATTACKS[name])

    assert "<script" not in source.lower()
    attributes = {attribute for _, found in page.tags for attribute in found}
    assert not {one for one in attributes if one.startswith("on") or one in {"src", "style", "action"}}
    assert all(re.fullmatch(r"#[a-z0-9-]+", target) for target in page.values("href"))


@pytest.mark.parametrize("name", ["escape", "bidi"])
def test_no_control_or_direction_mark_reaches_the_page(name):
    """What an eye or a terminal would obey is written out."""
    source, page = _page(ATTACKS[name])

    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069]", source)
    assert "\\u{" in page.text


def test_expressions_are_text():
    """A name that looks like a template is shown as it is, and not evaluated."""
    _, page = _page("{{1234*1000}}")

    assert "{{1234*1000}}" in page.text
    assert "1234000" not in page.text


def test_a_long_name_is_cut_everywhere():
    """Of 10,000 characters 128 are shown, with the length."""
    source, page = _page("a" * 10_000)

    assert "a" * 129 not in source
    assert "characters)" in page.text


def test_the_harmless_page_shows_every_kind_of_name(harmless):
    """The attacks above reach the page: each of the 79 free strings of the report is on it."""
    assert len(set(re.findall(r"\d+plain", harmless.text))) == 79


FOLDERS = [FOLDER.parent / name for name in ("html", "dump")]
PAGES = [one for folder in FOLDERS for one in folder.rglob("*.*") if one.suffix != ".pyc"]
PAGES.append(FOLDER.parent / "templates.py")


@pytest.mark.parametrize("path", sorted(PAGES), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_nothing_unescapes(path):
    """No filter, class or block that takes a string for markup is anywhere in templates or modules."""
    text = path.read_text(encoding="utf-8")

    assert not re.search(
        r"\|\s*safe|Markup|autoescape\s+false|autoescape\s*=\s*False|__html__|xmlattr|tojson", text
    )


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.name)
def test_no_module_builds_markup(path):
    """Tags stand in templates alone."""
    assert not re.search(r"<[a-z/!]", path.read_text(encoding="utf-8"))
