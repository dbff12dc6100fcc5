"""Which set of the freezes file a suite is, and what follows for its suite file; no documents are read."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple, final

from pytest_pii_eval.contracts.commitment_model import read_commitment
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.suite_file import bound_again

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.collection.corpora.corpus import Corpus
    from pytest_pii_eval.contracts.commitment_model import Commitment
    from pytest_pii_eval.contracts.floors_file import FloorsFile
    from pytest_pii_eval.contracts.freezes_file import FreezeSet, FreezesFile
    from pytest_pii_eval.contracts.freezes_model import SplitKey
    from pytest_pii_eval.contracts.records import Record, RecordContract
    from pytest_pii_eval.contracts.suite_file import SuiteFile


class Membership(NamedTuple):
    """The freezes file, and which of its sets a suite is; None where there is no such file, or no such set.

    In a sealed run the sealed freeze has its `commitment`, and is held to `floors`. `sealed_gold` is the gold
    that no other suite may have.
    """

    file: FreezesFile | None = None
    one: FreezeSet | None = None
    commitment: Commitment | None = None
    floors: FloorsFile | None = None
    sealed_gold: str | None = None

    def governed(self, suite: SuiteFile, shown: str, *, scored: bool) -> SuiteFile:
        """Return the suite file with the role, and for a sealed freeze the floors, that the suite is held to.

        Raises `Fault` where the role of the suite file is another one, and where a sealed freeze is about to
        be `scored` in a run that is none of a promotion.
        """
        role = suite.role
        if self.one is not None:
            if role not in (None, self.one.role):
                rule = f"says that its role is {role}; for the freezes file it is {self.one.role}"
                raise Fault(rule, file=f"{shown}/suite.yaml", field="role")
            role = self.one.role
        if role == "sealed_freeze" and scored and self.commitment is None:
            raise Fault("is a sealed freeze: only pytest --pii-sealed runs it, once a promotion", file=shown)
        if self.floors is None:
            return suite if role == suite.role else bound_again(replace(suite, role=role))
        if suite.floors:
            rule = "a sealed freeze is held to the floors file; leave floors out here"
            raise Fault(rule, file=f"{shown}/suite.yaml", field="floors")
        return bound_again(replace(suite, role=role, floors=self.floors.rules()))

    def split_key(self, corpus: Corpus | None) -> SplitKey:
        """Return what tells whether two documents are one for a split."""
        if self.one is not None:
            return self.one.split_key
        return "template_id" if corpus is None else corpus.pin.split_key


UNGOVERNED: Final = Membership()
"""The membership of a suite in a run without a freezes file."""


def membership_of(file: FreezesFile | None, folder: Path, corpus: Corpus | None) -> Membership:
    """Return which set of `file` the suite in `folder`, or the corpus, is."""
    if file is None:
        return UNGOVERNED
    gold = _sealed_gold(file)
    for one in file.sets.values():
        if one.suite == folder if corpus is None else one.corpus == corpus.pin.key:
            return Membership(file, one, sealed_gold=gold)
    return Membership(file, sealed_gold=gold)


def _sealed_gold(file: FreezesFile) -> str | None:
    if file.sealed is None or file.sealed.commitment is None:
        return None
    try:
        return read_commitment(file.sealed.commitment).gold
    except Fault:
        return None  # the rules about it say so


@final
class Gold:
    """Adds up the gold of a suite, and says whether it is that of the sealed freeze.

    About 75 bytes a document are kept, where there is a sealed freeze and only there.
    """

    def __init__(self, membership: Membership, contract: RecordContract) -> None:
        self._contract = contract
        self._committed = None if membership.commitment is None else membership.commitment.gold
        self._forbidden = membership.sealed_gold
        self._digests: list[bytes] = []

    @property
    def is_asked_for(self) -> bool:
        """Whether there is anything to compare with."""
        return self._committed is not None or self._forbidden is not None

    def add(self, record: Record) -> None:
        """Take one record, where there is anything to compare with."""
        if self.is_asked_for:
            self.add_digest(self._contract.gold_digest(record))

    def add_digest(self, digest: bytes) -> None:
        """Take what `RecordContract.gold_digest` gave of a record somewhere else."""
        self._digests.append(digest)

    def check(self) -> None:
        """Raise `Fault` where the sealed freeze is another one, or another suite is the sealed freeze."""
        found = f"sha256:{sha256(b''.join(sorted(self._digests))).hexdigest()}"
        if self._committed is not None and found != self._committed:
            raise Fault("the sealed freeze holds other documents or gold than its commitment says")
        if found == self._forbidden:
            raise Fault("holds what the sealed freeze holds: only pytest --pii-sealed runs it")
