"""Files below the root that are cited with a heading: by path, or by a name that one file of the tree has."""

import re

from ..core.model import Citation, Obstacle, SourceRef
from ..text.document import Document
from ..text.evidence import Evidence
from ..text.lines import join
from . import World

# An ending that files have and hosts, laws and abbreviations do not.
_LIKE_A_FILE = re.compile(
    r"(?:.*/)?[^/]*\.(?!(?:com|org|net|io|dev|local)\Z)(?:[a-z][a-z0-9]{0,7}|[A-Z]{2,5}|[A-Z][a-z]{1,3})\Z", re.DOTALL
)


_MOST_NAMESAKES = 50
"""Of how many files of one name the headings are read."""


def find(citation: Citation, world: World, document: Document | None) -> Evidence | Obstacle | None:
    """The file, read where its headings can be; None where the words name none and do not look like a name."""
    refused: Obstacle | None = None
    for written in filter(None, (citation.source.key, citation.alternate)):
        for key in _places(written, document):
            obstacle = world.exists(key)
            if obstacle is None:
                return _evidence(key, world)
            if obstacle.kind != "file-not-found":
                refused = refused or obstacle
    likely = [name for name in (citation.source.key, citation.alternate) if name and _LIKE_A_FILE.match(name)]
    if refused is not None and likely:
        return refused
    for name in likely if refused is None else ():
        if "/" not in name:
            found = world.tree.paths_of_name(name)
            if len(found) == 1:
                return _evidence(found[0], world)
            if found:
                return Obstacle("file-ambiguous", name, paths=tuple(found))
    return Obstacle("file-not-found", citation.source.key) if likely else None


def _places(written: str, document: Document | None) -> list[str]:
    """What a path may mean: from the root, or from the folder of the document."""
    if written.startswith("/"):
        return [written]
    folder = document.folder if document is not None else ""
    places = [join("", written), join(folder, written)]
    return places[::-1] if written.startswith(("./", "../")) else places


def find_namesakes(citation: Citation, world: World) -> list[Evidence | Obstacle]:
    """The files that go by a cited name, read where their headings can be; none where they are too many to read."""
    names = [name for name in (citation.source.key, citation.alternate) if name and "/" not in name]
    found = next((keys for name in names if (keys := world.tree.paths_of_name(name))), [])
    return [_evidence(key, world) for key in found] if len(found) <= _MOST_NAMESAKES else []


def _evidence(key: str, world: World) -> Evidence | Obstacle:
    """The file at a key; what has no headings to look for is not read."""
    from ..search.passages import WITHOUT_HEADINGS, find_kind

    kind = find_kind(key)
    if kind is None or kind in WITHOUT_HEADINGS:
        return Evidence(SourceRef("file", key), b"", [])
    return world.file(key)
