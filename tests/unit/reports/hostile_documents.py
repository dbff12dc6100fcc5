"""Reports and comparisons in which every string that a stranger could choose is hostile."""

from __future__ import annotations

from typing import Any

from comparison_builders import comparison, lost_gate, lost_span, one_more_leak
from report_builders import failed_conformance, report
from report_values import SHA

from pytest_pii_eval.reports.comparing.model import Comparison
from pytest_pii_eval.reports.model import Report

HOSTILE = (
    "<script>alert(1)</script>",
    "</summary></details><img src=x onerror=alert(1)>",
    "`` ` ```a`b",
    "`",
    "a|b\\|c||",
    "\\",
    "**bold** _under_ ~~gone~~ $x$",
    "[text](javascript:alert(1)) ![i](https://evil.example/x.png)",
    "@someone #12 GH-12 :tada: www.evil.example https://evil.example ftp://x",
    "&lt;b&gt; &amp; <b>",
    "# heading",
    "- item",
    "1. item",
    "> quote",
    "---",
    "",
    "   ",
    "line\nbreak\r\n\r\n## next\u2028\u2029\x0b\x0c\x85",
    "\x1b[31mred\x1b]8;;https://evil.example\x07link",
    "\u202egnp.exe\u2066\u200b\ufeff",
    "::error title=x::y%0A",
    "<!-- pii-eval report -->",
    "\U0001f4a9" * 60,
    "n" * 10_000,
    "|" * 10_000,
    "`" * 10_000,
    "\x00" * 10_000,
)
# What the schema closes to a few values, as it does hashes: no stranger can put anything else there.
CLOSED = frozenset(
    {
        *("schema_version", "kind", "verdict", "direction", "offset_hint", "offset_unit", "role"),
        *("side", "part", "trend", "old", "new", "split_key"),
    }
)
# Objects whose keys are ids, types, labels or codes; metrics and counts are asked for by name.
FREE_KEYS = frozenset(
    {
        *("slices", "unsupported_slices", "by_type", "by_entity", "by_tag", "confusion", "libraries"),
        *("unmapped_labels", "out_of_scope_types", "freeze_rules", "parts", "quarantined", "fingerprints"),
    }
)


def hostile(value: Any, text: str, *, name: str = "") -> Any:
    """Return a decoded document with `text` for each string that is not closed, in keys and in values."""
    if isinstance(value, dict):
        free = name in FREE_KEYS
        return {
            _key(text, place) if free else key: hostile(one, text, name="" if free else key)
            for place, (key, one) in enumerate(value.items())
        }
    if isinstance(value, list):
        return [hostile(one, text, name=name) for one in value]
    closed = name in CLOSED or not isinstance(value, str) or value.startswith(("sha256:", "pytest-pii-eval"))
    return value if closed else text


def hostile_report(text: str) -> Report:
    """Return a report in which everything fails, with `text` in it wherever a string is free."""
    given = report(lost=1, conformance={**failed_conformance(), "by_tag": _TAGS}, **_EVERYTHING)
    cards = given.slices["cards"].model_copy(update={"unmapped_labels": {"CARD": 2}, "offset_hint": "byte"})
    names = given.slices["names"].model_copy(update={"in_domain": True})
    slices = {**given.slices, "cards": cards, "names": names}
    whole = given.model_copy(update={"slices": slices})
    return Report.model_validate(hostile(whole.model_dump(mode="json"), text))


def hostile_comparison(text: str) -> Comparison:
    """Return a comparison with regressions, a lost gate, span and note, with `text` wherever it can be."""
    move = lost_span().model_copy(update={"old": text, "new": text})
    given = comparison(*one_more_leak(), gates=[lost_gate()], notes=["a note"], moves=[move])
    return Comparison.model_validate(hostile(given.model_dump(mode="json"), text))


def _key(text: str, place: int) -> str:
    """Return the text itself for the first key, which gates and changes name, and others beside it."""
    return f"{text}{place}" if place else text


_SHAS = dict.fromkeys(("started", "gold", "detector", "floors"), SHA)
_TAGS = {
    "unicode": {
        "positive_cases": 2,
        "failed_positive_cases": 1,
        "negative_cases": 1,
        "unexpected_negative_matches": 0,
    }
}
_EVERYTHING: dict[str, Any] = {
    "passed": False,
    "complete": False,
    "missing": ["case.1"],
    "missing_count": 1,
    "crashed": ["case.2"],
    "selection": {"whole": False, "collected": 9, "selected": 4, "limit": 50},
    "evidence_notes": ["no_names"],
    "freeze_rules": {"rule": {"verdict": "fail", "reasons": ["a reason"]}},
    "promotion": {
        "id": "release",
        "set": "sealed",
        **_SHAS,
        "ships": False,
        "parts": {"floors": {"verdict": "fail", "reasons": ["a reason"]}},
    },
}
