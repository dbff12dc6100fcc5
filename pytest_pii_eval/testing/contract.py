"""The contract for detectors: a class to subclass in a test suite, one test a fault."""

from __future__ import annotations

import logging
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from pytest_pii_eval.contracts.offsets import OFFSET_UNITS
from pytest_pii_eval.testing.asking import Asker, Stuck
from pytest_pii_eval.testing.checks import depths, growth, offsets, places, privacy, process, state, time
from pytest_pii_eval.testing.drafts import Identifier
from pytest_pii_eval.testing.examination import Broken, Examination, Inapplicable, Limits
from pytest_pii_eval.withheld import withheld, without_frames

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_EXAMINATION: pytest.StashKey[Examination] = pytest.StashKey()


def _text_free(test: Callable[[Any, Examination], None]) -> Callable[[Any, Examination], None]:
    """Turn what the test raises into an outcome without text, frames and variables."""

    @wraps(test)
    def run(self: Any, pii_examination: Examination) -> None:
        outcome, message = without_frames(lambda: _outcome(lambda: test(self, pii_examination)))
        if outcome is not None:
            outcome(message)

    return run


def _outcome(action: Callable[[], None]) -> tuple[Callable[[str], None] | None, str]:
    try:
        action()
    except Broken as broken:
        return _fail, str(broken)
    except Inapplicable as reason:
        return pytest.skip, str(reason)
    except Stuck:
        return pytest.skip, "the detector did not answer in time; see test_returns_in_time"
    except Exception as error:  # noqa: BLE001  # its text and frames may hold text
        return _fail, f"the examination broke off: {withheld(error)}"
    return None, ""


def _fail(message: str) -> None:
    pytest.fail(message, pytrace=False)


class DetectorContract:
    """Subclass it, name identifiers, give a fixture `detector`: its tests hold a detector to the contract.

    All is relative to what the detector answers itself in a short neutral text: what it finds there must be
    found in every place, with the right offsets. Nothing is asked about what it does not find there, but by
    `test_finds_its_identifiers`. Each test is named after one fault, and a detector with one fault fails that
    test only, as long as the identifiers are ASCII. No failure shows text or an identifier.
    """

    identifiers: ClassVar[Sequence[tuple[str | None, str]]] = ()
    """`(label, value)`: values the detector finds wherever they stand between blanks, without blanks at
    their ends. The label is the detector's own for it; None: any label will do."""

    separators: ClassVar[Sequence[str]] = (" ", "\t", ",", ", ", ";", "; ", "|", " / ", ") (")
    """What may stand between two identifiers without anything else."""

    depth: ClassVar[int] = 20_000
    """Code points of the longest text in which an identifier is looked for, at its start and everywhere."""

    step: ClassVar[int] = 16
    """Code points from one such place to the next, over several texts. Let it be less than an identifier."""

    examples: ClassVar[int] = 40
    """Texts that Hypothesis draws for a test; the same ones in every run."""

    repetitions: ClassVar[int] = 100
    """Calls in each of five rounds after which state may not have grown."""

    growth_limit: ClassVar[int] = 32
    """Bytes of Python objects that a call may leave behind in the best of these rounds."""

    time_limit: ClassVar[float | None] = 10.0
    """Seconds a document may take. None: no limit, and the detector is called in the test's own thread."""

    process_limit: ClassVar[float] = 120.0
    """Seconds in which another process must have made the detector and answered."""

    threads: ClassVar[int] = 4
    """Threads that ask at once, where the detector claims `thread_safe`."""

    log_level: ClassVar[int] = logging.DEBUG
    """The level of the root logger while its records are looked at."""

    network: ClassVar[str] = "none"
    """What may be reached: `none`, `loopback` (this machine) or `any`."""

    factory: ClassVar[Any] = None
    """How another process makes the detector: `"module:attribute"` as for `--pii-detector`, or a function
    without parameters that can be pickled, which is one of a module. None: the detector itself is pickled."""

    @pytest.fixture
    def pii_examination(self, request: pytest.FixtureRequest, detector: Any) -> Examination:
        """Return the examination of `detector`, the same for all tests of the class while it is the same."""
        stash = request.node.getparent(pytest.Class).stash
        known: Examination | None = stash.get(_EXAMINATION, None)
        if known is None or known.detector is not detector:
            stash[_EXAMINATION] = known = self._examination(detector)
            request.node.getparent(pytest.Class).addfinalizer(known.asker.close)
        return known

    def _examination(self, detector: Any) -> Examination:
        complaint = _complaint(self.identifiers, detector)
        if complaint is not None:
            _fail(complaint)
        named = [Identifier(index, kind, value) for index, (kind, value) in enumerate(self.identifiers)]
        limits = Limits(**{field: getattr(type(self), field) for field in Limits._fields})
        return Examination(Asker(detector, self.time_limit), named, limits)

    @_text_free
    def test_finds_its_identifiers(self, pii_examination: Examination) -> None:
        """Each identifier is found in a short neutral text, under its label."""
        places.finds(pii_examination)

    @_text_free
    def test_covers_exactly_the_identifier(self, pii_examination: Examination) -> None:
        """One span begins and ends where the identifier does; inclusive ends and halves fail here."""
        places.covers(pii_examination)

    @_text_free
    def test_offsets_are_valid(self, pii_examination: Examination) -> None:
        """Answers are detections whose offsets lie in the text, start before end."""
        offsets.valid(pii_examination)

    @_text_free
    def test_offsets_are_in_the_declared_unit(self, pii_examination: Examination) -> None:
        """Non-ASCII text before an identifier leaves it where it is, in the declared unit."""
        offsets.unit(pii_examination)

    @_text_free
    def test_offsets_count_from_the_start_of_the_text(self, pii_examination: Examination) -> None:
        """Sentences, lines and pages before an identifier leave it where it is."""
        offsets.segments(pii_examination)

    @_text_free
    def test_text_is_taken_as_it_is(self, pii_examination: Examination) -> None:
        """What normalisation, folding, unescaping or stripping would change moves and hides nothing."""
        offsets.as_given(pii_examination)

    @_text_free
    def test_answers_any_text(self, pii_examination: Examination) -> None:
        """Nothing is raised for a well-formed text, however awkward."""
        privacy.answers(pii_examination)

    @_text_free
    def test_blank_text_has_no_spans(self, pii_examination: Examination) -> None:
        """An empty text, or one of white space, is answered with nothing."""
        places.blanks(pii_examination)

    @_text_free
    def test_finds_at_the_edges_of_a_text(self, pii_examination: Examination) -> None:
        """An identifier is found at the very start and the very end."""
        places.edges(pii_examination)

    @_text_free
    def test_finds_beyond_every_window(self, pii_examination: Examination) -> None:
        """An identifier is found at every depth of a long text, also where a window ends."""
        depths.depths(pii_examination)

    @_text_free
    def test_finds_every_mention(self, pii_examination: Examination) -> None:
        """An identifier that is repeated is found each time, also the hundredth time."""
        places.mentions(pii_examination)

    @_text_free
    def test_keeps_touching_identifiers_apart(self, pii_examination: Examination) -> None:
        """Identifiers with only a separator between them are all covered, by spans of their own."""
        places.touching(pii_examination)

    @_text_free
    def test_protection_covers_selected(self, pii_examination: Examination) -> None:
        """Selected spans lie within the protection ranges, where these are exposed."""
        privacy.protection(pii_examination)

    @_text_free
    def test_equal_input_gives_equal_answers(self, pii_examination: Examination) -> None:
        """The same text is answered alike each time."""
        state.equal_answers(pii_examination)

    @_text_free
    def test_documents_do_not_affect_each_other(self, pii_examination: Examination) -> None:
        """What was asked before changes no answer."""
        state.independence(pii_examination)

    @_text_free
    def test_batch_equals_single(self, pii_examination: Examination) -> None:
        """`detect_batch`, where there is one, answers as `detect` does."""
        state.batch(pii_examination)

    @_text_free
    def test_state_does_not_grow(self, pii_examination: Examination) -> None:
        """Many texts leave nothing behind."""
        growth.growth(pii_examination)

    @_text_free
    def test_threads_get_equal_answers(self, pii_examination: Examination) -> None:
        """Several threads at once get what one gets, where `thread_safe` is claimed."""
        state.threads(pii_examination)

    @_text_free
    def test_fingerprint_is_a_stable_digest(self, pii_examination: Examination) -> None:
        """The fingerprint is `sha256:` and 64 hex digits, the same before and after an answer."""
        process.fingerprint(pii_examination)

    @_text_free
    def test_works_in_another_process(self, pii_examination: Examination) -> None:
        """Pickle or factory bring it to another process, where fingerprint and answers are the same."""
        process.replica(pii_examination)

    @_text_free
    def test_exceptions_hold_no_text(self, pii_examination: Examination) -> None:
        """No exception, with its causes, notes and arguments, holds text of the document."""
        privacy.exceptions(pii_examination)

    @_text_free
    def test_output_holds_no_text(self, pii_examination: Examination) -> None:
        """Nothing printed, logged or warned holds text of the document."""
        privacy.output(pii_examination)

    @_text_free
    def test_uses_no_network(self, pii_examination: Examination) -> None:
        """No connection is opened and no name is looked up."""
        privacy.network(pii_examination)

    @_text_free
    def test_returns_in_time(self, pii_examination: Examination) -> None:
        """Every document is answered within `time_limit`."""
        time.in_time(pii_examination)


def _complaint(identifiers: Any, detector: Any) -> str | None:
    """Say what keeps the contract from being examined at all; never with a value."""
    if not identifiers:
        return "name identifiers: a list of (label or None, value) that the detector finds"
    for index, one in enumerate(identifiers):
        is_pair = isinstance(one, (tuple, list)) and len(one) == 2 and isinstance(one[1], str)  # noqa: PLR2004  # label and value
        if not is_pair or not one[1] or one[1] != one[1].strip() or not isinstance(one[0], (str, type(None))):
            return f"identifier {index} is no (label or None, value) whose value has no blanks at its ends"
    if getattr(detector, "offset_unit", None) not in OFFSET_UNITS:
        return f"the detector states no offset_unit of: {', '.join(OFFSET_UNITS)}"
    return None
