"""The command `pii-eval import`: its arguments, what it prints, and how it ends."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pytest_pii_eval.arguments import adapter_name, complain, matching, option_of, path_of, why

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_pii_eval.corpora.import_wish import Wish
    from pytest_pii_eval.corpora.importing import Import
    from pytest_pii_eval.corpora.receipt import Receipt

_OK, _FAULTY, _INTERRUPTED = 0, 1, 130
_CORPUS: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+/@-]{0,127}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add(
        "format",
        type=adapter_name,
        metavar="FORMAT",
        help="a shipped adapter of corpora, or module:attribute",
    )
    add("files", nargs="+", metavar="FILE", help="an export; for brat, a folder or an archive")
    add("--out", required=True, metavar="NEW_DIR", help="the directory to make")
    add(
        "--option", action=_OncePerKey, default=[], metavar="KEY=VALUE", type=option_of, help="of the adapter"
    )
    add(
        "--label-map",
        action="append",
        default=[],
        metavar="NAME",
        help="a label map of the taxonomy, from labels to types; types: labels that are types stay",
    )
    add("--labels", metavar="MAP.json", help="an object from label to type; it wins over label maps")
    add("--exclude-label", action="append", default=[], metavar="LABEL", help="leave spans with it out")
    add("--taxonomy", metavar="FILE", help="types and label maps, in place of the built-in ones")
    add("--role", choices=("train", "validation", "test"), default="validation", help="(%(default)s)")
    add("--partial", action="store_true", help="not every span of the types is labelled")
    add("--weak", action="store_true", help="the labels come from structure, not from people")
    add("--single-class", action="store_true", help="make only slices of one type")
    add("--corpus", type=_corpus, metavar="NAME", help="how the provenance names the corpus")
    add("--max-quarantined", type=_count, default=0, metavar="N", help="rows that need not fit (%(default)s)")
    add("--allow-tracked", action="store_true", help="also where git would track NEW_DIR")
    add("--quiet", action="store_true", help="show no progress bar")


def run_command(given: argparse.Namespace, make: Callable[[str], object | None] = lambda _: None) -> int:
    """Import, and return 0 where there is a suite now, 1 where not, 130 interrupted.

    `make` knows adapters that are not shipped, by their name.
    """
    from pytest_pii_eval.contracts.faults import Fault, printable  # noqa: PLC0415  # `--help` needs none of it
    from pytest_pii_eval.corpora.importing import Import  # noqa: PLC0415  # as above
    from pytest_pii_eval.withheld import withheld  # noqa: PLC0415  # as above

    if ":" in given.format:
        _let_modules_be_found()
    one, out = Import(_wish(given), make), printable(given.out)
    try:
        receipt = one.run()
    except Fault as fault:
        return _failed(one, str(fault))
    except OSError as error:
        return _failed(one, f"{out}: cannot be read or written ({why(error)}); nothing is left of it")
    except KeyboardInterrupt:
        complain(f"{out}: interrupted; nothing is left of it")
        return _INTERRUPTED
    except Exception as error:  # noqa: BLE001  # of a stranger's adapter; its text may hold anything
        return _failed(one, withheld(error))
    complain(*one.lines())
    print(printable(_told(given.out, receipt)))  # noqa: T201  # what was asked for
    return _OK


def _failed(one: Import, line: str) -> int:
    complain(*one.lines(), line)
    return _FAULTY


def _told(out: str, receipt: Receipt) -> str:
    held = sum(one.documents for one in receipt.held_out.values())
    other = f" {_several(held, 'document')} of another role left out," if held else ""
    return (
        f"{out}: {_several(receipt.documents, 'document')}, {_several(receipt.spans, 'span')} of"
        f" {_several(len(receipt.spans_by_type), 'type')},{other}"
        f" {sum(receipt.quarantined.values()):,} quarantined;"
        f" now: pytest --pii-detector=NAME {shlex.quote(out)}"
    )


def _several(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _wish(given: argparse.Namespace) -> Wish:
    from pytest_pii_eval.corpora.import_labels import LabelWish  # noqa: PLC0415  # as above
    from pytest_pii_eval.corpora.import_wish import Wish  # noqa: PLC0415  # as above

    labels = LabelWish(
        tuple(given.label_map),
        None if given.labels is None else path_of(given.labels),
        frozenset(given.exclude_label),
    )
    return Wish(
        format=given.format,
        inputs=tuple(path_of(file) for file in given.files),
        target=path_of(given.out),
        shown=given.out,
        options=dict(given.option),
        labels=labels,
        taxonomy=None if given.taxonomy is None else path_of(given.taxonomy),
        role=given.role,
        partial=given.partial,
        weak=given.weak,
        single_class=given.single_class,
        corpus=given.corpus,
        max_quarantined=given.max_quarantined,
        allow_tracked=given.allow_tracked,
        quiet=given.quiet,
    )


def _let_modules_be_found() -> None:
    """Put the working directory behind everything else, for adapters given as `module:attribute`."""
    root = str(Path.cwd())
    if root not in sys.path:
        sys.path.append(root)


def _corpus(text: str) -> str:
    return matching(_CORPUS, text, "must be letters, digits and . _ + / @ -, at most 128")


class _OncePerKey(argparse.Action):
    """Collects pairs; a key that is given twice is wrong usage, as nobody knows which one was meant."""

    def __call__(self, _: object, given: argparse.Namespace, pair: Any, _string: object = None) -> None:
        pairs = getattr(given, self.dest)
        if pair[0] in dict(pairs):
            raise argparse.ArgumentError(self, f"the key {pair[0]} is given twice")
        setattr(given, self.dest, [*pairs, pair])


def _count(text: str) -> int:
    if not re.fullmatch("0|[1-9][0-9]{0,17}", text):
        raise argparse.ArgumentTypeError("must be a whole number in plain digits")
    return int(text)
