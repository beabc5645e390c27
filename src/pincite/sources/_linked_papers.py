"""What bibliographies hold, and which paper of the corpus an entry of one is."""

from collections.abc import Iterable
from hashlib import sha256

from msgspec import Struct

from ..papers.evidence import PaperEvidence
from ..papers.model import Paper, PaperProblem
from ..papers.same_work import are_parts
from ..safe.files import Root


class BibliographyList(Struct, frozen=True):
    """What a bibliography holds."""

    papers: dict[str, Paper]
    """By key."""
    problems: tuple[PaperProblem, ...]
    digest: str
    """SHA-256 of the file."""


def read_entries(root: Root, key: str) -> BibliographyList:
    """What a bibliography holds, and what is wrong in it; raises Refused where it cannot be read."""
    from ..papers.bibliography import read_bibliography

    data = root.read(key, root.limits.document_bytes)
    read = read_bibliography(key, data)
    return BibliographyList({paper.id: paper for paper in read.entries}, read.problems, sha256(data).hexdigest())


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
