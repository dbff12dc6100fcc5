"""What redaction products put in place of what they remove: the forms that are known, and their labels."""

from __future__ import annotations

import re

DEFAULT_PLACEHOLDER = r"<[A-Z][A-Z0-9_]*>|\[[A-Z][A-Z0-9_]*\]|\{\{[A-Z][A-Z0-9_+-]*\}\}|\*{2,}|\u2588+"
"""Matches `<PERSON>`, `<PERSON_1>`, `[EMAIL_1]`, `{{NAME}}`, and runs of stars (two or more) or full blocks.

One star alone is not among them: bullets and footnotes are common text.
"""

NO_LABEL = "MASKED"
"""The label of a placeholder that holds no letters."""

_LETTERS = re.compile(r"[^\W\d_]+(?:_+[^\W\d_]+)*")


def label_of(placeholder: str) -> str:
    """Return the letters of `placeholder`, joined by their underscores, without a number behind them.

    `<US_SSN_2>` is `US_SSN`; `MASKED` where there are no letters.
    """
    letters = _LETTERS.search(placeholder)
    return NO_LABEL if letters is None else letters.group()
