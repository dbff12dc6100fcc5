"""Bringing the artifact of a pin into the cache: streamed, hashed on the way, kept only where it verifies."""

from __future__ import annotations

import errno
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Final, TypeAlias

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.artifact import check_artifact
from pytest_pii_eval.corpora.artifact_receipt import artifact_receipt, rendered
from pytest_pii_eval.corpora.cache import is_committed, known_hash, refuse_links
from pytest_pii_eval.corpora.partial import PartialFile
from pytest_pii_eval.corpora.receipt import RECEIPT, Committed
from pytest_pii_eval.corpora.transport import Answer, Interrupted, Wanted, ask
from pytest_pii_eval.private import MARKER, private_directory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_pii_eval.contracts.corpora_file import Pin
    from pytest_pii_eval.corpora.cache import Cache

    Progress: TypeAlias = Callable[[int, int | None], None]

RESUMPTIONS: Final = 3
"""How often one command goes on where a connection broke."""

LARGEST: Final = 16 * 1024**3
"""Bytes that are taken at most where a pin does not know its size."""


_TAKEN: Final = frozenset({"", ".", "..", RECEIPT, MARKER})


def download(pin: Pin, cache: Cache, *, progress: Progress = lambda _, __: None) -> Path:
    """Return where the artifact of `pin` lies, fetched where it was not there; it holds the pinned bytes.

    `progress` hears how many bytes are there, and of how many where that is known. An interrupt, or a kill,
    leaves what has come so far, and the next call goes on from there where it still verifies. Whatever else
    goes wrong is a `Fault`, and leaves nothing.
    """
    known_hash(pin)
    _check_source(pin)
    try:
        return _present(pin, cache) or _locked(pin, cache, progress)
    except OSError as error:
        why = errno.errorcode.get(error.errno or 0, "unknown error")
        raise Fault(f"the cache cannot be written ({why})") from None


def _check_source(pin: Pin) -> None:
    if pin.source.url is None:
        raise Fault(f"is no download: the file is expected at {pin.source.path}, beside the corpora file")
    if pin.source.file_name in _TAKEN:
        raise Fault("the last part of the pinned address can be no file name", field="source")


def _present(pin: Pin, cache: Cache) -> Path | None:
    """Return the artifact that is there; raises `Fault` where what is there is not it."""
    folder = cache.artifact_folder(pin)
    refuse_links(folder)
    if not folder.exists():
        return None
    shown = f"artifacts/{pin.key}"
    if not is_committed(folder):
        raise Fault(f"{shown} in the cache is no whole download; remove that folder, and download again")
    try:
        check_artifact(pin, cache.artifact(pin))
    except Fault as fault:
        raise Fault(f"{fault.rule}; remove {shown} in the cache, and download again") from None
    return cache.artifact(pin)


def _locked(pin: Pin, cache: Cache, progress: Progress) -> Path:
    folder = cache.artifact_folder(pin)
    with cache.locked(pin):
        cache.make_place(folder)
        try:
            return _present(pin, cache) or _brought(pin, cache, progress)
        finally:
            with suppress(OSError):
                folder.parent.rmdir()  # where nothing was left in it


def _brought(pin: Pin, cache: Cache, progress: Progress) -> Path:
    folder = cache.artifact_folder(pin)
    with closing(PartialFile(folder.parent, folder.name)) as partial:
        try:
            resumed = _filled(partial, pin, progress)
            found = _verified(partial, pin)
            partial.finish()
            receipt = rendered(artifact_receipt(pin, found, resumed=resumed))
            with private_directory(folder) as directory:
                directory.write(RECEIPT, receipt)
                directory.move_in(pin.source.file_name, partial.path)
        except KeyboardInterrupt:
            _keep(partial)
            raise
        except _NoAnswer as error:
            _keep(partial)
            raise Fault(str(error)) from None
        except BaseException:
            partial.discard()
            raise
        partial.forget()
    return cache.artifact(pin)


def _keep(partial: PartialFile) -> None:
    """Keep what has come; where nothing has, or the disk refuses, nothing."""
    try:
        if partial.size:
            partial.keep()
            return
    except OSError:
        pass
    partial.discard()


class _NoAnswer(Exception):
    """The host could not be reached at all, which says nothing about what an earlier command brought."""


def _filled(partial: PartialFile, pin: Pin, progress: Progress) -> bool:
    """Fill the file, and return whether it came in more than one piece; raises `Fault` or `_NoAnswer`."""
    broke: Interrupted | None = None
    for _ in range(1 + RESUMPTIONS):
        if partial.size == pin.size:
            return True
        try:
            with ask(Wanted(pin.source, pin.size, partial.size, partial.etag)) as answer:
                broke = Interrupted("the connection ended early")
                _take(answer, partial, pin, progress)
                return answer.start > 0
        except Interrupted as error:
            if broke is None:
                raise _NoAnswer(str(error)) from None
            broke = error
    if partial.size == pin.size:  # only the end of the last body was missing
        return True
    raise Fault(f"{broke}; {1 + RESUMPTIONS} connections brought {partial.size:,} bytes, and not all")


def _take(answer: Answer, partial: PartialFile, pin: Pin, progress: Progress) -> None:
    if answer.start != partial.size:
        partial.begin_anew()
    partial.etag = answer.etag
    total = answer.end if pin.size is None else pin.size
    most = LARGEST if pin.size is None else pin.size
    progress(partial.size, total)
    for block in answer.blocks():
        if partial.size + len(block) > most:
            raise Fault(f"more than {most:,} bytes come; that is not the pinned file")
        partial.append(block)
        progress(partial.size, total)
    if total is not None and partial.size < total:
        raise Interrupted("the connection ended early")


def _verified(partial: PartialFile, pin: Pin) -> Committed:
    if pin.size is not None and partial.size != pin.size:
        raise Fault(f"{partial.size:,} bytes came; the pin names {pin.size:,}")
    if partial.sha256 != known_hash(pin):
        raise Fault("the bytes that came have another sha256 than the pin; nothing of them was kept")
    return Committed(bytes=partial.size, sha256=partial.sha256)
