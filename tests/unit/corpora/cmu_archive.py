"""Generated archives in the layout of the CMU Enron Meetings archive; every name and text is invented."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TOP = "EnronMeetings-XML/"
FOLDERS = ("", "train/", "train/bunch1/", "train/bunch2/", "train/bunch3/", "test/", "test/bunch4/")

SMALL = {
    "train/bunch1": [
        b"Subject: lunch\r\n<true_name>Ada Moe</true_name> and <true_name> Zo\xc3\xab </true_name>\r\n",
        b"No person here, <b>only</b> a room.\n",
    ],
    "train/bunch2": [b"<true_name>Bo Fjord</true_name>"],
    "train/bunch3": [b"> \xf0\x9d\x92\xb3 quoted <true_name>Ada\nMoe</true_name> <ada@x.test>\n"],
    "test/bunch4": [b"\t<true_name>Cy Lund</true_name>: see <true_name>Ada</true_name>'s note", b"Nobody.\n"],
}
"""A few fragments a bunch; four train documents with four spans, two test documents with two."""


def member_name(bunch: str, number: int) -> str:
    """The name of fragment `number` of a bunch (`train/bunch1`)."""
    return f"{TOP}{bunch}/moe-a__calendar__{number}.txt"


def packed(files: Mapping[str, bytes], folders: tuple[str, ...] = FOLDERS) -> bytes:
    """The ZIP archive of these members, deflated, equal on every run; its folders come first."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for folder in folders:
            archive.writestr(_info(TOP + folder), b"")
        for name, content in files.items():
            archive.writestr(_info(name), content)
    return target.getvalue()


def named(fragments: Mapping[str, list[bytes]]) -> dict[str, bytes]:
    """The members that hold these fragments, by name."""
    return {
        member_name(bunch, number): content
        for bunch, contents in fragments.items()
        for number, content in enumerate(contents, start=1)
    }


def small_archive() -> bytes:
    """The archive of `SMALL`."""
    return packed(named(SMALL))


def published_fragments() -> dict[str, list[bytes]]:
    """Fragments with the populations of the published archive, down to its numbers of characters."""
    train = _fragments((729, 540), 1896, characters=529_788, labelled=20_028)
    test = _fragments((247, 197), 527, characters=119_169, labelled=4_978)
    return {
        "train/bunch1": [next(train) for _ in range(244)],
        "train/bunch2": [next(train) for _ in range(242)],
        "train/bunch3": list(train),
        "test/bunch4": list(test),
    }


def _fragments(documents: tuple[int, int], spans: int, *, characters: int, labelled: int) -> Iterator[bytes]:
    """Yield documents, of which so many have spans; all numbers are spread as evenly as they go."""
    every, with_spans = documents
    lengths = iter(_shares(labelled, spans))
    counts = [*_shares(spans, with_spans), *[0] * (every - with_spans)]
    for count, length in zip(counts, _shares(characters, every), strict=True):
        names = ["n" * next(lengths) for _ in range(count)]
        body = "".join(f"<true_name>{name}</true_name> " for name in names)
        yield (body + "x" * (length - sum(len(name) + 1 for name in names))).encode()


def _shares(total: int, parts: int) -> list[int]:
    low, more = divmod(total, parts)
    return [low + 1] * more + [low] * (parts - more)


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (0o40755 if name.endswith("/") else 0o100644) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    return info
