"""The file that says what became of the documents of a shard: whole under its name, or not there."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from pytest_pii_eval.collection.quality.books import Asked
from pytest_pii_eval.collection.quality.shards import Scoring, Shard
from pytest_pii_eval.collection.quality.spool import spooled
from pytest_pii_eval.contracts.records import Record
from pytest_pii_eval.contracts.spans import Detection, GoldSpan, Span
from pytest_pii_eval.scoring.documents import Document, Scope

SHARD = Shard("shard-00001", Path("/data/records.jsonl"), "records.jsonl", 0, 1, 1, frozenset("ab"), (1, 2))
BOTH, MAIL = Scope(frozenset({"mail", "person"})), Scope(frozenset({"mail"}))
SCORING = Scoring(SimpleNamespace(), SimpleNamespace(), None, {"a": BOTH, "b": BOTH, "c": MAIL}, Path("/"))


def test_slices_of_one_scope_share_a_view(tmp_path):
    """Two slices of both types and one of mail: two views, and no word of the text."""
    record = Record("d1", "canary text", "body", "test", (GoldSpan(0, 6, "person"),), ("a", "b", "c"))
    document = Document(11, record.gold, Detection((Span(0, 6, "mail"),)))
    with spooled(tmp_path, "key", SHARD, SCORING) as spool:
        spool.note(Asked(7, record, ["a", "b", "c"]), document, None)
    (path,) = tmp_path.iterdir()
    assert path.name == "key.outcomes"
    _, told = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    assert told["slices"] == {"a": 0, "b": 0, "c": 1}
    assert told["views"] == [
        [[[0, "person", 0, 6, "wrong_type", "mail", False]], [["mail", 0, 6, "overlap"]]],
        [[], [["mail", 0, 6, "extra"]]],
    ]
    assert "canary" not in json.dumps(told)


def test_a_scan_that_fails_leaves_nothing(tmp_path):
    """Neither under its name nor under another; what an earlier process left whole stays."""
    (tmp_path / "key.outcomes").write_text("whole", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt), spooled(tmp_path, "key", SHARD, SCORING):
        raise KeyboardInterrupt
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == ["whole"]


def test_a_second_scan_replaces_the_first(tmp_path):
    """The last one that is whole counts: its evidence is what was stored."""
    (tmp_path / "key.outcomes").write_text("of a process that died", encoding="utf-8")
    with spooled(tmp_path, "key", SHARD, SCORING):
        pass
    (line,) = (tmp_path / "key.outcomes").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["file"] == "records.jsonl"
