"""A bank as a whole: what is active, in which order, and how it is read from a file."""

from __future__ import annotations

import json

import pytest
from contract_values import bank, entity, literal, name, regex

from pytest_pii_eval.contracts.bank import BankLimits, EntityRange, load_bank, parse_bank
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.patterns import ActivePattern

STATUSES = ["draft", "active", "inactive", "deprecated"]


def _one(**statuses: str):
    """Return a bank of one pattern with a status at each level."""
    pattern = literal("a", status=statuses.get("pattern", "active"))
    named = name("A", {"p": pattern}, status=statuses.get("name", "active"))
    group = entity({"n": named}, status=statuses.get("entity", "active"))
    return bank({"e": group}, status=statuses.get("bank", "active"))


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("level", ["bank", "entity", "name", "pattern"])
def test_a_pattern_is_active_when_its_whole_chain_is(level, status) -> None:
    """One status other than active, at whichever level, takes the pattern out."""
    parsed = parse_bank(_one(**{level: status}))
    assert len(parsed.patterns) == (1 if status == "active" else 0)


def test_a_bank_without_active_patterns_has_no_entities() -> None:
    """Entities are listed for their active patterns only."""
    assert parse_bank(_one(entity="draft")).entities == ()


def test_an_inactive_part_takes_only_itself_out() -> None:
    """Siblings of an inactive entity, name or pattern stay."""
    document = bank(
        {
            "a": entity({"n": name("N", {"p": literal("1"), "q": literal("2", status="draft")})}),
            "b": entity({"n": name("N", {"p": literal("3")})}, status="inactive"),
            "c": entity(
                {"m": name("M", {"p": literal("4")}, status="deprecated"), "n": name("N", {"p": regex("5")})}
            ),
        }
    )
    assert [pattern.value for pattern in parse_bank(document).patterns] == ["1", "5"]


def test_patterns_are_ordered_by_their_ids() -> None:
    """The catalog is in order of entity, name and pattern id, however the file lists them."""
    document = bank(
        {
            "b": entity({"n": name("N", {"p": literal("6")})}),
            "a": entity(
                {
                    "n2": name("N", {"p": literal("5")}),
                    "n10": name("N", {"z": literal("4", priority=-5), "p": literal("3")}),
                    "n-1": name("Z", {"p": literal("1")}),
                    "n1": name("A", {"p": literal("2")}),
                }
            ),
        }
    )
    parsed = parse_bank(document)
    assert [pattern[:3] for pattern in parsed.patterns] == [
        ("a", "n-1", "p"),
        ("a", "n1", "p"),
        ("a", "n10", "p"),
        ("a", "n10", "z"),
        ("a", "n2", "p"),
        ("b", "n", "p"),
    ]
    assert parsed.entities == (EntityRange("a", 0, 5), EntityRange("b", 5, 6))


def test_a_pattern_knows_its_place_in_the_file() -> None:
    """The place counts in the order of the file, inactive siblings included, not in that of the catalog."""
    names = {
        "z": name("Z", {"draft": literal("1", status="draft"), "p": literal("2")}),
        "a": name("A", {"p": literal("3")}),
    }
    parsed = parse_bank(bank({"x": entity(names, status="inactive"), "e": entity(names)}))
    places = {parsed.patterns[index].value: parsed.place(index) for index in range(2)}
    assert places == {
        "3": "entities[1].names[1].patterns[0]",
        "2": "entities[1].names[0].patterns[1]",
    }


def test_index_leads_from_ids_to_places() -> None:
    """The index maps the three ids of each active pattern to its place."""
    assert parse_bank(bank()).index() == {("code", "ticket", "plain"): 0, ("person", "ada", "full"): 1}


def test_a_literal_keeps_its_fields() -> None:
    """All that a scan needs of a literal is in its active pattern."""
    value = literal(
        "Ada  L",
        priority=-3,
        case_sensitive=False,
        normalize_whitespace=True,
        left_boundary="word",
        right_boundary="none",
    )
    parsed = parse_bank(bank({"e": entity({"n": name("Ada L", {"p": value})})}))
    assert parsed.patterns == (
        ActivePattern(
            "e",
            "n",
            "p",
            "literal",
            "Ada L",
            "Ada  L",
            -3,
            frozenset(),
            False,
            True,
            "word",
            "none",  # a literal, spelled out
        ),
    )


def test_flags_of_bank_entity_and_pattern_add_up() -> None:
    """An expression has the flags of all three levels; a literal those of bank and entity, none implied."""
    document = bank(
        {
            "e": entity(
                {
                    "n": name(
                        "N",
                        {"p": regex("a", regex_flags=["DOTALL"]), "q": literal("b", case_sensitive=False)},
                    )
                },
                regex_flags=["MULTILINE"],
            ),
            "f": entity({"n": name("N", {"p": regex("a")})}),
        },
        default_regex_flags=["ASCII"],
    )
    assert [pattern.flags for pattern in parse_bank(document).patterns] == [
        {"ASCII", "MULTILINE", "DOTALL"},
        {"ASCII", "MULTILINE"},
        {"ASCII"},
    ]


@pytest.mark.parametrize("normalization", ["none", "NFC", "NFKC"])
def test_facts_of_the_bank_itself(normalization) -> None:
    """Id, version and normalization are kept as declared."""
    parsed = parse_bank(bank(id="my-bank", version="2026.1 ü", unicode_normalization=normalization))
    assert (parsed.id, parsed.version, parsed.normalization) == ("my-bank", "2026.1 ü", normalization)


def test_names_and_expressions_stay_out_of_repr() -> None:
    """A bank in a traceback shows neither names nor patterns."""
    shown = repr(parse_bank(bank()))
    assert "Lövelace" not in shown
    assert "TCK" not in shown
    assert "tiny" in shown


def test_a_file_is_read_and_checked(tmp_path) -> None:
    """A bank in a file gives what its decoded document gives."""
    path = tmp_path / "bank.json"
    path.write_text(json.dumps(bank(), ensure_ascii=False, indent=1), encoding="utf-8", newline="\r\n")
    assert load_bank(path) == parse_bank(bank())


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        (b"", "bank.json: not valid JSON at line 1, column 1: Expecting value"),
        (b"[]", "bank.json: must be an object"),
        (b'{"id": 1, "id": 2}', "bank.json: duplicate key in an object (line 1, column 11)"),
        (
            b"\xef\xbb\xbf{}",
            "bank.json: starts with a UTF-8 byte order mark (BOM); save as UTF-8 without BOM",
        ),
        (b'{"a": "\xe9"}', "bank.json: not UTF-8: invalid byte 0xE9 at byte 7"),
        (
            b"version https://git-lfs.github.com/spec/v1\n",
            "bank.json: is a Git LFS pointer, not the file; run 'git lfs pull'",
        ),
        (json.dumps(bank(version=1)).encode(), "bank.json: version: must be a string"),
        (b'{"priority": 1e400}', "bank.json: holds a number too large for a float (line 1, column 14)"),
        (
            b'{"name":\n"\\ud800"}',
            "bank.json: holds a lone surrogate escape, which is no character (line 2, column 1)",
        ),
    ],
)
def test_faults_of_a_file_name_it(tmp_path, payload, message) -> None:
    """Whatever is wrong with the bytes or the document, one line says it with the file's name."""
    path = tmp_path / "bank.json"
    path.write_bytes(payload)
    with pytest.raises(Fault) as caught:
        load_bank(path)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("payload", "message"), [(None, "^bank.json: does not exist"), (b"{", "^bank.json: ")], ids=["no", "bad"]
)
def test_a_path_may_be_a_string(tmp_path, monkeypatch, payload, message) -> None:
    """A missing or broken file that a string names is a fault like any other."""
    monkeypatch.chdir(tmp_path)
    if payload is not None:
        (tmp_path / "bank.json").write_bytes(payload)
    with pytest.raises(Fault, match=message):
        load_bank("bank.json")


def test_the_file_limit_is_inclusive(tmp_path) -> None:
    """A file of exactly the limit is read, one byte more is not."""
    path = tmp_path / "bank.json"
    payload = json.dumps(bank()).encode()
    path.write_bytes(payload)
    load_bank(path, limits=BankLimits(file_bytes=len(payload)))
    with pytest.raises(Fault, match=r"bank\.json: holds more than the limit of"):
        load_bank(path, limits=BankLimits(file_bytes=len(payload) - 1))


def test_a_linked_bank_is_refused(tmp_path) -> None:
    """A bank behind a symlink is private input like any other."""
    (tmp_path / "real.json").write_text(json.dumps(bank()))
    (tmp_path / "bank.json").symlink_to(tmp_path / "real.json")
    with pytest.raises(Fault, match=r"^bank\.json: is a symlink"):
        load_bank(tmp_path / "bank.json", root=tmp_path)
