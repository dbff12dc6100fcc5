"""Writing the ledger: the lines of a promotion, and what may not start or end."""

from __future__ import annotations

from datetime import timedelta

import pytest
from ledger_values import LONG, NOON, REPORT, begun, bound, broken, chain, ended

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.held_ledger import held_ledger

CANARY = "Vaxholm Tintomara"
LATER = NOON + timedelta(minutes=5)
EARLIER = NOON - timedelta(seconds=1)


@pytest.fixture
def path(tmp_path):
    """The place of a ledger that is not there yet, in a folder that is."""
    folder = tmp_path / "freezes"
    folder.mkdir()
    return folder / "ledger.jsonl"


def check(path, promotion="rc-9", *, reason=None, now=NOON):
    """Ask whether a promotion could start."""
    with held_ledger(path) as held:
        held.check_start(promotion, reason=reason, now=now)


def test_promotion_that_ships(path):
    """A start and an end are the two lines written by hand."""
    with held_ledger(path) as held:
        held.start("rc-1", bound(), reason=None, now=NOON)
        held.finish("ship", REPORT, now=LATER)
    assert path.read_bytes() == chain(begun(), ended(at="2026-03-01T12:05:00Z"))


def test_promotion_that_replaces_an_interrupted_one(path):
    """The start behind an interrupted promotion names it and the reason."""
    with held_ledger(path) as held:
        held.start("rc-1", bound(), reason=None, now=NOON)
        held.interrupt(now=NOON)
        held.start("rc-2", bound(), reason="power-cut", now=NOON)
    assert path.read_bytes() == chain(begun(), broken(), begun("rc-2", after="rc-1", reason="power-cut"))


def test_promotion_that_replaces_a_killed_one(path):
    """A start that nothing follows is replaced like one that could still say so."""
    path.write_bytes(chain(begun()))
    with held_ledger(path) as held:
        held.start("rc-2", bound(), reason="killed", now=NOON)
    assert path.read_bytes() == chain(begun(), begun("rc-2", after="rc-1", reason="killed"))


def test_start_returns_its_line(path):
    """The report binds itself to the hash of this line."""
    with held_ledger(path) as held:
        line = held.start("rc-1", bound(), reason=None, now=NOON)
        assert (held.ledger.head, line.sequence) == (line.sha256, 1)


def test_line_is_on_the_disk_when_start_returns(path):
    """Whoever reads the ledger during a run sees that it started."""
    with held_ledger(path) as held:
        held.start("rc-1", bound(), reason=None, now=NOON)
        assert path.read_bytes() == chain(begun())


def test_check_changes_nothing(path):
    """Asking whether a promotion could start leaves neither a ledger nor anything beside it."""
    with held_ledger(path) as held:
        held.check_start("rc-9", reason=None, now=NOON)
        assert list(path.parent.iterdir()) == []


def test_nothing_is_left_beside_the_ledger(path):
    """Lock and temporary leave no file in the repository."""
    with held_ledger(path) as held:
        held.start("rc-1", bound(), reason=None, now=NOON)
    assert [one.name for one in path.parent.iterdir()] == ["ledger.jsonl"]


@pytest.mark.parametrize("promotion", ["rc-1", "rc-2", "rc-3", "RC-4"])
def test_used_id_is_refused(path, promotion):
    """An id is used once, whatever became of its promotion, and whatever the case of its letters."""
    path.write_bytes(LONG)
    with pytest.raises(Fault, match=r"ledger\.jsonl: promotion: was started before"):
        check(path, promotion)


@pytest.mark.parametrize("promotion", [CANARY, "", "rc-1\n", "../rc", "rс-1"])  # noqa: RUF001  # a Cyrillic letter
def test_id_that_is_none_is_refused(path, promotion):
    """An id with white space, a path or a look-alike of a letter is refused, and not told."""
    with pytest.raises(Fault, match=r"^ledger\.jsonl: promotion: must match \^\[A-Za-z0-9\]") as caught:
        check(path, promotion)
    assert CANARY not in str(caught.value)


def test_interrupted_promotion_needs_a_reason(path):
    """Nobody starts again without saying why."""
    path.write_bytes(chain(begun(), broken()))
    with pytest.raises(Fault, match=r"reason: is missing: rc-1, the promotion before, was interrupted"):
        check(path)


def test_reason_for_nothing_is_refused(path):
    """A reason stands only where there is something to replace."""
    path.write_bytes(chain(begun(), ended()))
    with pytest.raises(Fault, match=r"reason: is for a promotion that replaces an interrupted one"):
        check(path, reason="why")


def test_reason_in_words_is_refused(path):
    """A reason is a code, and what stood there is not told."""
    path.write_bytes(chain(begun()))
    with pytest.raises(Fault, match=r"reason: is a code, no text") as caught:
        check(path, reason=CANARY)
    assert "Vaxholm" not in str(caught.value)


def test_clock_behind_the_ledger_is_refused(path):
    """A start is never earlier than any line before it."""
    path.write_bytes(chain(begun(at="2026-03-01T12:00:00Z"), ended(at="2026-02-01T00:00:00Z")))
    with pytest.raises(Fault, match=r"ledger\.jsonl: the clock of this machine is behind .*; set it right"):
        check(path, now=EARLIER)


def test_start_checks_once_more(path):
    """A start that was not asked about before is refused alike, and nothing is written."""
    path.write_bytes(LONG)
    with held_ledger(path) as held, pytest.raises(Fault, match="was started before"):
        held.start("rc-1", bound(), reason=None, now=NOON)
    assert path.read_bytes() == LONG


def test_end_is_told_by_the_real_clock(path):
    """A clock that went backwards during the run does not keep the end from being written as it is."""
    with held_ledger(path) as held:
        held.start("rc-1", bound(), reason=None, now=NOON)
        held.finish("no_ship", REPORT, now=EARLIER)
    assert path.read_bytes() == chain(begun(), ended(verdict="no_ship", at="2026-03-01T11:59:59Z"))


@pytest.mark.parametrize("end", ["finish", "interrupt"])
def test_end_of_a_promotion_of_another_process_is_refused(path, end):
    """What a killed run left open stays open: only who started a promotion ends it."""
    path.write_bytes(chain(begun()))
    with held_ledger(path) as held, pytest.raises(Fault, match="no promotion has started that could end"):
        held.finish("ship", REPORT, now=NOON) if end == "finish" else held.interrupt(now=NOON)
    assert path.read_bytes() == chain(begun())


def test_promotion_ends_once(path):
    """Behind its end a promotion cannot be ended in another way."""
    with held_ledger(path) as held:
        held.start("rc-1", bound(), reason=None, now=NOON)
        held.finish("no_ship", REPORT, now=NOON)
        with pytest.raises(Fault, match="no promotion has started that could end"):
            held.finish("ship", REPORT, now=NOON)


def test_second_start_in_a_run_is_refused(path):
    """A run is one promotion: another cannot replace it while it goes on."""
    with held_ledger(path) as held:
        held.start("rc-1", bound(), reason=None, now=NOON)
        with pytest.raises(Fault, match="a promotion is going on"):
            held.start("rc-2", bound(), reason="why", now=NOON)


@pytest.mark.parametrize(("verdict", "report"), [("maybe", REPORT), ("ship", CANARY)])
def test_end_that_is_none_is_refused(path, verdict, report):
    """Verdict and hash are what they must be, or nothing is written and nothing is told of them."""
    with held_ledger(path) as held:
        held.start("rc-1", bound(), reason=None, now=NOON)
        with pytest.raises(Fault, match=r"^ledger\.jsonl: (verdict|report): must") as caught:
            held.finish(verdict, report, now=NOON)
    assert (CANARY in str(caught.value), path.read_bytes()) == (False, chain(begun()))


def test_edited_ledger_is_not_held(path):
    """Nothing is put behind lines that were edited."""
    path.write_bytes(LONG.replace(b'"ship"', b'"no_ship"', 1))
    with pytest.raises(Fault, match=r"ledger\.jsonl:3: previous: .*; restore the ledger from git"):
        check(path)
