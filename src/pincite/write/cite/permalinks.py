"""Targets tied to a commit: what a permalink may promise for ever."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...checks.wording import format_line_range
from ...core.errors import Refused, Unreadable
from ...core.model import Lines
from ...history.line_matching import find_occurrences
from ...text.lines import decode, split_lines
from .model import Uncitable

if TYPE_CHECKING:
    from ...safe.files import Root
    from ...safe.git import Git
    from .model import CiteTarget

_REMOTE = re.compile(r"github\.com[:/]+([\w.\-]+/[\w.\-]+?)(?:\.git)?/?\Z")
_SLUG = re.compile(r"[\w.\-]{1,100}/[\w.\-]{1,100}\Z")


def pin_commit(root: Root, git: Git | None, target: CiteTarget, repository: str = "") -> CiteTarget:
    """The target with the commit that holds it; raises Uncitable where the commit one stands on does not.

    `repository` is `owner/name` where the settings say it; else the remotes do.
    """
    if git is None:
        raise Uncitable("not-committed", f"{target.path}: not in a git repository; a permalink needs a commit")
    slug = _slug(git, repository)
    head = git.head()
    if head is None:
        raise Uncitable("not-committed", f"{target.path}: there is no commit yet; commit it, then cite it")
    data = git.objects().blob(f"{head}:{git.prefix}{target.path}", root.limits.source_bytes)
    if data is None:
        raise Uncitable(
            "not-committed", f"{target.path}: not in the commit {head[:12]}; commit it first, or use another style"
        )
    try:
        lines = split_lines(decode(data))
    except Unreadable as error:
        raise Uncitable("file-unreadable", f"{target.path}: in {head[:12]} {error}") from None
    wanted = target.lines
    if wanted is None and not _is_text_of(root, target.path, lines):
        raise Uncitable(
            "not-committed",
            f"{target.path}: differs from the commit {head[:12]}; commit your changes first, or use another style",
        )
    if wanted is not None and tuple(lines[wanted.first - 1 : wanted.last]) != target.text:
        found = find_occurrences([*target.text], lines)
        once = Lines(found[0] + 1, found[0] + len(target.text)) if len(found) == 1 else None
        hint = f" (there it is {target.path}:{format_line_range(once)})" if once else ""
        raise Uncitable(
            "not-committed",
            f"{target.path}:{format_line_range(wanted)}: the commit {head[:12]} has other text there{hint}; "
            "commit your changes first, or use another style",
        )
    return replace(target, pinned=f"{slug}@{head}:{git.prefix}")


def is_public(git: Git, commit: str) -> bool:
    """Whether some branch of a remote, as it was last fetched or pushed, holds the commit."""
    flags = ("--count=1", "--format=%(refname)", "--contains", commit)
    return bool(git.run("for-each-ref", *flags, "refs/remotes/", codes=(0, 128, 129)).strip())


def _slug(git: Git, repository: str) -> str:
    if repository:
        if _SLUG.match(repository):
            return repository
        raise Uncitable("repository-unknown", f"{repository!a}: 'repository' in the settings must be owner/name")
    found = [match[1] for url in git.remotes() if (match := _REMOTE.search(url))]
    if len({slug.lower() for slug in found}) == 1:
        return found[0]
    if found:
        named = ", ".join(dict.fromkeys(found))
        problem = f"the remotes name several repositories ({named})"
    else:
        problem = "no remote is on github.com"
    raise Uncitable("repository-unknown", f'{problem}; set repository = "owner/name" in pincite.toml')


def _is_text_of(root: Root, path: str, lines: list[str]) -> bool:
    """Whether a file as it is has these lines."""
    try:
        return lines == split_lines(decode(root.read(path)))
    except Refused:
        return False
