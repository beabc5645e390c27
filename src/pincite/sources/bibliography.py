"""Entries of a bibliography (`.bib`, RIS, CSL-JSON), by key."""

import re

from ..core.model import Citation, Obstacle
from ..text.document import Document
from ..text.evidence import Evidence
from ..text.lines import join
from ..text.shown_code import TEX
from . import World

# What cross-references between figures, tables and sections are written with.
_TEX_NAMES = re.compile(r"\\(?:bibliography|addbibresource)\s?(?:\[[^\]\n]{0,200}\])?\{([^{}\0]{1,1000})\}")
_MOST_NAMES = 20
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
    if document.path.lower().endswith(TEX):
        # LaTeX looks in further folders, and from the file that includes this one: what is not here may be there.
        return tuple(filter(world.root.is_file, _locate(_find_named_in_tex(document.prose), document, world)))
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
    return _locate([item.text for item in items if isinstance(item, Scalar) and item.text], document, world)


def _find_named_in_tex(prose: str) -> list[str]:
    """The files that `\\bibliography{a,b}` and `\\addbibresource{a.bib}` name."""
    names = [name.strip() for match in _TEX_NAMES.finditer(prose) for name in match[1].split(",")]
    return [name if "." in name.rpartition("/")[2] else f"{name}.bib" for name in names[:_MOST_NAMES] if name]


def _locate(names: list[str], document: Document, world: World) -> tuple[str, ...]:
    found = []
    for name in names:
        near = join(document.folder, name)
        world.touched[near] = None
        found.append(near if world.root.is_file(near) else join("", name))
    return tuple(found)
