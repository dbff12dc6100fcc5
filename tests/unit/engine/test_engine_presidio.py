"""Real expressions: those of presidio's recognizers, in our dialect and by the `regex` module itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import regex as regex_module
from engine_patterns import regex

from pytest_pii_eval.detectors.bank.engine import Engine

CASES = Path(__file__).parents[3] / "../shared/cases"
FLAGS = {
    regex_module.IGNORECASE: "IGNORECASE",
    regex_module.MULTILINE: "MULTILINE",
    regex_module.DOTALL: "DOTALL",
}

if not (CASES / "presidio_patterns.json").exists():
    pytest.skip("the shared cases are not here", allow_module_level=True)

PATTERNS = json.loads((CASES / "presidio_patterns.json").read_text("utf-8"))
FACTS = json.loads((CASES / "presidio_patterns_meta.json").read_text("utf-8"))
TEXTS = [
    json.loads(line)["text"] for line in (CASES / "presidio_cases.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("recognizer", sorted(PATTERNS))
def test_expressions_match_as_they_do_in_regex(recognizer: str) -> None:
    """Every expression compiles, and finds in every text what the module finds with the original."""
    mask = FACTS[recognizer]["flags"]
    flags = [name for bit, name in FLAGS.items() if mask & bit]
    for one in PATTERNS[recognizer]:
        engine = Engine([regex(one["regex"], "n", *flags)])
        original = regex_module.compile(one["regex"], mask)
        for text in TEXTS:
            spans = [
                tuple(len(text[:place].encode()) for place in hit.span()) for hit in original.finditer(text)
            ]
            assert [(record.start, record.end) for record in engine.scan(text)] == spans
