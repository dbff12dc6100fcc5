"""The rules about templates: those of the sealed freeze are nowhere that anybody trained or tuned on."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.commitment_model import read_commitment
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.train_lists import read_train_list
from pytest_pii_eval.freezes.committing import commitment_of
from pytest_pii_eval.freezes.finding import PASS, Finding, fail, together, unknown

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from pytest_pii_eval.contracts.commitment_model import Commitment
    from pytest_pii_eval.contracts.freezes_model import SplitKey
    from pytest_pii_eval.freezes.standing import Standing

_WORDS: Final[dict[SplitKey, str]] = {"template_id": "templates", "document_id": "documents"}


def sealed_templates_are_in_no_train_list(standing: Standing) -> Finding:
    """Fail where a template of the sealed freeze was trained on; an empty list shows nothing."""
    sealed = _sealed(standing)
    if isinstance(sealed, Finding):
        return sealed
    if standing.file.train_lists is None:
        return PASS
    return together([_against(sealed, path, standing) for path in standing.file.train_lists])


def dev_and_sealed_share_no_template(standing: Standing) -> Finding:
    """Fail where a template of the sealed freeze is in the dev freeze, which is there to be tuned on."""
    dev = standing.file.dev
    if dev is None or dev.suite is None:
        return unknown("the file names no dev freeze")
    sealed = _sealed(standing)
    if isinstance(sealed, Finding):
        return sealed
    try:
        found = {
            one
            for key in dict.fromkeys((dev.split_key, sealed.split_key))
            for one in commitment_of(dev.suite, standing.kinds, split_key=key, root=standing.root).templates
        }
    except Fault as fault:
        return fail(str(fault))
    return _shared(sealed, found, "the dev freeze")


def _sealed(standing: Standing) -> Commitment | Finding:
    """Return the commitment to the sealed freeze, or why nothing can be said of it."""
    sealed = standing.file.sealed
    if sealed is None or sealed.commitment is None:
        return unknown("the file names no sealed freeze")
    if not os.path.lexists(sealed.commitment):
        command = f"pii-eval freeze commit, into {standing.shown(sealed.commitment)}"
        return unknown(f"the sealed freeze has no commitment yet: {command}")
    try:
        commitment = read_commitment(sealed.commitment, root=standing.root)
    except Fault as fault:
        return fail(str(fault))
    if not commitment.templates:
        return unknown("the commitment to the sealed freeze holds no template, which shows nothing")
    return commitment


def _against(sealed: Commitment, path: Path, standing: Standing) -> Finding:
    shown = standing.shown(path)
    try:
        trained = read_train_list(path, root=standing.root, shown=shown)
    except Fault as fault:
        return fail(str(fault))
    if not trained:
        return unknown(
            f"train list {shown} is empty, which shows nothing: give the list, or state train_lists: none"
        )
    return _shared(sealed, trained, f"train list {shown}")


def _shared(sealed: Commitment, found: Collection[str], where: str) -> Finding:
    shared = sum(one in found for one in sealed.templates)
    if not shared:
        return PASS
    all_of_them = f"{len(sealed.templates):,} {_WORDS[sealed.split_key]} of the sealed freeze"
    return fail(f"{shared:,} of {all_of_them} are in {where}: a score on them decides nothing; replace them")
