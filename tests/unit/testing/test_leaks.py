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
    ],
)
def test_a_value_is_known_in_other_forms(said):
    """As it is, in capitals, escaped, as bytes, percent-encoded and in hex."""
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
