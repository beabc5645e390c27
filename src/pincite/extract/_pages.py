"""Pages and sections as citations write them, and back."""

from __future__ import annotations

import re

from ..model import Citation, Edit, Pages, Place, Safety, Span

_ONE = r"(?:[0-9]{1,9}|[ivxlcdm]{1,12}|[IVXLCDM]{1,12}|[A-Za-z][0-9]{1,8})"
PAGE = rf"(?:pp?\.?|pages?)[ \t]*{_ONE}(?:[ \t]*[-–—][ \t]*{_ONE})?(?![\w])"
"""One page or a range, as it is written."""
_PAGE = re.compile(rf"(?:pp?\.?|pages?)[ \t]*({_ONE})(?:[ \t]*[-–—][ \t]*({_ONE}))?(?![\w])")
_MEANT = re.compile(r"(?:pp?\.|pp?(?=[ \t]*[0-9-])|pages?\b)[ \t]*")
# A range whose end is no page.
_BROKEN = re.compile(r"[ \t]*[-–—][ \t]*\S")
_EDGES = " \t,:;."


def locate(words: str) -> tuple[Pages | None, str, str]:
    """Pages, section and fault of what follows a paper's id in a citation; words that are neither count as section."""
    found = _PAGE.search(words)
    if found is None:
        meant = _MEANT.match(words)
        if meant is None:
            return None, words.strip(_EDGES), ""
        rest = words[meant.end() :].strip()
        return None, "", f"{rest!r} is no page (expected p.15 or pp.15-17)" if rest else "no page after p."
    first = found[1]
    if _BROKEN.match(words, found.end()):
        return None, "", f"{words[found.start() :].strip()!r} is no page (expected p.15 or pp.15-17)"
    last = _whole(first, found[2] or first)
    rest = words[: found.start()].strip(_EDGES) or words[found.end() :].strip(_EDGES)
    if first.isdigit() and last.isdigit() and int(last) < int(first):
        return None, "", f"the pages end before they start ({first}-{last})"
    return Pages(first, last), rest, ""


def _whole(first: str, last: str) -> str:
    """The last page in full: in `123-7` the seven means 127."""
    if first.isdigit() and last.isdigit() and len(last) < len(first):
        return first[: len(first) - len(last)] + last
    return last


def written(pages: Pages | None, section: str) -> str:
    """What is written after the id for these."""
    parts = [f", {section}"] if section else []
    if pages is not None:
        one = pages.first == pages.last
        parts.append(f", p.{pages.first}" if one else f", pp.{pages.first}-{pages.last}")
    return "".join(parts)


def repoint(citation: Citation, place: Place) -> Edit | None:
    """The edit that changes the page of a citation and nothing else; None where it cites none."""
    old = _PAGE.search(citation.raw)
    if place.pages is None or citation.pages is None or old is None:
        return None
    spaced = " " if citation.raw[old.start(1) - 1] == " " else ""
    one = place.pages.first == place.pages.last
    new = f"p.{spaced}{place.pages.first}" if one else f"pp.{spaced}{place.pages.first}-{place.pages.last}"
    start = citation.span.start + old.start()
    return Edit(Span(start, start + len(old[0])), new, Safety.SAFE)
