"""A detector in a process of its own: the same answers, and a real end to whatever is stuck."""

from __future__ import annotations

import json
import os
import pickle
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import stub_detectors

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.detectors import serve
from pytest_pii_eval.detectors.adapters.process import ProcessDetector
from pytest_pii_eval.detectors.answers import BadAnswer
from pytest_pii_eval.detectors.child import ProcessFailure
from pytest_pii_eval.detectors.finding import Wanted, build
from pytest_pii_eval.detectors.isolated import IsolatedDetector, _command, limited
from pytest_pii_eval.detectors.lines import request

CANARY = "Ada-Lovelace"
STUCK = 0.5
AMPLE = 60.0


@pytest.fixture
def isolate():
    """Isolate a stub by name; all are closed at the end."""
    made = []

    def isolate(name, limit=AMPLE, **options):
        made.append(IsolatedDetector(_wanted(name, **options), limit))
        return made[-1]

    yield isolate
    for detector in made:
        detector.close()


def _wanted(name, **options):
    return Wanted(f"stub_detectors:{name}", tuple(options.items()))


def _gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def _said(detector):
    return (
        detector.name,
        detector.version,
        detector.offset_unit,
        detector.label_map,
        getattr(detector, "identities", False),
        dict(getattr(detector, "libraries", dict)()),
        detector.fingerprint(),
    )


@pytest.mark.parametrize("options", [(), (("timeout", "1000"),)])
def test_a_process_keeps_the_limit_itself(options) -> None:
    """A detector that is a process already is not put into another, which it would survive."""
    hello = {"name": "stuck", "version": "1", "offset_unit": "byte"}
    code = f"import time; print({json.dumps(hello)!r}, flush=True); time.sleep(1000)"
    command = ("command", shlex.join([sys.executable, "-S", "-c", code]))
    detector = limited(Wanted("process", (command, *options)), STUCK)
    with pytest.raises(ProcessFailure) as caught:
        detector.detect("abc")
    assert (type(detector), caught.value.reason) == (ProcessDetector, "time_limit")
    assert _gone(detector.pid)


def test_any_other_gets_a_process() -> None:
    """A detector of this process gets one of its own where it has a limit."""
    detector = limited(_wanted("find"), AMPLE)
    assert (type(detector), detector.pid != os.getpid()) == (IsolatedDetector, True)
    detector.close()


@pytest.mark.parametrize("word", ["sleep", "lock"])
def test_it_does_not_outlive_its_parent(word) -> None:
    """A stuck process whose parent is gone, and kills nobody any more, ends itself."""
    before_the_fuse = 0.5 - serve._FUSE
    asked = {**_wanted("find")._asdict(), "limits": [AMPLE, before_the_fuse]}
    with subprocess.Popen(_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdin.write(json.dumps(asked).encode() + b"\n" + request(1, word))
        process.stdin.flush()
        assert process.wait(AMPLE) == -signal.SIGALRM


@pytest.mark.parametrize("wanted", [_wanted("find"), _wanted("Whole", label="A")], ids=["function", "class"])
def test_it_is_the_detector_inside(isolate, wanted) -> None:
    """What it says of itself and what it answers is what the detector inside says and answers."""
    inside = build(wanted)
    isolated = isolate(wanted.name.partition(":")[2], **dict(wanted.options))
    assert _said(isolated) == _said(inside)
    assert [isolated.detect(text) for text in ("a 12", "\N{GRINNING FACE} 7\r\n\0")] == [
        inside.detect(text) for text in ("a 12", "\N{GRINNING FACE} 7\r\n\0")
    ]


def test_literal_answers(isolate) -> None:
    """Every stage of an answer comes through."""
    span = Span(0, 3, "A", 0.5, ("e", "n", "p"))
    assert isolate("Whole", label="A").detect("abc") == Detection(
        (span,), (span, span), ((0, 1),), partial=True
    )
    assert isolate("find").detect("a 12 b 3") == Detection((Span(2, 4, "N"), Span(7, 8, "N")))


@pytest.mark.parametrize("word", ["sleep", "loop", "lock"])
def test_stuck(isolate, word) -> None:
    """Asleep, in a loop, or in C with the interpreter lock: it is killed, and the next text answered."""
    detector = isolate("find", STUCK)
    stuck = detector.pid
    with pytest.raises(ProcessFailure) as caught:
        detector.detect(f"{word} {CANARY}")
    assert caught.value.reason == "time_limit"
    assert CANARY not in str(caught.value)
    assert _gone(stuck)
    detector._limit = AMPLE
    assert detector.detect("12") == Detection((Span(0, 2, "N"),))
    assert detector.pid != stuck


def test_a_start_counts_against_no_document(isolate) -> None:
    """A detector that takes longer to build than a document may take answers after each of its starts."""
    detector = isolate("Whole", 1.0, label="A", start="1.1")
    assert len(detector.detect("abc").selected) == 1
    with pytest.raises(ProcessFailure):
        detector.detect("sleep")
    assert len(detector.detect("abc").selected) == 1


def test_died(isolate) -> None:
    """A detector that kills its process has died, and the next text is answered."""
    detector = isolate("find")
    with pytest.raises(ProcessFailure) as caught:
        detector.detect("die")
    assert caught.value.reason == "died"
    assert detector.detect("12") == Detection((Span(0, 2, "N"),))


@pytest.mark.parametrize(
    ("word", "type_name", "statement"),
    [("fail", "ValueError", "raise ValueError(text)"), ("leave", "SystemExit", "sys.exit(CANARY)")],
)
def test_exception_inside(isolate, word, type_name, statement) -> None:
    """An exception is told by type and place, never by its text, and the process goes on."""
    detector = isolate("find")
    first = detector.pid
    with pytest.raises(ProcessFailure) as caught:
        detector.detect(f"{word} {CANARY}")
    failure = caught.value
    lines = Path(stub_detectors.__file__).read_text().splitlines()
    place = f"stub_detectors.py:{lines.index('    ' + statement) + 1}"
    assert (failure.cause, failure.type_name, failure.place) == ("exception", type_name, place)
    assert failure.reason == f"{type_name} in {place}"
    assert CANARY not in str(failure)
    assert detector.detect("12") == Detection((Span(0, 2, "N"),))
    assert detector.pid == first


@pytest.mark.parametrize(
    ("word", "rule"), [("rule", "the rule of a bad answer"), ("none", "the answer is no collection of spans")]
)
def test_bad_answer_inside(isolate, word, rule) -> None:
    """A bad answer is the same exception with the same rule as without a process."""
    with pytest.raises(BadAnswer) as caught:
        isolate("find").detect(word)
    assert caught.value.rule == rule


def test_our_own_exceptions_inside(isolate) -> None:
    """What one of our own exceptions goes by is the same as without a process."""
    with pytest.raises(ProcessFailure) as caught:
        isolate("find").detect("limit")
    assert (caught.value.reason, caught.value.type_name) == ("match_limit", "ScanFailure")


def test_silence(isolate, capfd) -> None:
    """What it or its children print, log or warn of neither shows nor gets into an answer."""
    assert isolate("find").detect(f"noise {CANARY}") == Detection((Span(0, 1, "QUIET"),))
    assert capfd.readouterr() == ("", "")


def test_it_looks_where_its_parent_looks(tmp_path, monkeypatch) -> None:
    """Modules are found where this process finds them, and not in the working directory besides."""
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "json.py").write_text("raise RuntimeError\n")
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "of_the_parent.py").write_text("def find(text):\n    return [(0, 1, 'A')]\n")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.syspath_prepend(tmp_path / "there")
    detector = IsolatedDetector(Wanted("of_the_parent:find"), AMPLE)
    assert detector.detect("a") == Detection((Span(0, 1, "A"),))
    detector.close()


def test_paths(tmp_path) -> None:
    """Modules are found in the folders that were asked for."""
    (tmp_path / "of_the_user.py").write_text("def find(text):\n    return [(0, 1, 'B')]\n")
    detector = IsolatedDetector(Wanted("of_the_user:find", (), (str(tmp_path),)), AMPLE)
    assert detector.detect("a") == Detection((Span(0, 1, "B"),))
    detector.close()


@pytest.mark.parametrize(
    "name",
    ["missing", "no_function", "Unready", "Leaving"],
)
def test_build_faults(name) -> None:
    """What is wrong with a detector is told in the words that building it here would use."""
    with pytest.raises(Fault) as caught:
        IsolatedDetector(_wanted(name), AMPLE)
    if name == "Leaving":
        assert str(caught.value).startswith(
            "the detector could not be built: SystemExit in stub_detectors.py:"
        )
    else:
        with pytest.raises(Fault) as here:
            build(_wanted(name))
        assert str(caught.value) == str(here.value)
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "limit", "rule"),
    [
        ("Aborting", AMPLE, "the detector's process ended without an answer, before it said what it is"),
        (
            "Wordless",
            AMPLE,
            "cannot say its fingerprint(): RuntimeError in stub_detectors.py:",
        ),
        ("Whole", STUCK, "gave no answer within its time limit and was killed, before it said what it is"),
    ],
)
def test_no_start(name, limit, rule) -> None:
    """A detector that does not get to its first answer is one clear line."""
    options = {"label": "A", "start": "1000"} if name == "Whole" else {}
    with pytest.raises(Fault) as caught:
        IsolatedDetector(_wanted(name, **options), AMPLE, start_limit=limit)
    assert rule in str(caught.value)
    assert CANARY not in str(caught.value)


def test_close(isolate, tmp_path) -> None:
    """Closing closes the detector inside and ends its process; twice is once."""
    detector = isolate("Whole", label="A", closed=str(tmp_path / "closed"))
    detector.detect("abc")
    detector.close()
    detector.close()
    assert (tmp_path / "closed").exists()
    assert _gone(detector.pid)


def test_already_built() -> None:
    """A detector that a hook has built moves by pickle."""
    detector = IsolatedDetector.of(stub_detectors.Whole("B"), AMPLE)
    assert detector.detect("abc").selected == (Span(0, 3, "B", 0.5, ("e", "n", "p")),)
    detector._limit = STUCK
    with pytest.raises(ProcessFailure):
        detector.detect("sleep")
    detector._limit = AMPLE
    assert detector.detect("abc").selected == (Span(0, 3, "B", 0.5, ("e", "n", "p")),)
    detector.close()


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("Unpicklable", r"the detector does not pickle \(\w+\), .*; name it as module:attribute instead"),
        ("Unloadable", r"could not be unpickled .* \(RuntimeError\); name it as module:attribute instead"),
    ],
)
def test_no_pickle(name, rule) -> None:
    """One that does not pickle there and back is one line that says how it could be named."""
    with pytest.raises(Fault, match=rule) as caught:
        IsolatedDetector.of(getattr(stub_detectors, name)(), AMPLE)
    assert CANARY not in str(caught.value)


def test_options_that_do_not_travel() -> None:
    """Options that no line of JSON holds are refused before anything is started."""
    with pytest.raises(Fault, match="takes text and numbers only"):
        IsolatedDetector(_wanted("Whole", label=object()), AMPLE)


@pytest.mark.parametrize(
    "failure",
    [
        ProcessFailure("time_limit"),
        ProcessFailure("exception", "ValueError", "mine.py:12"),
        ProcessFailure("exception", "ScanFailure", "engine.py:9", "match_limit"),
    ],
)
def test_failures_travel(failure) -> None:
    """A failure pickles, as xdist and multiprocessing want."""
    again = pickle.loads(pickle.dumps(failure))  # noqa: S301  # our own
    assert vars(again) == vars(failure)
    assert str(again) == str(failure)
