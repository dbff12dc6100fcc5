"""The contract of a redactor: a class to subclass, with one test for each way to mask or restore wrongly."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from pytest_pii_eval.detectors.placeholders import DEFAULT_PLACEHOLDER
from pytest_pii_eval.testing import redaction_texts as texts
from pytest_pii_eval.testing.redaction_checks import Redaction, Redactor, Trial
from pytest_pii_eval.testing.redaction_judging import NotJudged, judge, judge_drawn, judged, unless
from pytest_pii_eval.testing.redaction_series import (
    given_back_late,
    masked_twice,
    placeholders_of,
    silent_in_errors,
    steady,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hypothesis.strategies import SearchStrategy

    from pytest_pii_eval.detectors.protocol import Detector
    from pytest_pii_eval.testing.redaction_texts import Sample

__all__ = ["Redaction", "Redactor", "RedactorContract"]


class RedactorContract:
    """Subclass it as `Test…`, with a fixture `redactor`; each test that fails is named after its fault.

    The fixture `redactor` returns a `Redactor`. An optional fixture `detector` returns the `Detector` behind
    it: what is removed must then be what it protects. Failures tell counts and offsets, never a text.
    """

    identifiers: ClassVar[Sequence[tuple[str, str]]] = texts.IDENTIFIERS
    """Fake values, as (kind, value), that the redactor must mask wherever they stand between blanks."""

    placeholder: ClassVar[str] = DEFAULT_PLACEHOLDER
    """A regular expression (of `re`) for what the redactor puts in place of what it removes."""

    separator: ClassVar[str] = ","
    """What may stand alone between two identifiers so that both must still be masked."""

    long_text: ClassVar[int] = 200_000
    """The length of the long text, in code points."""

    examples: ClassVar[int] = 50
    """How many drawn texts a test adds to the fixed ones."""

    restores: ClassVar[bool] = True
    """Whether there is a `restore`; without it those tests are skipped."""

    reports_ranges: ClassVar[bool] = True
    """Whether `Redaction.ranges` is given; without it those tests are skipped, the others align the texts."""

    deterministic: ClassVar[bool] = True
    """Whether one text always has one masked text; without it only the removed ranges must be equal."""

    idempotent: ClassVar[bool] = False
    """Whether masking a masked text changes nothing."""

    @pytest.fixture
    def redactor(self) -> Any:
        """Return the redactor under test; each subclass has its own."""
        pytest.fail(f"{type(self).__name__} needs a fixture `redactor`", pytrace=False)

    @pytest.fixture
    def detector(self) -> Detector | None:
        """Return the detector behind the redactor, or None."""
        return None

    @judged
    def test_mask_gives_no_redaction(self, redactor: Redactor) -> None:
        """`mask` raises on a plain text, or returns something else than a `Redaction`."""
        judge(self._trial(redactor).answered, self._plain)

    @judged
    def test_kept_text_is_changed(self, redactor: Redactor) -> None:
        """Outside of placeholders the masked text is not the original; nor where nothing was planted."""
        trial = self._trial(redactor)
        samples = [*self._plain, *texts.without_identifiers()]
        unless((trial.answered, self._plain))
        judge(trial.kept, samples)

    @judged
    def test_unusual_characters_are_changed(self, redactor: Redactor) -> None:
        """The masked text is tidied up: line ends, blanks, forms of characters."""
        trial = self._trial(redactor)
        unless((trial.kept, self._plain))
        judge(trial.kept, self._unusual)
        judge_drawn(trial.kept, self._drawn, self.examples)

    @judged
    def test_characters_of_an_identifier_stay(self, redactor: Redactor) -> None:
        """A planted identifier is masked in part or not at all."""
        trial = self._trial(redactor)
        unless((trial.kept, self._plain))
        judge(trial.covered, self._plain)

    @judged
    def test_reported_ranges_are_not_those_removed(self, redactor: Redactor) -> None:
        """The ranges that `mask` reports are not those that the masked text lacks."""
        self._declared(reports_ranges=True)
        trial = self._trial(redactor)
        unless((trial.kept, self._plain))
        judge(trial.ranged, self._plain)

    @judged
    def test_removed_ranges_are_not_those_the_detector_protects(
        self, redactor: Redactor, detector: Detector | None
    ) -> None:
        """What is removed is more or less than what the detector behind it protects."""
        if detector is None:
            raise NotJudged("the class has no fixture `detector`")
        trial = self._trial(redactor)
        agreed = partial(trial.agreed, detector=detector)
        unless((trial.kept, [*self._plain, *self._unusual]))
        judge(agreed, [*self._plain, *self._unusual])

    @judged
    def test_a_repeated_identifier_stays(self, redactor: Redactor) -> None:
        """Of a value that occurs again, one occurrence is not masked."""
        self._judge_masking(redactor, texts.repeated(self.identifiers))

    @judged
    def test_an_adjacent_identifier_stays(self, redactor: Redactor) -> None:
        """Of two identifiers with only the separator between them, one is not masked whole."""
        self._judge_masking(redactor, texts.adjacent(self.identifiers, self.separator))

    @judged
    def test_a_longer_value_stays_around_another(self, redactor: Redactor) -> None:
        """A value is masked where it is part of a longer one, and the rest of that stays."""
        self._judge_masking(redactor, texts.nested(self.identifiers))

    @judged
    def test_an_identifier_stays_among_unusual_characters(self, redactor: Redactor) -> None:
        """The masking is shifted or left out behind emoji, combining marks, CRLF, NUL and the like."""
        trial = self._trial(redactor)
        unless((trial.covered, self._plain), (trial.kept, self._unusual))
        judge(trial.covered, self._unusual)
        judge_drawn(trial.covered, self._drawn, self.examples)

    @judged
    def test_reported_ranges_are_shifted_by_unusual_characters(self, redactor: Redactor) -> None:
        """The reported ranges count bytes or UTF-16 units, not code points."""
        self._declared(reports_ranges=True)
        trial = self._trial(redactor)
        unless((trial.ranged, self._plain), (trial.kept, self._unusual))
        judge(trial.ranged, self._unusual)
        judge_drawn(trial.ranged, self._drawn, self.examples)

    @judged
    def test_an_identifier_stays_in_a_long_text(self, redactor: Redactor) -> None:
        """An identifier far into a long line is not masked."""
        self._judge_masking(redactor, texts.long(self.identifiers, self.long_text))

    @judged
    def test_an_answer_depends_on_earlier_texts(self, redactor: Redactor) -> None:
        """The same text is masked in another way after other texts."""
        trial = self._trial(redactor)
        unless((trial.answered, self._plain))
        steady(trial, self._plain, deterministic=self.deterministic)

    @judged
    def test_a_masked_text_is_masked_again(self, redactor: Redactor) -> None:
        """Masking what is masked already changes it."""
        self._declared(idempotent=True)
        trial = self._trial(redactor)
        unless((trial.answered, self._plain))
        judge(partial(masked_twice, trial), self._plain)

    @judged
    def test_an_exception_holds_text(self, redactor: Redactor) -> None:
        """What is raised on bad input holds the input."""
        silent_in_errors(self._trial(redactor), self.identifiers, restores=self.restores)

    @judged
    def test_a_plain_text_is_not_restored(self, redactor: Redactor) -> None:
        """`restore` does not give back a text with identifiers that have nothing special."""
        self._declared(restores=True)
        trial = self._trial(redactor)
        unless((trial.kept, self._plain))
        judge(trial.restored, self._plain)

    @judged
    def test_a_text_without_identifiers_is_not_restored(self, redactor: Redactor) -> None:
        """`restore` changes a text in which there was nothing to mask, or the empty one."""
        self._judge_restoring(redactor, list(texts.without_identifiers()))

    @judged
    def test_restore_mixes_repeated_values(self, redactor: Redactor) -> None:
        """A value that occurs again is put back in the wrong place, or once only."""
        self._judge_restoring(redactor, list(texts.repeated(self.identifiers)))

    @judged
    def test_restore_mixes_adjacent_values(self, redactor: Redactor) -> None:
        """Values that touch, or have one separator between them, are put back wrongly."""
        separated = texts.adjacent(self.identifiers, self.separator)
        self._judge_restoring(redactor, [*texts.adjacent(self.identifiers, ""), *separated])

    @judged
    def test_restore_mixes_values_inside_other_values(self, redactor: Redactor) -> None:
        """A value and another one that contains it are put back wrongly."""
        self._judge_restoring(redactor, list(texts.nested(self.identifiers)))

    @judged
    def test_restore_takes_text_for_a_placeholder(self, redactor: Redactor) -> None:
        """Text that looks like a placeholder is replaced by a value."""
        self._declared(restores=True)
        trial = self._trial(redactor)
        unless((trial.restored, self._plain))
        placeholders = placeholders_of(trial, self._plain)
        judge(trial.restored, texts.look_alikes(self.identifiers, placeholders))

    @judged
    def test_restore_changes_unusual_characters(self, redactor: Redactor) -> None:
        """Emoji, combining marks, CRLF, NUL and the like do not come back as they were."""
        self._judge_restoring(redactor, self._unusual)
        judge_drawn(self._trial(redactor).restored, self._drawn, self.examples)

    @judged
    def test_restore_changes_a_long_text(self, redactor: Redactor) -> None:
        """A long line does not come back as it was."""
        self._judge_restoring(redactor, list(texts.long(self.identifiers, self.long_text)))

    @judged
    def test_restore_knows_the_latest_text_only(self, redactor: Redactor) -> None:
        """What `restore` needs is kept in the redactor, and lost with the next text."""
        self._declared(restores=True)
        trial = self._trial(redactor)
        unless((trial.restored, self._plain))
        given_back_late(trial, self._plain)

    @property
    def _plain(self) -> list[Sample]:
        return list(texts.plain(self.identifiers))

    @property
    def _unusual(self) -> list[Sample]:
        return list(texts.unusual(self.identifiers))

    @property
    def _drawn(self) -> SearchStrategy[Sample]:
        return texts.drawn(self.identifiers)

    def _trial(self, redactor: Redactor) -> Trial:
        return Trial(redactor, re.compile(self.placeholder))

    def _declared(self, **flags: bool) -> None:
        """Skip the running test where the class declares otherwise."""
        for name, wanted in flags.items():
            if getattr(self, name) is not wanted:
                raise NotJudged(f"the class declares {name} = {not wanted}")

    def _judge_masking(self, redactor: Redactor, samples: Iterable[Sample]) -> None:
        """Judge what is masked and, where they are reported, the ranges."""
        trial, samples = self._trial(redactor), list(samples)
        unless((trial.covered, self._plain))
        judge(trial.covered, samples)
        if self.reports_ranges:
            unless((trial.ranged, self._plain))
            judge(trial.ranged, samples)

    def _judge_restoring(self, redactor: Redactor, samples: list[Sample]) -> None:
        """Judge what `restore` gives back, where `mask` leaves the text between identifiers alone."""
        self._declared(restores=True)
        trial = self._trial(redactor)
        unless((trial.restored, self._plain), (trial.kept, samples))
        judge(trial.restored, samples)
