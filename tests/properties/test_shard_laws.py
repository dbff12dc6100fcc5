"""Laws of shards and batches: they add up in any order and grouping, and each counts once under its key."""

from __future__ import annotations

import json
from collections import Counter
from functools import reduce
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from test_scoring_laws import SCOPE, documents

from pytest_pii_eval.cluster.batches import Batch
from pytest_pii_eval.cluster.mapped import Mapped
from pytest_pii_eval.cluster.merge import Merge
from pytest_pii_eval.collection.quality.shard_evidence import (
    ShardEvidence,
    SlicePart,
    Totals,
    unpacked_account,
    unpacked_evidence,
    unpacked_part,
)
from pytest_pii_eval.scoring.latency import Latency
from pytest_pii_eval.scoring.offset_hint import OffsetFits
from pytest_pii_eval.scoring.tally import score_documents

SLICES = ("people", "mail", "everyone")

counts = st.integers(0, 1_000)
named = st.dictionaries(st.sampled_from(["a", "b", "c"]), st.integers(1, 99))
parts = st.builds(
    lambda population, fits, unmapped, out: SlicePart(
        score_documents(population, SCOPE), fits, unmapped, out
    ),
    st.lists(documents, max_size=2),
    st.builds(OffsetFits, counts, counts, counts),
    named,
    named,
)


def account(
    documents: int, predictions: int, failed: dict[str, int], sums: tuple[int, int], at: int
) -> dict[str, Any]:
    """What a shard says of its documents; one of them took `at` microseconds."""
    latency = Latency()
    latency.add(10, at / 1e6, warm=at % 2 == 0)
    content, gold = (f"{one:0128x}" for one in sums)
    return {
        "documents": documents,
        "predictions": predictions,
        "failed": failed,
        "first_failure": None,
        "latency": json.loads(json.dumps(latency.packed())),
        "content": content,
        "gold": gold,
    }


sums = st.integers(0, 2**512 - 1)
accounts = st.builds(account, counts, counts, named, st.tuples(sums, sums), st.integers(1, 9_000))
shards = st.builds(ShardEvidence, st.dictionaries(st.sampled_from(SLICES), parts, max_size=3), accounts)


@settings(max_examples=40, deadline=None)
@given(parts, parts, parts)
def test_parts_are_a_commutative_monoid(one: SlicePart, two: SlicePart, three: SlicePart) -> None:
    """Merging is associative and commutative, and `SlicePart()` is neutral."""
    assert one.merge(two) == two.merge(one)
    assert one.merge(two).merge(three) == one.merge(two.merge(three))
    assert one.merge(SlicePart()) == SlicePart().merge(one) == one


@settings(max_examples=40, deadline=None)
@given(parts, parts)
def test_every_field_of_a_part_is_a_sum(one: SlicePart, two: SlicePart) -> None:
    """Fits, unmapped and out-of-scope predictions of both sides are there, by Python's own sums."""
    both = one.merge(two)
    assert both.evidence == one.evidence.merge(two.evidence)
    assert both.fits == tuple(map(sum, zip(one.fits, two.fits, strict=True)))
    assert Counter(both.unmapped) == Counter(one.unmapped) + Counter(two.unmapped)
    assert Counter(both.out_of_scope) == Counter(one.out_of_scope) + Counter(two.out_of_scope)


@settings(max_examples=40, deadline=None)
@given(shards)
def test_a_packed_shard_is_the_shard(shard: ShardEvidence) -> None:
    """Whole, by slice and by account; a slice it has nothing of is neutral."""
    text = shard.packed()
    assert unpacked_evidence(text) == shard
    assert unpacked_account(text) == shard.account
    for name in SLICES:
        assert unpacked_part(text, name) == shard.slices.get(name, SlicePart())


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.sampled_from("klmn"), shards), st.data())
def test_totals_count_each_key_once_in_any_order(
    found: dict[str, ShardEvidence], data: st.DataObject
) -> None:
    """However often and in what order shards come, each slice is the sum of its parts."""
    once = data.draw(st.permutations(list(found)))
    again = data.draw(st.lists(st.sampled_from(once), max_size=6)) if once else []
    totals, seen = Totals(), set[str]()
    for key in [*again, *once]:
        assert totals.add(key, found[key]) is (key not in seen)
        seen.add(key)
    for name in SLICES:
        has = [shard.slices[name] for _, shard in sorted(found.items()) if name in shard.slices]
        assert totals.of(name) == reduce(SlicePart.merge, has, SlicePart())


class Directory:
    """What a merge tells of documents and gold."""

    def __init__(self) -> None:
        self.learned: list[tuple[bytes, bool]] = []

    def count(self, *_: object) -> None:
        """Documents are not looked at here."""

    def learn(self, gold_digests: bytes, *, has_identities: bool) -> None:
        """Note what is told of gold."""
        self.learned.append((gold_digests, has_identities))


facts = st.tuples(shards, counts, counts, st.booleans(), st.sampled_from(["same", "same", "other"]))


@settings(max_examples=40, deadline=None)
@given(st.lists(facts, min_size=1, max_size=5), st.data())
def test_a_merge_counts_each_batch_once(found: list[tuple[Any, ...]], data: st.DataObject) -> None:
    """A batch that comes again, at any time, changes nothing; every figure is the sum, by hand."""
    batches = [Batch(number, number % 2, 0, 1) for number in range(len(found))]
    mapped = [
        Mapped(rows, shard.packed(), b"", b"", (), gold, has, bytes(32), subject, None)
        for shard, rows, gold, has, subject in found
    ]
    directory = Directory()
    merge = Merge(directory, ["one.jsonl", "two.jsonl"], "same")
    for number in range(len(found)):
        for repeated in [number, *data.draw(st.lists(st.integers(0, number), max_size=2))]:
            merge.add(batches[repeated], mapped[repeated])
    accounts = [shard.account for shard, *_ in found]
    made = merge.account()
    assert made["documents"] == sum(one["documents"] for one in accounts)
    assert made["predictions"] == sum(one["predictions"] for one in accounts)
    assert Counter(made["failed"]) == sum((Counter(one["failed"]) for one in accounts), Counter())
    for name in ("content", "gold"):
        assert int(made[name], 16) == sum(int(one[name], 16) for one in accounts) % 2**512
    assert answered(made["latency"]) == len(found)
    assert merge.gold == sum(gold for _, _, gold, _, _ in found)
    assert merge.agrees is all(subject == "same" for *_, subject in found)
    assert directory.learned == [(bytes(32), has) for _, _, _, has, _ in found]
    for file in (0, 1):
        assert merge.rows_before(file) == sum(rows for _, rows, _, _, _ in found[file::2])


def answered(latency: dict[str, Any]) -> int:
    """The documents that a packed latency counts, warm-up and bands together."""
    return latency["warm_up"][2] + sum(number for counts in latency["bands"].values() for _, number in counts)
