"""From the name of an adapter to a built one; modules are imported when they are asked for."""

from __future__ import annotations

import inspect
import re
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, get_args

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.offsets import OFFSET_UNITS
from pytest_pii_eval.contracts.quality_model import SplitRole
from pytest_pii_eval.corpora.draft import CorpusAdapter
from pytest_pii_eval.corpora.hushed import Hushed, quietly
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
_ROLES: Final = get_args(SplitRole)
_LACKS: Final = "the adapter {} lacks one of: name, version, offset_unit, policy, read"
_identifier = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:+@/-]{0,127}").fullmatch


def build_adapter(
    name: str, options: Mapping[str, str], make: Callable[[str], object | None] = lambda _: None
) -> CorpusAdapter:
    """Return the adapter `name`, called with `options`; raises `Fault` in one line, whatever goes wrong.

    `make` is asked for names that are not shipped and are no `module:attribute`; it returns a class or
    factory, or None, and keeps what a stranger's code says to itself (`hushed.quietly`). All other code that
    is not ours runs in quiet, too, and the faults that it raises are told as any exception of it is.
    """
    if name in ADAPTERS:
        return _shipped(name, options)
    run = partial(quietly, told=partial(_told, name))
    factory = _found(name, make)
    _check_options(run(lambda: inspect.signature(factory)), name, options)
    made = run(lambda: _seen(factory(**options)))
    if made is None:
        raise Fault(_LACKS.format(name))
    return _checked(made, name)


def _shipped(name: str, options: Mapping[str, str]) -> CorpusAdapter:
    try:
        module, _, attribute = ADAPTERS[name].partition(":")
        factory: Any = getattr(import_module(f"{_ROOM}.{module}"), attribute)
        _check_options(inspect.signature(factory), name, options)
        made: CorpusAdapter = factory(**options)
        return _checked(made, name)
    except Fault:
        raise
    except Exception as error:  # noqa: BLE001  # an optional library may be broken
        raise Fault(_told(name, error)) from None


def _told(name: str, error: BaseException) -> str:
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    if type(missing) is str and all(part.isidentifier() for part in missing.split(".")):
        return f"the adapter {name} needs the module {missing}, which is not installed"
    return f"the adapter {name} could not be built: {withheld(error)}"


def _seen(made: object) -> Hushed | None:
    """Return what a stranger's factory made, asked once for all that it says of itself; None: no adapter."""
    return Hushed(made) if isinstance(made, CorpusAdapter) else None


def _found(name: str, make: Callable[[str], object | None]) -> Callable[..., object]:
    module, colon, attribute = name.partition(":")
    if colon and attribute:
        told = partial(_told, name)
        found: Any = quietly(lambda: getattr(import_module(module), attribute, None), told)
    else:
        found = make(name)
    if found is None:
        known = ", ".join(sorted(ADAPTERS))
        raise Fault(f"no corpus adapter has this name; name module:attribute or one of: {known}")
    if not callable(found):
        raise Fault(f"the adapter {name} is no class or factory")
    return found  # type: ignore[no-any-return]  # callable: seen above


def _check_options(signature: inspect.Signature, name: str, options: Mapping[str, str]) -> None:
    parameters = signature.parameters
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


def _checked(made: CorpusAdapter, name: str) -> CorpusAdapter:
    if type(made.offset_unit) is not str or made.offset_unit not in OFFSET_UNITS:
        known = ", ".join(OFFSET_UNITS)
        raise Fault(f"the adapter {name} counts in no known unit; offset_unit is one of {known}")
    for attribute in _TOLD:
        # They stand in receipts and reports.
        word = getattr(made, attribute, _ABSENT)
        if type(word) is not str or not _identifier(word):
            raise Fault(f"the adapter {name} has a {attribute} that is no identifier of up to 128 characters")
    roles = getattr(made, "roles", _ROLES)
    if type(roles) is not tuple or any(type(role) is not str or role not in _ROLES for role in roles):
        raise Fault(f"the adapter {name} has roles that are no tuple of {', '.join(_ROLES)}")
    if type(made.policy) is not str:
        raise Fault(f"the adapter {name} has a policy that is no text")
    return made
