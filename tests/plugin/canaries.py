"""Strings that must not leave a run, every form they could leave in, and everything a run leaves behind."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest

# Each is two words that nothing else says, so that a form of one word tells where it comes from.
CANARIES = {
    "text outside the span": "Wolframite Ganglionsk",
    "matched string": "Zephyrine Quartzmöre",
    "canonical name": "Perspicua Vexillome",
    "name id": "obnubilate-karstwerk",
    "pattern id": "syzygial-mulberrym",
    "expression": "Brontide Flimmerok",
    "bank description": "Hylozoist Gambreled",
    "bank metadata": "Ultrasupt Jentacule",
    "unknown field": "Quomodocu Lamprophy",
    "unknown value": "Noctivaga Xenodoche",
    "folder": "Tmesisfold Agathokak",
    "exception": "Epexegesis Thixotrop",
    "environment": "Callipyge Floccinau",
}


def forms(canary: str) -> set[str]:
    """Return what `canary` may look like once printed, quoted, encoded or cut in words."""
    found: set[str] = set()
    for whole in {canary, *re.split(r"[ -]", canary)}:
        payload = whole.encode()
        found |= {whole.casefold(), payload.hex(), whole.encode("utf-16-le").hex()}
        found |= {quote(whole).casefold(), ascii(whole)[1:-1].casefold(), _escaped(whole)}
        found |= set(_base64(payload))
    return found


def leaks(output: str, names: Iterator[str] | None = None) -> dict[str, str]:
    """Return the form of each canary that `output` holds, by name of the canary."""
    folded = output.casefold()
    found = {}
    for name in names or CANARIES:
        for form in forms(CANARIES[name]):
            if form in folded or form in output:
                found[name] = form
    return found


def everything(result: pytest.RunResult, folder: Path, *, but: tuple[str, ...]) -> str:
    """Return what the run printed and the name and content of every file below `folder` except `but`."""
    parts = [*result.outlines, *result.errlines]
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        if path.is_file() and relative.parts[0] not in but:
            parts += [relative.as_posix(), path.read_bytes().decode("utf-8", "replace")]
    return "\n".join(parts)


def _escaped(whole: str) -> str:
    return "".join(f"\\u{ord(character):04x}" for character in whole)


def _base64(payload: bytes) -> Iterator[str]:
    """Yield the part of the encoded text that does not depend on what surrounds it, for each alignment."""
    for before in range(3):
        encoded = base64.b64encode(b"\0" * before + payload).decode()
        start = -(-before * 8 // 6)
        end = (before + len(payload)) * 8 // 6
        yield encoded[start:end]
