"""Which set of the freezes file a suite is, and what follows for its suite file; no documents are read."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.suite_file import bound_again

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.collection.corpora.corpus import Corpus
    from pytest_pii_eval.contracts.commitment_model import Commitment
    from pytest_pii_eval.contracts.floors_file import FloorsFile
    from pytest_pii_eval.contracts.freezes_file import FreezeSet, FreezesFile
    from pytest_pii_eval.contracts.freezes_model import SplitKey
    from pytest_pii_eval.contracts.suite_file import SuiteFile


class Membership(NamedTuple):
    """The freezes file, and which of its sets a suite is; None where there is no such file, or no such set.

    In a sealed run the sealed freeze has its `commitment`, and is held to `floors`.
    """

    file: FreezesFile | None = None
    one: FreezeSet | None = None
    commitment: Commitment | None = None
    floors: FloorsFile | None = None

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
    for one in file.sets.values():
        if one.suite == folder if corpus is None else one.corpus == corpus.pin.key:
            return Membership(file, one)
    return Membership(file)


@final
class Gold:
    """Adds up the gold of a suite and compares it with a commitment, if there is one."""

    def __init__(self, commitment: Commitment | None) -> None:
        self._commitment = commitment
        self._digests: list[bytes] = []

    @property
    def is_wanted(self) -> bool:
        """Whether there is anything to compare with."""
        return self._commitment is not None

    def add(self, digest: bytes) -> None:
        """Take the gold digest of one record."""
        self._digests.append(digest)

    def check(self) -> None:
        """Raise `Fault` where the gold is not what was committed to."""
        if self._commitment is None:
            return
        found = f"sha256:{sha256(b''.join(sorted(self._digests))).hexdigest()}"
        if found != self._commitment.gold:
            raise Fault("the sealed freeze holds other documents or gold than its commitment says")
