"""SPY: placeholders filled with seeded values, and where these stand."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from random import Random

import faker
import pytest
from standoff_files import drafts, lines_file, read, reasons

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.corpora.adapters.spy_values import TYPES, faker_of_version, profile
from pytest_pii_eval.corpora.finding import build_adapter

OPTIONS = {"seed": "7", "faker": faker.VERSION}
ROW = {
    "tokens": ["Hej", ",", "I", "am", "[NAME]", ".", "\n\n", "Write", "[EMAIL]", "or", "[NAME]"],
    "trailing_whitespaces": [False, True, True, True, False, False, False, True, True, True, False],
    "labels": [14, 14, 14, 14, 2, 14, 14, 14, 0, 14, 2],
    "ent_tags": ["O", "O", "O", "O", "B-NAME", "O", "O", "O", "B-EMAIL", "O", "B-NAME"],
}


@pytest.fixture
def values(monkeypatch):
    """Every value is known: what Faker draws has tests of its own."""
    words = {
        **{label: [label] for label in TYPES},
        "NAME": ["Åsa", "B.", "Kvist"],
        "EMAIL": ["asa@example.org"],
    }
    monkeypatch.setattr("pytest_pii_eval.corpora.adapters.spy.profile", lambda *_: words)


def test_values_stand_where_placeholders_stood(tmp_path, values):
    """Blanks go between the words of a value, its last word has the placeholder's own white space."""
    (draft,) = drafts(lines_file(tmp_path, ROW), "spy", **OPTIONS)
    assert draft.text == "Hej, I am Åsa B. Kvist.\n\nWrite asa@example.org or Åsa B. Kvist"
    assert draft.spans == ((10, 22, "NAME"), (31, 46, "EMAIL"), (50, 62, "NAME"))
    assert [draft.text[start:end] for start, end, _ in draft.spans] == [
        "Åsa B. Kvist",
        "asa@example.org",
        "Åsa B. Kvist",
    ]
    assert (draft.row, draft.document_id) == (1, "1")


def test_placeholders_that_touch_are_two_spans(tmp_path, values):
    """Without white space between them the values touch, and the last keeps its white space."""
    row = {
        "tokens": ["[URL]", "[USERNAME]"],
        "trailing_whitespaces": [False, True],
        "ent_tags": ["B-URL", "B-USERNAME"],
    }
    (draft,) = drafts(lines_file(tmp_path, row), "spy", **OPTIONS)
    assert (draft.text, draft.spans) == ("URLUSERNAME ", ((0, 3, "URL"), (3, 11, "USERNAME")))


def test_text_between_real_values_is_the_placeholder_row(tmp_path):
    """Each span holds the words of the row's value joined by blanks, and all else is as it was."""
    (draft,) = drafts(lines_file(tmp_path, ROW), "spy", **OPTIONS)
    name, email = (
        " ".join(profile(faker_of_version(faker.VERSION), 7, 1)[label]) for label in ("NAME", "EMAIL")
    )
    assert draft.text == f"Hej, I am {name}.\n\nWrite {email} or {name}"
    assert [draft.text[start:end] for start, end, _ in draft.spans] == [name, email, name]


def test_key_of_the_readme_is_read_only_where_the_real_one_is_absent(tmp_path, values):
    """`trailing_whitespace` alone is enough; beside the real key it is not read."""
    white = ROW["trailing_whitespaces"]
    bare = {name: value for name, value in ROW.items() if name != "trailing_whitespaces"}
    path = lines_file(
        tmp_path,
        {**bare, "trailing_whitespace": white},
        {**ROW, "trailing_whitespace": None},
        bare,
        {**ROW, "trailing_whitespaces": None, "trailing_whitespace": white},
    )
    assert reasons(path, "spy", **OPTIONS) == ["fits", "fits", "field_missing", "row_not_readable"]


@pytest.mark.parametrize("tag", ["B-CITY", "I-NAME", "B-", "b-NAME", "NAME", "", "B-NAME "])
def test_tag_of_no_known_placeholder_quarantines_the_row(tmp_path, tag, values):
    """The placeholder files have O and seven B- tags, and nothing else."""
    row = {**ROW, "ent_tags": [tag, *ROW["ent_tags"][1:]]}
    assert reasons(lines_file(tmp_path, row, ROW), "spy", **OPTIONS) == ["placeholder_unknown", "fits"]


def test_lists_of_different_length_quarantine_the_row(tmp_path, values):
    """Which tag belongs to which token would be a guess."""
    rows = [{**ROW, name: ROW[name][1:]} for name in ("tokens", "ent_tags", "trailing_whitespaces")]
    assert reasons(lines_file(tmp_path, *rows), "spy", **OPTIONS) == ["bad_tag"] * 3


def test_template_is_that_of_the_placeholder_row(tmp_path):
    """Two rows of equal tokens are one template, whatever they are filled with; other tokens are another."""
    other = {**ROW, "tokens": ["Hi", *ROW["tokens"][1:]]}
    one, two, three = drafts(lines_file(tmp_path, ROW, ROW, other), "spy", **OPTIONS)
    (refilled,) = drafts(lines_file(tmp_path, ROW), "spy", **{**OPTIONS, "seed": "8"})
    assert one.template_id == two.template_id == refilled.template_id != three.template_id
    assert len({one.text, two.text, refilled.text}) == 3


def test_values_do_not_depend_on_other_rows(tmp_path):
    """Row 3 is what it is whether rows before it fit or not, and whether rows follow or not."""
    broken = {**ROW, "ent_tags": ["X"] * 11}
    long = read(lines_file(tmp_path, ROW, ROW, ROW, ROW), "spy", **OPTIONS)
    short = read(lines_file(tmp_path, broken, {}, ROW, name="short.jsonl"), "spy", **OPTIONS)
    assert long[2] == short[2]


def test_same_drafts_in_another_process(tmp_path):
    """Seed and Faker version decide: another process with another hash seed gives equal drafts."""
    path = lines_file(tmp_path, *[ROW] * 5)
    script = (
        "import sys; from pathlib import Path; from pytest_pii_eval.corpora.adapters.spy import SpyAdapter;"
        "print(list(SpyAdapter(seed=sys.argv[2], faker=sys.argv[3]).read(Path(sys.argv[1]))))"
    )
    told = subprocess.run(
        [sys.executable, "-c", script, str(path), "7", faker.VERSION],
        capture_output=True,
        check=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONHASHSEED": "99", "PYTHONIOENCODING": "utf-8"},
    ).stdout
    assert told.strip() == str(drafts(path, "spy", **OPTIONS))


def test_profile_is_drawn_as_its_version_says():
    """Row by row: a source seeded by SHA-256 of fill, seed and row seeds Faker and chooses generators."""
    source = Random(int.from_bytes(hashlib.sha256(b"spy-fill.v1:7:3").digest()[:8], "big"))  # noqa: S311  # not secret
    fake = faker.Faker("en_US")
    fake.seed_instance(source.getrandbits(64))
    first = source.choice([fake.ascii_email, fake.ascii_free_email])()
    source.choice([0])
    name = fake.name()
    deep = source.choice([1, 2])
    url = fake.uri(deep=deep)
    source.choice([0])
    phone = fake.phone_number()
    number = source.choice(
        [
            fake.ripe_id,
            fake.msisdn,
            fake.ssn,
            fake.sbn9,
            fake.isbn10,
            fake.isbn13,
            fake.credit_card_number,
            fake.aba,
            fake.bban,
            fake.iban,
        ]
    )()
    address, user = fake.street_address(), fake.user_name()
    found = profile(faker.Faker("en_US"), 7, 3)
    assert {label: " ".join(words) for label, words in found.items()} == {
        "EMAIL": first,
        "NAME": name,
        "URL": url,
        "PHONE_NUM": phone,
        "ID_NUM": number,
        "ADDRESS": address,
        "USERNAME": user,
    }


@pytest.mark.skipif(faker.VERSION != "40.63.0", reason="the values are those of Faker 40.63.0")
def test_values_of_one_version_are_frozen():
    """Whatever Python runs it: seed 7 and row 3 give these values with this Faker."""
    found = profile(faker.Faker("en_US"), 7, 3)
    assert {label: " ".join(words) for label, words in found.items()} == {
        "EMAIL": "wpeters@gmail.com",
        "NAME": "Logan Valdez",
        "URL": "http://www.lynn.com/blogregister.php",
        "PHONE_NUM": "(432)661-2503x679",
        "ID_NUM": "1-5191-1486-9",
        "ADDRESS": "362 Torres Brook Suite 011",
        "USERNAME": "linda98",
    }


def test_version_tells_fill_faker_and_seed():
    """Whatever changes the values changes the version; it is known without Faker."""
    adapter = build_adapter("spy", {"seed": "0", "faker": "37.4.0"})
    assert adapter.version == "spy-fill.v1+faker-37.4.0+seed-0"


def test_another_faker_is_refused_with_the_one_to_install(tmp_path):
    """Values of another version would be other values."""
    path = lines_file(tmp_path, ROW)
    with pytest.raises(Fault, match=r"^options\.faker: names Faker 0\.1\.2, .*pip install Faker==0\.1\.2$"):
        read(path, "spy", seed="1", faker="0.1.2")


def test_missing_faker_is_refused_with_the_command(tmp_path, monkeypatch):
    """A Fault, no traceback of an import."""
    monkeypatch.setitem(sys.modules, "faker", None)
    with pytest.raises(Fault, match=r"not installed: pip install Faker==1\.2\.3$"):
        read(lines_file(tmp_path, ROW), "spy", seed="1", faker="1.2.3")


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"seed": "-1"}, "seed"),
        ({"seed": "1.5"}, "seed"),
        ({"seed": "01"}, "seed"),
        ({"faker": "latest"}, "faker"),
        ({"faker": ""}, "faker"),
    ],
)
def test_seed_and_version_are_exact(options, field):
    """A seed is a whole number, a version is digits and dots."""
    with pytest.raises(Fault, match=rf"^options\.{field}: "):
        build_adapter("spy", {**OPTIONS, **options})
