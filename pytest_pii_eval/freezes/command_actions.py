"""What each action of `pii-eval freeze` does: returns lines to tell, and faults; prints nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from pytest_pii_eval.arguments import path_of
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.freezes_file import read_freezes
from pytest_pii_eval.freezes.attesting import attest
from pytest_pii_eval.freezes.committing import committed
from pytest_pii_eval.freezes.floors_setting import set_floors
from pytest_pii_eval.freezes.git import Repository
from pytest_pii_eval.freezes.hashing import hashes_in, hashes_of, train_list
from pytest_pii_eval.freezes.outputs import check_output, several, write_output
from pytest_pii_eval.freezes.split import SplitWish, split
from pytest_pii_eval.freezes.splitting import check_parts
from pytest_pii_eval.freezes.suites import SUITE, SuiteFiles, check_taxonomy
from pytest_pii_eval.freezes.verifying import verify

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping, Sequence

    from pytest_pii_eval.contracts.freezes_file import FreezesFile
    from pytest_pii_eval.contracts.freezes_model import SplitKey
    from pytest_pii_eval.freezes.suites import Kinds

    Told: TypeAlias = tuple[Sequence[str], Sequence[str]]


class Misuse(Exception):
    """Arguments that do not go together; its text says what to give."""


def _split(given: argparse.Namespace, kinds: Kinds) -> Told:
    roles = dict(given.role)
    if len(roles) != len(given.role):
        raise Misuse("--role gives a part two roles")
    if not roles.keys() <= {part.name for part in given.part}:
        raise Misuse("--role names a part that there is not")
    try:
        check_parts(given.part)
    except Fault as fault:
        raise Misuse(str(fault)) from None
    wish = SplitWish(
        suite=path_of(given.suite),
        target=path_of(given.out),
        parts=given.part,
        by=given.by,
        seed=given.seed,
        near=given.near,
        roles=roles,
        root=Path.cwd(),
    )
    return split(wish, kinds), ()


def _commit(given: argparse.Namespace, kinds: Kinds) -> Told:
    out = path_of(given.out)
    check_output(out, kinds, replace=given.replace)
    files = SuiteFiles(path_of(given.suite), kinds, root=Path.cwd())
    if files.suite.role != "sealed_freeze":
        rule = "must be sealed_freeze, so that no other run reads the suite"
        raise Fault(rule, file=SUITE, field="role")
    check_taxonomy(files)
    found = committed(files, given.split_key)
    write_output(out, found.rendered(), kinds, replace=given.replace)
    kind = "template" if given.split_key == "template_id" else "document id"
    counted = f"{several(found.documents, 'document')}, {several(found.gold_spans, 'gold span')}"
    return [f"{out.name}: {counted}, {several(len(found.templates), kind)} (as hashes)"], ()


def _attest(given: argparse.Namespace, kinds: Kinds) -> Told:
    today = datetime.now(UTC).date().isoformat()
    found = attest(_freezes(given), given.key, given.by, kinds=kinds, today=today)
    read = several(found.documents, "document")
    return [f"{given.key}: attests that {found.by} has read {read}, on {found.at}"], ()


def _hash(given: argparse.Namespace, kinds: Kinds) -> Told:
    if (given.source is None) == (given.ids is None):
        raise Misuse("give either SOURCE or --ids")
    if given.ids is not None and given.split_key is not None:
        raise Misuse("--split-key goes with SOURCE; a list of ids is hashed as it is")
    out, root = path_of(given.out), Path.cwd()
    check_output(out, kinds, replace=given.replace)
    if given.ids is not None:
        hashes = hashes_in(path_of(given.ids), root=root)
    else:
        key: SplitKey = given.split_key or "template_id"
        hashes = hashes_of(path_of(given.source), kinds, split_key=key, root=root)
    write_output(out, train_list(hashes), kinds, replace=given.replace)
    return [f"{out.name}: {several(len(hashes), 'id')} as hashes"], ()


def _set_floors(given: argparse.Namespace, _: Kinds) -> Told:
    floors = _freezes(given).floors if given.floors is None else path_of(given.floors)
    report, root = path_of(given.report), Path.cwd()
    return set_floors(report, floors, slack=given.slack, replace=given.replace, root=root), ()


def _verify_ledger(given: argparse.Namespace, _: Kinds) -> Told:
    file = _freezes(given)
    repository: Repository | Fault
    try:
        repository = Repository.around(file.path.parent)
    except Fault as fault:
        repository = fault
    return verify(file, repository, root=file.path.parent)


def _freezes(given: argparse.Namespace) -> FreezesFile:
    return read_freezes(path_of(given.freezes), root=Path.cwd())


ACTIONS: Final[Mapping[str, Callable[[argparse.Namespace, Kinds], Told]]] = {
    "split": _split,
    "commit": _commit,
    "attest": _attest,
    "hash": _hash,
    "set-floors": _set_floors,
    "verify-ledger": _verify_ledger,
}
