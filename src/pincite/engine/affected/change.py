"""From what was typed to the two sides of a change."""

from msgspec import Struct

from ...core.errors import UsageError
from ...safe.git import Git
from ...safe.git_tree import merge_base

WORK_TREE = "the work tree"
INDEX = "the index"


class CompareSides(Struct, frozen=True):
    """Two sides to compare."""

    older: str
    """The id of a commit, or of the empty tree before the first one."""
    newer: str = ""
    """The id of a commit; empty for the index or the work tree."""
    staged: bool = False
    before: str = ""
    after: str = WORK_TREE


def since_head(git: Git, staged: bool = False) -> CompareSides:
    """What the next commit would change."""
    older = git.parents_to_be()[0]
    before = f"HEAD ({older[:7]})" if git.head() else "nothing (there is no commit yet)"
    return CompareSides(older, "", staged, before, INDEX if staged else WORK_TREE)


def find_change(git: Git, typed: str, staged: bool = False) -> CompareSides | None:
    """The change that `REV`, `A..B` or `A...B` stands for; None where the words name no revision."""
    for dots in ("...", ".."):
        left, found, right = typed.partition(dots)
        if not found:
            continue
        ends = [(name or "HEAD", git.resolve_commit(name or "HEAD")) for name in (left, right)]
        (one, older_id), (other, newer_id) = ends
        if older_id is None or newer_id is None:
            return None
        if staged:
            raise UsageError("--staged compares one revision with the index; name one, not two")
        before = f"{one} ({older_id[:7]})"
        if dots == "...":
            older_id = merge_base(git, older_id, newer_id)
            before = f"the merge base of {one} and {other} ({older_id[:7]})"
        return CompareSides(older_id, newer_id, False, before, f"{other} ({newer_id[:7]})")
    commit = git.resolve_commit(typed)
    if commit is None:
        return None
    return CompareSides(commit, "", staged, f"{typed} ({commit[:7]})", INDEX if staged else WORK_TREE)
