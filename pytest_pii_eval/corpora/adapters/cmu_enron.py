"""The CMU Enron Meetings archive, its layout and populations; ZIP and labels are read elsewhere."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.archive import Rules, inventory, read_archive, read_member
from pytest_pii_eval.corpora.draft import Draft
from pytest_pii_eval.corpora.true_names import POLICY, parse_fragment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from pytest_pii_eval.contracts.offsets import OffsetUnit
    from pytest_pii_eval.corpora.archive import Member
    from pytest_pii_eval.corpora.true_names import Fragment

LABEL: Final = "true_name"

_Role = Literal["train", "test"]

_TOP: Final = "EnronMeetings-XML/"
_RULES: Final = Rules(
    member=re.compile(
        _TOP + r"(train/bunch[123]|test/bunch4)/[A-Za-z0-9][A-Za-z0-9_-]{0,127}__calendar__[0-9]{1,10}\.txt"
    ),
    folders=frozenset(
        _TOP + folder
        for folder in (
            "",
            "train/",
            "train/bunch1/",
            "train/bunch2/",
            "train/bunch3/",
            "test/",
            "test/bunch4/",
        )
    ),
)
_BUNCHES: Final[Mapping[str, int]] = {
    "train/bunch1": 244,
    "train/bunch2": 242,
    "train/bunch3": 243,
    "test/bunch4": 247,
}
_ID: Final = b"pii_eval.cmu_enron.document.v1\0"


class Population(NamedTuple):
    """What one role holds; characters are code points, without markers."""

    documents: int = 0
    documents_with_spans: int = 0
    spans: int = 0
    characters: int = 0
    labelled_characters: int = 0

    def plus(self, fragment: Fragment) -> Population:
        """Return the population with one more document."""
        return Population(
            self.documents + 1,
            self.documents_with_spans + bool(fragment.spans),
            self.spans + len(fragment.spans),
            self.characters + len(fragment.text),
            self.labelled_characters + sum(end - start for start, end in fragment.spans),
        )


PUBLISHED: Final[Mapping[_Role, Population]] = {
    "train": Population(729, 540, 1_896, 529_788, 20_028),
    "test": Population(247, 197, 527, 119_169, 4_978),
}
"""What the published archive holds."""


@final
class CmuEnronAdapter:
    """Reads the archive of 2005 with personal names marked in text; no part of it is quarantined.

    With `fixture` "no" the archive has the populations of the published one. With "yes" it is a generated one
    of the same layout, with one document or more: such an archive proves nothing about the corpus.
    """

    name = "cmu-enron-meetings"
    version = "1"
    offset_unit: OffsetUnit = "codepoint"
    policy = POLICY
    keeps_labels_apart = True
    roles = ("train",)

    def __init__(self, *, fixture: str = "no") -> None:
        if fixture not in ("no", "yes"):
            raise Fault("the option fixture is yes or no")
        self._fixture = fixture == "yes"

    @property
    def not_promotable(self) -> str:
        """The reason code why no record of it may decide a promotion."""
        return "generated_fixture" if self._fixture else "auxiliary_source_without_bound_content_adjudication"

    def read(self, path: Path) -> Iterator[Draft]:
        """Yield the documents of both roles in order of their names; raises `Fault` before the first.

        `row` is the ordinal in that order, from 1; ids are hashes of names. The whole archive is checked
        first: its inventory, every document, and the populations.
        """
        return self.read_payload(read_archive(path, _RULES), path.name)

    def read_payload(self, payload: bytes, file: str) -> Iterator[Draft]:
        """Yield what `read` yields of an archive in memory; `file` is what its faults name."""
        try:
            drafts, populations = _read(payload, _members(payload, published=not self._fixture))
            if not self._fixture:
                _check_populations(populations)
        except Fault as fault:
            raise fault.at(file=file) from None
        yield from drafts


def _members(payload: bytes, *, published: bool) -> list[Member]:
    members = sorted(inventory(payload, _RULES), key=lambda member: member.name)
    if not members:
        raise Fault("holds no document")
    if published:
        _check_bunches(Counter(map(_bunch, members)))
    return members


def _bunch(member: Member) -> str:
    return member.name.removeprefix(_TOP).rpartition("/")[0]


def _check_bunches(held: Mapping[str, int]) -> None:
    for bunch, expected in _BUNCHES.items():
        if held[bunch] != expected:
            rule = f"holds {held[bunch]:,} documents; the published archive holds {expected:,} there"
            raise Fault(rule, field=bunch)


def _read(payload: bytes, members: Sequence[Member]) -> tuple[list[Draft], Mapping[_Role, Population]]:
    drafts = []
    populations: dict[_Role, Population] = {"train": Population(), "test": Population()}
    for row, member in enumerate(members, start=1):
        fragment = _fragment(payload, member, row)
        role: _Role = "train" if _bunch(member).startswith("train") else "test"
        populations[role] = populations[role].plus(fragment)
        spans = tuple([(start, end, LABEL) for start, end in fragment.spans])
        drafts.append(Draft(row, _document_id(member), fragment.text, spans, role=role))
    return drafts, populations


def _fragment(payload: bytes, member: Member, row: int) -> Fragment:
    content = read_member(payload, member)
    try:
        fragment = parse_fragment(content)
    except Fault as fault:
        raise fault.at(field=_place(row)) from None
    if not fragment.text:
        raise Fault("holds no text", field=_place(row))
    return fragment


def _place(row: int) -> str:
    return f"document {row:,} in order of names"


def _document_id(member: Member) -> str:
    return "cmu-" + hashlib.sha256(_ID + member.name.encode("utf-8")).hexdigest()[:32]


def _check_populations(held: Mapping[_Role, Population]) -> None:
    for role, expected in PUBLISHED.items():
        for what, have, want in zip(Population._fields, held[role], expected, strict=True):
            if have != want:
                rule = f"holds {have:,} {what.replace('_', ' ')}; the published archive holds {want:,}"
                raise Fault(rule, field=role)
