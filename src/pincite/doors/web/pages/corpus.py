"""Papers: those of the corpus and the entries of bibliographies, and a search of their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ....domains.corpus.opening import open_corpus_of
from ....domains.corpus.paper_list import PaperRow, entry_rows, rows
from ....domains.corpus.paper_pieces import join_lines
from ....domains.corpus.search import PaperLibrary, PaperPassage
from ..records import PER_PAGE, Paging, cut_page
from ..routes import PageRoute

if TYPE_CHECKING:
    from ....sources import Corpus
    from ..routes import PageContext

_MOST_FOUND = 50
_LONGEST_SEARCH = 500


class CorpusQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which papers are listed."""

    page: int = 1
    q: str = ""
    """Words to search the papers for; empty lists them all."""


class CorpusRecord(Struct, frozen=True):
    """The papers, or the passages that were found."""

    folder: str
    is_there: bool
    """Whether there is a corpus or a bibliography; adding a paper begins one."""
    papers: tuple[PaperRow, ...]
    paging: Paging
    q: str
    passages: tuple[PaperPassage, ...]
    """With a search: what was found, the best first."""
    troubles: tuple[str, ...]
    """Papers that could not be searched, and why."""


def load_corpus(context: PageContext, query: CorpusQuery) -> CorpusRecord:
    """The papers of a site."""
    sought = " ".join(query.q.split())[:_LONGEST_SEARCH]
    with context.site.open() as project, open_corpus_of(project) as corpus:
        is_there = corpus.exists or bool(corpus.bibliographies())
        if not sought:
            papers, paging = _list_papers(corpus, query.page)
            return CorpusRecord(corpus.folder, is_there, papers, paging, "", (), ())
        with PaperLibrary(corpus, project.root, entries=True) as library:
            found = tuple(
                replace(one, text=join_lines(one.text), score=round(one.score, 3))
                for one in library.search(sought, _MOST_FOUND)
            )
            troubles = tuple(library.troubles[:_MOST_FOUND])
        _, paging = cut_page(found, 1)
        return CorpusRecord(corpus.folder, is_there, (), paging, sought, found, troubles)


def _list_papers(corpus: Corpus, page: int) -> tuple[tuple[PaperRow, ...], Paging]:
    """The papers of one page, then the entries of bibliographies; only what is shown is read."""
    ids: list[str | PaperRow] = [*corpus.ids, *entry_rows(corpus)]
    shown, paging = cut_page(ids, page, PER_PAGE)
    named = [one for one in shown if isinstance(one, str)]
    entries = [one for one in shown if not isinstance(one, str)]
    return (*rows(corpus, named), *entries), paging


PAGES = (
    PageRoute(
        "corpus",
        "/corpus",
        "The papers that may be cited",
        CorpusQuery,
        CorpusRecord,
        load_corpus,
        "corpus.html",
        title="Corpus",
    ),
)
