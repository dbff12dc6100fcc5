"""Reads tokens with tags, from the columns of CoNLL or from rows with lists; `tags` says what tags mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.contracts.files import open_input
from pytest_pii_eval.corpora.conll import Columns, Tokens, read_conll
from pytest_pii_eval.corpora.draft import Draft, Unfit, UnfitRow
from pytest_pii_eval.corpora.fields import Ids, field
from pytest_pii_eval.corpora.fitting import fitted
from pytest_pii_eval.corpora.options import one_of, refuse_options, whole
from pytest_pii_eval.corpora.rows import FORMAT_NAMES, rows
from pytest_pii_eval.corpora.rowwise import drafted
from pytest_pii_eval.corpora.tags import SCHEMES, chunks
from pytest_pii_eval.corpora.tokens import flags, joined, laid_out, standing, texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from pytest_pii_eval.contracts.offsets import OffsetUnit
    from pytest_pii_eval.corpora.draft import Labelled
    from pytest_pii_eval.corpora.tokens import Layout

_CONLL: Final = "conll"
_COLUMNS: Final = "columns"
_LAST: Final = "last"
_WHITE: Final = "trailing_whitespaces"


@final
class BioAdapter:
    """Reads documents that are tokens with a tag each.

    `shape` is `conll` or `columns`; `scheme` is `bio` (default), `bioes` or `io`. Offsets follow from how the
    tokens are laid out. A tag that its scheme does not allow where it stands quarantines the document, and
    so do lists of different length: nothing is repaired.

    `conll` is UTF-8 text with a token and its tag a line; a blank line or a `-DOCSTART-` line ends a
    document. Options `token` (1 where not given) and `tag` (`last`) are columns counted from 1. Such files
    have lost the white space of their texts: the tokens are joined by one blank, so these are not
    the texts that people wrote. Its documents are numbered by the line of their first token.

    `columns` is rows (JSON Lines, a JSON array, Parquet) with lists; options `tokens`, `tags` and
    `trailing_whitespaces` name them, where they are called otherwise. With white space (a list of true and
    false) the text is rebuilt exactly; a row that has none is joined by one blank, unless the option was
    given. Options `document_id` and `template_id` name columns of ids; without, rows are numbered. `format`
    says what rows they are, where the end of the file's name does not.
    """

    name = "bio"
    version = "1"
    offset_unit: OffsetUnit = "codepoint"
    policy = "a span goes from the start of its first token to the end of its last"

    def __init__(  # noqa: PLR0913  # the options of a pin
        self,
        *,
        shape: str,
        scheme: str = "bio",
        token: str | None = None,
        tag: str | None = None,
        tokens: str | None = None,
        tags: str | None = None,
        trailing_whitespaces: str | None = None,
        document_id: str | None = None,
        template_id: str | None = None,
        format: str | None = None,  # noqa: A002  # the word that pins use
    ) -> None:
        lines = {"token": token, "tag": tag}
        lists = {"tokens": tokens, "tags": tags, _WHITE: trailing_whitespaces}
        ids = {"document_id": document_id, "template_id": template_id}
        self._scheme = one_of("scheme", scheme, SCHEMES)
        self._conll = one_of("shape", shape, (_CONLL, _COLUMNS)) == _CONLL
        unused = {**lists, **ids, "format": format} if self._conll else lines
        refuse_options(unused, f"the shape {shape}")
        self._lines = Columns(_column("token", token or "1"), _column("tag", tag or _LAST))
        self._tokens, self._tags, self._white = tokens or "tokens", tags or "tags", trailing_whitespaces
        self._ids = Ids(document_id, template_id)
        self._format = None if format is None else one_of("format", format, FORMAT_NAMES)

    def read(self, path: Path) -> Iterator[Draft | Unfit]:
        """Yield one draft a document."""
        if self._conll:
            return self._read_lines(path)
        # Where white space is optional, a Parquet file may or may not have a column for it: all are read.
        wanted = None if self._white is None else [self._tokens, self._tags, self._white, *self._ids.named()]
        return drafted(rows(path, columns=wanted, format=self._format), self._of_lists)

    def _read_lines(self, path: Path) -> Iterator[Draft | Unfit]:
        with open_input(path) as handle:
            for document in read_conll(handle, self._lines, file=path.name):
                yield document if isinstance(document, Unfit) else self._of_lines(document)

    def _of_lines(self, document: Tokens) -> Draft | Unfit:
        line, tokens, tags = document
        try:
            layout = joined(tokens)
            return Draft(line, str(line), layout.text, self._spans(layout, tags))
        except UnfitRow as unfit:
            return Unfit(line, unfit.reason)

    def _of_lists(self, number: int, row: Mapping[str, object]) -> Draft:
        tokens = texts(field(row, self._tokens))
        layout = self._layout(row, tokens)
        spans = self._spans(layout, field(row, self._tags))
        document_id, template_id = self._ids.of_document(row, number), self._ids.of_template(row)
        return Draft(number, document_id, layout.text, spans, template_id)

    def _layout(self, row: Mapping[str, object], tokens: Sequence[str]) -> Layout:
        if self._white is None and row.get(_WHITE) is None:
            return joined(tokens)
        return laid_out(tokens, flags(field(row, self._white or _WHITE)))

    def _spans(self, layout: Layout, tags: object) -> tuple[Labelled, ...]:
        if type(tags) is not list or len(tags) != len(layout.ranges):
            raise UnfitRow("bad_tag")
        return fitted(layout.text, standing(layout, chunks(tags, self._scheme)))


def _column(option: str, value: str) -> int:
    return -1 if value == _LAST else whole(option, value, least=1) - 1
