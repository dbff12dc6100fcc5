"""Where the documents of a suite come from: corpora by slice and templates by split role; no text, no ids."""

from __future__ import annotations

from hashlib import blake2b, sha256
from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.contracts.entries import Entries

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_pii_eval.contracts.freezes_model import SplitKey
    from pytest_pii_eval.contracts.provenance import Origin
    from pytest_pii_eval.contracts.records import Record

NO_TEMPLATE_IN_BOTH: Final = "no-template-in-train-and-test"
"""The name of the rule that a template is on one side of a split only."""

_DIGEST: Final = 16
_NUMBER: Final = 4


@final
class Origins:
    """Notes each record on the way, then learns from each row of the sidecar what it was filled from.

    Of a document 20 bytes are kept: a hash of its id, and the number of its role and slices together. Of a
    template it is about 120. Both grow with the suite, where somebody asks where its documents come from.
    `corpora` are the sources of a slice as the sidecar names them; `templates` the SHA-256 of each template
    id (or document id, by `split_key`) that occurs in a split role.
    """

    def __init__(self, split_key: SplitKey = "template_id") -> None:
        self._by_document = split_key == "document_id"
        self._numbers: dict[tuple[str, tuple[str, ...]], int] = {}
        self._memberships: list[tuple[str, tuple[str, ...]]] = []
        self._entries = Entries(_DIGEST + _NUMBER)
        self.corpora: dict[str, set[str]] = {}
        self.templates: dict[str, set[bytes]] = {}

    def note(self, record: Record) -> None:
        """Remember role and slices of a record."""
        membership = (record.split_role, record.slice_ids)
        number = self._numbers.setdefault(membership, len(self._numbers))
        if number == len(self._memberships):
            self._memberships.append(membership)
        digest = _digest(record.document_id)
        bucket, at = self._entries.find(digest)
        if at < 0:
            self._entries.append(bucket, digest + number.to_bytes(_NUMBER, "little"))

    def learn(self, origin: Origin) -> None:
        """Take one row of the sidecar; one of a document that was not noted says nothing."""
        bucket, at = self._entries.find(_digest(origin.document_id))
        if at < 0:
            return
        start = at + _DIGEST
        role, slices = self._memberships[int.from_bytes(bucket[start : start + _NUMBER], "little")]
        template = origin.document_id if self._by_document else origin.template_id
        self.templates.setdefault(role, set()).add(sha256(template.encode("utf-8")).digest())
        for name in slices:
            self.corpora.setdefault(name, set()).add(origin.source_corpus)


def shared_templates(suites: Iterable[Origins]) -> int:
    """Return how many templates are in split role train of some suite and in test of some."""
    train: set[bytes] = set()
    test: set[bytes] = set()
    for origins in suites:
        train |= origins.templates.get("train", set())
        test |= origins.templates.get("test", set())
    return len(train & test)


def _digest(document_id: str) -> bytes:
    return blake2b(document_id.encode("utf-8"), digest_size=_DIGEST).digest()
