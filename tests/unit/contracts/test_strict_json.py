"""Strict JSON: what is taken, and the words in which the rest is refused."""

from __future__ import annotations

import pytest

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.strict_json import parse, parse_line, refuse_foreign_start


@pytest.mark.parametrize(
    ("payload", "value"),
    [
        (b"null", None),
        (b" [1, -2, 0.5, 1e3, true]\n", [1, -2, 0.5, 1000.0, True]),
        (b'{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}', {"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        (b'"\\\\ud800"', "\\ud800"),
        ('"\U0001f600é\u2028"'.encode(), "\U0001f600é\u2028"),
        (b'"\\u0000\\n"', "\x00\n"),
        (b"1.7976931348623157e308", 1.7976931348623157e308),
        (b"123456789012345678901234567890", 123456789012345678901234567890),
    ],
)
def test_valid_json_is_taken_as_it_stands(payload, value) -> None:
    """Valid JSON comes back as its value, nothing changed."""
    assert parse(payload) == value


def test_a_fraction_stays_a_float_and_an_integer_an_integer() -> None:
    """1.0 and 1 differ in type, so that a contract can refuse the first."""
    assert [type(one) for one in parse(b"[1.0, 1, 1e2]")] == [float, int, float]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("payload", "rule"),
    [
        (b'{"a": 1, "a": 1}', "duplicate key in an object (line 1, column 10)"),
        (b'[{"b": {"a": 1, "c": 2, "a": 3}}]', "duplicate key in an object (line 1, column 25)"),
        (b'{"a": 1, "\\u0061": 2}', "duplicate key in an object (line 1, column 10)"),
        (b"[NaN]", "NaN is not JSON (line 1, column 2)"),
        (b"[Infinity]", "Infinity is not JSON (line 1, column 2)"),
        (b"[-Infinity]", "-Infinity is not JSON (line 1, column 2)"),
        (b"1e999", "holds a number too large for a float (line 1, column 1)"),
        (b"[-1e999]", "holds a number too large for a float (line 1, column 2)"),
        (b'"\\ud800"', "holds a lone surrogate escape, which is no character (line 1, column 1)"),
        (b'"\\uDC00\\uD800"', "holds a lone surrogate escape, which is no character (line 1, column 1)"),
        (b'"\\ud83dx\\ude00"', "holds a lone surrogate escape, which is no character (line 1, column 1)"),
        (b'{"\\udfff": 1}', "holds a lone surrogate escape, which is no character (line 1, column 2)"),
        (b'{"\xc3\xa9": 1,\n "b": [], "b": 2}', "duplicate key in an object (line 2, column 11)"),
        (b'["\\"]{", {"a": "}a", "a": 1}]', "duplicate key in an object (line 1, column 22)"),
        (b'["NaN", 1e5, {"a": {"a": 1}, "b": NaN}]', "NaN is not JSON (line 1, column 35)"),
        (b'"\xed\xa0\x80"', "not UTF-8: invalid byte 0xED at byte 1"),
        (b'"ab\xff"', "not UTF-8: invalid byte 0xFF at byte 3"),
        (b'"\xc0\xaf"', "not UTF-8: invalid byte 0xC0 at byte 1"),
        (b'"\xf4\x90\x80\x80"', "not UTF-8: invalid byte 0xF4 at byte 1"),
        (b"1" * 5_000, "holds a number with too many digits (line 1, column 1)"),
        (b"[" * 200_000 + b"]" * 200_000, "nested too deeply"),
        (b'{"a":' * 200_000 + b"1" + b"}" * 200_000, "nested too deeply"),
    ],
)
def test_what_breaks_a_rule_is_refused(payload, rule) -> None:
    """Each rule has words of its own, and they name no value."""
    with pytest.raises(Fault) as caught:
        parse(payload)
    assert str(caught.value) == rule


@pytest.mark.parametrize(
    ("payload", "place"),
    [
        (b"", "line 1, column 1"),
        (b"{'a': 1}", "line 1, column 2"),
        (b'{"a": 1,}', "line 1, column "),
        (b"[1, 2,]", "line 1, column "),
        (b'{"a": 01}', "line 1, column 8"),
        (b"[1] [2]", "line 1, column 5"),
        ('["é",\n "ü" x]'.encode(), "line 2, column 6"),
        (b'"a\x01b"', "line 1, column 3"),
        (b'"a\tb"', "line 1, column 3"),
        (b'"\\x41"', "line 1, column 2"),
        (b'"open', "line 1, column 1"),
        (b"// c\n1", "line 1, column 1"),
        (b"\xe2\x80\x83[1]", "line 1, column 1"),
        (b"+1", "line 1, column 1"),
        (b".5", "line 1, column 1"),
        (b"True", "line 1, column 1"),
    ],
)
def test_broken_syntax_is_placed(payload, place) -> None:
    """Broken syntax is refused with line and column, in code points."""
    with pytest.raises(Fault, match=r"^not valid JSON at ") as caught:
        parse(payload)
    assert place in str(caught.value)


def test_a_line_of_a_file_is_placed_by_column() -> None:
    """In JSON Lines the line is the file's, so only the column is said."""
    with pytest.raises(Fault) as caught:
        parse_line(b'{"a": 1, "a": 2}')
    assert str(caught.value) == "duplicate key in an object (column 10)"
    with pytest.raises(Fault) as caught:
        parse_line('{"é": oops}'.encode())
    assert str(caught.value) == "not valid JSON at column 7: Expecting value"


def test_the_decoder_error_does_not_travel_along() -> None:
    """The fault hides the decoder's exception, which carries the whole document."""
    with pytest.raises(Fault) as caught:
        parse(b'{"secret": oops}')
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("payload", "rule"),
    [
        (b"\xef\xbb\xbf{}", "starts with a UTF-8 byte order mark (BOM); save as UTF-8 without BOM"),
        (b"{\x00}\x00", "holds zero bytes, as UTF-16 does; save as UTF-8 without BOM"),
        (b"\xff\xfe{\x00", "starts with a UTF-16 byte order mark (BOM); save as UTF-8 without BOM"),
        (b"\xfe\xff\x00{", "starts with a UTF-16 byte order mark (BOM); save as UTF-8 without BOM"),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n",
            "is a Git LFS pointer, not the file; run 'git lfs pull'",
        ),
    ],
)
def test_foreign_starts_are_named(payload, rule) -> None:
    """A byte order mark or a Git LFS pointer is said to be one."""
    with pytest.raises(Fault) as caught:
        refuse_foreign_start(payload)
    assert str(caught.value) == rule


@pytest.mark.parametrize("payload", [b"", b"{}", b"version 2", b"\xef\xbb", b" \xef\xbb\xbf"])
def test_other_starts_pass(payload) -> None:
    """Anything else is left to the parser."""
    refuse_foreign_start(payload)
