"""Fragments and archives of the CMU Enron Meetings corpus against nerb 0.0.12.

What nerb refuses is refused here. Meant to be stricter than nerb, each with a test at the end: look-alikes
with one bracket, with an escaped one, of another form of the words, or that appear when a marker leaves;
labels of white space that is not ASCII; archives whose bytes do not all belong to one entry.
"""

from __future__ import annotations

import hashlib
import io
import json
import random
import re
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.adapters.cmu_enron import CmuEnronAdapter
from pytest_pii_eval.corpora.true_names import parse_fragment

nerb = pytest.importorskip("nerb.enron_annotations")

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOP = "EnronMeetings-XML/"
BUNCHES = ("train/bunch1", "train/bunch2", "train/bunch3", "test/bunch4")
MARKERS = ("<true_name>", "</true_name>")
LABELS = tuple(
    f"<true_name>{inner}</true_name>" for inner in ("Ada", " Bo\r\n", "\u00a0Zo\u00eb", "\U0001d4b3")
)
PLAIN = (
    "a",
    " ",
    "\r\n",
    "Zo\u00eb",
    "\U0001f600",
    "\u00a0",
    "<b>",
    "</b>",
    "<",
    ">",
    "<>",
    "&lt;",
    "true name",
    "\ufeff",
)
LOOKALIKES = ("<True_Name>", "< true_name>", "<true-name >", "</true\tname>", "<x true_name>", "<TRUENAME/>")
PIECES = st.sampled_from([*LABELS, *LABELS, *MARKERS, *PLAIN, *PLAIN, *LOOKALIKES])
FRAGMENTS = st.lists(PIECES, max_size=7).map("".join)


def theirs(source: str) -> tuple[str, tuple[tuple[int, int], ...]] | None:
    """What nerb makes of a fragment; None where it refuses it."""
    try:
        parsed = nerb.parse_cmu_annotation_fragment(source.encode())
    except nerb.EnronAnnotationError:
        return None
    return parsed.text, tuple((span.start, span.end) for span in parsed.spans)


def ours(source: str) -> tuple[str, tuple[tuple[int, int], ...]] | None:
    """What this package makes of it; None where it refuses it."""
    try:
        return tuple(parse_fragment(source.encode()))  # type: ignore[return-value]  # a named pair becomes a plain one
    except Fault:
        return None


def meant_to_differ(text: str, spans: tuple[tuple[int, int], ...]) -> bool:
    """Whether a document that nerb reads is refused here on purpose; told by simple means.

    Either the two words stand in a text that has a bracket left, or a label is white space.
    """
    letters = "".join(re.findall("[a-z<>]", text.replace("&lt;", "<").casefold()))
    bracketed = "truename" in letters and ("<" in letters or ">" in letters)
    return bracketed or any(text[start:end].isspace() for start, end in spans)


@settings(max_examples=50, deadline=None)
@given(st.lists(FRAGMENTS, min_size=20, max_size=60))
def test_fragments_are_read_alike(sources: list[str]) -> None:
    """Some two thousand fragments: equal texts and spans, or refused by both, or meant to differ."""
    for source in sources:
        here, there = ours(source), theirs(source)
        if here is None and there is not None:
            assert meant_to_differ(*there), source
        else:
            assert here == there, source


@pytest.mark.parametrize(
    "source",
    [
        "<true_name",
        "true_name>",
        "&lt;true_name&gt;",
        "<true_names>",
        "<true.name>",
        "\uff1ctrue_name\uff1e",
        "</tr<true_name>ue_name>Ada</true_name>",
        "<true_name>\u00a0</true_name>",
    ],
)
def test_where_fragments_are_meant_to_differ(source: str) -> None:
    """Nerb takes each for text or for a label; here it is refused."""
    assert theirs(source) is not None
    assert ours(source) is None


def generated(seed: int) -> dict[str, str]:
    """A few dozen fragments by member name: labels, plain pieces, no two equal."""
    chance = random.Random(seed)  # noqa: S311  # a generator of tests
    names = [f"{TOP}{bunch}/x{bunch[-1]}__calendar__{n}.txt" for bunch in BUNCHES for n in range(8)]
    chance.shuffle(names)
    return {
        name: f"{number}: " + "".join(chance.choices([*LABELS, *PLAIN], k=chance.randrange(12)))
        for number, name in enumerate(names)
    }


def packed(members: dict[str, str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """The archive of these members, without folders."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return target.getvalue()


def ingested(payload: bytes, populations: dict[str, Any], tmp_path: Path) -> Iterator[tuple[Any, ...]]:
    """Yield role, text and spans of what nerb writes into its private run."""
    (tmp_path / "EnronMeetings-XML.zip").write_bytes(payload)
    nerb.ingest_cmu_enron_annotations(
        nerb.EnronAnnotationIngestOptions(
            archive_path=tmp_path / "EnronMeetings-XML.zip",
            output_dir=tmp_path / "run",
            fixture_mode=True,
            fixture_expected_sha256=hashlib.sha256(payload).hexdigest(),
            fixture_expected_populations=populations,
            allow_unignored_output=True,
        )
    )
    documents, labels = (
        [json.loads(line) for line in (tmp_path / "run" / name).read_text(encoding="utf-8").splitlines()]
        for name in ("documents.jsonl", "person_labels.jsonl")
    )
    for document, label in zip(documents, labels, strict=True):
        spans = tuple((span["start"], span["end"]) for span in label["spans"])
        yield document["role"], document["text"], spans


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_an_archive_gives_equal_documents(method: int, tmp_path: Path) -> None:
    """Texts, spans, roles and counts; ids differ by design."""
    members = {name: text for name, text in generated(seed=method).items() if theirs(text) and ours(text)}
    payload = packed(members, method)
    (tmp_path / "ours.zip").write_bytes(payload)
    drafts = list(CmuEnronAdapter(fixture="yes").read(tmp_path / "ours.zip"))
    populations = {
        role: {
            "documents": sum(f"/{role}/" in name for name in members),
            "spans": sum(text.count("<true_name>") for name, text in members.items() if f"/{role}/" in name),
        }
        for role in ("train", "test")
    }
    here = [(draft.role, draft.text, tuple(span[:2] for span in draft.spans)) for draft in drafts]
    assert len(here) > 20
    assert sorted(here) == sorted(ingested(payload, populations, tmp_path))


def test_damaged_archives_are_never_read_where_nerb_refuses_them(tmp_path: Path) -> None:
    """One byte changed at a time, each seventh byte: what is read here is read by nerb, to the same texts."""
    payload = packed(dict(list(generated(seed=5).items())[:6]), zipfile.ZIP_STORED)
    path, read = tmp_path / "damaged.zip", 0
    for at in range(0, len(payload), 7):
        damaged = bytearray(payload)
        damaged[at] ^= 0x20
        path.write_bytes(damaged)
        try:
            drafts = list(CmuEnronAdapter(fixture="yes").read(path))
        except Fault:
            continue
        read += 1
        documents, _ = nerb._parse_archive(bytes(damaged), archive_sha256=hashlib.sha256(damaged).hexdigest())
        assert sorted(draft.text for draft in drafts) == sorted(document.text for document in documents)
    assert read > 5


def test_where_archives_are_meant_to_differ(tmp_path: Path) -> None:
    """Nerb reads past bytes before the first entry; here an archive holds its entries alone."""
    payload = b"MZ before" + packed(generated(seed=6))
    path = tmp_path / "before.zip"
    path.write_bytes(payload)
    assert nerb._parse_archive(payload, archive_sha256=hashlib.sha256(payload).hexdigest())[0]
    with pytest.raises(Fault, match="belong to none of them"):
        list(CmuEnronAdapter(fixture="yes").read(path))
