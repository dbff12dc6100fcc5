"""Reports of the shipped suite: one that passes, one that fails, one that supports hardly anything."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pii_eval import BankDetector, evaluate, load_bank
from pytest_pii_eval.contracts.spans import Detection

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pii_eval.reports.model import Report

SUITE = Path(__file__).parents[2] / "conformance"
FLOORS = """\
floors:
  - {slice: structured, metric: recall, type: email, min: 0.95}
  - {slice: structured, metric: recall, type: payment_card, min: 0.95}
  - {slice: structured, metric: recall, type: phone, min: 0.5}
  - {slice: promotion, metric: recall, min: 0.6}
  - {slice: promotion, metric: leaks, max: 3}
  - {slice: names, metric: recall, min: 0.5}
"""


class Careless(BankDetector):
    """The shipped bank behind a policy that drops cards, shortens names and takes phones for accounts."""

    def scan(self, text, *, max_matches=100_000):
        """Return what the bank finds, without half of the cards."""
        return [match for match in super().scan(text, max_matches=max_matches) if self._kept(match)]

    def _kept(self, match):
        return self.bank.patterns[match[2]].entity_id != "payment_card" or match[0] % 2 == 0

    def detect(self, text, *, max_matches=100_000):
        """Return what is left, and all of it as candidates."""
        found = super().detect(text, max_matches=max_matches)
        spans = tuple(filter(None, map(_careless, found.selected)))
        return Detection(spans, found.selected, tuple((one.start, one.end) for one in spans))


def _careless(span):
    if span.type == "person" and span.end - span.start > 12:
        return span._replace(end=span.end - 3)
    if span.type == "phone" and span.start % 3 == 0:
        return span._replace(type="bank_account")
    return None if span.type == "email" and span.start % 5 == 0 else span


class Bare:
    """The shipped bank as a detector that shows neither identities, candidates nor protection ranges."""

    name, version, offset_unit, label_map = "bare_detector", "1", "codepoint", None

    def __init__(self) -> None:
        self._bank = _bank()

    def detect(self, text):
        """Return spans alone."""
        return Detection(
            tuple(one._replace(identity=None) for one in self._bank.detect(text).selected), None, None
        )

    def fingerprint(self):
        """Return a digest of nothing."""
        return "sha256:" + "b" * 64


def _bank() -> BankDetector:
    return BankDetector(load_bank(SUITE / "bank.json"))


def passing(folder: Path) -> Report:
    """Return the report of the shipped bank: everything holds."""
    return evaluate(_copied(folder), _bank())


def failing(folder: Path) -> Report:
    """Return a report of floors that a careless detector breaks."""
    suite = _copied(folder)
    (suite / "suite.yaml").write_text(FLOORS, encoding="utf-8")
    return evaluate(suite, Careless(load_bank(SUITE / "bank.json")))


def unsupported(folder: Path) -> Report:
    """Return a report on weak labels, of a detector that shows spans alone: most metrics have no value."""
    suite = _copied(folder)
    for path in suite.glob("*.jsonl"):
        if path.name.startswith("conformance-"):
            path.unlink()
        elif path.name.startswith("quality-slices"):
            weak = path.read_text(encoding="utf-8").replace('"independent"', '"structured_weak"')
            weak = weak.replace('"promotion_gate": true', '"promotion_gate": false')
            path.write_text(weak, encoding="utf-8")
    return evaluate(suite, Bare())


PAGES: dict[str, Callable[[Path], Report]] = {
    "passing": passing,
    "failing": failing,
    "unsupported": unsupported,
}


def _copied(folder: Path) -> Path:
    """Return a copy of the shipped files in a new folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in SUITE.glob("*.jsonl"):
        shutil.copy(path, folder)
    return folder


def shortened(report: Report, names: tuple[str, ...]) -> Report:
    """Return `report` with so many slices and eight entities: an accessibility check reads every element."""
    conformance = report.conformance
    if conformance is not None:
        some = dict(list(conformance.by_entity.items())[:8])
        conformance = conformance.model_copy(update={"by_entity": some})
    slices = {name: report.slices[name] for name in names}
    gates = [gate for gate in report.gates if gate.slice is None or gate.slice in slices]
    return report.model_copy(update={"slices": slices, "gates": gates, "conformance": conformance})


def hostile(report: Report) -> Report:
    """Return `report` with names that would act if they could, and one of 10,000 characters."""
    names = (
        "<script>alert(1)</script>",
        "\"' onload=alert(1) autofocus onfocus=alert(2) x=",
        "</title></style></svg><img src=x onerror=alert(3)>",
        "{{7*7}}\x1b[31m\u202egnp.exe\u2066",
        "a" * 10_000,
        "長い名前" * 2_500,
    )
    renamed = dict(zip(report.slices, names, strict=False))
    slices = {
        renamed[name]: _hostile_slice(one, names) for name, one in report.slices.items() if name in renamed
    }
    gates = [
        gate.model_copy(update={"slice": renamed.get(gate.slice or ""), "id": names[0]})
        for gate in report.gates
    ]
    subject = report.subject.model_copy(update={"name": names[4], "version": names[1]})
    return report.model_copy(update={"slices": slices, "gates": gates, "subject": subject})


def _hostile_slice(one, names):
    """Return a slice whose types are named so."""
    types = dict(zip(one.by_type, names, strict=False))
    confusion = {types.get(gold, names[2]): dict.fromkeys((names[0], names[4]), 2) for gold in one.by_type}
    by_type = {types[name]: found for name, found in one.by_type.items() if name in types}
    return one.model_copy(update={"by_type": by_type, "confusion": confusion, "cohort": names[4]})
