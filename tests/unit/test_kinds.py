"""Which files and node ids are the plugin's, and who counts as a stranger to a hook."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from pytest_pii_eval.kinds import has_strangers, kind_of, ours_among, refuse_outputs
from pytest_pii_eval.options import read_settings

ROOT = Path("/root-of/the-run")


@pytest.fixture
def settings(pytestconfig, monkeypatch):
    """Settings of a run below `ROOT`, with a bank and one more glob of negative cases."""
    monkeypatch.setattr(pytestconfig.option, "pii_bank", None)
    read = read_settings(pytestconfig)
    globs = dict(read.globs) | {"negative": ("conformance-negative*.jsonl", "clean-?.jsonl")}
    return read._replace(root=ROOT, bank=ROOT / "banks" / "bank.json", globs=tuple(globs.items()))


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("conformance-positive.jsonl", "positive"),
        ("deep/down/conformance-positive-names.jsonl", "positive"),
        ("conformance-negative.jsonl", "negative"),
        ("clean-1.jsonl", "negative"),
        ("clean-12.jsonl", None),
        ("banks/bank.json", "bank"),
        ("bank.json", None),
        ("other.jsonl", None),
        ("Conformance-Positive.jsonl", None),
        ("conformance-positive.json", None),
        ("conformance-positive.jsonl.bak", None),
        ("conformance-positive.py", None),
        ("conformance-positive/x.jsonl", None),
        ("quality-records.jsonl", "records"),
        ("quality-slices-2.jsonl", "slices"),
        ("unsupported-slices.jsonl", "unsupported"),
        ("quality-provenance.jsonl", "provenance"),
        ("quality-records-0001.jsonl.gz", "records"),
        ("quality-records-0001.jsonl.zst", "records"),
        ("quality-records-0001.parquet", "records"),
        ("quality-provenance.jsonl.gz", "provenance"),
        ("catalog-bindings.parquet", "bindings"),
        ("quality-slices.jsonl.zst", "slices"),
        ("conformance-positive.jsonl.gz", "positive"),
        ("conformance-positive.parquet", "positive"),
        ("quality-records.jsonl.gz.zst", None),
        ("quality-records.gz", None),
        ("quality-records.jsonl.bz2", None),
        ("other.parquet", None),
    ],
)
def test_files_are_known_by_name(settings, path, kind) -> None:
    """The name alone, case included, says what a file is; the bank is the one that was given."""
    assert kind_of(ROOT / path, settings) == kind


def test_a_glob_may_name_packed_files_alone(settings) -> None:
    """Whoever asks for those ends of names gets them, and no others."""
    globs = dict(settings.globs) | {"records": ("shard-*.jsonl.gz", "day-*.parquet")}
    packed = settings._replace(globs=tuple(globs.items()))
    kinds = [kind_of(ROOT / name, packed) for name in ("shard-1.jsonl.gz", "day-1.parquet", "shard-1.jsonl")]
    assert kinds == ["records", "records", None]


def test_node_ids_are_known_by_their_file(settings) -> None:
    """Items of our files are picked out of a run, in order; files without an item are none."""
    nodeids = [
        "tests/test_a.py::test_x",
        "deep/conformance-positive.jsonl::case.1",
        "banks/bank.json::every-tag-is-covered",
        "bank.json::other",
        "conformance-negative.jsonl",
        "clean-2.jsonl::n1",
        "tests/test_a.py::test_x[conformance-positive.jsonl::y]",
        "deep/conformance-positive.jsonl::case.2",
        "quality-records.parquet::shard-00001",
    ]
    assert ours_among(nodeids, settings) == [nodeids[1], nodeids[2], nodeids[5], nodeids[7], nodeids[8]]


def _config(*modules: str):
    """Return a config whose one hook has implementations from `modules`."""
    implementations = [SimpleNamespace(function=SimpleNamespace(__module__=module)) for module in modules]
    hook = SimpleNamespace(get_hookimpls=lambda: implementations)
    return SimpleNamespace(hook=SimpleNamespace(pytest_runtest_setup=hook))


@pytest.mark.parametrize(
    ("modules", "strangers"),
    [
        ((), False),
        (
            ("_pytest.runner", "_pytest.skipping", "pytest_pii_eval.collection.protocol", "xdist.plugin"),
            False,
        ),
        (("syrupy", "pytest_randomly", "_hypothesis_pytestplugin", "__channelexec__"), False),
        (("_pytest.runner", "conftest"), True),
        (("pytest_html.plugin",), True),
        (("_pytest_other.x",), True),
        (("pytest_pii_evaluation.x",), True),
    ],
)
def test_strangers_are_all_we_do_not_know(modules, strangers) -> None:
    """pytest, xdist and a few quiet plugins are familiar, by their top-level name; all others are not."""
    assert has_strangers(_config(*modules), "pytest_runtest_setup") is strangers


def test_an_output_whose_name_is_too_long_is_refused(settings, tmp_path):
    """A name that no file may have is told with its option: 300 characters are beyond every file system."""
    outputs = settings.outputs._replace(html=tmp_path / ("x" * 300))
    told = refuse_outputs(settings._replace(outputs=outputs))
    assert told == "--pii-html: cannot be a file here (ENAMETOOLONG); name another file"
