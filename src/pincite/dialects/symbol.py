"""Definitions by name: `path::name`, with dots (or `::`, or `#`) where one stands inside another.

`src/net.py::Server.start` cites the definition of that name, wherever it stands in the file; the end of its name is
enough where only one definition ends so. The path must have the ending of a language whose definitions are known
(so `std::vector` is none), and it counts only where it is a file of the repository, now or in its history; it is read
from the root first and from the document's folder second. A code span counts when it holds nothing but the citation, as
in `` `src/net.py::Server.start()` ``; fenced blocks never do. What names a test, `tests/test_net.py::test_start[tcp]`,
cites its function.
"""

import re
from collections.abc import Iterator

from ..core.model import Citation, Edit, Malformed, Place, SourceRef, Span
from ..symbols import ENDINGS
from ..text.document import Document
from ..text.lines import join

NAME = "symbol"
RANK = 88
OPENERS = (b"::",)
EXAMPLE = "The retry loop is in `src/net/client.py::Client.connect`."

_LONGEST_ENDING = 1 + max(map(len, ENDINGS))
_TAIL = re.compile(r"[\w./@+\-]+\Z")
_PART = r"[~$]?[^\W\d][\w$]*+"
_IN_PROSE = re.compile(rf"{_PART}(?:(?:::|[.#])#?{_PART})*+(?!\w|::|:\d|[/\\@])")
# Functions of a shell may have hyphens in their names.
_SHELL_NAME = r"[^\W\d]\w*+(?:(?:::|[.-]++)\w++)*+"
_IN_SHELL = re.compile(rf"{_SHELL_NAME}(?!\w|:\d|[/\\@])")
_IN_CODE = re.compile(
    rf"((?:{_PART}(?:::|[.#])#?)*+(?:operator[^\w\s()\[\]]{{1,3}}|{_PART}[?!=]?))(?:\(\)|\[[^\[\]`\n]*\])?\s*\Z"
)
_IN_SHELL_CODE = re.compile(rf"({_SHELL_NAME})(?:\(\))?\s*\Z")
_LONGEST = 240


def extract(document: Document) -> Iterator[Citation | Malformed]:
    """Every definition of what could be a file; whether it exists is decided later."""
    text = document.text
    end = 0
    at = text.find("::")
    while at >= 0:
        after, dot = at + 2, text.rfind(".", max(end, at - _LONGEST_ENDING), at)
        language = ENDINGS.get(text[dot + 1 : at].lower()) if dot >= 0 else None
        path = _path(text, dot, text[dot + 1 : at], end) if language else ""
        start = at - len(path)
        front = document.frontmatter
        if path and (front is None or start >= front.end):
            end_of_name = _name_end(document, start, after, language == "shell")
            if end_of_name:
                yield _citation(document, path, start, after, end_of_name)
                after = end = end_of_name
        at = text.find("::", after)


def _path(text: str, dot: int, ending: str, after: int) -> str:
    """The path before the colons; empty where the words before them are none."""
    word = text[max(after, dot - _LONGEST) : dot].rsplit(None, 1)
    tail = _TAIL.search(word[-1]) if word and not text[dot - 1].isspace() and "://" not in word[-1] else None
    if tail is None:
        return ""
    path = tail[0].lstrip("@-+")
    if not path or path[0] == "/" or path[-1] == "/" or text[dot - len(path) - 1 : dot - len(path)] == "\\":
        # An absolute path, a file without a name, the end of a Windows path.
        return ""
    return f"{path}.{ending}"


def _name_end(document: Document, start: int, at: int, shell: bool) -> int:
    """Where the name ends that begins at an offset; 0 where there is none, or where it is part of code."""
    text = document.text
    code = document.code_at(start) if document.prose[start] == "\0" else None
    if code is None:
        match = (_IN_SHELL if shell else _IN_PROSE).match(text, at, at + _LONGEST)
        return match.end() if match and match.end() < at + _LONGEST else 0
    inner = code.inner
    if code.fenced or inner.end - inner.start > _LONGEST * 2 or text[inner.start : start].strip():
        return 0
    match = (_IN_SHELL_CODE if shell else _IN_CODE).match(text, at, inner.end)
    return match.end(1) if match else 0


def _citation(document: Document, path: str, start: int, at: int, end: int) -> Citation:
    text, name = document.text, document.text[at:end]
    from_folder, from_root = join(document.folder, path), join("", path)
    key, alternate = (from_folder, from_root) if path.startswith(("./", "../")) else (from_root, from_folder)
    other = f"{alternate}::{name}" if alternate != key else ""
    source = SourceRef("symbol", f"{key}::{name}")
    return Citation(NAME, Span(start, end), text[start:end], source, None, None, other, True)


def render(citation: Citation) -> str:
    """The citation as `path::name`."""
    return citation.source.key


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """The same name in another file; lines cannot be written in this form."""
    if place.lines is not None or place.pages is not None:
        return None
    from ._relative import rewrite_path
    from ._reread import make_verified_edit

    written, _, name = citation.raw.partition("::")
    path = rewrite_path(document.folder, written, citation.source.key.partition("::")[0], place.path)
    return make_verified_edit(document, citation, place, f"{path}::{name}")
