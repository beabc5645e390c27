"""Looks quotes up in a page, in a process of its own: pages are hostile, and reading one may take all there is.

Run as a program, it answers questions on its standard input; see `safe/answering_process`.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.msgpack import Decoder, Encoder

from ..core.web import Exchange, FetchFailure, Visit
from ..store.shared.web_records import HOLDS, MISSING, UNCHECKED

MOST_BYTES = 16 * 1024 * 1024
"""The largest page, as it is transferred and unpacked."""
MEMORY = 1024 * 1024 * 1024
"""Bytes that reading one page may take."""
_NO_TEXT = "the page shows its text only in a browser that runs scripts"


class PageQuestion(Struct, frozen=True):
    """A page, and the quotes to be looked for on it."""

    url: str
    final_url: str
    retrieved: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    quotes: tuple[str, ...]


class QuoteState(Struct, frozen=True, array_like=True):
    """What was found of one quote."""

    state: str
    nearest: str = ""


def find_quotes(question: PageQuestion) -> list[QuoteState]:
    """What is found of each quote, in their order."""
    from ..domains.research.page_fetching import OK, PageReader, read_page
    from ..domains.research.quote_lookup import QuoteFinder

    answer = Exchange(question.final_url, OK, headers=question.headers, body=question.body)
    try:
        page = read_page(Visit(question.url, question.retrieved, (answer,)), MOST_BYTES)
        trouble = _NO_TEXT if page.needs_script else ""
    except FetchFailure as failure:
        trouble = str(failure)
    except (MemoryError, RecursionError):
        trouble = "reading the page takes too much memory"
    if trouble:
        return [QuoteState(UNCHECKED, trouble) for _ in question.quotes]
    finder = QuoteFinder(PageReader(MOST_BYTES))
    found = []
    for quote in question.quotes:
        try:
            look = finder.look(page, quote)
        except (MemoryError, RecursionError):
            found.append(QuoteState(UNCHECKED, "looking for it takes too much memory"))
            continue
        if look.verbatim:
            found.append(QuoteState(HOLDS))
        else:
            found.append(QuoteState(UNCHECKED if look.untold else MISSING, look.nearest or look.reason))
    return found


if __name__ == "__main__":
    from ..safe.answering_process import answer_requests

    _questions = Decoder(PageQuestion)
    _encode = Encoder().encode
    answer_requests(lambda request: _encode(find_quotes(_questions.decode(request))), MEMORY)
