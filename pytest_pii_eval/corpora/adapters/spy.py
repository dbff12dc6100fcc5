"""Reads SPY, whose texts hold placeholders: fills them with seeded values and says where these stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.corpora.adapters.spy_values import FILL, TYPES, faker_of_version, profile
from pytest_pii_eval.corpora.draft import Draft, UnfitRow
from pytest_pii_eval.corpora.fields import field
from pytest_pii_eval.corpora.fitting import fitted
from pytest_pii_eval.corpora.options import named, whole
from pytest_pii_eval.corpora.rows import rows
from pytest_pii_eval.corpora.rowwise import drafted
from pytest_pii_eval.corpora.tags import OUTSIDE, Chunk
from pytest_pii_eval.corpora.tokens import flags, laid_out, standing, texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from pytest_pii_eval.contracts.offsets import OffsetUnit
    from pytest_pii_eval.corpora.draft import Unfit

_WHITE: Final = "trailing_whitespaces"
_WHITE_IN_README: Final = "trailing_whitespace"
_PLACEHOLDERS: Final = {f"B-{label}": label for label in TYPES}


@final
class SpyAdapter:
    """Reads the placeholder files of LogicZMaksimka/SPY_Dataset (JSON Lines).

    A row has `tokens`, `trailing_whitespaces` (its README writes `trailing_whitespace`, which is read where
    the first is absent) and `ent_tags`; `labels` is not read. Each token tagged `B-TYPE` is replaced by the
    words of a value of that type, the same value wherever the type comes in the row, with blanks between
    them and the token's own white space after the last. `O` tokens stay; any other tag quarantines the row.

    Options: `seed` and `faker`, the exact Faker version: both decide the values and are part of `version`.
    The corpus's own loader shuffles without a seed, so that scores made with it cannot be made again; this
    filling has its own name and its own versions. The template of a document is the hash of its placeholder
    tokens, so that two fillings of one row are in one group.
    """

    name = "spy"
    offset_unit: OffsetUnit = "codepoint"
    policy = "a span is the words of a filled-in value, without the white space after the last"

    def __init__(self, *, seed: str, faker: str) -> None:
        self._seed = whole("seed", seed)
        self._faker = named("faker", faker, r"[0-9]+(\.[0-9]+){1,3}")
        self.version = f"{FILL}+faker-{faker}+seed-{seed}"

    def read(self, path: Path) -> Iterator[Draft | Unfit]:
        """Yield one draft a row; raises `Fault` where another version of Faker is installed."""
        fake = faker_of_version(self._faker)
        return drafted(rows(path), lambda number, row: _draft(number, row, profile(fake, self._seed, number)))


def _draft(number: int, row: Mapping[str, object], values: Mapping[str, Sequence[str]]) -> Draft:
    tokens, tags = texts(field(row, "tokens")), texts(field(row, "ent_tags"))
    trailing = flags(field(row, _WHITE if _WHITE in row else _WHITE_IN_README))
    if not len(tokens) == len(tags) == len(trailing):
        raise UnfitRow("bad_tag")
    words: list[str] = []
    blanks: list[bool] = []
    chunks: list[Chunk] = []
    for token, tag, blank in zip(tokens, tags, trailing, strict=True):
        given = [token] if tag == OUTSIDE else values[_placeholder(tag)]
        if tag != OUTSIDE:
            chunks.append(Chunk(len(words), len(words) + len(given), _placeholder(tag)))
        words += given
        blanks += [True] * (len(given) - 1) + [blank]
    layout = laid_out(words, blanks)
    spans = fitted(layout.text, standing(layout, chunks))
    return Draft(number, str(number), layout.text, spans, template_id=fingerprint(tokens))


def _placeholder(tag: str) -> str:
    if tag not in _PLACEHOLDERS:
        raise UnfitRow("placeholder_unknown")
    return _PLACEHOLDERS[tag]
