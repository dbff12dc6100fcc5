"""Facts of the transformers adapter, on models made here whose answers can be worked out by hand."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

pytest.importorskip("torch", reason="needs the extra transformers")
pytest.importorskip("transformers", reason="needs the extra transformers")

from tiny_models import SPECIAL, tagger

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.spans import Detection
from pytest_pii_eval.detectors.adapters.transformers import TransformersDetector
from pytest_pii_eval.detectors.finding import Wanted, build

LABELS = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC")
PIECES = {
    "john": ("B-PER", 0.99),
    "jose": ("B-PER", 0.99),
    "smith": ("I-PER", 0.9),
    "##son": ("I-PER", 0.9),
    "paris": ("B-LOC", 0.6),
    "anna": ("B-PER", 0.6),
    "##bel": ("B-LOC", 0.9),
}
ANSWERS = """
import json, sys
from pytest_pii_eval.detectors.finding import Wanted, build
made = [build(Wanted("transformers", options, ())) for options in json.loads(sys.argv[1])]
print(json.dumps([[one.fingerprint(), one.detect("John").selected] for one in made]))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the folder of a model that clips at 512 tokens."""
    return tagger(tmp_path_factory.mktemp("tagger"), LABELS, PIECES)


def places(spans):
    """Return the spans without scores."""
    return [(span.start, span.end, span.type) for span in spans]


def test_the_spans_below_the_threshold_are_candidates_only(folder):
    """Entities keep the model's labels without prefix and the mean of their words' probabilities."""
    answer = build(Wanted("transformers", {"model": str(folder), "threshold": "0.7"}, ())).detect(
        "Hello John Smith lives in Paris"
    )
    assert places(answer.selected) == [(6, 16, "PER")]
    assert places(answer.candidates) == [(6, 16, "PER"), (26, 31, "LOC")]
    assert [span.score for span in answer.candidates] == pytest.approx([0.945, 0.6], abs=1e-5)


def test_without_a_threshold_there_is_no_policy_step(folder):
    """All entities are selected, and candidates are unknown rather than equal."""
    answer = TransformersDetector(folder).detect("John in Paris")
    assert places(answer.selected) == [(0, 4, "PER"), (8, 13, "LOC")]
    assert answer.candidates is None


@pytest.mark.parametrize("text", ["", " \t\n", "\0\x01"])
def test_a_text_without_words_has_no_entities(folder, text):
    """Nothing, white space and control characters, which the tokenizer removes, are no error."""
    assert TransformersDetector(folder, threshold=0.5).detect(text) == Detection((), ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\U0001f600 John", [(2, 6, "PER")]),
        ("\U0001f469\u200d\U0001f4bb\U0001f469\u200d\U0001f4bb John", [(7, 11, "PER")]),
        ("\u0130\u0130 John", [(3, 7, "PER")]),
        ("Jos\u00e9 Smith", [(0, 10, "PER")]),
        ("\u05e9\u05dc\u05d5\u05dd John\r\n\u4f60\u597d Paris", [(5, 9, "PER"), (14, 19, "LOC")]),
        ("a\0b John", [(4, 8, "PER")]),
    ],
    ids=["emoji", "joined", "longer in lower case", "accent", "scripts", "removed character"],
)
def test_offsets_are_code_points_of_the_given_text(folder, text, expected):
    """Neither wide characters nor those that normalisation changes, adds or removes shift a span."""
    assert places(TransformersDetector(folder).detect(text).selected) == expected


def test_a_combining_mark_at_the_end_is_left_out_by_the_tokenizer(folder):
    """The tokenizer strips the accent before it counts: the span ends at the letter, one code point early."""
    assert places(TransformersDetector(folder).detect("Jose\u0301 x").selected) == [(0, 4, "PER")]


def test_a_name_is_found_at_every_place_of_a_long_text(tmp_path):
    """In windows of 16 tokens that share 3, all that stands in 40 words is found once, and whole."""
    detector = TransformersDetector(tagger(tmp_path, LABELS, PIECES, length=16))
    for before in range(39):
        text = " ".join(["x"] * before + ["John", "Smith"] + ["x"] * (38 - before))
        assert places(detector.detect(text).selected) == [(2 * before, 2 * before + 10, "PER")]


def test_of_an_entity_longer_than_the_stride_the_pipeline_keeps_the_longer_part(tmp_path):
    """Windows of 6 words that share 2 see its words 3 to 5 and 4 to 7: word 3 is lost; sharing 5 mends it."""
    folder = tagger(tmp_path, LABELS, PIECES, length=8)
    text = "x x x John Smith Smith Smith Smith x x x x"
    assert places(TransformersDetector(folder, stride=2).detect(text).selected) == [(11, 34, "PER")]
    assert places(TransformersDetector(folder, stride=5).detect(text).selected) == [(6, 34, "PER")]


def test_a_tokenizer_that_states_no_length_is_held_to_the_table_of_positions(tmp_path):
    """Without the limit of 20 tokens the model would fail on its 21st."""
    detector = TransformersDetector(tagger(tmp_path, LABELS, PIECES, length=None, positions=20))
    assert places(detector.detect("x " * 200 + "John").selected) == [(400, 404, "PER")]


@pytest.mark.parametrize(
    ("aggregation", "expected"),
    [
        ("simple", [(0, 4, "PER", 0.6), (4, 7, "LOC", 0.9)]),
        ("first", [(0, 7, "PER", 0.6)]),
        ("average", [(0, 7, "LOC", 0.5)]),
        ("max", [(0, 7, "LOC", 0.9)]),
    ],
)
def test_an_aggregation_settles_a_word_whose_pieces_disagree(folder, aggregation, expected):
    """Of a word of two pieces, 0.6 person and 0.9 place; the mean of place is (0.1 + 0.9) / 2."""
    found = TransformersDetector(folder, aggregation=aggregation).detect("Annabel").selected
    assert [(*span[:3], pytest.approx(span.score, abs=1e-5)) for span in found] == expected


@pytest.mark.parametrize("batch", [1, 4])
def test_a_batch_answers_as_one_by_one(tmp_path, batch):
    """Texts of several windows, of none and twice the same: one answer each, in order."""
    detector = TransformersDetector(tagger(tmp_path, LABELS, PIECES, length=16), batch=batch)
    texts = ["John " * 40, "", "Paris", "x " * 50 + "Jose Smith", "Paris"]
    assert list(detector.detect_batch(texts)) == [detector.detect(text) for text in texts]
    assert [len(answer.selected) for answer in detector.detect_batch(texts)] == [40, 0, 1, 1, 1]
    assert list(detector.detect_batch([])) == []


def test_the_fingerprint_binds_model_and_options_but_no_place(folder, tmp_path):
    """A copy elsewhere has the same; other weights, another threshold, window or aggregation have not."""
    copy, other = tmp_path / "copy", tmp_path / "other"
    shutil.copytree(folder, copy)
    (copy / "README.md").write_text("Read me.")
    tagger(other, LABELS, PIECES | {"john": ("B-PER", 0.98)})
    made = TransformersDetector(folder).fingerprint()
    assert made == TransformersDetector(copy).fingerprint()
    others = [
        TransformersDetector(other),
        TransformersDetector(folder, threshold=0.5),
        TransformersDetector(folder, window=300, stride=100),
        TransformersDetector(folder, stride=100),
        TransformersDetector(folder, aggregation="first"),
        TransformersDetector(folder, ignore="O,PER"),
    ]
    assert len({made, *(one.fingerprint() for one in others)}) == 7


def test_another_process_answers_the_same_from_folder_and_hub(folder, tmp_path):
    """A hub's model is bound to the commit behind its revision; a folder's leaves no trace in caches."""
    home, hub = tmp_path / "home", tmp_path / "hub"
    for commit, revisions in (("a" * 40, ("main", "same")), ("b" * 40, ("old",))):
        shutil.copytree(folder, hub / "models--acme--tagger" / "snapshots" / commit)
        for revision in revisions:
            reference = hub / "models--acme--tagger" / "refs" / revision
            reference.parent.mkdir(exist_ok=True)
            reference.write_text(commit)
    known = {"model": "acme/tagger"}
    asked = [{"model": str(folder)}, known, known | {"revision": "same"}, known | {"revision": "old"}]
    caches = {"HOME": home, "XDG_CACHE_HOME": home, "HF_HOME": home, "HF_HUB_CACHE": hub, "HF_HUB_OFFLINE": 1}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ANSWERS, json.dumps(asked)],
        capture_output=True,
        check=True,
        env=os.environ | {name: str(value) for name, value in caches.items()},
    )
    fingerprints, answers = zip(*json.loads(done.stdout), strict=True)
    here = TransformersDetector(folder)
    assert fingerprints[0] == here.fingerprint()
    assert fingerprints[1] == fingerprints[2]
    assert len(set(fingerprints)) == 3
    assert list(answers) == [[list(span) for span in here.detect("John").selected]] * 4
    assert not home.exists()


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"aggregation": "none"}, "aggregation must be one of: simple, first, average, max"),
        ({"threshold": "2"}, "threshold must be a number from 0 to 1"),
        ({"window": "513"}, "window must be a number from 4 to 512"),
        ({"window": "10", "stride": "8"}, "stride must be a number from 0 to 7"),
        ({"revision": "main"}, "revision is for the id of a model on a hub, not for a folder"),
        ({"model": "/nowhere/model"}, "model is no folder that exists and no id of a model on a hub"),
        ({"device": "abacus"}, "device must be one of PyTorch, as cpu or cuda:0"),
        ({"batch": "0"}, "batch must be a number from 1 to 4096"),
    ],
)
def test_wrong_options_are_refused_in_one_line(folder, options, rule):
    """Each message names the option and what it may be."""
    with pytest.raises(Fault) as caught:
        build(Wanted("transformers", {"model": str(folder), **options}, ()))
    assert str(caught.value) == f"--pii-detector-option: {rule}"


def test_threads_limit_pytorch(folder, monkeypatch):
    """The option is handed on as a number."""
    asked = []
    monkeypatch.setattr("torch.set_num_threads", asked.append)
    TransformersDetector(folder, threads="3")
    assert asked == [3]


def test_a_tokenizer_without_offsets_is_refused(folder, tmp_path):
    """Canine's tokenizer is no fast one: it knows no offsets, and the pipeline would clip."""
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    (tmp_path / "tokenizer.json").unlink()
    (tmp_path / "tokenizer_config.json").write_text('{"tokenizer_class": "CanineTokenizer"}')
    with pytest.raises(Fault, match="the tokenizer is not a fast one"):
        TransformersDetector(tmp_path)


def test_a_model_without_trained_weights_for_its_task_is_refused(tmp_path):
    """The loader would fill the head with random numbers, and only warn."""
    network = pytest.importorskip("transformers").BertModel
    tagger(tmp_path, LABELS, PIECES)
    bare = network.from_pretrained(tmp_path)
    bare.save_pretrained(tmp_path)
    with pytest.raises(Fault, match="no trained weights for token classification"):
        TransformersDetector(tmp_path)


def test_the_tiny_tokenizer_clips(folder):
    """The trap that all this is about: asked plainly, the tokenizer drops what is beyond its length."""
    tokenizer = TransformersDetector(folder)._pipeline.tokenizer
    assert len(tokenizer("x " * 1000, truncation=True)["input_ids"]) == 512
    assert tokenizer.convert_ids_to_tokens(range(len(SPECIAL))) == list(SPECIAL)
