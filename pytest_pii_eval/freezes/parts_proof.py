"""The proof of a split: its parts, read again, share no group and no document; and what is alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import open_input
from pytest_pii_eval.contracts.jsonl import parse_row
from pytest_pii_eval.freezes.near_duplicates import NearDuplicates, Spot
from pytest_pii_eval.freezes.suites import SuiteFiles, SuiteReading

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction
    from pathlib import Path
    from typing import Any

    from pytest_pii_eval.contracts.freezes_model import SplitKey
    from pytest_pii_eval.contracts.jsonl import Row
    from pytest_pii_eval.contracts.places import Place
    from pytest_pii_eval.contracts.provenance import Origin
    from pytest_pii_eval.contracts.records import Record
    from pytest_pii_eval.freezes.near_duplicates import Alike
    from pytest_pii_eval.freezes.suites import Kinds


class Proof(NamedTuple):
    """Documents and groups of each part, the names of its records files, and what is alike over two parts."""

    documents: list[int]
    groups: list[int]
    files: list[list[str]]
    alike: Alike


def prove(
    folders: Sequence[Path], kinds: Kinds, *, by: SplitKey, group_of: Mapping[str, str], near: Fraction
) -> Proof:
    """Return the proof that `folders` are a split of the documents in `group_of`, which tells their groups.

    Raises `Fault` where a document is in two parts or in none, or a group is in two.
    """
    proving = _Proving(by, folders, near)
    for part, folder in enumerate(folders):
        proving.read(part, SuiteFiles(folder, kinds))
    proving.check(group_of)
    return proving.proof()


@final
class _Proving:
    def __init__(self, by: SplitKey, folders: Sequence[Path], near: Fraction) -> None:
        self._by_template = by == "template_id"
        self._folders = folders
        self._files: list[list[str]] = []
        self._group_of: list[dict[str, str]] = [{} for _ in folders]
        self._alike = NearDuplicates(near, self._text_at)

    def read(self, part: int, files: SuiteFiles) -> None:
        """Read a part, as strictly as any suite."""
        names = [path.name for path in files.of("records")]
        self._files.append(names)
        groups = self._group_of[part]

        def take(record: Record, row: Row, place: Place) -> None:
            spot = Spot(part, names.index(place[0]), place[1], row.offset, row.size)
            self._alike.add(spot, record.text)
            groups[record.document_id] = record.document_id

        def take_origin(origin: Origin, _: Place) -> None:
            if self._by_template:
                groups[origin.document_id] = origin.template_id

        SuiteReading(files).read(take, take_origin)

    def check(self, group_of: Mapping[str, str]) -> None:
        """Raise `Fault` where the parts that were read are not what they should be."""
        together: dict[str, str] = {}
        part_of: dict[str, int] = {}
        for part, groups in enumerate(self._group_of):
            for document, group in groups.items():
                if document in together:
                    raise _broken("a document is in two parts")
                if part_of.setdefault(group, part) != part:
                    raise _broken("a group is in two parts")
                together[document] = group
        if together != group_of:
            raise _broken("the documents of all parts together are not those of the suite")

    def proof(self) -> Proof:
        """Return what was found."""
        return Proof(
            documents=[len(groups) for groups in self._group_of],
            groups=[len(set(groups.values())) for groups in self._group_of],
            files=self._files,
            alike=self._alike.found(),
        )

    def _text_at(self, spot: Spot) -> str:
        with open_input(self._folders[spot.part] / self._files[spot.part][spot.file]) as handle:
            handle.seek(spot.offset)
            row: Any = parse_row(handle.read(spot.size))
        return str(row["document"]["text"])


def _broken(rule: str) -> Fault:
    return Fault(f"the split does not hold, as {rule}; nothing was written")
