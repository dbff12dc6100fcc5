"""What counts as text in an exception or in output."""

from __future__ import annotations

import pytest

from pytest_pii_eval.testing.leaks import holds, shows

VALUE = "zoé.quill@example.org"
TEXT = f"please write to {VALUE} before the end of the month"


@pytest.mark.parametrize(
    "said",
    [
        f"found {VALUE}!",
        "ZOÉ.QUILL@EXAMPLE.ORG",
        "zo\\xe9.quill@example.org",
        "b'zo\\xc3\\xa9.quill@example.org'",
        "zo%C3%A9.quill%40example.org",
        "7a6fc3a92e7175696c6c406578616d706c652e6f7267",
        # By coreutils' base64, behind "", "a" and "ab", and with its two other signs.
        "em/DqS5xdWlsbEBleGFtcGxlLm9yZw==",
        "YXpvw6kucXVpbGxAZXhhbXBsZS5vcmc=",
        "YWJ6b8OpLnF1aWxsQGV4YW1wbGUub3JnIQ==",
        "em_DqS5xdWlsbEBleGFtcGxlLm9yZw",
    ],
)
def test_a_value_is_known_in_other_forms(said):
    """As it is, in capitals, escaped, as bytes, percent-encoded, in hex and in base64."""
    assert holds(said, [VALUE])


def test_other_words_are_no_leak():
    """Numbers, labels and half a value say nothing."""
    assert not holds("EMAIL at 16 to 37, example.org", [VALUE])


def _noted():
    error = ValueError("bad input")
    error.add_note(f"in {TEXT}")
    return error


def _caused():
    error = ValueError("bad input")
    error.__cause__ = KeyError(VALUE)
    return error


def _in_context():
    error = ValueError("bad input")
    error.__context__ = RuntimeError(TEXT[:40])
    return error


def _attributed():
    error = ValueError("bad input")
    error.document = [TEXT]
    return error


@pytest.mark.parametrize(
    "error",
    [
        ValueError(VALUE),
        ValueError("at", {"text": TEXT}),
        ValueError(TEXT[10:38]),
        _noted(),
        _caused(),
        _in_context(),
        _attributed(),
        ExceptionGroup("several", [ValueError("fine"), ExceptionGroup("more", [ValueError(TEXT)])]),
    ],
    ids=["message", "argument", "part", "note", "cause", "context", "attribute", "group"],
)
def test_all_that_an_exception_carries_is_looked_at(error):
    """Message, arguments, notes, attributes, causes, contexts and groups."""
    assert shows(error, TEXT, [VALUE])


@pytest.mark.parametrize("start", [0, 7, 18, 6_000, 20_007])
def test_any_twenty_characters_in_a_row_are_text(start):
    """A short prefix is found, and a piece of what stands far into a long text."""
    text = " ".join(f"{number} sheep" for number in range(3_000))
    assert shows(ValueError(f"bad input: {text[start : start + 20]}"), text, [])
    assert not shows(ValueError(f"bad input: {text[start : start + 10]}"), text, [])


def test_base64_of_a_short_value_is_not_looked_for():
    """Too little of it is the same wherever it stands."""
    assert not holds("Qm9i in the log", ["Bob"])


def test_silent_exceptions_are_none():
    """A message of numbers holds no text, nor does a chain that goes in circles."""
    error = ValueError("bad character at 17")
    error.__cause__ = error.__context__ = error
    assert not shows(error, TEXT, [VALUE])


def test_what_python_puts_into_a_unicode_error_is_looked_past():
    """The message of a failed encoding names a position; only its argument is the whole text."""
    with pytest.raises(UnicodeEncodeError) as caught:
        f"{TEXT} \udcff".encode()
    assert not shows(caught.value, f"{TEXT} \udcff", [VALUE])
