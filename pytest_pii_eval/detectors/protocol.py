"""What a detector is to this package: the protocol, its optional parts, and how they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pii_eval.contracts.offsets import OffsetUnit
    from pytest_pii_eval.contracts.spans import Detection


@runtime_checkable
class Detector(Protocol):
    """Anything that finds personal data in one text.

    `detect` answers in the detector's own words: offsets in `offset_unit`, half-open, and its own labels as
    `Span.type`; conversion and label mapping happen outside. It may raise: the document then has no answer.
    `fingerprint` binds everything that can change an answer (model, rules, options, versions), is `sha256:`
    and a hex digest, and is equal in every process.

    Optional, looked up by name: `detect_batch(texts)` with one `Detection` a text, in order, and
    `batch_size` (default 32); `close()`; `label_map`, the name of the taxonomy's map for its labels
    (default: its own name); `libraries()`, versions by package name; `identities`, true where spans carry
    the identity of a bank's pattern; `thread_safe`, true where one instance may answer in several threads.
    """

    @property
    def name(self) -> str:
        """What reports call it: an opaque identifier."""

    @property
    def version(self) -> str:
        """Its version, or that of the library behind it."""

    @property
    def offset_unit(self) -> OffsetUnit:
        """The unit of all its offsets."""

    def detect(self, text: str) -> Detection:
        """Return what is found in `text`."""

    def fingerprint(self) -> str:
        """Return the SHA-256 that binds everything that can change an answer."""


class BatchDetector(Detector, Protocol):
    """A detector that answers several texts at once faster than one by one."""

    def detect_batch(self, texts: Sequence[str]) -> Sequence[Detection]:
        """Return one answer a text, in order; each equals that of `detect`."""


def libraries_of(detector: Detector) -> Mapping[str, str]:
    """Return the versions of the packages behind `detector`, as far as it says."""
    libraries = getattr(detector, "libraries", None)
    return dict(libraries()) if callable(libraries) else {}
