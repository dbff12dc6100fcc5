"""One detector under examination: its identifiers, its answers in neutral texts, and how it is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, final

from pytest_pii_eval.testing.asking import Asker, Reply, Stuck
from pytest_pii_eval.testing.drafts import Draft, Drafts, Identifier, Place, filler
from pytest_pii_eval.testing.judging import is_unusable, missing_at, missing_of, shape_at, spans_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pytest_pii_eval.contracts.offsets import OffsetUnit
    from pytest_pii_eval.testing.judging import Shape

_ASKED = 4
_ASKED_OF_ONE_THAT_WAVERS = 24
_NEUTRAL = 3
_SHOWN = 5


class Broken(Exception):
    """A rule of the contract is broken; the message holds kinds, numbers and offsets, never text."""


class Inapplicable(Exception):
    """There is nothing to examine, and why; no text."""


class Limits(NamedTuple):
    """What an examination may cost and what it forgives; see the attributes of `DetectorContract`."""

    separators: Sequence[str]
    depth: int
    step: int
    examples: int
    repetitions: int
    growth_limit: int
    process_limit: float
    threads: int
    log_level: int
    network: str
    factory: Any


@final
class Examination:
    """Asks one detector, and tells a fault that lasts from one that comes and goes.

    A fault counts where the same text is answered wrongly each time of several: an answer that comes and goes
    is the matter of the test for equal answers, and of no other.
    """

    def __init__(self, asker: Asker, identifiers: Sequence[Identifier], limits: Limits) -> None:
        self.asker = asker
        self.detector = asker.detector
        self.unit: OffsetUnit = asker.detector.offset_unit
        self.identifiers = identifiers
        self.limits = limits
        self.wavers = False
        """Whether one text was seen to get different answers."""
        self.kept: dict[str, Any] = {}
        """What one rule found out and another needs too."""
        self._shapes: Mapping[Identifier, Shape] | None = None

    @property
    def shapes(self) -> Mapping[Identifier, Shape]:
        """What the detector answers at each identifier it finds in neutral texts: what all of them share."""
        if self._shapes is None:
            self._shapes = self._found_shapes()
            if self.wavers and len(self._shapes) < len(self.identifiers):
                self._shapes = self._found_shapes()  # asking more often now
        return self._shapes

    @property
    def found(self) -> tuple[Identifier, ...]:
        """The identifiers found in neutral texts; raises `Inapplicable` where there is none."""
        if not self.shapes:
            raise Inapplicable("no identifier was found in a neutral text; see test_finds_its_identifiers")
        return tuple(self.shapes)

    def ask(self, text: str) -> Reply:
        """Return what came of `text`; raises `Broken` where nothing came in time though it should have.

        Raises `Stuck` where a plain text of that length is not answered in time either: then it is the
        matter of the test for time alone.
        """
        reply = self.asker.detect(text)
        if reply.late:
            if self.asker.detect(filler(max(len(text), 1))).late:
                self.asker.late_length = len(text)
                raise Stuck
            raise Broken(f"no answer in {self.asker.limit:g} s for a document of {len(text):,} code points")
        return reply

    @property
    def patience(self) -> int:
        """How often a text must be answered wrongly for a fault; more where answers are seen to change."""
        return _ASKED_OF_ONE_THAT_WAVERS if self.wavers else _ASKED

    def require_steady_answers(self) -> None:
        """Raise `Inapplicable` where one text gets different answers: the test for that tells."""
        if self.shapes and self.wavers:
            raise Inapplicable("answers change; see test_equal_input_gives_equal_answers")

    def require_usable_answers(self) -> None:
        """Raise `Inapplicable` where neutral texts get no answer to judge: a test of its own tells."""
        drafts = Drafts(1)
        texts = [drafts.around(identifier).text for identifier in self.identifiers]
        if all(self.is_unusable(text, self.ask(text)) for text in texts):
            raise Inapplicable("the detector gives no usable answers")

    def is_unusable(self, text: str, reply: Reply) -> bool:
        """Whether the reply has a fault that a test of its own is about."""
        return is_unusable(text, reply, self.identifiers)

    def lasting(self, text: str, judge: Callable[[Reply], str | None]) -> str | None:
        """Return what `judge` finds wrong with the answer for `text`, where it does each time."""
        fault, asked = None, 0
        while asked < self.patience:
            reply = self.ask(text)
            fault = None if self.is_unusable(text, reply) else judge(reply)
            if fault is None:
                self.wavers = self.wavers or asked > 0
                return None
            asked += 1
        return fault

    def missing(self, draft: Draft) -> list[str]:
        """Return what is wrong at the places of `draft`, each time it is asked."""
        return list(self.missing_places(draft).values())

    def missing_places(self, draft: Draft) -> dict[Place, str]:
        """Return the places of `draft` where something is wrong each time it is asked, and what."""
        waiting: Iterable[Place] = draft.places
        faults: dict[Place, str] = {}
        asked = 0
        while asked < self.patience:
            asked += 1
            reply = self.ask(draft.text)
            if self.is_unusable(draft.text, reply):
                return {}
            due = {place: self.shapes[place.identifier] for place in waiting}
            faults = waiting = missing_of(due, draft.text, reply, unit=self.unit)
            if not faults:
                self.wavers = self.wavers or asked > 1
                return {}
        return faults

    def missing_at(self, place: Place, text: str, reply: Reply) -> str | None:
        """Return what is wrong at `place` in one reply."""
        return missing_at(place, self.shapes[place.identifier], text, reply, self.unit)

    def differs(self, first: Callable[[], object], second: Callable[[], object]) -> bool:
        """Whether two ways to ask the same differ, though each of them agrees with itself."""
        one, other = first(), second()
        if one == other:
            return False
        again = range(self.patience)
        return all(first() == one for _ in again) and all(second() == other for _ in again)

    def _found_shapes(self) -> Mapping[Identifier, Shape]:
        drafts = Drafts(0)
        shapes = {one: self._shape(one, drafts) for one in self.identifiers}
        return {one: shape for one, shape in shapes.items() if shape}

    def _shape(self, identifier: Identifier, drafts: Drafts) -> Shape:
        shapes = []
        for _ in range(_NEUTRAL):
            draft = drafts.around(identifier)
            met = [self._shape_in(draft) for _ in range(self.patience)]
            self.wavers = self.wavers or len(set(met)) > 1
            shapes.append(next((shape for shape in met if shape), frozenset()))
        return frozenset.intersection(*shapes)

    def _shape_in(self, draft: Draft) -> Shape:
        spans = spans_of(draft.text, self.ask(draft.text), self.unit)
        return shape_at(spans or (), draft.places[0])


def verdict(faults: Sequence[str], asked: int, rule: str) -> None:
    """Raise `Broken` with `rule` and the first faults, where there are any."""
    if faults:
        shown = "\n".join(f"  {fault}" for fault in faults[:_SHOWN])
        more = f"\n  and {len(faults) - _SHOWN:,} more" if len(faults) > _SHOWN else ""
        raise Broken(f"{rule}: {len(faults):,} of {asked:,} checks fail\n{shown}{more}")
