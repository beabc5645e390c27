"""Files by the name of their repository, as `owner/name:src/app.py`: a mirror says whether there is such a one.

Which repository is meant is found out before evidence is looked for, so that nothing is left to find here.
"""

from ..core.model import Citation, Obstacle
from ..text.document import Document
from ..text.evidence import Evidence
from . import World


def find(citation: Citation, world: World, document: Document | None) -> Evidence | Obstacle | None:
    """None: the repository has no mirror, so that the words cite nothing that is known."""
    return None
