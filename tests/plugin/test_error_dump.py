"""The error dump: the one place with text, private, inert, alike however a run was cut, whole or absent."""

from __future__ import annotations

import stat
import subprocess
import sys
from html.parser import HTMLParser

import pytest
from quality_suite import ALARM, DOCUMENT, STRANGER, record
from test_quality_canary import (
    GATES,
    LOUD,
    OURS,
    TALKS_AND_RAISES,
    everything,
    found,
    leftovers,
    private,
)

from conftest import MAIL, NAME

__all__ = ["private"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="file modes and signals are those of POSIX")

PAGES = ["extras.html", "index.html", "leaks.html", "misses.html", "shifts.html", "wrong-types.html"]
FILES = [".gitignore", "COMMITTED", "errors.txt", *PAGES]


class Page(HTMLParser):
    """The elements of a page, its text, that of its marks, and everything it refers to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words: list[str] = []
        self.marks: list[tuple[str, str]] = []
        self.links: list[str] = []
        self.policy = ""
        self._mark: str | None = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        """Note one element."""
        given = dict(attrs)
        self.tags.append(tag)
        self.links += [given[name] for name in ("href", "src") if name in given]
        self._mark = given.get("class") if tag == "mark" else None
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]

    def handle_data(self, data):
        """Note text, without that of the style sheet."""
        if self.tags[-1:] == ["style"]:
            return
        self.words.append(data)
        if self._mark:
            self.marks.append((self._mark, data))

    def handle_endtag(self, _tag):
        """Leave an element."""
        self._mark = None

    @property
    def text(self):
        """All text, white space folded."""
        return " ".join(" ".join(self.words).split())


def contents(quality, folder="dump"):
    """Return name to bytes of the files of a dump."""
    return {path.name: path.read_bytes() for path in sorted((quality.path / folder).iterdir())}


def page(quality, name, folder="dump"):
    """Return one page of a dump."""
    return Page((quality.path / folder / name).read_text(encoding="utf-8"))


def marks(quality, name):
    """Return the marked texts of a page, those that explain the marks left out."""
    return page(quality, name).marks[3:]


def test_text_is_in_the_dump_and_nowhere_else(private, processes):
    """As loudly as pytest can, with gates that fail and a detector that talks: only below dump/."""
    private.pytester.makeconftest(TALKS_AND_RAISES)
    result = private.write().run(*LOUD, *processes, *GATES, "--pii-error-dump=dump")
    assert result.ret == 1
    assert found(everything(result, private.path, but=(*OURS, "dump"))) == set()
    assert found("".join(text.decode() for text in contents(private).values())) >= {"Canaryborn", DOCUMENT}
    assert leftovers(private) == []


def test_dump_is_private_and_ignores_itself(quality):
    """Directory 0700, files 0600, a rule for git that hides all of it, and the mark of a whole directory."""
    quality.write().run("--pii-error-dump=dump")
    told = contents(quality)
    assert sorted(told) == sorted(FILES)
    assert (told[".gitignore"], told["COMMITTED"]) == (b"*\n", b"pii_eval.private_directory.v1\n")
    folder = quality.path / "dump"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_pages_show_errors_in_context_by_state(quality):
    """A miss, a wrong type with what it was taken for, an extra and a leak; no shift."""
    quality.write().run("--pii-error-dump=dump")
    assert marks(quality, "misses.html") == marks(quality, "leaks.html") == [("gold", STRANGER)]
    assert marks(quality, "wrong-types.html") == [("both", "ada"), ("predicted", "@canary.example")]
    assert marks(quality, "extras.html") == [("predicted", ALARM)]
    assert marks(quality, "shifts.html") == []
    wrong = page(quality, "wrong-types.html").text
    assert "taken for email (1)" in wrong
    assert "slices contact (1), people (1)" in wrong
    assert f"documents {DOCUMENT}.mailbox" in wrong
    assert "Päper: ada @canary.example sent it." in wrong


def test_a_shift_shows_what_was_predicted(quality):
    """The gold span is part of a longer prediction of its type: what both hold, and what only one does."""
    text = f"See {MAIL}."
    quality.records.append(record(f"{DOCUMENT}.cut", text, ["contact"], (MAIL[3:], "email")))
    quality.write().run("--pii-error-dump=dump")
    assert marks(quality, "shifts.html") == [("predicted", MAIL[:3]), ("both", MAIL[3:])]


def test_each_file_says_in_its_beginning_that_it_is_private(quality):
    """Before anything else that is shown: it holds text, is not to be committed, and not to be shared."""
    quality.write().run("--pii-error-dump=dump")
    shown = [page(quality, name).words for name in PAGES]
    beginnings = [" ".join(" ".join(words).split()[:60]) for words in shown]
    beginnings.append(contents(quality)["errors.txt"].decode()[:200])
    for beginning in beginnings:
        for words in ("holds text of documents", "private", "do not commit it, do not share it"):
            assert words in beginning


def test_pages_load_nothing_and_link_only_to_each_other(quality):
    """No script, no frame, no source from elsewhere, and a policy that forbids them."""
    quality.write().run("--pii-error-dump=dump")
    for name in PAGES:
        told = page(quality, name)
        assert not {"script", "iframe", "link", "img", "object", "form"} & set(told.tags)
        assert {link.partition("#")[0] for link in told.links} <= {*PAGES, "errors.txt", ""}
        assert "default-src 'none'" in told.policy
        assert "script-src" not in told.policy


def test_hostile_text_is_inert(quality):
    """Markup stays text; control, bidirectional and invisible characters are shown as escapes."""
    bad = "<script>alert(1)</script>\u202e\u2066\x1b[31m\x07\u200b{{ 7 * 7 }}\"'>"
    good = "Zoë Δημήτρης 山田 שלום 😀"
    quality.records.append(record(f"{DOCUMENT}.bad", f"Hi {bad} {good}\nbye", ["contact"], (bad, "person")))
    quality.write().run("--pii-error-dump=dump")
    shown = r"""<script>alert(1)</script>\u{202e}\u{2066}\u{1b}[31m\u{7}\u{200b}{{ 7 * 7 }}"'>"""
    told = page(quality, "misses.html")
    assert "script" not in told.tags
    assert ("gold", shown) in told.marks
    assert f"{good}\\nbye" in told.text
    for payload in contents(quality).values():
        assert not set("\u202e\u2066\x1b\x07\u200b") & set(payload.decode())
    assert f"⟦{shown}⟧ {good}\\nbye" in contents(quality)["errors.txt"].decode()


def test_equal_surfaces_are_one_group_and_the_most_frequent_come_first(quality):
    """Case and white space do not tell surfaces apart; at most five are shown in context."""
    for number in range(7):
        name = ("Bo  Doe", "BO DOE", "bo doe")[number % 3]
        quality.records.append(
            record(f"{DOCUMENT}.{number}", f"{name} was no. {number} here.", ["contact"], (name, "person"))
        )
    quality.write().run("--pii-error-dump=dump")
    told = page(quality, "misses.html").text
    assert "Misses Gold spans that no prediction overlaps. 8 in all" in told
    assert told.index("7 \N{MULTIPLICATION SIGN} Bo Doe") < told.index(
        f"1 \N{MULTIPLICATION SIGN} {STRANGER}"
    )
    assert "2 more are not shown." in told
    assert [mark for _, mark in marks(quality, "misses.html")] == [
        *("Bo  Doe", "BO DOE", "bo doe", "Bo  Doe", "BO DOE"),
        STRANGER,
    ]


def test_documents_without_an_answer_are_listed_by_reason_alone(quality):
    """Their gold is on no page, and their text nowhere."""
    quality.pytester.makeconftest(TALKS_AND_RAISES.replace('"Ask"', f'"{NAME}"'))
    quality.write().run("--pii-error-dump=dump")
    assert f"LookupError in conftest.py:13 1 {DOCUMENT}.meeting" in page(quality, "index.html").text
    assert not any(STRANGER.encode() in payload for payload in contents(quality).values())


def test_dump_of_one_slice_holds_what_ran(quality):
    """A selection's dump has the errors of its slices and no other."""
    quality.write().run("-k", "mail.short or people", "--pii-error-dump=dump")
    assert marks(quality, "misses.html") == [("gold", STRANGER)]
    assert marks(quality, "extras.html") == []
    assert "contact" not in page(quality, "index.html").text


def test_corpus_outside_the_root_has_its_dump(corpora, tmp_path_factory):
    """The rows of a prepared corpus are found where they lie."""
    cache = tmp_path_factory.mktemp("cache")
    corpora.write().prepare(cache=cache)
    result = corpora.run_corpora(
        f"--pii-corpora-cache={cache}", "--pii-error-dump=dump", "--pii-audit-dir=audit"
    )
    assert result.ret == 0
    assert marks(corpora, "misses.html") == [("gold", STRANGER)]
    assert (corpora.path / "audit/slice-results.jsonl").read_bytes().count(b"\n") == 3


def test_place_that_git_would_track_is_refused(quality):
    """Inside a work tree the target must be ignored; no option allows another place."""
    subprocess.run(["git", "init", "-q", str(quality.path)], check=True)  # noqa: S607  # as the user finds it
    (quality.path / ".gitignore").write_text("/private/\n")
    result = quality.write().run("--pii-error-dump=dump", "--pii-audit-allow-tracked")
    assert result.ret == 4
    result.stderr.fnmatch_lines(
        ["ERROR: --pii-error-dump: lies where git would track it; choose an ignored place"]
    )
    assert not (quality.path / "dump").exists()
    assert not (quality.path / ".pii_eval").exists()
    (quality.path / "private").mkdir()
    assert quality.run("--pii-error-dump=private/dump").ret == 0
    assert sorted(contents(quality, "private/dump")) == sorted(FILES)


CHANGED = """
import pathlib

def pytest_pii_modify_report(report, config):
    path = pathlib.Path("quality-records.jsonl")
    path.write_text(path.read_text().replace("met", "saw"))
"""
GONE = CHANGED[: CHANGED.index("    path.write_text")] + "    path.unlink()\n"
FULL = """
import errno, os
from pytest_pii_eval import private

def full(descriptor):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/secret")

private.os.fsync = full
"""


@pytest.mark.parametrize(
    ("what", "rule"),
    [
        (CHANGED, ": quality-records.jsonl: changed since the run scored it; run again"),
        (GONE, ": quality-records.jsonl: does not exist"),
        (FULL, " (No space left on device)"),
    ],
    ids=["changed", "gone", "full"],
)
def test_failure_is_one_line_and_leaves_nothing(private, what, rule):
    """Records that changed or went, and a full disk: the run fails, and no directory stays."""
    private.pytester.makeconftest(what)
    result = private.write().run("--pii-error-dump=dump")
    assert result.ret == 1
    result.stdout.fnmatch_lines([f"pii-eval: the error dump was not written{rule}"])
    assert [path.name for path in private.path.iterdir() if "dump" in path.name] == []
    assert found(result.stdout.str()) == set()
    assert leftovers(private) == []
