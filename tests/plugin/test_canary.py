"""The run must not be the leak: no text, name or private folder in anything it prints or writes."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from bad_input import line
from canaries import CANARIES, everything, leaks

from conftest import literal, name, negative, positive, regex

_LOUD = (
    "-vv",
    "-l",
    "--tb=long",
    "--full-trace",
    "-rA",
    "--showlocals",
    "-s",
    "--log-cli-level=DEBUG",
    "-Walways",
    "--junitxml=out/junit.xml",
)
_HTML = (
    "--html=out/report.html",
    "--self-contained-html",
    "--json-report",
    "--json-report-file=out/report.json",
)
_FRIENDS = ("html", "metadata", "pytest_jsonreport")
STRING = CANARIES["matched string"]
AROUND = CANARIES["text outside the span"]

# The engine of a detector that talks; what a case makes it do is the first word of the text.
_TALKER = """
    import logging, os, sys, threading, warnings
    from pytest_pii_eval.detectors.bank_detector import BankDetector

    scan = BankDetector.scan
    kept = sys.stdout

    class Fragile:
        def __del__(self):
            raise ValueError(self.text)

    def talk(text):
        print(text)
        print(text, file=sys.stderr)
        print(text, file=kept)
        print(text, file=sys.__stdout__)
        os.write(1, text.encode())
        os.write(2, text.encode())
        logging.getLogger("engine").error(text)
        logging.getLogger("engine").debug("%s", text, extra={"document": text})
        logging.warning(text, exc_info=ValueError(text))
        warnings.warn(text)
        warnings.warn(text, DeprecationWarning)
        fragile = Fragile()
        fragile.text = text
        del fragile
        thread = threading.Thread(target=raising, args=(text,), name=text)
        thread.start()
        thread.join()

    def raising(text):
        callipyge = "Callipyge Floccinau"
        try:
            raise KeyError(text)
        except KeyError as error:
            error.add_note("Epexegesis Thixotrop")
            raise ValueError("Epexegesis Thixotrop " + text) from error

    def loud(self, text, **limits):
        word = text.partition(" ")[0]
        if word == "Talk":
            talk(text)
        if word == "Crash":
            talk(text)
            raising(text)
        if word == "Exit":
            sys.exit(text)
        if word == "Skip":
            import pytest
            pytest.skip(text)
        if word == "Die" and os.environ.get("PYTEST_XDIST_WORKER"):
            talk(text)
            os._exit(1)
        if word == "Interrupt":
            raise KeyboardInterrupt(text)
        return scan(self, text, **limits)

    BankDetector.scan = loud
"""


class Leaky:
    """A suite full of canaries in a folder outside the root directory, run as loudly as pytest can."""

    def __init__(self, suite: Any) -> None:
        self.suite = suite
        self.path = suite.path
        self.private = suite.path.parent / f"{CANARIES['folder']} {suite.path.name}"
        self.private.mkdir()
        suite.pytester.makeini("[pytest]")
        suite.pytester.makepyfile(talker=_TALKER)
        self.bank = leaky_bank(suite.bank)
        self.write("conformance-positive.jsonl", *positives())
        self.write("conformance-negative.jsonl", *negatives())

    def write(self, file: str, *rows: dict[str, Any] | bytes) -> None:
        """Write rows, or bytes as they are, to a case file."""
        lines = [row if isinstance(row, bytes) else line(row) for row in rows]
        (self.private / file).write_bytes(b"".join(lines))

    def run(self, *arguments: str, friends: tuple[str, ...] = ()) -> pytest.RunResult:
        """Run the private folder from the root directory."""
        (self.private / "bank.json").write_text(json.dumps(self.bank), encoding="utf-8")
        place = ("--rootdir=.", "-ctox.ini", str(self.private), "-ptalker")
        loud = (*_LOUD, *(_HTML if friends else ()))
        return self.suite.run(
            *place, *loud, *arguments, bank=str(self.private / "bank.json"), friends=friends
        )

    def everything(self, result: pytest.RunResult) -> str:
        """Return all that the run printed and wrote below the root directory."""
        return everything(result, self.path, but=("talker.py", "saboteur.py", "__pycache__"))


@pytest.fixture
def leaky(suite, monkeypatch) -> Leaky:
    """A leaky suite, in an environment that asks for annotations."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("CI", "true")
    return Leaky(suite)


def leaky_bank(bank: dict[str, Any]) -> dict[str, Any]:
    """Return `bank` with canaries wherever one fits, and a rival under another name that always loses."""
    patterns = {CANARIES["pattern id"]: literal(STRING), "expression": regex(CANARIES["expression"])}
    notes = {"description": CANARIES["bank description"], "metadata": {CANARIES["bank metadata"]: [STRING]}}
    names = {
        CANARIES["name id"]: {**name(CANARIES["canonical name"]), "patterns": patterns, **notes},
        "rival": name("Rival", rival=literal(STRING, priority=200)),
    }
    return {**bank, **notes, "entities": {"person": {**bank["entities"]["person"], "names": names, **notes}}}


def row(word: str, case_id: str, *, skip: int = 0, **fields: Any) -> dict[str, Any]:
    """Return a positive row whose text starts with `word`; it expects the string from character `skip` on."""
    text = f"{word} {AROUND} {STRING} ."
    start = text.encode().index(STRING.encode()) + skip
    occurrence = {
        "entity_id": "person",
        "name_id": CANARIES["name id"],
        "pattern_id": CANARIES["pattern id"],
        "pattern_kind": "literal",
        "canonical_name": CANARIES["canonical name"],
        "string": STRING[skip:],
        "start": start,
        "end": start - skip + len(STRING.encode()),
    }
    return positive(case_id, text, ["unicode"], {**occurrence, **fields})


def positives() -> list[dict[str, Any]]:
    """Return cases that pass, talk, miss, map wrongly, crash, exit, skip, and kill a worker."""
    rival = {"name_id": "rival", "pattern_id": "rival", "canonical_name": "Rival"}
    return [
        row("Plain", "passes"),
        row("Talk", "talks"),
        row("Miss", "misses", skip=1),
        row("Rival", "maps.wrongly", **rival),
        row("Crash", "crashes"),
        row("Exit", "exits"),
        row("Skip", "skips"),
        row("Die", "dies"),
        row("Plain", "last"),
    ]


def negatives() -> list[dict[str, Any]]:
    """Return a negative that holds and one that hits."""
    tags = ["boundary", "negative"]
    hit = negative("hits", f"Talk {AROUND} {STRING} .", tags)
    return [negative("holds", f"Plain {AROUND}.", tags), hit, negative("last.too", f"Plain {AROUND}.", tags)]


@pytest.mark.parametrize("friends", [(), _FRIENDS], ids=["alone", "with-html-and-json"])
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
    result = leaky.run(*processes, friends=_FRIENDS)
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
    result = leaky.run(*bank, friends=_FRIENDS)
    output = leaky.everything(result)
    assert "bank.json: " in output
    assert result.ret == 2
    assert leaks(output) == {}


_SABOTEUR = """
    from pytest_pii_eval.{module} import {owner} as owner

    def sabotaged(*arguments, **fields):
        text = "{around} {string}"
        try:
            raise KeyError(text)
        except KeyError as error:
            raise {error}(text) from error

    owner.{attribute} = sabotaged
"""
_SABOTAGE = {
    "building-the-report": ("session", "build", "build_report"),
    "adding-up": ("session.results", "Results", "take"),
    "showing": ("session", "terminal", "show"),
    "running-a-case": ("collection", "nodes", "run_case"),
    "taking-stock": ("collection", "protocol", "suite_facts"),
    "building-the-engine": ("detectors.bank", "engine", "Engine"),
    "reading-rows": ("contracts.cases", "CaseContract", "parse"),
    "making-a-node": ("collection.nodes", "BankFile", "from_parent"),
    "writing-the-audit": ("session", "audit", "canonical_bytes"),
}


def sabotage(leaky: Leaky, at: str, error: str) -> None:
    """Make one function of the package raise `error` with text in it and in its frames."""
    module, owner, attribute = _SABOTAGE[at]
    values = {"module": module, "owner": owner, "attribute": attribute, "error": error}
    source = _SABOTEUR.format(**values, around=AROUND, string=STRING)
    leaky.suite.pytester.makepyfile(saboteur=source)


@pytest.mark.parametrize("at", _SABOTAGE)
def test_defects_of_our_own_show_no_canary(leaky, at):
    """An exception with text in message, chain and frames, raised in any room of ours, is told without."""
    sabotage(leaky, at, "ValueError")
    audit = ("--pii-audit-dir=audit",) if at == "writing-the-audit" else ()
    result = leaky.run("-psaboteur", *audit)
    output = leaky.everything(result)
    assert "ValueError in saboteur.py:" in output
    assert set(leaks(output)) <= {"folder"}  # pytest shows the arguments of its own frames
    assert result.ret != 0


@pytest.mark.parametrize("at", ["building-the-report", "running-a-case", "taking-stock", "reading-rows"])
def test_defects_of_our_own_show_no_canary_in_workers(leaky, at):
    """The same through the channel of xdist."""
    sabotage(leaky, at, "ValueError")
    result = leaky.run("-psaboteur", "-n2")
    output = leaky.everything(result)
    assert "ValueError in saboteur.py:" in output
    assert set(leaks(output)) <= {"folder"}  # pytest shows the arguments of its own frames
    assert result.ret != 0


@pytest.mark.parametrize("at", ["running-a-case", "reading-rows", "building-the-engine"])
def test_interrupts_show_no_canary(leaky, at):
    """An interrupt in a case, a row or the engine shows no text, though a full trace was asked for."""
    sabotage(leaky, at, "KeyboardInterrupt")
    result = leaky.run("-psaboteur")
    output = leaky.everything(result)
    assert "KeyboardInterrupt" in output
    assert result.ret == 2
    assert set(leaks(output)) <= {"folder"}  # pytest shows the arguments of its own frames


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
