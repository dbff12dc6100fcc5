"""The closed shape of the corpora file, field by field; what it means lives beside its reader."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter
from typing_extensions import TypedDict  # pydantic refuses the one of typing below Python 3.12

from pytest_pii_eval.contracts.identifiers import OpaqueId
from pytest_pii_eval.contracts.quality_model import Completeness, Ids, IdsOrNone, LabelStrength, SplitRole
from pytest_pii_eval.contracts.suite_model import MAX_ENTRIES, Label, LimitRow, PathText

VERSION = "pii_eval.corpora.v1"
UNVERIFIED = "unverified"
MAX_CORPORA = 256

SplitKey = Literal["template_id", "document_id"]
# A whole number in plain digits: YAML scalars stay text.
Whole = Annotated[str, StringConstraints(pattern=r"^(0|[1-9][0-9]{0,17})$")]
Size = Annotated[str, StringConstraints(pattern=r"^(unverified|[1-9][0-9]{0,17})$")]
Hash = Annotated[str, StringConstraints(pattern=r"^(unverified|[0-9a-f]{64})$")]
Revision = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")]
# Below the bounds of what is made of it: folders, slices, gaps, and the corpus that provenance names.
Key = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Dimension = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$")]
# A host, or `*.` and the end of one.
Host = Annotated[str, StringConstraints(pattern=r"^(\*\.)?[a-z0-9][a-z0-9.-]{0,251}[a-z0-9]$")]
Repository = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}$")
]
Words = Annotated[str, StringConstraints(min_length=1, max_length=1000)]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$")]
Detector = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._/@:-]{0,127}$")]

# Typed dicts, not models, for the reason given in case_model.
_CLOSED = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)


class HttpsRow(TypedDict):
    """A file behind an https address."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    kind: Literal["https"]
    url: Annotated[str, StringConstraints(pattern=r"^https://[^\s#?@\\]{1,1000}$")]
    redirects: NotRequired[Annotated[list[Host], Field(max_length=16)]]


class HubRow(TypedDict):
    """A file of a Hugging Face dataset at a commit."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    kind: Literal["huggingface"]
    repository: Repository
    revision: Revision
    path: PathText
    redirects: NotRequired[Annotated[list[Host], Field(max_length=16)]]


class GitRow(TypedDict):
    """A file of a repository on GitHub at a commit."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    kind: Literal["git"]
    repository: Repository
    revision: Revision
    path: PathText


class LocalRow(TypedDict):
    """A file beside the corpora file, or below it."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    kind: Literal["local"]
    path: PathText


class GapRow(TypedDict):
    """A dimension that the corpus cannot support."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    dimension: Dimension
    reason_code: OpaqueId


class PinRow(TypedDict):
    """One pinned corpus."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    source: Annotated[HttpsRow | HubRow | GitRow | LocalRow, Field(discriminator="kind")]
    bytes: Size
    sha256: Hash
    licence: Words
    redistribution: Words
    adapter: Name
    options: NotRequired[Annotated[dict[Name, str], Field(max_length=64)]]
    label_map: OpaqueId
    excluded_labels: NotRequired[Annotated[list[Label], Field(max_length=MAX_ENTRIES)]]
    split_key: SplitKey
    split_role: SplitRole
    label_strength: LabelStrength
    annotation_completeness: Completeness
    regions: Ids
    languages: Ids
    exclusions: NotRequired[IdsOrNone]
    in_domain_for: NotRequired[Annotated[list[Detector], Field(max_length=MAX_ENTRIES)]]
    max_quarantined: Whole
    unsupported: NotRequired[Annotated[list[GapRow], Field(max_length=16)]]
    catalog_bindings: NotRequired[PathText]
    notes: NotRequired[Words]


class CorporaRow(TypedDict):
    """The corpora file; taxonomy, gates and floors as in a suite file."""

    __pydantic_config__ = _CLOSED  # type: ignore[misc]  # pydantic reads it from the class

    version: Literal["pii_eval.corpora.v1"]
    corpora: Annotated[dict[Key, PinRow], Field(min_length=1, max_length=MAX_CORPORA)]
    taxonomy: NotRequired[PathText]
    gates: NotRequired[Annotated[list[LimitRow], Field(max_length=MAX_ENTRIES)]]
    floors: NotRequired[Annotated[list[LimitRow], Field(max_length=MAX_ENTRIES)]]


CORPORA = TypeAdapter(CorporaRow)
