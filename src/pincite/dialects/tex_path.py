r"""Lines of a file in LaTeX whose path holds an escaped underscore: `\texttt{src/my\_app.py:12-34}`.

`_` has to be escaped in LaTeX, so that `my\_app.py` is the file `my_app.py`. Paths without an underscore are read as in
all other documents. A reference counts only where the path is a file of the repository, now or in its history.
"""

import re
from collections.abc import Iterator

from ..core.model import Citation, Edit, Lines, Malformed, Place, Span
from ..text.document import Document
from ..text.shown_code import TEX
from ._relative import rewrite_path
from ._written_paths import find_source

NAME = "tex-path"
RANK = 89
OPENERS = (b"\\_",)
EXAMPLE = r"The retry loop starts at \texttt{src/my\_client.py:42--58}."
PATH = "paper.tex"
"""Where the example would stand: other documents are not read."""

_REFERENCE = re.compile(
    r"(?<![\w./@+\\-])((?:[\w.@+-]|/(?!/)|\\_){1,240}+):(\d{1,7})(?:(--?|[–—])(\d{1,7}))?(?![\w%†]|[./:-]\w|\\_)"
)
_WRITTEN = re.compile(r"[\w./@+\- ]+\Z")


def extract(document: Document) -> Iterator[Citation | Malformed]:
    """Every reference with an escaped underscore outside code and comments."""
    if not document.path.lower().endswith(TEX):
        return
    for match in _REFERENCE.finditer(document.prose):
        written = match[1]
        path = written.replace("\\_", "_")
        if "\\_" not in written or "." not in path or path.startswith("/"):
            continue
        first, last = int(match[2]), int(match[4] or match[2])
        source, alternate = find_source(document.folder, path)
        span = Span(*match.span())
        if last < first:
            reason = f"the range ends before it starts (L{first}-L{last})"
            yield Malformed(NAME, span, match[0], reason, False, source, alternate)
        else:
            yield Citation(NAME, span, match[0], source, Lines(first, last), None, alternate, True)


def render(citation: Citation) -> str:
    """The reference as `path:first--last`, underscores escaped."""
    lines = citation.lines or Lines(1, 1)
    last = "" if lines.last == lines.first else f"--{lines.last}"
    return f"{citation.source.key.replace('_', chr(92) + '_')}:{lines.first}{last}"


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """The same reference at another place."""
    match = _REFERENCE.fullmatch(citation.raw)
    if match is None or place.lines is None or not _WRITTEN.match(place.path) or " " in place.path:
        return None
    from ._reread import make_verified_edit

    path = match[1]
    if place.path != citation.source.key:
        written = match[1].replace("\\_", "_")
        path = rewrite_path(document.folder, written, citation.source.key, place.path).replace("_", "\\_")
    last = "" if place.lines.last == place.lines.first else f"{match[3] or '--'}{place.lines.last}"
    return make_verified_edit(document, citation, place, f"{path}:{place.lines.first}{last}")
