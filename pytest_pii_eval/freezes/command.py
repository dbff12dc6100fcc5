"""The command `pii-eval freeze`: what it prints and how it ends; its arguments and actions lie beside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.arguments import complain, why
from pytest_pii_eval.freezes.command_arguments import add_arguments

if TYPE_CHECKING:
    import argparse

    from pytest_pii_eval.freezes.suites import Kinds

__all__ = ["add_arguments", "run_command"]

_OK, _FAULTY, _USAGE, _INTERRUPTED = 0, 1, 2, 130

_LEFT: Final = {
    "split": "nothing is left of it",
    "commit": "nothing was written",
    "attest": "nothing was written",
    "hash": "nothing was written",
    "set-floors": "the floors are as they were",
    "verify-ledger": "nothing was changed",
}


def run_command(given: argparse.Namespace, kinds: Kinds) -> int:
    """Do what is asked, and return 0 where it worked, 1 where not, 2 for usage, 130 interrupted.

    `kinds` tells what a file of a suite is.
    """
    from pytest_pii_eval.contracts.faults import Fault  # noqa: PLC0415  # `--help` needs none of it
    from pytest_pii_eval.freezes.command_actions import ACTIONS, Misuse  # noqa: PLC0415  # as above
    from pytest_pii_eval.withheld import withheld  # noqa: PLC0415  # as above

    name, left = f"pii-eval freeze {given.action}", _LEFT[given.action]
    try:
        lines, faults = ACTIONS[given.action](given, kinds)
    except Misuse as misuse:
        complain(f"{name}: {misuse}")
        return _USAGE
    except Fault as fault:
        complain(str(fault))
        return _FAULTY
    except OSError as error:
        complain(f"{name}: cannot be read or written ({why(error)}); {left}")
        return _FAULTY
    except KeyboardInterrupt:
        complain(f"{name}: interrupted; {left}")
        return _INTERRUPTED
    except Exception as error:  # noqa: BLE001  # a defect of ours; its text may hold an id
        complain(f"{name}: {withheld(error)}")
        return _FAULTY
    for line in lines:
        print(line)  # noqa: T201  # what the command is for
    complain(*faults)
    return _FAULTY if faults else _OK
