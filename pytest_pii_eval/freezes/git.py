"""What git says about the files of a repository: history, index, work tree; it reads and never writes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import final

from pytest_pii_eval.contracts.faults import Fault
from pytest_pii_eval.freezes.git_folders import is_inside_git, is_same, work_trees
from pytest_pii_eval.freezes.git_objects import blobs_in, contents_of, is_blob
from pytest_pii_eval.freezes.git_process import ask, fault_of, names_in, read

SHALLOW = "is a shallow clone, which lacks history: run git fetch --unshallow (in CI: fetch-depth: 0)"

_PATHS = ("-r", "-z", "--no-renames", "--name-only", "--no-commit-id", "--root", "--no-ext-diff")
_STATUS = (
    "status",
    "--porcelain=v1",
    "-z",
    "--no-renames",
    "--untracked-files=all",
    "--ignore-submodules=none",
)
_SUITE = "suite.yaml"
_LETTERS = 3
"""Characters before a path in the answers of `git status` (two letters, a space)."""


@final
@dataclass(frozen=True, slots=True)
class Repository:
    """One git work tree.

    `top` is its folder, spelled as the user spells it where a symlink leads there. Every method asks git
    anew; each raises `Fault` where git fails.
    """

    top: Path
    is_shallow: bool

    @classmethod
    def around(cls, folder: Path) -> Repository:
        """Return the repository that holds `folder`; raises `Fault` where there is none, or git refuses."""
        if not folder.is_dir():
            raise Fault("is no folder", file=folder.name)
        answer = ask(folder, "rev-parse", "--is-shallow-repository", "--show-toplevel")
        if answer.code:
            raise fault_of(answer, "rev-parse").at(file=folder.name)
        shallow, _, top = answer.out.partition(b"\n")
        real = Path(os.fsdecode(top.removesuffix(b"\n")))
        spelled = next((one for one in (folder, *folder.parents) if is_same(one, real)), real)
        return cls(spelled, shallow == b"true")

    @property
    def shared_folder(self) -> Path:
        """The folder that git keeps for all work trees of this repository, absolute, without symlinks."""
        place = read(self.top, "rev-parse", "--git-common-dir").removesuffix(b"\n")
        return (self.top / os.fsdecode(place)).resolve()

    def head(self) -> str:
        """Return the full revision of HEAD; raises `Fault` where there is no commit yet."""
        revision = self.revision("HEAD")
        if revision is None:
            raise Fault("the git repository has no commit yet; commit first")
        return revision

    def revision(self, name: str) -> str | None:
        """Return the commit that `name` names, or None; a name that looks like an option names none."""
        if name.startswith("-"):
            return None
        answer = ask(self.top, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        return answer.out.decode("ascii").strip() or None

    def shown(self, path: Path) -> str:
        """Return `path` relative to the top, in POSIX spelling; raises `Fault` where it lies elsewhere."""
        for top, one in (
            (self.top, Path(os.path.normpath(path))),
            (self.top.resolve(), path.parent.resolve() / path.name),
            (self.top.resolve(), path.resolve()),
        ):
            if one == top or top in one.parents:
                return one.relative_to(top).as_posix()
        raise Fault("lies outside the git repository", file=path.name)

    def tracks(self, path: Path) -> bool:
        """Whether the file, or anything below the folder, is in the index or in HEAD."""
        name = self.shown(path)
        if self.revision("HEAD") is not None and self._tree("HEAD", name):
            return True
        return bool(self._indexed(name))

    def is_clean(self, path: Path) -> bool:
        """Whether `path` is tracked, and stands in work tree, index and HEAD alike."""
        name = self.shown(path)
        if self.revision("HEAD") is None or not self._tree("HEAD", name):
            return False
        return not read(self.top, *_STATUS, "--", name) and not self._unwatched(name)

    def holds(self, path: Path) -> bool:
        """Whether HEAD has the file byte for byte but for line ends; no filter of git stands between."""
        entries = self._tree("HEAD", self.shown(path))
        return bool(entries) and is_blob(self.top, _blob(entries[0])[1], path)

    def ignores(self, path: Path) -> bool:
        """Whether git would ignore the file, which need not be there; one that it tracks it does not."""
        # `./`, as this command takes patterns alone.
        asked = ("check-ignore", "-q", "--", f"./{self.shown(path)}")
        answer = ask(self.top, "--no-literal-pathspecs", *asked)
        if answer.code > 1:
            raise fault_of(answer, asked[0])
        return not answer.code

    def touched_now(self) -> frozenset[Path]:
        """Return the paths that index or work tree have otherwise than HEAD, untracked ones included."""
        entries = names_in(read(self.top, *_STATUS))
        unwatched = [name for name in self._unwatched(".") if os.path.lexists(self.top / name)]
        return self._paths([*(entry[_LETTERS:] for entry in entries), *unwatched])

    def content(self, revision: str, path: Path) -> bytes | None:
        """Return the content of the file in a commit; None where it is not there."""
        entries = self._tree(revision, self.shown(path))
        if not entries:
            return None
        kind, digest = _blob(entries[0])
        return read(self.top, "cat-file", "blob", digest) if kind == "blob" else None

    def staged(self, path: Path) -> bytes | None:
        """Return the content of the file in the index; None where it is not there, or in conflict."""
        entries = names_in(read(self.top, "ls-files", "-z", "--stage", "--", self.shown(path)))
        digests = [entry.split(" ")[1] for entry in entries]
        return read(self.top, "cat-file", "blob", digests[0]) if len(digests) == 1 else None

    def contents(self, *span: str, path: Path) -> list[tuple[str, bytes]]:
        """Return each content that the commits in `span` gave the file, behind the first that did.

        `span` is read as `commits` reads it. Raises `Fault` in a shallow clone, and where it is too much.
        """
        if self.is_shallow:
            raise Fault(SHALLOW)
        found = blobs_in(self.top, self.commits(*span, path=path), self.shown(path))
        return [(found[digest], content) for digest, content in contents_of(self.top, found).items()]

    def parents(self, commit: str) -> list[str]:
        """Return the commits that a commit was made from: none, one, or what it merged."""
        return read(self.top, "rev-parse", f"{commit}^@").decode("ascii").split()

    def versions(self, path: Path) -> list[str]:
        """Return the commits that touched `path`, newest first, on every line of history that leads to HEAD.

        A merge is among them where it differs in `path` from any parent. Raises `Fault` in a shallow clone.
        """
        if self.is_shallow:
            raise Fault(SHALLOW)
        return self.commits("HEAD", path=path)

    def commits(self, *span: str, path: Path | None = None) -> list[str]:
        """Return the commits that `span` names as `git rev-list` reads it, newest first.

        With `path`, only those that touched it. Raises `Fault` where one of them lacks its parents.
        """
        limits = () if path is None else (self.shown(path),)
        found = (
            read(self.top, "rev-list", "--date-order", "--full-history", *span, "--", *limits)
            .decode("ascii")
            .split()
        )
        if not self._cut().isdisjoint(found):
            raise Fault(SHALLOW)
        return found

    def common(self, one: str, other: str) -> str | None:
        """Return the commit that two revisions have in common, the nearest; None where they have none."""
        answer = ask(self.top, "merge-base", one, other)
        return answer.out.decode("ascii").strip() or None

    def changed_by(self, *commits: str) -> frozenset[Path]:
        """Return the absolute paths that commits touched: of a merge, what differs from all its parents."""
        if not self._cut().isdisjoint(commits):
            raise Fault(SHALLOW)
        asked = "".join(f"{one}\n" for one in commits).encode("ascii")
        return self._paths(names_in(read(self.top, "diff-tree", "--stdin", "-c", *_PATHS, given=asked)))

    def _cut(self) -> frozenset[str]:
        """Return the commits whose parents a shallow clone does not have."""
        if not self.is_shallow:
            return frozenset()
        place = read(self.top, "rev-parse", "--git-path", "shallow").removesuffix(b"\n")
        try:
            return frozenset((self.top / os.fsdecode(place)).read_text(encoding="ascii").split())
        except (OSError, ValueError):
            raise Fault(SHALLOW) from None

    def _tree(self, revision: str, name: str) -> list[str]:
        return names_in(read(self.top, "ls-tree", "-z", "--full-tree", revision, "--", name))

    def _indexed(self, name: str) -> list[str]:
        return names_in(read(self.top, "ls-files", "-z", "--", name))

    def _unwatched(self, name: str) -> list[str]:
        """Return the files that git was told not to look at: assume-unchanged, skip-worktree."""
        entries = names_in(read(self.top, "ls-files", "-z", "-v", "--", name))
        return [entry[2:] for entry in entries if entry[0].islower() or entry[0] == "S"]

    def _paths(self, names: list[str]) -> frozenset[Path]:
        return frozenset(self.top / name for name in names)


def refuse_sealed_place(suite: Path, repository: Repository) -> str | None:
    """Return why a sealed suite must not lie at `suite`, or None; whatever cannot be told is refused.

    It may lie neither in the work tree of `repository` nor where any git tracks it or would do so.
    """
    # As it is named, and where symlinks lead: git sees a symlink by itself.
    named = Path(os.path.abspath(suite))  # noqa: PTH100  # resolve() would follow the symlinks
    places = dict.fromkeys((named, named.parent.resolve() / named.name, named.resolve()))
    if any(is_same(one, repository.top) for place in places for one in (place, *place.parents)):
        return "lies in the repository that it is to be kept from; move it out of there"
    if any(map(is_inside_git, places)):
        return "lies in the folder of a git repository; move it to a folder that git knows nothing of"
    for place in places:
        if any(_would_track(tree, place) for tree in work_trees(place)):
            return "lies where git tracks it, or would; move it to a folder that no git repository holds"
    return None


def _would_track(tree: Path, suite: Path) -> bool:
    try:
        found = Repository.around(tree)
        if found.tracks(suite):
            return True
        name = found.shown(suite)
        seen = read(found.top, "ls-files", "-z", "--others", "--exclude-standard", "--", name)
        # An empty folder, too, may be one that git would track.
        return bool(seen) or not found.ignores(found.top / name / _SUITE)
    except Fault:
        return True


def _blob(entry: str) -> list[str]:
    """Return the kind and the digest that an entry of a tree has."""
    return entry.split("\t", maxsplit=1)[0].split(" ")[1:]
