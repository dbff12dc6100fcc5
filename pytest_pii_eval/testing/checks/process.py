"""Rules about other processes: a detector gets there, by pickle or factory, and is the same one there."""

from __future__ import annotations

import json
import os
import pickle
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from pytest_pii_eval.testing.asking import unheard
from pytest_pii_eval.testing.drafts import Drafts
from pytest_pii_eval.testing.examination import Broken, Inapplicable
from pytest_pii_eval.testing.judging import facts_of
from pytest_pii_eval.withheld import withheld

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pii_eval.testing.examination import Examination

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}", re.ASCII)
_CHILD = (
    "import pickle, sys\n"
    "sys.path[:] = pickle.load(sys.stdin.buffer)\n"
    "from pytest_pii_eval.testing.replica import main\n"
    "main()\n"
)


def fingerprint(examination: Examination) -> None:
    """The fingerprint is `sha256:` and 64 hex digits, and answering a text does not change it."""
    before = _fingerprint(examination)
    examination.ask(Drafts(14).around(examination.identifiers[0]).text)
    if not isinstance(before, str) or not _DIGEST.fullmatch(before):
        raise Broken("the fingerprint is not sha256: and 64 hex digits")
    if _fingerprint(examination) != before:
        raise Broken("the fingerprint changes between calls")


def _fingerprint(examination: Examination) -> Any:
    with unheard():
        reply = examination.asker.reply(examination.detector.fingerprint, documents=10)
    if reply.error is not None or reply.late:
        raise Broken(f"no fingerprint: {'not in time' if reply.error is None else withheld(reply.error)}")
    return reply.value


def replica(examination: Examination) -> None:
    """Another process gets the detector, and there it has the same fingerprint and gives the same answers."""
    made = _packed(examination)
    examination.require_steady_answers()
    drafts = Drafts(15)
    texts = [drafts.around(identifier).text for identifier in examination.identifiers]
    before = _fingerprint(examination)
    replies = [examination.ask(text) for text in texts]
    if any(map(examination.is_unusable, texts, replies)):
        raise Inapplicable("the detector gives no usable answers")
    here = [_plain(facts_of(reply.value)) for reply in replies]
    there = _answered(examination, made, texts)
    if "fault" in there:
        raise Broken(f"the detector does not work in another process: {there['fault']}")
    if there["fingerprint"] != before == _fingerprint(examination):
        raise Broken("the fingerprint is another one in another process")
    different = [
        number for number, pair in enumerate(zip(there["answers"], here, strict=True)) if pair[0] != pair[1]
    ]
    if different and _is_stable(examination, [texts[number] for number in different]):
        raise Broken(f"{len(different)} of {len(texts)} texts are answered differently in another process")


def _packed(examination: Examination) -> bytes:
    """Return what makes the detector elsewhere, pickled: its factory, or the detector itself."""
    factory = examination.limits.factory
    thing = ("made", factory) if factory is not None else ("itself", examination.detector)
    try:
        with unheard():
            return pickle.dumps(thing)
    except Exception as error:  # noqa: BLE001  # whatever a stranger's class raises
        reason = type(error).__name__
    if factory is not None:
        raise Broken(f"the factory cannot be pickled ({reason}); name it module:attribute")
    raise Broken(f"the detector cannot be pickled ({reason}) and there is no factory to make it elsewhere")


def _answered(examination: Examination, made: bytes, texts: Sequence[str]) -> Mapping[str, Any]:
    request = pickle.dumps(sys.path) + pickle.dumps((made, list(texts)))
    # Another seed: what hangs on the order of a set shows.
    environment = {**os.environ, "PYTHONHASHSEED": "4242"}
    try:
        done = subprocess.run(  # noqa: S603  # our own interpreter
            [sys.executable, "-c", _CHILD],
            input=request,
            capture_output=True,
            timeout=examination.limits.process_limit,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"fault": f"no answers in {examination.limits.process_limit:g} s"}
    try:
        return dict(json.loads(done.stdout))
    except ValueError:
        return {"fault": f"the process ended with status {done.returncode}"}


def _is_stable(examination: Examination, texts: Sequence[str]) -> bool:
    """Whether these texts are answered alike each time here: else it is no matter of processes."""
    return all(len({facts_of(examination.ask(text).value) for _ in range(4)}) == 1 for text in texts)


def _plain(facts: object) -> object:
    return json.loads(json.dumps(facts))
