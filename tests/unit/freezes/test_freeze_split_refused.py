"""`pii-eval freeze split`: splits that are refused, or fail, of which nothing is left; and its proof."""

from __future__ import annotations

import errno
import json
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest
from freeze_split_desk import HALVES, SplitDesk
from freeze_suites import (
    CANARY,
    document,
    kinds,
    origin_row,
    record_row,
    slice_row,
    template,
    write_rows,
    write_suite,
)

from pytest_pii_eval.cli import main
from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes import split as split_module
from pytest_pii_eval.freezes.parts_proof import prove


@pytest.fixture
def desk(tmp_path, monkeypatch, capsys):
    """A desk that is the working directory."""
    monkeypatch.chdir(tmp_path)
    return SplitDesk(tmp_path, capsys)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (
            "role: public\n",
            "suite.yaml: role: names another role already; take the line out to give parts a role",
        ),
        (
            "{types: [email]}\n",
            "suite.yaml: is written so that no line can be added to it; write the role there yourself",
        ),
        (
            "role: sealed_freeze\n",
            "suite.yaml: role: says that this is a sealed freeze, of which nothing is split off",
        ),
        ("taxonomy: ../kinds.json\n", "suite.yaml: taxonomy: must lie beside, to belong to the suite"),
    ],
)
def test_a_suite_file_that_does_not_fit_is_refused(desk, content, line):
    """Nothing is edited but by adding one line, and no part is made of what is sealed."""
    types = {"version": "1", "types": {"email": "contact", "person": "name"}}
    (desk.folder / "kinds.json").write_text(json.dumps(types))
    (desk.suite / "suite.yaml").write_text(content)
    assert desk.refused(*HALVES, "--role=dev=dev_freeze") == line


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--role=seald=sealed_freeze"], "--role names a part that there is not"),
        (["--role=dev=public", "--role=dev=unit"], "--role gives a part two roles"),
        (["--part=dev=1"], "the part dev is given twice"),
    ],
)
def test_options_that_do_not_go_together_are_wrong_usage(desk, options, line):
    """A misspelt name would leave a part without its role."""
    assert desk.split(*HALVES, *options) == (2, "", f"pii-eval freeze split: {line}\n")


def test_parts_that_are_no_split_are_refused(desk):
    """Sizes are held against the number of documents."""
    assert desk.refused("--part=dev=9", "--part=sealed=9") == (
        "suite: the parts ask for more than the 12 documents that there are"
    )


def test_a_part_without_a_group_is_refused(desk):
    """Groups stay whole, so ten documents of one template are not split."""
    write_suite(desk.suite, [1] * 10)
    assert desk.refused() == (
        "suite: the part sealed gets no group, as groups stay whole and there are 1;"
        " make fewer or larger parts"
    )


def test_templates_need_a_sidecar(desk):
    """Without one, only documents can be kept whole."""
    (desk.suite / "quality-provenance.jsonl").unlink()
    assert desk.refused() == (
        "suite: has no provenance sidecar, which says the template of each document; add one, or give"
        " --by document_id"
    )


def test_a_suite_that_breaks_its_contract_is_refused(desk):
    """What a run would refuse is not split."""
    write_rows(desk.suite / "quality-slices.jsonl", [slice_row("other")])
    assert desk.refused() == "quality-records.jsonl:1: slice_ids[0]: names no slice of the plan"


def test_git_must_not_see_the_parts(desk):
    """A sealed freeze that git tracks is sealed no more."""
    subprocess.run(["git", "init", "-q", "."], check=True)  # noqa: S607  # as the user finds it
    assert desk.refused() == (
        "parts: lies where git would track it; choose an ignored place, or give one outside of the repository"
    )
    (desk.folder / ".gitignore").write_text("/parts/\n")
    assert desk.split(*HALVES)[0] == 0


def test_an_existing_directory_is_refused(desk):
    """Nothing is replaced."""
    (desk.folder / "parts").mkdir()
    assert desk.refused() == "parts: exists already; name a new directory"


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (KeyboardInterrupt(), 130, "pii-eval freeze split: interrupted; nothing is left of it"),
        (
            OSError(errno.ENOSPC, CANARY),
            1,
            "pii-eval freeze split: cannot be read or written (ENOSPC); nothing is left of it",
        ),
        (Fault("does not hold"), 1, "does not hold"),
    ],
)
@pytest.mark.parametrize("stage", ["write_parts", "prove"])
def test_nothing_is_left_of_a_split_that_failed(desk, monkeypatch, stage, error, status, line):
    """Interrupted, on a full disk, or not proved: there is no part, whole or half."""
    done = getattr(split_module, stage)

    def fails(*given, **options):
        done(*given, **options)
        raise error

    monkeypatch.setattr(split_module, stage, fails)
    assert desk.split(*HALVES) == (status, "", f"{line}\n")
    assert [path.name for path in desk.folder.iterdir()] == ["suite"]


def test_a_suite_that_changes_meanwhile_is_refused(desk, monkeypatch):
    """What was checked is what is written."""
    groups = split_module._groups

    def changed(files, by):
        found = groups(files, by)
        path = desk.suite / "quality-records.jsonl"
        path.write_text(path.read_text().replace("note number 3", "note number 4"))
        return found

    monkeypatch.setattr(split_module, "_groups", changed)
    assert desk.refused() == "suite: changed while it was split; start again"


class Parts:
    """Two parts of two documents each, which a test may spoil."""

    def __init__(self, folder):
        self.folders = [write_suite(folder / "one", [1, 1]), write_suite(folder / "two", [])]
        self.place(1, {2: 2, 3: 2})
        self.group_of = {document(at): template(1 + at // 2) for at in range(4)}

    def place(self, part, templates):
        """Write a part: documents by number, and the template of each."""
        folder = self.folders[part]
        rows = [record_row(document(at), f"text {at}") for at in templates]
        write_rows(folder / "quality-records.jsonl", rows)
        origins = [origin_row(document(at), template(name)) for at, name in templates.items()]
        write_rows(folder / "quality-provenance.jsonl", origins)

    def proved(self):
        """Return documents and groups by part."""
        near = Fraction(4, 5)
        proof = prove(self.folders, kinds, by="template_id", group_of=self.group_of, near=near)
        return proof.documents, proof.groups


def test_parts_that_hold_are_counted(tmp_path):
    """Two parts of one group of two documents."""
    assert Parts(tmp_path).proved() == ([2, 2], [1, 1])


@pytest.mark.parametrize(
    ("placed", "rule"),
    [
        ({1: 1, 2: 2, 3: 2}, "a document is in two parts"),
        ({2: 1, 3: 2}, "a group is in two parts"),
        ({2: 2}, "the documents of all parts together are not those of the suite"),
        ({2: 3, 3: 3}, "the documents of all parts together are not those of the suite"),
    ],
)
def test_parts_that_do_not_hold_are_refused(tmp_path, placed, rule):
    """What was written is read again, and believed only then."""
    parts = Parts(tmp_path)
    parts.place(1, placed)
    with pytest.raises(Fault) as fault:
        parts.proved()
    assert str(fault.value) == f"the split does not hold, as {rule}; nothing was written"


@pytest.mark.parametrize(
    "part",
    ["dev", "=0.5", "dev=", "dev=0", "dev=1.5", "dev=0.0", "dev=-1", "../dev=1", "committed=1", "dev=٣"],
)
def test_a_part_that_is_none_is_wrong_usage(desk, capsys, part):
    """A part has a name that makes a folder, and a share, a number or the rest."""
    with pytest.raises(SystemExit) as ended:
        main(["freeze", "split", "suite", "--out=parts", f"--part={part}", "--part=b=rest"])
    assert ended.value.code == 2
    assert not Path("parts").exists()
