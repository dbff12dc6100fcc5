"""The files of an imported suite: records beside provenance, the plan, the taxonomy; the receipt of them."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.contracts.files import read_input
from pytest_pii_eval.contracts.yaml_file import MAX_FILE_BYTES
from pytest_pii_eval.corpora.counting import receipt_of
from pytest_pii_eval.corpora.deriving import plain_line, provenance_line, record_line
from pytest_pii_eval.corpora.files import PROVENANCE, RECORDS, SLICES, HashedFile, written

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pytest_pii_eval.corpora.counting import Counts
    from pytest_pii_eval.corpora.deriving import Document
    from pytest_pii_eval.corpora.files import Target
    from pytest_pii_eval.corpora.import_plan import ImportPlan
    from pytest_pii_eval.corpora.receipt import Committed, Receipt
    from pytest_pii_eval.corpora.recipe import Recipe

SUITE: Final = "suite.yaml"

NOT_PROMOTABLE: Final = "imported_data"
"""Why records of an import never decide a promotion, unless their adapter knows a better reason."""


@final
class Writing:
    """Writes the files of one suite to `target`, each of its methods once, and keeps their commitments."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._files: dict[str, Committed] = {}

    def documents(self, documents: Iterable[Document], plan: ImportPlan, corpus: str) -> None:
        """Write the records of `documents`, and the provenance that says they come from `corpus`."""
        with ExitStack() as stack:
            records = HashedFile(stack.enter_context(self._target.open(RECORDS)))
            provenance = HashedFile(stack.enter_context(self._target.open(PROVENANCE)))
            for document in documents:
                records.write(record_line(document, plan.with_gold if document.spans else plan.without_gold))
                provenance.write(provenance_line(document, corpus))
            records.flush()
            provenance.flush()
        self._files |= {RECORDS: records.committed(), PROVENANCE: provenance.committed()}

    def plan(self, plan: ImportPlan) -> None:
        """Write the slices."""
        self._write(SLICES, map(plain_line, plan.rows))

    def taxonomy(self, path: Path) -> None:
        """Copy the taxonomy at `path`, and write the suite file that names the copy; raises `Fault`."""
        name = "taxonomy.json" if path.suffix == ".json" else "taxonomy.yaml"
        payload = read_input(path, limit=MAX_FILE_BYTES)
        self._write(name, [payload])
        self._write(SUITE, [f"taxonomy: {name}\n".encode()])

    def receipt(self, recipe: Recipe, found: Committed, counts: Counts) -> Receipt:
        """Return the receipt of all that was written."""
        reason = getattr(recipe.adapter, "not_promotable", NOT_PROMOTABLE)
        return receipt_of(recipe, found, counts, self._files, not_promotable=reason)

    def _write(self, name: str, lines: Iterable[bytes]) -> None:
        self._files[name] = written(self._target, name, lines)
