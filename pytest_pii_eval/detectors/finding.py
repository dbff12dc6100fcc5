"""From a name or `module:attribute` to a built detector; adapters are imported when they are asked for."""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.detectors.plain import FunctionDetector
from pytest_pii_eval.detectors.vetting import vetted
from pytest_pii_eval.withheld import withheld

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pytest_pii_eval.detectors.protocol import Detector

ADAPTERS: Final[Mapping[str, str]] = {
    "datafog": "datafog:DatafogDetector",
    "gliner": "gliner:GlinerDetector",
    "http": "http:HttpDetector",
    "presidio": "presidio:PresidioDetector",
    "process": "process:ProcessDetector",
    "redactor": "redactor:RedactorDetector",
    "scrubadub": "scrubadub:ScrubadubDetector",
    "spacy": "spacy:SpacyDetector",
    "transformers": "transformers:TransformersDetector",
}
"""The shipped adapters: the name that `--pii-detector` takes, and where its class lives."""

_ROOM = "pytest_pii_eval.detectors.adapters"


class Wanted(NamedTuple):
    """A detector as it was asked for; enough to build it again in another process.

    `name` is one of `ADAPTERS` or `module:attribute`; `options` are keyword arguments for its constructor as
    they were written; `paths` are folders that modules are looked up in besides those of `sys.path`.
    """

    name: str
    options: tuple[tuple[str, str], ...] = ()
    paths: tuple[str, ...] = ()


def build(wanted: Wanted) -> Detector:
    """Return the detector; raises `Fault` in one line, whatever goes wrong while it is built."""
    try:
        _look_in(wanted.paths)
        made = _adapter(wanted) if ":" not in wanted.name else _named(wanted)
    except Fault:
        raise
    except ModuleNotFoundError as error:
        raise Fault(_lacking(wanted, error)) from None
    except Exception as error:  # noqa: BLE001  # a stranger's code; its text may hold anything
        raise Fault(f"the detector {wanted.name} could not be built: {withheld(error)}") from None
    return vetted(made, wanted.name)


def _adapter(wanted: Wanted) -> object:
    place = ADAPTERS.get(wanted.name)
    if place is None:
        known = ", ".join(sorted(ADAPTERS))
        raise Fault(f"--pii-detector: no detector has this name; name module:attribute or one of: {known}")
    module, _, class_ = place.partition(":")
    return _called(getattr(import_module(f"{_ROOM}.{module}"), class_), wanted)


def _named(wanted: Wanted) -> object:
    """Import what `module:attribute` names: a detector, a class, a factory, or a function from text."""
    module, _, attribute = wanted.name.partition(":")
    if not module or not attribute:
        raise Fault("--pii-detector: name both, as in module:attribute")
    found: Any = import_module(module)
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise Fault(f"--pii-detector: {module} has no attribute {part}{_origin(module)}")
        found = getattr(found, part)
    if hasattr(found, "detect") and not inspect.isclass(found):
        _refuse_options(wanted, ())
        return found
    if not callable(found):
        raise Fault(f"--pii-detector: {wanted.name} is neither a detector nor callable")
    if not inspect.isclass(found) and _takes_text(found, wanted.name):
        return _function(found, attribute, wanted)
    made = _called(found, wanted)
    if hasattr(made, "detect") or not callable(made):
        return made
    return FunctionDetector(made, attribute, made_with=dict(wanted.options))


def _function(found: Callable[..., Any], attribute: str, wanted: Wanted) -> FunctionDetector:
    """Return a function from text as a detector; its parameters with a default are its options."""
    parameters = inspect.signature(found).parameters.values()
    _refuse_options(wanted, [one.name for one in parameters if one.default is not one.empty])
    return FunctionDetector(found, attribute, dict(wanted.options))


def _origin(module: str) -> str:
    """Return which file a module was found in, by its last two parts: it may be another than was meant."""
    file = getattr(sys.modules.get(module), "__file__", None)
    return f"; it was found in {'/'.join(file.replace(chr(92), '/').split('/')[-2:])}" if file else ""


def _refuse_options(wanted: Wanted, known: Iterable[str]) -> None:
    unknown = sorted(dict(wanted.options).keys() - set(known))
    if unknown:
        names = ", ".join(sorted(known)) or "none"
        raise Fault(f"--pii-detector-option: {wanted.name} takes no {', '.join(unknown)}; it takes: {names}")


def _called(factory: Callable[..., object], wanted: Wanted) -> object:
    """Call a class or factory with the options; it is told apart which of them it does not take."""
    options = dict(wanted.options)
    parameters = inspect.signature(factory).parameters
    if not any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
        _refuse_options(wanted, parameters)
    required = [one.name for one in parameters.values() if one.default is one.empty and _is_named(one)]
    lacking = [name for name in required if name not in options]
    if lacking:
        raise Fault(f"--pii-detector-option: {wanted.name} needs a value for: {', '.join(lacking)}")
    return factory(**options)


def _is_named(parameter: inspect.Parameter) -> bool:
    return parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)


def _takes_text(function: Callable[..., object], name: str) -> bool:
    """Whether `function` has exactly one positional parameter without a default: text to spans.

    One whose required parameters are all keyword-only is a factory, and they are its options.
    """
    parameters = inspect.signature(function).parameters.values()
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    required = sum(one.default is one.empty and one.kind in positional for one in parameters)
    if required > 1:
        raise Fault(f"--pii-detector: {name} takes {required} arguments; a function from text takes one")
    return required == 1 or any(one.kind is one.VAR_POSITIONAL for one in parameters)


def _lacking(wanted: Wanted, error: ModuleNotFoundError) -> str:
    if wanted.name in ADAPTERS:
        extra = f"pip install 'pytest-pii-eval[{wanted.name}]'"
        return f"the detector {wanted.name} needs the module {error.name}, which is not installed ({extra})"
    module = wanted.name.partition(":")[0]
    if error.name == module:
        return f"--pii-detector: there is no module {module}; run where it can be imported, or name another"
    return f"the detector {wanted.name} needs the module {error.name}, which is not installed"


def _look_in(paths: Sequence[str]) -> None:
    """Look modules up in `paths` after everything else, from now on: some are imported only later."""
    sys.path.extend(path for path in paths if path not in sys.path)
