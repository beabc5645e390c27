"""Files of this repository at a revision, by GitHub address."""

import re

from ..core.errors import Unreadable
from ..core.model import CURRENT_REVISIONS, Citation, Obstacle, SourceRef
from ..safe.child import ChildFailed
from ..safe.git_tree import reference_files
from ..text.document import Document
from ..text.evidence import Evidence
from . import World

_REMOTE = re.compile(r"github\.com[:/]+([\w.\-]+/[\w.\-]+?)(?:\.git)?/?\Z")


def find(citation: Citation, world: World, document: Document | None) -> Evidence | Obstacle | None:
    """The file in the commit that the address names; None for another repository."""
    slug, _, rest = citation.source.key.partition("@")
    revision, _, path = rest.partition(":")
    git = world.git()
    if git is not None:
        # Remotes come and go, branches move, and commits are fetched.
        world.touched.update(dict.fromkeys(reference_files(git, revision)))
    if slug.lower() not in find_own_names(world):
        return None
    if revision in CURRENT_REVISIONS:
        if citation.lines is not None:
            return world.file(path)
        return world.exists(path) or Evidence(SourceRef("file", path), b"", [])
    git = world.git()
    try:
        commit = git.resolve_commit(revision) if git is not None else None
        if git is None or commit is None:
            return Obstacle("revision-unknown", revision)
        data = git.objects().blob(f"{commit}:{path}", world.root.limits.source_bytes)
    except ChildFailed as error:
        return Obstacle("revision-unknown", f"{revision}\n{error}")
    if data is None:
        return Obstacle("file-not-found", f"{path} in {revision}")
    try:
        return Evidence(SourceRef("permalink", citation.source.key), data)
    except Unreadable as error:
        return Obstacle("file-unreadable", str(error))


def find_own_names(world: World) -> set[str]:
    """The names this repository has on GitHub, in lower case."""
    if world.repository:
        return {world.repository.lower()}
    git = world.git()
    found = (_REMOTE.search(url) for url in (git.remotes() if git is not None else ()))
    return {match[1].lower() for match in found if match}
