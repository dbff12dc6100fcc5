"""Why two reports are not compared: other gold, plan, policy or taxonomy, or a run that is not whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from pytest_pii_eval.contracts.limits import ABSENT
from pytest_pii_eval.reports.comparing.model import Refusal
from pytest_pii_eval.reports.words import inert

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_pii_eval.reports.comparing.model import Part
    from pytest_pii_eval.reports.snapshots.model import ConformanceSnapshot, SliceSnapshot, Snapshot

_Side = Literal["old", "new", "both"]

_SHOWN: Final = 5


class _Binding(NamedTuple):
    """A fingerprint that two runs must share, and what to do where they do not."""

    fingerprint: str
    part: Part
    words: str


_GOLD: Final = "score both runs on the same gold: two gold files never make one comparison"
_CASES: Final = "run both on the same case files"
_POLICY: Final = "give both runs the same gates, suite file and types"
_BINDINGS: Final = (
    _Binding("gold", "gold", f"the gold differs (records or spans); {_GOLD}"),
    _Binding("corpora", "gold", f"the pinned corpora differ; {_GOLD}"),
    _Binding("positive_cases", "cases", f"the positive cases differ; {_CASES}"),
    _Binding("negative_cases", "cases", f"the negative cases differ; {_CASES}"),
    _Binding("slice_plan", "slice_plan", "the slice plan differs; run both with the same slice files"),
    _Binding("policy", "policy", "the conformance policy differs; run both with one version of this package"),
    _Binding("quality_policy", "policy", f"the policy of the slices differs; {_POLICY}"),
    _Binding("taxonomy", "taxonomy", "the taxonomy differs; run both with the same taxonomy file"),
)
# What binds cases: a detector is never asked any.
_CASE_FILES: Final = frozenset({"positive_cases", "negative_cases"})
_OF_CASES: Final = _CASE_FILES | {"policy"}
# What a run that was narrowed on purpose changes: it is refused for that already.
_OF_A_LIMIT: Final = frozenset({"gold", "quality_policy", "positive_cases", "negative_cases", "corpora"})
_OF_A_SELECTION: Final = frozenset({"gold", "positive_cases", "negative_cases", "corpora"})


def refusals(old: Snapshot, new: Snapshot) -> list[Refusal]:
    """Return every reason why `old` and `new` are not compared; none means that they can be."""
    sides: tuple[tuple[_Side, Snapshot], ...] = (("old", old), ("new", new))
    incomplete = [side for side, one in sides if _incomplete(one)]
    found = [
        *_of_side("incomplete", incomplete, _causes(one for side, one in sides if side in incomplete)),
        *_of_side("limited", [side for side, one in sides if one.selection.limit is not None]),
        *_of_side("partial", [side for side, one in sides if _partial(one)]),
        *_narrowed(old, new),
        *_apart(old, new),
    ]
    found.extend(() if found else _empty(old, new))
    absent = _absent(old, new)
    if absent:
        return [*found, *absent]
    narrowed = any(one.part == "partial" for one in found)
    found.extend(_unlike(old, new, narrowed=narrowed))
    return found or list(_one_sided(old, new))


def _absent(old: Snapshot, new: Snapshot) -> list[Refusal]:
    """Return which slices one run lacks because their corpora were not prepared where it ran.

    Gold, plan, policy and taxonomy of that run are others by that alone: whether they fit nobody can tell.
    """
    found = []
    for side, one, other in (("old", old, new), ("new", new, old)):
        gaps = one.unsupported_slices
        names = [name for name in sorted(other.slices) if name in gaps and gaps[name].reason_code == ABSENT]
        if names:
            words = f"the {side} run did not score: {_listed(names)}; prepare these corpora where it runs"
            found.append(Refusal(part="slices", side=side, words=words))
    return found


def is_alone(old: Snapshot, new: Snapshot) -> bool:
    """Whether a bank was held to cases, and the other run is of a detector, which is never asked any.

    Of two banks the one without cases has lost them.
    """
    held = [one.subject.kind for one in (old, new) if one.conformance is not None]
    return held == ["bank"] and {old.subject.kind, new.subject.kind} == {"bank", "detector"}


def _incomplete(one: Snapshot) -> bool:
    return not (one.completeness.complete and one.completeness.consistent)


def _partial(one: Snapshot) -> bool:
    every = one.selection.every_item
    return every is False or (every is None and not one.selection.whole)


_WORDS: Final[dict[str, str]] = {
    "limited": "scored only the first documents of each suite; run it without --pii-limit",
    "partial": "is of a part of the suite; run it without -k, ids, --lf or --pii-types",
}
_UNREPORTED: Final = "not everything that was planned reported; run it again to its end"
_UNANSWERED: Final = "documents have no answer; mend what keeps them from one, and run it again"
_DISAGREEING: Final = "processes disagree about the suite or the subject; give each of them the same of both"


def _causes(incomplete: Iterable[Snapshot]) -> str:
    """Return in words what is lacking in runs, and what to do about it."""
    found = list(dict.fromkeys(cause for one in incomplete for cause in _causes_of(one)))
    return f"is incomplete: {'; '.join(found)}"


def _causes_of(one: Snapshot) -> Iterator[str]:
    told = one.completeness
    unanswered = any(found.counts.get("failed_documents") for found in one.slices.values())
    if told.missing or told.crashed or not (told.complete or unanswered or not told.consistent):
        yield _UNREPORTED
    if unanswered:
        yield _UNANSWERED
    if not told.consistent:
        yield _DISAGREEING


def _of_side(
    part: Literal["incomplete", "limited", "partial"], sides: list[_Side], words: str | None = None
) -> Iterator[Refusal]:
    if not sides:
        return
    side: _Side = sides[0] if len(sides) == 1 else "both"
    who = "each of the two runs" if side == "both" else f"the {side} run"
    yield Refusal(part=part, side=side, words=f"{who} {words or _WORDS[part]}")


def _narrowed(old: Snapshot, new: Snapshot) -> Iterator[Refusal]:
    """Refuse slices that were scored for other types: one run was narrowed to some."""
    other = [
        name
        for name in sorted(old.slices.keys() & new.slices.keys())
        if old.slices[name].declared.types != new.slices[name].declared.types
    ]
    if other:
        side: _Side = "both"
        if old.selection.whole != new.selection.whole:
            side = "new" if old.selection.whole else "old"
        who = "the runs were" if side == "both" else f"the {side} run was"
        words = f"{who} scored for other types: {_listed(other)}; run both with the same --pii-types"
        yield Refusal(part="partial", side=side, words=words)


def _apart(old: Snapshot, new: Snapshot) -> Iterator[Refusal]:
    """Refuse two runs of which one speaks about conformance alone, and the other about slices alone."""
    if _partial(old) or _partial(new):
        return
    parts = [(one.conformance is not None, bool(one.slices)) for one in (old, new)]
    if not any(all(spoken) for spoken in zip(*parts, strict=True)):
        words = "the two runs share neither cases nor slices; compare runs of one suite"
        yield Refusal(part="nothing_in_common", side="both", words=words)


def _unlike(old: Snapshot, new: Snapshot, *, narrowed: bool) -> Iterator[Refusal]:
    """Refuse fingerprints that differ; one that only one of them has differs, too.

    A run that is refused because it is limited or partial has another gold by that alone, and an
    incomplete one may lack what it never came to: that is no second reason.
    """
    limited = old.selection.limit is not None or new.selection.limit is not None
    excused = (_OF_A_LIMIT if limited else frozenset()) | (_OF_A_SELECTION if narrowed else frozenset())
    if narrowed and not (_partial(old) or _partial(new)):
        excused |= {"quality_policy"}  # which binds the types that were asked for
    if is_alone(old, new):
        excused |= _OF_CASES
    elif any(_lost(name, old, new) for name in _CASE_FILES):
        excused |= {"policy"}  # of conformance, which the run without cases was not held to
    for binding in _BINDINGS:
        one, other = (side.fingerprints.get(binding.fingerprint) for side in (old, new))
        if one == other or binding.fingerprint in excused:
            continue
        if (one is None and _unfinished(old)) or (other is None and _unfinished(new)):
            continue
        side: _Side = "both" if one and other else "new" if one else "old"
        lacking = "" if side == "both" else f" (the {side} run has none)"
        yield Refusal(part=binding.part, side=side, words=binding.words + lacking)


def _lost(fingerprint: str, old: Snapshot, new: Snapshot) -> bool:
    """Whether only one of two runs has `fingerprint`, and only that one was held to cases."""
    held = [(fingerprint in one.fingerprints, one.conformance is not None) for one in (old, new)]
    return sorted(held) == [(False, False), (True, True)]


def _unfinished(one: Snapshot) -> bool:
    return _incomplete(one) or _partial(one) or one.selection.limit is not None


def _one_sided(old: Snapshot, new: Snapshot) -> Iterator[Refusal]:
    """Refuse slices that only one of two whole runs scored, say because a corpus is not prepared."""
    sides: tuple[tuple[_Side, set[str]], ...] = (
        ("new", old.slices.keys() - new.slices.keys()),
        ("old", new.slices.keys() - old.slices.keys()),
    )
    for side, names in sides:
        if names:
            words = (
                f"the {side} run did not score: {_listed(sorted(names))}; prepare the same corpora for both"
            )
            yield Refusal(part="slices", side=side, words=words)


def _lacks(one: SliceSnapshot, other: SliceSnapshot) -> bool:
    """Whether a slice lacks types or families of metrics that the same slice of the other run has."""
    return not (
        one.metrics.keys() >= other.metrics.keys()
        and one.types.keys() >= other.types.keys()
        and all(one.types[name].metrics.keys() >= found.metrics.keys() for name, found in other.types.items())
    )


def _lacks_cases(one: ConformanceSnapshot | None, other: ConformanceSnapshot | None) -> bool:
    """Whether a run on cases says nothing about them, or lacks tags that the same cases have in another."""
    if one is None or not one.counts:
        return True
    return other is not None and not one.by_tag.keys() >= other.by_tag.keys()


def _empty(old: Snapshot, new: Snapshot) -> Iterator[Refusal]:
    """Refuse a file that lost what it was to tell: types, figures of a slice, or those of conformance."""
    for side, one, other in (("old", old, new), ("new", new, old)):
        names = [
            name
            for name, found in one.slices.items()
            if name in other.slices and _lacks(found, other.slices[name])
        ]
        if "positive_cases" in one.fingerprints and _lacks_cases(one.conformance, other.conformance):
            names.append("conformance")
        if names:
            words = f"the {side} file lacks figures of: {_listed(sorted(names))}; write it again"
            yield Refusal(part="incomplete", side=side, words=words)


def _listed(names: list[str]) -> str:
    rest = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(map(inert, names[:_SHOWN])) + rest
