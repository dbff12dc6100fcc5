"""What the labels of a slice can support: open-world figures, or only what is said about labelled spans."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pytest_pii_eval.scoring.metric import Reason


class Labels(NamedTuple):
    """The strength of a slice's evidence.

    `independent`: not weak structured labels. `exhaustive`: everything in the scope is annotated.
    `covering`: the annotated regions are the whole scanned view. `cataloged`: every gold span says
    whether the bank knows it. `identified`: predictions carry the identity of a bank's pattern.
    """

    independent: bool = True
    exhaustive: bool = True
    covering: bool = True
    cataloged: bool = True
    identified: bool = True

    def limit(self) -> Reason | None:
        """Return why the labels support no open-world figure, or `None` where they do."""
        if not self.independent:
            return "structured_weak_labels"
        if not self.exhaustive:
            return "partial_annotation"
        if not self.covering:
            return "regions_do_not_cover_view"
        return None
