"""One report whatever order, files, shard size and processes; and what changes which fingerprint."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from conftest import NAME, NAME_ID, literal
from pytest_pii_eval import BankDetector, evaluate, load_bank

GATES = """
gates:
  - {slice: "*", metric: leaks, max: 0}
  - {slice: contact, metric: recall, type: person, min: 0.5}
  - {slice: mail, metric: precision, min: open}
"""
FLAGS = ("--pii-min-recall=0.5",)
# What a change of the inputs may change; the others bind this package, the engine and its libraries.
PLAN = {"slice_plan", "quality_protocol", "quality_run"}
POLICY = {"quality_policy", "quality_protocol", "quality_run"}
CONTENT = {"gold", "quality_protocol", "catalog_bindings", "quality_run"}


def reordered(value: Any) -> Any:
    """Return a JSON value with the keys of every object in reverse order."""
    if isinstance(value, dict):
        return {key: reordered(value[key]) for key in reversed(value)}
    return [reordered(inner) for inner in value] if isinstance(value, list) else value


def gated(quality):
    """Give the suite gates, of which some fail."""
    quality.suite_file = GATES
    return quality.write()


def test_schedules_and_shard_sizes_give_the_same_bytes(quality):
    """Serial and two workers, shards of 1, 7 and 1000 documents: one report, byte for byte."""
    assert gated(quality).run(*FLAGS).ret == 1
    plain = quality.report_text()
    assert '"recall": {' in plain
    for arguments in (
        ("-n2",),
        ("--pii-shard-size=1",),
        ("-n2", "--dist=worksteal", "--pii-shard-size=1"),
        ("--pii-shard-size=7",),
        ("--pii-shard-size=1000",),
    ):
        assert quality.run(*FLAGS, *arguments).ret == 1
        assert quality.report_text() == plain


def test_order_and_files_give_the_same_bytes(quality):
    """Shuffled rows, reversed keys and lists, rows over two files, shuffled items: one report."""
    gated(quality).run(*FLAGS)
    plain = quality.report_text()
    shuffle = random.Random(5).shuffle  # noqa: S311  # a fixed order, not a secret
    for rows in (quality.records, quality.slices, quality.gaps):
        shuffle(rows)
    for row in quality.records:
        row["gold_spans"].reverse()
        row["slice_ids"].reverse()
    for row in quality.slices:
        row["annotation_scope"]["entity_classes"].reverse()
    for name in ("records", "slices", "gaps"):
        setattr(quality, name, reordered(getattr(quality, name)))
    gated(quality).run(*FLAGS)
    assert quality.report_text() == plain
    quality.write_rows("quality-records.jsonl", quality.records[:2])
    quality.write_rows("quality-records-more.jsonl", quality.records[2:])
    quality.write_rows("quality-slices.jsonl", quality.slices[:3])
    quality.write_rows("quality-slices-more.jsonl", quality.slices[3:])
    for arguments in ((), ("-n2", "--pii-shard-size=1"), ("-v", "--randomly-seed=3")):
        friends = ("randomly",) if "-v" in arguments else ()
        assert quality.run(*FLAGS, *arguments, friends=friends).ret == 1
        assert quality.report_text() == plain


def change_text(quality):
    """Add a character to a text, behind its gold."""
    quality.record("pair")["document"]["text"] += "!"


def change_gold(quality):
    """Take one character of a gold span away."""
    quality.record("meeting")["gold_spans"][1]["end"] -= 1


def change_membership(quality):
    """Take a document out of one of its slices."""
    quality.record("order")["slice_ids"].remove("people")


def change_document_id(quality):
    """Name a document otherwise."""
    quality.record("order")["document"]["document_id"] += "x"


def change_identity(quality):
    """Say that a cataloged occurrence is not cataloged."""
    quality.record("pair")["gold_spans"][0]["catalog_identity"] = None


def change_flag(quality):
    """Say of a slice that its view holds fields that give answers away."""
    quality.slice("people")["text_view_descriptor"]["answer_bearing_fields_included"] = True


def change_gap(quality):
    """Give another reason for a gap."""
    quality.gaps[0]["reason_code"] = "too_late"


def change_limit(quality):
    """Ask one gate for less."""
    quality.suite_file = GATES.replace("0.5", "0.25")


def change_types(quality):
    """Score persons only, by the suite file; no gate speaks of other types."""
    quality.suite_file = GATES + "types: [person]\n"


def change_bank(quality):
    """Add a pattern that matches nowhere."""
    names = quality.bank["entities"]["person"]["names"]
    names[NAME_ID]["patterns"]["spare"] = literal("Nobody Here")


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        (change_text, CONTENT),
        (change_gold, CONTENT),
        (change_membership, CONTENT),
        (change_document_id, CONTENT),
        (change_identity, {"catalog_bindings", "quality_run"}),
        (change_flag, PLAN),
        (change_gap, PLAN),
        (change_limit, POLICY),
        (change_types, POLICY),
        (change_bank, {"bank", "quality_run"}),
    ],
)
def test_a_change_shows_in_exactly_its_fingerprints(quality, change, changed):
    """One change of the inputs changes the fingerprints that bind it, and no other."""
    quality.suite_file = GATES
    before = prints(quality)
    change(quality)
    after = prints(quality)
    assert before.keys() == after.keys()
    assert {name for name in before if before[name] != after[name]} == changed


def prints(quality):
    """Return the fingerprints of the suite, evaluated in this process."""
    return quality.evaluated().fingerprints


def test_options_show_in_the_fingerprints(quality):
    """A flag and `--pii-types` change the policy, as the suite file does."""
    quality.write().run()
    before = quality.report()["fingerprints"]
    for option in ("--pii-max-leaks=5", "--pii-types=person"):
        quality.run(option)
        after = quality.report()["fingerprints"]
        assert {name for name in before if before[name] != after[name]} == POLICY


def test_a_taxonomy_shows_in_the_fingerprints(quality):
    """Another class for a type changes the taxonomy, and the protocol with it."""
    before = prints(quality)
    document = {"version": "mine", "types": {"email": "contact", "person": "person"}}
    (quality.path / "taxonomy.json").write_text(json.dumps(document), encoding="utf-8")
    quality.suite_file = "taxonomy: taxonomy.json\n"
    after = prints(quality)
    assert {name for name in before if before[name] != after[name]} == {
        "taxonomy",
        "quality_protocol",
        "quality_run",
    }


def test_evaluate_gives_what_pytest_gives(quality):
    """`evaluate` with the same bank gives the slices, gates, gaps and fingerprints of a pytest run."""
    quality.slices.append(  # a promotion gate without documents is in both
        dict(quality.slice("contact"), id="promoted", split_role="test", promotion_gate=True)
    )
    assert gated(quality).run().ret == 1
    told = quality.report()
    bank = load_bank(quality.path / "bank.json")
    report = evaluate(quality.path, BankDetector(bank), shard_size=2).model_dump(mode="json")
    del told["run"], report["run"]
    assert report == told
    assert told["slices"]["contact"]["counts"]["documents"] == 5
    assert {gate["slice"] for gate in told["gates"] if gate["verdict"] == "fail"} == {
        "contact",
        "people",
        "promoted",
    }
    assert NAME not in json.dumps(report)


def test_evaluate_narrows_types_as_pytest_does(quality):
    """`types` of `evaluate` and `--pii-types` give the same slices."""
    quality.write().run("--pii-types=person")
    bank = load_bank(quality.path / "bank.json")
    report = evaluate(quality.path, BankDetector(bank), types=["person"]).model_dump(mode="json")
    assert report["slices"] == quality.report()["slices"]
    assert report["slices"]["contact"]["types"] == ["person"]
    assert quality.values("contact", "recall", "leaks", "precision") == [(1, 3), 1, (1, 1)]
