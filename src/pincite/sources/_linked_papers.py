"""Which PDF and which paper of the corpus an entry of a bibliography is."""

import re
from collections.abc import Iterable

from ..papers.evidence import PaperEvidence
from ..papers.model import Paper
from ..papers.same_work import are_parts
from ..safe.files import Root
from ..text.lines import join

_PLAIN_KEY = re.compile(r"[\w+.-]{1,100}")


def by_doi(papers: Iterable[PaperEvidence]) -> dict[str, list[Paper]]:
    """Papers by their DOIs."""
    found: dict[str, list[Paper]] = {}
    for one in papers:
        if one.paper.doi:
            found.setdefault(one.paper.doi, []).append(one.paper)
    return found


def same_work(entry: Paper, papers: dict[str, list[Paper]]) -> str:
    """The id of the one paper with the DOI of an entry; empty where there is none, or more than one."""
    same = [paper for paper in papers.get(entry.doi, ()) if entry.doi and not are_parts(paper, entry)]
    return same[0].id if len(same) == 1 else ""


def pdf_of_key(root: Root, entry: Paper, folder: str) -> str:
    """A PDF that is named after the key of an entry, beside its bibliography or in the corpus; empty where none is."""
    if _PLAIN_KEY.fullmatch(entry.id):
        for place in dict.fromkeys((entry.path.rpartition("/")[0], folder)):
            key = join(place, f"{entry.id}.pdf")
            if root.is_file(key):
                return key
    return ""
