"""Running an adapter that is not ours: what it prints or raises may be text, so that goes nowhere."""

from __future__ import annotations

from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, TypeVar, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.draft import Draft, Unfit
from pytest_pii_eval.silence import Silence
from pytest_pii_eval.withheld import withheld

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_pii_eval.contracts.offsets import OffsetUnit
    from pytest_pii_eval.corpora.draft import CorpusAdapter

_END: Any = object()
_SEVERAL = (tuple, list)
_Result = TypeVar("_Result")


def quietly(
    action: Callable[[], _Result],
    told: Callable[[BaseException], str] = withheld,
    silence: Silence | None = None,
) -> _Result:
    """Return what `action`, a stranger's, returns, and drop what it prints, logs or warns.

    Raises `Fault` in the words of `told`, whatever the action raises, an exit and a `Fault` of its own
    included; an interrupt is raised anew, without the frames and the words that it came with.
    """
    if silence is None:
        with closing(Silence()) as fresh:
            return quietly(action, told, fresh)
    failure: BaseException
    try:
        with silence:
            return action()
    except KeyboardInterrupt:
        silence.lift()  # it may have come while the outputs were swapped
        failure = KeyboardInterrupt()
    except BaseException as error:  # noqa: BLE001  # a stranger's code; its text may hold anything
        failure = Fault(told(error))
    raise failure


@final
class Hushed:
    """An adapter that reads as another does, prints nothing while it does, and keeps to its contract.

    What it says of itself is read once. A progress bar that was made before goes on between the rows.
    """

    def __init__(self, adapter: CorpusAdapter) -> None:
        self._adapter = adapter
        self.name: str = adapter.name
        self.version: str = adapter.version
        self.offset_unit: OffsetUnit = adapter.offset_unit
        self.policy: str = adapter.policy
        if hasattr(adapter, "keeps_labels_apart"):
            self.keeps_labels_apart = bool(adapter.keeps_labels_apart)
        if hasattr(adapter, "not_promotable"):
            self.not_promotable = adapter.not_promotable
        if hasattr(adapter, "roles"):
            self.roles = adapter.roles

    def read(self, path: Path) -> Iterator[Draft | Unfit]:
        """Yield what the adapter yields; raises `Fault` where it fails, or yields what is no row."""
        with closing(Silence()) as silence:
            drafts = quietly(lambda: iter(self._adapter.read(path)), silence=silence)
            try:
                while True:
                    draft = quietly(lambda: next(drafts, _END), silence=silence)
                    if draft is _END:  # not None: an adapter that yields one must not end the corpus
                        return
                    yield self._checked(draft)
            finally:
                close = getattr(drafts, "close", None)
                if close is not None:
                    with suppress(Fault):  # what it does at its end is no part of the corpus
                        quietly(close, silence=silence)

    def _checked(self, draft: object) -> Draft | Unfit:
        if not _is_row(draft):
            rule = "it yields a row that is no Draft or Unfit, or one with a field of another type"
            raise Fault(f"the adapter {self.name} breaks its contract: {rule}")
        return draft  # type: ignore[return-value]  # seen above


def _is_row(draft: object) -> bool:
    """Whether what is printed of a row, or made into ids, has the types that are promised."""
    if type(draft) is Unfit:
        return type(draft.row) is int and draft.row > 0 and type(draft.reason) is str
    return (
        type(draft) is Draft
        and type(draft.row) is int
        and draft.row > 0
        and type(draft.document_id) is str
        and type(draft.spans) in _SEVERAL
        and (draft.template_id is None or type(draft.template_id) is str)
        and (draft.role is None or type(draft.role) is str)
        and type(draft.notes) in _SEVERAL
    )
