"""The suite of a process: made when the first file or fixture of ours asks for it, and found again later."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from pytest_pii_eval.collection.protocol import ItemRunner
from pytest_pii_eval.collection.subject_building import Builder
from pytest_pii_eval.collection.suite import SUITE, Suite
from pytest_pii_eval.plugins_outside import asked
from pytest_pii_eval.settings import SETTINGS
from pytest_pii_eval.wire import ALL_PHASES, RUN_ID, run_directory

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

RUNNER = "pii_eval_runner"


def suite_of(config: pytest.Config) -> Suite:
    """Return the suite of this process; the first call makes it, and registers what runs its items."""
    if SUITE not in config.stash:

        def make_adapter(name: str) -> object | None:
            return asked(lambda: config.hook.pytest_pii_make_corpus_adapter(name=name, config=config), name)

        suite = config.stash[SUITE] = Suite(
            config.stash[SETTINGS], make=_maker(config), make_adapter=make_adapter
        )
        suite.ids_were_named = any("::" in argument for argument in config.args)
        worker: dict[str, Any] | None = getattr(config, "workerinput", None)
        if worker is not None:
            suite.run_directory = run_directory(worker["testrunuid"])
        elif suite.settings.keeps_outcomes:
            run_id = config.stash[RUN_ID] = secrets.token_hex(16)
            suite.run_directory = run_directory(run_id)
        all_phases = bool(worker and worker.get(ALL_PHASES, False))
        runner = ItemRunner(suite, all_phases=all_phases, is_worker=worker is not None)
        config.pluginmanager.register(runner, RUNNER)
    return config.stash[SUITE]


def subject_facts(config: pytest.Config) -> dict[str, Any]:
    """Return name, version and fingerprint of the subject before anything is collected; raises `Fault`.

    Where this process runs the items, it keeps the subject for them; an xdist controller lets it go again.
    """
    if not config.pluginmanager.has_plugin("dsession"):
        return suite_of(config).subject().facts()
    builder = Builder(config.stash[SETTINGS], _maker(config))
    try:
        return builder.subject().facts()
    finally:
        builder.close()


def _maker(config: pytest.Config) -> Callable[[str], object | None]:
    def make(name: str) -> object | None:
        made: object | None = config.hook.pytest_pii_make_detector(name=name, config=config)
        return made

    return make
