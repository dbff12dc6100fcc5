"""What an adapter makes of a row of a corpus: a draft of a document, or the reason why it is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_pii_eval.contracts.offsets import OffsetUnit

Reason = Literal[
    "annotator_missing",
    "bad_tag",
    "discontinuous",
    "empty_span",
    "field_missing",
    "lone_surrogate",
    "not_accepted",
    "offset_inside_character",
    "offset_not_integer",
    "offset_outside_text",
    "offsets_in_another_unit",
    "overlapping_tags",
    "placeholder_unknown",
    "repeated_document",
    "repeated_span",
    "row_not_readable",
    "spans_not_readable",
    "tag_like_text",
    "text_not_string",
    "text_too_long",
    "too_many_spans",
    "unbalanced_tags",
    "unknown_label",
    "value_ambiguous",
    "value_differs",
    "value_not_found",
]
"""Why a row is quarantined; the words are printed, so they are a closed list and hold nothing of a row."""

Labelled: TypeAlias = tuple[int, int, str]
"""`(start, end, label)`: code points, half-open, and the label in the corpus's own words."""


class Draft(NamedTuple):
    """One document as its corpus has it, with valid spans in code points and the corpus's own labels.

    `row` counts from 1: the line of a file of lines, else the ordinal of the row or document. Ids are the
    corpus's own and need not be opaque. `template_id` None: the text has a template of its own. `role` None:
    the corpus does not split, and the pin says which role it has. `notes` counts what the adapter wants the
    receipt to tell, by an identifier of its own.
    """

    row: int
    document_id: str
    text: str
    spans: tuple[Labelled, ...]
    template_id: str | None = None
    role: Literal["train", "validation", "test"] | None = None
    notes: tuple[tuple[str, int], ...] = ()


class Unfit(NamedTuple):
    """A row that does not fit: it is quarantined and counted by its reason."""

    row: int
    reason: Reason


class UnfitRow(Exception):
    """Raised inside an adapter where a row does not fit; never leaves it."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Final[Reason] = reason


@runtime_checkable
class CorpusAdapter(Protocol):
    """Reads one corpus format; a small class that is called with its options as keyword arguments of text.

    `read` yields a `Draft` or an `Unfit` a row, in the order of the file, in bounded memory, equal on every
    run. It raises `Fault`, with the file's name and a line where there is one, only where the file as a whole
    cannot be read. It opens `path` with `contracts.files.open_input` alone, and repairs nothing.

    `offset_unit` is what the corpus counts in. `version` changes whenever equal bytes give other drafts.
    `policy` says in a sentence where its spans start and end. Optional, looked up by name:
    `keeps_labels_apart` (true: documents and labels of every role are kept in two files beside the records),
    `not_promotable` (the reason code why records of it never decide a promotion), `roles` (the split roles
    that a pin may ask for; all, without it), `read_payload(payload, file)` (reads the bytes of a small file
    instead of its path, so that what is parsed is what was hashed).
    """

    name: str
    version: str
    offset_unit: OffsetUnit
    policy: str

    def read(self, path: Path) -> Iterator[Draft | Unfit]:
        """Yield what each row of the file at `path` gives."""
