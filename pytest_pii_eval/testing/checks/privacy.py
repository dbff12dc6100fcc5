"""Rules about what leaves a detector besides its answer: exceptions, output, network, protection ranges."""

from __future__ import annotations

import socket
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from pytest_pii_eval.detectors.answers import BadAnswer, converted
from pytest_pii_eval.testing.asking import Reply, unheard
from pytest_pii_eval.testing.drafts import Drafts
from pytest_pii_eval.testing.examination import Inapplicable, verdict
from pytest_pii_eval.testing.leaks import holds, shows
from pytest_pii_eval.testing.listening import listening
from pytest_pii_eval.testing.strategies import PIECES
from pytest_pii_eval.withheld import withheld

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_pii_eval.contracts.spans import Range
    from pytest_pii_eval.testing.examination import Examination

CANARIES = ("quorfenbilge", "vastrumelick")
"""Words that stand beside the identifier and that nothing else says."""

_SHORT = 1_000
HOSTILE = (
    "\x00 nul \x00\x01\x1b[31m",
    "\u0301 a mark with nothing to stand on \u200d\u200d",
    "\u202e turned round \u2066",
    "% {0} {value} %(name)s \\g<1> $1 \\",
    "((((((((((((((((" * 60,
    "[a-z]*" * 400,
    "1.1.1." * 400,
    "<b>&amp;&#x41;</b>" * 30,
    "a@" * 500,
    "\U0010ffff\ufffe\uffff",
    "word\n" * 600,
    " ".join(PIECES),
    "w" * 20_000,
)
"""Text that is well formed and awkward."""


def answers(examination: Examination) -> None:
    """Any well-formed text is answered: nothing is raised for awkward characters, repetition or length."""
    texts = _hostile_texts(examination, Drafts(16))
    faults = []
    for number, text in enumerate(texts):
        fault = examination.lasting(text, _raised)
        if fault is not None:
            faults.append(f"text {number}, {len(text):,} code points: {fault}")
    verdict(faults, len(texts), "a text is not answered")


def _raised(reply: Reply) -> str | None:
    return None if reply.error is None else f"raised {withheld(reply.error)}"


def exceptions(examination: Examination) -> None:
    """Whatever is raised, for well-formed text and for lone surrogates, holds no text.

    Message, arguments, notes and attributes are looked at, of causes and contexts too.
    """
    drafts = Drafts(17)
    good = [
        *_hostile_texts(examination, drafts),
        *(drafts.around(one).text for one in examination.identifiers),
    ]
    lengths = (600, examination.limits.depth, 3 * examination.limits.depth)
    good += [drafts.at(examination.identifiers[0], length).text for length in lengths]
    broken = drafts.around(examination.identifiers[0], f"{CANARIES[0]} \udcff", CANARIES[1]).text
    given = [*good, broken]
    values = [*CANARIES, *(identifier.value for identifier in examination.identifiers)]
    faults = []
    for number, text in enumerate(given):
        error = examination.asker.detect(text).error
        if error is not None and shows(error, text, values):
            faults.append(f"input {number} ({len(text):,} code points): {type(error).__name__}")
    short = [text for text in good if len(text) < _SHORT]
    for texts in (short, [*short[:1], good[-2]], [*short[:1], broken]):
        error = _asked_together(examination, texts).error
        if error is not None and any(shows(error, text, values) for text in texts):
            faults.append(f"a batch of {len(texts)}: {type(error).__name__}")
    verdict(faults, len(given) + 3, "an exception holds text of the document")


def _asked_together(examination: Examination, texts: Sequence[str]) -> Reply:
    """Return what came of a batch; nothing where there is no `detect_batch`."""
    detect_batch = getattr(examination.detector, "detect_batch", None)
    if detect_batch is None:
        return Reply()
    with unheard():
        return examination.asker.reply(lambda: list(detect_batch(list(texts))), documents=len(texts) + 1)


def output(examination: Examination) -> None:
    """Nothing printed, logged or warned while a text is answered holds any of it."""
    drafts = Drafts(18)
    values = [*CANARIES, *(identifier.value for identifier in examination.identifiers)]
    texts = [drafts.around(one, *CANARIES).text for one in examination.identifiers]
    texts += [
        drafts.plain(" ".join(CANARIES)),
        drafts.around(examination.identifiers[0], f"{CANARIES[0]} жшю 漢字 😀").text,
    ]
    with listening(examination.limits.log_level) as heard:
        for text in texts:
            examination.asker.reply(partial(examination.detector.detect, text))
        detect_batch = getattr(examination.detector, "detect_batch", None)
        if detect_batch is not None:
            examination.asker.reply(lambda: list(detect_batch(texts)), documents=len(texts))
    faults = [channel for channel, said in heard.channels.items() if holds(said, values)]
    verdict(faults, len(heard.channels), "text of a document is written out, through")


def network(examination: Examination) -> None:
    """No connection is opened and no name is looked up while texts are answered; local sockets are free."""
    allowed = examination.limits.network
    if allowed == "any":
        raise Inapplicable("the contract of this detector allows it any network")
    drafts = Drafts(19)
    texts = [drafts.around(one).text for one in examination.identifiers] + [drafts.plain()]
    attempts: list[str] = []
    with _blocked(attempts, loopback=allowed == "loopback"):
        for text in texts:
            examination.asker.detect(text)
        _asked_together(examination, texts)
    faults = [f"{call}, {attempts.count(call)} times" for call in sorted(set(attempts))]
    verdict(faults, len(texts), "a network is used")


@contextmanager
def _blocked(attempts: list[str], *, loopback: bool) -> Iterator[None]:
    """Refuse what leads to a network, and note which function was called; never with which address."""

    def guarded(call: str, original: Any, address: Any) -> Any:
        def guard(*arguments: Any, **fields: Any) -> Any:
            if address(arguments):
                return original(*arguments, **fields)
            attempts.append(call)
            raise ConnectionRefusedError(f"{call} is blocked by the contract for detectors")

        return guard

    def is_free(arguments: tuple[Any, ...]) -> bool:
        own, *rest = arguments
        if own.family not in (socket.AF_INET, socket.AF_INET6):
            return True
        return loopback and any(isinstance(one, tuple) and _is_loopback(one[0]) for one in rest)

    def is_free_name(arguments: tuple[Any, ...]) -> bool:
        return loopback and bool(arguments) and _is_loopback(arguments[0])

    with pytest.MonkeyPatch.context() as patch:
        for name in ("connect", "connect_ex", "sendto", "sendmsg"):
            if hasattr(socket.socket, name):
                original = getattr(socket.socket, name)
                patch.setattr(
                    socket.socket, name, guarded(f"socket.{name}", original, is_free), raising=False
                )
        for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex"):
            patch.setattr(socket, name, guarded(name, getattr(socket, name), is_free_name))
        yield


def _is_loopback(host: Any) -> bool:
    return isinstance(host, (str, type(None))) and (
        host in (None, "localhost", "::1") or str(host).startswith("127.")
    )


def protection(examination: Examination) -> None:
    """What is selected lies within what redaction would remove, where the detector exposes that."""
    drafts = Drafts(20)
    found = examination.identifiers
    texts = [drafts.around(one).text for one in found]
    texts += [drafts.around(one, "жшю 漢字 😀").text for one in found[:2]]
    texts += [drafts.joined(list(found) * 2, ", ").text, drafts.plain()]
    faults, exposed = [], False
    for number, text in enumerate(texts):
        value = examination.ask(text).value
        exposed = exposed or getattr(value, "protection", None) is not None
        fault = examination.lasting(text, partial(_unprotected, text))
        if fault is not None:
            faults.append(f"text {number}: {fault}")
    if not exposed:
        raise Inapplicable("the detector exposes no protection ranges")
    verdict(faults, len(texts), "selected spans are not protected")


def _unprotected(text: str, reply: Reply) -> str | None:
    """Count the selected spans with a part outside the protection ranges, in the detector's own unit."""
    try:
        if reply.error is not None or reply.value.protection is None:
            return None
        converted(text, reply.value, "codepoint")
    except BadAnswer:
        return None
    ranges = _united(reply.value.protection)
    bare = [
        one
        for one in reply.value.selected
        if not any(start <= one[0] and one[1] <= end for start, end in ranges)
    ]
    return f"{len(bare)} of {len(reply.value.selected)} spans" if bare else None


def _united(ranges: tuple[Range, ...]) -> list[Range]:
    united: list[Range] = []
    for start, end in sorted(ranges):
        if united and start <= united[-1][1]:
            united[-1] = (united[-1][0], max(end, united[-1][1]))
        else:
            united.append((start, end))
    return united


def _hostile_texts(examination: Examination, drafts: Drafts) -> list[str]:
    identifier, depth = examination.identifiers[0], examination.limits.depth
    texts = [f"{CANARIES[0]} {text[:depth]}" for text in HOSTILE]
    return [drafts.around(identifier, text, CANARIES[1]).text for text in texts]
