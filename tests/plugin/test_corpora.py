"""A corpora file becomes items: a slice a corpus, scored like any slice, or a skip that says how."""

from __future__ import annotations

import json
import sys

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
    report = corpora.report()
    assert (report["passed"], report["selection"]["whole"]) == (None, False)
    assert report["slices"][KEY]["passed"] is True
    result.stdout.fnmatch_lines(["verdict      none (not every corpus is prepared here, and nothing failed)"])


def test_wrong_bytes_stop_the_run(corpora, processes):
    """A prepared file with one other byte is a collection error: nothing runs, and nothing is scored."""
    [folder] = corpora.write().prepare()
    records = folder / "quality-records.jsonl"
    records.write_bytes(records.read_bytes().replace(b"Nothing", b"Nothinc"))
    result = corpora.run_corpora(*processes)
    assert result.ret != 0
    result.stdout.fnmatch_lines(
        ["*quality-records.jsonl: holds other bytes than the receipt*corpus prepare own-mail*"]
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
    result.stdout.fnmatch_lines(["limit        the first 1 of each suite: compares with no full run"])


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
    corpora.run_corpora(*asked, "--pii-detector-option=model=./House/Model-A@main", bank=None)
    assert corpora.report()["slices"][KEY]["corpus"]["in_domain"] is True
    corpora.run_corpora(*asked, "--pii-detector-option=model=house/model-b", bank=None)
    assert corpora.report()["slices"][KEY]["corpus"]["in_domain"] is False


def test_of_predictions_nobody_knows_what_they_trained_on(corpora):
    """Predictions do not name a model: where the pin names some, in-domain is null and not false."""
    corpora.write()
    corpora.pins[KEY]["in_domain_for"] = ["house/model-a"]
    corpora.write_corpora()
    [folder] = corpora.prepare()
    (corpora.path / "mine.py").write_text("def find(text):\n    return []\n", encoding="utf-8")
    asked = ("--detector=mine:find", "--out=p.jsonl", "--quiet")
    predict = (sys.executable, "-m", "pytest_pii_eval", "predict", folder, *asked)
    assert corpora.pytester.run(*predict).ret == 0
    corpora.run_corpora("--pii-predictions=p.jsonl", "--pii-label-map=common", bank=None)
    assert corpora.report()["slices"][KEY]["corpus"]["in_domain"] is None


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
    assert bound["slices"][KEY]["corpus"]["commitment"] != unbound["slices"][KEY]["corpus"]["commitment"]
    changed = {
        name for name, value in bound["fingerprints"].items() if unbound["fingerprints"][name] != value
    }
    assert changed == {"catalog_bindings", "quality_run"}


def test_gold_adjudicated_as_unknown_is_not_gold_that_nobody_looked_at(corpora):
    """Bindings that are all null change the fingerprint of the bindings, and only what is made of it."""
    corpora.write().prepare()
    corpora.run_corpora()
    unbound = corpora.report()
    corpora.write_rows("adjudicated.jsonl", bindings_of(corpora, catalog_identity=None))
    corpora.pins[KEY]["catalog_bindings"] = "adjudicated.jsonl"
    corpora.write_corpora()
    corpora.run_corpora()
    bound = corpora.report()
    assert bound["slices"][KEY]["metrics"]["catalog_coverage"]["value"] == 0
    changed = {
        name for name, value in bound["fingerprints"].items() if unbound["fingerprints"][name] != value
    }
    assert changed == {"catalog_bindings", "quality_run"}


def test_bindings_that_name_patterns_need_the_bank(corpora):
    """Only a bank tells whether a pattern is active: without it coverage would be whatever was written."""
    corpora.write().prepare()
    corpora.write_rows("adjudicated.jsonl", bindings_of(corpora))
    corpora.pins[KEY]["catalog_bindings"] = "adjudicated.jsonl"
    corpora.write_corpora()
    (corpora.path / "mine.py").write_text("def find(text):\n    return []\n", encoding="utf-8")
    asked = ("--pii-detector=mine:find", "--pii-label-map=common")
    result = corpora.run_corpora(*asked, bank=None)
    result.stdout.fnmatch_lines(
        ["*adjudicated.jsonl: names patterns, and only a bank tells *give --pii-bank"]
    )
    corpora.run_corpora(*asked).assert_outcomes(passed=2)


def test_neither_folders_nor_other_gates_change_what_is_compared(corpora, quality):
    """A cache elsewhere, and a gate on a corpus that was not asked for, leave every fingerprint as it is."""
    corpora.write()
    corpora.pins["other"] = corpora.pin("export.jsonl", split_role="validation")
    corpora.write_corpora()
    quality.write()
    seen = set()
    for cache in ("a-cache", "z-cache"):
        corpora.prepare(cache=corpora.path / cache)
        corpora.run(
            "corpora.yaml",
            "quality-slices.jsonl",
            "quality-records.jsonl",
            f"--pii-corpus={KEY}",
            f"--pii-corpora-cache={cache}",
        )
        seen.add(json.dumps(corpora.report()["fingerprints"], sort_keys=True))
        corpora.write_corpora(gates=[{"slice": "other", "metric": "leaks", "max": "0"}])
    assert len(seen) == 1


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


def test_a_gate_of_a_type_that_no_corpus_has_is_refused(corpora):
    """Else it would be judged nowhere, and the run would pass without it; so would one on no metric."""
    corpora.write().prepare()
    gate = {"slice": "*", "metric": "recall", "type": "vehicle", "min": "1"}
    corpora.write_corpora(gates=[gate])
    result = corpora.run_corpora()
    said = "*corpora.yaml: gates[[]0[]].type: is a type of no corpus that the gate speaks of"
    result.stdout.fnmatch_lines([said])
    corpora.write_corpora(gates=[{"slice": KEY, "metric": "nosuch", "min": "1"}])
    corpora.run_corpora().stdout.fnmatch_lines(
        ["*corpora.yaml: gates[[]0[]].metric: is no metric of a slice"]
    )


def test_a_cache_on_the_way_takes_no_gates_away(corpora):
    """A visible cache is walked past; the corpora file behind it judges its own gate on the corpus."""
    corpora.write().prepare(cache=corpora.path / "a-cache")
    corpora.write_corpora(gates=[{"slice": KEY, "metric": "leaks", "max": "0"}])
    result = corpora.run("--pii-corpora-cache=a-cache")
    result.stdout.fnmatch_lines(["*gates[[]0[]]: leaks 1, must be at most 0 (support 4)"])
    assert result.ret == 1


def test_one_corpus_for_two_files_with_other_gates_is_refused(corpora):
    """The first file would decide for both."""
    corpora.write().prepare()
    (corpora.path / "other").mkdir()
    first = (corpora.path / "corpora.yaml").read_text(encoding="utf-8")
    corpora.write_corpora(gates=[{"slice": KEY, "metric": "leaks", "max": "0"}])
    (corpora.path / "corpora.yaml").rename(corpora.path / "other/corpora.yaml")
    (corpora.path / "corpora.yaml").write_text(first, encoding="utf-8")
    result = corpora.run("corpora.yaml", "other/corpora.yaml")
    result.stdout.fnmatch_lines(["*is collected twice: as a suite of its own and as a corpus, or for two*"])


def test_an_absent_corpus_and_a_slice_of_its_id(corpora):
    """A report tells slices by their ids, so the id of a corpus that is not here is taken, too."""
    [folder] = corpora.write().prepare(cache=corpora.path / "elsewhere")
    folder.rename(corpora.path / "suite")
    for order in (("corpora.yaml", "suite"), ("suite", "corpora.yaml")):
        result = corpora.run(*order)
        result.stdout.fnmatch_lines([f"*uses the id {KEY} of a corpus that is not prepared here*"])


def test_records_that_change_between_check_and_score(corpora):
    """A detector that rewrites the records while it is asked: no figure comes of other documents."""
    [folder] = corpora.write().prepare()
    source = f"""
    import pathlib
    records = pathlib.Path({str(folder)!r}) / "quality-records.jsonl"

    def find(text):
        payload = records.read_bytes()
        records.write_bytes(payload)
        return []
    """
    corpora.pytester.makepyfile(mine=source)
    result = corpora.run_corpora("--pii-detector=mine:find", "--pii-label-map=common", bank=None)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*quality-records.jsonl: changed while the run went on; run again"])
    assert corpora.report()["passed"] is False


def test_the_command_names_other_places(corpora):
    """Another corpora file and cache are named, so that the command prepares what this run looks for."""
    corpora.write()
    (corpora.path / "conf").mkdir()
    (corpora.path / "corpora.yaml").rename(corpora.path / "conf/corpora.yaml")
    (corpora.path / "export.jsonl").rename(corpora.path / "conf/export.jsonl")
    result = corpora.run("conf/corpora.yaml", "--pii-corpora-cache=kept", "-rs")
    said = f"*run: pii-eval corpus prepare {KEY} --corpora=conf/corpora.yaml --cache=kept"
    result.stdout.fnmatch_lines([said])


def test_an_adapter_beside_the_corpora_file(corpora):
    """A module of the project is found as `pii-eval corpus` finds it, whatever Python looks in."""
    corpora.write()
    source = "from pytest_pii_eval.corpora.adapters.spans import SpansAdapter as Own\n"
    (corpora.path / "besides.py").write_text(source, encoding="utf-8")
    corpora.pins[KEY]["adapter"] = "besides:Own"
    corpora.write_corpora()
    result = corpora.run_corpora("-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines([f"*run: pii-eval corpus prepare {KEY}"])


def test_a_gate_of_a_type_that_an_unmapped_corpus_lacks_is_refused(corpora):
    """Where labels are types, only the artifact tells what there is: refused once it is opened."""
    corpora.write()
    corpora.pins[KEY]["label_map"] = "types"
    row = {"doc_id": "a", "text": MAIL, "spans": [[0, 5, "email"]], "template_id": "t"}
    corpora.write_rows("export.jsonl", [row])
    corpora.pins[KEY] |= {name: corpora.pin("export.jsonl")[name] for name in ("bytes", "sha256")}
    corpora.write_corpora()
    corpora.prepare()
    corpora.write_corpora(gates=[{"slice": "*", "metric": "leaks", "type": "passport", "max": "0"}])
    result = corpora.run_corpora()
    result.stdout.fnmatch_lines(
        ["*corpora.yaml: gates[[]0[]].type: is a type of no corpus that the gate speaks of"]
    )
