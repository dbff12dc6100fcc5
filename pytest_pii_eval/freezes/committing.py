"""The commitment to a suite: what is written of it before a sealed run, and whether files are still those."""

from __future__ import annotations

import hashlib
import stat
from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.arguments import why
from pytest_pii_eval.contracts.commitment_model import Commitment
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import hash_of_input, open_input
from pytest_pii_eval.contracts.train_lists import template_hash
from pytest_pii_eval.freezes.suites import (
    SUITE,
    SuiteFiles,
    SuiteReading,
    check_provenance,
    paths_of,
)

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.contracts.commitment_model import CommittedFile
    from pytest_pii_eval.contracts.freezes_model import SplitKey
    from pytest_pii_eval.contracts.provenance import Origin
    from pytest_pii_eval.contracts.records import Record
    from pytest_pii_eval.freezes.suites import Kinds

_DIGEST: Final = 32


def commitment_of(folder: Path, kinds: Kinds, *, split_key: SplitKey, root: Path | None = None) -> Commitment:
    """Return the commitment to the suite in `folder`; raises `Fault` where a file breaks its contract.

    About 60 bytes a document are kept, and the hash of each id that `split_key` names.
    """
    return committed(SuiteFiles(folder, kinds, root=root), split_key)


def committed(files: SuiteFiles, split_key: SplitKey) -> Commitment:
    """Return the commitment to the suite that `files` are, none of which was read before."""
    by_template = split_key == "template_id"
    if by_template:
        check_provenance(files, "--split-key")
    reading = SuiteReading(files)
    gold, templates, spans = _Digests(), set(), 0

    def take(record: Record, *_: object) -> None:
        nonlocal spans
        gold.add(reading.contract.gold_digest(record))
        spans += len(record.gold)
        if not by_template:
            templates.add(template_hash(record.document_id))

    def take_origin(origin: Origin, *_: object) -> None:
        if by_template:
            templates.add(template_hash(origin.template_id))

    reading.read(take, take_origin)
    return Commitment(
        documents=len(reading.population),
        gold_spans=spans,
        gold=gold.sha256(),
        files=files.committed,
        split_key=split_key,
        templates=sorted(templates),
    )


def check_files(folder: Path, commitment: Commitment, kinds: Kinds, *, contents: bool) -> None:
    """Raise `Fault` where the files in `folder` are not those of `commitment`.

    Names and sizes are compared, and nothing is opened; with `contents`, their SHA-256 too.
    """
    present = {path.name for paths in paths_of(folder, kinds).values() for path in paths}
    if (folder / SUITE).is_symlink() or (folder / SUITE).exists():
        present.add(SUITE)
    for name in sorted(present - commitment.files.keys()):
        raise Fault("is a file of the suite that the commitment does not know", file=name)
    for name, one in sorted(commitment.files.items()):
        _check_size(folder / name, one)
        if contents:
            _check_content(folder / name, one)


def _check_size(path: Path, one: CommittedFile) -> None:
    try:
        found = path.lstat()
    except FileNotFoundError:
        raise Fault("is missing; the commitment names it", file=path.name) from None
    except OSError as error:
        raise Fault(f"cannot be looked at ({why(error)})", file=path.name) from None
    if not stat.S_ISREG(found.st_mode):
        raise Fault("is not a regular file", file=path.name)
    if found.st_size != one.bytes:
        rule = f"holds {found.st_size:,} bytes, and {one.bytes:,} by the commitment; it is another file"
        raise Fault(rule, file=path.name)


def _check_content(path: Path, one: CommittedFile) -> None:
    with open_input(path) as handle:
        _, found = hash_of_input(handle)
    if found != one.sha256:
        raise Fault("is not what was committed to: its SHA-256 is another", file=path.name)


@final
class _Digests:
    """SHA-256 digests in any order, in 32 bytes each: those that start alike lie together."""

    def __init__(self) -> None:
        self._buckets = [bytearray() for _ in range(256)]

    def add(self, digest: bytes) -> None:
        self._buckets[digest[0]] += digest

    def sha256(self) -> str:
        """Return the SHA-256 over all of them, sorted."""
        over = hashlib.sha256()
        for bucket in self._buckets:
            for one in sorted(bytes(bucket[at : at + _DIGEST]) for at in range(0, len(bucket), _DIGEST)):
                over.update(one)
        return f"sha256:{over.hexdigest()}"
