"""The freezes file: the role of every suite and corpus, who reads it, and where evidence about it lies."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.corpus_rules import check_relative
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.freezes_model import FREEZES
from pytest_pii_eval.contracts.limits import MINIMUM_DOCUMENTS
from pytest_pii_eval.contracts.model_faults import checked
from pytest_pii_eval.contracts.yaml_file import read_document

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pytest_pii_eval.contracts.freezes_model import FreezesRow, SetRow, SplitKey
    from pytest_pii_eval.contracts.suite_model import Role

REQUIRED_SLICES: Final = ("structured", "names", "secrets", "negative", "long_doc")
"""The slices that a dev freeze holds at least (spec/evaluation.md, "Sets")."""

LEAST_DOCUMENTS: Final = 10
"""Fewer documents than these are no evaluation, whatever the freezes file says."""

EVERYONE: Final = "everyone"
_BY_SUITE: Final = frozenset({"unit", "public", "dev_freeze"})


@dataclass(frozen=True, slots=True)
class FreezeSet:
    """One set of spec/evaluation.md ("Sets").

    `suite` is its directory, or `corpus` its key in the corpora file. A sealed freeze has neither, as it lies
    outside the repository: `commitment` is the file that says which one it is. `readers` are roles; nobody
    reads a sealed freeze but one run a promotion. `slices` says which slice is each required one.
    """

    key: str
    role: Role
    suite: Path | None
    corpus: str | None
    readers: tuple[str, ...]
    split_key: SplitKey
    attestation: Path | None
    commitment: Path | None
    slices: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class FreezesFile:
    """The freezes file, its paths absolute.

    `train_lists` None states that nothing was trained: an empty list would show nothing. `cards` are corpora
    by detector (or model). `thresholds` are further files in which thresholds are set.
    """

    path: Path
    roles: frozenset[str]
    sets: Mapping[str, FreezeSet]
    train_lists: tuple[Path, ...] | None
    cards: Mapping[str, frozenset[str]]
    thresholds: tuple[Path, ...]
    floors: Path
    ledger: Path
    reports: Path
    minimum_documents: int
    fingerprint: str

    @property
    def dev(self) -> FreezeSet | None:
        """The dev freeze, if the file names one."""
        return self._only("dev_freeze")

    @property
    def sealed(self) -> FreezeSet | None:
        """The sealed freeze, if the file names one."""
        return self._only("sealed_freeze")

    def _only(self, role: Role) -> FreezeSet | None:
        return next((one for one in self.sets.values() if one.role == role), None)


def read_freezes(path: Path, *, root: Path | None = None) -> FreezesFile:
    """Return the freezes file at `path`; raises `Fault` with its name and the field."""
    document = read_document(path, root=root)
    try:
        return parse_freezes(document, path)
    except Fault as fault:
        raise fault.at(file=path.name) from None


def parse_freezes(document: object, path: Path) -> FreezesFile:
    """Return the freezes file that a decoded document describes; relative paths are those beside `path`."""
    row = checked(FREEZES, document)
    roles = frozenset(row["roles"])
    if len(roles) != len(row["roles"]):
        raise Fault("names the same role twice", field="roles")
    if EVERYONE in roles:
        raise Fault(f"{EVERYONE} is no role: unit and public sets are for all", field="roles")
    sets = {key: _set(key, one, roles, path) for key, one in row["sets"].items()}
    _check_sets(sets)
    lists = row["train_lists"]
    if not lists:
        rule = "is empty, which shows nothing: name a list, or state none where nothing was trained"
        raise Fault(rule, field="train_lists")
    minimum = int(row.get("minimum_documents", str(MINIMUM_DOCUMENTS)))
    if minimum < LEAST_DOCUMENTS:
        raise Fault(f"must be {LEAST_DOCUMENTS} or more", field="minimum_documents")
    return FreezesFile(
        path=path,
        roles=roles,
        sets=MappingProxyType(sets),
        train_lists=None if lists == "none" else _paths(list(lists), "train_lists", path),
        cards=_cards(row),
        thresholds=_paths(row.get("thresholds", []), "thresholds", path),
        floors=_path(row["floors"], "floors", path),
        ledger=_path(row["ledger"], "ledger", path),
        reports=_path(row["reports"], "reports", path),
        minimum_documents=minimum,
        fingerprint=fingerprint(document),
    )


def _set(key: str, row: SetRow, roles: frozenset[str], path: Path) -> FreezeSet:
    place = f"sets.{key}"
    _check_set(row, place)
    readers = tuple(row.get("readers", ()))
    for ordinal, reader in enumerate(readers):
        if reader not in roles:
            raise Fault("is none of the roles of this file", field=f"{place}.readers[{ordinal}]")
    return FreezeSet(
        key=key,
        role=row["role"],
        suite=_path(row["suite"], f"{place}.suite", path) if "suite" in row else None,
        corpus=row.get("corpus"),
        readers=readers or ((EVERYONE,) if row["role"] in ("unit", "public") else ()),
        split_key=row.get("split_key", "template_id"),
        attestation=_path(row["attestation"], f"{place}.attestation", path) if "attestation" in row else None,
        commitment=_path(row["commitment"], f"{place}.commitment", path) if "commitment" in row else None,
        slices=MappingProxyType(
            {
                name: row.get("slices", {}).get(name, name)
                for name in (*REQUIRED_SLICES, *row.get("slices", ()))
            }
        ),
    )


def _check_set(row: SetRow, place: str) -> None:
    """Raise `Fault` where a set has a field that its role gives no meaning, or lacks one that it needs."""
    sealed, dev = row["role"] == "sealed_freeze", row["role"] == "dev_freeze"
    held = [name for name in ("suite", "corpus") if name in row]
    if sealed and held:
        rule = "a sealed freeze lies outside the repository; name its commitment, and not the place"
        raise Fault(rule, field=f"{place}.{held[0]}")
    if not sealed and len(held) != 1:
        raise Fault("needs either suite or corpus", field=place)
    if dev and "suite" not in row:
        raise Fault("a dev freeze is a suite, not a corpus", field=f"{place}.corpus")
    for name, belongs, rule in (
        ("readers", not sealed, "nobody reads a sealed freeze but one run a promotion"),
        ("attestation", dev, "is for the dev freeze"),
        ("slices", dev, "is for the dev freeze"),
        ("commitment", sealed, "is for the sealed freeze"),
    ):
        if name in row and not belongs:
            raise Fault(rule, field=f"{place}.{name}")
    for name, needed in (("readers", dev), ("attestation", dev), ("commitment", sealed)):
        if needed and name not in row:
            raise Fault("is missing", field=f"{place}.{name}")


def _check_sets(sets: Mapping[str, FreezeSet]) -> None:
    seen: dict[object, str] = {}
    for key, one in sets.items():
        held = one.suite or one.corpus or one.commitment
        first = seen.setdefault(held, key)
        if first != key:
            raise Fault(f"is what sets.{first} is already", field=f"sets.{key}")
    for role in ("dev_freeze", "sealed_freeze"):
        keys = [key for key, one in sets.items() if one.role == role]
        if len(keys) > 1:
            raise Fault(f"is a second {role}; a freezes file has one", field=f"sets.{keys[1]}.role")


def _cards(row: FreezesRow) -> Mapping[str, frozenset[str]]:
    cards: dict[str, frozenset[str]] = {}
    for ordinal, card in enumerate(row.get("cards", ())):
        name = card["detector"]
        if name in cards:
            raise Fault("has a card already", field=f"cards[{ordinal}].detector")
        cards[name] = frozenset(card["corpora"])
    return MappingProxyType(cards)


def _paths(named: list[str], field: str, path: Path) -> tuple[Path, ...]:
    if len(set(named)) != len(named):
        raise Fault("names the same file twice", field=field)
    return tuple(_path(one, f"{field}[{ordinal}]", path) for ordinal, one in enumerate(named))


def _path(named: str, field: str, path: Path) -> Path:
    check_relative(named, field)
    return path.parent / named
