"""The pinned corpora of a report: which bytes, whose licence, how they were read, and what was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_pii_eval.reports.html.values import Fact, Tone
from pytest_pii_eval.reports.words import inert

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_pii_eval.reports.model import CorpusReport, Report


class CorpusView(NamedTuple):
    """One corpus; `target` leads to its slice."""

    name: str
    target: str
    facts: tuple[Fact, ...]


def corpus_views(report: Report, anchors: Mapping[str, str]) -> Iterator[CorpusView]:
    """Return the corpora that were scored."""
    for name, one in report.slices.items():
        if one.corpus is not None:
            yield CorpusView(inert(name), anchors.get(name, "slices"), _facts(one.corpus))


def _facts(corpus: CorpusReport) -> tuple[Fact, ...]:
    trained: dict[bool | None, tuple[str, Tone]] = {
        True: ("yes", "warn"),
        False: ("no", "plain"),
        None: ("nobody can tell", "plain"),
    }
    return (
        Fact("revision", inert(corpus.revision or "none"), code=True),
        Fact("artifact", f"{corpus.artifact_bytes:,} bytes"),
        Fact("artifact SHA-256", corpus.artifact_sha256, code=True),
        Fact("licence", inert(corpus.licence)),
        Fact("adapter", f"{inert(corpus.adapter)} {inert(corpus.adapter_version)}"),
        Fact("label map", inert(corpus.label_map)),
        Fact("split key", corpus.split_key),
        Fact("languages", _listed(corpus.languages)),
        Fact("regions", _listed(corpus.regions)),
        Fact("rows", f"{corpus.rows:,}"),
        Fact("quarantined", _counted(corpus.quarantined)),
        Fact("excluded spans", f"{corpus.excluded_spans:,}"),
        Fact("held out", _counted(corpus.held_out_documents)),
        Fact("detector trained on it", *trained[corpus.in_domain]),
        Fact("gates no promotion because", inert(corpus.not_promotable)),
        Fact("commitment", corpus.commitment, code=True),
    )


def _listed(names: list[str]) -> str:
    return ", ".join(map(inert, names)) or "not declared"


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{inert(name)} {number:,}" for name, number in sorted(counts.items())) or "none"
