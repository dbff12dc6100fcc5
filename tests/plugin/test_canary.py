"""The run must not be the leak: no text, name or private folder in anything it prints or writes."""

from __future__ import annotations

import base64

import pytest
from bad_input import line
from canaries import CANARIES, leaks
from leaky_suite import AROUND, FRIENDS, STRING, Leaky, row


@pytest.fixture
def leaky(suite, monkeypatch) -> Leaky:
    """A suite full of canaries."""
    return Leaky(suite, monkeypatch)


@pytest.mark.parametrize("friends", [(), FRIENDS], ids=["alone", "with-html-and-json"])
def test_outcomes_of_every_kind_show_no_canary(leaky, processes, friends):
    """Pass, miss, wrong canonical, hit, talk, crash, exit, skip, dead worker: ids and spans at most."""
    result = leaky.run(*processes, friends=friends)
    output = leaky.everything(result)
    assert leaks(output) == {}
    assert result.ret == 1
    dead = 1 if processes else 0
    outcomes = result.parseoutcomes()
    assert outcomes["failed"] == 6 + dead + 2  # hits, and two support checks: a witness and the tags
    assert outcomes["passed"] == 6 - dead + 3
    for said in (
        "case misses: 1 of 1 expected records not mapped (1 missed, 0 wrong canonical)",
        "case maps.wrongly: 1 of 1 expected records not mapped (0 missed, 1 wrong canonical)",
        "case hits: 1 unexpected hits in a negative case",
        "ValueError in talker.py:",
        "SystemExit in talker.py:",
        "Skipped in ",
        "its text is withheld",
    ):
        assert said in output
    report = leaky.suite.report()
    assert report["crashed"] == (["dies"] if dead else [])
    assert report["conformance"]["correctly_mapped"] == 4 - dead
    assert "Epexegesis" in leaky.path.joinpath("talker.py").read_text(encoding="utf-8")  # what was looked for


def test_node_ids_show_no_canary(leaky):
    """Collected ids are file and case id; a folder outside the root directory is no part of them."""
    result = leaky.run("--collect-only", "-qqq")
    assert "conformance-positive.jsonl::maps.wrongly" in result.outlines
    assert "bank.json::bank-has-active-patterns" in result.outlines
    assert leaks(leaky.everything(result)) == {}


FAULTS: dict[str, bytes] = {
    "unknown-field": line(row("A", "a") | {CANARIES["unknown field"]: CANARIES["unknown value"]}),
    "unknown-field-inside": line(row("A", "b", **{CANARIES["unknown field"]: CANARIES["unknown value"]})),
    "wrong-span": line(row("A", "c", start=0)),
    "wrong-string": line(row("A", "d", string=CANARIES["unknown value"])),
    "wrong-canonical": line(row("A", "e", canonical_name=STRING)),
    "wrong-name": line(row("A", "f", name_id=CANARIES["unknown value"])),
    "wrong-type": line(row("A", "g", start=CANARIES["unknown value"])),
    "wrong-tag": line(row("A", "h") | {"tags": [CANARIES["unknown value"]]}),
    "wrong-id": line(row("A", STRING)),
    "wrong-schema": line(row("A", "i") | {"schema_version": STRING}),
    "broken": line(row("A", "j"))[:-2] + b"\n",
    "cut-off": line(row("A", "k"))[:-1],
    "latin1": line(row("A", "l")).decode().encode("latin-1"),
    "duplicate": line(row("A", "m")).replace(b'"text"', b'"tags": [], "text"'),
    "surrogate": line(row("A", "n")).replace(b"Wolframite", b"Wolframite \\ud800"),
    "repeated-id": line(row("A", "passes")),
    "nan": line(row("A", "o")).replace(b'"start": ', b'"start": NaN, "s": '),
}


def test_bad_rows_show_no_canary(leaky, processes):
    """Faults of seventeen kinds, each in a row full of canaries, say nothing of it."""
    for fault, payload in FAULTS.items():
        leaky.write(f"conformance-positive-{fault}.jsonl", payload)
    result = leaky.run(*processes, friends=FRIENDS)
    output = leaky.everything(result)
    assert result.ret == 2
    assert result.parseoutcomes()["errors"] == len(FAULTS)
    assert leaks(output) == {}


@pytest.mark.parametrize("fault", ["unknown-field", "bad-expression", "missing"])
def test_bad_banks_show_no_canary(leaky, fault):
    """A bank full of canaries that breaks a rule, or is not where it should be, shows none."""
    names = leaky.bank["entities"]["person"]["names"]
    if fault == "unknown-field":
        names[CANARIES["name id"]][CANARIES["unknown field"]] = CANARIES["unknown value"]
    if fault == "bad-expression":
        names[CANARIES["name id"]]["patterns"]["expression"]["value"] += "("
    bank = (f"--pii-bank={leaky.private / STRING / 'bank.json'}",) if fault == "missing" else ()
    result = leaky.run(*bank, friends=FRIENDS)
    output = leaky.everything(result)
    assert "bank.json: " in output
    assert result.ret == 2
    assert leaks(output) == {}


def test_ids_are_shown_when_asked_for(leaky, processes):
    """`--pii-reveal=ids` shows ids of names and patterns, and nothing else."""
    output = leaky.everything(leaky.run(*processes, "--pii-reveal=ids"))
    assert set(leaks(output)) == {"name id", "pattern id"}
    assert f"({CANARIES['name id']}/{CANARIES['pattern id']})" in output


def test_text_is_shown_when_asked_for(leaky):
    """`--pii-reveal=text` shows matched strings, and what the detector prints, logs and warns."""
    result = leaky.run("--pii-reveal=text")
    assert f"({CANARIES['name id']}/{CANARIES['pattern id']}) {STRING!r}" in result.stdout.str()
    assert f"Talk {AROUND} {STRING} ." in result.outlines
    assert f"Talk {AROUND} {STRING} ." in result.errlines
    assert "UserWarning: Talk" in result.stderr.str() + result.stdout.str()
    assert "ERROR    engine" in result.stdout.str()


def test_only_the_audit_directory_holds_text(leaky, processes):
    """The audit that was asked for is private and holds the cases; nothing beside it holds a canary."""
    result = leaky.run(*processes, "--pii-audit-dir=audit")
    audit = leaky.path / "audit"
    assert audit.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in audit.iterdir()} == {0o600}
    held = "".join(path.read_text(encoding="utf-8") for path in audit.iterdir())
    assert {"text outside the span", "matched string", "canonical name"} <= set(leaks(held))
    (hidden := leaky.path.parent / f"audit of {leaky.path.name}").mkdir()
    for path in list(audit.iterdir()):
        path.rename(hidden / path.name)
    assert leaks(leaky.everything(result)) == {}
    assert result.ret == 1
    assert list(audit.iterdir()) == []


@pytest.mark.parametrize("canary", CANARIES)
def test_the_search_finds_every_form(canary):
    """Control: plain, upper case, hex, base64 at each alignment, percent, escapes, single words are found."""
    whole = CANARIES[canary]
    payload = whole.encode()
    printed = [
        whole,
        whole.upper(),
        ascii(whole),
        payload.hex(),
        whole.encode("utf-16-le").hex().upper(),
        *(base64.b64encode(b"xyz"[:before] + payload + b"tail").decode() for before in range(3)),
        payload.decode("latin-1").encode("latin-1").decode("utf-8"),
        "".join(f"%{byte:02X}" if byte > 126 or byte == 32 else chr(byte) for byte in payload),
        "".join(f"\\u{ord(character):04x}" for character in whole),
        whole.replace("-", " ").split()[1],
    ]
    assert [canary in leaks(f"before {text} after") for text in printed] == [True] * len(printed)
    assert leaks("nothing of the kind") == {}
