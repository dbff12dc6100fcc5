"""One pass over the inputs of an import: documents under ids of one space, and what is counted of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.corpora.counting import Census
from pytest_pii_eval.corpora.deriving import Deriver
from pytest_pii_eval.corpora.draft import Unfit

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from pytest_pii_eval.corpora.counting import Counts
    from pytest_pii_eval.corpora.deriving import Document
    from pytest_pii_eval.corpora.draft import Draft
    from pytest_pii_eval.corpora.recipe import Recipe

_KEPT: Final = 10_000
"""Labels that are remembered: more are no labels."""


@final
class Reading:
    """Reads the inputs once; `left_out` hears the name of the file of each row that does not fit.

    Of several inputs each has ids of its own: documents are numbered in both, or have the same name in both.
    A template's id means the same in all of them; a document without one is its own template.
    """

    def __init__(
        self,
        recipe: Recipe,
        inputs: Sequence[Path],
        left_out: Callable[[str, Unfit], None] = lambda _name, _unfit: None,
    ) -> None:
        self._recipe = recipe
        self._inputs = inputs
        self._name = ""
        self._deriver = Deriver(recipe, lambda unfit: left_out(self._name, unfit))
        self._census = Census(recipe.pin.split_role)
        self.seen: set[str] = set()

    @property
    def unknown(self) -> Counter[str]:
        """Labels that are no type and in no map, by how many spans have them."""
        return self._deriver.unknown

    @property
    def rows(self) -> int:
        """How many rows were read so far."""
        return self._deriver.rows

    def documents(self) -> Iterator[Document]:
        """Yield the documents of the role that is asked for."""
        return filter(self._census.take, self._deriver.documents(self._drafts()))

    def counts(self) -> Counts:
        """Return what was counted so far."""
        return self._census.counts(self._deriver)

    def _drafts(self) -> Iterator[Draft | Unfit]:
        several = len(self._inputs) > 1
        for number, path in enumerate(self._inputs, 1):
            self._name = path.name
            for draft in self._recipe.adapter.read(path):
                yield draft if isinstance(draft, Unfit) else self._placed(draft, number if several else None)

    def _placed(self, draft: Draft, number: int | None) -> Draft:
        if len(self.seen) < _KEPT:
            self.seen.update([label for _, _, label in draft.spans if type(label) is str])
        document_id = draft.document_id if number is None else f"{number}.{draft.document_id}"
        template = document_id if draft.template_id is None else draft.template_id
        return draft._replace(document_id=document_id, template_id=template)
