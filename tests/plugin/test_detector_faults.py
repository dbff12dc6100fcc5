"""Detectors that fail on a document: it counts as missed and leaked, the run is incomplete, no text shows."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from detector_modules import FIND, FULL, raising
from quality_suite import STRANGER
from reading import lines_of

from conftest import NAME

MISSED = "their gold counts as missed and leaked"
LOUD = """
print(text); sys.stderr.write(text); os.write(1, text.encode()); os.write(2, text.encode())
logging.getLogger().error(text); logging.getLogger("x").info(text); warnings.warn(text)
"""


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("raise ValueError('text too long: ' + text)", "1 ValueError in mine.py:7"),
        (
            "try:\n    raise KeyError(text)\nexcept KeyError as e:\n    raise ValueError(text) from e",
            "1 ValueError in mine.py:10",
        ),
        ("raise type('Zephyrine Quartzmore', (Exception,), {})(text)", "1 exception"),
        ("raise RecursionError(text)", "1 RecursionError in mine.py:7"),
        ("raise MemoryError(text)", "1 MemoryError in mine.py:7"),
        (
            "yield text",
            "1 bad_answer: an item is neither a Span nor a tuple or mapping of start and end and label",
        ),
        ("yield (0, 1, None)", "1 bad_answer: a span is no Span or its label is no string"),
        ("yield {'start': 0, 'end': 1}", "1 bad_answer: a span is no Span or its label is no string"),
        ("while True: yield (0, 1, 'email')", "1 bad_answer: a stage holds more than 100000 spans"),
    ],
)
def test_a_document_without_an_answer_is_counted(quality, processes, source, reason):
    """Type and place of the exception, and the line of the document; nothing of its text, chain or name."""
    quality.pytester.makepyfile(mine=raising(source))
    arguments = ("--pii-detector=mine:find", "-vv", "-l", "--tb=long", "--full-trace")
    result = quality.only("contact").write().run(*processes, *arguments, bank=None)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [f"shard-00001: 1 of 5 documents have no answer ({reason}; first at line 2); {MISSED}"]
    )
    assert quality.report()["complete"] is False
    assert quality.values("contact", "recall", "leaks", "failed_documents") == [(2, 5), 2, 1]
    for canary in (NAME, NAME.split()[1], STRANGER):
        assert canary not in lines_of(result)


def test_one_bad_document_spoils_no_other_of_its_batch(quality):
    """A batch that raises is asked again one by one."""
    source = FULL.replace(
        'note(f"batch-of-{len(texts)}")',
        'note("batch")\n        if any(" met " in t for t in texts): raise ValueError',
    ).replace('note("single")', 'note("single")\n        if " met " in text: raise ValueError(text)')
    quality.pytester.makepyfile(mine=source)
    quality.only("contact").write().run("--pii-detector=mine:Full", bank=None)
    assert quality.values("contact", "failed_documents", "recall") == [1, (2, 5)]


def test_a_batch_that_is_spoilt_by_its_detector_harms_nobody(quality):
    """It gets a list of its own: emptying it changes no document."""
    source = FULL.replace(
        'note(f"batch-of-{len(texts)}")', "answers = list(map(self._detect, texts)); texts.clear()"
    )
    quality.pytester.makepyfile(
        mine=source.replace("return [self._detect(text) for text in texts]", "return answers")
    )
    result = quality.only("contact").write().run("--pii-detector=mine:Full", bank=None)
    assert result.ret == 0
    assert quality.values("contact", "recall") == [(3, 5)]


def test_a_partial_answer_is_none(quality):
    """What was cut off counts as missed, is told, and makes the run incomplete."""
    source = FULL.replace(
        "return Detection(spans, None, tuple(span[:2] for span in spans))",
        'return Detection(spans, partial=" met " in text)',
    )
    quality.pytester.makepyfile(mine=source)
    result = quality.only("contact").write().run("--pii-detector=mine:Full", bank=None)
    result.stdout.fnmatch_lines(
        [f"*1 of 5 documents have no answer (1 partial_answer; first at line 2); {MISSED}"]
    )
    assert quality.report()["complete"] is False
    assert quality.told("contact")["counts"]["partial_documents"] == 1
    assert quality.values("contact", "recall", "leaks") == [(2, 5), 2]


def test_a_stuck_detector_is_killed(quality, processes):
    """With a limit it runs in a process of its own, which is gone afterwards; the others are answered."""
    source = "open('pids.log', 'a').write(f'{os.getpid()}\\n')\nwhile True: pass"
    quality.pytester.makepyfile(mine="import os\n" + raising(source))
    arguments = ("--pii-detector=mine:find", "--pii-document-timeout=1")
    result = quality.only("contact").write().run(*processes, *arguments, bank=None)
    result.stdout.fnmatch_lines(
        [f"*1 of 5 documents have no answer (1 time_limit; first at line 2); {MISSED}"]
    )
    assert quality.values("contact", "recall", "leaks", "failed_documents") == [(2, 5), 2, 1]
    pids = (quality.path / "pids.log").read_text().split()
    assert len(pids) == 1
    assert not Path(f"/proc/{pids[0]}").exists() or not os.path.exists("/proc")  # noqa: PTH110  # no /proc, no proof


def test_a_process_of_its_own_changes_no_figure(quality):
    """With a limit and without: the same report."""
    quality.pytester.makepyfile(mine=FULL)
    quality.write().run("--pii-detector=mine:Full", bank=None)
    wanted = quality.report_text()
    assert quality.run("--pii-detector=mine:Full", "--pii-document-timeout=20", bank=None).ret == 0
    assert quality.report_text() == wanted


@pytest.mark.parametrize("reveal", ["none", "text"])
def test_what_a_detector_says_is_dropped_unless_revealed(quality, processes, reveal):
    """Prints, logs, warnings and raw writes, with -s and live logging: dropped, or shown on demand."""
    quality.pytester.makepyfile(mine="import logging, os, sys, warnings\n" + raising(LOUD))
    arguments = ["--pii-detector=mine:find", "-s", "-vv", "--log-cli-level=DEBUG", "-W", "error"]
    result = quality.only("contact").write().run(*processes, *arguments, f"--pii-reveal={reveal}", bank=None)
    assert quality.values("contact", "failed_documents") == [0]
    shown = STRANGER in lines_of(result)
    assert shown is (reveal == "text")


def test_predictions_of_no_common_label_fail_the_run(quality, processes):
    """No label known: not a recall of 0 but a failed gate; `PER` is a type, of no slice here."""
    quality.pytester.makepyfile(mine=FIND.replace('"email"', '"E-MAIL"').replace('"person"', '"PER"'))
    result = quality.only("contact").write().run(*processes, "--pii-detector=mine:find", bank=None)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "unmapped     predictions by label, counted once a slice: E-MAIL 4",
            "gate         fail labels.common: 0, must be at least 1 (support 5, disjoint_labels)",
        ]
    )


def test_case_is_never_folded(quality):
    """`PERSON` is not `person`: another type of the taxonomy, so out of the slice's scope, and told."""
    quality.pytester.makepyfile(mine=FIND.replace('"person"', '"PERSON"'))
    result = quality.only("contact").write().run("--pii-detector=mine:find", bank=None)
    assert result.ret == 0
    assert quality.told("contact")["out_of_scope_types"] == {"PERSON": 1}
    assert quality.values("contact", "recall", "leaks") == [(2, 5), 1]


def test_a_map_that_leads_nowhere_is_a_collection_error(quality):
    """A map whose types no slice asks for is refused before anything is asked."""
    quality.pytester.makepyfile(mine=FIND)
    quality.suite_file = "taxonomy: taxonomy.json\n"
    quality.write()
    (quality.path / "taxonomy.json").write_text(
        '{"version": "t1", "types": {"email": "contact", "person": "person", "url": "network"},'
        ' "label_maps": {"find": {"email": "url"}}}'
    )
    result = quality.run("--pii-detector=mine:find", bank=None)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(
        ["*label sets are disjoint: the detector's labels become url, and the slices ask for email, person;*"]
    )


def test_unmapped_and_out_of_scope_are_counted_by_slice(quality):
    """Names are listed where they are identifiers; the gate on unmapped predictions sees them."""
    quality.pytester.makepyfile(mine=FIND + '            yield match.start(), match.end(), "X-1"\n')
    result = (
        quality.only("contact", "people")
        .write()
        .run("--pii-detector=mine:find", "--pii-max-unmapped=4", bank=None)
    )
    result.assert_outcomes(failed=1, passed=2)
    assert quality.told("contact")["unmapped_labels"] == {"X-1": 5}
    assert quality.told("people")["unmapped_labels"] == {"X-1": 2}
    assert quality.told("people")["out_of_scope_types"] == {"email": 1}
    assert quality.judged()[0][:2] == ("contact", "max-unmapped")


def test_latency_is_of_the_run_part_alone(quality):
    """Bands count every answered document but those of the warm-up, and the host is described."""
    quality.pytester.makepyfile(mine=FIND)
    quality.only("contact").write().run("--pii-detector=mine:find", "--pii-shard-size=1", bank=None)
    latency = quality.report()["run"]["latency"]
    assert latency["warm_up"]["documents"] == 3
    assert {name: band["documents"] for name, band in latency["bands"].items()} == {"0-500": 2}
    assert latency["host"]["processors"] > 0
    assert latency["warm_up"]["builds"] == 1


@pytest.mark.parametrize(
    ("limit", "length", "exit_code", "line"),
    [
        ("600000", 2_000, 0, None),
        ("0", 2_000, 1, "gate         fail max-p95-ms: *, must be at most 0.0 (support 1)"),
        ("600000", 20, 1, "gate         fail max-p95-ms: null, must be * (support 0, no_documents_in_band)"),
    ],
)
def test_latency_is_gated_for_this_host(quality, limit, length, exit_code, line):
    """Notes of 2,000 characters; without one the gate has shown nothing, and fails."""
    quality.pytester.makepyfile(mine=FIND)
    quality.record("order")["document"]["text"] = "x" * length
    arguments = ("--pii-detector=mine:find", f"--pii-max-p95-ms={limit}")
    result = quality.only("contact").write().run(*arguments, bank=None)
    assert result.ret == exit_code
    assert quality.report()["passed"] is (exit_code == 0)
    if line is not None:
        result.stdout.fnmatch_lines([line])


LATE = """
import atexit, threading, time
def say():
    time.sleep(0.1)
    print(text)
    logging.getLogger().error(text)
threading.Thread(target=say, daemon=True).start()
atexit.register(print, text)
"""


def test_what_is_said_late_is_dropped(quality, processes):
    """A thread that outlives its answer, and a callback at the end of the process."""
    quality.pytester.makepyfile(mine="import logging\n" + raising(LATE))
    arguments = ("--pii-detector=mine:find", "-s", "--log-cli-level=DEBUG")
    result = quality.only("contact").write().run(*processes, *arguments, bank=None)
    assert result.ret == 0
    assert STRANGER not in lines_of(result)


def test_a_gate_on_latency_asks_one_by_one(quality):
    """A batch says nothing about a single document: with the gate there are none."""
    quality.pytester.makepyfile(mine=FULL)
    quality.only("contact").write().run("--pii-detector=mine:Full", "--pii-max-p95-ms=open", bank=None)
    words = [line.split()[0] for line in (quality.path / "notes.log").read_text().splitlines()]
    assert words == ["built", *["single"] * 5, "closed"]
    assert quality.report()["run"]["gates"][0]["verdict"] == "not_evaluated"


def test_disjoint_labels_fail_a_run_of_some_types(quality):
    """`--pii-types` narrows what is asked, and hides no map that leads nowhere."""
    quality.pytester.makepyfile(mine=FIND.replace('"email"', '"E-MAIL"'))
    arguments = ("--pii-detector=mine:find", "--pii-types=email")
    result = quality.only("contact").write().run(*arguments, bank=None)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["gate         fail labels.common*"])
