"""The scrubadub adapter against scrubadub itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.spans import Span
from pytest_pii_eval.contracts.taxonomy import default_taxonomy
from pytest_pii_eval.detectors.finding import Wanted, build

scrubadub = pytest.importorskip("scrubadub", reason="needs scrubadub")

RECORDS = Path(__file__).parents[2] / "conformance/quality-records.jsonl"
TEXTS = [json.loads(line)["document"]["text"] for line in RECORDS.read_text("utf-8").splitlines()]
LINK = "See http://jo@example.com now"


@pytest.fixture(scope="module")
def american():
    return build(Wanted("scrubadub"))


def test_filths_with_their_types_in_code_points(american):
    """An emoji before them moves both by one."""
    found = american.detect("\N{GRINNING FACE} jo@example.com or 202-555-0147")
    assert found.selected == (Span(2, 16, "email"), Span(20, 32, "phone"))
    assert found.protection == ((2, 16), (20, 32))


def test_a_merged_filth_shows_its_parts_and_protects_the_whole(american):
    """The address inside a link keeps its own type and range; the link is replaced once."""
    found = american.detect(LINK)
    assert found.selected == (Span(4, 25, "url"), Span(11, 25, "email"))
    assert sorted(found.candidates) == sorted(found.selected)
    assert found.protection == ((4, 25),)


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("Number 078-05-1120 or", "social_security_number"),  # published as a sample
        ("Number 219-09-9999 or", "social_security_number"),
        ("Number 666-00-0000 or", "social_security_number"),  # never issued
        ("Number 4111111111111112 or", "credit_card"),  # its check digit is 1
    ],
)
def test_what_is_not_valid_is_a_candidate_and_not_selected(american, text, type_):
    """A detector finds it, and it stays in the text; an address beside it is both."""
    number, email = Span(7, text.index(" or"), type_), Span(len(text) + 1, len(text) + 15, "email")
    found = american.detect(f"{text} jo@example.com")
    assert sorted(found.candidates) == [number, email]
    assert found.selected == (email,)
    assert found.protection == (email[:2],)


def test_candidates_are_those_of_one_text(american):
    """Nothing is left over from the text before, not even where scrubadub raises in the middle of it."""
    american.detect("jo@example.com and 078-05-1120")
    with pytest.raises(TypeError):
        american.detect(None)
    assert american.detect("nothing").candidates == ()


@pytest.mark.filterwarnings("ignore:Filth.replace_with:DeprecationWarning")  # scrubadub's own default path
def test_protection_is_what_clean_replaces(american):
    """Putting scrubadub's placeholders into the protected ranges gives its clean text."""
    scrubber = scrubadub.Scrubber()
    for text in (*TEXTS, LINK):
        filths = list(scrubber.iter_filth(text))
        masked = text
        for (start, end), filth in reversed(list(zip(american.detect(text).protection, filths, strict=True))):
            masked = f"{masked[:start]}{{{{{filth.placeholder}}}}}{masked[end:]}"
        assert masked == scrubber.clean(text)


def test_the_locale_chooses_the_detectors():
    """A British insurance number is one only in Britain."""
    text = "His number is AB 12 34 56 C."
    british = build(Wanted("scrubadub", (("locale", "en_GB"),))).detect(text)
    assert Span(14, 27, "national_insurance_number") in british.selected
    american = build(Wanted("scrubadub", (("locale", "en_US"),))).detect(text)
    assert "national_insurance_number" not in {span.type for span in american.selected}


def test_detectors_are_those_named():
    """Only links are looked for where only links are asked for."""
    only = build(Wanted("scrubadub", (("detectors", "url"),)))
    assert only.detect(LINK).selected == (Span(4, 25, "url"),)


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"locale": "zz_ZZ"}, "locale must be one that Python knows"),
        ({"detectors": "url,nobody"}, "detectors must be of: credential, credit_card, date_of_birth, "),
        ({"detectors": "postalcode"}, "detectors: postalcode does not serve the locale en_US"),
    ],
)
def test_wrong_options_are_one_line(options, rule):
    """A detector that would be silent is refused like one that does not exist."""
    with pytest.raises(Fault, match=rule):
        build(Wanted("scrubadub", tuple(options.items())))


def test_every_type_of_the_catalogue_is_mapped():
    """Only `tagged`, whose types the user makes up, is left out."""
    catalogue = scrubadub.detectors.catalogue.detector_catalogue.get_all().values()
    types = {detector.filth_cls.type for detector in catalogue}
    assert types - set(default_taxonomy().label_maps["scrubadub"]) == {"tagged"}


def test_the_fingerprint_binds_locale_and_detectors(american):
    """Naming what is loaded anyway is the same detector."""
    named = "url,email,phone,credential,credit_card,twitter,social_security_number"
    asked = [{"locale": "en_GB"}, {"detectors": "url"}, {"detectors": "date_of_birth"}]
    prints = {build(Wanted("scrubadub", tuple(options.items()))).fingerprint() for options in asked}
    assert len(prints | {american.fingerprint()}) == 4
    assert build(Wanted("scrubadub", (("detectors", named),))).fingerprint() == american.fingerprint()
