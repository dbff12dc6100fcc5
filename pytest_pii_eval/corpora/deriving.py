"""From drafts to the lines of a suite: labels become types, ids opaque, and what does not fit is counted."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple, final, get_args

from pytest_pii_eval.contracts.canonical import sha256
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.identifiers import OPAQUE_ID_PATTERN
from pytest_pii_eval.contracts.places import Places
from pytest_pii_eval.contracts.quality_model import MAX_GOLD, SplitRole
from pytest_pii_eval.corpora.draft import Reason, Unfit, UnfitRow
from pytest_pii_eval.corpora.fitting import checked_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pytest_pii_eval.corpora.draft import Draft
    from pytest_pii_eval.corpora.recipe import Recipe

TEXT_VIEW: Final = "corpus_text"
"""The view of every prepared document: the text of its row as it stands."""

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_CONTROLS: Final = bytes(range(0x20))
_SHORT: Final = 24
_opaque = re.compile(OPAQUE_ID_PATTERN.removesuffix("$")).fullmatch
# What `opaque` makes of other names stands for those alone.
_kept = re.compile(
    rf"(?![dt]-[0-9a-f]{{{_SHORT}}}\Z){OPAQUE_ID_PATTERN.removeprefix('^').removesuffix('$')}"
).fullmatch
_REASONS: Final = frozenset(get_args(Reason))
_ROLES: Final = frozenset(get_args(SplitRole))
_KEPT: Final = 1000
"""Unknown labels that are remembered: more are no labels."""


class Document(NamedTuple):
    """One document that fits: opaque ids, and spans by start with types (code points, half-open)."""

    document_id: str
    template_id: str
    role: str
    text: str
    spans: tuple[tuple[int, int, str], ...]


@final
class Deriver:
    """Turns the drafts of one corpus into documents, and keeps count; one pass, in the order of the corpus.

    `quarantine` hears of each row that is left out, beside its being counted.
    """

    def __init__(self, recipe: Recipe, quarantine: Callable[[Unfit], None] = lambda _: None) -> None:
        self._recipe = recipe
        self._quarantine = quarantine
        self._ids = Places(kept=None)  # each repetition is told at once
        self.rows = 0
        self.quarantined: Counter[str] = Counter()
        self.excluded = 0
        self.notes: Counter[str] = Counter()
        self.unknown: Counter[str] = Counter()

    def documents(self, drafts: Iterable[Draft | Unfit]) -> Iterator[Document]:
        """Yield the documents.

        Raises `Fault` where the pin asks for templates and a draft has none, and where an adapter uses words
        that are not those of its contract: they would be printed.
        """
        for draft in drafts:
            self.rows += 1
            if isinstance(draft, Unfit):
                self._leave_out(draft)
                continue
            try:
                yield self._document(draft)
            except UnfitRow as unfit:
                self._leave_out(Unfit(draft.row, unfit.reason))

    def _document(self, draft: Draft) -> Document:
        text = checked_text(draft.text)
        document_id = opaque(draft.document_id, "d")
        spans = tuple(sorted(self._typed(draft, len(text))))
        if len(spans) > 1 and len(set(spans)) != len(spans):  # two labels may be one type
            raise UnfitRow("repeated_span")
        if self._ids.add(document_id, ("", draft.row)) is not None:
            raise UnfitRow("repeated_document")
        self.excluded += len(draft.spans) - len(spans)
        if draft.notes:
            self._note(draft.notes)
        return Document(document_id, self._template(draft, document_id), self._role(draft), text, spans)

    def _template(self, draft: Draft, document_id: str) -> str:
        pin = self._recipe.pin
        if pin.split_key == "document_id":
            return document_id
        if draft.template_id is None:
            raise Fault("gives no template id; let split_key be document_id", field=f"corpora.{pin.key}")
        return opaque(draft.template_id, "t")

    def _role(self, draft: Draft) -> str:
        role = draft.role or self._recipe.pin.split_role
        if role not in _ROLES:
            raise self._foreign("a split role that there is not")
        return role

    def _note(self, notes: Iterable[tuple[str, int]]) -> None:
        for name, number in notes:
            if not _opaque(name):
                raise self._foreign("a note whose name is no identifier")
            self.notes[name] += number

    def _typed(self, draft: Draft, length: int) -> list[tuple[int, int, str]]:
        """Return the spans with types, those of excluded labels left out; refuses unknown labels."""
        if len(draft.spans) > MAX_GOLD:
            raise UnfitRow("too_many_spans")
        labels, excluded = self._recipe.labels, self._recipe.pin.excluded_labels
        typed = []
        known = True
        for start, end, label in draft.spans:
            if not (type(start) is int and type(end) is int):
                raise UnfitRow("offset_not_integer")
            if type(label) is not str:
                raise UnfitRow("spans_not_readable")
            if not 0 <= start < end <= length:
                raise UnfitRow("empty_span" if start == end else "offset_outside_text")
            type_ = labels.get(label)
            if type_ is not None:
                typed.append((start, end, type_))
            elif label not in excluded:
                known = False
                if label in self.unknown or len(self.unknown) < _KEPT:
                    self.unknown[label] += 1
        if not known:
            raise UnfitRow("unknown_label")
        return typed

    def _leave_out(self, unfit: Unfit) -> None:
        if unfit.reason not in _REASONS:
            raise self._foreign("a reason that there is not")
        self.quarantined[unfit.reason] += 1
        self._quarantine(unfit)

    def _foreign(self, what: str) -> Fault:
        return Fault(f"its adapter gives {what}", field=f"corpora.{self._recipe.pin.key}.adapter")


def opaque(name: str, prefix: str) -> str:
    """Return `name` where it is an opaque id, else `prefix` and a digest of it.

    What looks like such a digest is digested too, so two names never become one.
    """
    if _kept(name):
        return name
    return f"{prefix}-{sha256(name.encode('utf-8', 'surrogatepass'))[7 : 7 + _SHORT]}"


# The two lines below are written by hand: every word in them but the text is an opaque id, which needs no
# escapes, and the encoder takes more than half of a row's time.


def record_line(document: Document, slice_ids: list[str]) -> bytes:
    """Return the record of a document as a line of JSON; nothing of it is cataloged."""
    document_id, _, role, text, spans = document
    gold = ",".join(
        [
            f'{{"document_id":"{document_id}","entity_class":"{type_}","start":{start},"end":{end},'
            '"catalog_identity":null}'
            for start, end, type_ in spans
        ]
    )
    slices = '","'.join(slice_ids)
    head = f'{{"document":{{"document_id":"{document_id}","text":'
    view = f',"text_view":"{TEXT_VIEW}","split_role":"{role}"}},'
    tail = f'{view}"gold_spans":[{gold}],"slice_ids":["{slices}"]}}\n'
    return b"".join((head.encode(), _quoted(text), tail.encode()))


def _quoted(text: str) -> bytes:
    """Return `text` as a string of JSON, as the encoder writes it, in a third of its time."""
    payload = text.encode()
    if b"\\" in payload:
        payload = payload.replace(b"\\", b"\\\\")
    payload = payload.replace(b'"', b'\\"').replace(b"\n", b"\\n")
    if len(payload.translate(None, _CONTROLS)) != len(payload):
        return _encode(text).encode()
    return b'"%b"' % payload


def provenance_line(document: Document, corpus: str) -> bytes:
    """Return corpus and template of a document as a line of JSON."""
    return (
        f'{{"document_id":"{document.document_id}","source_corpus":"{corpus}",'
        f'"template_id":"{document.template_id}"}}\n'
    ).encode()


def text_line(document: Document) -> bytes:
    """Return a document without its labels as a line of JSON."""
    row = {"document_id": document.document_id, "split_role": document.role, "text": document.text}
    return f"{_encode(row)}\n".encode()


def labels_line(document: Document) -> bytes:
    """Return the labels of a document without its text as a line of JSON."""
    spans = [{"entity_class": type_, "start": start, "end": end} for start, end, type_ in document.spans]
    row = {"document_id": document.document_id, "split_role": document.role, "spans": spans}
    return f"{_encode(row)}\n".encode()


def plain_line(row: object) -> bytes:
    """Return any row as a line of JSON."""
    return f"{_encode(row)}\n".encode()
