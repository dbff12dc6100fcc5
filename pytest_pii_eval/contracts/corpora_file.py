"""The corpora file: which corpora are pinned, to which bytes, how they are read and what they can support."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from pytest_pii_eval.contracts.canonical import fingerprint
from pytest_pii_eval.contracts.corpus_model import CORPORA, UNVERIFIED
from pytest_pii_eval.contracts.corpus_rules import (
    LABELS_ARE_TYPES,
    check_gates,
    check_key,
    check_pin,
    check_relative,
)
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.model_faults import checked
from pytest_pii_eval.contracts.slices import Unsupported
from pytest_pii_eval.contracts.suite_file import SuiteFile, parse_suite
from pytest_pii_eval.contracts.taxonomy import Taxonomy, default_taxonomy, read_taxonomy
from pytest_pii_eval.contracts.yaml_file import read_document

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pytest_pii_eval.contracts.corpus_model import PinRow, SplitKey
    from pytest_pii_eval.contracts.quality_model import Completeness, LabelStrength, SplitRole

_HUB: Final = "https://huggingface.co/datasets/{repository}/resolve/{revision}/{path}"
_GIT: Final = "https://raw.githubusercontent.com/{repository}/{revision}/{path}"


@dataclass(frozen=True, slots=True)
class Source:
    """Where the bytes of a corpus come from: an https address, or a file named relative to the corpora file.

    `revision` is the commit that the address names, where it names one. `redirects` are the hosts besides the
    address's own that may answer for it; `*.example` stands for every host that ends so.
    """

    url: str | None
    path: str | None
    revision: str | None
    redirects: tuple[str, ...] = ()

    @property
    def file_name(self) -> str:
        """The last part of address or path: what the artifact is called in the cache."""
        return (self.path or self.url or "").rsplit("/", 1)[-1]


@dataclass(frozen=True, slots=True)
class Pin:
    """One pinned corpus.

    `size` is the byte count of its artifact, None where nobody could verify one; `sha256` is `sha256:` and
    the hex digest, None where nobody knows it yet: such a pin cannot be downloaded or prepared.
    `label_map` names a label map of the taxonomy, or is `types`. `in_domain_for` names detectors (or their
    models) known to have trained on the corpus. `bindings` is the sidecar of catalog identities.
    `fingerprint` binds all that decides what the records are; licence and notes are no part of it.
    """

    key: str
    source: Source
    size: int | None
    sha256: str | None
    licence: str
    redistribution: str
    adapter: str
    options: Mapping[str, str]
    label_map: str
    excluded_labels: frozenset[str]
    split_key: SplitKey
    split_role: SplitRole
    label_strength: LabelStrength
    completeness: Completeness
    regions: tuple[str, ...]
    languages: tuple[str, ...]
    exclusions: tuple[str, ...]
    in_domain_for: frozenset[str]
    max_quarantined: int
    gaps: tuple[Unsupported, ...]
    bindings: Path | None
    fingerprint: str


@dataclass(frozen=True, slots=True)
class CorporaFile:
    """Pins by key, in order of the file, and the suite file's part of it: taxonomy, gates and floors."""

    path: Path
    pins: Mapping[str, Pin]
    suite: SuiteFile

    @property
    def taxonomy(self) -> Taxonomy:
        """The taxonomy that label maps are looked up in."""
        return self.suite.taxonomy


def read_corpora(path: Path, *, root: Path | None = None) -> CorporaFile:
    """Return the corpora file at `path`; raises `Fault` with its name and the field."""
    document = read_document(path, root=root)
    try:
        row = checked(CORPORA, document)
        named = row.get("taxonomy")
        # A fault of the taxonomy has its own file's name already.
        if named is not None:
            check_relative(named, "taxonomy")
        taxonomy = default_taxonomy() if named is None else read_taxonomy(path.parent / named, root=root)
        return parse_corpora(row, path, taxonomy)
    except Fault as fault:
        raise fault.at(file=path.name) from None


def parse_corpora(document: object, path: Path, taxonomy: Taxonomy) -> CorporaFile:
    """Return the corpora file that a decoded document describes; relative paths are those beside `path`."""
    row = checked(CORPORA, document)
    pins = {}
    for key, pin in row["corpora"].items():
        try:
            check_key(key)
            check_pin(pin, taxonomy)
        except Fault as fault:
            field = "" if fault.field is None else f".{fault.field}"
            raise Fault(fault.rule, field=f"corpora.{key}{field}") from None
        pins[key] = _pin(key, pin, path)
    held = {name: row[name] for name in ("gates", "floors") if name in row}
    suite = parse_suite(held, taxonomy)
    check_gates(suite.rules(), {key: _scope(pin, taxonomy) for key, pin in pins.items()})
    return CorporaFile(path, MappingProxyType(pins), suite)


def _scope(pin: Pin, taxonomy: Taxonomy) -> frozenset[str] | None:
    known = pin.label_map != LABELS_ARE_TYPES
    return frozenset(taxonomy.label_maps[pin.label_map].values()) if known else None


def _pin(key: str, row: PinRow, path: Path) -> Pin:
    options, gaps = row.get("options", {}), row.get("unsupported", [])
    bindings = row.get("catalog_bindings")
    return Pin(
        key=key,
        source=_source(row),
        size=None if row["bytes"] == UNVERIFIED else int(row["bytes"]),
        sha256=None if row["sha256"] == UNVERIFIED else f"sha256:{row['sha256']}",
        licence=row["licence"],
        redistribution=row["redistribution"],
        adapter=row["adapter"],
        options=MappingProxyType(options),
        label_map=row["label_map"],
        excluded_labels=frozenset(row.get("excluded_labels", ())),
        split_key=row["split_key"],
        split_role=row["split_role"],
        label_strength=row["label_strength"],
        completeness=row["annotation_completeness"],
        regions=tuple(row["regions"]),
        languages=tuple(row["languages"]),
        exclusions=tuple(row.get("exclusions", ())),
        in_domain_for=frozenset(row.get("in_domain_for", ())),
        max_quarantined=int(row["max_quarantined"]),
        gaps=tuple(
            Unsupported(f"{key}.{gap['dimension']}", gap["dimension"], gap["reason_code"]) for gap in gaps
        ),
        bindings=None if bindings is None else path.parent / bindings,
        fingerprint=fingerprint({"key": key, **{name: row.get(name) for name in _DECISIVE}}),
    )


_DECISIVE: Final = (
    "source",
    "bytes",
    "sha256",
    "adapter",
    "options",
    "label_map",
    "excluded_labels",
    "split_key",
    "split_role",
    "label_strength",
    "annotation_completeness",
    "regions",
    "exclusions",
    "max_quarantined",
    "unsupported",
)


def _source(row: PinRow) -> Source:
    source = row["source"]
    if source["kind"] == "https":
        return Source(source["url"], None, None, tuple(source.get("redirects", ())))
    if source["kind"] == "local":
        return Source(None, source["path"], None)
    pattern = _HUB if source["kind"] == "huggingface" else _GIT
    url = pattern.format(
        repository=source["repository"], revision=source["revision"], path=quote(source["path"])
    )
    redirects = tuple(source.get("redirects", ())) if source["kind"] == "huggingface" else ()
    return Source(url, None, source["revision"], redirects)


__all__ = ["LABELS_ARE_TYPES", "CorporaFile", "Pin", "Source", "parse_corpora", "read_corpora"]
