"""Which commit the scorer is: of a checkout from git, of an installed package from the file of its build."""

from __future__ import annotations

import hashlib
import json
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from pytest_pii_eval.reports import provenance
from pytest_pii_eval.reports.provenance import git_revision, revision_file

HOOK = Path(__file__).parents[3] / ".ci" / "build_revision.py"
REVISION = "0123456789abcdef0123456789abcdef01234567"
SOURCES = "sha256:" + hashlib.sha256(b"a.py 6\na = 1\nroom/b.py 6\nb = 1\n").hexdigest()


@pytest.fixture
def package(tmp_path, monkeypatch) -> Path:
    """A package of two sources in the place of ours, outside of any checkout."""
    root = tmp_path / "package"
    (root / "room").mkdir(parents=True)
    (root / "room" / "b.py").write_bytes(b"b = 1\n")
    (root / "a.py").write_bytes(b"a = 1\n")
    monkeypatch.setattr(provenance, "_PACKAGE", root)
    return root


@pytest.fixture
def checkout(package) -> Path:
    """The package committed, with a file beside it."""
    root = package.parent
    _git(root, "init", "-q")
    (root / "other.txt").write_text("x")
    _git(root, "add", ".")
    _git(root, "commit", "-q", "-m", "one")
    return package


def _git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]
    command = ["git", "-C", str(folder), *identity, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def _head(package: Path) -> str:
    return _git(package, "rev-parse", "HEAD")


def _baked(package: Path, **fields: object) -> None:
    own = {"revision": REVISION, "dirty": False, "source_sha256": SOURCES}
    (package / "_revision.json").write_text(json.dumps({**own, **fields}))


def test_without_git_and_without_a_file_there_is_no_revision(package) -> None:
    """A package that was built outside git, and runs outside git, knows of no commit."""
    assert package.is_dir()
    assert git_revision() == (None, None)


def test_the_revision_of_a_checkout(checkout) -> None:
    """A checkout has its commit, and is clean whatever lies beside the package."""
    assert git_revision() == (_head(checkout), False)
    (checkout.parent / "other.txt").write_text("outside the package")
    (checkout.parent / "stray.py").write_text("outside the package")
    assert git_revision() == (_head(checkout), False)


def test_a_changed_source_is_dirty(checkout) -> None:
    """A source that differs from the commit makes it dirty."""
    (checkout / "a.py").write_text("a = 9\n")
    assert git_revision() == (_head(checkout), True)


def test_a_removed_source_is_dirty(checkout) -> None:
    """So does one that is gone."""
    (checkout / "a.py").unlink()
    assert git_revision() == (_head(checkout), True)


def test_a_staged_source_is_dirty(checkout) -> None:
    """What is in the index is not in the commit."""
    (checkout / "a.py").write_text("a = 9\n")
    _git(checkout, "add", ".")
    assert git_revision() == (_head(checkout), True)


def test_an_untracked_source_is_dirty(checkout) -> None:
    """A source that nobody committed is imported like any other, also where git is told not to show it."""
    _git(checkout, "config", "status.showUntrackedFiles", "no")
    (checkout / "new.py").write_text("")
    assert git_revision() == (_head(checkout), True)


def test_an_ignored_source_is_dirty(checkout) -> None:
    """A source that git ignores is in no commit either."""
    (checkout.parent / ".git" / "info").mkdir(exist_ok=True)
    (checkout.parent / ".git" / "info" / "exclude").write_text("hidden.py\n__pycache__/\n")
    (checkout / "__pycache__").mkdir()
    (checkout / "__pycache__" / "a.pyc").write_bytes(b"")
    assert git_revision() == (_head(checkout), False)
    (checkout / "room" / "hidden.py").write_text("")
    assert git_revision() == (_head(checkout), True)


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_a_source_that_git_does_not_look_at_is_dirty(checkout, flag) -> None:
    """Git says nothing of a change that it was asked not to look for; then nobody knows."""
    _git(checkout, "update-index", flag, "a.py")
    (checkout / "a.py").write_text("a = 9\n")
    assert _git(checkout, "status", "--porcelain") == ""
    assert git_revision() == (_head(checkout), True)


def test_another_repository_in_the_environment(checkout, tmp_path, monkeypatch) -> None:
    """Hooks of git set GIT_DIR; the commit is that of the package all the same."""
    other = tmp_path / "other"
    other.mkdir()
    _git(other, "init", "-q")
    _git(other, "commit", "-q", "--allow-empty", "-m", "another")
    head = _head(checkout)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
    assert git_revision() == (head, False)


def test_a_checkout_without_a_commit(package) -> None:
    """Before the first commit there is no revision."""
    _git(package.parent, "init", "-q")
    assert git_revision() == (None, None)


def test_a_broken_checkout_has_no_revision(package) -> None:
    """Where git fails, nothing is claimed."""
    (package.parent / ".git").write_text("gitdir: nowhere")
    assert git_revision() == (None, None)


def test_git_that_is_not_installed(checkout, monkeypatch) -> None:
    """Without git a checkout knows of no commit."""
    assert checkout.is_dir()
    monkeypatch.setenv("PATH", "")
    assert git_revision() == (None, None)


def test_the_revision_of_a_build(package) -> None:
    """An installed package has the commit of its build, while its sources are those of the build."""
    _baked(package)
    assert git_revision() == (REVISION, False)


def test_a_build_of_dirty_sources(package) -> None:
    """What was dirty when it was built stays so."""
    _baked(package, dirty=True)
    assert git_revision() == (REVISION, True)


def test_a_build_that_could_not_tell(package) -> None:
    """Where the build could not tell, the installed package cannot."""
    _baked(package, dirty=None)
    assert git_revision() == (REVISION, None)


def test_installed_sources_that_were_edited(package) -> None:
    """Sources that are not those of the build are dirty."""
    _baked(package)
    (package / "a.py").write_bytes(b"a = 2\n")
    assert git_revision() == (REVISION, True)


def test_a_checkout_comes_before_a_build(checkout) -> None:
    """An editable install runs from the checkout; a file of an old build in it counts for nothing."""
    _baked(checkout)
    assert git_revision() == (_head(checkout), True)


def test_a_package_unpacked_in_a_repository_of_others(package) -> None:
    """A repository that does not track the package says nothing about it; its build does."""
    _baked(package)
    _git(package.parent, "init", "-q")
    (package.parent / ".git" / "info").mkdir(exist_ok=True)
    (package.parent / ".git" / "info" / "exclude").write_text("package/\n")
    _git(package.parent, "commit", "-q", "--allow-empty", "-m", "another")
    assert git_revision() == (REVISION, False)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"[]",
        b"{}",
        b'"text"',
        b'{"revision": 5, "dirty": false, "source_sha256": "x"}',
        b'{"revision": "main", "dirty": false, "source_sha256": "x"}',
        b'{"revision": null, "dirty": null, "source_sha256": "x"}',
        f'{{"revision": "{REVISION}\\n", "dirty": false, "source_sha256": "x"}}'.encode(),
        f'{{"revision": "{REVISION}", "dirty": false}}'.encode(),
    ],
)
def test_a_broken_file_of_a_build(package, content) -> None:
    """What is no such file names no commit."""
    (package / "_revision.json").write_bytes(content)
    assert git_revision() == (None, None)


def test_dirt_that_is_no_boolean(package) -> None:
    """A word in the place of the flag is not taken for clean."""
    _baked(package, dirty="no")
    assert git_revision() == (REVISION, None)


def test_the_file_that_a_build_writes(checkout) -> None:
    """Commit, dirt and digest of the sources, in one line of sorted JSON."""
    expected = f'{{"dirty": false, "revision": "{_head(checkout)}", "source_sha256": "{SOURCES}"}}\n'
    assert revision_file() == expected.encode()


def test_a_build_outside_git_writes_nothing(package) -> None:
    """A build from an sdist leaves the file as the sdist has it."""
    _baked(package)
    assert revision_file() is None


class _Hook:
    """What the build hook is a kind of, where hatchling is not installed."""

    def __init__(self, root: str) -> None:
        self.root = root


@pytest.fixture
def hook(checkout, monkeypatch):
    """The build hook of this repository, over a checkout that holds a copy of our own provenance module."""
    parts = ["hatchling", "builders", "hooks", "plugin", "interface"]
    for ordinal in range(len(parts)):
        name = ".".join(parts[: ordinal + 1])
        module = ModuleType(name)
        module.BuildHookInterface = _Hook
        monkeypatch.setitem(sys.modules, name, module)
    ours = checkout.rename(checkout.parent / "pytest_pii_eval") / "reports"
    ours.mkdir()
    (ours / "provenance.py").write_bytes(Path(provenance.__file__).read_bytes())
    _git(ours, "add", "-A", "..")
    _git(ours, "commit", "-q", "-m", "two")
    return runpy.run_path(str(HOOK))["RevisionHook"](str(checkout.parent))


def test_the_hook_names_the_file_to_the_builder(hook) -> None:
    """A file outside the work tree is put into the package of wheel and sdist, with commit and digest."""
    data = {"force_include": {}}
    hook.initialize("standard", data)
    [(source, target)] = data["force_include"].items()
    assert target == "pytest_pii_eval/_revision.json"
    assert Path(hook.root) not in Path(source).parents
    found = json.loads(Path(source).read_bytes())
    assert found["revision"] == _git(Path(hook.root), "rev-parse", "HEAD")
    assert found["dirty"] is False
    assert found["source_sha256"].startswith("sha256:")
    hook.finalize("standard", data, "artifact")
    assert not Path(source).parent.exists()


def test_the_hook_leaves_the_work_tree_alone(hook) -> None:
    """Nothing is written beside the sources, no bytecode either."""
    before = sorted(Path(hook.root, "pytest_pii_eval").rglob("*"))
    data = {"force_include": {}}
    hook.initialize("standard", data)
    hook.finalize("standard", data, "artifact")
    assert sorted(Path(hook.root, "pytest_pii_eval").rglob("*")) == before


def test_the_hook_and_editable_installs(hook) -> None:
    """An editable install gets no file, as it runs from the checkout."""
    data = {"force_include": {}}
    hook.initialize("editable", data)
    hook.finalize("editable", data, "artifact")
    assert data == {"force_include": {}}


def test_the_hook_outside_git(hook) -> None:
    """Where git knows of no commit the hook adds nothing, so that the file of an sdist stays."""
    Path(hook.root, ".git").rename(Path(hook.root, "no.git"))
    data = {"force_include": {}}
    hook.initialize("standard", data)
    hook.finalize("standard", data, "artifact")
    assert data == {"force_include": {}}
