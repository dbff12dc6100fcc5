"""Adding up batches of records: each counts once, and what crosses rows is checked as in a serial run."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, final

from pytest_pii_eval.collection.quality.shard_evidence import Totals, unpacked_evidence
from pytest_pii_eval.contracts.records import Record
from pytest_pii_eval.scoring.latency import Latency, merged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pii_eval.cluster.batches import Batch
    from pytest_pii_eval.cluster.directory import CountedDirectory
    from pytest_pii_eval.cluster.mapped import Mapped

_MODULUS: Final = 1 << 512
_DIGITS: Final = 128


@final
class Merge:
    """The sum of batches that come in order; `directory` learns of every document, by a hash of its id.

    Raises `Fault`, with file and line, at the first batch that breaks a rule.
    """

    def __init__(self, directory: CountedDirectory, shown: Sequence[str], subject: str) -> None:
        self.totals = Totals()
        self.gold = 0
        self.agrees = True
        self._directory = directory
        self._shown = shown
        self._subject = subject
        self._rows: Counter[int] = Counter()
        self._account = _Account()

    def rows_before(self, file: int) -> int:
        """Return how many rows of a file were added so far."""
        return self._rows[file]

    def add(self, batch: Batch, mapped: Mapped) -> None:
        """Add a batch; one that was added before changes nothing."""
        before, shown = self._rows[batch.file], self._shown[batch.file]
        evidence = None if mapped.evidence is None else unpacked_evidence(mapped.evidence)
        if evidence is not None and not self.totals.add(f"{batch.number:012}", evidence):
            return
        for line, (digest, membership) in enumerate(mapped.documents(), start=before + 1):
            role, view, slices = membership
            self._directory.count(Record(digest, "", view, role, (), slices), (shown, line))
        if mapped.fault is not None:
            raise mapped.fault.fault(shown, before)
        self._directory.learn(mapped.gold_digests, has_identities=mapped.has_identities)
        self._rows[batch.file] += mapped.rows
        self.gold += mapped.gold
        self.agrees = self.agrees and mapped.subject == self._subject
        if evidence is not None:
            self._account.add(evidence.account)

    def account(self) -> dict[str, Any]:
        """Return the sum of the accounts of all batches."""
        return self._account.packed()


@final
class _Account:
    """The sum of accounts, as `Books.account` gives them, but for the lines of failures."""

    def __init__(self) -> None:
        self._documents = self._predictions = self._content = self._gold = 0
        self._failed: Counter[str] = Counter()
        self._latency = Latency()

    def add(self, account: Mapping[str, Any]) -> None:
        self._documents += account["documents"]
        self._predictions += account["predictions"]
        self._content += int(account["content"], 16)
        self._gold += int(account["gold"], 16)
        self._failed.update(account["failed"])
        self._latency = merged((self._latency.packed(), account["latency"]))

    def packed(self) -> dict[str, Any]:
        return {
            "documents": self._documents,
            "predictions": self._predictions,
            "failed": dict(self._failed),
            "first_failure": None,
            "latency": self._latency.packed(),
            "content": f"{self._content % _MODULUS:0{_DIGITS}x}",
            "gold": f"{self._gold % _MODULUS:0{_DIGITS}x}",
        }
