"""The command lines of pytest with this plugin alone, of `pii-eval`, and of nerb's evaluators."""

from __future__ import annotations

import re
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from bench.costs import Command

if TYPE_CHECKING:
    from collections.abc import Sequence

BIN = Path(sys.executable).parent
_OURS = ("pii_eval", "xdist", "xdist.looponfail")

CHEAP = "cheap_detector:Detector"
COSTLY = "costly_detector:Detector"
_DETECTOR = '''\
"""A detector that finds addresses; written by a benchmark."""

import re
import time

from pytest_pii_eval import Detection, Span

ADDRESS = re.compile(r"[a-z]+[.][0-9]+@example[.]org")


class Detector:
    name = "generated"
    version = "1"
    offset_unit = "codepoint"

    def fingerprint(self):
        return "sha256:" + "0" * 64

    def detect(self, text):
        end = time.process_time() + {burn}
        while time.process_time() < end:
            pass
        return Detection(tuple(Span(one.start(), one.end(), "email") for one in ADDRESS.finditer(text)))
'''


def write_detectors(folder: Path) -> None:
    """Write the modules of a detector that costs next to nothing, and of one that burns 5 ms a document."""
    cheap = _DETECTOR.replace("        end = time.process_time() + {burn}\n", "")
    cheap = cheap.replace("        while time.process_time() < end:\n            pass\n", "")
    (folder / "cheap_detector.py").write_text(cheap.replace("import time\n", ""), encoding="utf-8")
    (folder / "costly_detector.py").write_text(_DETECTOR.replace("{burn}", "0.005"), encoding="utf-8")


def pytest(folder: Path, *options: str, processes: int = 0) -> Command:
    """Return a quiet run in `folder`; other people's plugins are left out, as they slow each item down."""
    words = [sys.executable, "-m", "pytest", "-q", f"--rootdir={folder}", *_alone()]
    several = ["-n", str(processes)] if processes else ["-p", "no:xdist"]
    return Command([*words, *several, *options], folder, several=bool(processes))


def _alone() -> Sequence[str]:
    """Return the words that leave out every plugin that is installed here beside ours and xdist."""
    others = sorted({point.name for point in entry_points(group="pytest11")}.difference(_OURS))
    return [word for name in others for word in ("-p", f"no:{name}")]


def pii_eval(folder: Path, *words: str, several: bool = False) -> Command:
    """Return a call of the command `pii-eval`."""
    return Command([sys.executable, "-m", "pytest_pii_eval", *words], folder, several=several)


def report_of(name: str) -> str:
    """Return the name of the file that keeps the report of a run."""
    return f"report-{re.sub('[^a-z0-9]+', '-', name)}.json"


def nerb_conformance(folder: Path, report: str) -> Command:
    """Return nerb's run on a suite; it wants a new output folder each time, and prints its report."""
    files = [
        "--positive-cases",
        "conformance-positive.jsonl",
        "--negative-cases",
        "conformance-negative.jsonl",
    ]
    output = ["--output-dir", str(folder / "nerb-{turn}"), "--allow-unignored-output"]
    return Command(
        [str(BIN / "nerb"), "eval-enron-conformance", "--bank", "bank.json", *files, *output],
        folder,
        output=report,
    )


def nerb_quality(folder: Path, report: str) -> Command:
    """Return nerb's run on a quality suite; it prints its report."""
    files = ["--records", str(folder / "quality-records.jsonl")]
    files += ["--slice-plan", str(folder / "quality-slices.jsonl")]
    return Command(
        [str(BIN / "nerb"), "eval-enron-quality", "--bank", str(folder / "bank.json"), *files],
        folder,
        output=report,
    )
