"""Collecting the subject when no folder that was walked holds it: a bank's checks, and the faults of any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_pii_eval.collection.nodes import BankFile, SubjectFile
from pytest_pii_eval.kinds import NO_BANK, NO_DETECTOR

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from pytest_pii_eval.collection.nodes import TextFreeFile
    from pytest_pii_eval.collection.suite import Suite


def collect_subject(session: pytest.Session, suite: Suite) -> list[pytest.Item]:
    """Return the support items of a bank that was not met on the way, if this run shall have them.

    A broken or missing subject becomes a collection error even where single ids were named: nothing could
    be checked without it.
    """
    settings = suite.settings
    if not settings.asks_a_bank:
        return _collected(session, suite, SubjectFile) if suite.subject_is_needed and suite.fault() else []
    if suite.bank_was_collected or not (suite.subject_is_needed or settings.bank_from_command_line):
        return []
    if suite.ids_were_named and suite.fault() is None:
        return []
    return _collected(session, suite, BankFile)


def collect_corpora(session: pytest.Session, suite: Suite) -> list[pytest.Item]:
    """Return the items of the corpora that `--pii-corpus` names where no corpora file was met on the way.

    The file is that of the root directory, or else the shipped one.
    """
    settings = suite.settings
    if not settings.corpora or suite.corpora_were_met or suite.ids_were_named:
        return []
    from pytest_pii_eval.collection.corpora.nodes import CorporaNode  # noqa: PLC0415  # only for corpora
    from pytest_pii_eval.corpora.shipped import CORPORA, shipped_path  # noqa: PLC0415  # as above

    own = settings.root / CORPORA
    return _collected_at(session, suite, CorporaNode, own if own.exists() else shipped_path())


def collect_freezes(session: pytest.Session, suite: Suite) -> list[pytest.Item]:
    """Return the rules of the freezes file where it was not met on the way: suites that it governs were.

    Where single ids are named, only a sealed run has them: it always runs whole.
    """
    path = suite.settings.freezes
    if path is None or suite.freezes_were_met or not path.exists():
        return []
    if suite.settings.sealed is None and (suite.ids_were_named or not suite.has_slices):
        return []
    from pytest_pii_eval.collection.freezes.nodes import FreezesNode  # noqa: PLC0415  # only for freezes

    return _collected_at(session, suite, FreezesNode, path)


def _collected(
    session: pytest.Session, suite: Suite, kind: type[BankFile | SubjectFile]
) -> list[pytest.Item]:
    settings = suite.settings
    if settings.asks_a_bank:
        path = settings.bank or settings.root / NO_BANK
    else:
        path = settings.predictions or settings.root / NO_DETECTOR
    return _collected_at(session, suite, kind, path)


def _collected_at(
    session: pytest.Session, suite: Suite, kind: type[TextFreeFile], path: Path
) -> list[pytest.Item]:
    settings = suite.settings
    node = kind.from_parent(session, path=path, name=settings.shown(path), nodeid=settings.shown(path))
    report = node.ihook.pytest_make_collect_report(collector=node)
    report.__dict__.pop("call", None)  # as pytest's own runner does: it cannot travel to an xdist controller
    node.ihook.pytest_collectreport(report=report)
    return report.result if report.passed else []
