"""From the name of an adapter to a built one; modules are imported when they are asked for."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.offsets import OFFSET_UNITS
from pytest_pii_eval.corpora.draft import CorpusAdapter
from pytest_pii_eval.corpora.hushed import Hushed
from pytest_pii_eval.withheld import withheld

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ADAPTERS: Final[Mapping[str, str]] = {
    "bio": "bio:BioAdapter",
    "brat": "brat:BratAdapter",
    "cmu-enron-meetings": "cmu_enron:CmuEnronAdapter",
    "doccano": "doccano:DoccanoAdapter",
    "inline": "inline:InlineAdapter",
    "label-studio": "label_studio:LabelStudioAdapter",
    "presidio-research": "presidio_research:PresidioResearchAdapter",
    "prodigy": "prodigy:ProdigyAdapter",
    "spacy": "spacy_training:SpacyTrainingAdapter",
    "spans": "spans:SpansAdapter",
    "spy": "spy:SpyAdapter",
    "tab": "tab:TabAdapter",
}
"""The shipped adapters: the name that a pin gives, and where its class lives."""

_ROOM = "pytest_pii_eval.corpora.adapters"
_TOLD: Final = ("name", "version", "not_promotable")
_ABSENT: Final = "none"
_identifier = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:+@/-]{0,127}").fullmatch


def build_adapter(
    name: str, options: Mapping[str, str], make: Callable[[str], object | None] = lambda _: None
) -> CorpusAdapter:
    """Return the adapter `name`, called with `options`; raises `Fault` in one line, whatever goes wrong.

    `make` is asked for names that are not shipped and are no `module:attribute`; it returns a class or
    factory, or None.
    """
    try:
        factory = _factory(name, make)
        _check_options(factory, name, options)
        made = _checked(factory(**options), name)
        return made if name in ADAPTERS else Hushed(made)
    except Fault:
        raise
    except ModuleNotFoundError as error:
        raise Fault(f"the adapter {name} needs the module {error.name}, which is not installed") from None
    except Exception as error:  # noqa: BLE001  # a stranger's code; its text may hold anything
        raise Fault(f"the adapter {name} could not be built: {withheld(error)}") from None


def _factory(name: str, make: Callable[[str], object | None]) -> Callable[..., object]:
    if name in ADAPTERS:
        module, _, attribute = ADAPTERS[name].partition(":")
        found: Any = getattr(import_module(f"{_ROOM}.{module}"), attribute)
        return found  # type: ignore[no-any-return]  # one of our own classes
    module, colon, attribute = name.partition(":")
    found = getattr(import_module(module), attribute, None) if colon and attribute else make(name)
    if found is None:
        known = ", ".join(sorted(ADAPTERS))
        raise Fault(f"no corpus adapter has this name; name module:attribute or one of: {known}")
    if not callable(found):
        raise Fault(f"the adapter {name} is no class or factory")
    return found  # type: ignore[no-any-return]  # callable: seen above


def _check_options(factory: Callable[..., object], name: str, options: Mapping[str, str]) -> None:
    parameters = inspect.signature(factory).parameters
    if not any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
        unknown = sorted(options.keys() - parameters.keys())
        if unknown:
            known = ", ".join(parameters) or "none"
            raise Fault(f"the adapter {name} takes no option {', '.join(unknown)}; it takes: {known}")
    lacking = [
        one.name
        for one in parameters.values()
        if one.default is one.empty
        and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
        and one.name not in options
    ]
    if lacking:
        raise Fault(f"the adapter {name} needs the options {', '.join(lacking)}")


def _checked(made: object, name: str) -> CorpusAdapter:
    if not isinstance(made, CorpusAdapter):
        raise Fault(f"the adapter {name} lacks one of: name, version, offset_unit, policy, read")
    if made.offset_unit not in OFFSET_UNITS:
        known = ", ".join(OFFSET_UNITS)
        raise Fault(f"the adapter {name} counts in no known unit; offset_unit is one of {known}")
    for attribute in _TOLD:
        # They stand in receipts and reports.
        word = getattr(made, attribute, _ABSENT)
        if type(word) is not str or not _identifier(word):
            raise Fault(f"the adapter {name} has a {attribute} that is no identifier of up to 128 characters")
    if type(made.policy) is not str:
        raise Fault(f"the adapter {name} has a policy that is no text")
    return made
