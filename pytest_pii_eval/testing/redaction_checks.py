"""What must hold of one answer of a redactor: each check raises `Broken`, whose message holds no text."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, final

from pytest_pii_eval.detectors.alignment import AmbiguousAlignment, NotAMasking, align
from pytest_pii_eval.detectors.answers import converted
from pytest_pii_eval.testing.asking import unheard
from pytest_pii_eval.testing.redaction_structure import is_cut_at, merged
from pytest_pii_eval.withheld import type_and_place

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from pytest_pii_eval.contracts.spans import Range
    from pytest_pii_eval.detectors.protocol import Detector
    from pytest_pii_eval.testing.redaction_texts import Sample

_Result = TypeVar("_Result")


class Redaction(NamedTuple):
    """What `mask` returns: the masked text, what was removed, and what `restore` needs.

    `ranges` are half-open, in code points of the original; None: the redactor does not report them.
    `state` is the redactor's own, handed back to `restore` as it is.
    """

    masked: str
    ranges: tuple[Range, ...] | None = None
    state: Any = None


class Redactor(Protocol):
    """A product that masks texts, and may restore them with `restore(masked, state) -> str`."""

    def mask(self, text: str) -> Redaction:
        """Return `text` without its identifiers."""


class Broken(Exception):
    """A fault of the redactor; the message names it with counts and offsets."""


class Unclear(Exception):
    """An answer that cannot be judged: a masked text that can be read in several ways."""


def asked(action: Callable[[], _Result], what: str) -> _Result:
    """Return what `action` returns, unheard; raises `Broken` with type and place of what it raises."""
    try:
        with unheard():
            return action()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  # SystemExit too: its text may not leave
        failure = Broken(f"{what} raised {type_and_place(error)}")
    raise failure


@final
@dataclass(frozen=True, slots=True)
class Trial:
    """The checks of one redactor; `placeholder` matches what it puts in place of what it removes."""

    redactor: Any
    placeholder: re.Pattern[str]

    def answered(self, sample: Sample) -> Redaction:
        """Return the answer; raises `Broken` where it is none."""
        answer = asked(lambda: self.redactor.mask(sample.text), f"{_about(sample)}: mask")
        if not isinstance(answer, Redaction) or not isinstance(answer.masked, str):
            raise Broken(f"{_about(sample)}: mask returned no Redaction with a text")
        return answer

    def removed(self, sample: Sample, answer: Redaction) -> tuple[Range, ...]:
        """Return what the masked text no longer shows.

        Raises `Broken` where it is not the original with ranges replaced, `Unclear` where several sets of
        ranges explain it and the reported ones are not among them.
        """
        try:
            found = align(sample.text, answer.masked, self.placeholder, in_place=True)
            return tuple((one.start, one.end) for one in found)
        except NotAMasking:
            rule = "the masked text is not the original with ranges replaced by what `placeholder` matches"
            failure = Broken(f"{_about(sample)}: {rule}")
        except AmbiguousAlignment:
            ranges = answer.ranges
            if ranges is None or _first_invalid(ranges, len(sample.text)) is not None:
                raise Unclear from None
            if not is_cut_at(sample.text, answer.masked, ranges, self.placeholder):
                raise Unclear from None
            return merged(ranges)
        raise failure

    def kept(self, sample: Sample) -> None:
        """Raise `Broken` where text outside of placeholders is changed."""
        self.removed(sample, self.answered(sample))

    def covered(self, sample: Sample) -> None:
        """Raise `Broken` where a character of a planted identifier is still in its place."""
        removed = self.removed(sample, self.answered(sample))
        open_ = [one for one in sample.planted if not any(s <= one[0] and one[1] <= e for s, e in removed)]
        if open_:
            of = f"{len(open_)} of {len(sample.planted)} planted identifiers"
            first = f"the first at code points {open_[0][0]}..{open_[0][1]}"
            raise Broken(f"{_about(sample)}: {of} keep characters in their place, {first}")

    def ranged(self, sample: Sample) -> None:
        """Raise `Broken` where the reported ranges are not those that were removed."""
        answer = self.answered(sample)
        if answer.ranges is None:
            raise Broken(f"{_about(sample)}: no ranges are reported; declare reports_ranges = False")
        invalid = _first_invalid(answer.ranges, len(sample.text))
        if invalid is not None:
            raise Broken(f"{_about(sample)}: {invalid}")
        ranges = merged(answer.ranges)
        try:
            removed = self.removed(sample, answer)
        except Unclear:
            failure = Broken(f"{_about(sample)}: {len(ranges)} ranges are reported, and not those removed")
        else:
            _same(sample, ranges, removed, ("reported", "removed"))
            return
        raise failure

    def agreed(self, sample: Sample, detector: Detector) -> None:
        """Raise `Broken` where what was removed is not what `detector` protects."""
        detection = asked(lambda: detector.detect(sample.text), f"{_about(sample)}: detect")
        placed = asked(
            lambda: converted(sample.text, detection, detector.offset_unit), "the detector's answer"
        )
        if placed.dropped:
            raise Broken(f"{_about(sample)}: {placed.dropped} offsets of the detector are invalid")
        protection = placed.detection.protection
        if protection is None:
            protection = tuple((span.start, span.end) for span in placed.detection.selected)
        removed = self.removed(sample, self.answered(sample))
        _same(sample, merged(protection), removed, ("protected by the detector", "removed"))

    def restored(self, sample: Sample) -> None:
        """Raise `Broken` where `restore` does not give the original back."""
        self.given_back(sample, self.answered(sample))

    def given_back(self, sample: Sample, answer: Redaction) -> None:
        """Raise `Broken` where `restore` of this answer is not the sample's text."""
        text = asked(lambda: self.redactor.restore(answer.masked, answer.state), f"{_about(sample)}: restore")
        if text != sample.text:
            raise Broken(f"{_about(sample)}: restore gives {_difference(sample.text, text)}")


def _about(sample: Sample) -> str:
    return f"{sample.about} ({len(sample.text):,} code points)"


def _first_invalid(ranges: object, length: int) -> str | None:
    """Return what is wrong with the first range that is none, or None."""
    if not isinstance(ranges, (tuple, list)):
        return "the ranges are no tuple"
    bad = (index for index, one in enumerate(ranges) if not _is_range(one, length))
    index = next(bad, None)
    return None if index is None else f"ranges[{index}] is no half-open range inside the text"


def _is_range(one: object, length: int) -> bool:
    if not isinstance(one, (tuple, list)) or [type(offset) for offset in one] != [int, int]:
        return False
    return bool(0 <= one[0] < one[1] <= length)


def _same(sample: Sample, one: tuple[Range, ...], two: tuple[Range, ...], names: tuple[str, str]) -> None:
    """Raise `Broken` where two sets of ranges differ; says where they do first."""
    if one == two:
        return
    first, second = next(pair for pair in zip_longest(one, two) if pair[0] != pair[1])
    raise Broken(
        f"{_about(sample)}: {len(one)} ranges are {names[0]} and {len(two)} {names[1]};"
        f" they differ first at {_shown(first)} and {_shown(second)}"
    )


def _shown(one: Range | None) -> str:
    return "no range" if one is None else f"code points {one[0]}..{one[1]}"


def _difference(original: str, other: object) -> str:
    if not isinstance(other, str):
        return "no text"
    pairs = enumerate(zip(original, other, strict=False))
    at = next((index for index, (one, two) in pairs if one != two), min(len(original), len(other)))
    return f"another text: {len(other):,} code points, different from code point {at:,} on"
