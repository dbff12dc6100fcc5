"""The shipped corpora file, pin by pin, against what was read in public repositories."""

from __future__ import annotations

from pathlib import Path

from pytest_pii_eval.contracts.corpora_file import read_corpora
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


def test_the_shipped_pins_say_how_they_are_read() -> None:
    """Label maps, roles and in-domain marks are those that the corpora need."""
    pins = read_corpora(SHIPPED).pins
    maps = default_taxonomy().label_maps
    sizes = {key: len(maps[one.label_map]) for key, one in pins.items()}
    assert (sizes["nemotron-pii"], sizes["gretel-finance-en"]) == (55, 29)
    assert {key for key, one in pins.items() if one.in_domain_for} == {"nemotron-pii"}
    assert {key: one.split_role for key, one in pins.items() if one.split_role != "test"} == {
        "cmu-enron-meetings": "train"
    }
    assert [gap.dimension for gap in pins["cmu-enron-meetings"].gaps] == [
        "known_novel",
        "head_tail",
        "alternate_view",
    ]
    assert {key for key, one in pins.items() if one.split_key == "template_id"} == {"nemotron-pii", "spy"}
    assert {key: one.max_quarantined for key, one in pins.items() if one.max_quarantined} == {
        "nemotron-pii": 300
    }
