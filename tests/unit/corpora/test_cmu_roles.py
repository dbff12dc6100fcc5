"""Only the train role of the CMU archive is ever scored, and what is parsed is what was hashed."""

from __future__ import annotations

import pytest
from cmu_archive import named, packed, small_archive

from pytest_pii_eval.contracts.corpora_file import parse_corpora
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.taxonomy import default_taxonomy
from pytest_pii_eval.corpora.adapters.cmu_enron import CmuEnronAdapter
from pytest_pii_eval.corpora.artifact import hashed
from pytest_pii_eval.corpora.prepare import derive
from pytest_pii_eval.corpora.recipe import make_recipe
from pytest_pii_eval.corpora.true_names import parse_fragment
from pytest_pii_eval.private import private_directory


def pin(tmp_path, role, key="meetings", **changes):
    """Return the pin of a small archive for `role`, and its file."""
    path = tmp_path / "archive.zip"
    path.write_bytes(small_archive())
    found = hashed(path)
    row = {
        "source": {"kind": "local", "path": "archive.zip"},
        "bytes": str(found.bytes),
        "sha256": found.sha256.removeprefix("sha256:"),
        "licence": "CC0-1.0",
        "redistribution": "generated",
        "adapter": "cmu-enron-meetings",
        "label_map": "cmu_enron_meetings",
        "split_key": "document_id",
        "split_role": role,
        "label_strength": "independent",
        "annotation_completeness": "exhaustive_within_scope",
        "regions": ["body"],
        "languages": ["en"],
        "max_quarantined": "0",
        **changes,
    }
    document = {"version": "pii_eval.corpora.v1", "corpora": {key: row}}
    return parse_corpora(document, tmp_path / "corpora.yaml", default_taxonomy()).pins[key], path


@pytest.mark.parametrize("role", ["test", "validation"])
def test_no_pin_gives_another_role(tmp_path, role):
    """The split is the archive's: a field that anybody copies does not turn test documents into records."""
    other, _ = pin(tmp_path, role)
    with pytest.raises(Fault) as refusal:
        make_recipe(other, CmuEnronAdapter(fixture="yes"), default_taxonomy())
    assert refusal.value.field == "corpora.meetings.split_role"
    assert refusal.value.rule.startswith("must be train: ")


def test_the_bytes_that_are_parsed_are_the_bytes_that_were_hashed(tmp_path):
    """An archive put in place behind the hash is not read, though it is a good one."""
    one, path = pin(tmp_path, "train")
    recipe = make_recipe(one, CmuEnronAdapter(fixture="yes"), default_taxonomy())
    found = hashed(path)
    path.write_bytes(packed(named({"train/bunch1": [b"<true_name>Eve Swap</true_name>"]})))
    with (
        pytest.raises(Fault, match="changed while it was read"),
        private_directory(tmp_path / "suite") as directory,
    ):
        derive(recipe, path, found, directory)
    assert not (tmp_path / "suite").exists()


@pytest.mark.parametrize("key", ["shard-00001", "mail.shard-1"])
def test_no_key_is_that_of_a_shard(tmp_path, key):
    """Items of shards are told by their names, so a corpus cannot have one."""
    with pytest.raises(Fault, match="ends as the name of a shard does"):
        pin(tmp_path, "train", key)
    gap = [{"dimension": "shard-00001", "reason_code": "none"}]
    with pytest.raises(Fault) as refusal:
        pin(tmp_path, "train", unsupported=gap)
    assert refusal.value.field == "corpora.meetings.unsupported[0].dimension"


@pytest.mark.parametrize(
    "marker",
    ["<true_n\u00adame>", "<t\u200brue_name>", "<true/name>", "<true\0name>", "</tr\u2060ue_name>"],
    ids=["soft hyphen", "zero-width blank", "slash", "NUL", "word joiner"],
)
def test_what_looks_like_a_marker_is_refused(marker):
    """Invisible characters and other joints make no marker, and are no text either."""
    with pytest.raises(Fault, match="looks like a marker"):
        parse_fragment(f"Ask {marker}Ada Moe about it.".encode())
