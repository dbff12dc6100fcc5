"""Corpus adapters of other people's pytest plugins, asked for outside of pytest, where no `config` is."""

from __future__ import annotations

from functools import partial
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.hushed import quietly
from pytest_pii_eval.withheld import withheld

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.metadata import EntryPoint

    from pluggy import PluginManager

HOOK: Final = "pytest_pii_make_corpus_adapter"

_GROUP: Final = "pytest11"
_OURS: Final = "pii_eval"


def outside_adapter(name: str) -> object | None:
    """Return the class or factory that an installed plugin has for `name`, or None.

    Plugins are those that pytest itself would load by their entry points, not conftest files; the hook is
    called with `config=None`. Raises `Fault` in one line where it raises, or where nobody has the name and a
    plugin could not be imported.
    """
    manager, broken = _manager()
    found = asked(lambda: getattr(manager.hook, HOOK)(name=name, config=None), name)
    if found is None and broken:
        raise Fault(
            f"no plugin has the adapter {name}, but these could not be imported: {', '.join(sorted(broken))}"
        )
    return found


def asked(hook: Callable[[], object | None], name: str) -> object | None:
    """Return what the `hook` of strangers gives for the adapter `name`; raises `Fault` where one fails."""
    return quietly(hook, lambda error: f"the hook {HOOK} failed for the adapter {name}: {withheld(error)}")


def _manager() -> tuple[PluginManager, list[str]]:
    """Return a manager of every installed plugin that has the hook, and the names of the broken ones."""
    from pluggy import PluginManager  # noqa: PLC0415  # most adapters are shipped, and need none of this

    from pytest_pii_eval import hookspecs  # noqa: PLC0415  # imports pytest

    class OneHook(PluginManager):
        """A manager that knows the one hook, marked or not, as pytest's own knows hooks by their prefix."""

        def parse_hookimpl_opts(self, plugin: Any, name: str) -> Any:
            return (super().parse_hookimpl_opts(plugin, name) or {}) if name == HOOK else None

        def parse_hookspec_opts(self, module_or_class: Any, name: str) -> Any:
            return super().parse_hookspec_opts(module_or_class, name) if name == HOOK else None

    manager, broken = OneHook("pytest"), []
    manager.add_hookspecs(hookspecs)
    for entry in entry_points(group=_GROUP):
        if entry.name == _OURS:
            continue
        try:
            quietly(partial(_register, manager, entry))
        except Fault:  # told by its name, where it matters
            broken.append(entry.name)
    return manager, broken


def _register(manager: PluginManager, entry: EntryPoint) -> None:
    plugin = entry.load()
    if not manager.is_registered(plugin):  # one module may be there under two names
        manager.register(plugin)
