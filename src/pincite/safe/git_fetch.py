"""Fetching a repository into a mirror: the one git command here that uses the network.

The user's own settings apply, since credentials and ssh are theirs; what they could run beside that is off. Credentials
that were given with an address reach git by its environment, never by arguments that other users can list.
"""

from __future__ import annotations

import os
import re
from base64 import b64encode
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from ..core.errors import UsageError
from .bounded_child import run_bounded
from .child import find_program
from .git_mirror import (
    HEAD,
    MirrorDamaged,
    begin_update,
    conclude_update,
    hide_credentials,
    make_mirror,
    remove_leftovers,
    run_in_mirror,
)

if TYPE_CHECKING:
    from .bounded_child import ChildEnd
    from .git_mirror import MirrorState

_SETTINGS = """
core.alternateRefsCommand= core.bigFileThreshold=32m core.fsmonitor=false core.hooksPath=/dev/null diff.external=
fetch.fsckObjects=false fetch.output=compact fetch.parallel=1 fetch.pruneTags=false fetch.recurseSubmodules=false
fetch.unpackLimit=1 fetch.writeCommitGraph=false gc.auto=0 maintenance.auto=false pack.threads=1
submodule.recurse=false transfer.bundleURI=false uploadpack.packObjectsHook=
"""
_FLAGS = tuple(
    "--quiet --no-progress --force --prune --no-auto-gc --no-recurse-submodules --no-tags --no-write-fetch-head".split()
)
_BRANCHES = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
_KEPT = ("GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_PROXY_SSL_CAINFO")
"""The variables of git that say how to reach a server."""
_MOST_PACKS = 24
"""From so many packs on they become one: each fetch leaves one behind."""
_IS_DAMAGE = re.compile(
    # Example: `error: object file objects/ab/… is empty`.
    r"corrupt|bad object|bad pack|bad config|not a git repository|unable to read|could not parse|file .* is empty|"
    r"missing (?:blob|tree|commit|object|necessary)|broken|cannot lock ref|unable to create .*\.lock|inflate|"
    r"packfile .* (?:cannot|does not|is far too)|did not send all necessary|invalid (?:object|sha1|oid)",
    re.IGNORECASE,
).search
_IS_CUT_OFF = re.compile(
    # Example: `fetch-pack: unexpected disconnect while reading sideband packet`.
    r"early EOF|unexpected disconnect|hung up|RPC failed|timed out|could not resolve|connection (?:refused|reset)",
    re.IGNORECASE,
).search
_SERVER_SILENT = "fatal: Could not read from remote repository."
"""How git says that the program ended that was to reach a server: why stands before, in that program's words."""
_IS_REMARK = re.compile(r"(?:remote:)?\W*\Z|Warning: |debug[0-9]: ").match
_BEFORE_REASON = re.compile(
    # Example: `git@example.org: Permission denied (publickey).`, of which the user is left out.
    r"\A(?:remote: |fatal: |error: )?(?:[^\s@:]+@)?"
)
_NO_ROOM = "No space left on device"
_IS_OTHER_FORMAT = re.compile(r"mismatched algorithms: client (\w+); server (\w+)").search
_NO_HEAD = "couldn't find remote ref HEAD"


def fetch_mirror(path: str, address: str, seconds: float, most_bytes: int) -> MirrorState:
    """Fetch all branches, tags and HEAD of a repository into a mirror, which is made where it is missing.

    Raises UsageError with what git says, ChildLate after so many seconds, and MirrorDamaged where the mirror itself
    cannot be read.
    """
    bare = hide_credentials(address)
    begin_update(path)
    if not os.path.isfile(os.path.join(path, "config")):
        make_mirror(path, {"origin": bare})
    end = _fetch(path, address, seconds, most_bytes, (f"+HEAD:{HEAD}", *_BRANCHES))
    other = _IS_OTHER_FORMAT(end.complaint)
    if end.code and other is not None and other[2] == "sha256":
        make_mirror(path, {"origin": bare}, is_sha256=True)
        end = _fetch(path, address, seconds, most_bytes, (f"+HEAD:{HEAD}", *_BRANCHES))
    if end.code and _NO_HEAD in end.complaint:
        # It has no commit yet, or its HEAD names a branch that is gone.
        end = _fetch(path, address, seconds, most_bytes, _BRANCHES)
        if not end.code:
            run_in_mirror(path, "update-ref", "-d", HEAD)
    if end.code:
        is_too_large = end.is_too_large or _has_reached(path, most_bytes)
        remove_leftovers(path)
        if is_too_large:
            raise UsageError(f"{bare}: what has to be fetched takes more than {most_bytes:,} bytes, the limit")
        raise _explain(end, bare)
    state = conclude_update(path)
    if _count_packs(path) > _MOST_PACKS:
        run_in_mirror(path, "repack", "-a", "-d", "-q", seconds=seconds)
        state = conclude_update(path)
    return state


def _fetch(path: str, address: str, seconds: float, most_bytes: int, wanted: tuple[str, ...]) -> ChildEnd:
    program = find_program("git")
    if program is None:
        raise UsageError("git is not installed; install it")
    parts = urlsplit(address) if "://" in address else None
    environment = _make_environment(address)
    command = [program, "--no-pager"]
    for setting in _SETTINGS.split():
        command += ("-c", setting)
    bare = address
    if parts is not None and parts.scheme in ("http", "https"):
        bare = hide_credentials(address)
        if parts.username or parts.password:
            secret = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}".encode()
            place = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/"
            environment |= {
                "GIT_CONFIG_COUNT": "1",
                "GIT_CONFIG_KEY_0": f"http.{place}.extraHeader",
                "GIT_CONFIG_VALUE_0": f"Authorization: Basic {b64encode(secret).decode('ascii')}",
            }
    command += (f"--git-dir={path}", "fetch", *_FLAGS, "--end-of-options", bare, *wanted)
    return run_bounded(command, path, environment, seconds, most_bytes)


def _make_environment(address: str) -> dict[str, str]:
    """What a fetch is run with: no prompt, and no other way to a server than by https and ssh."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT}
    # A setting of the user may send one of the two to the other.
    allowed = "https:ssh" + (":http" if address.startswith("http://") else "")
    return kept | {
        "GIT_ALLOW_PROTOCOL": allowed,
        "GIT_ASKPASS": "",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
        "SSH_ASKPASS_REQUIRE": "never",
    }


def _has_reached(path: str, most_bytes: int) -> bool:
    """Whether an unfinished pack has the largest size: git does not say why the program ended that wrote it."""
    try:
        with os.scandir(os.path.join(path, "objects", "pack")) as entries:
            return any(entry.name.startswith("tmp_") and entry.stat().st_size >= most_bytes for entry in entries)
    except OSError:
        return False


def _explain(end: ChildEnd, shown: str) -> UsageError:
    """What a fetch that failed says, without secrets."""
    lines = [line.strip() for line in hide_credentials(end.complaint).splitlines() if line.strip()]
    said = [line.partition(": ")[2] for line in lines if line.startswith(("fatal: ", "error: "))]
    if _SERVER_SILENT in lines:
        before = lines[: lines.index(_SERVER_SILENT)]
        said = [_BEFORE_REASON.sub("", line) for line in before if not _IS_REMARK(line)][-1:] or said
    reason = "; ".join((said or lines)[:2]) or f"git ended with code {end.code}"
    if _NO_ROOM in end.complaint:
        return UsageError(f"{shown}: cannot be fetched: the disk of the mirrors is full; make room there")
    # A mirror is made again only where its own files are the reason.
    is_damaged = _IS_DAMAGE(end.complaint) and not _IS_CUT_OFF(end.complaint)
    return (MirrorDamaged if is_damaged else UsageError)(f"{shown}: cannot be fetched: {reason[:500]}")


def _count_packs(path: str) -> int:
    try:
        return sum(name.endswith(".pack") for name in os.listdir(os.path.join(path, "objects", "pack")))
    except OSError:
        return 0
