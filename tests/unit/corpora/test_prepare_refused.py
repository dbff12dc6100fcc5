"""Preparing what is not as its pin says: refused, and nothing is left of it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from corpus_files import (
    ARTIFACT,
    CANARY,
    FakeAdapter,
    artifact_in,
    cache_in,
    left,
    prepared,
    recipe_of,
    refused,
)

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora import prepare as module
from pytest_pii_eval.corpora.draft import Draft, Unfit
from pytest_pii_eval.corpora.prepare import prepare


@pytest.mark.parametrize(
    ("artifact", "changes", "told"),
    [
        (ARTIFACT + b"!", {}, "artifact of demo: holds 45 bytes; the pin names 44"),
        (ARTIFACT[:-1], {}, "artifact of demo: holds 43 bytes; the pin names 44"),
        (b"", {}, "artifact of demo: holds 0 bytes; the pin names 44"),
        (
            ARTIFACT.replace(b"invented", b"inventeD"),
            {},
            "artifact of demo: has another sha256 than the pin; it is another file, or it is damaged",
        ),
        (
            ARTIFACT + b"!",
            {"bytes": "unverified"},
            "artifact of demo: has another sha256 than the pin; it is another file, or it is damaged",
        ),
        (
            ARTIFACT,
            {"sha256": "unverified"},
            "corpora.demo.sha256: the pin of demo has no sha256, so no bytes",
        ),
        (
            ARTIFACT,
            {"max_quarantined": "0"},
            "artifact of demo: 1 of 5 rows do not fit, and the pin declares 0: value_differs 1",
        ),
    ],
)
def test_what_is_not_pinned_is_refused(tmp_path, artifact, changes, told) -> None:
    """Wrong bytes and more quarantined rows than declared leave nothing."""
    assert refused(tmp_path, artifact=artifact, **changes).startswith(told)


def test_quarantined_rows_are_counted_by_reason(tmp_path) -> None:
    """Every reason with its number, those of our own rules too; nothing of a row."""
    drafts = [
        *[Unfit(row, "value_differs") for row in range(1, 1004)],
        Draft(1004, "d", CANARY, ((0, 1, CANARY),), "t"),
        Draft(1005, "d", CANARY, ((0, 1, "name"), (0, 1, "last_name")), "t"),
        Draft(1006, "d", CANARY, (), "t"),
        Draft(1007, "d", CANARY, (), "t"),
    ]
    assert refused(tmp_path, FakeAdapter(drafts), max_quarantined="1005") == (
        "artifact of demo: 1,006 of 1,007 rows do not fit, and the pin declares 1,005:"
        " repeated_document 1, repeated_span 1, unknown_label 1, value_differs 1,003"
    )
    receipt, _ = prepared(tmp_path, FakeAdapter(drafts), max_quarantined="1006")
    assert receipt.quarantined["value_differs"] == 1003


@pytest.mark.parametrize(
    ("drafts", "changes", "told"),
    [
        ([], {}, "artifact of demo: none of its 0 rows is a document of the pin's role"),
        ([Unfit(1, "bad_tag")], {}, "artifact of demo: none of its 1 rows is a document of the pin's role"),
        (
            [Draft(1, "d", "x", (), "t")],
            {"label_map": "types"},
            "artifact of demo: has no span, so there is no type to score",
        ),
        (
            [Draft(1, "d", "x", ((0, 1, "name"),), "t", "train")],
            {"split_role": "validation"},
            "artifact of demo: none of its 1 rows is a document of the pin's role",
        ),
        ([Draft(1, "d", "x", ())], {}, "corpora.demo: gives no template id; let split_key be document_id"),
    ],
)
def test_a_corpus_of_nothing_is_refused(tmp_path, drafts, changes, told) -> None:
    """Without a document, a type or a template there is no suite."""
    assert refused(tmp_path, FakeAdapter(drafts), **changes) == told


def test_a_document_that_no_line_holds_is_refused(tmp_path) -> None:
    """A text within its own limit may take more than a line's 16 MiB, escaped: it is never written."""
    texts = {"fits": "x" * 5_000_000, "too_long": '"' * 9_000_000}
    drafts = [
        Draft(row, name, text, ((0, 1, "name"),), "t") for row, (name, text) in enumerate(texts.items(), 1)
    ]
    assert prepared(tmp_path, FakeAdapter(drafts[:1]), max_quarantined="7")[0].documents == 1
    (tmp_path / "own").mkdir()
    told = refused(tmp_path / "own", FakeAdapter(drafts))
    assert re.fullmatch(
        r"a document takes 18,000,2\d\d bytes as a line of JSON; a line holds 16,777,216", told
    )


def test_what_is_no_regular_file_is_refused(tmp_path) -> None:
    """A symlink, a folder and nothing at all are no artifact."""
    link = tmp_path / "link.bin"
    link.symlink_to(artifact_in(tmp_path))
    for path, rule in (
        (link, "is a symlink; name the real file"),
        (tmp_path, "is not a regular file"),
        (tmp_path / CANARY, "does not exist"),
    ):
        with pytest.raises(Fault) as caught:
            prepare(recipe_of(), path, cache_in(tmp_path))
        assert str(caught.value) == f"artifact of demo: {rule}"
        assert left(tmp_path) == []


def _edit(path: Path) -> None:
    """Write until the clock of the file system has moved on: two writes in one of its ticks look alike."""
    before = path.stat().st_ctime_ns
    while path.stat().st_ctime_ns == before:
        with path.open("r+b") as handle:
            handle.write(b"INVENTED")


def _edit_unnoticed(path: Path) -> None:
    """Write, and set the time of modification back."""
    before = path.stat()
    _edit(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _replace(path: Path) -> None:
    path.with_name("other").write_bytes(ARTIFACT)
    path.with_name("other").replace(path)


@pytest.mark.parametrize("change", [_edit, _edit_unnoticed, _replace, Path.unlink])
def test_an_artifact_that_changes_while_it_is_read_is_refused(tmp_path, change) -> None:
    """Whatever was read of it then is not what was hashed."""
    adapter = FakeAdapter(before=lambda number, path: change(path) if number == 2 else None)
    os.utime(artifact_in(tmp_path), (1, 1))
    assert refused(tmp_path, adapter) == "artifact of demo: changed while it was read; start again"


def test_an_artifact_that_changes_behind_its_hash_is_refused(tmp_path, monkeypatch) -> None:
    """What is written between hashing and reading is a change, too."""
    check = module.check_artifact

    def checked(pin, path):
        found = check(pin, path)
        _edit(path)
        return found

    monkeypatch.setattr(module, "check_artifact", checked)
    assert refused(tmp_path) == "artifact of demo: changed while it was read; start again"
