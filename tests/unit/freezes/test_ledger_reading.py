"""Reading the ledger: what it tells, and that every line which does not fit is refused with its place."""

from __future__ import annotations

import os
from datetime import datetime, timedelta, timezone

import pytest
from ledger_values import LONG, REPORT, ZERO, begun, bound, broken, chain, ended, text

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.ledger import parse_ledger, read_ledger
from pytest_pii_eval.freezes.ledger_model import GENESIS, LedgerLine, moment

CANARY = "Vaxholm-Tintomara"
WRITTEN = (
    '{"after":null,"at":"2026-03-01T12:00:00Z","bound":{'
    '"detector":"sha256:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",'
    '"floors":"sha256:cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc",'
    '"freezes":"sha256:7777777777777777777777777777777777777777777777777777777777777777",'
    '"gold":"sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",'
    '"repository":"eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",'
    '"scorer":"ffffffffffffffffffffffffffffffffffffffff",'
    '"scorer_source":"sha256:dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd",'
    '"set":"sealed-mail"},"event":"started",'
    '"previous":"sha256:0000000000000000000000000000000000000000000000000000000000000000",'
    '"promotion":"rc-1","reason":null,"report":null,"schema_version":"pii_eval.ledger.v1",'
    '"sequence":1,"verdict":null}'
)
# printf '%s' WRITTEN | sha256sum
WRITTEN_SHA256 = "sha256:9b4b628ab50d4eb41d6e93ec275ced89deb0710706b9960a5590c6ffce34903d"


def refused(payload: bytes) -> str:
    """Return the fault of a ledger that must not be read."""
    with pytest.raises(Fault) as caught:
        parse_ledger(payload, file="ledger.jsonl")
    return str(caught.value)


def test_first_line_is_the_one_written_by_hand():
    """A line is canonical JSON with every field, and its hash is what sha256sum says about those bytes."""
    line = LedgerLine(
        sequence=1,
        previous=GENESIS,
        at="2026-03-01T12:00:00Z",
        event="started",
        promotion="rc-1",
        bound=bound(),
    )
    assert (line.rendered().decode(), line.sha256) == (WRITTEN, WRITTEN_SHA256)


def test_builder_of_these_tests_writes_the_same_line():
    """The text that the other tests build is the one written by hand."""
    assert text() == WRITTEN


def test_head_is_the_hash_of_the_last_line():
    """The next line is bound to the last one."""
    assert parse_ledger(f"{WRITTEN}\n".encode(), file="ledger.jsonl").head == WRITTEN_SHA256


def test_empty_ledger():
    """A ledger without a line has no promotion, and its first line will be bound to zeros."""
    ledger = parse_ledger(b"", file="ledger.jsonl")
    assert (ledger.lines, dict(ledger.promotions), ledger.head, ledger.last) == ((), {}, ZERO, None)


def test_missing_file_is_an_empty_ledger(tmp_path):
    """Before the first promotion there is neither file nor folder."""
    assert read_ledger(tmp_path / "freezes" / "ledger.jsonl", root=tmp_path).lines == ()


def test_states_of_promotions():
    """Each promotion has the state that its lines tell, in order of their starts."""
    ledger = parse_ledger(LONG, file="ledger.jsonl")
    assert [(one.id, one.state) for one in ledger.promotions.values()] == [
        ("rc-1", "ship"),
        ("rc-2", "interrupted"),
        ("rc-3", "interrupted"),
        ("rc-4", "no_ship"),
    ]


def test_run_that_never_ended_is_interrupted():
    """A start without an end is told as interrupted, and has no last line."""
    last = parse_ledger(chain(begun("rc-1")), file="ledger.jsonl").last
    assert last is not None
    assert (last.state, last.ended) == ("interrupted", None)


@pytest.mark.parametrize(
    ("rows", "place"),
    [
        pytest.param([begun(), ended(), begun()], "3: promotion: starts", id="id used twice"),
        pytest.param([ended()], "1: promotion: ends", id="end without a start"),
        pytest.param([begun(), ended(), ended()], "3: promotion: ends", id="ended twice"),
        pytest.param([begun(), ended(), broken()], "3: promotion: ends", id="interrupted behind its end"),
        pytest.param([begun(), ended("rc-2")], "2: promotion: ends", id="end of another"),
        pytest.param(
            [begun(), begun("rc-2", after="rc-1", reason="killed"), ended("rc-1")],
            "3: promotion: ends",
            id="end of one that was replaced",
        ),
        pytest.param(
            [begun(), ended(bound=bound(set="other").model_dump())], "2: bound:", id="bound to another set"
        ),
        pytest.param([begun(), ended(verdict=None)], "2: verdict: is missing", id="no verdict"),
        pytest.param([begun(), ended(report=None)], "2: report: is missing", id="no report"),
        pytest.param([begun(verdict="ship")], "1: verdict: belongs", id="start with a verdict"),
        pytest.param([begun(report=REPORT)], "1: report: belongs", id="start with a report"),
        pytest.param([begun(), broken(verdict="ship")], "2: verdict: belongs", id="interrupted with verdict"),
        pytest.param([begun(), broken(report=REPORT)], "2: report: belongs", id="interrupted with report"),
        pytest.param([begun(), ended(after="rc-0")], "2: after: belongs", id="end that replaces"),
        pytest.param([begun(), ended(reason="why")], "2: reason: belongs", id="end with a reason"),
        pytest.param([begun(reason="why")], "1: reason: stands", id="reason for nothing"),
        pytest.param([begun(after="rc-0", reason="why")], "1: after: is not", id="replaces nothing"),
        pytest.param(
            [begun(), ended(), begun("rc-2", after="rc-1", reason="why")], "3: after:", id="replaces shipped"
        ),
        pytest.param([begun(), begun("rc-2")], "2: after: is not", id="killed one not replaced"),
        pytest.param(
            [begun(), broken(), begun("rc-2")], "3: after: is not", id="interrupted one not replaced"
        ),
        pytest.param(
            [begun(), begun("rc-2", after="rc-1")], "2: reason: stands", id="replaced without reason"
        ),
        pytest.param(
            [begun(), begun("rc-2", after="rc-9", reason="why")], "2: after:", id="replaces another"
        ),
        pytest.param([begun(sequence=2)], "1: sequence:", id="starts at two"),
        pytest.param([begun(), ended(sequence=3)], "2: sequence:", id="number left out"),
        pytest.param([begun(previous=REPORT)], "1: previous:", id="first bound to something"),
        pytest.param([begun(), ended(previous=ZERO)], "2: previous:", id="bound to nothing"),
        pytest.param([begun(at="2026-02-30T12:00:00Z")], "1: at: is no date", id="day that never was"),
        pytest.param([begun(at="2026-03-01 12:00:00")], "1: at: must match", id="another spelling of time"),
        pytest.param([begun(promotion="r c")], "1: promotion: must match", id="id with a space"),
        pytest.param([begun(promotion="rс-1")], "1: promotion: must match", id="id with a look-alike"),  # noqa: RUF001  # the Cyrillic letter is the point
        pytest.param([begun(reason="wrote to a person")], "1: reason: must match", id="reason in words"),
        pytest.param([begun(schema_version="pii_eval.ledger.v2")], "1: schema_version:", id="other version"),
        pytest.param([begun(sequence=1.0)], "1: sequence:", id="number with a fraction"),
        pytest.param([begun(note="x")], "1: has an unknown field", id="unknown field"),
    ],
)
def test_line_that_does_not_fit_is_refused(rows, place):
    """The fault names file, line and field, and what to do."""
    fault = refused(chain(*rows))
    assert fault.startswith(f"ledger.jsonl:{place}")
    assert fault.endswith("; restore the ledger from git")


@pytest.mark.parametrize(
    ("payload", "place"),
    [
        pytest.param(LONG[:-1], "7: last line does not end", id="no line feed at the end"),
        pytest.param(LONG[:-200], "7: last line does not end", id="cut in a line"),
        pytest.param(LONG + b"\n", "8: blank line", id="blank line"),
        pytest.param(b"\n", "1: blank line", id="only a line feed"),
        pytest.param(LONG.replace(b"\n", b"\r\n"), "1: holds a carriage return", id="carriage returns"),
        pytest.param(b"\xef\xbb\xbf" + LONG, "1: starts with a UTF-8 byte order mark", id="mark"),
        pytest.param(b'{"a":1,"a":1}\n', "1: duplicate key", id="repeated key"),
        pytest.param(b"[]\n", "1: expected one object", id="no object"),
        pytest.param(b"{}\n", "1: sequence: is missing", id="nothing in it"),
        pytest.param(LONG.replace(b'"after":null,', b"", 1), "1: is not written as", id="field left out"),
        pytest.param(LONG.replace(b":1,", b": 1,", 1), "1: is not written as", id="white space"),
        pytest.param(b"x" * 9000 + b"\n", "1: line is longer", id="long line"),
        pytest.param(b"\xff\n", "1: not UTF-8", id="not UTF-8"),
    ],
)
def test_bytes_that_no_run_wrote_are_refused(payload, place):
    """Only bytes that a run writes are a ledger."""
    assert refused(payload).startswith(f"ledger.jsonl:{place}")


def test_removed_last_lines_leave_a_ledger():
    """The chain cannot show that its end was removed: git has to."""
    short = b"".join(LONG.splitlines(keepends=True)[:2])
    assert list(parse_ledger(short, file="ledger.jsonl").promotions) == ["rc-1"]


@pytest.mark.parametrize("field", ["promotion", "reason", "after", "at", "previous", "report", "event"])
def test_fault_tells_nothing_of_a_value(field):
    """What somebody wrote into a field does not come back in the fault."""
    assert CANARY not in refused(chain(begun(**{field: f"{CANARY} {CANARY}"})))


def test_fault_tells_nothing_of_an_unknown_field():
    """The name of a field that nobody knows is input, too."""
    assert CANARY not in refused(chain(begun(**{CANARY: 1})))


def test_symlink_is_refused(tmp_path):
    """The ledger is the file itself."""
    (tmp_path / "real.jsonl").write_bytes(LONG)
    (tmp_path / "ledger.jsonl").symlink_to("real.jsonl")
    with pytest.raises(Fault, match=r"ledger\.jsonl: is a symlink"):
        read_ledger(tmp_path / "ledger.jsonl")


@pytest.mark.parametrize("target", ["real", "nowhere"])
def test_folder_that_is_a_symlink_is_refused(tmp_path, target):
    """A ledger behind a symlink is refused, also where there is nothing behind it."""
    (tmp_path / "real").mkdir()
    (tmp_path / "freezes").symlink_to(target)
    with pytest.raises(Fault, match=r"ledger\.jsonl: is reached through a symlink"):
        read_ledger(tmp_path / "freezes" / "ledger.jsonl", root=tmp_path)


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_what_is_no_file_is_refused(tmp_path, make):
    """A folder or a pipe is no ledger, and nobody waits for it."""
    make(tmp_path / "ledger.jsonl")
    with pytest.raises(Fault, match=r"ledger\.jsonl: is not a regular file"):
        read_ledger(tmp_path / "ledger.jsonl")


def test_moment_is_utc_in_whole_seconds():
    """Wherever the clock stands, the ledger has UTC, and parts of a second are left out."""
    here = datetime(2026, 3, 1, 0, 30, 0, 999_999, tzinfo=timezone(timedelta(hours=2)))
    assert moment(here) == "2026-02-28T22:30:00Z"
