"""The pytest hooks, thin: options, which files are ours, and who listens where; rules live elsewhere.

Every pytest run of every user imports this module, so it imports pytest and the standard library only;
rooms with weight are imported once a file of ours is met.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_pii_eval import hookspecs
from pytest_pii_eval.fixtures import pii_bank, pii_evaluate
from pytest_pii_eval.kinds import kind_of, ours_among, refuse_report
from pytest_pii_eval.settings import Settings, add_options, read_settings
from pytest_pii_eval.wire import run_directory
from pytest_pii_eval.withheld import contained

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.collection.suite import Suite
    from pytest_pii_eval.session.controller import Controller

__all__ = ["pii_bank", "pii_evaluate"]  # fixtures are found by being here

SETTINGS: pytest.StashKey[Settings] = pytest.StashKey()
_CONTROLLER = "pii_eval_controller"
_ALL_PHASES = "pii_eval_all_phases"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare `--pii-*` and `pii_*`."""
    add_options(parser)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare `pytest_pii_*`."""
    pluginmanager.add_hookspecs(hookspecs)


def pytest_configure(config: pytest.Config) -> None:
    """Read the settings; refuse targets that would cost the user a file, or privacy."""
    settings = config.stash[SETTINGS] = read_settings(config)
    if not settings.report_is_default and not _is_worker(config):
        complaint = refuse_report(settings)
        if complaint is not None:
            raise pytest.UsageError(f"--pii-report: {complaint}")
    if settings.audit_dir is not None and not _is_worker(config):
        from pytest_pii_eval.reports.private import refuse_unsafe_target  # noqa: PLC0415  # only when asked for

        complaint = refuse_unsafe_target(settings.audit_dir, allow_tracked=settings.audit_allow_tracked)
        if complaint is not None:
            raise pytest.UsageError(f"--pii-audit-dir: {complaint}")


def pytest_report_header(config: pytest.Config) -> str | None:
    """Name bank and engine where a bank was asked for."""
    settings = config.stash[SETTINGS]
    if settings.bank is None or not settings.bank_from_command_line:
        return None
    return f"pii-eval: bank {settings.shown(settings.bank)}, engine {settings.engine}"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Turn case files and the bank into collectors."""
    config = parent.config
    kind = kind_of(file_path, config.stash[SETTINGS])
    if kind is None:
        return None
    _suite(config)
    from pytest_pii_eval.collection.files import file_node  # noqa: PLC0415  # only for our files

    return contained(lambda: file_node(parent, file_path, kind))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add the bank's own items where its file was not met on the way, before anything is deselected."""
    settings = config.stash[SETTINGS]
    if not config.pluginmanager.has_plugin("pii_eval_runner"):
        named = any("::" in argument for argument in config.args)
        if settings.bank is None or not settings.bank_from_command_line or named:
            return
    suite = _suite(config)
    from pytest_pii_eval.collection.late import collect_bank  # noqa: PLC0415  # only for our files

    items.extend(contained(lambda: collect_bank(session, suite)))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell an xdist worker whether somebody on the controller listens to every phase of an item."""
    from pytest_pii_eval.collection.protocol import listens_closely  # noqa: PLC0415  # only under xdist

    node.workerinput[_ALL_PHASES] = listens_closely(node.config)
    from pytest_pii_eval.session.interruption import NAME, Interruption  # noqa: PLC0415  # only under xdist

    config = node.config
    if not config.pluginmanager.has_plugin(NAME):
        goes_on = config.option.continue_on_collection_errors
        config.pluginmanager.register(Interruption(config.stash[SETTINGS], goes_on=goes_on), NAME)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: Any, ids: list[str]) -> None:
    """Learn on the controller what the workers will run, unless a file of ours is broken."""
    from pytest_pii_eval.session.interruption import NAME  # noqa: PLC0415  # only under xdist

    node.config.pluginmanager.get_plugin(NAME).raise_if_due()
    ours = ours_among(ids, node.config.stash[SETTINGS])
    if ours:
        controller = _controller(node.config)
        controller.plan(ours)
        controller.know_items(ids, node.workerinput["testrunuid"])


def pytest_collection_finish(session: pytest.Session) -> None:
    """Learn what this process will run, where it is the only one."""
    config = session.config
    if _is_worker(config) or not config.pluginmanager.has_plugin("pii_eval_runner"):
        return
    from pytest_pii_eval.collection.nodes import TextFreeItem  # noqa: PLC0415  # only for our files

    ours = [item.nodeid for item in session.items if isinstance(item, TextFreeItem)]
    if ours:
        _controller(config).plan(ours)


def _is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


def _suite(config: pytest.Config) -> Suite:
    from pytest_pii_eval.collection.protocol import ItemRunner  # noqa: PLC0415  # only for our files
    from pytest_pii_eval.collection.suite import SUITE, Suite  # noqa: PLC0415

    if SUITE not in config.stash:
        suite = config.stash[SUITE] = Suite(config.stash[SETTINGS])
        suite.ids_were_named = any("::" in argument for argument in config.args)
        worker: dict[str, Any] = getattr(config, "workerinput", {})
        if "testrunuid" in worker:
            suite.run_directory = run_directory(worker["testrunuid"])
        runner = ItemRunner(suite, all_phases=worker.get(_ALL_PHASES, False), is_worker=_is_worker(config))
        config.pluginmanager.register(runner, "pii_eval_runner")
    return config.stash[SUITE]


def _controller(config: pytest.Config) -> Controller:
    from pytest_pii_eval.session.controller import Controller  # noqa: PLC0415  # only for our files

    controller: Controller | None = config.pluginmanager.get_plugin(_CONTROLLER)
    if controller is None:
        controller = Controller(config, config.stash[SETTINGS])
        config.pluginmanager.register(controller, _CONTROLLER)
    return controller
