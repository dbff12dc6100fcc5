"""The examples of docs/quality-files.md and docs/predictions.md are valid, and fit together as a suite."""

from __future__ import annotations

from docs_fences import fences

from pytest_pii_eval.contracts.limits import EVERY_SLICE
from pytest_pii_eval.contracts.population import Population
from pytest_pii_eval.contracts.predictions import PredictionContract, parse_header, text_digest
from pytest_pii_eval.contracts.provenance import Coverage, parse_origin
from pytest_pii_eval.contracts.records import RecordContract
from pytest_pii_eval.contracts.slices import make_plan, parse_slice, parse_unsupported
from pytest_pii_eval.contracts.strict_json import parse, parse_line
from pytest_pii_eval.contracts.suite_file import parse_suite
from pytest_pii_eval.contracts.taxonomy import default_taxonomy, parse_taxonomy
from pytest_pii_eval.contracts.yaml_file import parse_yaml

BLOCKS = {one.name: one.text for one in fences("docs/quality-files.md") + fences("docs/predictions.md")}


def test_the_examples_are_one_valid_suite() -> None:
    """Record, slice, gap and provenance agree; the gold says what the text says."""
    names = ("record", "slice", "unsupported-slice", "provenance")
    values = {name: parse(BLOCKS[name].encode()) for name in names}
    plan = make_plan([parse_slice(values["slice"])], [parse_unsupported(values["unsupported-slice"])])
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


def test_the_predictions_fit_the_record() -> None:
    """Header and prediction of docs/predictions.md hold, and are about the text of the record."""
    header = parse_header(parse_line(BLOCKS["predictions-header"].strip().encode()))
    prediction = PredictionContract(header).parse(parse_line(BLOCKS["prediction"].strip().encode()))
    assert prediction.text_sha256 == text_digest("Ada Moe, ada@mail.example")
    assert [span[:3] for span in prediction.detection.selected] == [
        (0, 7, "PERSON"),
        (9, 25, "EMAIL_ADDRESS"),
    ]
