"""Facts of the GLiNER adapter, on models made here whose answers can be worked out by hand."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

pytest.importorskip("gliner", reason="needs the extra gliner")

import torch
from gliner import GLiNER
from tiny_gliner import Word, finder, probability

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.spans import Detection
from pytest_pii_eval.detectors.adapters.gliner import LABELS, GlinerDetector
from pytest_pii_eval.detectors.finding import Wanted, build

WORDS = {
    "john": Word("person", 1.0, 1.0),
    "mary": Word("person", 1.0, 0.0),
    "smith": Word("person", 0.0, 1.25),
    "kim": Word("person", 1.0, 0.5),
    "paris": Word("city", 1.0, 1.0),
}
ASKED = ("person", "city")
ANSWERS = """
import json, sys
from pytest_pii_eval.detectors.finding import Wanted, build
made = [build(Wanted("gliner", options, ())) for options in json.loads(sys.argv[1])]
print(json.dumps([[one.fingerprint(), one.detect("John").selected] for one in made]))
"""
pytestmark = pytest.mark.filterwarnings(
    # The library says that it clips where the tests ask it to show so.
    "ignore:Sentence of length .* has been truncated:UserWarning"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the folder of a model that clips at 384 words and 512 tokens."""
    return finder(tmp_path_factory.mktemp("finder"), WORDS)


def places(spans):
    """Return the spans without scores."""
    return [(span.start, span.end, span.type) for span in spans]


def alone(folder, text, **options):
    """Return the places that the library finds by itself."""
    model = GLiNER.from_pretrained(str(folder), local_files_only=True)
    found = model.predict_entities(text, list(ASKED), **options)
    return [(entity["start"], entity["end"], entity["label"]) for entity in found]


def test_the_best_of_overlapping_spans_is_selected_and_all_are_candidates(folder):
    """Of "John", "John Smith", and "Kim", which is at its weakest, the last is only a candidate."""
    options = {"model": str(folder), "labels": "person, city", "threshold": "0.8"}
    answer = build(Wanted("gliner", options, ())).detect("John Smith and also Kim in Paris")
    assert places(answer.selected) == [(0, 10, "person"), (27, 32, "city")]
    assert places(answer.candidates) == [
        (0, 4, "person"),
        (0, 10, "person"),
        (20, 23, "person"),
        (27, 32, "city"),
    ]
    expected = [probability(1, 1), probability(1, 1.25), probability(1, 0.5), probability(1, 1)]
    assert [span.score for span in answer.candidates] == pytest.approx(expected, abs=1e-5)


def test_a_span_at_or_below_the_floor_is_no_candidate(folder):
    """The weakest scores 0.5 exactly: it is above a floor of 0.4 and not above one of 0.6."""
    for floor, count in ((0.4, 1), (0.6, 0)):
        detector = GlinerDetector(folder, labels=ASKED, threshold=0.9, floor=floor)
        assert len(detector.detect("Kim").candidates) == count


def test_nested_spans_stay_where_flat_is_false(folder):
    """The library's rule: overlaps are allowed where one span lies in the other."""
    detector = GlinerDetector(folder, labels=ASKED, flat="false")
    found = places(detector.detect("x John Smith").selected)
    assert sorted(found) == [(2, 6, "person"), (2, 12, "person")]


@pytest.mark.parametrize("text", ["", " \t\n", "\0\x01", "x"])
def test_a_text_without_names_has_no_entities(folder, text):
    """Nothing, white space, control characters and a plain word are no error."""
    assert GlinerDetector(folder, labels=ASKED).detect(text) == Detection((), ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\U0001f600 John", [(2, 6, "person")]),
        ("\u0130\u0130 John", [(3, 7, "person")]),
        ("\u05e9\u05dc\u05d5\u05dd John\r\n\u4f60\u597d Paris", [(5, 9, "person"), (14, 19, "city")]),
        ("J\u00f3hn", [(0, 4, "person")]),
    ],
    ids=["emoji", "longer in lower case", "scripts", "accent"],
)
def test_offsets_are_code_points_of_the_given_text(folder, text, expected):
    """Neither wide characters nor those that normalisation changes shift a span."""
    assert places(GlinerDetector(folder, labels=ASKED).detect(text).selected) == expected


@pytest.mark.parametrize("flat", [True, False])
def test_a_text_of_one_window_is_answered_as_the_library_does(folder, flat):
    """The same spans in the same order, with overlaps resolved or not."""
    text = "Mary Smith John x Smith Paris John Mary Kim Smith Paris John"
    found = places(GlinerDetector(folder, labels=ASKED, flat=flat).detect(text).selected)
    assert found == alone(folder, text, flat_ner=flat)
    assert (0, 10, "person") in found


def test_a_word_that_the_tokenizer_removes_shifts_what_follows(folder):
    """The library's own fault, measured and not mended: a zero-width joiner moves "John" onto "x"."""
    text = "\u200d x John"
    assert places(GlinerDetector(folder, labels=ASKED).detect(text).selected) == [(2, 3, "person")]
    assert alone(folder, text) == [(2, 3, "person")]


def test_a_name_is_found_at_every_place_of_a_long_text(tmp_path):
    """In windows of 16 words that share 8, all that stands in 40 is found once, and whole."""
    detector = GlinerDetector(finder(tmp_path, WORDS, max_len=16), labels=ASKED)
    for before in range(39):
        text = " ".join(["x"] * before + ["Mary", "Smith"] + ["x"] * (38 - before))
        answer = detector.detect(text)
        assert places(answer.selected) == [(2 * before, 2 * before + 10, "person")]
        assert len(answer.candidates) == 1
    assert alone(tmp_path, "x " * 16 + "Mary Smith") == []


def test_overlaps_are_resolved_across_windows(tmp_path):
    """Windows of 8 words that share 4 part at word 6: "John" is owned by one, "Mary Smith" by the next."""
    detector = GlinerDetector(finder(tmp_path, WORDS, max_len=8), labels=ASKED, overlap=4)
    text = "x x x x x John Mary Smith x x x x"
    answer = detector.detect(text)
    assert places(answer.candidates) == [(10, 14, "person"), (10, 25, "person"), (15, 25, "person")]
    assert places(answer.selected) == [(10, 25, "person")]


def test_words_of_many_tokens_shorten_the_window(tmp_path):
    """Fewer than 384 words, but of 8 tokens each, where the tokenizer clips at 64: the second trap."""
    finder(tmp_path, WORDS, length=64)
    detector = GlinerDetector(tmp_path, labels=ASKED)
    for before in range(0, 60, 3):
        text = "xxxxxxxx " * before + "Mary Smith" + " xxxxxxxx" * 10
        assert places(detector.detect(text).selected) == [(9 * before, 9 * before + 10, "person")]
    assert alone(tmp_path, "xxxxxxxx " * 10 + "Mary Smith") == []


def test_a_word_longer_than_a_window_hides_no_other(tmp_path):
    """A word of 99 tokens where the tokenizer clips at 64 stands alone."""
    detector = GlinerDetector(finder(tmp_path, WORDS, length=64), labels=ASKED)
    text = "John " + "x" * 99 + " Paris"
    assert places(detector.detect(text).selected) == [(0, 4, "person"), (105, 110, "city")]


def test_only_what_is_asked_for_is_found(folder):
    """The labels are given to the model with the text, and named in its answers as they were given."""
    assert places(GlinerDetector(folder, labels=["city"]).detect("John in Paris").selected) == [
        (8, 13, "city")
    ]
    assert GlinerDetector(folder)._labels == list(LABELS)


def test_the_fingerprint_binds_model_and_options_but_no_place(folder, tmp_path):
    """A copy elsewhere has the same; other weights and other options have not."""
    copy, other = tmp_path / "copy", tmp_path / "other"
    shutil.copytree(folder, copy)
    finder(other, WORDS | {"kim": Word("person", 1.0, 0.6)})
    shutil.copy(copy / "gliner_config.json", other)
    made = GlinerDetector(folder).fingerprint()
    assert made == GlinerDetector(copy).fingerprint()
    options = ({"labels": "person"}, {"threshold": 0.6}, {"floor": 0.2}, {"flat": False}, {"overlap": 9})
    others = [GlinerDetector(other), *(GlinerDetector(folder, **one) for one in options)]
    assert len({made, *(one.fingerprint() for one in others)}) == 7


def test_another_process_answers_the_same_from_folder_and_hub(folder, tmp_path):
    """A hub's model is bound to the commit behind its revision; a folder's leaves no trace in caches."""
    home, hub = tmp_path / "home", tmp_path / "hub"
    for commit, revisions in (("a" * 40, ("main", "same")), ("b" * 40, ("old",))):
        shutil.copytree(folder, hub / "models--acme--finder" / "snapshots" / commit)
        for revision in revisions:
            reference = hub / "models--acme--finder" / "refs" / revision
            reference.parent.mkdir(exist_ok=True)
            reference.write_text(commit)
    known = {"model": "acme/finder", "labels": "person"}
    local = known | {"model": str(folder)}
    asked = [local, known, known | {"revision": "same"}, known | {"revision": "old"}]
    caches = {"HOME": home, "XDG_CACHE_HOME": home, "HF_HOME": home, "HF_HUB_CACHE": hub, "HF_HUB_OFFLINE": 1}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ANSWERS, json.dumps(asked)],
        capture_output=True,
        check=True,
        env=os.environ | {name: str(value) for name, value in caches.items()},
    )
    fingerprints, answers = zip(*json.loads(done.stdout), strict=True)
    here = GlinerDetector(folder, labels="person")
    assert fingerprints[0] == here.fingerprint()
    assert fingerprints[1] == fingerprints[2]
    assert len(set(fingerprints)) == 3
    assert list(answers) == [[list(span) for span in here.detect("John").selected]] * 4
    assert not home.exists()


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"labels": " , "}, "labels must name at least one label"),
        ({"threshold": "x"}, "threshold must be a number from 0 to 1"),
        ({"flat": "yes"}, "flat must be true or false"),
        ({"overlap": "-1"}, "overlap must be a number from 0 to 1e+06"),
        ({"revision": "main"}, "revision is for the id of a model on a hub, not for a folder"),
        ({"model": "a/b/c"}, "model is no folder that exists and no id of a model on a hub"),
    ],
)
def test_wrong_options_are_refused_in_one_line(folder, options, rule):
    """Each message names the option and what it may be."""
    with pytest.raises(Fault) as caught:
        build(Wanted("gliner", {"model": str(folder), **options}, ()))
    assert str(caught.value) == f"--pii-detector-option: {rule}"


def test_labels_that_fill_the_window_are_refused(tmp_path):
    """They stand before each window: thirty of them leave nothing of 64 tokens."""
    finder(tmp_path, WORDS, length=64)
    with pytest.raises(Fault, match="the labels leave no room for text"):
        GlinerDetector(tmp_path, labels=[f"{number}" for number in range(70)])


@pytest.mark.parametrize(("change", "refused"), [("lacks one", True), ("has one more", False)])
def test_weights_must_be_all_there(folder, tmp_path, change, refused):
    """The library fills what is lacking with random numbers, in silence; what is too much is harmless."""
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    weights = torch.load(tmp_path / "pytorch_model.bin", weights_only=True)
    if change == "lacks one":
        weights.pop("prompt_rep_layer.0.weight")
    else:
        weights["position_ids"] = torch.zeros(1)
    torch.save(weights, tmp_path / "pytorch_model.bin")
    if refused:
        with pytest.raises(Fault, match="the weights of the model lack a part"):
            GlinerDetector(tmp_path)
    else:
        assert places(GlinerDetector(tmp_path, labels=ASKED).detect("John").selected) == [(0, 4, "person")]
