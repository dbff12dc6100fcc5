"""Every code block of every page is followed as a reader would, page by page."""

from __future__ import annotations

import pytest
from docs_claims import CLAIMS, brought, exit_status, follow, is_hidden_command
from docs_fences import ROOT, fences, pages
from docs_not_run import NOT_RUN
from docs_reader import Reader

_FENCES = {page: fences(page) for page in pages()}
_WITH_BLOCKS = [page for page, found in _FENCES.items() if found]


@pytest.mark.parametrize("page", _WITH_BLOCKS)
def test_a_page_can_be_followed(page, tmp_path, monkeypatch):
    """Its blocks, taken in order in one empty folder, do what the page says."""
    monkeypatch.chdir(tmp_path)
    reader = Reader(tmp_path)
    for fence in _FENCES[page]:
        follow(fence, reader)


@pytest.mark.parametrize("page", _WITH_BLOCKS)
def test_each_block_has_one_claim(page):
    """No block is left out, none is taken twice: a language or name that no rule knows fails."""
    claimed = {fence.place: [one.name for one in CLAIMS if one.claims(fence)] for fence in _FENCES[page]}
    assert {place: names for place, names in claimed.items() if len(names) != 1} == {}


@pytest.mark.parametrize("page", _WITH_BLOCKS)
def test_no_command_is_only_shown(page):
    """What a reader would type stands in a block that is run, or is listed with its reason."""
    assert [fence.place for fence in _FENCES[page] if is_hidden_command(fence)] == []


@pytest.mark.parametrize("page", _WITH_BLOCKS)
def test_each_comment_above_a_block_is_a_rule(page):
    """It says what a block exits with, which of our files it needs, or that it is an output."""
    for fence in _FENCES[page]:
        told = [one for one in fence.comments if one != "output" and not one.startswith(("exits ", "with "))]
        assert told == []
        assert exit_status(fence) in range(256)
        assert [source for source, _ in brought(fence) if not (ROOT / source).exists()] == []


@pytest.mark.parametrize("entry", NOT_RUN, ids=lambda entry: f"{entry.page}: {entry.first[:40]}")
def test_what_is_not_run_is_there(entry):
    """An entry is of exactly one block, has a reason, and names a test that exists."""
    assert [fence.place for fence in _FENCES[entry.page] if fence.first == entry.first]
    assert entry.reason
    path, _, name = entry.instead.partition("::")
    assert not entry.instead or f"def {name}(" in (ROOT / path).read_text(encoding="utf-8")
