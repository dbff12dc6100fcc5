"""scrubadub as a detector: the filth of its detectors, and the merged ranges that it replaces."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.metadata import version
from itertools import chain
from typing import TYPE_CHECKING, Any

from scrubadub import Scrubber
from scrubadub.detectors.catalogue import detector_catalogue
from scrubadub.utils import locale_transform

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.adapters.options import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_pii_eval.detectors.protocol import OffsetUnit

_LIBRARIES = ("scrubadub", "dateparser", "phonenumbers", "python-stdnum")
_BY_AGE = "date_of_birth"


class ScrubadubDetector:
    """A `Scrubber` for one `locale` with `detectors`, names of its catalogue; None is what it loads itself.

    scrubadub chooses nothing: filths that overlap or touch are merged and replaced as a whole, and a merged
    filth has no type of its own. So `selected` are the filths that went into the merging, each with its own
    type and range, `candidates` are the same, and `protection` are the merged ranges. Offsets are code
    points, as its detectors index the text. There are no scores.

    The detector `date_of_birth` judges a date by the age it means today: its answers change with the year.
    """

    name = "scrubadub"
    offset_unit: OffsetUnit = "codepoint"

    def __init__(self, locale: str = "en_US", detectors: str | Iterable[str] | None = None) -> None:
        self.version = version("scrubadub")
        self._locale = _known(locale)
        names = words(detectors or ())
        _check(names, locale)
        self._scrubber = Scrubber(detector_list=names or None, locale=locale)

    def detect(self, text: str) -> Detection:
        """Return the filths of `text`, in the order in which they are replaced."""
        filths = list(self._scrubber.iter_filth(text))
        spans = tuple(map(_span, chain.from_iterable(map(_parts, filths))))
        return Detection(spans, spans, tuple((filth.beg, filth.end) for filth in filths))

    def libraries(self) -> Mapping[str, str]:
        """Return the versions behind the answers."""
        return {library: version(library) for library in _LIBRARIES}

    def fingerprint(self) -> str:
        """Return the SHA-256 of the versions, the locale and the detectors in use."""
        detectors = sorted(self._scrubber._detectors)  # noqa: SLF001  # there is no public list of them
        return fingerprint(
            {
                "adapter": self.name,
                "libraries": self.libraries(),
                "locale": self._locale,
                "detectors": detectors,
                "year": datetime.now(UTC).year if _BY_AGE in detectors else None,
            }
        )


def _known(locale: str) -> str:
    try:
        return str(locale_transform(locale))
    except ValueError:
        raise Fault("--pii-detector-option: locale must be one that Python knows, such as en_GB") from None


def _check(names: Iterable[str], locale: str) -> None:
    """Raise `Fault` where a detector is unknown, or would find nothing because of the locale."""
    catalogue = detector_catalogue.get_all()
    for name in names:
        if name not in catalogue:
            raise Fault(f"--pii-detector-option: detectors must be of: {', '.join(sorted(catalogue))}")
        serves = getattr(catalogue[name], "supported_locale", None)
        if serves is not None and not serves(locale):
            raise Fault(f"--pii-detector-option: detectors: {name} does not serve the locale {locale}")


def _parts(filth: Any) -> Iterable[Any]:
    """Return the filths that were merged into `filth`; merging never nests."""
    return getattr(filth, "filths", (filth,))


def _span(filth: Any) -> Span:
    return Span(filth.beg, filth.end, filth.type)
