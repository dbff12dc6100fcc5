"""A git repository with a freezes file, floors, a ledger and reports of sealed runs, as one object."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger_values import BOUND, begun, chain, commit, digest, ended, git

from pytest_pii_eval.contracts.freezes_file import read_freezes
from pytest_pii_eval.freezes.git import Repository
from pytest_pii_eval.freezes.verifying import Verification, ledger_faults, verify

if TYPE_CHECKING:
    from pathlib import Path

FREEZES = {
    "version": "pii_eval.freezes.v1",
    "roles": ["builder"],
    "sets": {"sealed-mail": {"role": "sealed_freeze", "commitment": "sealed-mail.json"}},
    "train_lists": "none",
    "floors": "floors.json",
    "ledger": "ledger.jsonl",
    "reports": "reports",
}
# printf '[["exact_recall","*","EMAIL","open"]]' | sha256sum
OPEN_FLOORS = "sha256:c668142bc98ba5b23fa30852c3d0e2790001a7d72d8cb49f960a59c599ff94c5"


class Place(NamedTuple):
    """The repository; `revision` is the commit that its promotions start from."""

    top: Path
    revision: str

    @property
    def ledger(self) -> Path:
        """The ledger."""
        return self.top / "ledger.jsonl"

    def bound(self, **fields: str) -> dict[str, str]:
        """Return what a promotion is bound to that starts from the first commit."""
        return {**BOUND, "repository": self.revision, "floors": OPEN_FLOORS, **fields}

    def begun(self, promotion: str = "rc-1", **fields: Any) -> dict[str, Any]:
        """Return the start of a promotion from the first commit."""
        return begun(promotion, **{"bound": self.bound(), **fields})

    def ship(self, promotion: str = "rc-1", **changes: Any) -> None:
        """Write the ledger of one promotion that shipped, and its report with `changes`."""
        start = chain(self.begun(promotion))
        report = self.report(promotion, start, **changes)
        end = ended(promotion, report=report, bound=self.bound(), at="2026-03-01T12:30:00Z")
        self.ledger.write_bytes(chain(self.begun(promotion), end))

    def report(
        self,
        promotion: str,
        ledger: bytes,
        *,
        name: str | None = None,
        outside: dict[str, Any] | None = None,
        **changes: Any,
    ) -> str:
        """Write the report of a run that `ledger` ends with the start of, and return its SHA-256.

        `changes` are those of its part about the promotion, `outside` those of the rest.
        """
        begun_with = ledger.decode().splitlines()[-1]
        own = {
            "id": promotion,
            "set": "sealed-mail",
            "started": digest(begun_with),
            "gold": BOUND["gold"],
            "detector": BOUND["detector"],
            "floors": OPEN_FLOORS,
            "ships": True,
            "parts": verdicts(ships=changes.get("ships", True)),
        }
        return self.write_report(name or promotion, {**own, **changes}, **(outside or {}))

    def write_report(self, name: str, promotion: dict[str, Any] | None, **outside: Any) -> str:
        """Write a report with this part about a promotion, and return its SHA-256."""
        payload = json.dumps({**REPORT, **outside, "promotion": promotion}).encode()
        (self.top / "reports").mkdir(exist_ok=True)
        (self.top / "reports" / f"{name}.json").write_bytes(payload)
        return "sha256:" + hashlib.sha256(payload).hexdigest()

    def verified(self) -> Verification:
        """Verify the ledger as the command does."""
        return verify(read_freezes(self.top / "freezes.json"), Repository.around(self.top), root=self.top)

    def faults(self) -> tuple[str, ...]:
        """Return what is wrong with the ledger by itself."""
        file = read_freezes(self.top / "freezes.json")
        return ledger_faults(file, Repository.around(self.top), root=self.top)


def verdicts(*, ships: bool = True, **parts: str) -> dict[str, Any]:
    """Return the parts of a ship verdict; one that does not ship leaks, and `parts` are other verdicts."""
    names = ("leakage", "floors", "contamination", "complete", "domain", "evidence", "scorer", "bound")
    found = {**dict.fromkeys(names, "pass"), **({} if ships else {"leakage": "fail"}), **parts}
    return {name: {"verdict": verdict, "reasons": []} for name, verdict in found.items()}


def make(top: Path) -> Place:
    """Make the repository with one commit: the freezes file, and floors that are open."""
    git(top, "init", "-q", "-b", "main")
    write_freezes(top)
    floor = {"kind": "exact_recall", "slice": "*", "type": "EMAIL", "limit": "open"}
    write_json(top / "floors.json", {"version": "pii_eval.floors.v1", "floors": [floor]})
    return Place(top, commit(top))


def write_freezes(top: Path, **changes: Any) -> None:
    """Write the freezes file."""
    write_json(top / "freezes.json", {**FREEZES, **changes})


def write_json(path: Path, document: object) -> None:
    """Write a JSON file."""
    path.write_text(json.dumps(document), encoding="utf-8")


REPORT: dict[str, Any] = {
    "complete": True,
    "missing": [],
    "missing_count": 0,
    "crashed": [],
    "selection": {"whole": True, "collected": 3, "selected": 3},
    "scorer": {
        "version": "0.1.0",
        "source_sha256": BOUND["scorer_source"],
        "git_revision": BOUND["scorer"],
        "git_dirty": False,
    },
    "subject": {
        "kind": "detector",
        "name": "invented",
        "version": "1",
        "libraries": {},
        "fingerprint": BOUND["detector"],
    },
    "conformance": None,
    "freeze_rules": {"ledger-holds": {"verdict": "pass", "reasons": []}},
    "gates": [],
    "fingerprints": {},
    "passed": True,
    "run": {
        "started": "2026-03-01T12:00:00+00:00",
        "seconds": 0.5,
        "python": "3.11.0",
        "platform": "linux",
        "pytest": "9.0.0",
        "processes": 1,
    },
}
"""A report of a run on a suite, without its part about a promotion."""
