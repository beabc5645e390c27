"""Citations from habit (`[1]`, `Smith (2023)`): they name nothing in the corpus, and the policy may forbid them."""

from ..core.model import Citation, Obstacle
from ..text.document import Document
from . import World


def find(citation: Citation, world: World, document: Document | None) -> Obstacle | None:
    """An obstacle where the policy forbids the form; elsewhere the words are no citation."""
    corpus = world.corpus()
    if corpus is None or not corpus.policy.whitelist or citation.source.key not in corpus.policy.forbidden:
        return None
    return Obstacle("forbidden-format", citation.source.key)
