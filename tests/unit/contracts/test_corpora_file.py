"""The corpora file: closed, exact, told without values; and the shipped one, pin by pin."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pytest_pii_eval.contracts.corpora_file import parse_corpora, read_corpora
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.slices import Unsupported
from pytest_pii_eval.contracts.taxonomy import default_taxonomy

CANARY = "Quenby Nowhere"
SHIPPED = Path(__file__).parents[3] / "corpora.yaml"
REVISION = "0123456789abcdef0123456789abcdef01234567"
OTHER = "f" * 40
PIN: dict[str, Any] = {
    "source": {
        "kind": "huggingface",
        "repository": "some/corpus",
        "revision": REVISION,
        "path": "d/a b.jsonl",
    },
    "bytes": "1200",
    "sha256": "a" * 64,
    "licence": "CC0-1.0",
    "redistribution": "as you like",
    "adapter": "spans",
    "options": {"text": "text"},
    "label_map": "gretel_finance",
    "excluded_labels": ["verb"],
    "split_key": "template_id",
    "split_role": "test",
    "label_strength": "independent",
    "annotation_completeness": "exhaustive_within_scope",
    "regions": ["body"],
    "languages": ["en"],
    "exclusions": ["quoted"],
    "in_domain_for": ["vendor/model-1"],
    "max_quarantined": "3",
    "unsupported": [{"dimension": "head_tail", "reason_code": "unknown"}],
    "catalog_bindings": "side/bindings.jsonl",
    "notes": "invented",
}
RELATIVE = "must be a relative path with forward slashes that stays in its folder"


def document(key: str = "demo", top: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """Return a file of one pin; a change to None leaves the field out."""
    pin = {name: value for name, value in (deepcopy(PIN) | changes).items() if value is not None}
    return {"version": "pii_eval.corpora.v1", "corpora": {key: pin}, **(top or {})}


def parsed(given: object, folder: str = "."):
    return parse_corpora(given, Path(folder) / "corpora.yaml", default_taxonomy())


def pin(key: str = "demo", **changes: Any):
    return parsed(document(key, **changes)).pins[key]


def refusal(given: object) -> str:
    """Return the one line that refuses a file; it shows no value."""
    with pytest.raises(Fault) as caught:
        parsed(given)
    told = str(caught.value)
    assert "\n" not in told
    assert "Quenby" not in told
    assert "Quenby" not in repr(caught.value.__cause__)
    return told


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


@pytest.mark.parametrize(
    "field",
    sorted(
        set(PIN)
        - {
            "options",
            "excluded_labels",
            "exclusions",
            "in_domain_for",
            "unsupported",
            "catalog_bindings",
            "notes",
        }
    ),
)
def test_a_missing_field_is_named(field) -> None:
    """Everything that decides or warns must be said."""
    assert refusal(document(**{field: None})) == f"corpora.demo.{field}: is missing"


@pytest.mark.parametrize("field", sorted(PIN))
@pytest.mark.parametrize("wrong", [CANARY + "\n", [CANARY + "\n"], {CANARY: CANARY}, 7, True, [{CANARY: 1}]])
def test_no_value_of_a_pin_is_told(field, wrong) -> None:
    """Whatever stands in a field, a refusal tells the field and the rule alone."""
    given = document(**{field: wrong})
    try:
        parsed(given)
    except Fault:
        assert refusal(given).startswith((f"corpora.demo.{field}", "corpora.demo: "))
    else:
        assert field in {"licence", "redistribution", "notes", "excluded_labels"}, wrong


GIT = {"kind": "git", "repository": "some/thing", "revision": REVISION, "path": "a.json"}
HTTPS = {"kind": "https", "url": "https://a.example/x"}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({CANARY: "x"}, "corpora.demo: has an unknown field"),
        ({"licences": "x"}, "corpora.demo: has an unknown field"),
        ({"source": {"kind": CANARY}}, "corpora.demo.source: has an unknown kind"),
        ({"source": {"path": CANARY}}, "corpora.demo.source: needs a kind"),
        ({"source": CANARY}, "corpora.demo.source: must be an object"),
        ({"source": {"kind": "local"}}, "corpora.demo.source.path: is missing"),
        ({"source": {"kind": "https"}}, "corpora.demo.source.url: is missing"),
        ({"source": {**HTTPS, "revision": REVISION}}, "corpora.demo.source: has an unknown field"),
        ({"source": {**GIT, "redirects": ["a.example"]}}, "corpora.demo.source: has an unknown field"),
        ({"source": {**GIT, CANARY: "x"}}, "corpora.demo.source: has an unknown field"),
        *[
            ({"source": {"kind": "https", "url": url}}, "corpora.demo.source.url: must match ")
            for url in (
                "http://Quenby.example/x",
                "HTTPS://Quenby.example/x",
                "ftp://Quenby.example/x",
                "file:///Quenby",
                "//Quenby.example/x",
                "https://a.example/Quenby?x=1",
                "https://a.example/Quenby#x",
                "https://Quenby@a.example/x",
                "https://Quenby:word@a.example/x",
                "https://a.example\\@Quenby.example/x",
                "https://a.example/Quenby x",
                "https://a.example/Quenby\n",
                " https://a.example/Quenby",
                "https://",
            )
        ],
        *[
            ({"source": {**GIT, "revision": revision}}, "corpora.demo.source.revision: must match ")
            for revision in ("main", "Quenby", "A" * 40, "a" * 39, "a" * 41, "a" * 64, "a" * 40 + "\n", "")
        ],
        *[
            ({"source": {**GIT, "repository": repository}}, "corpora.demo.source.repository: must match ")
            for repository in (
                "Quenby",
                "a/b/Quenby",
                "../Quenby",
                "a/..",
                "/Quenby",
                "a/Quenby?",
                "a/Quen by",
            )
        ],
        *[
            ({"source": {**GIT, "path": path}}, f"corpora.demo.source.path: {RELATIVE}")
            for path in (
                "/Quenby",
                "../Quenby",
                "a/../Quenby",
                "a//Quenby",
                "Quenby/",
                "./Quenby",
                "a/.",
                "..",
                "C:/Quenby",
                "a\\Quenby",
                "https://Quenby.example/x",
                "a\nQuenby",
                "a\0Quenby",
                "\u202eQuenby",
            )
        ],
        ({"source": {**GIT, "path": ""}}, "corpora.demo.source.path: must hold at least 1 characters"),
        ({"source": {"kind": "local", "path": "../Quenby"}}, f"corpora.demo.source.path: {RELATIVE}"),
        ({"catalog_bindings": "../Quenby"}, f"corpora.demo.catalog_bindings: {RELATIVE}"),
        ({"catalog_bindings": "/Quenby"}, f"corpora.demo.catalog_bindings: {RELATIVE}"),
        *[
            ({"source": {**HTTPS, "redirects": [host]}}, "corpora.demo.source.redirects[0]: must match ")
            for host in ("*", "*.", "a.*.Quenby", "https://quenby", "QUENBY.example", "quenby/x", "a:443", "")
        ],
        *[
            ({"bytes": size}, "corpora.demo.bytes: must match ")
            for size in ("0", "-1", "1_000", "1e3", "012", "Quenby", "")
        ],
        *[
            ({"sha256": one}, "corpora.demo.sha256: must match ")
            for one in ("A" * 64, "a" * 63, "sha256:" + "a" * 64, "")
        ],
        ({"options": {CANARY: "x"}}, "corpora.demo.options[0]: must match "),
        ({"options": {"text": "x", CANARY: "x"}}, "corpora.demo.options[1]: must match "),
        ({"options": {"text": ["Quenby"]}}, "corpora.demo.options.text: must be a string"),
        ({"label_map": "quenby_map"}, "corpora.demo.label_map: names no label map of the taxonomy; it has: "),
        (
            {"excluded_labels": ["verb", "name", "email"]},
            "corpora.demo.excluded_labels: 2 labels are excluded, and have an entry in the label map",
        ),
        ({"split_role": "dev"}, "corpora.demo.split_role: must be 'train', 'validation' or 'test'"),
        ({"split_key": "uid"}, "corpora.demo.split_key: must be 'template_id' or 'document_id'"),
        ({"max_quarantined": "-1"}, "corpora.demo.max_quarantined: must match "),
        ({"regions": []}, "corpora.demo.regions: must hold at least 1 entries"),
        *[
            ({field: ["a", "b", "a"]}, f"corpora.demo.{field}: names the same entry twice")
            for field in ("excluded_labels", "regions", "languages", "exclusions", "in_domain_for")
        ],
        (
            {"unsupported": [{"dimension": "x", "reason_code": "a"}, {"dimension": "x", "reason_code": "b"}]},
            "corpora.demo.unsupported: names the same entry twice",
        ),
        (
            {"unsupported": [{"dimension": "x" * 64, "reason_code": "a"}]},
            "corpora.demo.unsupported[0].dimension: must match ",
        ),
    ],
)
def test_a_bad_pin_is_refused(changes, told) -> None:
    """The refusal names the field, and the rule that it breaks."""
    assert refusal(document(**changes)).startswith(told)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([], "must be an object"),
        ({}, "version: is missing"),
        ({**document(), "version": "pii_eval.corpora.v2"}, "version: must be 'pii_eval.corpora.v1'"),
        ({**document(), CANARY: 1}, "has an unknown field"),
        ({**document(), "corpora": {}}, "corpora: must hold at least 1 entries"),
        ({**document(), "corpora": [CANARY]}, "corpora: must be an object"),
        ({**document(), "corpora": {"demo": CANARY}}, "corpora.demo: must be an object"),
        (document(CANARY), "corpora[0]: must match "),
        (document("k" * 65), "corpora[0]: must match "),
        (document("../Quenby"), "corpora[0]: must match "),
        ({**document(), "corpora": {"demo": PIN, CANARY: 5}}, "corpora[1]: must match "),
    ],
)
def test_a_bad_file_is_refused(given, told) -> None:
    """Its own fields are closed, too, and a key that is no key is told by its place."""
    assert refusal(given).startswith(told)


@pytest.mark.parametrize("kind", ["gates", "floors"])
@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"slice": "Quenby"}, "[0].slice: names no corpus of the file"),
        ({"slice": "demo.head_tail"}, "[0].slice: names no corpus of the file"),
        ({"slice": "demo", "type": "Quenby"}, "[0].type: is no type of the taxonomy"),
        ({"slice": "demo", CANARY: "1"}, "[0]: has an unknown field"),
        ({"slice": "demo", "max": "Quenby"}, "[0].max: a limit is a plain decimal number"),
    ],
)
def test_a_gate_speaks_of_a_corpus(kind, row, told) -> None:
    """A gate or floor names a key of the file or all of them, and else what a suite's gate may."""
    gate = {"metric": "leaks", "max": "0"}
    assert refusal(document(top={kind: [gate | row]})).startswith(kind + told)
    for name in ("demo", "*"):
        rules = parsed(document(top={kind: [gate | {"slice": name}]})).suite.rules()
        assert [rule.slice for rule in rules] == [name]


def test_labels_may_be_types() -> None:
    """Where labels are types, any of them may be excluded."""
    assert pin(label_map="types", excluded_labels=["person"]).excluded_labels == {"person"}


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("corpora.yaml", "version: 1\nversion: 2\n", "corpora.yaml:2: duplicate key in a mapping"),
        (
            "corpora.yaml",
            "corpora:\n  a: &Quenby {}\n",
            "corpora.yaml:2: uses an anchor or alias; write the value out",
        ),
        ("corpora.yaml", "Quenby: [\n", "corpora.yaml:2: is not valid YAML"),
        ("corpora.json", '{"version": 1, "version": 2}', "corpora.json: duplicate key"),
        ("own.yaml", "version: pii_eval.corpora.v1\n", "own.yaml: corpora: is missing"),
        ("own.yaml", json.dumps(document(bytes="Quenby")), "own.yaml: corpora.demo.bytes: must match "),
        (
            "own.yaml",
            json.dumps(document(top={"taxonomy": "../Quenby.yaml"})),
            f"own.yaml: taxonomy: {RELATIVE}",
        ),
        ("own.yaml", json.dumps(document(top={"taxonomy": "t.yaml"})), "t.yaml: does not exist"),
    ],
)
def test_a_file_names_itself(tmp_path, name, text, told) -> None:
    """A refusal begins with the file at fault, and its line where YAML has one."""
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(Fault) as caught:
        read_corpora(tmp_path / name)
    assert str(caught.value).startswith(told)
    assert "Quenby" not in str(caught.value).replace("Quenby.yaml", "")


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
