"""The examples of docs/quality-files.md are valid, and fit together as a suite."""

from __future__ import annotations

import re
from pathlib import Path

from pytest_pii_eval.contracts.limits import EVERY_SLICE
from pytest_pii_eval.contracts.population import Population
from pytest_pii_eval.contracts.provenance import Coverage, parse_origin
from pytest_pii_eval.contracts.records import RecordContract
from pytest_pii_eval.contracts.slices import make_plan, parse_slice, parse_unsupported
from pytest_pii_eval.contracts.strict_json import parse
from pytest_pii_eval.contracts.suite_file import parse_suite
from pytest_pii_eval.contracts.taxonomy import default_taxonomy, parse_taxonomy
from pytest_pii_eval.contracts.yaml_file import parse_yaml

PAGE = (Path(__file__).parents[3] / "docs/quality-files.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"^```\w+ (\w+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))


def test_the_examples_are_one_valid_suite() -> None:
    """Record, slice, gap and provenance agree; the gold says what the text says."""
    values = {name: parse(BLOCKS[name].encode()) for name in ("record", "slice", "unsupported", "provenance")}
    plan = make_plan([parse_slice(values["slice"])], [parse_unsupported(values["unsupported"])])
    default_taxonomy().check(plan)
    record = RecordContract(plan).parse(values["record"])
    assert [record.text[span.start : span.end] for span in record.gold] == ["Ada Moe", "ada@mail.example"]
    population = Population(plan)
    population.add(record, ("quality-records.jsonl", 1))
    population.finish()
    coverage = Coverage(population)
    coverage.add(parse_origin(values["provenance"]), ("quality-provenance.jsonl", 1))
    coverage.finish()


def test_the_suite_file_and_the_taxonomy_are_valid() -> None:
    """Both are read as they stand on the page."""
    suite = parse_suite(parse_yaml(BLOCKS["suite"].encode()), default_taxonomy())
    assert [(rule.slice, str(rule.limit)) for rule in suite.rules()] == [
        (EVERY_SLICE, "0"),
        ("personal_test", "19/20"),
        ("personal_test", "None"),
    ]
    taxonomy = parse_taxonomy(parse_yaml(BLOCKS["taxonomy"].encode()))
    assert taxonomy.high_severity(taxonomy.types) == {"api_key"}
