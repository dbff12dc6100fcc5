"""The command `pii-eval corpus`: its arguments, what it prints, and how it ends."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pytest_pii_eval.arguments import adapter_name, complain, matching, path_of, why
from pytest_pii_eval.corpora.cache import DEFAULT_CACHE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pytest_pii_eval.corpora.shelf import Shelf

_OK, _FAULTY, _USAGE, _INTERRUPTED = 0, 1, 2, 130
_KEY: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    places, quiet = _places(), _quiet()
    actions = parser.add_subparsers(dest="action", required=True)
    listed = actions.add_parser("list", parents=[places], help="say which corpora are pinned, and are here")
    listed.add_argument("-v", "--verbose", action="store_true", help="say of each who may have it, too")
    for name, words in (
        ("download", "fetch what is pinned into the cache; wrong bytes are refused"),
        ("prepare", "turn what was downloaded into a private quality suite"),
        ("verify", "check a prepared corpus again, down to its artifact"),
    ):
        action = actions.add_parser(name, parents=[places, quiet], help=words)
        action.add_argument("keys", nargs="*", type=_key, metavar="KEY", help="a corpus of the corpora file")
        action.add_argument("--all", action="store_true", help="every corpus of the corpora file")
        if name != "download":
            action.add_argument("--artifact", metavar="FILE", help="a copy of the pinned file, read in place")
    locked = actions.add_parser("lock", parents=[places], help="print what pins a file of yours")
    locked.add_argument("file", metavar="FILE", help="the file, which is read and left as it is")
    locked.add_argument("--key", type=_key, metavar="KEY", help="print a whole entry under this key")
    locked.add_argument("--adapter", type=adapter_name, metavar="NAME", help="the adapter of that entry")


def run_command(given: argparse.Namespace, make: Callable[[str], object | None] = lambda _: None) -> int:
    """Do what is asked, and return 0 where all of it worked, 1 where not, 2 for usage, 130 interrupted.

    `make` knows adapters that are not shipped, by their name.
    """
    from pytest_pii_eval.contracts.faults import Fault  # noqa: PLC0415  # `--help` needs none of it

    problem = _usage(given)
    if problem is not None:
        return _misused(given, problem)
    try:
        return _locked(given) if given.action == "lock" else _on_shelf(given, make)
    except Fault as fault:
        complain(str(fault))
        return _FAULTY
    except BrokenPipeError:  # the reader of our output has gone, which is no fault of a file
        raise
    except OSError as error:
        complain(f"pii-eval corpus {given.action}: the cache cannot be read or written ({why(error)})")
        return _FAULTY
    except KeyboardInterrupt:
        complain(f"pii-eval corpus {given.action}: interrupted")
        return _INTERRUPTED


def _locked(given: argparse.Namespace) -> int:
    from pytest_pii_eval.corpora.lock import entry_lines, lock, pin_lines, relative_to  # noqa: PLC0415  # as above

    path = path_of(given.file)
    if given.key is None:
        return _print(pin_lines(lock(path)))
    folder = Path.cwd() if given.corpora is None else path_of(given.corpora).parent
    named = relative_to(folder, path)
    return _print(entry_lines(lock(path), key=given.key, adapter=given.adapter, path=named))


def _on_shelf(given: argparse.Namespace, make: Callable[[str], object | None]) -> int:
    from pytest_pii_eval.corpora.shelf import Places, Shelf  # noqa: PLC0415  # as above

    named = None if given.corpora is None else path_of(given.corpora)
    places = Places(Path.cwd(), named, path_of(given.cache))
    shelf = Shelf(places, make, quiet=getattr(given, "quiet", True))
    if given.action == "list":
        return _print(shelf.listed(notes=given.verbose))
    keys = shelf.keys if given.all else tuple(dict.fromkeys(given.keys))
    unknown = [key for key in keys if key not in shelf.keys]
    if unknown:
        known = ", ".join(shelf.keys)
        return _misused(given, f"no corpus has the key {', '.join(unknown)}; there are: {known}")
    return _each(shelf, given, keys)


def _each(shelf: Shelf, given: argparse.Namespace, keys: Sequence[str]) -> int:
    from pytest_pii_eval.contracts.faults import Fault  # noqa: PLC0415  # as above
    from pytest_pii_eval.withheld import withheld  # noqa: PLC0415  # as above

    code = _OK
    for key in keys:
        try:
            _print([_done(shelf, given, key)])
        except Fault as fault:
            complain(f"{key}: {fault}")
            code = _FAULTY
        except OSError as error:
            complain(f"{key}: the cache cannot be read or written ({why(error)})")
            code = _FAULTY
        except KeyboardInterrupt:
            complain(f"{key}: interrupted; {_LEFT[given.action]}")
            return _INTERRUPTED
        except Exception as error:  # noqa: BLE001  # of a stranger's adapter; its text may hold anything
            complain(f"{key}: {withheld(error)}")
            code = _FAULTY
    return code


def _done(shelf: Shelf, given: argparse.Namespace, key: str) -> str:
    if given.action == "download":
        return shelf.download(key)
    artifact = None if given.artifact is None else path_of(given.artifact)
    return shelf.prepare(key, artifact) if given.action == "prepare" else shelf.verify(key, artifact)


_LEFT: Final = {
    "download": "what has come so far is kept, the same command goes on from there",
    "prepare": "nothing is left of it, the same command begins anew",
    "verify": "nothing was changed",
}


def _usage(given: argparse.Namespace) -> str | None:
    if given.action == "lock":
        lone = (given.key is None) != (given.adapter is None)
        return "--key and --adapter go together" if lone else None
    if given.action == "list":
        return None
    if bool(given.keys) == given.all:
        return "give the KEY of a corpus, or --all"
    if getattr(given, "artifact", None) is not None and (given.all or len(given.keys) > 1):
        return "--artifact goes with one KEY"
    return None


def _misused(given: argparse.Namespace, problem: str) -> int:
    complain(f"pii-eval corpus {given.action}: {problem}")
    return _USAGE


def _places() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument(
        "--corpora", metavar="FILE", help="the corpora file; else corpora.yaml here, else the shipped one"
    )
    parser.add_argument(
        "--cache", metavar="DIR", default=DEFAULT_CACHE, help="where corpora are kept (%(default)s)"
    )
    return parser


def _quiet() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")
    return parser


def _key(text: str) -> str:
    return matching(_KEY, text, "must be letters, digits, dots, underscores and dashes")


def _print(lines: Iterable[str]) -> int:
    for line in lines:
        print(line)  # noqa: T201  # what the command is for
    return _OK
