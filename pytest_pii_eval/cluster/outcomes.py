"""What comes of one task as a value, for an engine that would log whatever is raised."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeVar

from pytest_pii_eval.cluster.mapped import Told
from pytest_pii_eval.cluster.storage import StorageFailure
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.withheld import is_interrupt, withheld

if TYPE_CHECKING:
    from collections.abc import Callable

_Result = TypeVar("_Result")
_KIND: Final = re.compile(r"[A-Za-z_]\w{0,79}", re.ASCII)


def outcome_of(action: Callable[[], _Result]) -> _Result | Told:
    """Return what `action` returns, or its fault as a value: no exception of ours says more than a type.

    Raises `StorageFailure`, for the engine to try again, and `KeyboardInterrupt` in the main thread alone,
    where somebody may have pressed Ctrl-C; both without words of others.
    """
    try:
        return action()
    except StorageFailure as failure:
        again: BaseException = StorageFailure(_kind_of(failure))
    except Fault as fault:
        return Told(fault.rule, fault.file or "", fault.line, fault.field)
    except BaseException as error:  # noqa: BLE001  # whatever it is, an engine would log its text
        if not is_interrupt(error):
            return Told(withheld(error), "", None, None)
        again = KeyboardInterrupt()
    raise again


def _kind_of(failure: StorageFailure) -> str:
    """Return the type that a refused read was told by; a detector that raises one could say anything."""
    kind = str(failure)
    return kind if _KIND.fullmatch(kind) else type(failure).__name__
