"""One split of a suite from start to end: read, assigned, written, proved, and told; whole or not at all."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.near_duplicates import COMMON, SHOWN
from pytest_pii_eval.freezes.outputs import several
from pytest_pii_eval.freezes.parts_proof import prove
from pytest_pii_eval.freezes.parts_writing import plain_files, write_parts
from pytest_pii_eval.freezes.shingles import WORDS
from pytest_pii_eval.freezes.splitting import assigned, targets
from pytest_pii_eval.freezes.suites import (
    SUITE,
    SuiteFiles,
    SuiteReading,
    check_provenance,
    check_taxonomy,
)
from pytest_pii_eval.private import private_directory, refuse_unsafe_target

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction
    from pathlib import Path

    from pytest_pii_eval.contracts.freezes_model import SplitKey
    from pytest_pii_eval.contracts.provenance import Origin
    from pytest_pii_eval.contracts.records import Record
    from pytest_pii_eval.contracts.suite_model import Role
    from pytest_pii_eval.freezes.near_duplicates import Spot
    from pytest_pii_eval.freezes.parts_proof import Proof
    from pytest_pii_eval.freezes.splitting import Part
    from pytest_pii_eval.freezes.suites import Kinds


class SplitWish(NamedTuple):
    """What is asked for: `suite` in `parts`, each a folder of the new directory `target`.

    `roles` are those that parts get in their suite files, by name. Texts of two parts with a similarity of
    `near` or more are reported.
    """

    suite: Path
    target: Path
    parts: Sequence[Part]
    by: SplitKey
    seed: str
    near: Fraction
    roles: Mapping[str, Role]
    root: Path | None = None


def split(wish: SplitWish, kinds: Kinds) -> list[str]:
    """Write the parts, prove that they are a split, and return what to tell; raises `Fault` or `OSError`."""
    _check_target(wish.target)
    files = SuiteFiles(wish.suite, kinds, root=wish.root)
    _check_suite(files, wish)
    group_of = _groups(files, wish.by)
    try:
        wanted = targets(wish.parts, len(group_of))
        part_of = _assigned(group_of, wanted, wish)
    except Fault as fault:
        raise fault.at(file=wish.suite.name) from None
    roles = [wish.roles.get(part.name) for part in wish.parts]
    with private_directory(wish.target) as directory:
        folders = [directory.staging / part.name for part in wish.parts]
        with ExitStack() as stack:
            parts = [stack.enter_context(private_directory(folder)) for folder in folders]
            write_parts(files, parts, lambda document: part_of[group_of[document]], roles)
        proof = prove(folders, kinds, by=wish.by, group_of=group_of, near=wish.near)
    return [*_sizes(wish.parts, wanted, proof), _proved(proof), *_alike(wish, proof)]


def _assigned(group_of: Mapping[str, str], wanted: Sequence[int], wish: SplitWish) -> Mapping[str, int]:
    """Return the part of each group; raises `Fault` where a part gets none."""
    sizes = Counter(group_of.values())
    part_of = assigned(sizes, wanted, wish.seed)
    for number, part in enumerate(wish.parts):
        if number not in part_of.values():
            raise Fault(
                f"the part {part.name} gets no group, as groups stay whole and there are {len(sizes):,};"
                " make fewer or larger parts"
            )
    return part_of


def _check_target(target: Path) -> None:
    refusal = refuse_unsafe_target(target, allow_tracked=False, option="one outside of the repository")
    if refusal is not None:
        raise Fault(refusal, file=target.name)


def _check_suite(files: SuiteFiles, wish: SplitWish) -> None:
    if files.suite.role == "sealed_freeze":
        raise Fault(
            "says that this is a sealed freeze, of which nothing is split off", file=SUITE, field="role"
        )
    check_taxonomy(files)
    if wish.by == "template_id":
        check_provenance(files, "--by")
    for part in wish.parts:
        plain_files(files, wish.roles.get(part.name))


def _groups(files: SuiteFiles, by: SplitKey) -> dict[str, str]:
    """Return the group of each document."""
    found: dict[str, str] = {}

    def take(record: Record, *_: object) -> None:
        found[record.document_id] = record.document_id

    def take_origin(origin: Origin, *_: object) -> None:
        if by == "template_id":
            found[origin.document_id] = origin.template_id

    SuiteReading(files).read(take, take_origin)
    return found


def _sizes(parts: Sequence[Part], wanted: Sequence[int], proof: Proof) -> list[str]:
    return [
        f"{part.name}: asked {part.asked} ({several(wanted[at], 'document')}),"
        f" got {several(proof.documents[at], 'document')} in {several(proof.groups[at], 'group')}"
        for at, part in enumerate(parts)
    ]


def _proved(proof: Proof) -> str:
    return (
        f"proved: {several(sum(proof.groups), 'group')}, no group in two parts;"
        f" {several(sum(proof.documents), 'document')}, each in one part"
    )


def _alike(wish: SplitWish, proof: Proof) -> list[str]:
    alike = proof.alike
    words = f"a similarity of {float(wish.near):g} or more (shingles of {WORDS} words)"
    lines = [f"near-duplicates: {several(alike.pairs, 'pair')} over two parts with {words}"]
    if alike.common:
        rule = f"{several(alike.common, 'shingle')} stood in more than {COMMON:,} texts"
        lines.append(f"note: {rule}, which were not all compared; there may be more pairs")

    def shown(spot: Spot) -> str:
        names = proof.files[spot.part]
        file = f" {names[spot.file]}" if len(names) > 1 else ""
        return f"{wish.parts[spot.part].name}{file} line {spot.line}"

    lines += [f"  {shown(one)} ~ {shown(other)}" for one, other in alike.first]
    if alike.pairs > SHOWN:
        lines.append(f"  and {alike.pairs - SHOWN:,} more")
    return lines
