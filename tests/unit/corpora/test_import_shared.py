"""`pii-eval import` on the two shared corpora: one command each, both in one, and a small detector scored."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from pytest_pii_eval import evaluate
from pytest_pii_eval.cli import main
from pytest_pii_eval.detectors.finding import Wanted, build

SHARED = Path(__file__).parents[3].parent / "shared" / "corpora"
POLISH = SHARED / "pl_pii_bench.jsonl"
FILLED = SHARED / "presidio_templates_faker.jsonl"
MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
pytestmark = pytest.mark.skipif(not POLISH.is_file(), reason="the shared corpora are not here")


def find_mail(text):
    """Return what looks like a mail address."""
    return [(*found.span(), "email") for found in MAIL.finditer(text)]


def rows_of(path):
    """Return the rows of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_both_are_one_suite_by_one_command(tmp_path, capsys):
    """Two label maps cover both files; counts are those of the files themselves."""
    maps = ["--label-map=presidio", "--label-map=pl_pii_bench", "--option=template_id=template_id"]
    out = tmp_path / "both"
    assert main(["import", "spans", str(POLISH), str(FILLED), *maps, f"--out={out}"]) == 0
    assert capsys.readouterr().out.startswith(
        f"{out}: 2,681 documents, 8,510 spans of 20 types, 0 quarantined; now: pytest "
    )
    rows = rows_of(POLISH) + rows_of(FILLED)
    held = rows_of(out / "quality-records.jsonl")
    assert [row["document"]["text"] for row in held] == [row["text"] for row in rows]
    assert sum(len(row["gold_spans"]) for row in held) == sum(len(row["spans"]) for row in rows)
    assert sum("negative" in row["slice_ids"] for row in held) == sum(not row["spans"] for row in rows) == 164
    templates = {row["template_id"] for row in rows_of(out / "quality-provenance.jsonl")}
    assert len(templates) == 116 + 209


def test_an_imported_corpus_is_evaluated(tmp_path):
    """Gold and hits of the slice of mail addresses are those of a count over the file."""
    arguments = [str(POLISH), "--label-map=pl_pii_bench", f"--out={tmp_path / 'own'}"]
    assert main(["import", "spans", *arguments]) == 0
    report = evaluate(tmp_path / "own", build(Wanted(f"{__name__}:find_mail")))
    wanted: Counter[str] = Counter()
    for row in rows_of(POLISH):
        gold = {(start, end) for start, end, label in row["spans"] if label == "EMAIL"}
        found = {one.span() for one in MAIL.finditer(row["text"])}
        wanted.update(gold=len(gold), tp=len(gold & found), pred=len(found))
    counts = report.slices["class.email"].by_type["email"].counts
    assert {name: counts[name] for name in wanted} == dict(wanted)
    assert wanted["gold"] == 30
    assert report.slices["all"].metrics["recall"].denominator == 4460
