"""What turns red, what it says, and what the aggregate makes of it; every number worked out by hand."""

from __future__ import annotations

import json

import pytest
from reading import conformance, failures, patterns_of, verdicts

from conftest import (
    EMAIL,
    MAIL,
    NAME,
    NAME_ID,
    PERSON,
    entity,
    literal,
    name,
    negative,
    occurrence,
    positive,
    regex,
)


def test_clean_run_says_so_in_numbers(suite):
    """The aggregate of the small suite, field by field."""
    result = suite.write().run()
    assert result.ret == 0
    tag = {
        "failed_positive_cases": 0,
        "unexpected_negative_matches": 0,
        "negative_cases": 0,
        "positive_cases": 2,
    }
    one = {
        "active_patterns": 1,
        "patterns_with_positive_cases": 1,
        "approved_positive_cases": 9,
        "correctly_mapped": 9,
        "missed": 0,
        "wrong_canonical": 0,
        "unexpected_negative_matches": 0,
        "recall": 1.0,
    }
    assert suite.report()["conformance"] == {
        "evaluated": True,
        "active_patterns": 2,
        "patterns_with_positive_cases": 2,
        "positive_case_rows": 18,
        "approved_positive_cases": 18,
        "correctly_mapped": 18,
        "missed": 0,
        "wrong_canonical": 0,
        "negative_cases": 6,
        "unexpected_negative_matches": 0,
        "failed_scans": 0,
        "recall": 1.0,
        "passed": True,
        "by_entity": {"email": one, "person": one},
        "by_tag": {
            "boundary": {**tag, "negative_cases": 6},
            "casing": tag,
            "html": tag,
            "malformed": tag,
            "negative": {**tag, "negative_cases": 6, "positive_cases": 0},
            "overlap": tag,
            "punctuation": tag,
            "signature": tag,
            "unicode": tag,
            "whitespace": tag,
        },
    }
    assert set(verdicts(suite).values()) == {"pass"}
    assert suite.report()["missing"] == suite.report()["crashed"] == []


def test_broken_pattern_turns_exactly_its_cases_red(suite, processes):
    """A pattern that matches nothing any more fails its nine cases and the aggregate, and no other case."""
    patterns_of(suite, "email", "address")["plain"]["value"] = "neverseen[0-9]"
    result = suite.write().run(*processes)
    assert result.parseoutcomes() == {"passed": 20, "failed": 9}
    assert result.ret == 1
    assert failures(result) == {f"email.{ordinal:02}" for ordinal in range(9)}
    # The text before the address is 19 bytes: each of its two dashes takes three.
    result.stdout.fnmatch_lines(
        [
            "case email.03: 1 of 1 expected records not mapped (1 missed, 0 wrong canonical)",
            "  email bytes 19..36: missed, nothing matched there",
        ]
    )
    conformance(
        suite, correctly_mapped=9, missed=9, wrong_canonical=0, recall=0.5, passed=False, evaluated=True
    )
    told = suite.report()["conformance"]
    assert told["by_entity"]["email"]["recall"] == 0.0
    assert told["by_entity"]["person"]["recall"] == 1.0
    assert told["by_tag"]["html"] == {
        "positive_cases": 2,
        "failed_positive_cases": 1,
        "negative_cases": 0,
        "unexpected_negative_matches": 0,
    }
    assert verdicts(suite) == {
        "recall": "fail",
        "wrong_canonical": "pass",
        "unexpected_negative_matches": "pass",
        "failed_scans": "pass",
        "patterns_with_positive_cases": "pass",
    }
    assert suite.report()["passed"] is False
    result.stdout.fnmatch_lines(
        ["verdict      FAIL", "gate         fail conformance.recall: 0.5, must be 1.0*"]
    )


@pytest.mark.parametrize(
    ("shadow", "span"),
    [
        # The same start at a better priority, and an earlier start; "Päper 3 for " is 13 bytes.
        (literal(NAME.split()[0], priority=1), "13..22"),
        (literal(f"for {NAME.split()[0]}", priority=900), "9..22"),
    ],
    ids=["priority", "start"],
)
def test_shadow_in_the_same_entity_is_named(suite, shadow, span):
    """A pattern of the same entity that takes the place says where, and that it shadows."""
    patterns_of(suite, "person", NAME_ID)["short"] = shadow
    result = suite.write().run("conformance-positive.jsonl")
    assert failures(result) == {f"person.{ordinal:02}" for ordinal in range(9)}
    result.stdout.fnmatch_lines(
        [
            "case person.03: 1 of 1 expected records not mapped (1 missed, 0 wrong canonical)",
            f"  person bytes 13..33: missed, shadowed by the same entity's pattern at person bytes {span}",
        ]
    )


def test_other_entity_and_other_name_are_named(suite):
    """Text that another entity finds is missed; the same span under another name is wrong canonical."""
    patterns = patterns_of(suite, "person", NAME_ID)
    suite.bank["entities"]["company"] = entity(quartz=name("Quartz", brand=literal(NAME)))
    patterns["full-name"] = literal("Nobody Here")
    address = patterns_of(suite, "email", "address")
    address["plain"]["priority"] = 200
    names = suite.bank["entities"]["email"]["names"]
    names["known"] = name("known address", exact=literal(MAIL, priority=1))
    result = suite.write().run("conformance-positive.jsonl")
    assert result.parseoutcomes()["failed"] == 18
    result.stdout.fnmatch_lines(
        [
            "  person bytes 13..33: missed, another entity's pattern matched at company bytes 13..33",
            "case email.00: 1 of 1 expected records not mapped (0 missed, 1 wrong canonical)",
            "  email bytes 19..36: wrong canonical, shadowed by another name of the same entity",
        ]
    )
    conformance(suite, correctly_mapped=0, missed=9, wrong_canonical=9)


def test_same_name_by_another_pattern_is_a_miss(suite):
    """Found by another pattern of the same canonical identity does not prove the pattern."""
    patterns_of(suite, "email", "address")["exact"] = literal(MAIL, priority=1)
    suite.write().run("conformance-positive.jsonl")
    conformance(suite, correctly_mapped=9, missed=9, wrong_canonical=0)


def test_negative_that_hits_counts_once(suite):
    """A negative case that raises three records fails once, names entities and spans."""
    suite.negatives.append(negative("dirty.00", f"Ä {MAIL} {MAIL} {NAME}", ["boundary", "negative"]))
    result = suite.write().run()
    assert failures(result) == {"dirty.00"}
    result.stdout.fnmatch_lines(
        [
            "case dirty.00: 3 unexpected hits in a negative case",
            "  email bytes 3..20 matched",
            "  email bytes 21..38 matched",
            "  person bytes 39..59 matched",
        ]
    )
    conformance(suite, negative_cases=7, unexpected_negative_matches=1, recall=1.0, passed=False)
    told = suite.report()["conformance"]
    assert {key: one["unexpected_negative_matches"] for key, one in told["by_entity"].items()} == {
        "email": 1,
        "person": 1,
    }
    assert told["by_tag"]["boundary"]["unexpected_negative_matches"] == 1
    assert verdicts(suite)["unexpected_negative_matches"] == "fail"


def test_one_case_of_several_records_is_counted_by_record(suite):
    """A case with three expected records of which one is found counts one mapped and two missed."""
    text = f"{MAIL} and {NAME} and {MAIL}x {NAME}s"
    first, second = occurrence(text, MAIL, EMAIL), occurrence(text, NAME, PERSON)
    # The word goes on behind it, so the literal does not match there.
    start = text.encode().rindex(NAME.encode())
    third = dict(second, start=start, end=start + len(NAME))
    start = text.encode().rindex(MAIL.encode())
    fourth = dict(first, start=start, end=start + len(MAIL))
    suite.positives.append(positive("several", text, ["overlap"], first, second, third, fourth))
    result = suite.write().run()
    result.stdout.fnmatch_lines(
        [
            "case several: 1 of 4 expected records not mapped (1 missed, 0 wrong canonical)",
            "  person bytes 66..86: missed, nothing matched there",
        ]
    )
    conformance(suite, positive_case_rows=19, approved_positive_cases=22, correctly_mapped=21, missed=1)
    assert suite.report()["conformance"]["recall"] == 21 / 22


def test_failure_text_is_bounded(suite):
    """A case with thirty failures shows twenty of them and counts the rest."""
    suite.negatives.append(negative("dirty.00", f"{MAIL} " * 30, ["negative"]))
    result = suite.write().run()
    assert sum(line.endswith(" matched") for line in result.outlines) == 20
    result.stdout.fnmatch_lines(["  and 10 more"])


def test_limits_fail_the_case_and_never_hang(suite):
    """Too many records and too long a scan fail their cases; all that was expected there counts as missed."""
    suite.pytester.makeini("[pytest]\npii_max_matches = 3\npii_time_limit = 1")
    patterns_of(suite, "email", "address")["slow"] = regex(r"(?<=!)(a|aa)+(?=\$)")
    witness = positive(
        "slow.ok",
        "!aaa$",
        ["malformed"],
        occurrence("!aaa$", "aaa", ("email", "address", "slow", *EMAIL[3:])),
    )
    many = f"{MAIL} {MAIL} {MAIL} {MAIL}"
    endless = f"{MAIL} !" + "a" * 5_000
    suite.positives += [
        witness,
        positive("many", many, ["malformed"], occurrence(many, MAIL, EMAIL)),
        positive("endless", endless, ["malformed"], occurrence(endless, MAIL, EMAIL)),
    ]
    suite.negatives.append(negative("endless.too", "!" + "a" * 5_000, ["malformed", "negative"]))
    result = suite.write().run()
    assert failures(result) == {"many", "endless", "endless.too"}
    result.stdout.fnmatch_lines_random(
        [
            "case many: the scan raised more records than the limit of 3 a case (ini pii_max_matches)",
            "case endless: the scan took longer than the limit of 1 s a case (ini pii_time_limit)",
            "case endless.too: the scan took longer than the limit of 1 s a case (ini pii_time_limit)",
        ]
    )
    conformance(
        suite, failed_scans=3, approved_positive_cases=21, correctly_mapped=19, missed=2, passed=False
    )
    conformance(suite, unexpected_negative_matches=0)
    assert verdicts(suite)["failed_scans"] == "fail"
    assert suite.report()["complete"] is True


def test_both_engines_give_one_aggregate(suite):
    """`--pii-engine nerb` gives the same aggregate, and another engine in the fingerprints."""
    pytest.importorskip("nerb")
    suite.negatives.append(negative("dirty.00", f"By {NAME}.", ["boundary", "negative"]))
    suite.write().run()
    embedded = suite.report()
    suite.run("--pii-engine=nerb")
    other = suite.report()
    assert json.dumps(other["conformance"]) == json.dumps(embedded["conformance"])
    changed = {key for key, value in embedded["fingerprints"].items() if other["fingerprints"][key] != value}
    assert changed == {"comparison", "engine"}
    assert other["subject"]["engine"] == "nerb"
