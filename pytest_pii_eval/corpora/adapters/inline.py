"""Reads text with its labels tagged inside it, from rows or a plain file; `markers` says what a tag is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.files import read_input
from pytest_pii_eval.contracts.quality_model import MAX_TEXT_BYTES
from pytest_pii_eval.contracts.strict_json import refuse_foreign_start
from pytest_pii_eval.corpora.draft import Draft, UnfitRow
from pytest_pii_eval.corpora.fields import Ids, field
from pytest_pii_eval.corpora.fitting import Given, fitted
from pytest_pii_eval.corpora.markers import NAME, angles, brackets, taken_out, trimmed
from pytest_pii_eval.corpora.options import names_of, one_of, refuse_options
from pytest_pii_eval.corpora.rows import FORMAT_NAMES, rows
from pytest_pii_eval.corpora.rowwise import drafted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pytest_pii_eval.contracts.offsets import OffsetUnit
    from pytest_pii_eval.corpora.draft import Unfit
    from pytest_pii_eval.corpora.markers import Form

_MAX_MARKED_BYTES: Final = 2 * MAX_TEXT_BYTES
"""What a plain file may hold: a text of the greatest size, and as much again for its markers."""

_PLAIN: Final = ".txt"
_TEXT: Final = "text"


@final
class InlineAdapter:
    """Reads text in which every label is marked where it stands; the markers are taken out, nothing else is.

    `tags` is `xml` or `brackets`. `xml` needs `names`, joined by a plus sign: exactly `<name>` and `</name>`
    of these are markers, all other angle brackets are text. `brackets` is `[[NAME|surface]]`, of any name or
    of `names`. The label is the name. Markers neither nest nor overlap, and what looks like one and is none
    quarantines the document.

    `trim` is `none` (default: the span is all that stood between the markers) or `white` (without the Unicode
    white space at its two ends). A span of nothing but white space fits neither.

    The file is rows (JSON Lines, a JSON array, Parquet). The option `text` names the column of marked text,
    `text` where it is not given; `document_id` and `template_id` name columns of ids; without, rows are
    numbered. `format` says what rows they are, where the end of the file's name does not. A file that ends
    in `.txt` is one document, UTF-8 without byte order mark, its line ends kept.
    """

    name = "inline"
    version = "1"
    offset_unit: OffsetUnit = "codepoint"

    def __init__(  # noqa: PLR0913  # the options of a pin
        self,
        *,
        tags: str,
        names: str | None = None,
        trim: str = "none",
        text: str | None = None,
        document_id: str | None = None,
        template_id: str | None = None,
        format: str | None = None,  # noqa: A002  # the word that pins use
    ) -> None:
        self._form = _form(tags, names)
        self._trim = one_of("trim", trim, ("none", "white")) == "white"
        self._text, self._ids = text, Ids(document_id, template_id)
        self._format = None if format is None else one_of("format", format, FORMAT_NAMES)
        ends = "without the white space at its two ends" if self._trim else "white space included"
        self.policy = f"a span is what stood between two exact markers, {ends}"

    def read(self, path: Path) -> Iterator[Draft | Unfit]:
        """Yield one draft a row; raises `Fault` where a plain file is no UTF-8 text, or too long."""
        if self._format is None and path.suffix.lower() == _PLAIN:
            refuse_options({"text": self._text, **_options(self._ids)}, "a plain file")
            return drafted([(1, {_TEXT: _plain_text(path)})], self._draft)
        wanted = [self._text or _TEXT, *self._ids.named()]
        return drafted(rows(path, columns=wanted, format=self._format), self._draft)

    def _draft(self, number: int, row: Mapping[str, object]) -> Draft:
        marked = field(row, self._text or _TEXT)
        if type(marked) is not str:
            raise UnfitRow("text_not_string")
        text, spans = taken_out(marked, self._form)
        if self._trim:
            spans = trimmed(text, spans)
        if any(text[start:end].isspace() for start, end, _ in spans):
            raise UnfitRow("empty_span")
        fit = fitted(text, [Given(*span) for span in spans])
        return Draft(number, self._ids.of_document(row, number), text, fit, self._ids.of_template(row))


def _options(ids: Ids) -> dict[str, str | None]:
    return {"document_id": ids.document, "template_id": ids.template}


def _form(tags: str, names: str | None) -> Form:
    xml = one_of("tags", tags, ("xml", "brackets")) == "xml"
    if xml and names is None:
        raise Fault(
            "is needed with tags xml: the names of the tags, joined by a plus sign", field="options.names"
        )
    parsed = () if names is None else names_of("names", names, NAME)
    return angles(parsed) if xml else brackets(parsed)


def _plain_text(path: Path) -> str:
    payload = read_input(path, limit=_MAX_MARKED_BYTES)
    try:
        refuse_foreign_start(payload)
        return payload.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Fault(f"not UTF-8 at byte {error.start:,}", file=path.name) from None
    except Fault as fault:
        raise fault.at(file=path.name) from None
