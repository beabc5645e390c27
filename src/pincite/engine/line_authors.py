"""Who wrote the lines that cite: the author of the commit that added each as it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.errors import PinciteError, UsageError
from ..history.model import UNKNOWN, WORKTREE
from ..text.document import Document
from ..text.lines import decode
from .known_history import open_history

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from ..project.project import Project
    from ..safe.files import Root
    from ..safe.git import Git

UNCOMMITTED = "(not committed)"
UNKNOWN_AUTHOR = "(unknown)"
"""For a line whose history is not here, or cannot be read."""


def find_line_authors(
    project: Project, lines: Mapping[str, Collection[int]], progress: Callable[[int, int], None]
) -> dict[str, dict[int, str]]:
    """For lines of documents, by document and number from 1, the name of each one's author.

    What earlier runs learnt from history is used. Raises UsageError outside a repository; what `progress` raises ends
    the search.
    """
    git = project.git()
    if git is None:
        raise UsageError("authors need a git repository; there is none around the root")
    history, _ = open_history(project.root, git, project.config.history_endings, few=False, cache=True)
    commits: dict[str, dict[int, str]] = {}
    for number, (document, asked) in enumerate(lines.items()):
        progress(number, len(lines))
        texts = _read_lines(project.root, document, sorted(set(asked)))
        found = history.witnesses(document, list(texts.values()))
        commits[document] = dict(zip(texts, found, strict=True))
    named = {commit for one in commits.values() for commit in one.values()}
    names = read_author_names(git, named - {UNKNOWN, WORKTREE})
    names[WORKTREE] = UNCOMMITTED
    return {
        document: {line: names.get(one.get(line, UNKNOWN), UNKNOWN_AUTHOR) for line in lines[document]}
        for document, one in commits.items()
    }


def read_author_names(git: Git, commits: Iterable[str]) -> dict[str, str]:
    """The author that each commit names."""
    asked = sorted(commits)
    if not asked:
        return {}
    flags = ("--no-walk=unsorted", "--format=%H%x00%aN", "--stdin")
    pieces = git.stream("rev-list", *flags, given="".join(f"{commit}\n" for commit in asked).encode("ascii"))
    rows = (row.partition(b"\0") for row in b"".join(pieces).split(b"\n") if b"\0" in row)
    return {commit.decode("ascii"): name.decode("utf-8", "replace") for commit, _, name in rows}


def _read_lines(root: Root, path: str, numbers: Sequence[int]) -> dict[int, str]:
    """The text of lines of a document, without their ends; of a document that changed meanwhile those it still has."""
    try:
        document = Document(path, decode(root.read(path, root.limits.document_bytes)))
    except PinciteError:
        return {}
    return {
        number: document.line_of(document.starts[number - 1]) for number in numbers if number <= len(document.starts)
    }
