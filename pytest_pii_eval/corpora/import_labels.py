"""Which labels of an import become which types, and what may be said of those that do not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pytest_pii_eval.contracts.corpora_file import LABELS_ARE_TYPES
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input
from pytest_pii_eval.contracts.strict_json import parse, refuse_foreign_start

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

    from pytest_pii_eval.contracts.taxonomy import Taxonomy

_LIMIT: Final = 1024 * 1024
_LONGEST: Final = 64
_SHOWN: Final = 20
_WITHHELD: Final = "(withheld)"


class LabelWish(NamedTuple):
    """What the command was told of labels: names of maps, a file of entries, and labels to leave out."""

    maps: tuple[str, ...] = ()
    entries: Path | None = None
    excluded: frozenset[str] = frozenset()

    @property
    def are_types(self) -> bool:
        """Whether nothing was said of types, so that labels are types themselves."""
        return not self.maps and self.entries is None


def labels_of(wish: LabelWish, taxonomy: Taxonomy) -> dict[str, str]:
    """Return types by label, excluded ones left out; raises `Fault` where the wish contradicts itself.

    Entries of the file win over maps. `types` among the maps, or no map and no file, lets a label that
    nothing else knows, and that is a type, stay.
    """
    entries = {} if wish.entries is None else read_entries(wish.entries, taxonomy)
    both = sorted(wish.excluded & entries.keys())
    if both:
        raise Fault(f"the label {shown(both[0])} is excluded and has an entry in --labels")
    labels, decided = dict(entries), entries.keys() | wish.excluded
    for name in wish.maps:
        if name != LABELS_ARE_TYPES:
            _merge(labels, _map(name, taxonomy), decided)
    if wish.are_types or LABELS_ARE_TYPES in wish.maps:
        labels = {**{name: name for name in taxonomy.types}, **labels}
    return {label: type_ for label, type_ in labels.items() if label not in wish.excluded}


def read_entries(path: Path, taxonomy: Taxonomy) -> dict[str, str]:
    """Return types by label as a JSON file has them; raises `Fault` with the file's name."""
    try:
        payload = read_input(path, limit=_LIMIT)
        refuse_foreign_start(payload)
        return _checked(parse(payload), taxonomy)
    except Fault as fault:
        raise fault.at(file=path.name) from None


def shown(label: str) -> str:
    """Return `label` where it is an identifier of moderate length, else that it is withheld."""
    plain = label.isascii() and label.isidentifier() and len(label) <= _LONGEST
    return label if plain else _WITHHELD


def unknown_lines(unknown: Counter[str], taxonomy: Taxonomy) -> list[str]:
    """Return what to print of labels that have no type: which, how many spans each, and what to do."""
    if not unknown:
        return []
    told = [f"{shown(label)} {count:,}" for label, count in unknown.most_common(_SHOWN)]
    more = f", and {len(unknown) - _SHOWN:,} more" if len(unknown) > _SHOWN else ""
    lines = [f"labels that are no type and in no label map given: {', '.join(told)}{more}"]
    knowing = maps_knowing(unknown, taxonomy)
    if knowing:
        lines.append(f"label maps that know all of them: {', '.join(knowing)}; give --label-map NAME")
    lines.append(
        "give --label-map NAME, --labels MAP.json (label to type), or --exclude-label LABEL for each to drop"
    )
    return lines


def unmapped_line(seen: Collection[str], taxonomy: Taxonomy) -> str | None:
    """Return a warning where labels became types though the taxonomy maps them to others, or None."""
    maps = taxonomy.label_maps.values()
    foreign = [one for one in seen if any(one in map_ for map_ in maps) and not _is_a_target(one, maps)]
    if not foreign:
        return None
    knowing = maps_knowing(seen, taxonomy)
    hint = f"--label-map {' or '.join(knowing)}" if knowing else "--label-map NAME, once or more often,"
    return (
        f"note: without --label-map and --labels, labels are types; label maps know {len(foreign):,} of"
        f" {len(seen):,} as other types, which detectors answer with: {hint} maps them"
    )


def maps_knowing(labels: Iterable[str], taxonomy: Taxonomy) -> list[str]:
    """Return the names of the label maps that have an entry for each of `labels`."""
    wanted = set(labels)
    return sorted(name for name, map_ in taxonomy.label_maps.items() if wanted <= map_.keys())


def _is_a_target(label: str, maps: Collection[Mapping[str, str]]) -> bool:
    return any(label in map_.values() for map_ in maps)


def _map(name: str, taxonomy: Taxonomy) -> Mapping[str, str]:
    if name not in taxonomy.label_maps:
        known = ", ".join(sorted([*taxonomy.label_maps, LABELS_ARE_TYPES]))
        raise Fault(f"--label-map names no label map of the taxonomy; it has: {known}")
    return taxonomy.label_maps[name]


def _merge(labels: dict[str, str], added: Mapping[str, str], decided: Collection[str]) -> None:
    for label, type_ in added.items():
        if label not in decided and labels.setdefault(label, type_) != type_:
            raise Fault(f"two label maps give the label {shown(label)} two types; decide it with --labels")


def _checked(value: object, taxonomy: Taxonomy) -> dict[str, str]:
    if type(value) is not dict:
        raise Fault("expected one object, from label to type")
    for ordinal, type_ in enumerate(value.values()):
        if type(type_) is not str or type_ not in taxonomy.types:
            raise Fault("maps to a type that the taxonomy does not know", field=f"entry {ordinal + 1}")
    return value
