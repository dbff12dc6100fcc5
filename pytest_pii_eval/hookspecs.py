"""The hooks of this plugin; implement them in a `conftest.py` or in a plugin of your own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pii_eval.detectors.protocol import Detector
    from pytest_pii_eval.reports.model import Report


@pytest.hookspec(firstresult=True)
def pytest_pii_make_detector(name: str, config: pytest.Config) -> Detector | None:
    """Make the detector that `--pii-detector` names, or return None where the name is not yours.

    Called once in each process that asks documents, before the shipped adapters are tried. What it raises
    becomes one line: type and place, never its text. See `pytest_pii_eval.Detector`::

        def pytest_pii_make_detector(name, config):
            if name == "ours":
                return OurDetector(threshold=0.4)
    """


@pytest.hookspec(firstresult=True)
def pytest_pii_make_corpus_adapter(name: str, config: pytest.Config | None) -> Callable[..., object] | None:
    """Return the class or factory of the corpus adapter `name`, or None where the name is not yours.

    It is called with the options of the pin as keyword arguments, and what it makes reads one corpus format:
    see `pytest_pii_eval.corpora.draft.CorpusAdapter`. `config` is None where `pii-eval corpus` asks, which
    knows the hooks of installed plugins only::

        def pytest_pii_make_corpus_adapter(name, config):
            return TicketAdapter if name == "tickets" else None
    """


@pytest.hookspec(firstresult=True)
def pytest_pii_modify_report(report: Report, config: pytest.Config) -> Report | None:
    """Look at the report, or replace it, before it is written.

    Called on the controller only, once a run. Return a changed copy, or None to leave it; the first
    copy returned is taken and checked against the report model again. It is what is written and shown, its
    verdicts included, and what is compared with a baseline. The exit status follows the run as it was
    before, and that comparison; of a sealed run the verdict in the report stays as well: a change of it
    is put back, and fails the run. Never put text of a document into it::

        def pytest_pii_modify_report(report, config):
            facts = report.run.model_copy(update={"platform": "ci"})
            return report.model_copy(update={"run": facts})
    """
