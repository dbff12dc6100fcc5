"""Whether a receipt says what its recipe can give and its own figures allow; no file is read."""

from __future__ import annotations

import hashlib
import re
import sys
from typing import TYPE_CHECKING, Final, get_args

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.identifiers import OPAQUE_ID_PATTERN
from pytest_pii_eval.contracts.quality_model import SplitRole
from pytest_pii_eval.corpora.deriving import plain_line
from pytest_pii_eval.corpora.draft import Reason
from pytest_pii_eval.corpora.files import DOCUMENTS, GAPS, LABELS, PROVENANCE, RECORDS, SLICES
from pytest_pii_eval.corpora.plan import gap_rows, slice_row
from pytest_pii_eval.corpora.receipt import RECEIPT, Committed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pytest_pii_eval.corpora.draft import CorpusAdapter
    from pytest_pii_eval.corpora.receipt import Receipt
    from pytest_pii_eval.corpora.recipe import Recipe

PUBLIC_CORPUS: Final = "public_corpus"
"""Why records of a corpus never decide a promotion, unless its adapter knows a better reason."""

_REASONS: Final = frozenset(get_args(Reason))
_ROLES: Final = frozenset(get_args(SplitRole))
_identifier = re.compile(OPAQUE_ID_PATTERN.removesuffix("$")).fullmatch


def not_promotable(adapter: CorpusAdapter) -> str:
    """Return the reason code why records that `adapter` gives never decide a promotion."""
    return getattr(adapter, "not_promotable", PUBLIC_CORPUS)


def keeps_labels_apart(adapter: CorpusAdapter) -> bool:
    """Whether documents and labels of every role are kept in two files beside the records."""
    return bool(getattr(adapter, "keeps_labels_apart", False))


def check_claims(recipe: Recipe, receipt: Receipt) -> None:
    """Raise `Fault` with the field of the receipt that says what no prepare with `recipe` would write.

    Words are those of the recipe and of closed lists, figures agree with each other. Whether they are those
    of the artifact, only deriving tells.
    """
    for field, holds in (*_bound(recipe, receipt), *_counted(recipe, receipt)):
        if not holds:
            raise Fault("is not what a prepare would write", file=RECEIPT, field=field)
    _check_files(recipe, receipt)


def _bound(recipe: Recipe, receipt: Receipt) -> Iterator[tuple[str, bool]]:
    """Yield the fields that the recipe decides, and whether each says the same."""
    pin, adapter = recipe.pin, recipe.adapter
    yield "key", receipt.key == pin.key
    yield "recipe", receipt.recipe == recipe.fingerprint
    yield "pin", receipt.pin == pin.fingerprint
    yield "artifact.sha256", receipt.artifact.sha256 == pin.sha256
    yield "artifact.bytes", receipt.artifact.bytes >= 0 and pin.size in (None, receipt.artifact.bytes)
    yield "artifact.rows", receipt.artifact.rows is None
    yield "adapter", receipt.adapter == adapter.name
    yield "adapter_version", receipt.adapter_version == adapter.version
    yield "span_policy_sha256", receipt.span_policy_sha256 == recipe.span_policy
    yield "not_promotable", receipt.not_promotable == not_promotable(adapter)


def _counted(recipe: Recipe, receipt: Receipt) -> Iterator[tuple[str, bool]]:
    """Yield the fields that are counted, and whether each agrees with the others and its closed list."""
    pin = recipe.pin
    left_out = sum(receipt.quarantined.values())
    held_out = sum(role.documents for role in receipt.held_out.values())
    roles = _ROLES - {pin.split_role}
    yield "quarantined", _positive(receipt.quarantined, _REASONS) and left_out <= pin.max_quarantined
    yield "held_out", _positive({role: one.documents for role, one in receipt.held_out.items()}, roles)
    yield "held_out", all(one.spans >= 0 for one in receipt.held_out.values())
    yield "notes", all(map(_identifier, receipt.notes))
    yield "spans_by_type", _positive(receipt.spans_by_type, recipe.labels.values())
    yield "spans", receipt.spans == sum(receipt.spans_by_type.values())
    most = sys.maxsize if recipe.pin.excluded_labels else 0
    yield "excluded_spans", 0 <= receipt.excluded_spans <= most
    yield "documents", receipt.documents > 0
    yield "documents_without_gold", 0 <= receipt.documents - receipt.documents_without_gold <= receipt.spans
    yield "documents_without_gold", receipt.documents_without_gold >= 0
    yield "rows", receipt.rows == receipt.documents + held_out + left_out


def _positive(counts: Mapping[str, int], names: Iterable[str]) -> bool:
    """Whether every name is one of `names`, and was counted at least once."""
    return counts.keys() <= set(names) and all(count > 0 for count in counts.values())


def _check_files(recipe: Recipe, receipt: Receipt) -> None:
    """Refuse other files than a prepare writes, other numbers of rows, and another slice or gap."""
    every = receipt.documents + sum(one.documents for one in receipt.held_out.values())
    apart = (DOCUMENTS, LABELS) if keeps_labels_apart(recipe.adapter) else ()
    rows = {RECORDS: receipt.documents, PROVENANCE: receipt.documents, **dict.fromkeys(apart, every)}
    plan = _plan(recipe, receipt)
    if receipt.files.keys() != {*rows, *plan}:
        raise Fault("names other files than a prepare would write", file=RECEIPT, field="files")
    for name, number in rows.items():
        if receipt.files[name].rows != number:
            raise Fault("has another number of rows than the receipt counts documents", file=name)
    for name, committed in plan.items():
        if receipt.files[name] != committed:
            raise Fault("is not the plan that the pin and its label map give", file=name)


def _plan(recipe: Recipe, receipt: Receipt) -> dict[str, Committed]:
    """Return what the files of the slice and its gaps hold; both are decided by recipe and types."""
    types = recipe.types or sorted(receipt.spans_by_type)
    gaps = gap_rows(recipe.pin)
    return {SLICES: _lines([slice_row(recipe, types)]), **({GAPS: _lines(gaps)} if gaps else {})}


def _lines(rows: list[dict[str, str]]) -> Committed:
    payload = b"".join(map(plain_line, rows))
    digest = hashlib.sha256(payload).hexdigest()
    return Committed(bytes=len(payload), sha256=f"sha256:{digest}", rows=len(rows))
