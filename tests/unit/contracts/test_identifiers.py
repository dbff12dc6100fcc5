"""The two kinds of ids, at their edges."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter, ValidationError

from pytest_pii_eval.contracts.identifiers import BankId, OpaqueId


@pytest.mark.parametrize("value", ["a", "9", "A.b_c-d", "x" * 128, "0.0"])
def test_opaque_ids(value) -> None:
    """Letters, digits, dot, underscore and hyphen, up to 128 of them, the first a letter or digit."""
    assert TypeAdapter(OpaqueId).validate_python(value) == value


@pytest.mark.parametrize("value", ["", ".a", "-a", "_a", "x" * 129, "a b", "a\n", "\na", "ä", "a:b", "a/b"])
def test_what_is_no_opaque_id(value) -> None:
    """Anything else is refused, a line feed at the end included."""
    with pytest.raises(ValidationError):
        TypeAdapter(OpaqueId).validate_python(value)


@pytest.mark.parametrize("value", ["a", "a9", "a_b-c", "x" * 80])
def test_bank_ids(value) -> None:
    """Lower-case letters, digits, underscore and hyphen, up to 80 of them, the first a letter."""
    assert TypeAdapter(BankId).validate_python(value) == value


@pytest.mark.parametrize("value", ["", "9a", "A", "aB", "_a", "-a", "x" * 81, "a.b", "a\n", "a b", "é"])
def test_what_is_no_bank_id(value) -> None:
    """Anything else is refused."""
    with pytest.raises(ValidationError):
        TypeAdapter(BankId).validate_python(value)
