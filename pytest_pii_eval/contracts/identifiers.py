"""The two kinds of identifiers: opaque ids that may be printed, and bank ids that may not."""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints

OPAQUE_ID_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"
BANK_ID_PATTERN = r"^[a-z][a-z0-9_-]{0,79}$"

# pydantic's own (Rust) expressions: `$` means the end of the text, so "id\n" does not pass.
OpaqueId = Annotated[str, StringConstraints(pattern=OPAQUE_ID_PATTERN)]
BankId = Annotated[str, StringConstraints(pattern=BANK_ID_PATTERN)]
