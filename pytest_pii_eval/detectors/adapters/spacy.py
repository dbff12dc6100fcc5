"""Any spaCy pipeline as a detector; also how an installed pipeline is loaded and told from another."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import spacy

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.adapters.models import files_digest
from pytest_pii_eval.detectors.adapters.options import whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_pii_eval.contracts.offsets import OffsetUnit


class SpacyDetector:
    """The entities of a spaCy pipeline: `doc.ents` with their labels.

    `model` is an installed pipeline package or a folder that one was saved to; `batch_size` is how many
    texts go through the pipeline at once. Offsets are code points, as a `Doc` indexes its text.

    Entities come after everything that the pipeline does to them, and spaCy shows no earlier stage:
    `candidates` and `protection` are None. A text longer than the pipeline's `max_length` is an error of
    the library, and stays one: a clipped text would be an answer to another question.
    """

    name = "spacy"
    offset_unit: OffsetUnit = "codepoint"

    def __init__(self, model: str | Path, batch_size: str | int = 32) -> None:
        self.batch_size = whole(batch_size, "batch_size", most=10_000)
        self.version = version("spacy")
        self._pipeline = loaded(model)

    def detect(self, text: str) -> Detection:
        """Return the entities of `text`."""
        return _entities(self._pipeline(text))

    def detect_batch(self, texts: Sequence[str]) -> list[Detection]:
        """Return the entities of each text, in order."""
        return [_entities(doc) for doc in self._pipeline.pipe(texts, batch_size=self.batch_size)]

    def libraries(self) -> Mapping[str, str]:
        """Return the versions behind the answers."""
        return {"spacy": self.version}

    def fingerprint(self) -> str:
        """Return the SHA-256 of spaCy's version and of all that the pipeline holds."""
        return fingerprint(
            {"adapter": self.name, "libraries": self.libraries(), "model": identity(self._pipeline)}
        )


def loaded(model: str | Path) -> Any:
    """Return the pipeline `model`; raises `Fault` where it is not there: nothing is ever fetched."""
    check_installed(model)
    return spacy.load(model)


def check_installed(model: str | Path) -> None:
    """Raise `Fault` unless `model` is an installed package or an existing folder."""
    if not (spacy.util.is_package(str(model)) or Path(model).is_dir()):
        raise Fault(
            "--pii-detector-option: model names neither an installed spaCy pipeline nor a folder with one"
        )


def identity(pipeline: Any) -> Mapping[str, object]:
    """Return what tells one loaded pipeline from another: name, version, components, files."""
    meta = pipeline.meta
    return {
        "name": f"{meta['lang']}_{meta['name']}",
        "version": meta["version"],
        "components": list(pipeline.pipe_names),
        "files": files_digest(pipeline.path) if pipeline.path else pipeline.config.to_str(),
    }


def _entities(doc: Any) -> Detection:
    return Detection(tuple(Span(one.start_char, one.end_char, one.label_) for one in doc.ents))
