"""Canonical JSON, with digests made by sha256sum."""

from __future__ import annotations

import pytest

from pytest_pii_eval.contracts.canonical import canonical_bytes, fingerprint, sha256


def test_bytes_are_sorted_compact_utf8() -> None:
    """Keys are sorted by code point, nothing stands between tokens, and letters stay letters."""
    value = {"b": [1, 2.5, True, None], "a": {"ö": "é\n", "Z": "\U0001f600"}}
    assert canonical_bytes(value) == '{"a":{"Z":"\U0001f600","ö":"é\\n"},"b":[1,2.5,true,null]}'.encode()


def test_sha256_names_its_algorithm() -> None:
    """The digest of no bytes is the known one, with its algorithm before it."""
    assert sha256(b"") == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_fingerprint_is_the_digest_of_the_canonical_bytes() -> None:
    """The fingerprint of an object is what `printf '{"a":1,"b":2}' | sha256sum` prints."""
    digest = "sha256:43258cff783fe7036d8a43033f830adfc60ec037382473548ac742b888292777"
    assert fingerprint({"b": 2, "a": 1}) == digest


def test_fingerprint_does_not_see_key_order() -> None:
    """Key order at any depth does not change a fingerprint; the order of a list does."""
    assert fingerprint({"x": {"b": 1, "a": 2}, "y": 0}) == fingerprint({"y": 0, "x": {"a": 2, "b": 1}})
    assert fingerprint([1, 2]) != fingerprint([2, 1])


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_is_not_json_is_refused(number) -> None:
    """NaN and the infinities have no canonical form."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_bytes({"a": number})
