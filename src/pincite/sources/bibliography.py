"""Entries of a bibliography (`.bib`, RIS, CSL-JSON), by key."""

from ..core.model import Citation, Obstacle
from ..text.document import Document
from ..text.evidence import Evidence
from ..text.lines import join
from . import World

# What cross-references between figures, tables and sections are written with.
_OWN = ("fig:", "tbl:", "tab:", "eq:", "sec:", "lst:", "thm:", "lem:", "cor:", "def:")


def find(citation: Citation, world: World, document: Document | None) -> Evidence | Obstacle | None:
    """The entry, from the bibliographies in force for the document."""
    if citation.source.key.startswith(_OWN):
        return None
    corpus = world.any_corpus()
    named = _find_named_bibliographies(document, world) if document is not None else ()
    return corpus.entry(citation, (*named, *corpus.bibliographies()))


def _find_named_bibliographies(document: Document, world: World) -> tuple[str, ...]:
    """The bibliographies a document names itself, from its folder or from the root."""
    span = document.frontmatter
    if span is None or document.text.find("bibliography", span.start, span.end) < 0:
        return ()
    from ..text.yaml import FrontmatterError, Mapping, Scalar, YamlList, load

    try:
        tree = load(document.text[span.start : span.end], span.start, 2)
    except FrontmatterError:
        return ()
    value = tree.values.get("bibliography") if isinstance(tree, Mapping) else None
    items = value.items if isinstance(value, YamlList) else [value]
    names = [item.text for item in items if isinstance(item, Scalar) and item.text]
    found = []
    for name in names:
        near = join(document.folder, name)
        world.touched[near] = None
        found.append(near if world.root.is_file(near) else join("", name))
    return tuple(found)
