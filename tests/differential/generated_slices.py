"""Quality suites of our own making: crowded gold, weak and partial slices, odd texts."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from generated_suite import build, entity, literal, name, regex

Document = dict[str, Any]

_ZEROS = "sha256:" + "0" * 64
# Surfaces that the bank finds under a class, some inside others; strangers that nobody finds.
_SURFACES = (
    ("person", "Ann Lee"),
    ("person", "Ann"),
    ("person", "Zoë Lee-Moor"),
    ("person", "Nobody Known"),
    ("place", "Lee"),
    ("place", "Moor"),
    ("contact", "ann@lee.example"),
    ("contact", "+49 1234"),
    ("contact", "tel 77"),
    ("ref", "AB-123"),
    ("ref", "ab-123"),
)
_FILLERS = ("and", "naïve", "\U0001f600", "e\u0301tude", "希美", "", "order", "Annex")
_JOINTS = (" ", " ", " ", ", ", "", "\n", " \u2013 ")
_VIEWS = {"train": "body", "validation": "head", "test": "body"}


class QualitySuite(NamedTuple):
    """A decoded bank, and decoded rows of records and slices."""

    bank: Document
    records: list[Document]
    slices: list[Document]


def slice_row(slice_id: str, entity_class: str, role: str, **changes: Any) -> Document:
    """Return an independent, exhaustive slice of one class, or of nerb's scope `person_contact`."""
    classes = ["contact", "person"] if entity_class == "person_contact" else [entity_class]
    regions = changes.pop("document_regions", ["subject", "text"])
    exclusions = changes.pop("exclusions", [])
    row = {
        "id": slice_id,
        "label_artifact_id": "labels",
        "label_strength": "independent",
        "annotation_scope": {
            "entity_classes": classes,
            "document_regions": regions,
            "span_policy_sha256": _ZEROS,
            "exclusions": exclusions,
        },
        "annotation_completeness": "exhaustive_within_scope",
        "entity_class": entity_class,
        "cohort": "all",
        "split_role": role,
        "text_view": _VIEWS[role],
        "text_view_descriptor": {
            "id": _VIEWS[role],
            "artifact_sha256": _ZEROS,
            "content_policy_sha256": _ZEROS,
            "document_regions": ["subject", "text"],
            "primary_for_quality": True,
            "answer_bearing_fields_included": False,
        },
        "promotion_gate": False,
    }
    return {**row, **changes}


def bank() -> Document:
    """Return a bank of four classes whose entities overlap in text, with two people called Ann."""
    exact = {"case_sensitive": True}
    people = {
        "ann": name("Ann Lee", full=literal("Ann Lee", priority=10), first=literal("Ann", **exact)),
        "other": name("Another Ann", full=literal("Ann Other")),
        "zoe": name("Zoë Lee-Moor", full=literal("Zoë Lee-Moor", **exact)),
    }
    places = {key: name(key, plain=literal(key.title(), **exact)) for key in ("lee", "moor")}
    contacts = {
        "mail": name("mail", plain=regex(r"[a-z.]+@[a-z]+\.example")),
        "phone": name("phone", plain=regex(r"\+\d\d \d{4}")),
    }
    entities = {"person": people, "place": places, "contact": contacts}
    entities["ref"] = {"ref": name("ref", plain=regex(r"\b[A-Z]{2}-\d{3}\b"))}
    return {**build(1).bank, "entities": {key: entity(names) for key, names in entities.items()}}


def slices(*, gated: bool) -> list[Document]:
    """Return the plan of every suite: strong, weak, partial, of several classes, promotion-gated, empty."""
    weak, partial = {"label_strength": "structured_weak"}, {"annotation_completeness": "partial"}
    return [
        *(slice_row(f"train.{name}", name, "train") for name in ("person", "place", "contact", "ref")),
        slice_row("train.both", "person_contact", "train"),
        slice_row("train.weak", "person", "train", **weak),
        slice_row("train.partial", "contact", "train", **partial),
        slice_row("train.regions", "ref", "train", **partial, document_regions=["text"]),
        slice_row("train.weak.both", "person_contact", "train", **weak, **partial),
        slice_row("validation.person", "person", "validation"),
        slice_row("validation.exclusions", "person", "validation", exclusions=["signatures"]),
        slice_row("validation.weak", "place", "validation", **weak),
        slice_row("validation.empty", "ref", "validation"),
        slice_row("promotion", "person_contact", "test", promotion_gate=gated),
        slice_row("test.place", "place", "test"),
    ]


def generate(seed: int) -> QualitySuite:
    """Return the suite of `seed`.

    Odd seeds have a promotion gate, and then nerb wants five documents in every slice with any; of those,
    every third has no gold for the gate. Even seeds have one to twelve documents.
    """
    rng = random.Random(seed)  # noqa: S311  # reproducible, not secret
    gated = seed % 2 == 1
    plan = {row["id"]: row for row in slices(gated=gated)}
    bare = "test" if gated and seed % 3 == 0 else None
    roles = [*_VIEWS] * 16 if gated else rng.choices([*_VIEWS], k=rng.randint(1, 12))
    records = [_record(rng, plan, (role, role == bare)) for role in roles]
    for number, row in enumerate(records):
        for part in (row["document"], *row["gold_spans"]):
            part["document_id"] = f"doc-{number}"
    return QualitySuite(bank(), records, list(plan.values()))


def _record(rng: random.Random, plan: dict[str, Document], kind: tuple[str, bool]) -> Document:
    role, bare = kind
    open_ids = [key for key, row in plan.items() if row["split_role"] == role and key != "validation.empty"]
    chosen = {key for key in open_ids if rng.random() < 0.75} | {rng.choice(open_ids)}
    chosen |= {"promotion"} & set(open_ids)
    classes = {name for key in chosen for name in plan[key]["annotation_scope"]["entity_classes"]}
    text, places = _text(rng)
    labelled = not bare and rng.random() < 0.8
    gold = sorted({span for span in _gold(rng, text, places) if span[2] in classes}) if labelled else []
    document = {"document_id": "", "text": text, "text_view": _VIEWS[role], "split_role": role}
    return {
        "document": document,
        "gold_spans": [_gold_row(rng, span) for span in gold],
        "slice_ids": sorted(chosen),
    }


def _text(rng: random.Random) -> tuple[str, list[tuple[int, int, str]]]:
    text, places = "", []
    for _ in range(rng.randint(0, 9)):
        if rng.random() < 0.7:
            entity_class, surface = rng.choice(_SURFACES)
            places.append((len(text), len(text) + len(surface), entity_class))
        else:
            surface = rng.choice(_FILLERS)
        text += surface + rng.choice(_JOINTS)
    return text, places


def _gold(rng: random.Random, text: str, places: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Return the surfaces themselves, shifted and mistyped ones, and spans anywhere."""
    classes = ("person", "place", "contact", "ref")
    spans = []
    for start, end, entity_class in places:
        kind = rng.random()
        if kind < 0.6:
            spans.append((start, end, entity_class))
        elif kind < 0.75:
            spans.append((start + 1, end, entity_class))
        elif kind < 0.85:
            spans += [(start, end, entity_class), (start, end, rng.choice(classes))]
        if kind > 0.95:  # a span around it
            spans.append((max(0, start - 2), min(len(text), end + 3), entity_class))
    for _ in range(rng.randint(0, 2) if text else 0):
        start = rng.randrange(len(text))
        spans.append((start, min(len(text), start + rng.randint(1, 9)), rng.choice(classes)))
    return spans


def _gold_row(rng: random.Random, span: tuple[int, int, str]) -> Document:
    start, end, entity_class = span
    patterns = {
        "person": (("ann", "full"), ("ann", "first"), ("other", "full"), ("zoe", "full")),
        "place": (("lee", "plain"), ("moor", "plain")),
        "contact": (("mail", "plain"), ("phone", "plain")),
        "ref": (("ref", "plain"),),
    }
    name_id, pattern_id = rng.choice(patterns[entity_class])
    identity = {"entity_id": entity_class, "name_id": name_id, "pattern_id": pattern_id}
    return {
        "document_id": "",
        "entity_class": entity_class,
        "start": start,
        "end": end,
        "catalog_identity": identity if rng.random() < 0.6 else None,
    }
