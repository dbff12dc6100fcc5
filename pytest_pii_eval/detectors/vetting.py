"""Looking at a detector before any document is asked: whether it says what it is, as the protocol wants."""

from __future__ import annotations

import inspect
import re
from functools import partial
from typing import TYPE_CHECKING, cast

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.offsets import OFFSET_UNITS
from pytest_pii_eval.detectors.protocol import Detector, libraries_of
from pytest_pii_eval.withheld import withheld

if TYPE_CHECKING:
    from collections.abc import Callable

_PARTS = ("name", "version", "offset_unit", "detect", "fingerprint")
# What a report prints of a detector, and a predictions file holds: printable ASCII, no blank at either end.
_SHOWN = re.compile(r"[!-~]([ -~]{0,198}[!-~])?", re.ASCII)
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}", re.ASCII)
_MAX_BATCH = 100_000


def vetted(made: object, name: str) -> Detector:
    """Return `made` where it keeps the protocol; raises `Fault` that says what is wrong, and no value."""
    if inspect.isclass(made):
        raise Fault(f"the detector {name} is a class; make an object of it")
    lacking = [part for part in _PARTS if not _asked(partial(hasattr, made, part), part, name)]
    if lacking:
        raise Fault(f"the detector {name} lacks: {', '.join(lacking)}; see Detector in docs/detectors.md")
    detector = cast("Detector", made)
    for problem in _problems(detector, name):
        raise Fault(f"the detector {name} {problem}")
    return detector


def _problems(detector: Detector, name: str) -> list[str]:
    map_ = _asked(lambda: getattr(detector, "label_map", None), "label_map", name)
    checks = {
        f"states no offset unit of: {', '.join(OFFSET_UNITS)}": detector.offset_unit in OFFSET_UNITS,
        "has a name that is no line of 1 to 200 printable ASCII characters": _is_shown(detector.name),
        "has a version that is no line of 1 to 200 printable ASCII characters": _is_shown(detector.version),
        "has a fingerprint() that gives no sha256: and 64 hex digits": _is_digest(
            _asked(detector.fingerprint, "fingerprint()", name)
        ),
        "has libraries() that are no versions by name, as printable ASCII": _are_versions(
            _asked(lambda: libraries_of(detector), "libraries()", name)
        ),
        "has a label_map that is not the name of one in the taxonomy": map_ is None or _is_shown(map_),
        f"has a batch_size that is no integer from 1 to {_MAX_BATCH:,}": _is_size(
            getattr(detector, "batch_size", 1)
        ),
    }
    return [problem for problem, holds in checks.items() if not holds]


def _asked(action: Callable[[], object], what: str, name: str) -> object:
    try:
        return action()
    except Exception as error:  # noqa: BLE001  # a stranger's code; its text may hold anything
        problem = withheld(error)
    raise Fault(f"the detector {name} cannot say its {what}: {problem}")


def _is_shown(value: object) -> bool:
    return type(value) is str and _SHOWN.fullmatch(value) is not None


def _is_digest(value: object) -> bool:
    return type(value) is str and _DIGEST.fullmatch(value) is not None


def _are_versions(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_shown, [*value.keys(), *value.values()]))


def _is_size(value: object) -> bool:
    return type(value) is int and 0 < value <= _MAX_BATCH
