"""A small suite in a temporary directory, changed and run by one chainable object."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from warm_process import WarmProcess

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from corpora_suite import CorporaSuite
    from freeze_project import FreezeProject
    from quality_suite import QualityDirectory

# Canaries: none of these may show in any output unless revealed.
NAME = "Zephyrine Quartzmore"
NAME_ID = "zephyrine-quartzmore"
MAIL = "zq@canary.example"
# Installed beside us for tests or adapters that want them; hypothesis alone would double the time of every
# run, and faker triple it.
OTHER_PLUGINS = (
    "anyio",
    "faker",
    "html",
    "hypothesispytest",
    "metadata",
    "pytest_jsonreport",
    "randomly",
    "syrupy",
)
TAGS = [
    "boundary",
    "casing",
    "html",
    "malformed",
    "overlap",
    "punctuation",
    "signature",
    "unicode",
    "whitespace",
]


def literal(value: str, **fields: Any) -> dict[str, Any]:
    """Return a literal pattern with word boundaries, active, case-sensitive, at priority 100."""
    base = {
        "kind": "literal",
        "value": value,
        "description": "",
        "status": "active",
        "priority": 100,
        "case_sensitive": True,
        "normalize_whitespace": True,
        "left_boundary": "word",
        "right_boundary": "word",
        "metadata": {},
    }
    return {**base, **fields}


def regex(value: str, **fields: Any) -> dict[str, Any]:
    """Return an active expression at priority 100."""
    base = {
        "kind": "regex",
        "value": value,
        "description": "",
        "status": "active",
        "priority": 100,
        "regex_flags": [],
        "metadata": {},
    }
    return {**base, **fields}


def name(canonical: str, **patterns: Any) -> dict[str, Any]:
    """Return an active name."""
    keyed = {pattern_id.replace("_", "-"): pattern for pattern_id, pattern in patterns.items()}
    return {"canonical": canonical, "description": "", "status": "active", "patterns": keyed, "metadata": {}}


def entity(**names: Any) -> dict[str, Any]:
    """Return an active entity."""
    keyed = {name_id.replace("_", "-"): value for name_id, value in names.items()}
    return {"description": "", "status": "active", "regex_flags": [], "names": keyed, "metadata": {}}


def small_bank() -> dict[str, Any]:
    """Return a bank of two entities: one person under a canary's name, and e-mail addresses."""
    person = entity(zephyrine_quartzmore=name(NAME, full_name=literal(NAME)))
    mail = entity(address=name("e-mail address", plain=regex(r"[a-z]+@[a-z]+\.example")))
    return {
        "schema_version": "nerb.bank.v1",
        "id": "small-bank",
        "name": "Small",
        "description": "",
        "version": "1",
        "status": "active",
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z",
        "unicode_normalization": "none",
        "default_regex_flags": [],
        "entities": {"email": mail, "person": person},
        "metadata": {},
    }


def occurrence(text: str, string: str, pattern: tuple[str, str, str, str, str]) -> dict[str, Any]:
    """Return the expected record for the first `string` in `text`; offsets are UTF-8 bytes."""
    start = text.encode().index(string.encode())
    keys = ("entity_id", "name_id", "pattern_id", "pattern_kind", "canonical_name")
    return {
        **dict(zip(keys, pattern, strict=True)),
        "string": string,
        "start": start,
        "end": start + len(string.encode()),
    }


PERSON = ("person", NAME_ID, "full-name", "literal", NAME)
EMAIL = ("email", "address", "plain", "regex", "e-mail address")


def positive(case_id: str, text: str, tags: list[str], *expected: dict[str, Any]) -> dict[str, Any]:
    """Return a positive row."""
    return {
        "schema_version": "nerb.enron_conformance_positive_case.v2",
        "case_id": case_id,
        "text": text,
        "tags": tags,
        "expected": list(expected),
    }


def negative(case_id: str, text: str, tags: list[str], reason: str = "look_alike") -> dict[str, Any]:
    """Return a negative row."""
    return {
        "schema_version": "nerb.enron_conformance_negative_case.v2",
        "case_id": case_id,
        "text": text,
        "tags": tags,
        "reason_code": reason,
    }


def small_positives() -> list[dict[str, Any]]:
    """Return eighteen positive cases, two a tag: `person.NN` and `email.NN`."""
    rows = []
    for ordinal, tag in enumerate(TAGS):
        text = f"Päper {ordinal} for {NAME}, thanks."
        rows.append(positive(f"person.{ordinal:02}", text, [tag], occurrence(text, NAME, PERSON)))
        text = f"Write \u2013 {ordinal} \u2013 to {MAIL} today."
        rows.append(positive(f"email.{ordinal:02}", text, [tag], occurrence(text, MAIL, EMAIL)))
    return rows


def small_negatives() -> list[dict[str, Any]]:
    """Return six negative cases: `clean.NN`."""
    return [
        negative(f"clean.{ordinal:02}", f"Order X{NAME}Y {ordinal} shipped.", ["boundary", "negative"])
        for ordinal in range(6)
    ]


class SuiteDirectory:
    """Files of a suite in a pytester directory; `run` starts pytest on it in a process of its own."""

    def __init__(self, pytester: pytest.Pytester, process: WarmProcess) -> None:
        self.pytester = pytester
        self.process = process
        self.bank = small_bank()
        self.positives = small_positives()
        self.negatives = small_negatives()

    @property
    def path(self) -> Path:
        """The directory."""
        return self.pytester.path

    def write(self) -> SuiteDirectory:
        """Write bank.json, conformance-positive.jsonl and conformance-negative.jsonl."""
        (self.path / "bank.json").write_text(json.dumps(self.bank), encoding="utf-8")
        self.write_rows("conformance-positive.jsonl", self.positives)
        self.write_rows("conformance-negative.jsonl", self.negatives)
        return self

    def write_rows(self, file: str, rows: list[dict[str, Any]]) -> None:
        """Write one JSON Lines file."""
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
        (self.path / file).write_text("".join(lines), encoding="utf-8", newline="\n")

    def run(
        self, *arguments: str, bank: str | None = "bank.json", friends: tuple[str, ...] = ()
    ) -> pytest.RunResult:
        """Run pytest with `arguments`, with no plugins of others but xdist and `friends`."""
        given = [] if bank is None else [f"--pii-bank={bank}"]
        others = [f"-pno:{plugin}" for plugin in OTHER_PLUGINS if plugin not in friends]
        return self.process.run(self.pytester, *others, *given, *arguments)

    def run_cold(self, *arguments: str) -> pytest.RunResult:
        """Run without a bank in a process that has imported nothing."""
        others = [f"-pno:{plugin}" for plugin in OTHER_PLUGINS]
        return self.pytester.runpytest_subprocess(*others, *arguments)

    def report(self, file: str = ".pii_eval/report.json") -> dict[str, Any]:
        """Return the report that the last run wrote."""
        return json.loads((self.path / file).read_text(encoding="utf-8"))

    def comparable(self, file: str = ".pii_eval/report.json") -> str:
        """Return the report as text, its `run` part aside."""
        report = self.report(file)
        del report["run"]
        return json.dumps(report, sort_keys=True)


@pytest.fixture(autouse=True)
def _as_on_a_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide from inner runs that the outer one runs under xdist, or in CI, where pytest cuts nothing."""
    xdist = ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTEST_XDIST_TESTRUNUID")
    for name in (*xdist, "CI", "BUILD_NUMBER"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def process() -> Iterator[WarmProcess]:
    """What runs of pytest are forks of."""
    process = WarmProcess()
    yield process
    process.close()


@pytest.fixture
def suite(pytester: pytest.Pytester, process: WarmProcess) -> SuiteDirectory:
    """A small suite, not yet written, that passes as it stands."""
    return SuiteDirectory(pytester, process)


@pytest.fixture
def quality(pytester: pytest.Pytester, process: WarmProcess) -> QualityDirectory:
    """A small quality suite, not yet written, that passes as it stands."""
    from quality_suite import QualityDirectory  # noqa: PLC0415  # it imports this file

    return QualityDirectory(pytester, process)


@pytest.fixture
def corpora(pytester: pytest.Pytester, process: WarmProcess) -> CorporaSuite:
    """A small pinned corpus, not yet written nor prepared, that passes as it stands."""
    from corpora_suite import CorporaSuite  # noqa: PLC0415  # it imports this file

    return CorporaSuite(pytester, process)


@pytest.fixture(scope="session")
def ready_project(tmp_path_factory: pytest.TempPathFactory) -> FreezeProject:
    """A project whose floors are set and whose dev freeze is attested; made once, copied, never run."""
    from freeze_project import FreezeProject  # noqa: PLC0415  # it imports this file

    return FreezeProject(tmp_path_factory.mktemp("ready")).build().ready()


@pytest.fixture
def project(ready_project: FreezeProject, tmp_path: Path) -> FreezeProject:
    """A copy of the ready project: of this one a promotion may start."""
    return ready_project.copied(tmp_path)


@pytest.fixture(params=[(), ("-n2",)], ids=["serial", "n2"])
def processes(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """Arguments for a run in one process, and for one in two."""
    return request.param
