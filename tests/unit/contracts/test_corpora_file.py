"""The corpora file: what a pin is, and what its fingerprint binds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corpora_pins import PIN, REVISION, document, parsed, pin

from pytest_pii_eval.contracts.corpora_file import read_corpora
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.slices import Unsupported

OTHER = "f" * 40


def test_a_pin_is_what_its_entry_says() -> None:
    """Every field has its value, paths are those beside the file."""
    read = parsed(document(), "folder").pins["demo"]
    assert read.source.url == f"https://huggingface.co/datasets/some/corpus/resolve/{REVISION}/d/a%20b.jsonl"
    assert (read.source.path, read.source.revision, read.source.redirects) == (None, REVISION, ())
    assert (read.key, read.size, read.sha256) == ("demo", 1200, "sha256:" + "a" * 64)
    assert (read.adapter, dict(read.options), read.label_map) == ("spans", {"text": "text"}, "gretel_finance")
    assert (read.excluded_labels, read.exclusions) == ({"verb"}, ("quoted",))
    assert (read.split_key, read.split_role, read.max_quarantined) == ("template_id", "test", 3)
    assert (read.regions, read.languages, read.in_domain_for) == (("body",), ("en",), {"vendor/model-1"})
    assert read.gaps == (Unsupported("demo.head_tail", "head_tail", "unknown"),)
    assert read.bindings == Path("folder/side/bindings.jsonl")


def test_what_may_be_left_out() -> None:
    """Optional fields are empty where they are absent, and an unverified size or hash is none."""
    names = (
        "options",
        "excluded_labels",
        "exclusions",
        "in_domain_for",
        "unsupported",
        "catalog_bindings",
        "notes",
    )
    read = pin(**dict.fromkeys(names), bytes="unverified", sha256="unverified")
    assert (read.options, read.excluded_labels, read.exclusions, read.in_domain_for) == ({}, set(), (), set())
    assert (read.gaps, read.bindings, read.size, read.sha256) == ((), None, None, None)


@pytest.mark.parametrize(
    ("source", "url", "path", "revision"),
    [
        ({"kind": "https", "url": "https://a.example/x/y.zip"}, "https://a.example/x/y.zip", None, None),
        (
            {"kind": "git", "repository": "some/thing", "revision": REVISION, "path": "a/b.json"},
            f"https://raw.githubusercontent.com/some/thing/{REVISION}/a/b.json",
            None,
            REVISION,
        ),
        ({"kind": "local", "path": "own/x.jsonl"}, None, "own/x.jsonl", None),
    ],
)
def test_each_kind_of_source(source, url, path, revision) -> None:
    """An address is the file at the commit, a local path stays as it is."""
    read = pin(source=source).source
    assert (read.url, read.path, read.revision) == (url, path, revision)
    assert read.file_name == (url or path).rsplit("/", 1)[1]


def test_labels_may_be_types() -> None:
    """Where labels are types, any of them may be excluded."""
    assert pin(label_map="types", excluded_labels=["person"]).excluded_labels == {"person"}


def test_a_taxonomy_beside_the_file(tmp_path) -> None:
    """Label maps are those of the taxonomy that the file names."""
    taxonomy = "version: v1\ntypes: {person: person}\nlabel_maps: {own: {NAME: person}}\n"
    (tmp_path / "t.yaml").write_text(taxonomy, "utf-8")
    own = document(label_map="own", top={"taxonomy": "t.yaml"})
    (tmp_path / "corpora.yaml").write_text(json.dumps(own), "utf-8")
    assert read_corpora(tmp_path / "corpora.yaml").taxonomy.types == {"person": "person"}


def test_a_linked_file_is_refused(tmp_path) -> None:
    """A symlink is no corpora file."""
    (tmp_path / "real.yaml").write_text(json.dumps(document()), "utf-8")
    (tmp_path / "corpora.yaml").symlink_to(tmp_path / "real.yaml")
    with pytest.raises(Fault, match=r"^corpora\.yaml: is a symlink"):
        read_corpora(tmp_path / "corpora.yaml")


@pytest.mark.parametrize(
    "changes",
    [
        {"source": PIN["source"] | {"revision": OTHER}},
        {"source": PIN["source"] | {"path": "d/other.jsonl"}},
        {"source": PIN["source"] | {"repository": "some/other"}},
        {"bytes": "1201"},
        {"bytes": "unverified"},
        {"sha256": "b" * 64},
        {"adapter": "tab"},
        {"options": {"text": "body"}},
        {"options": {"text": "text", "value": "text"}},
        {"label_map": "spy"},
        {"excluded_labels": ["adverb"]},
        {"excluded_labels": None},
        {"split_key": "document_id"},
        {"split_role": "train"},
        {"label_strength": "structured_weak"},
        {"annotation_completeness": "partial"},
        {"regions": ["body", "title"]},
        {"exclusions": ["other"]},
        {"max_quarantined": "4"},
        {"unsupported": [{"dimension": "head_tail", "reason_code": "other"}]},
        {"key": "other"},
    ],
)
def test_the_fingerprint_binds_what_decides(changes) -> None:
    """Each field that decides the records or what they may be used for makes another fingerprint."""
    assert pin(**changes).fingerprint != pin().fingerprint


@pytest.mark.parametrize(
    "changes",
    [
        {"licence": "MIT"},
        {"redistribution": "ask"},
        {"notes": None},
        {"in_domain_for": ["other"]},
        {"languages": ["de"]},
        {"catalog_bindings": None},
    ],
)
def test_the_fingerprint_leaves_out_what_does_not(changes) -> None:
    """Licence, notes and what is only told of a corpus leave it as it is."""
    assert pin(**changes).fingerprint == pin().fingerprint


def test_the_fingerprint_knows_no_order_of_keys() -> None:
    """Keys of the pin and of its source may stand in any order."""
    turned = {name: PIN[name] for name in reversed(PIN)}
    turned["source"] = dict(reversed(PIN["source"].items()))
    given = {"version": "pii_eval.corpora.v1", "corpora": {"demo": turned}}
    assert parsed(given).pins["demo"].fingerprint == pin().fingerprint
