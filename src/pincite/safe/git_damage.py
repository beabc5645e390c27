"""Objects that a clone should have and has not: which one git complains about, and what brings it back."""

from __future__ import annotations

import re

from .child import ChildFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .git import Git

_ID = re.compile(r"\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b")
_SHORT = 7


def explain_complaint(git: Git, complaint: str) -> str:
    """What git complains about and what to type, where it names an object; else the complaint as it is."""
    name = find_object(complaint)
    return f"git cannot read {explain_object(git, name)}" if name else complaint


def explain_object(git: Git, name: str) -> str:
    """Why an object cannot be read, and what to type."""
    if is_partial(git):
        return f"object {name[:_SHORT]}, which this partial clone left out (git fetch --refetch --no-filter)"
    return f"object {name[:_SHORT]}, which is missing or damaged (git fetch --refetch, or a new clone)"


def is_partial(git: Git) -> bool:
    """Whether contents were left out when the clone was made. They are not fetched: nothing here uses the network."""
    try:
        listed = git.run("config", "--bool", "--get-regexp", r"^remote\..*\.promisor$", codes=(0, 1))
    except ChildFailed:
        return False
    return any(line.endswith(b" true") for line in listed.split(b"\n"))


def find_object(complaint: str) -> str:
    """The object that git complains about; empty where it names none."""
    found = _ID.search(complaint)
    return found[0] if found is not None else ""


def list_folder(git: Git, commit: str, folder: str) -> dict[str, str]:
    """The files that a commit names in a folder, which is empty for the root, to their ids; raises ChildFailed."""
    below = git.prefix + folder + "/" if folder else git.prefix
    listed = git.run("ls-tree", "-z", "--full-tree", commit, *(("--", below) if below else ()), literal=True)
    found: dict[str, str] = {}
    for entry in listed.split(b"\0"):
        about, _, path = entry.partition(b"\t")
        name = git.inside(path)
        # Of a submodule nothing is here, and a link may lead to nothing.
        if name is not None and about.startswith(b"100"):
            found[name] = about.rpartition(b" ")[2].decode("ascii")
    return found


def find_severed(git: Git, commits: Iterable[str]) -> set[str]:
    """Those commits that name a parent which is not here: to `git blame` they seem to have written everything."""
    children: dict[str, set[str]] = {}
    asked = sorted(commits)
    for commit, parents in zip(asked, git.objects().parents(asked), strict=True):
        for parent in parents:
            children.setdefault(parent, set()).add(commit)
    parents = list(children)
    here = git.objects().are_here(parents)
    return set().union(*(children[parent] for parent, known in zip(parents, here, strict=True) if not known))
