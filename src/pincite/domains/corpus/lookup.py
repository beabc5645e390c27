"""The record of a DOI or an arXiv id, from the agencies that keep them; only where a command asks for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from ...core.errors import PinciteError, UsageError
from ...core.web import FetchFailure
from ...papers.fields import normal_doi

if TYPE_CHECKING:
    from ...safe.fetch import Fetcher

_ARXIV = re.compile(
    # Examples: `arXiv:2301.01234v2`, `https://arxiv.org/abs/cs.LG/0301001`.
    r"""
    (?:arxiv:\s?|(?:https?://)?(?:www\.|export\.)?arxiv\.org/(?:abs|pdf)/)?
    ((?:[a-z-]{2,20}(?:\.[A-Z]{2})?/[0-9]{7}|[0-9]{4}\.[0-9]{4,5})(?:v[0-9]{1,3})?)(?:\.pdf)?
    """,
    re.IGNORECASE | re.VERBOSE,
)
_RECORD_BYTES = 8 * 1024 * 1024
_SECONDS = 30.0
_CROSSREF = "https://api.crossref.org/works/"
_DATACITE = "https://api.datacite.org/dois/"
_ARXIV_API = "https://export.arxiv.org/api/query?id_list="


class NotRegistered(PinciteError):
    """No agency knows the identifier."""

    exit_code = 1


def parse_identifier(text: str) -> tuple[str, str]:
    """`("doi", "10.1000/182")` or `("arxiv", "1706.03762")` where a text is one of them; else two empty texts."""
    doi = normal_doi(text)
    if doi:
        # arXiv registers its papers with DataCite under this prefix.
        return ("arxiv", doi.removeprefix("10.48550/arxiv.")) if doi.startswith("10.48550/arxiv.") else ("doi", doi)
    found = _ARXIV.fullmatch(text.strip())
    return ("arxiv", found[1]) if found else ("", "")


def describe_remedy(kind: str, name: str) -> str:
    """What to do about an identifier that may not be looked up."""
    address = f"{_ARXIV_API}{name}" if kind == "arxiv" else f"{_CROSSREF}{_percent_encode(name)}"
    what = f"arXiv:{name}" if kind == "arxiv" else name
    return (
        f"{what}: is not looked up on the network unless you ask for it: add --lookup,"
        f" or save its record ({address}) and add that file"
    )


def fetch_record(kind: str, name: str) -> tuple[str, bytes]:
    """The record of an identifier, with a name for it; raises UsageError where none can be had."""
    from ...safe.fetch import FetchPolicy
    from ...safe.fetch import fetcher as fetching

    # One question that a person asked, to a service made for it: rules for crawlers do not apply.
    policy = FetchPolicy(seconds=_SECONDS, most_bytes=_RECORD_BYTES, robots=False)
    with fetching.new_fetcher(policy) as fetcher:
        if kind == "arxiv":
            return f"arXiv:{name}", _ask(fetcher, f"{_ARXIV_API}{_percent_encode(name)}")
        for service in (_CROSSREF, _DATACITE):
            try:
                return f"doi:{name}", _ask(fetcher, f"{service}{_percent_encode(name)}")
            except NotRegistered:
                continue
    raise NotRegistered(f"{name}: neither Crossref nor DataCite knows this DOI; see that it is written right")


def _ask(fetcher: Fetcher, address: str) -> bytes:
    from ...pages.body import decode_body

    try:
        visit = fetcher.fetch(address)
        if visit.status == 404:
            raise NotRegistered(f"{address}: there is no such record")
        if visit.status != 200:
            raise UsageError(f"{address}: the service answered with status {visit.status}; try again later")
        return decode_body(visit.answer, _RECORD_BYTES)
    except FetchFailure as trouble:
        raise UsageError(str(trouble)) from None


def _percent_encode(name: str) -> str:
    return quote(name, safe="/:;().")
