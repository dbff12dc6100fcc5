"""A bank document cut into small banks, so that the models of a large one never live all at once."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_NAMES = 1_000


def pieces_of(document: object) -> Iterator[object]:
    """Yield documents of at most 1,000 names that hold all of `document`, in order; what is no bank, whole.

    Each piece repeats what stands around its names: the fields of the bank and of their entities.
    """
    if not isinstance(document, dict) or not _is_divisible(document.get("entities")):
        yield document
        return
    piece: dict[str, object] = {}
    room = _NAMES
    for entity_id, entity in _parts(document["entities"]):
        if entity_id in piece or len(entity["names"]) > room:
            yield {**document, "entities": piece}
            piece, room = {}, _NAMES
        piece[entity_id] = entity
        room -= len(entity["names"])
    yield {**document, "entities": piece}


def _is_divisible(entities: object) -> bool:
    return isinstance(entities, dict) and all(
        isinstance(entity, dict) and isinstance(entity.get("names"), dict) for entity in entities.values()
    )


def _parts(entities: Mapping[str, dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every entity, once for each thousand of its names."""
    for entity_id, entity in entities.items():
        names = iter(entity["names"].items())
        part = dict(islice(names, _NAMES))
        while True:
            yield entity_id, {**entity, "names": part}
            part = dict(islice(names, _NAMES))
            if not part:
                break
