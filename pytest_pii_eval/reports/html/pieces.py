"""Where a long name may go on in the next line: a list of pieces, each escaped where it is shown."""

from __future__ import annotations

import re
from typing import Final

_JOINT: Final = re.compile(r"(?<=[._])(?=[^\W\d_])")


def pieces(text: str) -> list[str]:
    """Return `text` in pieces that end after a dot or underscore before a letter; figures stay whole."""
    return _JOINT.split(text)
