"""Papers of the corpus, by id.

The corpus is a folder of files `REF-XXX-slug.md`, each perhaps with its PDF. Only what has a file there may be cited.
"""

from ..core.model import Citation, Obstacle
from ..papers.ids import is_id
from ..text.document import Document
from ..text.evidence import Evidence
from . import CORPUS, World


def find(citation: Citation, world: World, document: Document | None) -> Evidence | Obstacle | None:
    """The paper; without a corpus, only brackets are surely meant as citations."""
    corpus = world.corpus()
    key = citation.source.key
    if corpus is None:
        if citation.tentative:
            return None
        return Obstacle("corpus-not-found", CORPUS) if is_id(key) else Obstacle("malformed-citation", key)
    if not is_id(key):
        return Obstacle("malformed-citation", key)
    found = corpus.find(key)
    if citation.dialect == "key-quote" and document is not None and document.path not in corpus.files(key):
        # A corpus file keeps quotes of its own paper; a file of that name elsewhere is something else.
        return None
    if isinstance(found, Obstacle) and found.kind == "not-in-corpus" and not corpus.policy.whitelist:
        return None
    return found
