"""The command `pii-eval corpus`, in this process: what it prints and how it ends."""

from __future__ import annotations

import json
import os
import sys

import pytest
from loopback import BODY, CANARY, HASH, Reply, pin_document, serving, tree

from pytest_pii_eval.cli import main
from pytest_pii_eval.corpora import shelf
from pytest_pii_eval.corpora.cache import Cache

ADAPTER = '''
from pytest_pii_eval.corpora.draft import Draft, Unfit

class LineAdapter:
    """A document a line, the first word of which is a name."""

    name, version, offset_unit, policy = "lines", "1", "codepoint", "the first word"

    def __init__(self, *, unfit="0", broken="no"):
        self.unfit, self.broken = int(unfit), broken

    def read(self, path):
        if self.broken == "yes":
            raise RuntimeError(path.read_text())
        for row, line in enumerate(path.read_text().splitlines()[:5], 1):
            if row <= self.unfit:
                yield Unfit(row, "value_differs")
            else:
                yield Draft(row, f"d{row}", line, ((0, line.index(" "), "person"),))
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working directory with an adapter in a module."""
    (tmp_path / "corpus_command_lines.py").write_text(ADAPTER)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "corpus_command_lines", raising=False)
    return tmp_path


@pytest.fixture
def served(folder, monkeypatch):
    """A server of this process's trust, with the corpus `demo` in `corpora.yaml`."""
    with serving(folder, monkeypatch) as server:
        write(folder, demo=pin_at(server))
        yield server


def pin_at(server, **changed):
    """Return the entry of a pin whose address and text hold canaries."""
    adapter = {"adapter": "corpus_command_lines:LineAdapter", "in_domain_for": ["gliner", "acme/model"]}
    return pin_document(f"{server.origin}/{CANARY}/file.txt", **{**adapter, **changed})


def write(folder, **pins):
    """Write the corpora file; JSON is YAML too."""
    (folder / "corpora.yaml").write_text(json.dumps({"version": "pii_eval.corpora.v1", "corpora": pins}))


@pytest.fixture
def run(capfd):
    """Run the command: return its exit code and the lines of its outputs, in which no canary is."""

    def running(*arguments):
        code = main(["corpus", *arguments])
        out, err = capfd.readouterr()
        assert "anary" not in out + err
        assert "Ottoline" not in out + err
        return code, out.splitlines(), err.splitlines()

    return running


def test_from_nothing_to_a_verified_suite(served, folder, run) -> None:
    """Download, prepare and verify say a line each; list says how far the corpus is."""
    head = ["demo", "150,000 bytes", "corpus_command_lines:LineAdapter", "CC0-1.0"]
    counts = "demo: 5 documents, 5 spans; quarantined: none"
    tail = "in-domain: acme/model, gliner"

    def listed(state):
        return (0, ["  ".join([head[0], state, *head[1:], tail])], [])

    assert run("list") == listed("absent")
    assert run("download", "demo") == (
        0,
        ["demo: 150,000 bytes, as pinned; now: pii-eval corpus prepare demo"],
        [],
    )
    assert run("list") == listed("downloaded")
    assert run("prepare", "demo") == (
        0,
        [f"{counts}; now: pytest corpora.yaml --pii-corpus=demo --pii-detector=..."],
        [],
    )
    assert run("list") == listed("prepared")
    assert run("verify", "demo") == (0, [f"{counts}; all of it holds"], [])
    assert {path.name for path in (folder / ".pii_eval").iterdir()} == {"corpora"}
    assert (folder / ".pii_eval/corpora/.gitignore").is_file()
    assert len(served.heard) == 1


def test_list_says_who_may_have_it(served, run) -> None:
    """With -v the redistribution note follows; words of the file move no cursor."""
    assert run("list", "-v")[1][1:] == ["    invented; anybody may have it"]


def test_list_is_in_columns(served, folder, run) -> None:
    """Keys of several lengths stand in one column; what nobody verified is said."""
    bare = pin_at(served, bytes="unverified", sha256="unverified", adapter="nobody")
    del bare["in_domain_for"]
    write(folder, demo=pin_at(served), longer=bare)
    first, second = run("list")[1]
    assert first.split() == [
        *("demo", "absent", "150,000", "bytes", "corpus_command_lines:LineAdapter"),
        *("CC0-1.0", "in-domain:", "acme/model,", "gliner"),
    ]
    assert second.startswith("longer  no sha256  size unverified  nobody ")
    assert second.endswith("in-domain: none known")
    assert first.index("CC0") == second.index("CC0")


def test_quarantined_rows_are_counted_by_reason(served, folder, run) -> None:
    """Rows that do not fit are told by number and reason."""
    write(folder, demo=pin_at(served, options={"unfit": "2"}, max_quarantined="2"))
    run("download", "demo")
    assert run("prepare", "demo")[1][0].startswith(
        "demo: 3 documents, 3 spans; quarantined: value_differs 2;"
    )


def test_one_fault_does_not_stop_the_others(served, folder, run) -> None:
    """A corpus whose bytes are refused is a line on stderr; the next one is fetched, the exit code is 1."""
    other = pin_at(served, sha256="0" * 64)
    write(folder, wrong=other, demo=pin_at(served))
    assert run("download", "--all", "--quiet") == (
        1,
        ["demo: 150,000 bytes, as pinned; now: pii-eval corpus prepare demo"],
        ["wrong: the bytes that came have another sha256 than the pin; nothing of them was kept"],
    )
    assert run("prepare", "wrong", "demo")[::2] == (
        1,
        ["wrong: is not downloaded; run 'pii-eval corpus download wrong', or name a copy with --artifact"],
    )


def test_the_next_command_names_what_this_one_was_given(served, folder, run) -> None:
    """Places that are not the usual ones are told again, ready for a shell."""
    (folder / "corpora.yaml").rename(folder / "my corpora.yaml")
    there = ("--corpora", "my corpora.yaml", "--cache", "kept")
    options = "--corpora='my corpora.yaml' --cache=kept"
    command = f"'pii-eval corpus download demo {options}'"
    lacking = f"demo: is not downloaded; run {command}, or name a copy with --artifact"
    assert run("prepare", "demo", *there)[2] == [lacking]
    assert run("download", "demo", *there)[1] == [
        f"demo: 150,000 bytes, as pinned; now: pii-eval corpus prepare demo {options}"
    ]


def test_a_copy_is_read_in_place(folder, run) -> None:
    """A file that the user has needs no download; it must be the pinned one, also a second time."""
    document = pin_document("https://127.0.0.1:1/f", adapter="corpus_command_lines:LineAdapter")
    write(folder, demo=document)
    (folder / "copy").write_bytes(BODY)
    (folder / "wrong").write_bytes(BODY[1:])
    short = ["demo: artifact of demo: holds 149,999 bytes; the pin names 150,000"]
    assert run("prepare", "demo", "--artifact", "wrong") == (1, [], short)
    assert run("prepare", "demo", "--artifact", "copy")[0] == 0
    assert run("prepare", "demo", "--artifact", "wrong") == (1, [], short)
    assert run("verify", "demo", "--artifact", "wrong") == (1, [], short)
    assert run("verify", "demo", "--artifact", "copy")[0] == 0
    assert (folder / "copy").read_bytes() == BODY
    assert not (folder / ".pii_eval/corpora/artifacts").exists()


def test_a_local_corpus_lies_beside_its_file(folder, run) -> None:
    """A local source is found beside the corpora file, wherever the command is run."""
    below = folder / "below"
    (below / "data").mkdir(parents=True)
    (below / "data/f.txt").write_bytes(BODY)
    source = {"kind": "local", "path": "data/f.txt"}
    gone = {"kind": "local", "path": "data/gone.txt"}
    adapter = "corpus_command_lines:LineAdapter"
    write(
        below,
        demo=pin_document("", source=source, adapter=adapter),
        gone=pin_document("", source=gone, adapter=adapter),
    )
    there = ("--corpora", "below/corpora.yaml", "--cache", "kept")
    assert [line.split()[1] for line in run("list", *there)[1]] == ["local", "absent"]
    code, (out,), (err,) = run("prepare", "--all", *there)
    assert code == 1
    assert out.endswith(
        "; now: pytest below/corpora.yaml --pii-corpus=demo --pii-corpora-cache=kept --pii-detector=..."
    )
    assert err == "gone: its file is not there: data/gone.txt, beside the corpora file"
    assert run("download", "--all", *there) == (
        0,
        [
            "demo: a local file, there is nothing to download; it is below/data/f.txt",
            "gone: a local file, there is nothing to download; it belongs to below/data/gone.txt",
        ],
        [],
    )
    assert (folder / "kept/prepared/demo").is_dir()


def test_a_changed_suite_does_not_verify(served, folder, run) -> None:
    """One changed byte in what was prepared is a fault that names the file."""
    run("download", "demo")
    run("prepare", "demo")
    (records,) = folder.glob(".pii_eval/corpora/prepared/demo/*/quality-records.jsonl")
    records.write_bytes(records.read_bytes().replace(b"Ottoline", b"Ottolina", 1))
    code, out, err = run("verify", "demo")
    assert (code, out) == (1, [])
    assert err[0].startswith("demo: quality-records.jsonl: ")


def test_what_an_adapter_raises_is_withheld(served, folder, run) -> None:
    """A stranger's exception is told by type and place, never by its text; nothing is left."""
    write(folder, demo=pin_at(served, options={"broken": "yes"}))
    run("download", "demo")
    code, out, (err,) = run("prepare", "demo")
    assert (code, out) == (1, [])
    assert err.startswith("demo: RuntimeError in corpus_command_lines.py:")
    assert list((folder / ".pii_eval/corpora/prepared").glob("*/*")) == []


def test_an_interrupt_ends_the_command(served, run, monkeypatch) -> None:
    """Ctrl-C is exit code 130 and a line that says what stays."""

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(shelf, "download", interrupted)
    assert run("download", "--all") == (
        130,
        [],
        ["demo: interrupted; what has come so far is kept, the same command goes on from there"],
    )


def test_an_interrupt_of_a_lock_ends_it(folder, run, monkeypatch) -> None:
    """Ctrl-C is exit code 130 where no corpus is named, too."""

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("pytest_pii_eval.corpora.lock.hashed", interrupted)
    assert run("lock", "f") == (130, [], ["pii-eval corpus lock: interrupted"])


def test_a_full_disk_is_one_line(served, run, monkeypatch) -> None:
    """An error of the disk while a suite is made is a line with its name."""

    def full(*_, **__):
        raise OSError(28, CANARY, CANARY)

    run("download", "demo")
    monkeypatch.setattr(shelf, "prepare", full)
    assert run("prepare", "demo") == (1, [], ["demo: the cache cannot be read or written (ENOSPC)"])


def test_a_cache_that_cannot_be_read_is_one_line(served, run, monkeypatch) -> None:
    """Where no corpus is named either, an error of the disk is a line without its path."""

    def closed(*_):
        raise PermissionError(13, CANARY, CANARY)

    monkeypatch.setattr("pytest_pii_eval.corpora.listing.is_committed", closed)
    told = "pii-eval corpus list: the cache cannot be read or written (EACCES)"
    assert run("list") == (1, [], [told])
    monkeypatch.setattr("pytest_pii_eval.corpora.lock.hashed", closed)
    assert run("lock", "f") == (1, [], [told.replace("list", "lock")])


def test_a_reader_that_has_gone_is_no_fault_of_a_file(served, run, monkeypatch) -> None:
    """A broken pipe is what the whole command ends quietly for."""

    def gone(*_, **__):
        raise BrokenPipeError

    monkeypatch.setattr("pytest_pii_eval.corpora.shelf.table", gone)
    monkeypatch.setattr("pytest_pii_eval.cli.os.dup2", lambda *_: None)
    assert run("list") == (0, [], [])


def test_what_was_damaged_is_made_anew(served, folder, run) -> None:
    """The line says so, once; afterwards all of it holds."""
    run("download", "demo")
    run("prepare", "demo")
    (marker,) = folder.glob(".pii_eval/corpora/prepared/demo/*/COMMITTED")
    marker.unlink()
    told = "demo: 5 documents, 5 spans; quarantined: none; made anew; now: pytest corpora.yaml "
    assert run("prepare", "demo")[1][0].startswith(told)
    assert run("verify", "demo")[0] == 0
    assert "made anew" not in run("prepare", "demo")[1][0]


def test_a_fault_of_a_suite_names_the_command_with_its_places(served, folder, run) -> None:
    """What makes it anew is told with the cache that it lies in."""
    there = ("--cache", "kept")
    ending = "run 'pii-eval corpus prepare demo --cache=kept'"
    assert run("verify", "demo", *there) == (1, [], [f"demo: demo is not prepared; {ending}"])
    run("download", "demo", *there)
    run("prepare", "demo", *there)
    (records,) = folder.glob("kept/prepared/demo/*/quality-records.jsonl")
    records.unlink()
    assert run("verify", "demo", *there)[2][0].endswith(f"; {ending}")


def test_a_project_is_no_cache(served, folder, run) -> None:
    """The working directory is refused as a cache, and nothing is written to it."""
    (folder / ".gitignore").write_text("*\n")
    before = sorted(folder.iterdir())
    told = "demo: the cache is the folder of a project; name one of its own with --cache"
    assert run("download", "demo", "--cache", ".") == (1, [], [told])
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["download"], "give the KEY of a corpus, or --all"),
        (["download", "demo", "--all"], "give the KEY of a corpus, or --all"),
        (["prepare", "demo", "other", "--artifact", "f"], "--artifact goes with one KEY"),
        (["verify", "--all", "--artifact", "f"], "--artifact goes with one KEY"),
        (["lock", "f", "--key", "k"], "--key and --adapter go together"),
        (["download", "demo", "none", "never"], "no corpus has the key none, never; there are: demo"),
    ],
)
def test_wrong_usage(served, run, arguments, problem) -> None:
    """Wrong usage is exit code 2 and a line that says what to give; nothing is done."""
    assert run(*arguments) == (2, [], [f"pii-eval corpus {arguments[0]}: {problem}"])
    assert served.heard == []


@pytest.mark.parametrize("arguments", [[], ["download", "../x"], ["lock", "f", "--key", "a b"], ["fetch"]])
def test_arguments_that_cannot_be_read(folder, arguments) -> None:
    """What the parser refuses is exit code 2 as well."""
    with pytest.raises(SystemExit, match="2"):
        main(["corpus", *arguments])


def test_a_bad_corpora_file_is_one_line(folder, run) -> None:
    """The file and the field at fault are named."""
    (folder / "corpora.yaml").write_text("version: pii_eval.corpora.v1\ncorpora: {}\n")
    code, out, (err,) = run("list")
    assert (code, out) == (1, [])
    assert err.startswith("corpora.yaml: corpora: ")
    assert run("list", "--corpora", "none.yaml") == (1, [], ["none.yaml: does not exist"])


def test_the_shipped_corpora_are_listed_where_there_are_none(folder, run) -> None:
    """Without a corpora file in the working directory, the one of the package is read."""
    code, out, err = run("list")
    assert (code, err) == (0, [])
    assert [line.split()[0] for line in out] == [
        "nemotron-pii",
        "gretel-finance-en",
        "open-pii-masking-500k",
        "spy",
        "tab-echr",
        "cmu-enron-meetings",
    ]
    assert not (folder / ".pii_eval").exists()


def test_lock_prints_the_lines_of_a_pin(folder, run) -> None:
    """Bytes and hash, ready to paste; a whole entry on demand, for a file below the working directory."""
    (folder / "data").mkdir()
    (folder / "data/f.txt").write_bytes(BODY)
    assert run("lock", "data/f.txt") == (0, ["bytes: 150000", f"sha256: {HASH}"], [])
    code, out, err = run("lock", "data/f.txt", "--key", "mine", "--adapter", "spans")
    assert (code, err) == (0, [])
    assert out[:4] == [
        "  mine:",
        '    source: {kind: local, path: "data/f.txt"}',
        "    bytes: 150000",
        f"    sha256: {HASH}",
    ]
    assert "    licence: fill in" in out
    below = run("lock", "data/f.txt", "--key", "m", "--adapter", "spans", "--corpora", "data/corpora.yaml")
    assert below[1][1] == '    source: {kind: local, path: "f.txt"}'
    assert run("lock", "none.txt") == (1, [], ["none.txt: does not exist"])


def test_progress_is_drawn_on_a_terminal_without_a_path(served, folder, capfd, monkeypatch) -> None:
    """On a terminal the bar shows key and bytes, and neither path nor address; --quiet draws none."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr("pytest_pii_eval.progress.os.get_terminal_size", lambda _: os.terminal_size((90, 24)))
    assert main(["corpus", "download", "demo"]) == 0
    assert main(["corpus", "prepare", "demo"]) == 0
    shown = capfd.readouterr().err
    assert "demo: 100%" in shown
    assert "146k/146k" in shown
    assert "5row" in shown.replace(" ", "")
    assert str(folder) not in shown
    assert "anary" not in shown
    assert "127.0.0.1" not in shown
    assert main(["corpus", "prepare", "demo", "--quiet"]) == 0
    assert capfd.readouterr().err == ""


def test_a_refused_answer_leaves_the_cache_as_it_was(served, folder, run) -> None:
    """An answer that is refused changes nothing in the cache and prints nothing of itself."""
    served.script = [Reply(500, body=f"error in {CANARY}".encode())]
    code, out, err = run("download", "demo")
    assert (code, out) == (1, [])
    assert err == ["demo: 127.0.0.1 answers with status 500, not with the file"]
    root = Cache(folder / ".pii_eval/corpora").root
    assert tree(root).keys() == {".demo.lock", ".gitignore", "artifacts"}
