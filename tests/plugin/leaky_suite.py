"""A suite full of canaries in a folder outside the root directory, and an engine that talks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bad_input import line
from canaries import CANARIES, everything

from conftest import literal, name, negative, positive, regex

if TYPE_CHECKING:
    import pytest

# Every form in which a run is handed to readers, but those that hold text; with the variables below.
READERS = (
    "--pii-markdown=out/report.md",
    "--pii-html=out/pii.html",
    "--pii-baseline=out/baseline.json",
    "--pii-baseline-update",
    "--pii-github-summary",
    "--pii-github-annotations",
)
WORKFLOW = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "summary.md"}
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
    *READERS,
)
_HTML = (
    "--html=out/report.html",
    "--self-contained-html",
    "--json-report",
    "--json-report-file=out/report.json",
)
FRIENDS = ("html", "metadata", "pytest_jsonreport")
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
    BankDetector.quiet = False  # as any engine but ours: the embedded one is known to write nothing
"""


class Leaky:
    """The suite, run as loudly as pytest can."""

    def __init__(self, suite: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        for variable, value in WORKFLOW.items():
            monkeypatch.setenv(variable, value)
        monkeypatch.setenv("CI", "true")
        self.suite = suite
        self.path = suite.path
        self.outside = suite.path.parent / f"outside of {suite.path.name}"
        self.private = self.outside / CANARIES["folder"]
        self.private.mkdir(parents=True)
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
        """Run what lies outside from the root directory."""
        (self.private / "bank.json").write_text(json.dumps(self.bank), encoding="utf-8")
        place = ("--rootdir=.", "-ctox.ini", str(self.outside), "-ptalker")
        loud = (*_LOUD, *(_HTML if friends else ()))
        return self.suite.run(
            *place, *loud, *arguments, bank=str(self.private / "bank.json"), friends=friends
        )

    def everything(self, result: pytest.RunResult) -> str:
        """Return all that the run printed and wrote below the root directory.

        The list of collectors in pytest-json-report's file is left out: it names pytest's own folder nodes.
        """
        report = self.path / "out/report.json"
        if report.exists():
            document = json.loads(report.read_text(encoding="utf-8"))
            document.pop("collectors", None)
            report.write_text(json.dumps(document), encoding="utf-8")
        return everything(result, self.path, but=("talker.py", "saboteur.py", "__pycache__"))


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
