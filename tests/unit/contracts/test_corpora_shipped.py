"""The shipped corpora file, pin by pin, against what was read in public repositories."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from pytest_pii_eval.contracts.corpora_file import Pin, read_corpora
from pytest_pii_eval.contracts.taxonomy import default_taxonomy

SHIPPED = Path(__file__).parents[3] / "corpora.yaml"


_SHIPPED = {
    "nemotron-pii": (
        (
            "https://huggingface.co/datasets/nvidia/Nemotron-PII/resolve/"
            "b70ffaf5ff39e079776134c5bf4381f00a9fd1ed/data/test-00000-of-00001.parquet"
        ),
        None,
        "1a4b0512ecb5370f0992d29d0f9c07351e6de13f0d7ea33bb18cecb984780247",
        "CC BY 4.0",
    ),
    "gretel-finance-en": (
        (
            "https://huggingface.co/datasets/gretelai/synthetic_pii_finance_multilingual/resolve/"
            "7b844d16738527a04264f50214cb426a4cea0897/data/English_test-00000-of-00001.parquet"
        ),
        None,
        "c02b06d3c5b7c375525136d6f74acc52ab8fc07fa863d0aa50734910ec0ef2ad",
        "Apache-2.0",
    ),
    "open-pii-masking-500k": (
        (
            "https://huggingface.co/datasets/ai4privacy/open-pii-masking-500k-ai4privacy/resolve/"
            "506996d625ed970a0063432daf6007cf4a3a48e3/data/validation/test.jsonl"
        ),
        141_836_910,
        "4e908e60d8d88f90015301e1ab4a8b7899ec713f1fc903860e1d9e0b91677ebf",
        "CC BY 4.0",
    ),
    "spy": (
        (
            "https://raw.githubusercontent.com/LogicZMaksimka/SPY_Dataset/"
            "5baabd6c6a9a1d7b971d301878f182bcbe53b0cb/data/legal_questions_placeholders.jsonl"
        ),
        None,
        None,
        "none stated in the repository",
    ),
    "tab-echr": (
        (
            "https://raw.githubusercontent.com/NorskRegnesentral/text-anonymization-benchmark/"
            "558e09e26d6b36f5f78440074e6a233946d98bd9/echr_test.json"
        ),
        None,
        "cd0f0f15f84a8739654c7cf30c6be8ce27b051ef73974d39d792a0cb8c846379",
        "MIT",
    ),
    "cmu-enron-meetings": (
        "https://www.cs.cmu.edu/~einat/EnronMeetings-XML.zip",
        568_012,
        "e7d8dbd9e066eddd6d706a041e379ca93daf9e441a73009646ead41e94a60202",
        "none stated",
    ),
}


def test_the_shipped_pins_are_those_of_the_issue() -> None:
    """Six corpora, with addresses, byte counts and hashes as they were read in public repositories."""
    pins = read_corpora(SHIPPED).pins
    assert list(pins) == list(_SHIPPED)
    for key, (url, size, digest, licence) in _SHIPPED.items():
        one = pins[key]
        assert (one.source.url, one.size, one.licence) == (url, size, licence), key
        assert one.sha256 == (digest and f"sha256:{digest}"), key


_HUB = ("*.hf.co",)

_READ = {
    "nemotron-pii": {
        "redirects": _HUB,
        "adapter": "spans",
        "options": {
            "text": "text",
            "spans": "spans",
            "encoding": "python",
            "value": "text",
            "document_id": "uid+locale",
            "template_id": "uid",
        },
        "label_map": "nemotron_pii",
        "split_key": "template_id",
        "languages": ("en",),
        "in_domain_for": frozenset({"nvidia/gliner-PII"}),
        "max_quarantined": 300,
    },
    "gretel-finance-en": {
        "redirects": _HUB,
        "adapter": "spans",
        "options": {
            "text": "generated_text",
            "spans": "pii_spans",
            "encoding": "json",
            "document_id": "row",
        },
        "label_map": "gretel_finance",
        "split_key": "document_id",
        "languages": ("en",),
    },
    "open-pii-masking-500k": {
        "redirects": _HUB,
        "adapter": "spans",
        "options": {
            "text": "source_text",
            "spans": "privacy_mask",
            "encoding": "list",
            "value": "value",
            "document_id": "uid",
        },
        "label_map": "open_pii_masking",
        "split_key": "document_id",
        "languages": ("de", "en", "es", "fr", "hi", "it", "nl", "te"),
    },
    "spy": {
        "adapter": "spy",
        "options": {"seed": "0", "faker": "40.63.0"},
        "label_map": "spy",
        "split_key": "template_id",
        "languages": ("en",),
    },
    "tab-echr": {
        "adapter": "tab",
        "options": {"identifiers": "DIRECT+QUASI", "annotators": "union"},
        "label_map": "tab",
        "excluded_labels": frozenset({"MISC", "QUANTITY"}),
        "split_key": "document_id",
        "languages": ("en",),
        "regions": ("judgment",),
        "exclusions": ("no_mask_mentions",),
    },
    "cmu-enron-meetings": {
        "adapter": "cmu-enron-meetings",
        "options": {},
        "label_map": "cmu_enron_meetings",
        "split_key": "document_id",
        "split_role": "train",
        "languages": ("en",),
        "regions": ("calendar_message",),
        "exclusions": ("names_in_email_addresses", "names_in_organizations_and_locations"),
        "gaps": (
            ("cmu-enron-meetings.known_novel", "known_novel", "identity_linkage_unavailable"),
            ("cmu-enron-meetings.head_tail", "head_tail", "identity_frequency_unavailable"),
            ("cmu-enron-meetings.alternate_view", "alternate_view", "one_text_view_published"),
        ),
    },
}

_ELSE = {
    "redirects": (),
    "excluded_labels": frozenset(),
    "split_role": "test",
    "label_strength": "independent",
    "completeness": "exhaustive_within_scope",
    "regions": ("document",),
    "exclusions": (),
    "in_domain_for": frozenset(),
    "max_quarantined": 0,
    "gaps": (),
    "bindings": None,
}
"""What a pin of the table above says where that is silent."""


@pytest.mark.parametrize("key", _READ)
def test_a_shipped_pin_says_how_it_is_read(key) -> None:
    """Hosts, adapter, options, labels, roles, scope and gaps: each field of each pin, by hand."""
    pin = read_corpora(SHIPPED).pins[key]
    found = {name: getattr(pin, name) for name in (_READ[key] | _ELSE) if name != "redirects"}
    found |= {"redirects": pin.source.redirects, "options": dict(pin.options)}
    assert found == _ELSE | _READ[key]


def test_every_field_of_a_pin_is_held() -> None:
    """The tables of this module and the words below are all that a pin has."""
    held = {*_ELSE, *_READ["spy"]} - {"redirects"}
    rest = {"key", "source", "size", "sha256", "licence", "redistribution", "fingerprint"}
    assert {field.name for field in fields(Pin)} == held | rest
    assert all(one.redistribution for one in read_corpora(SHIPPED).pins.values())


def test_the_shipped_pins_have_the_commits_of_their_addresses() -> None:
    """An https source has none; the file alone names no gates."""
    file = read_corpora(SHIPPED)
    assert {key: one.source.revision for key, one in file.pins.items()} == {
        key: next((part for part in url.split("/") if len(part) == 40), None)
        for key, (url, *_) in _SHIPPED.items()
    }
    assert (file.suite.gates, file.suite.floors) == ((), ())


def test_the_shipped_label_maps_have_the_labels_of_their_corpora() -> None:
    """As many as the publishers say."""
    maps, pins = default_taxonomy().label_maps, read_corpora(SHIPPED).pins
    assert {key: len(maps[one.label_map]) for key, one in pins.items()} == {
        "nemotron-pii": 55,
        "gretel-finance-en": 29,
        "open-pii-masking-500k": 20,
        "spy": 7,
        "tab-echr": 6,
        "cmu-enron-meetings": 1,
    }
