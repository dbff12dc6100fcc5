"""The classification of spec/bank.md, sentence by sentence, with answers worked out by hand."""

from __future__ import annotations

import pytest

from pytest_pii_eval.contracts.cases import Expected
from pytest_pii_eval.contracts.patterns import ActivePattern, Match
from pytest_pii_eval.scoring.conformance import (
    CaseEvidence,
    ConformanceTally,
    decode,
    encode,
    encode_positive,
    judge_positive,
)


def _pattern(entity: str, name: str, pattern: str, canonical: str) -> ActivePattern:
    return ActivePattern(entity, name, pattern, "literal", canonical, "x", 100)


# The catalog: Ada by two patterns, a namesake of hers under another name id, Grace, and a code.
PATTERNS = [
    _pattern("code", "ticket", "plain", "ticket"),
    _pattern("person", "ada", "first", "Ada"),
    _pattern("person", "ada", "full", "Ada"),
    _pattern("person", "ada2", "full", "Ada"),
    _pattern("person", "grace", "full", "Grace"),
]
CODE, ADA_FIRST, ADA_FULL, NAMESAKE, GRACE = range(5)
C, M, W = "correct", "missed", "wrong_canonical"


@pytest.mark.parametrize(
    ("expected", "matches", "outcomes"),
    [
        pytest.param([(0, 3, ADA_FULL)], [(0, 3, ADA_FULL)], [C], id="exact"),
        pytest.param([(0, 3, ADA_FULL)], [], [M], id="nothing"),
        pytest.param([(0, 3, ADA_FULL)], [(0, 4, ADA_FULL)], [M], id="other-end"),
        pytest.param([(0, 3, ADA_FULL)], [(1, 3, ADA_FULL)], [M], id="other-start"),
        pytest.param([(0, 3, ADA_FULL)], [(0, 3, GRACE)], [W], id="other-name"),
        pytest.param([(0, 3, ADA_FULL)], [(0, 3, NAMESAKE)], [W], id="other-name-id-of-equal-canonical-name"),
        pytest.param([(0, 3, ADA_FULL)], [(0, 3, ADA_FIRST)], [M], id="other-pattern-of-the-same-name"),
        pytest.param([(0, 3, ADA_FULL)], [(0, 3, CODE)], [M], id="other-entity"),
        pytest.param([(0, 3, ADA_FULL)], [(0, 4, GRACE)], [M], id="other-name-elsewhere"),
        pytest.param(
            [(0, 3, ADA_FULL)], [(0, 3, ADA_FULL), (0, 3, GRACE), (9, 12, CODE)], [C], id="more-than-expected"
        ),
        pytest.param([(0, 3, ADA_FULL)], [(0, 3, ADA_FIRST), (0, 3, GRACE)], [W], id="rival-behind-own-name"),
        pytest.param([(0, 3, ADA_FULL)], [(0, 3, GRACE), (0, 3, ADA_FULL)], [C], id="exact-behind-rival"),
        # Exact matches are reserved first for all expected occurrences, so the first finds no rival left ...
        pytest.param([(0, 3, ADA_FULL), (0, 3, GRACE)], [(0, 3, GRACE)], [M, C], id="rival-is-reserved"),
        # ... whatever the order of the expected occurrences ...
        pytest.param([(0, 3, GRACE), (0, 3, ADA_FULL)], [(0, 3, GRACE)], [C, M], id="rival-is-reserved-2"),
        # ... and one rival serves one occurrence: the first in order of span and ids.
        pytest.param(
            [(0, 3, NAMESAKE), (0, 3, ADA_FULL)],
            [(0, 3, GRACE)],
            [M, W],
            id="one-rival-for-two-the-first-gets-it",
        ),
        pytest.param([(0, 3, ADA_FULL), (0, 3, NAMESAKE)], [(0, 3, GRACE)], [W, M], id="in-either-order"),
        pytest.param(
            [(0, 3, ADA_FIRST), (0, 3, ADA_FULL)],
            [(0, 3, NAMESAKE), (0, 3, GRACE)],
            [W, W],
            id="two-rivals-for-two",
        ),
        # The rival of the first occurrence is the first of the rivals; Grace is left for the second.
        pytest.param(
            [(0, 3, ADA_FULL), (0, 3, NAMESAKE)],
            [(0, 3, ADA_FIRST), (0, 3, GRACE)],
            [W, W],
            id="own-name-is-a-rival",
        ),
        pytest.param(
            [(0, 3, ADA_FULL), (5, 8, ADA_FULL), (9, 12, ADA_FULL)],
            [(0, 3, ADA_FULL), (5, 8, GRACE)],
            [C, W, M],
            id="one-of-each",
        ),
        pytest.param(
            [(9, 12, GRACE), (0, 3, ADA_FULL)], [(0, 3, ADA_FULL), (9, 12, GRACE)], [C, C], id="any-order"
        ),
        pytest.param(
            [(0, 3, CODE), (0, 3, ADA_FULL)], [(0, 3, CODE), (0, 3, ADA_FULL)], [C, C], id="overlap"
        ),
    ],
)
def test_classification(expected, matches, outcomes) -> None:
    """Each expected record gets its outcome, in the order given."""
    wanted = [Expected(*one) for one in expected]
    found = [Match(*one) for one in matches]
    assert judge_positive(wanted, found, PATTERNS) == tuple(outcomes)


def test_the_order_of_matches_does_not_matter() -> None:
    """Matches in reverse give the same outcomes."""
    wanted = [Expected(0, 3, ADA_FULL), Expected(0, 3, NAMESAKE), Expected(4, 7, CODE)]
    found = [Match(0, 3, ADA_FIRST), Match(0, 3, GRACE), Match(4, 7, CODE)]
    assert judge_positive(wanted, found, PATTERNS) == (W, W, C)
    assert judge_positive(wanted, found[::-1], PATTERNS) == (W, W, C)


@pytest.mark.parametrize(
    ("evidence", "passed"),
    [
        (CaseEvidence("positive", (), ((0, C), (1, C))), True),
        (CaseEvidence("positive", (), ((0, C), (1, M))), False),
        (CaseEvidence("positive", (), ((0, W),)), False),
        (CaseEvidence("positive", (), ((0, C),), failure="time_limit"), False),
        (CaseEvidence("negative", ()), True),
        (CaseEvidence("negative", (), hits=1, hit_entities=("code",)), False),
        (CaseEvidence("negative", (), failure="match_limit"), False),
    ],
)
def test_when_a_case_holds(evidence, passed) -> None:
    """A positive case holds when all is correct, a negative one when nothing hit; no failed scan holds."""
    assert evidence.passed is passed


@pytest.mark.parametrize(
    ("evidence", "text"),
    [
        (
            CaseEvidence("positive", ("html",), ((7, C), (8, M), (9, W))),
            '{"k":"positive","t":["html"],"o":[[7,0],[8,1],[9,2]]}',
        ),
        (CaseEvidence("negative", ("boundary", "negative")), '{"k":"negative","t":["boundary","negative"]}'),
        (
            CaseEvidence("negative", ("negative",), hits=3, hit_entities=("code", "person")),
            '{"k":"negative","t":["negative"],"h":3,"e":["code","person"]}',
        ),
        (
            CaseEvidence("positive", ("html",), ((7, M),), failure="time_limit"),
            '{"k":"positive","t":["html"],"o":[[7,1]],"f":"time_limit"}',
        ),
    ],
)
def test_evidence_travels_as_short_json(evidence, text) -> None:
    """Evidence is written compactly and read back equal."""
    assert encode(evidence) == text
    assert decode(text) == evidence


def test_the_short_cut_writes_the_same() -> None:
    """The quick form for positive cases is that of `encode`."""
    pairs = ((3, C), (4, W), (4, M))
    assert encode_positive(("casing", "html"), pairs) == encode(
        CaseEvidence("positive", ("casing", "html"), pairs)
    )


def _tally(*cases: CaseEvidence) -> ConformanceTally:
    total = ConformanceTally()
    for case in cases:
        total.add(case, [pattern.entity_id for pattern in PATTERNS])
    return total


CASES = [
    CaseEvidence("positive", ("casing", "html"), ((ADA_FULL, C), (CODE, C))),
    CaseEvidence("positive", ("html",), ((ADA_FULL, M), (GRACE, W), (ADA_FULL, C))),
    CaseEvidence("positive", ("unicode",), ((CODE, M),), failure="time_limit"),
    CaseEvidence("negative", ("boundary", "negative")),
    CaseEvidence("negative", ("html", "negative"), hits=5, hit_entities=("code", "person")),
    CaseEvidence("negative", ("negative",), failure="match_limit"),
]


def _counts(value: object) -> dict[str, object]:
    return {field: getattr(value, field) for field in type(value).__slots__}  # type: ignore[attr-defined]


def test_a_tally_counts_cases() -> None:
    """Rows are counted by kind, negatives that hit once however often they hit, and failed scans."""
    total = _tally(*CASES)
    assert (total.positive_cases, total.negative_cases, total.unexpected, total.failed_scans) == (3, 3, 1, 2)


def test_a_tally_counts_by_entity() -> None:
    """Outcomes count under the entity of their pattern, witnesses once each, negatives under all they hit."""
    entities = _tally(*CASES).entities
    assert {entity: _counts(counts) for entity, counts in entities.items()} == {
        "code": {
            "correctly_mapped": 1,
            "missed": 1,
            "wrong_canonical": 0,
            "unexpected_negative_matches": 1,
            "witnesses": {CODE},
        },
        "person": {
            "correctly_mapped": 2,
            "missed": 1,
            "wrong_canonical": 1,
            "unexpected_negative_matches": 1,
            "witnesses": {ADA_FULL, GRACE},
        },
    }


def test_a_tally_counts_by_tag() -> None:
    """Each case counts under each of its tags, and as failed where it does not hold."""
    tags = {tag: tuple(_counts(counts).values()) for tag, counts in _tally(*CASES).tags.items()}
    fields = list(_counts(_tally(CASES[0]).tags["html"]))
    assert fields == [
        "failed_positive_cases",
        "negative_cases",
        "positive_cases",
        "unexpected_negative_matches",
    ]
    assert tags == {
        "boundary": (0, 1, 0, 0),
        "casing": (0, 0, 1, 0),
        "html": (1, 1, 2, 1),
        "negative": (0, 3, 0, 1),
        "unicode": (1, 0, 1, 0),
    }
