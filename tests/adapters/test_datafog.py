"""The DataFog adapter against DataFog itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.spans import Span
from pytest_pii_eval.contracts.taxonomy import default_taxonomy
from pytest_pii_eval.detectors.finding import Wanted, build

datafog = pytest.importorskip("datafog", reason="needs datafog")

RECORDS = Path(__file__).parents[2] / "conformance/quality-records.jsonl"
TEXTS = [json.loads(line)["document"]["text"] for line in RECORDS.read_text("utf-8").splitlines()]
CARD = "\N{GRINNING FACE} e\N{COMBINING ACUTE ACCENT} jo@example.com pays with 4111 1111 1111 1111"


@pytest.fixture(scope="module")
def expressions():
    return build(Wanted("datafog"))


def test_entities_in_code_points_with_their_confidence(expressions):
    """An emoji and a combining accent are one code point each."""
    found = expressions.detect(CARD)
    assert found.selected == (Span(5, 19, "EMAIL", 1.0), Span(30, 49, "CREDIT_CARD", 1.0))
    assert found.protection == ((5, 19), (30, 49))
    assert found.candidates is None


def test_spans_hold_the_string_that_datafog_reports(expressions):
    """Offsets and reported strings agree on every shipped record."""
    for text in TEXTS:
        expected = [(one.text, one.type) for one in datafog.scan(text).entities]
        assert [
            (text[span.start : span.end], span.type) for span in expressions.detect(text).selected
        ] == expected


def test_protection_is_what_redact_replaces(expressions):
    """Putting DataFog's tokens into the protected ranges gives its redacted text."""
    for text in (*TEXTS, CARD):
        redacted = datafog.redact(text)
        masked = text
        pairs = zip(expressions.detect(text).protection, redacted.mapping, strict=True)
        for (start, end), token in reversed(list(pairs)):
            masked = f"{masked[:start]}{token}{masked[end:]}"
        assert masked == redacted.redacted_text


def test_entities_and_locales_change_what_is_looked_for():
    """German numbers come with the locale, and only what is named is reported."""
    text = "IBAN DE89370400440532013000, jo@example.com"
    german = build(Wanted("datafog", (("locales", "de"),))).detect(text)
    assert german.selected == (Span(5, 27, "DE_IBAN", 1.0), Span(29, 43, "EMAIL", 1.0))
    mail = build(Wanted("datafog", (("locales", "de"), ("entities", "EMAIL")))).detect(text)
    assert mail.selected == (Span(29, 43, "EMAIL", 1.0),)


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"engine": "magic"}, "engine must be one of: regex, spacy, gliner, smart"),
        ({"entities": "EMAIL,NOBODY"}, "entities must be of: ADDRESS, CREDIT_CARD, "),
        ({"locales": "xx"}, "the detector datafog could not be built: ValueError"),
    ],
)
def test_wrong_options_are_one_line(options, rule):
    """An entity that DataFog would look for in vain is refused like an engine that does not exist."""
    with pytest.raises(Fault, match=rule):
        build(Wanted("datafog", tuple(options.items())))


def test_an_engine_whose_model_is_not_there_is_refused_when_it_is_built(monkeypatch):
    """The model is looked for at once, not at the first document."""
    from datafog import engine  # noqa: PLC0415  # may not be installed

    monkeypatch.setattr(engine, "_get_spacy_annotator", lambda: engine._UnavailableAnnotator("not there"))
    with pytest.raises(Fault, match="the detector datafog could not be built: EngineNotAvailable"):
        build(Wanted("datafog", (("engine", "spacy"),)))


def test_what_the_other_engines_misplace_is_handed_on(monkeypatch):
    """Their entities are looked up by string: what is not in the text has no place, and is not given one."""
    from datafog import engine  # noqa: PLC0415  # may not be installed

    class Annotator:
        def annotate(self, text):
            return {"PERSON": ["Jo Moe", "Nobody"] if text else []}

    monkeypatch.setattr(engine, "_get_spacy_annotator", Annotator)
    found = build(Wanted("datafog", (("engine", "spacy"),))).detect("Ask Jo Moe.")
    assert found.selected == (Span(-1, -1, "PERSON", 0.7), Span(4, 10, "PERSON", 0.7))
    assert found.protection == ((4, 10),)


def test_every_entity_is_mapped():
    """The map covers all types that DataFog knows."""
    from datafog.engine import ALL_ENTITY_TYPES  # noqa: PLC0415  # may not be installed

    assert set(default_taxonomy().label_maps["datafog"]) == ALL_ENTITY_TYPES


def test_the_fingerprint_binds_the_options(expressions):
    """Each option makes another detector; the order of entities does not."""
    asked = [{"locales": "de"}, {"entities": "EMAIL"}, {"entities": "EMAIL,SSN"}]
    prints = {build(Wanted("datafog", tuple(options.items()))).fingerprint() for options in asked}
    assert len(prints | {expressions.fingerprint()}) == 4
    turned = build(Wanted("datafog", (("entities", "SSN,EMAIL"),)))
    assert turned.fingerprint() in prints
