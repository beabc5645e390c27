"""Retrieval of other makers: their documents and nodes as hits, citations as their citation objects.

Nothing here imports those frameworks: what counts is the shape of what is handed over.
"""

from __future__ import annotations

from ....search.model import SearchHit
from . import haystack, langchain, llama_index
from .fields import describe
from .pieces import Placing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

_FRAMEWORKS = (langchain, llama_index, haystack)


def hits(
    objects: Iterable[object],
    *,
    root: str | None = None,
    read: Callable[[str], str] | None = None,
    key: str | None = None,
    headings: tuple[str, ...] = (),
    indexed_at: datetime | None = None,
) -> list[SearchHit]:
    """The hits of LangChain documents, LlamaIndex nodes and Haystack documents, also mixed; in order.

    The shape of an object tells which framework it is from; one that is a hit already stays. The other parameters are
    those of each framework's own `hits`. Raises TypeError naming the object that is from none of them.
    """
    placing = Placing(root, read, key, indexed_at)
    found = []
    for at, thing in enumerate(objects):
        where = f"objects[{at}]"
        if isinstance(thing, SearchHit):
            found.append(thing)
            continue
        framework = next((framework for framework in _FRAMEWORKS if framework.looks_like(thing)), None)
        if framework is None:
            raise TypeError(
                f"{where}: {describe(thing)} is neither a LangChain document, a LlamaIndex node nor a Haystack document"
            )
        found.append(placing.hit(framework.piece(thing, where, headings), where))
    return found
