"""The command `pii-eval predict`: its arguments, what it prints, and how it ends."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_pii_eval.arguments import complain, path_of, why
from pytest_pii_eval.predicting.arguments import add_subject_arguments, told

if TYPE_CHECKING:
    from pytest_pii_eval.predicting.making import Making
    from pytest_pii_eval.predicting.run import Wish


_OK, _FAULTY, _USAGE, _INTERRUPTED = 0, 1, 2, 130
_MAX_BATCH = 100_000
_SHOWN = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("suite", metavar="SUITE_DIR", help="a directory with quality records and slices")
    parser.add_argument("--out", required=True, metavar="FILE", help="where the predictions go")
    add_subject_arguments(parser)
    parser.add_argument("--batch-size", type=_size, metavar="N", help="documents a batch")
    parser.add_argument("--limit", type=_count, metavar="N", help="only the first N documents")
    parser.add_argument("--force", action="store_true", help="replace FILE where it exists")
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")


def run_command(given: argparse.Namespace) -> int:
    """Predict, and return 0 where every document has an answer, 1 where not, 2 for usage, 130 interrupted."""
    problem = usage(given)
    if problem is None and "://" in given.suite:
        problem = "a suite at a URL goes with --cluster"
    if problem is not None:
        complain(f"pii-eval predict: {problem}")
        return _USAGE
    from pytest_pii_eval.predicting.run import Run  # noqa: PLC0415  # `--help` needs none of it

    return end_of(Run(wish_of(given)))


def end_of(run: Making) -> int:
    """Let `run` predict, say what it came to, and return the exit status."""
    from pytest_pii_eval.silence import keep_silent_at_exit  # noqa: PLC0415  # as below

    code = _predicted(run)
    if run.trouble is not None:
        complain(run.trouble)
    keep_silent_at_exit()
    return code


def _predicted(run: Making) -> int:
    from pytest_pii_eval.contracts.faults import Fault  # noqa: PLC0415  # as above
    from pytest_pii_eval.withheld import withheld  # noqa: PLC0415  # as above

    try:
        run.predict()
    except Fault as fault:
        complain(told(fault))
        return _FAULTY
    except OSError as error:
        complain(f"{run.shown}.partial: cannot be written ({why(error)}); {_kept(run)}")
        return _FAULTY
    except KeyboardInterrupt:
        complain(f"{run.shown}: interrupted; {_kept(run)}")
        return _INTERRUPTED
    except BaseException as error:  # noqa: BLE001  # a detector's, SystemExit too: its text may hold anything
        complain(f"{run.shown}: not predicted: {withheld(error)}; {_kept(run)}")
        return _FAULTY
    return _told(run)


def _kept(run: Making) -> str:
    if not run.done:
        return "no document is done"
    of_all = f" of {run.total:,}" if run.total else ""
    return f"{run.done:,}{of_all} documents are kept, the same command goes on from there"


def _told(run: Making) -> int:
    print(f"{run.shown}: predictions for {run.done:,} documents by {run.subject}")  # noqa: T201  # what was asked for
    failed = run.failures.total()
    if not failed:
        return _OK
    most = [f"{reason} ({number:,})" for reason, number in run.failures.most_common(_SHOWN)]
    more = ", and more" if len(run.failures) > _SHOWN else ""
    complain(f"{run.shown}: {failed:,} of them have no answer: {', '.join(most)}{more}")
    return _FAULTY


def usage(given: argparse.Namespace) -> str | None:
    """Return what makes no sense together, or None."""
    if given.detector is None and given.bank is None:
        return "give --detector, or the --bank that predicts"
    if given.detector is None and given.detector_option:
        return "--detector-option goes with --detector"
    if given.detector is not None and given.engine is not None:
        return "--engine goes with a --bank alone"
    return None


def wish_of(given: argparse.Namespace) -> Wish:
    """Return what the arguments ask for."""
    from pytest_pii_eval.predicting.run import Wish  # noqa: PLC0415  # as above
    from pytest_pii_eval.settings import default_settings  # noqa: PLC0415  # as above

    root = Path.cwd()
    suite = path_of(given.suite, root)
    settings = default_settings(
        root,
        bank=None if given.bank is None else path_of(given.bank, root),
        detector=given.detector,
        detector_options=tuple(dict(given.detector_option).items()),
        document_timeout=given.timeout,
        module_paths=(str(root), str(suite)),
    )
    if given.detector is None:
        limit = settings.time_limit if given.timeout is None else given.timeout
        settings = settings._replace(engine=given.engine or settings.engine, time_limit=limit)
    return Wish(
        suite,
        path_of(given.out, root),
        settings,
        batch_size=given.batch_size,
        limit=given.limit,
        force=given.force,
        quiet=given.quiet,
    )


def _size(text: str) -> int:
    return _whole(text, _MAX_BATCH)


def _count(text: str) -> int:
    return _whole(text, sys.maxsize)


def _whole(text: str, most: int) -> int:
    if not text.isascii() or not text.isdigit() or not 0 < int(text) <= most:
        raise argparse.ArgumentTypeError(f"must be an integer from 1 to {most:,}")
    return int(text)
