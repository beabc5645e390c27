"""Files and folders of the repository, as instruction files name them: from the root, from the document's folder or one
between them, or by the end of a path.

A path that is not there is missing only where its first folder is there, git does not ignore it, and most paths of the
document are here; else it may be about another project. Where the first folder is gone, or belongs to a tool of which
every project has its own files, history has to know the path.
"""

from collections.abc import Iterator

from ..core.errors import Refused
from ..core.model import Citation, Obstacle, SourceRef
from ..text.document import Document
from ..text.evidence import Evidence
from ..text.instruction_files import is_skill
from ..text.lines import join
from . import World


def find(citation: Citation, world: World, document: Document | None) -> Evidence | Obstacle | None:
    """The file or folder, an obstacle where the repository has none, None where the path may mean something else."""
    path = citation.raw
    folder = path.endswith("/")
    places = list(dict.fromkeys(_list_places(citation, document)))
    for place in places:
        world.touched[place] = None
        try:
            world.root.locate(place)
        except Refused as error:
            if error.kind != "file-not-found" or world.why_left_out(place):
                return None
            continue
        return Evidence(SourceRef("path" if folder else "file", place), b"", [])
    if not places:
        return None
    written = join("", path) + ("/" if folder else "")
    if written.startswith("../"):
        return None
    near = world.paths.find_by_end(written)
    if near:
        world.touched[near] = None
        return Evidence(SourceRef("path" if folder else "file", near), b"", [])
    if any(world.paths.is_ignored(place + "/" if folder else place) for place in places):
        return None
    if citation.tentative and (folder or (document is not None and is_skill(document.path))):
        # The usual folders, and what a skill gives as an example, are named everywhere.
        return None
    if not citation.tentative and _is_of_here(written, places, world, document):
        return Obstacle("path-not-found", written)
    return Obstacle("file-not-found", places[0])


def _is_of_here(written: str, places: list[str], world: World, document: Document | None) -> bool:
    """Whether a path can only mean this repository: its first folder is there, as are most paths of the document."""
    parts = written.rstrip("/").split("/")
    if len(parts) == 1 and written.endswith("/"):
        return False
    if parts[0][0] == "." and len(parts) > 1 and not (parts[0] == ".github" and len(parts) > 2):
        # Every project has its own settings of editors and agents.
        return False
    if document is not None and is_skill(document.path):
        return False
    rest = "/".join(parts[1:])
    bases = [place.removesuffix(rest).rstrip("/") if rest else "" for place in places]
    if not any(not base or world.root.stat(base) is not None for base in bases):
        return False
    return document is None or not world.paths.is_foreign(document)


def _list_places(citation: Citation, document: Document | None) -> Iterator[str]:
    """Where the path may lead, likeliest first; what leads out of the root is left out."""
    keys = [citation.source.key, citation.alternate]
    folder = document.folder if document is not None else ""
    while folder:
        keys.append(join(folder, citation.raw))
        folder = folder.rpartition("/")[0]
    for key in keys:
        place = join("", key) if key else ""
        if place and not place.startswith(".."):
            yield place
