"""Predictions read back: what is looked up, what is refused, and how little is kept of each row."""

from __future__ import annotations

import json
import os
import tracemalloc
from contextlib import closing
from hashlib import sha256

import pytest

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.row_index import RowIndex, RowPlace, check_of
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.replay import Predictions, Unanswered

DIGEST = "sha256:" + "a" * 64
DETECTOR = {
    "name": "mine",
    "version": "1",
    "fingerprint": DIGEST,
    "libraries": {"spacy": "3.8"},
    "label_map": "common",
    "identities": False,
}
TEXT = "Ada met Grüße Moe"
CANARY = "canarydoc"


def header(**changes):
    return {"schema_version": "pii_eval.predictions.v1", "detector": {**DETECTOR, **changes}}


def row(document_id, text=TEXT, selected=((0, 3, "PERSON", 0.5, None),), **changes):
    base = {"candidates": None, "protection": None, "partial": False, "dropped": 0, "failure": None}
    digest = "sha256:" + sha256(text.encode()).hexdigest()
    return {"document_id": document_id, "text_sha256": digest, "selected": list(selected), **base, **changes}


def write(path, *rows):
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8", newline="\n")
    return path


def fault_of(action):
    with pytest.raises(Fault) as caught:
        action()
    assert CANARY not in str(caught.value)
    return str(caught.value)


def test_a_document_is_answered_as_it_was_predicted(tmp_path):
    """Detection and dropped spans come back; what the detector told about itself does, too."""
    rows = [row("a", dropped=3, protection=[[0, 3]]), row("b", "", [], partial=True)]
    with closing(Predictions(write(tmp_path / "p.jsonl", header(), *rows))) as predictions:
        found = Detection((Span(0, 3, "PERSON", 0.5),), None, ((0, 3),))
        assert predictions.answer("a", TEXT) == (found, 3)
        assert predictions.answer("b", "") == (Detection((), partial=True), 0)
        assert predictions.answer("a", TEXT) == (found, 3)
        assert len(predictions) == 2
        facts = predictions.name, predictions.version, predictions.fingerprint, predictions.label_map
        assert facts == ("mine", "1", DIGEST, "common")
        assert (predictions.libraries, predictions.identities) == ({"spacy": "3.8"}, False)


def test_offsets_behind_the_text_are_left_to_who_has_it(tmp_path):
    """They come back as they stand, so that reading the answer drops and counts them."""
    path = write(tmp_path / "p.jsonl", header(), row("a", "Ada", [[0, 99, "PERSON", None, None]]))
    with closing(Predictions(path)) as predictions:
        assert predictions.answer("a", "Ada")[0].selected == (Span(0, 99, "PERSON"),)


def test_an_unknown_document_is_refused(tmp_path):
    """The line says what to do, and no id; it has no place, since the asker knows that of the record."""
    with closing(Predictions(write(tmp_path / "p.jsonl", header(), row("a")))) as predictions:
        told = fault_of(lambda: predictions.answer(CANARY, TEXT))
    assert told == "no prediction for this document; run pii-eval predict again"


def test_a_changed_text_is_refused(tmp_path):
    """Scoring old spans on a new text would be wrong in silence."""
    with closing(Predictions(write(tmp_path / "p.jsonl", header(), row(CANARY)))) as predictions:
        told = fault_of(lambda: predictions.answer(CANARY, TEXT + "."))
    assert told == "its text changed since it was predicted; run pii-eval predict again"


def test_one_id_with_two_texts_is_two_documents(tmp_path):
    """Two directories may name documents alike; each is answered by its own text."""
    rows = [row("a", "Ada", [[0, 1, "A", None, None]]), row("a", "Moe", [[0, 2, "B", None, None]])]
    with closing(Predictions(write(tmp_path / "p.jsonl", header(), *rows))) as predictions:
        assert predictions.answer("a", "Ada")[0].selected == (Span(0, 1, "A"),)
        assert predictions.answer("a", "Moe")[0].selected == (Span(0, 2, "B"),)


def test_a_document_without_an_answer_raises_its_reason(tmp_path):
    """The caller counts it as failed, under the reason that predicting noted."""
    rows = [row("a", selected=[], failure="KeyError in mine.py:7")]
    with closing(Predictions(write(tmp_path / "p.jsonl", header(), *rows))) as predictions:
        with pytest.raises(Unanswered) as caught:
            predictions.answer("a", TEXT)
        assert caught.value.reason == "KeyError in mine.py:7"
        assert predictions.failures == {"KeyError in mine.py:7": 1}


def test_the_same_document_twice_is_refused(tmp_path):
    """The fault names both lines, across files too."""
    write(tmp_path / "predictions-a.jsonl", header(), row("x"), row(CANARY))
    write(tmp_path / "predictions-b.jsonl", header(), row(CANARY))
    assert fault_of(lambda: Predictions(tmp_path)) == (
        "predictions-b.jsonl:2: document_id: predicts a document with the same text a second time;"
        " the first is predictions-a.jsonl:3"
    )


def test_a_directory_is_all_its_files_of_predictions(tmp_path):
    """Other files in it are not read."""
    write(tmp_path / "predictions-a.jsonl", header(), row("a"))
    write(tmp_path / "predictions.jsonl", header(), row("b"))
    write(tmp_path / "quality-records.jsonl", {"no": "predictions"})
    with closing(Predictions(tmp_path)) as predictions:
        assert len(predictions) == 2
        assert predictions.answer("b", TEXT)[1] == 0
        assert predictions.answer("a", TEXT)[1] == 0


@pytest.mark.parametrize("field", ["fingerprint", "version", "identities", "libraries"])
def test_files_of_two_detectors_are_refused(tmp_path, field):
    """One run scores one detector; the fault names the field and both files."""
    other = {"fingerprint": "sha256:" + "b" * 64, "version": "2", "identities": True, "libraries": {}}
    write(tmp_path / "predictions-a.jsonl", header())
    write(tmp_path / "predictions-b.jsonl", header(**{field: other[field]}))
    assert fault_of(lambda: Predictions(tmp_path)) == (
        f"predictions-b.jsonl:1: detector.{field}: differs from that of predictions-a.jsonl;"
        " one run scores one detector"
    )


def test_every_row_is_checked_when_the_file_is_opened(tmp_path):
    """The first fault is one line with file, line, field and rule."""
    path = write(tmp_path / "p.jsonl", header(), row("a"), row(CANARY, selected=[[3, 1, "A", None, None]]))
    assert fault_of(lambda: Predictions(path, shown=lambda one: f"shown/{one.name}")) == (
        "shown/p.jsonl:3: selected[0][1]: must lie behind start (start 3, end 1)"
    )


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "p.jsonl: is empty; run pii-eval predict again"),
        (b"{}\n", "p.jsonl:1: schema_version: is missing"),
        (json.dumps(row(CANARY)).encode() + b"\n", "p.jsonl:1: is no header; the first row"),
        (json.dumps(header()).encode(), "p.jsonl:1: last line does not end with a line feed"),
        (b"\xef\xbb\xbf{}\n", "p.jsonl:1: starts with a UTF-8 byte order mark"),
        (json.dumps(header()).encode() + b'\n{"a": 1, "a": 2}\n', "p.jsonl:2: duplicate key"),
        (json.dumps(header()).encode() + b"\n\n", "p.jsonl:2: blank line"),
    ],
)
def test_a_broken_file_is_one_line(tmp_path, content, told):
    """The strictness of every JSON Lines file holds here too."""
    (tmp_path / "p.jsonl").write_bytes(content)
    assert fault_of(lambda: Predictions(tmp_path / "p.jsonl")).startswith(told)


def test_what_is_no_file_is_refused(tmp_path):
    """A missing file, a symlink, and a directory without predictions each say so."""
    (tmp_path / "link.jsonl").symlink_to(write(tmp_path / "p.jsonl", header()))
    (tmp_path / "folder").mkdir()
    assert fault_of(lambda: Predictions(tmp_path / "no.jsonl")) == "no.jsonl: does not exist"
    told = fault_of(lambda: Predictions(tmp_path / "link.jsonl"))
    assert told == "link.jsonl: is a symlink; name the real file"
    told = fault_of(lambda: Predictions(tmp_path / "folder"))
    assert told == "folder: holds no file named predictions*.jsonl"


def test_a_file_that_changed_meanwhile_is_refused(tmp_path):
    """One byte of the row is enough."""
    path = write(tmp_path / "p.jsonl", header(), row("a"))
    with closing(Predictions(path)) as predictions:
        content = path.read_bytes()
        with path.open("r+b") as handle:
            handle.write(content.replace(b"0.5", b"0.6"))
        told = fault_of(lambda: predictions.answer("a", TEXT))
    assert told == "the predictions in p.jsonl changed while the run went on; run again"


def test_closing_lets_go_of_every_file(tmp_path):
    """Also where the second of two files is refused."""
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else None  # noqa: PTH112, PTH208  # a count
    write(tmp_path / "predictions-a.jsonl", header(), row("a"))
    with closing(Predictions(tmp_path)):
        pass
    write(tmp_path / "predictions-b.jsonl", header(), {"broken": 1})
    fault_of(lambda: Predictions(tmp_path))
    if before is not None:
        assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208  # a count


def test_an_index_finds_every_row_it_was_given():
    """5,000 documents of 3 texts each are found, none else is, and a second mention returns the first."""
    index = RowIndex()
    places = {(f"d{n}", f"t{m}"): RowPlace(n % 256, n << 20, n, m) for n in range(5_000) for m in range(3)}
    for key, place in places.items():
        assert index.add(*key, place) is None
    assert all(index.find(*key) == place for key, place in places.items())
    assert index.add("d7", "t1", RowPlace(0, 0, 0, 0)) == places["d7", "t1"]
    assert (index.find("d7", "t3"), index.knows("d7"), index.knows("d5000")) == (None, True, False)
    assert len(index) == 15_000


def test_an_index_finds_no_document_across_two_fields():
    """A row whose bytes hash to what an id hashes to does not make the index know that id."""
    index = RowIndex()
    index.add("a", "t", RowPlace(0, 0, 0, check_of(b"other")))
    assert not index.knows("other")


def test_an_index_keeps_under_60_bytes_a_row():
    """Ids, texts and spans are not kept: 50,000 rows take less than 3 MB."""
    tracemalloc.start()
    index = RowIndex()
    for number in range(50_000):
        index.add(f"a/long/document/id/{number}", DIGEST, RowPlace(0, number * 100, 99, 1))
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert kept < 60 * 50_000
