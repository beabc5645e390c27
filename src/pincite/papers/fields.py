"""Values that corpus files and bibliographies share, each brought into one spelling."""

from __future__ import annotations

import re
from unicodedata import combining, normalize

# Resolvers, and publishers whose addresses end in the DOI.
_DOI_LEAD = re.compile(
    r"""(?: doi:\s* | info:doi/
      | (?:https?://)? (?:
            (?:dx\.|www\.)?doi\.org/ | doi\.(?:acm|ieeecomputersociety)\.org/
          | (?:dl\.)?acm\.org/doi/(?:abs/|pdf/|full/|book/)?
          | onlinelibrary\.wiley\.com/doi/(?:abs/|pdf/|full/)? | link\.springer\.com/(?:article|chapter|book)/
          | (?:www\.)?tandfonline\.com/doi/(?:abs/|pdf/|full/)? | journals\.sagepub\.com/doi/(?:abs/|pdf/|full/)?
          | (?:www\.)?science\.org/doi/(?:abs/|pdf/|full/)? | pubs\.acs\.org/doi/(?:abs/|pdf/|full/)? )
    )+""",
    re.IGNORECASE | re.VERBOSE,
)
_DOI = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]{1,9}){0,4}/[^\s\x00-\x1f\x7f\"<>]{1,300}")
# Older ones hold the item's code of its serial: 10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O
_SICI = re.compile(r"10\.[0-9]{4,9}/\(sici\)[^\s\x00-\x1f\x7f\"]{1,200}")
_YEAR = re.compile(r"(?<![0-9])((?:1[0-9]|20|21)[0-9]{2}[a-z]?)(?![0-9A-Za-z])")
_NO_YEAR = frozenset(("n.d.", "in press", "forthcoming", "to appear", "submitted"))
_URL = re.compile(r"https?://[^\s\x00-\x1f\x7f<>\"\\]{1,2000}", re.I)
_AND = re.compile(r",? (?:and|AND|&) | ?; ?")
_ET_AL = re.compile(r"[ ,]{0,3}\bet al\.?\Z", re.I)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}:")
_BETWEEN = re.compile(r"[\W_]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_LONGEST = 20_000
WANTED = {
    "title": "a title",
    "authors": "names parted by `;` or `and`",
    "year": "a year like 2023",
    "doi": "a DOI like 10.1000/182",
    "url": "an http or https address",
    "page": "a page as printed, like 7 or iv",
    "page_range": "a page or a range of pages like 81-97",
    "pdf": "a path relative to this file",
    "relevance": "some words",
}
"""What a field has to hold, in the words of every complaint about it."""


def normal_doi(text: str) -> str:
    """A DOI bare and in lower case; empty where the text is none."""
    text = text.strip()
    if len(text) > 1000:
        return ""
    lead = _DOI_LEAD.match(text)
    bare = text[lead.end() :] if lead else text
    if lead and "/" in lead[0]:
        if "%" in bare:
            from urllib.parse import unquote

            bare = unquote(bare)
        bare = bare.partition("?")[0] if "(sici)" not in bare.lower() else bare
    bare = bare.strip().rstrip(".,;").lower()
    return bare if _DOI.fullmatch(bare) or _SICI.fullmatch(bare) else ""


def normal_year(text: str) -> str:
    """The year a text names, `2023` or `2023a`, or the words used where there is none yet; empty for anything else."""
    text = " ".join(text[:100].split())
    if text.lower() in _NO_YEAR:
        return text.lower()
    found = _YEAR.search(text)
    return found[1] if found else ""


def normal_url(text: str) -> str:
    """A web address; empty where the text is none."""
    text = text.strip()
    return text if _URL.fullmatch(text) else ""


def normal_pdf(text: str) -> str:
    """A relative path to a PDF; empty for addresses, absolute paths and what no path can hold."""
    text = text.strip()
    if not text or len(text) > 1000 or text[0] in "/~\\" or "\\" in text:
        return ""
    return "" if _SCHEME.match(text) or _CONTROL.search(text) else text.removeprefix("./")


def fold_text(text: str) -> str:
    """A text as it is compared: letters and digits in lower case, accents off."""
    plain = normalize("NFKD", text).casefold()
    return _BETWEEN.sub("", "".join(char for char in plain if not combining(char)))


def split_authors(text: str) -> tuple[str, ...]:
    """The names in a line: parted by `;`, `and` or `&`, and by commas where every part is a whole name."""
    names: list[str] = []
    for part in _AND.split(_ET_AL.sub("", " ".join(text[:_LONGEST].split()))):
        pieces = [piece.strip() for piece in part.split(",")]
        whole = len(pieces) > 1 and all(len(piece.split()) > 1 for piece in pieces)
        names += pieces if whole else [part.strip(" ,")]
    return tuple(" ".join(name.split()) for name in names if name.strip())
