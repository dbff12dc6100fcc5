"""A bad corpora file: refused in one line that names file and field, and never a value."""

from __future__ import annotations

import json

import pytest
from corpora_pins import CANARY, PIN, REVISION, document, parsed, refusal

from pytest_pii_eval.contracts.corpora_file import read_corpora
from pytest_pii_eval.contracts.faults import Fault

RELATIVE = "must be a relative path with forward slashes that stays in its folder"


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
