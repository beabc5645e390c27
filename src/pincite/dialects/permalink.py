"""GitHub permalinks: `https://github.com/owner/name/blob/<commit>/path#L12-L34`.

A link to a commit is checked in that commit; a link to `main`, `master` or `HEAD` against the files as they are. Which
repository this is comes from its remotes, or from `repository` in the settings. Links into other repositories are left
alone, unless the environment names a folder of mirrors (`PINCITE_MIRRORS`) and the repository has one there: then they
are checked as links into this one are.
"""

import re
from collections.abc import Iterator

from msgspec.structs import replace

from ..core.model import Citation, Edit, Lines, Malformed, Place, SourceRef, Span
from ..text.document import Document

NAME = "permalink"
RANK = 40
OPENERS = (b"github.com/",)
EXAMPLE = (
    "See https://github.com/owner/name/blob/1f0c9ae2b7d4c6e8a0b1c2d3e4f5061728394a5b/src/app.py#L12-L34 for the check."
)
IN_SOURCE = (rb"github\.com/[\w.\-]{1,100}/[\w.\-]{1,100}/blob/",)

_LINK = re.compile(
    # Example: `https://github.com/o/r/blob/main/src/app.py#L10-L25`.
    r"""
    https://github\.com/([\w.\-]{1,100}/[\w.\-]{1,100})/blob/([\w.\-]{1,250})/([^\s\0#?()<>\[\]"'`|\\]{1,1000})
    (?:\?plain=1)?(?:\#L(\d{1,9})(?!\d)(?:C\d+)?(?:-L?(\d{1,9})(?!\d)(?:C\d+)?)?)?
    """,
    re.VERBOSE,
)
# Text that a shorter fragment before it would swallow.
_GOES_ON = re.compile(r"-L?\d")
_CLOSING = ".,;:!*_"
_SURROGATE = re.compile("[\ud800-\udfff]")
_COMMIT = re.compile(r"[0-9a-f]{7,64}\Z")


def extract(document: Document) -> Iterator[Citation | Malformed]:
    """Every blob link with a line or a commit, outside code."""
    for match in _LINK.finditer(document.prose):
        slug, revision, path, first, last = match.groups()
        end = match.end()
        if first is None:
            if not _COMMIT.match(revision):
                continue
            trimmed = path.rstrip(_CLOSING)
            end -= len(path) - len(trimmed) if document.text[end - 1] == path[-1] else 0
            path = trimmed
            if not path:
                continue
        if "%" in path:
            from urllib.parse import unquote

            path = unquote(path)
        span = Span(match.start(), end)
        raw = document.text[span.start : span.end]
        lines = None
        if first is not None:
            # The address bar holds the two in the order they were clicked; GitHub shows the same lines either way.
            ends = int(first), int(last or first)
            lines = Lines(min(ends), max(ends))
        source = SourceRef("permalink", f"{slug}@{revision}:{path}")
        yield Citation(NAME, span, raw, source, lines, tentative=True)


def render(citation: Citation) -> str:
    """The address in full."""
    from urllib.parse import quote

    slug, _, rest = citation.source.key.partition("@")
    revision, _, path = rest.partition(":")
    written = quote(path, safe="/-_.~@+")
    if citation.lines is None and written and written[-1] in _CLOSING:
        # At the end of an address these are taken for the sentence's.
        written = f"{written[:-1]}%{ord(written[-1]):02X}"
    return f"https://github.com/{slug}/blob/{revision}/{written}{_fragment(citation.lines)}"


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """The same address with another path and lines; a link to a commit never moves."""
    written = _LINK.match(citation.raw) if citation.source.scheme != "permalink" else None
    if written is not None:
        # Of a file of another repository, what is written says how it is addressed.
        citation = replace(citation, source=SourceRef("permalink", f"{written[1]}@{written[2]}:{written[3]}"))
    slug, _, rest = citation.source.key.partition("@")
    revision = rest.partition(":")[0]
    if _COMMIT.match(revision) or _GOES_ON.match(document.text, citation.span.end):
        return None
    if _SURROGATE.search(place.path):
        return None
    from ._reread import make_verified_edit

    moved = Citation(NAME, citation.span, "", SourceRef("permalink", f"{slug}@{revision}:{place.path}"), place.lines)
    address, sign, fragment = render(moved).partition("#")
    # Of a document that GitHub renders, lines are shown only in its plain form.
    plain = "?plain=1" if "?plain=1" in citation.raw and sign else ""
    return make_verified_edit(document, citation, place, address + plain + sign + fragment)


def _fragment(lines: Lines | None) -> str:
    if lines is None:
        return ""
    return f"#L{lines.first}" if lines.last == lines.first else f"#L{lines.first}-L{lines.last}"
