"""A corpora file becomes items: a slice a corpus, scored like any slice, or a skip that says how."""

from __future__ import annotations

import json

from corpora_suite import KEY

from conftest import EMAIL, MAIL, NAME, PERSON


def test_a_prepared_corpus_is_one_slice_with_its_pin(corpora, processes):
    """Shards and slice pass; recall 3/4, precision 3/3, one leak; the report names bytes and adapter."""
    corpora.write().prepare()
    result = corpora.run_corpora("-v", "--pii-shard-size=2", *processes)
    result.assert_outcomes(passed=3)
    one = corpora.report()["slices"][KEY]
    shown = {name: one["metrics"][name]["value"] for name in ("recall", "precision", "leaks")}
    assert shown == {"recall": 0.75, "precision": 1.0, "leaks": 1}
    assert one["counts"]["documents"] == 3
    corpus = one["corpus"]
    assert corpus["artifact_sha256"] == "sha256:" + corpora.pins[KEY]["sha256"]
    assert (corpus["adapter"], corpus["rows"], corpus["quarantined"]) == ("spans", 3, {})
    assert corpus["in_domain"] is False


def test_an_absent_corpus_is_a_skip_with_its_command(corpora, processes):
    """Nothing is prepared: one skip that names the command, no verdict, exit status 0."""
    result = corpora.write().run_corpora("-rs", *processes)
    result.assert_outcomes(skipped=1)
    assert result.ret == 0
    result.stdout.fnmatch_lines([f"SKIPPED*run: pii-eval corpus prepare {KEY}*"])
    report = corpora.report()
    assert (report["passed"], report["complete"]) == (None, True)
    assert report["unsupported_slices"][KEY] == {"dimension": "corpus", "reason_code": "corpus_absent"}


def test_a_required_corpus_that_is_absent_fails(corpora):
    """With --pii-require-corpora the same is a failure with the same command."""
    result = corpora.write().run_corpora("--pii-require-corpora")
    result.assert_outcomes(failed=1)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [f"{KEY}: the corpus is not prepared here; run: pii-eval corpus prepare {KEY}"]
    )


def test_an_absent_corpus_beside_a_present_one(corpora):
    """The present one is judged, the absent one is skipped, and the download comes before the preparation."""
    corpora.write().prepare()
    remote = {"kind": "huggingface", "repository": "o/r", "revision": "a" * 40, "path": "x.jsonl"}
    corpora.pins["far"] = corpora.pin("export.jsonl", source=remote)
    corpora.write_corpora()
    result = corpora.run_corpora("-rs")
    result.assert_outcomes(passed=2, skipped=1)
    result.stdout.fnmatch_lines(["*run: pii-eval corpus download far && pii-eval corpus prepare far*"])
    assert corpora.report()["passed"] is True


def test_wrong_bytes_stop_the_run(corpora, processes):
    """A prepared file with one other byte is a collection error: nothing runs, and nothing is scored."""
    [folder] = corpora.write().prepare()
    records = folder / "quality-records.jsonl"
    records.write_bytes(records.read_bytes().replace(b"Nothing", b"Nothinc"))
    result = corpora.run_corpora(*processes)
    assert result.ret != 0
    result.stdout.fnmatch_lines(
        ["*quality-records.jsonl: of the prepared corpus own-mail holds other bytes*"]
    )
    assert not (corpora.path / ".pii_eval/report.json").exists()


def test_another_pin_makes_the_corpus_absent(corpora):
    """What was prepared by another recipe is never scored under a new one."""
    corpora.write().prepare()
    corpora.pins[KEY]["annotation_completeness"] = "partial"
    corpora.write_corpora()
    corpora.run_corpora().assert_outcomes(skipped=1)


def test_only_the_corpora_asked_for(corpora):
    """--pii-corpus leaves the others out; a key that the file lacks stops the run and names those it has."""
    corpora.write()
    corpora.pins["other"] = corpora.pin("export.jsonl", split_role="validation")
    corpora.write_corpora()
    corpora.prepare()
    corpora.run_corpora("--pii-corpus=other").assert_outcomes(passed=2)
    assert list(corpora.report()["slices"]) == ["other"]
    result = corpora.run_corpora("--pii-corpus=othr")
    result.stdout.fnmatch_lines(
        [f"*corpora.yaml: --pii-corpus: 1 of the 1 keys are not in it; it has: {KEY}, other"]
    )


def test_a_limited_run_is_marked_and_compares_with_no_full_one(corpora):
    """The first document alone: 2 gold, no verdict, and other fingerprints than those of a full run."""
    corpora.write().prepare()
    corpora.run_corpora()
    full = corpora.report()
    result = corpora.run_corpora("--pii-limit=1")
    result.assert_outcomes(passed=2)
    limited = corpora.report()
    assert limited["slices"][KEY]["counts"]["documents"] == 1
    assert limited["slices"][KEY]["by_type"]["email"]["counts"]["gold"] == 2
    assert (limited["selection"]["limit"], limited["selection"]["whole"], limited["passed"]) == (
        1,
        False,
        None,
    )
    for name in ("quality_protocol", "quality_policy", "quality_run"):
        assert limited["fingerprints"][name] != full["fingerprints"][name]
    result.stdout.fnmatch_lines(["limit        1 documents of each suite: compares with no full run"])


def test_types_narrow_a_corpus(corpora):
    """Only addresses: 2 of 2, and nothing about persons."""
    corpora.write().prepare()
    corpora.run_corpora("--pii-types=email")
    one = corpora.report()["slices"][KEY]
    assert (one["types"], one["metrics"]["recall"]["value"]) == (["email"], 1.0)


def test_gates_of_the_corpora_file(corpora):
    """A gate on one corpus and type is judged exactly; one on a corpus that is not there is refused."""
    corpora.write().prepare()
    gate = {"slice": KEY, "metric": "recall", "type": "person", "min": "0.51"}
    corpora.write_corpora(gates=[gate])
    result = corpora.run_corpora()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*recall of person 0.500000 (1/2), must be at least 0.510000 (51/100)*"])
    corpora.write_corpora(gates=[gate | {"slice": "elsewhere"}])
    result = corpora.run_corpora()
    result.stdout.fnmatch_lines(["*corpora.yaml: gates[[]0[]].slice: names no corpus of the file*"])


def test_declared_gaps_are_skipped_with_their_reason(corpora):
    """Each dimension that the pin declares unsupported is an item and stands in the report."""
    corpora.write()
    corpora.pins[KEY]["unsupported"] = [{"dimension": "head_tail", "reason_code": "no_frequencies"}]
    corpora.write_corpora()
    corpora.prepare()
    result = corpora.run_corpora("-rs")
    result.assert_outcomes(passed=2, skipped=1)
    gaps = corpora.report()["unsupported_slices"]
    assert gaps == {f"{KEY}.head_tail": {"dimension": "head_tail", "reason_code": "no_frequencies"}}


def test_a_detector_that_trained_on_the_corpus_is_in_domain(corpora):
    """The pin names the model, in whatever option the detector takes it: the slice is marked, loudly."""
    corpora.write()
    corpora.pins[KEY]["in_domain_for"] = ["house/model-a"]
    corpora.write_corpora()
    corpora.prepare()
    source = "def find(text, *, model='x'):\n    return []\n"
    (corpora.path / "mine.py").write_text(source, encoding="utf-8")
    asked = ("--pii-detector=mine:find", "--pii-label-map=common")
    result = corpora.run_corpora(*asked, "--pii-detector-option=model=house/model-a", bank=None)
    assert corpora.report()["slices"][KEY]["corpus"]["in_domain"] is True
    result.stdout.fnmatch_lines([f"in domain    the detector is known to have trained on: {KEY}"])
    corpora.run_corpora(*asked, "--pii-detector-option=model=house/model-b", bank=None)
    assert corpora.report()["slices"][KEY]["corpus"]["in_domain"] is False


def bindings_of(corpora, **changes):
    """Write catalog bindings for all four gold spans: the stranger is adjudicated as unknown."""
    keys = ("entity_id", "name_id", "pattern_id")
    rows = []
    for line in (corpora.path / "export.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for start, end, _ in row["spans"]:
            surface = row["text"][start:end]
            known = {MAIL: EMAIL, "ab@canary.example": EMAIL, NAME: PERSON}.get(surface)
            identity = None if known is None else dict(zip(keys, known, strict=False))
            rows.append(
                {"document_id": row["doc_id"], "start": start, "end": end, "catalog_identity": identity}
                | changes
            )
    return rows


def test_without_bindings_nothing_is_said_about_the_catalog(corpora):
    """Nobody adjudicated the gold: coverage and cataloged recall have a reason, and no value."""
    corpora.write().prepare()
    corpora.run_corpora()
    metrics = corpora.report()["slices"][KEY]["metrics"]
    assert {metrics[name]["reason"] for name in ("catalog_coverage", "cataloged_recall")} == {
        "catalog_unbound"
    }


def test_bindings_answer_the_questions_about_the_catalog(corpora, processes):
    """Three of four gold spans are cataloged, all three are found, and the run binds the bindings."""
    corpora.write().prepare()
    corpora.run_corpora()
    unbound = corpora.report()
    corpora.write_rows("adjudicated.jsonl", bindings_of(corpora))
    corpora.pins[KEY]["catalog_bindings"] = "adjudicated.jsonl"
    corpora.write_corpora()
    corpora.run_corpora(*processes).assert_outcomes(passed=2)
    bound = corpora.report()
    metrics = bound["slices"][KEY]["metrics"]
    assert metrics["catalog_coverage"]["value"] == 0.75
    assert metrics["cataloged_recall"]["value"] == 1.0
    assert bound["fingerprints"]["catalog_bindings"] != unbound["fingerprints"]["catalog_bindings"]
    assert bound["slices"][KEY]["corpus"]["commitment"] != unbound["slices"][KEY]["corpus"]["commitment"]


def test_bindings_that_do_not_cover_exactly_stop_the_run(corpora):
    """A row too few, one too many, one twice, and an identity that the bank lacks: one line each."""
    corpora.write().prepare()
    corpora.pins[KEY]["catalog_bindings"] = "adjudicated.jsonl"
    corpora.write_corpora()
    rows = bindings_of(corpora)
    extra = rows[0] | {"start": 1, "end": 3}
    for given in (
        rows[1:],
        [*rows, extra],
        [*rows, rows[0]],
        [rows[0] | {"catalog_identity": rows[2]["catalog_identity"]}, *rows[1:]],
    ):
        corpora.write_rows("adjudicated.jsonl", given)
        result = corpora.run_corpora()
        assert result.ret == 2
        result.assert_outcomes(errors=1)
        assert "canary" not in result.stdout.str().lower().replace(corpora.path.name, "")


def test_bindings_beside_the_records_of_a_suite(quality):
    """The sidecar of a directory binds its gold, whose own identities must be null then."""
    for row in quality.records:
        for span in row["gold_spans"]:
            span["catalog_identity"] = None
    quality.write()
    rows = [
        {
            "document_id": span["document_id"],
            "start": span["start"],
            "end": span["end"],
            "catalog_identity": None,
        }
        for row in quality.records
        for span in row["gold_spans"]
    ]
    quality.write_rows("catalog-bindings.jsonl", rows)
    quality.run("quality-slices.jsonl", "quality-records.jsonl", "catalog-bindings.jsonl")
    assert quality.report()["slices"]["contact"]["metrics"]["catalog_coverage"]["value"] == 0
    quality.write_rows("catalog-bindings.jsonl", rows[1:])
    assert quality.run("quality-slices.jsonl").ret == 2


def test_an_adapter_of_a_plugin(corpora):
    """The hook gives the class for a name that is not shipped; the run builds it to know the recipe."""
    corpora.write()
    source = """
    from pytest_pii_eval.corpora.adapters.spans import SpansAdapter

    class Own(SpansAdapter):
        name = "tickets"

    def pytest_pii_make_corpus_adapter(name, config):
        return Own if name == "tickets" else None
    """
    corpora.pytester.makeconftest(source)
    corpora.pins[KEY]["adapter"] = "tickets"
    corpora.write_corpora()
    corpora.run_corpora().assert_outcomes(skipped=1)
    corpora.pins[KEY]["adapter"] = "tickts"
    corpora.write_corpora()
    result = corpora.run_corpora()
    result.stdout.fnmatch_lines(["*no corpus adapter has this name; name module:attribute or one of: *"])


def test_a_corpora_file_of_somebody_else_is_left_alone(corpora):
    """A run that asks about no detector walks past the file, and so does one with other names for ours."""
    corpora.write()
    (corpora.path / "test_mine.py").write_text("def test_one(): pass\n", encoding="utf-8")
    corpora.run(bank=None).assert_outcomes(passed=1)


def test_a_corpus_by_its_key_alone(corpora, processes):
    """--pii-corpus is enough: the corpora file of the root directory is found, and no other item is lost."""
    corpora.write().prepare()
    (corpora.path / "mine").mkdir()
    (corpora.path / "mine/test_mine.py").write_text("def test_one(): pass\n", encoding="utf-8")
    corpora.run("mine", f"--pii-corpus={KEY}", *processes).assert_outcomes(passed=3)
    assert corpora.report()["slices"][KEY]["counts"]["documents"] == 3


def test_a_shipped_corpus_by_its_key_alone(corpora):
    """Without a corpora file in the root directory the shipped one is asked."""
    corpora.write()
    (corpora.path / "corpora.yaml").unlink()
    result = corpora.run("bank.json", "--pii-corpus=gretel-finance-en", "-rs")
    result.stdout.fnmatch_lines(["*run: pii-eval corpus download gretel-finance-en && *"])
