"""A slice whose gold was counted in another unit says so, in its failure and in the report."""

from __future__ import annotations

import unicodedata

from conftest import MAIL, NAME

ZEROS = "sha256:" + "0" * 64


def slice_row(slice_id, *classes):
    """Return an independent, exhaustive slice of the role validation."""
    return {
        "id": slice_id,
        "label_artifact_id": "labels",
        "label_strength": "independent",
        "annotation_scope": {
            "entity_classes": list(classes),
            "document_regions": ["body"],
            "span_policy_sha256": ZEROS,
            "exclusions": [],
        },
        "annotation_completeness": "exhaustive_within_scope",
        "entity_class": classes[0] if len(classes) == 1 else "every",
        "cohort": "all",
        "split_role": "validation",
        "text_view": "body",
        "text_view_descriptor": {
            "id": "body",
            "artifact_sha256": ZEROS,
            "content_policy_sha256": ZEROS,
            "document_regions": ["body"],
            "primary_for_quality": True,
            "answer_bearing_fields_included": False,
        },
        "promotion_gate": False,
    }


def record(slice_id, number, text, *gold):
    """Return a record; gold is `(class, start, end)`."""
    document_id = f"{slice_id}.{number}"
    return {
        "document": {
            "document_id": document_id,
            "text": text,
            "text_view": "body",
            "split_role": "validation",
        },
        "gold_spans": [
            {
                "document_id": document_id,
                "entity_class": entity_class,
                "start": start,
                "end": end,
                "catalog_identity": None,
            }
            for entity_class, start, end in gold
        ],
        "slice_ids": [slice_id, "people"] if slice_id == "utf16" else [slice_id],
    }


def units(text, unit):
    """Return how many units `text` has."""
    return {"point": len(text), "utf16": len(text.encode("utf-16-le")) // 2, "byte": len(text.encode())}[unit]


def counted(slice_id, unit, number, before):
    """Return a record whose person and mail address stand behind `before`, counted in `unit`."""
    text = f"{before} {NAME}, {MAIL}; merci à bientôt, à toi aussi"
    spans = []
    for entity_class, surface in (("person", NAME), ("email", MAIL)):
        start = units(text[: text.index(surface)], unit)
        spans.append((entity_class, start, start + units(surface, unit)))
    return record(slice_id, number, text, *spans)


def quality(suite):
    """Write slices that are wrong by a unit, right, wrong by a normal form, and wrong by a unit but once."""
    decomposed = unicodedata.normalize("NFD", f"Żółć Żółć {NAME} now and then")
    at = unicodedata.normalize("NFC", decomposed).index(NAME)
    rows = [
        counted("utf16", "utf16", 1, "\U0001f600"),
        counted("utf16", "utf16", 2, "\U0001f600 \U0001f680 é"),
        counted("utf16", "utf16", 3, "no emoji à côté"),
        counted("byte", "byte", 1, "é è"),
        counted("right", "point", 1, "é \U0001f600"),
        record("ascii", 1, "Nobody was here", ("person", 0, 6)),
        record("normal.form", 1, decomposed, ("person", at, at + len(NAME))),
        counted("once.otherwise", "utf16", 1, "\U0001f600"),
        record("once.otherwise", 2, "Zoë was here", ("person", 0, 3)),
    ]
    names = ("utf16", "byte", "right", "ascii", "normal.form", "once.otherwise")
    slices = [slice_row(name, "email", "person") for name in names]
    suite.write_rows("quality-slices.jsonl", [*slices, slice_row("people", "person")])
    suite.write_rows("quality-records.jsonl", rows)


def test_unit_is_named_where_every_miss_fits_it(suite, processes):
    """Gold in UTF-16 units and in bytes is named so; a miss that fits no unit, or a normal form, is not."""
    suite.write()
    quality(suite)
    files = ("quality-records.jsonl", "quality-slices.jsonl", "--pii-shard-size=2", "--pii-min-recall=1")
    result = suite.run(*processes, *files)
    hints = {name: one["offset_hint"] for name, one in suite.report()["slices"].items()}
    assert hints == {
        "ascii": None,
        "byte": "byte",
        "normal.form": None,
        "once.otherwise": None,
        "people": "utf16",
        "right": None,
        "utf16": "utf16",
    }
    result.assert_outcomes(passed=5 + 1, failed=6)
    said = [line.strip() for line in result.outlines if "hint:" in line]
    assert sorted(said) == [
        f"hint: each of the {count} gold spans missed in non-ASCII documents equals a prediction"
        f" when counted in {unit}; records count code points"
        for count, unit in ((2, "UTF-16 units"), (2, "UTF-8 bytes"), (4, "UTF-16 units"))
    ]
