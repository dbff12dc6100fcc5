"""The pytest hooks, thin: options, which files are ours, and who listens where; rules live elsewhere.

Every pytest run of every user imports this module, so it imports pytest and the standard library only;
rooms with weight are imported once a file of ours is met.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_pii_eval import hookspecs
from pytest_pii_eval.fixtures import pii_bank, pii_detector, pii_evaluate, pii_snapshot
from pytest_pii_eval.kinds import kind_of, ours_among, refuse_outputs
from pytest_pii_eval.options import add_options, read_settings
from pytest_pii_eval.settings import SETTINGS
from pytest_pii_eval.wire import ALL_PHASES, CONTROLLER, PROBLEM
from pytest_pii_eval.withheld import contained

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.session.controller import Controller
    from pytest_pii_eval.settings import Settings

_OF_A_BANK = frozenset({"positive", "negative", "bank"})

__all__ = ["pii_bank", "pii_detector", "pii_evaluate", "pii_snapshot"]  # fixtures are found by being here


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare `--pii-*` and `pii_*`."""
    add_options(parser)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare `pytest_pii_*`."""
    pluginmanager.add_hookspecs(hookspecs)


def pytest_configure(config: pytest.Config) -> None:
    """Read the settings; refuse targets that would cost the user a file, or privacy."""
    settings = config.stash[SETTINGS] = read_settings(config)
    if settings.sealed is not None:
        from pytest_pii_eval.sealing.run import prepare_sealed_run  # noqa: PLC0415  # only when asked for

        settings = config.stash[SETTINGS] = prepare_sealed_run(config, settings, is_worker=_is_worker(config))
    if not _is_worker(config):
        _refuse_targets(settings)


def pytest_report_header(config: pytest.Config) -> str | None:
    """Name the detector, or bank and engine, where one was asked for."""
    settings = config.stash[SETTINGS]
    if settings.detector is not None:
        return f"pii-eval: detector {settings.detector}; conformance cases are left out, they ask a bank"
    if settings.predictions is not None:
        return f"pii-eval: predictions {settings.shown(settings.predictions)}; conformance cases are left out"
    if settings.bank is None or not settings.bank_from_command_line:
        return None
    return f"pii-eval: bank {settings.shown(settings.bank)}, engine {settings.engine}"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Turn case files and the bank into collectors."""
    config = parent.config
    settings = config.stash[SETTINGS]
    kind = kind_of(file_path, settings)
    if kind is None or (kind in _OF_A_BANK and not settings.asks_a_bank):
        return None
    if kind == "corpora" and not (settings.has_subject or parent.session.isinitpath(file_path)):
        return None
    if settings.sealed is not None and kind != "freezes":
        return None  # nothing beside the sealed freeze may speak for it
    from pytest_pii_eval.collection.entry import suite_of  # noqa: PLC0415  # only for our files
    from pytest_pii_eval.collection.files import file_node  # noqa: PLC0415

    suite_of(config)
    return contained(lambda: file_node(parent, file_path, kind))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add the bank's own items where its file was not met on the way, before anything is deselected."""
    settings = config.stash[SETTINGS]
    if not config.pluginmanager.has_plugin("pii_eval_runner"):
        named = any("::" in argument for argument in config.args)
        asked = settings.corpora or (settings.asks_a_bank and settings.bank_from_command_line)
        if (named or not asked) and settings.sealed is None:
            return
    from pytest_pii_eval.collection import late  # noqa: PLC0415  # only for our files
    from pytest_pii_eval.collection.entry import suite_of  # noqa: PLC0415  # only for our files

    suite = suite_of(config)
    items.extend(contained(lambda: late.collect_corpora(session, suite)))
    items.extend(contained(lambda: late.collect_freezes(session, suite)))
    items.extend(contained(lambda: late.collect_subject(session, suite)))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell an xdist worker whether somebody on the controller listens to every phase of an item."""
    from pytest_pii_eval.collection.protocol import listens_closely  # noqa: PLC0415  # only under xdist

    node.workerinput[ALL_PHASES] = listens_closely(node.config)
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


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Hear what a worker could not do at its end."""
    problem = getattr(node, "workeroutput", {}).get(PROBLEM)
    if problem is not None:
        _controller(node.config).complain(f"{node.gateway.id}: {problem}")


def pytest_collection_finish(session: pytest.Session) -> None:
    """Learn what this process will run, where it is the only one."""
    config = session.config
    if _is_worker(config) or not config.pluginmanager.has_plugin("pii_eval_runner"):
        return
    from pytest_pii_eval.collection.nodes import TextFreeItem  # noqa: PLC0415  # only for our files

    ours = [item.nodeid for item in session.items if isinstance(item, TextFreeItem)]
    if ours:
        _controller(config).plan(ours)


def _refuse_targets(settings: Settings) -> None:
    """Raise `UsageError` where something would be written that must not be."""
    complaint = refuse_outputs(settings)
    if complaint is None and not settings.report_is_default:
        evidence = _refuse_evidence(settings)
        complaint = evidence and f"--pii-report: {evidence}"
    if complaint is not None:
        raise pytest.UsageError(complaint)
    private = (
        ("--pii-audit-dir", settings.audit_dir, settings.audit_allow_tracked, "--pii-audit-allow-tracked"),
        ("--pii-error-dump", settings.outputs.error_dump, False, None),
    )
    for name, target, allow_tracked, option in private:
        if target is None:
            continue
        from pytest_pii_eval.private import refuse_unsafe_target  # noqa: PLC0415  # only when asked for

        complaint = refuse_unsafe_target(target, allow_tracked=allow_tracked, option=option)
        if complaint is not None:
            raise pytest.UsageError(f"{name}: {complaint}")


def _refuse_evidence(settings: Settings) -> str | None:
    if settings.freezes is None or not settings.freezes.is_file():
        return None
    from pytest_pii_eval.collection.freezes.sealed_set import is_evidence  # noqa: PLC0415  # only with freezes

    return "is evidence that the freezes file names; name another file" if is_evidence(settings) else None


def _is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


def _controller(config: pytest.Config) -> Controller:
    from pytest_pii_eval.session.controller import Controller  # noqa: PLC0415  # only for our files

    controller: Controller | None = config.pluginmanager.get_plugin(CONTROLLER)
    if controller is None:
        controller = Controller(config, config.stash[SETTINGS])
        config.pluginmanager.register(controller, CONTROLLER)
    return controller
