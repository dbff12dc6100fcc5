"""The other process of the contract: makes the detector from what was sent, and answers with JSON."""

from __future__ import annotations

import json
import os
import pickle
import sys
import warnings
from typing import Any

from pytest_pii_eval.detectors.finding import Wanted, build
from pytest_pii_eval.testing.judging import facts_of
from pytest_pii_eval.withheld import withheld


def main() -> None:
    """Read `(what makes the detector, texts)` from standard input, and write facts to standard output."""
    warnings.simplefilter("ignore")
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        _drop_output()
        json.dump(_result(), answers)


def _drop_output() -> None:
    """What the detector prints is no answer, and it may be text."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    os.close(sink)


def _result() -> dict[str, Any]:
    made, texts = pickle.load(sys.stdin.buffer)  # noqa: S301  # from the process that started this one
    try:
        return _answers(made, texts)
    except Exception as error:  # noqa: BLE001  # a stranger's code
        return {"fault": withheld(error)}


def _answers(made: bytes, texts: list[str]) -> dict[str, Any]:
    kind, thing = pickle.loads(made)  # noqa: S301  # from the process that started this one
    detector = thing if kind == "itself" else _built(thing)
    answers = [facts_of(detector.detect(text)) for text in texts]
    return {"fingerprint": detector.fingerprint(), "answers": answers}


def _built(factory: Any) -> Any:
    return build(Wanted(factory)) if isinstance(factory, str) else factory()
