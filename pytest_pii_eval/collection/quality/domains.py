"""Whether a slice is in domain: the subject's card, or the pin of the corpus, lists where it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_pii_eval.collection.corpora.corpus import SubjectNames, bare

if TYPE_CHECKING:
    from pytest_pii_eval.collection.quality.directory import QualityDirectory
    from pytest_pii_eval.collection.suite import Suite

_NOTHING: Final[frozenset[str]] = frozenset()


def names_of_subject(suite: Suite) -> SubjectNames:
    """Return what a pin or a card may call the detector; predictions do not say which model made them."""
    facts = suite.subject().facts()
    model = dict(suite.settings.detector_options).get("model")
    names = frozenset(name for name in (facts["name"], suite.settings.detector, model) if name)
    return SubjectNames(names, complete=not facts.get("replayed"))


def card_of(suite: Suite, names: SubjectNames) -> frozenset[str] | None:
    """Return the corpora that the subject trained on, bare names; None where nobody says. A bank has none."""
    if suite.subject().kind == "bank":
        return _NOTHING
    file = suite.freezes
    if file is None:
        return None
    known = {bare(name) for name in names.names}
    cards = [corpora for name, corpora in file.cards.items() if bare(name) in known]
    return frozenset(map(bare, _NOTHING.union(*cards))) if cards else None


def is_in_domain(
    directory: QualityDirectory, slice_id: str, names: SubjectNames, card: frozenset[str] | None
) -> bool | None:
    """Return whether the subject trained on where the slice comes from; None where nobody can tell."""
    corpus = directory.corpus
    if corpus is not None:
        listed = card is not None and bare(corpus.pin.key) in card
        trained = corpus.trained(names)
        if listed or trained:
            return True
        return trained if card is not None or directory.membership.file is None else None
    if card is None or directory.origins is None:
        return None
    sources = directory.origins.corpora.get(slice_id)
    if not sources:
        return None
    return not card.isdisjoint(bare(part) for source in sources for part in source.split("+"))
