"""scrubadub as a detector: the filth of its detectors, and the merged ranges that it replaces."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.metadata import version
from itertools import chain
from typing import TYPE_CHECKING, Any

from scrubadub import Scrubber
from scrubadub.detectors import Detector
from scrubadub.detectors.catalogue import detector_catalogue
from scrubadub.utils import locale_transform

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.adapters.options import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pytest_pii_eval.contracts.offsets import OffsetUnit

_LIBRARIES = ("scrubadub", "dateparser", "phonenumbers", "python-stdnum")
_BY_AGE = "date_of_birth"


class ScrubadubDetector:
    """A `Scrubber` for one `locale` with `detectors`, names of its catalogue; None is what it loads itself.

    `candidates` are the filths that its detectors yield, in the order of the detectors. The scrubber drops
    those that are not valid, such as a card number with a wrong check digit. It chooses no further: filths
    that overlap or touch are merged and replaced as a whole, and a merged filth has no type of its own. So
    `selected` are the filths that went into the merging, each with its own type and range, and `protection`
    are the merged ranges. Offsets are code points, as its detectors index the text. There are no scores.

    The detector `date_of_birth` judges a date by the age it means today: its answers change with the year.
    """

    name = "scrubadub"
    offset_unit: OffsetUnit = "codepoint"

    def __init__(self, locale: str = "en_US", detectors: str | Iterable[str] | None = None) -> None:
        self.version = version("scrubadub")
        self._locale = _known(locale)
        names = words(detectors or ())
        _check(names, locale)
        chosen = Scrubber(detector_list=names or None, locale=locale)
        found = chosen._detectors  # noqa: SLF001  # there is no public list of them
        self._detectors = sorted(found)
        self._heard: list[Any] = []
        heard = [_Heard(one, self._heard) for one in found.values()]
        self._scrubber = Scrubber(detector_list=heard, locale=locale)

    def detect(self, text: str) -> Detection:
        """Return the filths of `text`: selected ones in the order in which they are replaced."""
        self._heard.clear()
        filths = list(self._scrubber.iter_filth(text))
        selected = tuple(map(_span, chain.from_iterable(map(_parts, filths))))
        candidates = tuple(map(_span, self._heard))
        return Detection(selected, candidates, tuple((filth.beg, filth.end) for filth in filths))

    def libraries(self) -> Mapping[str, str]:
        """Return the versions behind the answers."""
        return {library: version(library) for library in _LIBRARIES}

    def fingerprint(self) -> str:
        """Return the SHA-256 of the versions, the locale and the detectors in use."""
        return fingerprint(
            {
                "adapter": self.name,
                "libraries": self.libraries(),
                "locale": self._locale,
                "detectors": self._detectors,
                "year": datetime.now(UTC).year if _BY_AGE in self._detectors else None,
            }
        )


class _Heard(Detector):  # type: ignore[misc]  # scrubadub has no types
    """One detector whose filths are noted in `heard` on their way to the scrubber, which drops some."""

    name = "heard"  # scrubadub warns where a class has none; each has that of its detector

    def __init__(self, detector: Any, heard: list[Any]) -> None:
        super().__init__(name=detector.name, locale=detector.locale)
        self._detector = detector
        self._heard = heard

    def iter_filth(self, text: str, document_name: str | None = None) -> Iterator[Any]:
        return self._noted(self._detector.iter_filth(text, document_name=document_name))

    def iter_filth_documents(self, document_list: Any, document_names: Any) -> Iterator[Any]:
        """Raise NotImplementedError at once, as the detector does: the scrubber then asks `iter_filth`."""
        return self._noted(self._detector.iter_filth_documents(document_list, document_names))

    def _noted(self, filths: Iterable[Any]) -> Iterator[Any]:
        for filth in filths:
            self._heard.append(filth)
            yield filth


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
