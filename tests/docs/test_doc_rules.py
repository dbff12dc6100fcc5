"""The rules by which code blocks are tests: what each finds wrong, and what it lets differ."""

from __future__ import annotations

import pytest
from docs_claims import CLAIMS, follow, is_hidden_command
from docs_expected import difference
from docs_fences import fences_of
from docs_reader import Reader
from pydantic import ValidationError


@pytest.fixture
def reader(tmp_path):
    """Somebody with an empty folder."""
    return Reader(tmp_path)


def block(info: str, text: str, *comments: str) -> str:
    """Return a code block with comments above it."""
    return "".join(f"<!-- {one} -->\n" for one in comments) + f"```{info}\n{text}\n```\n"


def follow_page(reader: Reader, *blocks: str) -> None:
    """Follow a page of these blocks."""
    for fence in fences_of("\n".join(blocks)):
        follow(fence, reader)


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("one\ntwo", "one\ntwo\n"),
        ("one\n...", "one\ntwo\nthree\n"),
        ("...\nthree", "one\ntwo\nthree\n"),
        ("one\n...\nthree", "one\nthree\n"),
        ("one\n...\ntwo\n...\ntwo", "one\ntwo\n2\ntwo\n"),
        ("took ... ms", "took 17.3 ms\n"),
        ("2 passed in 0.01s", "2 passed in 12.50s\n"),
        ("== 2 passed in 0.01s ==\n=== end ===", "== 2 passed in 61.20s (0:01:01) ==\n====== end =====\n"),
        ("one  ", "one\n"),
    ],
)
def test_outputs_that_fit(expected, actual):
    """Lines left out, characters left out, durations, rulers, white space at the end."""
    assert difference(expected, actual) is None


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("one", "two\n"),
        ("one", "one\ntwo\n"),
        ("one\ntwo", "one\n"),
        ("one\n...\nfour", "one\ntwo\nthree\n"),
        ("...\none", "one\ntwo\n"),
        ("took ... ms", "took 17.3 s\n"),
        ("leaks 1", "leaks 2\n"),
        ("2 passed in 0.01s", "3 passed in 0.01s\n"),
        (".", "x\n"),
    ],
)
def test_outputs_that_do_not_fit(expected, actual):
    """Another line, a line more, a line less, another figure; a dot is a dot."""
    assert difference(expected, actual) is not None


def test_where_a_block_stands_is_read():
    """Language, name, line and comments; a block follows another where no prose is between."""
    page = (
        block("sh", "true")
        + "\n"
        + block("text", "out")
        + "\nprose\n\n"
        + block("json a.json", "{}", "exits 1")
    )
    first, second, third = fences_of(page)
    assert (first.language, first.name, first.line, first.follows) == ("sh", "", 1, None)
    assert second.follows == first
    assert (third.language, third.name, third.comments, third.follows) == (
        "json",
        "a.json",
        ("exits 1",),
        None,
    )


@pytest.mark.parametrize(
    "page",
    [
        block("sh", "false"),
        block("sh", "false | true"),
        block("sh", "echo $nothing"),
        block("sh", "true", "exits 1"),
        block("sh", "exit 2", "exits 1"),
        block("sh", "echo a") + block("text", "b"),
        block("sh", "echo a") + "\nprose\n\n" + block("text", "b", "output"),
        block("python", "print(1)") + block("text", "2"),
        block("python", "assert 1 == 2"),
    ],
)
def test_a_page_that_lies_fails(reader, page):
    """A command that fails, also in a pipe, another status, another output, a broken statement."""
    with pytest.raises(AssertionError):
        follow_page(reader, page)


@pytest.mark.parametrize(
    ("info", "text"),
    [
        *(("json", "{"), ("jsonl", "{}\n{"), ("yaml", "a: b: c"), ("toml", "a ="), ("ini", "a")),
        *(("json a.json", "{"), ("python a.py", "def"), ("python", "def"), ("python", "import nowhere")),
    ],
)
def test_a_value_that_does_not_parse_fails(reader, info, text):
    """In every form, also where it is written to a file."""
    with pytest.raises(Exception):  # noqa: B017, PT011  # each parser has an error of its own
        follow_page(reader, block(info, text))


def test_a_value_of_another_shape_fails(reader):
    """`json slice` is held to the model of slices."""
    with pytest.raises(ValidationError):
        follow_page(reader, block("json slice", '{"id": "a"}'))


@pytest.mark.parametrize("info", ["", "bash", "console", "html", "json nothing", "sh name", "text name"])
def test_a_block_that_no_rule_knows_has_no_claim(info):
    """Another language, none at all, or a name that is no file and no schema."""
    [fence] = fences_of(block(info, "x"))
    assert [one.name for one in CLAIMS if one.claims(fence)] == []


@pytest.mark.parametrize(
    ("page", "hidden"),
    [
        *(
            (block("text", one), True)
            for one in ("pytest x", "pii-eval check pii", "  pip install x", "$ ls")
        ),
        *((block("text", one), True) for one in ("git add -A", "python x.py", "python3 -m venv x")),
        *(
            (block("text", one), False)
            for one in ("pytestx", "Python is there", "pii/bank.json: a bank", "1")
        ),
        (block("text", "pip install x", "output"), False),
        (block("sh", "pytest x"), False),
        (block("text a.txt", "pytest x"), False),
    ],
)
def test_a_command_that_is_only_shown_is_known(page, hidden):
    """Text that begins with something to type, unless a command printed it or it is a file."""
    assert [is_hidden_command(fence) for fence in fences_of(page)] == [hidden]


def test_a_page_is_followed_like_by_a_reader(reader):
    """A change of folder lasts, files lie in it, our files are brought, blocks of Python share names."""
    follow_page(
        reader,
        block("sh", "mkdir inner && cd inner"),
        block("python mine.py", "seven = 7"),
        block("python", "from mine import seven\nprint(seven)"),
        block("text", "7"),
        block("sh", "ls; test -f ../licence; exit 3", "with LICENSE as ../licence", "exits 3"),
        block("text", "mine.py"),
        block("python", "print(seven + 1)"),
    )
    assert reader.output == "8\n"


def test_a_page_stays_in_its_folder(reader):
    """A file beside it is refused."""
    with pytest.raises(AssertionError, match="its own folder"):
        follow_page(reader, block("text ../out.txt", "x"))
