"""Broken case files: each gives one line that says file, line, place and rule, and never what stood there."""

from __future__ import annotations

import sys

from bad_input import TEXT, case, collection_errors, line

from conftest import NAME

_CASE = line(case("one"))
_EMOJI = "😀".encode()
_EXTRA = b'"Quartzmore": {"Zephyrine": [1]}'
_COMMA = len(_CASE.decode()) - 1  # the column of the comma put before the last bracket
_TRAILING_COMMA = (
    f"column {_COMMA}: Illegal trailing comma before end of object"
    if sys.version_info >= (3, 13)
    else f"column {_COMMA + 1}: Expecting property name enclosed in double quotes"
)

# What the file holds, and what is said behind its name.
FAULTS: dict[str, tuple[bytes, str]] = {
    "utf8-bom": (
        b"\xef\xbb\xbf" + _CASE,
        ":1: starts with a UTF-8 byte order mark (BOM); save as UTF-8 without BOM",
    ),
    "utf16-bom-le": (
        b"\xff\xfe" + _CASE.decode().encode("utf-16-le"),
        ":1: starts with a UTF-16 byte order mark (BOM); save as UTF-8 without BOM",
    ),
    "utf16-bom-be": (
        b"\xfe\xff" + _CASE.decode().encode("utf-16-be"),
        ":1: starts with a UTF-16 byte order mark (BOM); save as UTF-8 without BOM",
    ),
    "utf16-le": (
        _CASE.decode().encode("utf-16-le"),
        ":1: holds zero bytes, as UTF-16 does; save as UTF-8 without BOM",
    ),
    "utf16-be": (
        _CASE.decode().encode("utf-16-be"),
        ":1: holds zero bytes, as UTF-16 does; save as UTF-8 without BOM",
    ),
    "bom-inside": (
        line(case("bom.1")) + b"\xef\xbb\xbf" + line(case("bom.2")),
        ":2: not valid JSON at column 1: Expecting value",
    ),
    "crlf": (_CASE[:-1] + b"\r\n", ":1: holds a carriage return; lines end with a line feed alone"),
    "cr-only": (_CASE[:-1] + b"\r", ":1: last line does not end with a line feed; the file may be cut off"),
    "blank-between": (line(case("b.1")) + b"\n" + line(case("b.2")), ":2: blank line"),
    "blank-last": (line(case("b.3")) + b"\n", ":2: blank line"),
    "blank-spaces": (b" \t\n" + _CASE, ":1: blank line"),
    "no-final-line-feed": (
        line(case("f.1")) + _CASE[:-1],
        ":2: last line does not end with a line feed; the file may be cut off",
    ),
    "latin1": (b'{"text": "Ren\xe9 Quartzmore"}\n', ":1: not UTF-8: invalid byte 0xE9 at byte 13"),
    "latin1-on-line-2": (
        line(case("l.1")) + b'{"case_id":"d2","text":"Jos\xe9"}\n',
        ":2: not UTF-8: invalid byte 0xE9 at byte 27",
    ),
    "surrogate-bytes": (b'{"text": "\xed\xa0\xbd"}\n', ":1: not UTF-8: invalid byte 0xED at byte 10"),
    "lone-surrogate": (
        b'{"text": "x \\ud83d Zephyrine"}\n',
        ":1: holds a lone surrogate escape, which is no character (column 10)",
    ),
    "lone-surrogate-in-a-key": (
        b'{"text": "x", "\\uDE00": 1}\n',
        ":1: holds a lone surrogate escape, which is no character (column 15)",
    ),
    "swapped-surrogates": (
        b'{"text": "\\ude00\\ud83d"}\n',
        ":1: holds a lone surrogate escape, which is no character (column 10)",
    ),
    "duplicate-key": (
        b'{"text": "Zephyrine", "text": "Quartzmore"}\n',
        ":1: duplicate key in an object (column 23)",
    ),
    "duplicate-key-nested": (
        b'{"expected": [{"start": 0, "end": 4}, {"start": 0, "start": 1}]}\n',
        ":1: duplicate key in an object (column 52)",
    ),
    "duplicate-key-escaped": (
        b'{"expected": [{"start": 0, "st\\u0061rt": 1}]}\n',
        ":1: duplicate key in an object (column 28)",
    ),
    "nan": (b'{"expected": [{"start": NaN}]}\n', ":1: NaN is not JSON (column 25)"),
    "infinity": (b'{"text": "NaN", "start": Infinity}\n', ":1: Infinity is not JSON (column 26)"),
    "minus-infinity": (b'{"start": -Infinity}\n', ":1: -Infinity is not JSON (column 11)"),
    "overflow": (b'{"start": 1e999}\n', ":1: holds a number too large for a float (column 11)"),
    "huge-integer": (
        b'{"start": ' + b"9" * 5_000 + b"}\n",
        ":1: holds a number with too many digits (column 11)",
    ),
    "trailing-comma": (_CASE[:-2] + b",}\n", f":1: not valid JSON at {_TRAILING_COMMA}"),
    "missing-brace": (
        _CASE[:-2] + b"\n",
        f":1: not valid JSON at column {_COMMA}: Expecting ',' delimiter",
    ),
    "single-quotes": (
        b"{'text': 'Zephyrine'}\n",
        ":1: not valid JSON at column 2: Expecting property name enclosed in double quotes",
    ),
    "two-objects": (
        _CASE[:-1] + _CASE,
        f":1: not valid JSON at column {len(_CASE.decode())}: Extra data",
    ),
    "raw-control-character": (
        b'{"text": "a\x01b"}\n',
        ":1: not valid JSON at column 12: Invalid control character at",
    ),
    "array": (b"[" + _CASE[:-1] + b"]\n", ":1: expected one object per line"),
    "string": (b'"Zephyrine Quartzmore"\n', ":1: expected one object per line"),
    "null": (b"null\n", ":1: expected one object per line"),
    "pretty-printed": (
        b"{\n" + _CASE[1:],
        ":1: not valid JSON at column 2: Expecting property name enclosed in double quotes",
    ),
    "deep-arrays": (b'{"text": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n", ":1: nested too deeply"),
    "deep-objects": (b'{"a": ' * 100_000 + b"1" + b"}" * 100_000 + b"\n", ":1: nested too deeply"),
    "deep-in-a-field": (
        line(case("n.1"))[:-2] + b', "Quartzmore": ' + b"[" * 300 + b"]" * 300 + b"}\n",
        ":1: has an unknown field",
    ),
    "long-line": (
        b'{"text": "' + b"Zephyrine " * 1_700_000 + b'"}\n',
        ":1: line is longer than the limit of 16,777,216 bytes",
    ),
    "long-line-without-end": (
        line(case("long.1")) + b"Zephyrine " * 1_700_000,
        ":2: line is longer than the limit of 16,777,216 bytes",
    ),
    "git-lfs-pointer": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 886\n",
        ":1: is a Git LFS pointer, not the file; run 'git lfs pull'",
    ),
    "line-separator-outside": (
        _CASE[:-1] + "\u2028".encode() + b"\n",
        f":1: not valid JSON at column {len(_CASE.decode())}: Extra data",
    ),
}


def test_every_fault_is_one_line(suite, processes):
    """File, line, place and rule of each, word for word; exit 2, no report, and no text."""
    suite.write()
    for name, (payload, _) in FAULTS.items():
        (suite.path / f"conformance-positive-{name}.jsonl").write_bytes(payload)
    result = suite.run(*processes)
    files = {f"conformance-positive-{name}.jsonl": rule for name, (_, rule) in FAULTS.items()}
    assert collection_errors(result) == {file: [file + rule] for file, rule in files.items()}
    assert result.ret == 2
    assert f"Interrupted: {len(FAULTS)} errors during collection" in result.stdout.str()
    assert not (suite.path / ".pii_eval").exists()
    output = result.stdout.str() + result.stderr.str()
    assert "Zephyrine" not in output
    assert "Quartzmore" not in output


def test_sound_rows_that_look_odd_are_taken(suite):
    """Escaped pairs of surrogates, U+FEFF, U+2028, a raw DEL and NaN in text, spaces around: all are JSON."""
    escaped = line(case("odd.1", tags=["unicode"])).replace(_EMOJI, b"\\ud83d\\ude00")
    marked = line(case("odd.2", text=f"😀 für {NAME}\ufeff\u2028\u0085 NaN \x7f"))
    (suite.write().path / "conformance-positive-odd.jsonl").write_bytes(
        escaped + b" " + marked[:-1] + b"\t\n"
    )
    assert TEXT.encode()[10:30].decode() == NAME
    suite.run().assert_outcomes(passed=18 + 6 + 5 + 2)


def test_a_file_of_no_rows_is_no_fault(suite):
    """An empty file holds no case; the support checks judge whether enough is left."""
    (suite.write().path / "conformance-positive-empty.jsonl").write_bytes(b"")
    suite.run().assert_outcomes(passed=18 + 6 + 5)
    (suite.path / "conformance-positive.jsonl").write_bytes(b"")
    result = suite.run()
    assert result.ret == 1
    assert "no positive case was collected" in result.stdout.str()
    assert suite.report()["conformance"]["recall"] is None
