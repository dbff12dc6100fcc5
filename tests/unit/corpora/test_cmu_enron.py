"""The CMU Enron Meetings adapter: documents of both roles out of a closed archive, or one fault for all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from cmu_archive import SMALL, member_name, named, packed, published_fragments, small_archive

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.adapters.cmu_enron import CmuEnronAdapter
from pytest_pii_eval.corpora.finding import build_adapter

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_pii_eval.corpora.draft import Draft


def drafts_of(payload: bytes, tmp_path: Path, fixture: str = "yes") -> list[Draft]:
    """What the adapter makes of an archive of these bytes."""
    path = tmp_path / "EnronMeetings-XML.zip"
    path.write_bytes(payload)
    return list(CmuEnronAdapter(fixture=fixture).read(path))


def refused(payload: bytes, tmp_path: Path, fixture: str = "yes") -> str:
    """The fault of the archive, without the file's name; it holds nothing of names or texts."""
    with pytest.raises(Fault) as caught:
        drafts_of(payload, tmp_path, fixture)
    message = str(caught.value)
    assert not re.search("canary|moe|calendar|Ada", message)
    assert message.startswith("EnronMeetings-XML.zip: ")
    return message.removeprefix("EnronMeetings-XML.zip: ")


def with_member(name: str, content: bytes = b"text canary") -> bytes:
    """The small archive with one more member."""
    return packed({**named(SMALL), name: content})


def test_documents_of_both_roles_come_in_order_of_names(tmp_path: Path) -> None:
    """`test/` sorts before `train/`; texts lose their markers and nothing else; spans count code points."""
    drafts = drafts_of(small_archive(), tmp_path)
    assert [(draft.row, draft.role, draft.text, draft.spans) for draft in drafts] == [
        (1, "test", "\tCy Lund: see Ada's note", ((1, 8, "true_name"), (14, 17, "true_name"))),
        (2, "test", "Nobody.\n", ()),
        (
            3,
            "train",
            "Subject: lunch\r\nAda Moe and  Zoë \r\n",
            ((16, 23, "true_name"), (29, 32, "true_name")),
        ),
        (4, "train", "No person here, <b>only</b> a room.\n", ()),
        (5, "train", "Bo Fjord", ((0, 8, "true_name"),)),
        (6, "train", "> \U0001d4b3 quoted Ada\nMoe <ada@x.test>\n", ((11, 18, "true_name"),)),
    ]


def test_ids_are_opaque_and_hang_on_the_name_alone(tmp_path: Path) -> None:
    """The hash of one name, worked out by sha256sum; another order of members changes no id and no draft."""
    drafts = drafts_of(small_archive(), tmp_path)
    assert all(re.fullmatch("cmu-[0-9a-f]{32}", draft.document_id) for draft in drafts)
    assert len({draft.document_id for draft in drafts}) == 6
    assert drafts[0].document_id == "cmu-a0985e3f493d7298cf8c7bdfb3f8f200"
    backwards = packed(dict(reversed(named(SMALL).items())), folders=())
    assert drafts_of(backwards, tmp_path) == drafts


def test_what_the_adapter_says_of_itself() -> None:
    """A fixture and the published archive can both decide no promotion, each for its own reason."""
    real, fixture = build_adapter("cmu-enron-meetings", {}), CmuEnronAdapter(fixture="yes")
    assert (real.offset_unit, real.version) == ("codepoint", "1")
    assert real.keeps_labels_apart is True  # type: ignore[attr-defined]  # optional, looked up by name
    assert real.not_promotable == "auxiliary_source_without_bound_content_adjudication"  # type: ignore[attr-defined]  # the same
    assert fixture.not_promotable == "generated_fixture"
    with pytest.raises(Fault, match=r"^the option fixture is yes or no$"):
        CmuEnronAdapter(fixture="true")


@pytest.mark.parametrize(
    "name",
    [
        "EnronMeetings-XML/train/bunch4/canary__calendar__1.txt",
        "EnronMeetings-XML/test/bunch1/canary__calendar__1.txt",
        "EnronMeetings-XML/train/bunch1/canary.txt",
        "EnronMeetings-XML/train/bunch1/canary__calendar__1.txt.bak",
        "EnronMeetings-XML/train/bunch1/canary__calendar__12345678901.txt",
        "EnronMeetings-XML/train/bunch1/sub/canary__calendar__1.txt",
        "EnronMeetings-XML/train/bunch1/-canary__calendar__1.txt",
        "EnronMeetings-XML/canary__calendar__1.txt",
        "canary/README",
        "EnronMeetings-XML/train/canary/",
    ],
)
def test_members_outside_the_layout_are_refused(name: str, tmp_path: Path) -> None:
    """Seven folders and six members come before it, so it is entry 14."""
    message = refused(with_member(name), tmp_path)
    assert message == "entry 14: has a name that the layout of this archive has no place for"


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (b"canary \xff", "not UTF-8 at byte 7"),
        (
            b"canary <True_Name>x</True_Name>",
            "holds what looks like a marker and is none of the two exact ones",
        ),
        (b"<true_name>canary", "marker 1, the last, opens a label that is never closed"),
        (b"<true_name> \n</true_name>canary", "label 1 holds no character but white space"),
        (b"", "holds no text"),
    ],
)
def test_one_bad_document_refuses_the_archive(content: bytes, rule: str, tmp_path: Path) -> None:
    """No draft comes before the fault, which names the document's place: behind the other of `test/`."""
    path = tmp_path / "EnronMeetings-XML.zip"
    payload = with_member(member_name("test/bunch4", 3), content)
    assert refused(payload, tmp_path) == f"document 3 in order of names: {rule}"
    with pytest.raises(Fault):
        next(CmuEnronAdapter(fixture="yes").read(path))


def test_an_archive_without_a_document_is_refused(tmp_path: Path) -> None:
    """Folders alone are none, nor is no entry at all."""
    assert refused(packed({}), tmp_path) == "holds no document"
    assert refused(packed({}, folders=()), tmp_path) == "holds no document"


def test_a_file_that_is_no_archive_is_refused(tmp_path: Path) -> None:
    """Cut off, empty, or longer than an archive of this corpus may be."""
    assert (
        refused(small_archive()[:-30], tmp_path) == "is no ZIP archive, or was cut off: it has no end record"
    )
    assert refused(b"", tmp_path) == "is no ZIP archive, or was cut off: it has no end record"
    assert refused(bytes(2 * 1024 * 1024 + 1), tmp_path) == "holds more than the limit of 2,097,152 bytes"


def test_a_link_to_an_archive_is_refused(tmp_path: Path) -> None:
    """The adapter opens regular files alone."""
    (tmp_path / "real.zip").write_bytes(small_archive())
    (tmp_path / "link.zip").symlink_to(tmp_path / "real.zip")
    with pytest.raises(Fault, match=r"^link\.zip: is a symlink"):
        list(CmuEnronAdapter(fixture="yes").read(tmp_path / "link.zip"))


def test_the_published_populations_are_accepted(tmp_path: Path) -> None:
    """729 and 247 documents with 1,896 and 527 spans, as the archive of 2005 has them."""
    drafts = drafts_of(packed(named(published_fragments())), tmp_path, fixture="no")
    for role, documents, spans, with_spans in (("train", 729, 1896, 540), ("test", 247, 527, 197)):
        chosen = [draft for draft in drafts if draft.role == role]
        assert len(chosen) == documents
        assert sum(len(draft.spans) for draft in chosen) == spans
        assert sum(bool(draft.spans) for draft in chosen) == with_spans


def test_any_other_population_is_refused(tmp_path: Path) -> None:
    """A member lost or added, a span lost or moved, a character lost: each with its two numbers."""
    assert refused(small_archive(), tmp_path, "no") == (
        "train/bunch1: holds 2 documents; the published archive holds 244 there"
    )
    fragments = published_fragments()
    assert _changed(fragments, "train/bunch3", drop=True, tmp_path=tmp_path) == (
        "train/bunch3: holds 242 documents; the published archive holds 243 there"
    )
    assert _changed(fragments, "test/bunch4", add=b"canary", tmp_path=tmp_path) == (
        "test/bunch4: holds 248 documents; the published archive holds 247 there"
    )
    assert _changed(
        fragments, "test/bunch4", drop=True, add=b"<true_name>x</true_name>", tmp_path=tmp_path
    ) == ("test: holds 198 documents with spans; the published archive holds 197")
    assert _changed(fragments, "test/bunch4", drop=True, add=b"x", tmp_path=tmp_path) == (
        "test: holds 118,688 characters; the published archive holds 119,169"
    )


def _changed(
    fragments: dict[str, list[bytes]], bunch: str, *, tmp_path: Path, drop: bool = False, add: bytes = b""
) -> str:
    contents = fragments[bunch][: -1 if drop else None] + ([add] if add else [])
    return refused(packed(named({**fragments, bunch: contents})), tmp_path, "no")
