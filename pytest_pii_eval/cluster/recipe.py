"""What a process needs to know once to do batches of a run: packed on the client, unpacked by each worker."""

from __future__ import annotations

import copyreg
import io
import pickle
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_pii_eval.cluster.storage import Storage, StoredFile
    from pytest_pii_eval.contracts.bindings import Bindings
    from pytest_pii_eval.contracts.slices import SlicePlan
    from pytest_pii_eval.contracts.taxonomy import Taxonomy
    from pytest_pii_eval.scoring.documents import Scope
    from pytest_pii_eval.settings import FileKind, Settings


class Recipe(NamedTuple):
    """Settings, the bytes of the bank, the plan, and the files, which batches name by their number.

    `shown` are the names of the files in messages. `batch_size` is that of
    documents a call, where somebody set it. `needs_gold` asks for a hash of the gold of each document.
    """

    settings: Settings
    bank: bytes | None
    plan: SlicePlan
    taxonomy: Taxonomy
    scopes: Mapping[str, Scope]
    bindings: Bindings | None
    storage: Storage
    files: tuple[StoredFile, ...]
    shown: tuple[str, ...]
    kinds: tuple[FileKind, ...]
    batch_size: int | None = None
    needs_gold: bool = False


def packed(recipe: Recipe) -> bytes:
    """Return the recipe as bytes that `unpacked` reads."""
    buffer = io.BytesIO()
    _Pickler(buffer, protocol=pickle.HIGHEST_PROTOCOL).dump(recipe)
    return buffer.getvalue()


def unpacked(payload: bytes) -> Recipe:
    """Return what `packed` was given."""
    recipe: Recipe = pickle.loads(payload)  # noqa: S301  # the client's own, over the connection that runs its tasks
    return recipe


class _Pickler(pickle.Pickler):
    """Pickles read-only mappings, too, of which plans and taxonomies consist."""

    dispatch_table = copyreg.dispatch_table.copy()
    dispatch_table[MappingProxyType] = lambda mapping: (_read_only, (dict(mapping),))


def _read_only(mapping: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    """Return a read-only view; its type has no name that pickle could call."""
    return MappingProxyType(mapping)
