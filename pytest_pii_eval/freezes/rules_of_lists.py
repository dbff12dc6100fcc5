"""The rules about templates: those of the sealed freeze are nowhere that anybody saw."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from pytest_pii_eval.contracts.commitment_model import read_commitment
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.train_lists import read_train_list
from pytest_pii_eval.freezes.finding import PASS, Finding, fail, together, unknown
from pytest_pii_eval.freezes.kept_commitment import kept_commitment
from pytest_pii_eval.freezes.suites import paths_of

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from pytest_pii_eval.contracts.commitment_model import Commitment
    from pytest_pii_eval.contracts.freezes_file import FreezeSet
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


def sealed_shares_no_template(standing: Standing) -> Finding:
    """Fail where a template of the sealed freeze is in a set that people see, the dev freeze above all."""
    sealed = _sealed(standing)
    if isinstance(sealed, Finding):
        return sealed
    # The dev freeze first: another rule has just read it.
    sets = sorted(standing.file.sets.values(), key=lambda one: one.role != "dev_freeze")
    found = [_in_set(sealed, one, one.suite, standing) for one in sets if one.suite is not None]
    if standing.file.dev is None:
        found.append(unknown("the file names no dev freeze"))
    return together(found)


def _in_set(sealed: Commitment, one: FreezeSet, suite: Path, standing: Standing) -> Finding:
    """Return what the sealed freeze shares with a set; a sealed run compares texts where ids are missing."""
    is_dev = one.role == "dev_freeze"
    try:
        paths = paths_of(suite, standing.kinds)
        is_untold = sealed.split_key == "template_id" and not paths["provenance"]
        if is_dev and is_untold:
            return unknown(f"set {one.key} has no provenance sidecar, which says the template of each row")
        if not is_dev and (is_untold or not paths["records"]):  # a suite of cases has no rows
            return PASS
        found = kept_commitment(suite, standing.kinds, split_key=sealed.split_key, root=standing.root)
    except Fault as fault:
        return fail(f"set {one.key}: {fault}")
    return _shared(sealed, found.templates, f"set {one.key}")


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
    if commitment.split_key != sealed.split_key:
        return fail(
            f"the commitment to the sealed freeze is by {commitment.split_key}, and set {sealed.key} says"
            f" {sealed.split_key}: commit again (pii-eval freeze commit --split-key {sealed.split_key})"
        )
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
    shared = len({*sealed.templates}.intersection(found))
    if not shared:
        return PASS
    all_of_them = f"{len(sealed.templates):,} {_WORDS[sealed.split_key]} of the sealed freeze"
    return fail(f"{shared:,} of {all_of_them} are in {where}: a score on them decides nothing; replace them")
