"""Bare mirrors of repositories: made and renewed without running anything that a repository names.

A mirror is made from plain files, so that no template and no hook comes along. Its settings are written here. A local
repository is read from its files and shares its objects by hard links; any other is fetched by git, with the user's own
settings for credentials and ssh, and with nothing else of them that could run.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.json import decode, encode

from ..core.errors import Refused, UsageError
from .child import ChildFailed, find_program, stream
from .files import read_path
from .git_config_file import quote_value
from .git_settings import ENVIRONMENT, SETTINGS
from .remove_tree import remove_tree
from .shared_objects import drop_unshared, share_objects

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from .local_repository import LocalRepository

HEAD = "refs/pincite/head"
"""The reference of a mirror that names the commit of its source's HEAD."""
_STATE = "pincite-mirror.json"
_MARK = "pincite-updating"
"""There while a mirror is changed: where it outlives the change, that was interrupted."""
_FOLDERS = ("objects/pack", "objects/info", "refs")
# The limits of git for what it maps keep it within the memory of a worker.
_CONFIG = """\
[core]
\trepositoryformatversion = {version}
\tfilemode = true
\tbare = true
\tlogAllRefUpdates = false
\tpackedGitLimit = 512m
\tpackedGitWindowSize = 32m
\tdeltaBaseCacheLimit = 64m
[gc]
\tauto = 0
"""
_SECONDS = 120.0
_STATE_BYTES = 64 * 1024
_REFERENCE_BYTES = 256 * 1024 * 1024
_IS_LEFTOVER = re.compile(r"(?:.*\.lock|tmp_.*|\.tmp-.*|incoming-.*)\Z").match
"""What a git that was killed leaves in a git directory."""
_IS_REMOVED = re.compile(r"\.git\.[0-9]+\.[0-9a-f]{8}\.old\Z").search
"""What a process leaves that was killed while it removed a mirror."""
_HAS_CREDENTIALS = re.compile(r"(://)[^/?#\s]*@")
_HAS_QUERY = re.compile(r"(://[^?]*\?).+", re.DOTALL)


class MirrorState(Struct, frozen=True):
    """What is known of a mirror after it was last renewed."""

    head: str = ""
    """The commit of its source's HEAD; empty before the first commit."""
    committed: int = 0
    """When that commit was made, in seconds since 1970."""
    own_bytes: int = 0
    """What it takes on the disk beside what it shares with its source."""
    is_new: bool = False
    """Whether anything changed when it was last renewed."""


class MirrorDamaged(UsageError):
    """A mirror lacks objects or holds broken files: it has to be made again."""


def mirror_place(folder: str, name: str) -> str:
    """Where the mirror of a repository lies below the folder of its team; raises UsageError for a name that is none."""
    parts = name.split("/")
    if not 0 < len(name) <= 400 or not all(map(_is_part, parts)):
        raise UsageError(f"{name[:200]!a}: not the name of a repository")
    return os.path.join(folder, *parts) + ".git"


def _is_part(part: str) -> bool:
    """Whether a part of a name can be a folder among mirrors: none may look like a mirror itself."""
    plain = re.fullmatch(r"[\w%+@=,~-][\w%+@=,.~-]{0,199}", part)
    return plain is not None and not part.lower().endswith((".git", ".lock"))


def hide_credentials(text: str) -> str:
    """A text without the user names and passwords of the addresses in it."""
    return _HAS_CREDENTIALS.sub(r"\1", text)


def hide_secrets(address: str) -> str:
    """An address as a complaint shows it: also what its query says may be a secret."""
    return _HAS_QUERY.sub(r"\1…", hide_credentials(address))


def make_mirror(path: str, remotes: Mapping[str, str], is_sha256: bool = False) -> None:
    """Make the files of an empty mirror; those that are there are written anew. Raises UsageError."""
    try:
        for folder in _FOLDERS:
            os.makedirs(os.path.join(path, folder), mode=0o700, exist_ok=True)
        write_file(os.path.join(path, "config"), _write_settings(remotes, is_sha256))
        if not os.path.lexists(os.path.join(path, "HEAD")):
            write_file(os.path.join(path, "HEAD"), f"ref: {HEAD}\n".encode())
    except OSError as error:
        raise UsageError(f"{path}: cannot be made ({error.strerror})") from None


def _write_settings(remotes: Mapping[str, str], is_sha256: bool) -> bytes:
    text = _CONFIG.format(version=int(is_sha256))
    if is_sha256:
        text += "[extensions]\n\tobjectFormat = sha256\n"
    for name, address in remotes.items():
        if not re.search(r"[\x00-\x1f\x7f]", name + address):
            quoted = name.replace("\\", "\\\\").replace('"', '\\"')
            text += f'[remote "{quoted}"]\n\turl = {quote_value(hide_credentials(address))}\n'
    return text.encode("utf-8", "surrogateescape")


def is_mirror(path: str) -> bool:
    """Whether there is a mirror at a path, complete or not."""
    return os.path.isfile(os.path.join(path, "config")) and os.path.isfile(os.path.join(path, "HEAD"))


def read_state(path: str) -> MirrorState | None:
    """What is known of a mirror; None where it was never complete."""
    try:
        return decode(read_path(os.path.join(path, _STATE), _STATE_BYTES), type=MirrorState)
    except (Refused, ValueError):
        return None


def take_local(path: str, repository: LocalRepository, most_bytes: int) -> MirrorState:
    """Make a mirror equal to a local repository; raises UsageError, and MirrorDamaged where objects are missing."""
    head, references, shallow = repository.head(), repository.references(), repository.shallow()
    packed = _pack_references(references, head)
    is_sha256 = len(head or next(iter(references.values()), "")) == 64
    remotes = repository.remotes()
    wanted = {"packed-refs": packed, "shallow": shallow, "config": _write_settings(remotes, is_sha256)}
    state = read_state(path)
    if (
        state is not None
        and not os.path.lexists(os.path.join(path, _MARK))
        and all(_read(path, name) == data for name, data in wanted.items())
    ):
        return MirrorState(state.head, state.committed, state.own_bytes)
    begin_update(path)
    make_mirror(path, remotes, is_sha256)
    stores = repository.stores()
    try:
        share_objects(stores, os.path.join(path, "objects"), most_bytes)
        write_file(os.path.join(path, "packed-refs"), packed)
        _remove_loose(path)
        if shallow:
            write_file(os.path.join(path, "shallow"), shallow)
        elif os.path.lexists(os.path.join(path, "shallow")):
            os.unlink(os.path.join(path, "shallow"))
    except OSError as error:
        raise UsageError(f"{path}: the mirror cannot be written ({error.strerror})") from None
    return conclude_update(path, repository.branch())


def _pack_references(references: Mapping[str, str], head: str) -> bytes:
    """The file `packed-refs` with these references, in the order of their names, and with that of a mirror's head."""
    every = sorted({**references, **({HEAD: head} if head else {})}.items())
    lines = ["# pack-refs with: sorted \n", *(f"{target} {name}\n" for name, target in every)]
    return "".join(lines).encode("utf-8", "surrogateescape")


def drop_stale_objects(path: str, repository: LocalRepository) -> None:
    """Remove objects that a local repository packed anew; only its sole user may do that."""
    with suppress(OSError):
        drop_unshared(repository.stores(), os.path.join(path, "objects"))


def _remove_loose(path: str) -> None:
    """Remove references that are not in `packed-refs`: mirrors of local repositories have none."""
    if os.listdir(os.path.join(path, "refs")):
        remove_tree(os.path.join(path, "refs"))
        os.mkdir(os.path.join(path, "refs"), 0o700)


def begin_update(path: str) -> None:
    """Note that a mirror is being changed, and clear away what an interrupted change left."""
    mark = os.path.join(path, _MARK)
    if os.path.lexists(mark):
        remove_leftovers(path)
    with suppress(FileNotFoundError):
        write_file(mark, b"")


def conclude_update(path: str, branch: str = "") -> MirrorState:
    """Look up the commit that a mirror has now, and note that it is complete; raises MirrorDamaged.

    `branch` is the one that HEAD of its source stands for; where that is not known, one at the same commit is taken.
    """
    asked = ("for-each-ref", "--format=%(objectname) %(objecttype) %(committerdate:unix)", HEAD)
    try:
        said = run_in_mirror(path, *asked).decode("ascii", "replace").split()
    except ChildFailed as error:
        raise MirrorDamaged(f"{path}: {error}") from None
    if said and (len(said) != 3 or said[1] != "commit"):
        raise MirrorDamaged(f"{path}: HEAD of its source is no commit")
    head, committed = (said[0], _parse_time(said[2])) if said else ("", 0)
    state = MirrorState(head, committed, measure(path), True)
    branch = branch if branch or not head else _find_branch(path, head)
    try:
        write_file(os.path.join(path, "HEAD"), f"ref: {branch or HEAD}\n".encode("utf-8", "surrogateescape"))
        write_file(os.path.join(path, _STATE), encode(state))
        with suppress(FileNotFoundError):
            os.unlink(os.path.join(path, _MARK))
    except OSError as error:
        raise UsageError(f"{path}: the mirror cannot be written ({error.strerror})") from None
    return state


def _find_branch(path: str, head: str) -> str:
    """The branch that a commit is most likely known by; empty where there is none."""
    try:
        said = run_in_mirror(path, "for-each-ref", f"--points-at={head}", "--format=%(refname)", "refs/heads/")
    except ChildFailed:
        return ""
    names = said.decode("utf-8", "surrogateescape").split("\n")[:-1]
    usual = [name for name in ("refs/heads/main", "refs/heads/master") if name in names]
    return (usual or names or [""])[0]


def _parse_time(text: str) -> int:
    """Seconds since 1970; a commit may name any number."""
    return max(0, min(int(text), 1 << 62)) if re.fullmatch(r"[0-9]{1,20}", text) else 0


def remove_leftovers(path: str) -> None:
    """Remove locks and unfinished files of a git that was killed; only the one that renews the mirror may do that."""
    for folder, _, names in os.walk(path):
        if os.path.dirname(folder) != path or os.path.basename(folder) not in ("checkouts", "worktrees"):
            for name in filter(_IS_LEFTOVER, names):
                with suppress(OSError):
                    os.unlink(os.path.join(folder, name))


def measure(path: str) -> int:
    """The bytes of a mirror that no other repository shares."""
    total = 0
    folders = [path]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    else:
                        info = entry.stat(follow_symlinks=False)
                        total += info.st_size if info.st_nlink == 1 else 0
        except OSError:
            continue
    return total


def remove_mirror(path: str) -> None:
    """Remove a mirror; only its sole user may do that."""
    # Renamed first, so that it is never seen in parts.
    passing = f"{path}.{os.getpid()}.{os.urandom(4).hex()}.old"
    with suppress(FileNotFoundError):
        os.rename(path, passing)
    remove_tree(passing)


def list_mirrors(folder: str) -> list[tuple[float, int, str]]:
    """Every mirror below a folder: when it was last used, the bytes that are its own, and its path; oldest first."""
    found: list[tuple[float, int, str]] = []
    folders = [folder]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                below = [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        for path in below:
            if not path.endswith(".git") and not _IS_REMOVED(path):
                folders.append(path)
                continue
            with suppress(OSError):
                used = os.lstat(path).st_mtime if path.endswith(".git") else 0.0
                found.append((used, measure(path), path))
    return sorted(found)


def note_use(path: str) -> None:
    """Remember that a mirror was used now: those that were not used for the longest time are removed first."""
    with suppress(OSError):
        os.utime(path)


def read_commit_time(path: str, commit: str) -> int:
    """When a commit of a mirror was made, in seconds since 1970; raises MirrorDamaged."""
    try:
        return _parse_time(run_in_mirror(path, "log", "-1", "--format=%ct", commit, "--").decode("ascii").strip())
    except (ChildFailed, UnicodeDecodeError) as error:
        raise MirrorDamaged(f"{path}: {error}") from None


def has_commit(path: str, commit: str) -> bool:
    """Whether a mirror has a commit."""
    try:
        run_in_mirror(path, "cat-file", "-e", f"{commit}^{{commit}}")
    except ChildFailed:
        return False
    return True


def run_in_mirror(
    path: str, *arguments: str, work_tree: str = "", given: bytes = b"", seconds: float = _SECONDS
) -> bytes:
    """The output of a git command over a mirror's objects, without network; raises ChildFailed."""
    return b"".join(stream_in_mirror(path, *arguments, work_tree=work_tree, given=given, seconds=seconds))


def stream_in_mirror(
    path: str,
    *arguments: str,
    work_tree: str = "",
    given: bytes = b"",
    seconds: float = _SECONDS,
    codes: tuple[int, ...] = (0,),
) -> Generator[bytes, None, None]:
    """The same piece by piece; closing the iterator ends the command. `codes` are those with which it may end."""
    program = find_program("git")
    if program is None:
        raise UsageError("git is not installed; install it")
    command = [program, "--no-pager", "--no-optional-locks", "--no-replace-objects"]
    for setting in SETTINGS:
        command += ("-c", setting)
    command.append(f"--git-dir={path}")
    if work_tree:
        command.append(f"--work-tree={work_tree}")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    yield from stream([*command, *arguments], work_tree or path, kept | ENVIRONMENT, seconds, codes, given)


def _read(path: str, name: str) -> bytes:
    try:
        return read_path(os.path.join(path, name), _REFERENCE_BYTES)
    except Refused:
        return b""


def write_file(path: str, data: bytes) -> None:
    """Write a file of a mirror whole: a reader sees the old one or the new one."""
    passing = f"{path}.{os.getpid()}.lock"
    with open(passing, "wb") as file:
        file.write(data)
    os.replace(passing, path)
