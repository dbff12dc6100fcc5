"""A correct redactor, and others that differ from it in one fault each, which is what they are called."""

# ruff: noqa: ARG002, D101, D102  # names say it all; methods take what the correct one gives them

from __future__ import annotations

import re
from itertools import count

from pytest_pii_eval.contracts.spans import Detection, Span
from pytest_pii_eval.testing.redactor_contract import Redaction

EMAIL = r"(?P<EMAIL>[\w.]+@(?:\w+\.)+[a-z]+)"
PHONE = r"(?P<PHONE>\+\d\d(?: \d{2,4}){3})"
IBAN = r"(?P<IBAN>[A-Z]{2}\d\d[A-Z0-9]{10,30})"
FOUND = re.compile(f"{EMAIL}|{PHONE}|{IBAN}", re.ASCII)
PLACE = re.compile(r"<[A-Z]+_\d+>")


class Correct:
    """Numbers the values of a text, and leaves out numbers that the text has itself."""

    def find(self, text):
        return [(found.lastgroup, *found.span()) for found in FOUND.finditer(text)]

    def numbers(self):
        return count(1)

    def taken(self, text):
        return set(PLACE.findall(text))

    def places(self, text, found):
        """Return the placeholder of each value."""
        numbers, taken, places = self.numbers(), self.taken(text), {}
        for kind, start, end in found:
            if text[start:end] not in places:
                free = (one for number in numbers if (one := f"<{kind}_{number}>") not in taken)
                places[text[start:end]] = next(free)
        return places

    def cut(self, text, found, places):
        parts, at = [], 0
        for _, start, end in found:
            parts += [text[at:start], places[text[start:end]]]
            at = end
        return "".join([*parts, text[at:]])

    def ranges(self, text, found):
        return tuple((start, end) for _, start, end in found)

    def mask(self, text):
        found = self.find(text)
        places = self.places(text, found)
        state = {place: value for value, place in places.items()}
        return Redaction(self.cut(text, found, places), self.ranges(text, found), state)

    def restore(self, masked, state):
        return PLACE.sub(lambda place: state.get(place.group(), place.group()), masked)


class LeavesLastCharacter(Correct):
    def find(self, text):
        return [(kind, start, end - 1) for kind, start, end in super().find(text)]


class MasksNothing(Correct):
    def find(self, text):
        return []


class ReplacesEverywhere(Correct):
    """Masks by replacing the text of a value wherever it occurs, also within a longer one."""

    def cut(self, text, found, places):
        for value, place in places.items():
            text = text.replace(value, place)
        return text


class MasksTheFirstOnly(Correct):
    def find(self, text):
        firsts = {}
        for one in super().find(text):
            firsts.setdefault(text[one[1] : one[2]], one)
        return list(firsts.values())


class MasksTheFirstEight(Correct):
    """Stops after so many identifiers a text, whatever they are."""

    def find(self, text):
        return super().find(text)[:8]


class MergesAcrossCommas(Correct):
    """Takes what follows a comma for part of the value before it, and leaves it."""

    def find(self, text):
        return [one for one in super().find(text) if text[one[1] - 1 : one[1]] != ","]


class ShiftsRanges(Correct):
    def ranges(self, text, found):
        return tuple((start + 1, end + 1) for _, start, end in found)


class ReportsBytes(Correct):
    def ranges(self, text, found):
        return tuple(
            tuple(len(text[:at].encode("utf-8", "surrogatepass")) for at in one[1:]) for one in found
        )


class ReportsRepeatsOnce(Correct):
    def ranges(self, text, found):
        return tuple((start, end) for _, start, end in MasksTheFirstOnly().find(text))


class CutsByUtf16(Correct):
    """Masks where the offsets would be if they counted UTF-16 units; its report is as it masks."""

    def find(self, text):
        def unit(at):
            return min(len(text), len(text[:at].encode("utf-16-le", "surrogatepass")) // 2)

        moved = [(kind, unit(start), unit(end)) for kind, start, end in super().find(text)]
        return [one for one in moved if one[1] < one[2]]


class ReadsTheBeginning(Correct):
    def find(self, text):
        return super().find(text[:10_000])


class TidiesLineEnds(Correct):
    def mask(self, text):
        return super().mask(text.replace("\r\n", "\n"))


class Shouts(Correct):
    def cut(self, text, found, places):
        return super().cut(text, found, places).replace("please", "PLEASE")


class ReturnsText(Correct):
    def mask(self, text):
        return super().mask(text).masked


class CountsOn(Correct):
    """Keeps its counter between texts."""

    def __init__(self):
        self.counter = count(1)

    def numbers(self):
        return self.counter


class RaisesWithText(Correct):
    def mask(self, text):
        if not text.isprintable() and "\ud800" in text:
            message = f"not valid: {text!r}"
            raise ValueError(message)
        return super().mask(text)


class RestoreRaisesWithText(Correct):
    def restore(self, masked, state):
        if state is None:
            raise LookupError(masked, "IBAN GB33BUKB20201555555555 is in no state")
        return super().restore(masked, state)


class Exits(Correct):
    def mask(self, text):
        raise SystemExit(3)


class RestoresOnce(Correct):
    """Puts each value back in one place only."""

    def restore(self, masked, state):
        left = dict(state)
        return PLACE.sub(lambda place: left.pop(place.group(), place.group()), masked)


class RestoresTouchingAsOne(Correct):
    def restore(self, masked, state):
        return re.sub(r"<\S+>", lambda place: state.get(place.group(), place.group()), masked)


class RestoresByPart(Correct):
    """Takes a value for one that it knows already when that contains it."""

    def places(self, text, found):
        places = super().places(text, found)
        for inner in places:
            outer = next((one for one in places if inner in one and inner != one), None)
            places[inner] = places[outer or inner]
        return places

    def mask(self, text):
        answer = super().mask(text)
        values = sorted((text[start:end] for start, end in answer.ranges), key=len)
        places = self.places(text, self.find(text))
        return answer._replace(state={places[value]: value for value in values})


class TakesTextForPlaceholders(Correct):
    def taken(self, text):
        return set()


class RestoresTidied(Correct):
    def restore(self, masked, state):
        return super().restore(masked, state).replace("\0", "")


class RestoresTrimmed(Correct):
    def restore(self, masked, state):
        return super().restore(masked, state).strip(" ") if not state else super().restore(masked, state)


class RestoresShort(Correct):
    def restore(self, masked, state):
        return super().restore(masked, state)[:15_000]


class RestoresNothing(Correct):
    def restore(self, masked, state):
        return masked


class RemembersTheLatest(Correct):
    def mask(self, text):
        answer = super().mask(text)
        self.latest = answer.state
        return answer

    def restore(self, masked, state):
        return super().restore(masked, self.latest)


class MasksAgain(Correct):
    def find(self, text):
        return super().find(text) or [("AGAIN", *found.span()) for found in PLACE.finditer(text)]


class Stars:
    """Masks with one star a character; restores nothing and reports no ranges."""

    def mask(self, text):
        return Redaction(FOUND.sub(lambda found: "*" * len(found.group()), text))


class Behind:
    """The detector behind `Correct`, in bytes."""

    name, version, offset_unit = "behind", "1", "byte"

    def detect(self, text):
        def byte(at):
            return len(text[:at].encode("utf-8"))

        return Detection(tuple(Span(byte(s), byte(e), kind) for kind, s, e in Correct().find(text)))


class BehindWithoutPhones(Behind):
    def detect(self, text):
        return Detection(tuple(one for one in super().detect(text).selected if one.type != "PHONE"))
