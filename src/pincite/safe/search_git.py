"""Looking for the ids of captured output wherever a repository could cite them, however little of it is checked out."""

from __future__ import annotations

import re
from contextlib import closing

from ..core.errors import Missing, Refused, UsageError
from .child import ChildFailed, find_program
from .files import Root, walk
from .git import Git, is_id
from .git_mirror import stream_in_mirror
from .user_paths import find_repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_WRITTEN = "【[0-9a-f]{6,64}†"
_CITED = re.compile("【([0-9a-f]{6,64})†".encode())
# What git prints: the name of the file or the id of the blob, a NUL, perhaps numbers, and the find.
_FOUND = re.compile("([^\0]+)\0[^【]*?【([0-9a-f]{6,64})†\n".encode())
_FLAGS = ("grep", "-z", "-H", "-o", "-a", "-E", "--full-name", "--no-color")
_BATCH = 2000
_MOST_IDS = 100_000


def cited_ids(root: Root, git: Git | None) -> Iterator[tuple[str, str]]:
    """Every id that is cited, with a place: in any file, and with git in the index, the stash and every local branch.

    An id comes once for each place. Raises UsageError where something could not be searched.
    """
    if git is None:
        if find_program("git") is None and find_repository(root.path) is not None:
            raise UsageError(f"{root.path}: is in a git repository, and git is not installed: branches go unseen")
        yield from _in_files(root)
        return
    yield from _grep(git, ("--untracked", "-e", _WRITTEN), "")
    yield from _grep(git, ("--cached", "-e", _WRITTEN), "the index")
    blobs = sorted(_blobs(git))
    for at in range(0, len(blobs), _BATCH):
        yield from _grep(git, ("-e", _WRITTEN, *blobs[at : at + _BATCH]), "another branch or the stash")


def list_cited_ids(mirror: str, commit: str, seconds: float, most: int = _MOST_IDS) -> list[str] | None:
    """The ids that a commit of a mirror cites, in order; None where they are too many, or it cannot be searched."""
    found: set[bytes] = set()
    rest = b""
    arguments = ("grep", "-h", "-o", "-a", "-E", "--no-color", "-e", _WRITTEN, commit)
    try:
        with closing(stream_in_mirror(mirror, *arguments, seconds=seconds, codes=(0, 1))) as pieces:
            for piece in pieces:
                done, line, rest = (rest + piece).rpartition(b"\n")
                found.update(_CITED.findall(done + line))
                if len(found) > most:
                    return None
    except ChildFailed:
        return None
    return sorted(one.decode("ascii") for one in found)


def _in_files(root: Root) -> Iterator[tuple[str, str]]:
    files, _ = walk(root.path, lambda path: path.endswith((".git/", ".pincite/")), root.limits)
    for key in files:
        try:
            if root.is_file(key):
                for found in set(_CITED.findall(root.read(key))):
                    yield found.decode("ascii"), key
        except Missing:
            continue
        except Refused as error:
            raise UsageError(f"{key}: cannot be searched ({error})") from None


def _grep(git: Git, arguments: tuple[str, ...], place: str) -> Iterator[tuple[str, str]]:
    rest = b""
    for piece in git.stream(*_FLAGS, *arguments, codes=(0, 1)):
        done, line, rest = (rest + piece).rpartition(b"\n")
        for name, found in set(_FOUND.findall(done + line)):
            yield found.decode("ascii"), place or name.decode("utf-8", "replace")


def _blobs(git: Git) -> set[str]:
    """The blobs of all local branches and of everything stashed that are not in the index; each is searched once."""
    indexed = git.run("ls-files", "-s", "-z").split(b"\0")
    known = {entry.split(b" ", 2)[1] for entry in indexed if entry.count(b" ") >= 2}
    found: set[bytes] = set()
    for commit in _tips(git):
        for entry in git.run("ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0"):
            about = entry.partition(b"\t")[0].split(b" ")
            if len(about) == 3 and about[1] == b"blob":
                found.add(about[2])
    return {blob.decode("ascii") for blob in found - known}


def _tips(git: Git) -> list[str]:
    """Commits whose whole content counts: local branches, HEAD, and stashes with what they hold of index and files."""
    tips = git.run("for-each-ref", "--format=%(objectname)", "refs/heads/").split()
    if git.head():
        tips.append((git.head() or "").encode("ascii"))
    if git.run("for-each-ref", "--format=%(objectname)", "refs/stash").strip():
        tips += git.run("log", "-g", "--format=%H %P", "refs/stash", "--").split()
    return [tip for tip in dict.fromkeys(tip.decode("ascii", "replace") for tip in tips) if is_id(tip)]
