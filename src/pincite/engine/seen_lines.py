"""What the author of a citation saw: the cited lines in the commit that last touched the citing line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.errors import PinciteError, Unreadable
from ..core.model import Obstacle
from ..history.model import UNKNOWN, WORKTREE
from ..text.lines import decode, join, split_lines
from .drift.witnesses import find_past_key
from .known_history import open_history

if TYPE_CHECKING:
    from ..core.model import Citation
    from ..project.project import Project
    from ..text.document import Document
    from ..text.evidence import Evidence


class SeenLines(Struct, frozen=True):
    """The cited lines as they were when the citation was written."""

    commit: str
    path: str
    """The file's path then."""
    first: int
    lines: tuple[str, ...]


def find_seen_lines(
    project: Project, document: Document, citation: Citation, evidence: Evidence | Obstacle
) -> SeenLines | None:
    """What the author saw; None where history does not know it, or knows no lines there."""
    git = project.git()
    if git is None or citation.lines is None or citation.source.scheme != "file":
        return None
    try:
        history, _ = open_history(project.root, git, project.config.endings, True, True)
        line = document.line_of(citation.span.end - 1)
        blob = history.blob_id(document.written.encode("utf-8", "surrogatepass"))
        (commit,) = history.witnesses(document.path, [line], blob)
        if commit in (WORKTREE, UNKNOWN):
            return None
        gone = isinstance(evidence, Obstacle)
        path = find_past_key(history, citation) if gone else join("", citation.source.key)
        if citation.by_end and history.blob_ids([(commit, path)]) == [None]:
            path = history.path_then(commit, path, citation.by_end)
        (data,) = history.text_at([(commit, path)])
        then = split_lines(decode(data)) if data is not None else []
    except (PinciteError, Unreadable):
        return None
    seen = tuple(then[max(citation.lines.first, 1) - 1 : citation.lines.last])
    return SeenLines(commit, path, max(citation.lines.first, 1), seen) if seen else None
