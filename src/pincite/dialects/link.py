"""Markdown links to lines: `[text](path#L12)`, `[text](path#L12-L34)`, `[text](<a path#L3>)`.

A definition that links name by its label (`[label]: path#L12`) is read where it stands, however many links use it. In
reStructuredText `` `text <path#L12>`_ `` is read the same way.

The path is read as markdown reads it, from the document's folder (a leading `/` means the root); where no such file
exists it is tried from the root, because many writers mean that. `file:///srv/project/path#L12` is an absolute path,
read where it lies below the root; such an address is what pincite itself writes, so there it is read without a line
too: the file has to exist. Links to web addresses are not citations into this repository; other links without a line
fragment are left to link checkers.
"""

import re
from collections.abc import Iterable, Iterator
from heapq import merge

from ..core.model import Citation, Edit, Lines, Malformed, Place, SourceRef, Span
from ..text.citation_styles import percent_decode
from ..text.document import Document
from ..text.lines import join
from ..text.markdown import is_escaped
from ._relative import rewrite_path

NAME = "link"
FIRST_LINE_MEANS_FILE = True
RANK = 60
OPENERS = (b"#L", b"](file:", b"](<file:")
EXAMPLE = "It is [set here](../src/app.py#L12-L34)."
ENDS_BLOCK_QUOTES = True

_RANGE = r"#L(\d{1,400})(?:C\d{1,5})?(?:[-–]L?(\d{1,400})(?:C\d{1,5})?)?"
_LAST_LINE = 999_999_999
"""No file has more lines; a larger number is read as this one, which no file has either."""
_COLUMNS = re.compile(r"#L\d+(C\d+)?(?:[-–]L?\d+(C\d+)?)?")
_TITLE = r"(?:[ \t]+(?:\"[^\"\n\r]*\"|'[^'\n\r]*'))?[ \t]*"
_TARGET = re.compile(rf"\]\((?:<([^<>\n\r#]{{1,12300}}){_RANGE}>|([^\s<>()#]{{1,12300}}){_RANGE}){_TITLE}\)")
_ADDRESS = re.compile(
    rf"\]\((?:<(file:///[^<>\n\r#]{{1,12300}})>|(file:///[^\s<>()#]{{1,12300}})){_TITLE}\)", re.IGNORECASE
)
# A definition that links of the document name by its label; footnotes begin with `^`.
_DEFINED = re.compile(
    rf"^[ >]{{0,9}}\[(?!\^)[^\[\]\n\r]{{1,999}}\]:[ \t]*"
    rf"(?:<([^<>\n\r#]{{1,12300}}){_RANGE}>|([^\s<>#]{{1,12300}}){_RANGE}){_TITLE}(?=[\r\n]|\Z)",
    re.MULTILINE,
)
# A link of reStructuredText: `text <path#L12>`_
_RST = re.compile(rf"`(?=[^\s`])([^`<>]{{0,1000}})<([^\s<>`#]{{1,12300}}){_RANGE}>`__?(?![\w])")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
# An address of a file of this machine; another machine's files are not ours.
_FILE = re.compile(r"(file://(?:localhost)?)/", re.IGNORECASE)
_UNWRITTEN = re.compile("[<>\n\r\ud800-\udfff]")
_LONGEST_LABEL = 1000


def extract(document: Document) -> Iterator[Citation | Malformed]:
    """Every link to a line, and to a file of this tree by its address, outside code."""
    text, prose = document.text, document.prose
    until = 0
    for match in _find_targets(document, prose):
        path, lines = _read_target(match)
        if (_SCHEME.match(path) and not _FILE.match(path)) or path.startswith("//") or "\0" in path:
            continue
        start: int | None
        if match.re is _DEFINED:
            start = match.start() + match[0].index("[") if match.start() >= until else None
        elif match.re is _RST:
            start = match.start() if match.start() >= until else None
        else:
            close = match.start()
            start = None if _is_escaped(prose, close) else _label_start(prose, close, until)
        if start is None:
            continue
        until = match.end()
        span = Span(start, until)
        raw = text[start:until]
        if lines is not None and lines.last < lines.first:
            yield Malformed(NAME, span, raw, f"the range ends before it starts (L{lines.first}-L{lines.last})")
            continue
        key, alternate = _find_path_keys(document, path)
        yield Citation(NAME, span, raw, SourceRef("file", key), lines, None, alternate)


def _find_targets(document: Document, prose: str) -> Iterable[re.Match[str]]:
    """What may be a link to a line, or to a file by its address, in order."""
    kinds: list[Iterator[re.Match[str]]] = [_TARGET.finditer(prose)]
    if "]:" in prose:
        kinds.append(_DEFINED.finditer(prose))
    if document.is_rst and ">`_" in prose:
        kinds.append(_RST.finditer(prose))
    if document.top and "file:///" in prose.lower():
        kinds.append(match for match in _ADDRESS.finditer(prose) if _is_below(document, match))
    return merge(*kinds, key=re.Match.start) if len(kinds) > 1 else kinds[0]


def _read_target(match: re.Match[str]) -> tuple[str, Lines | None]:
    """The path of a link and the lines it names, if any."""
    if match.re is _ADDRESS:
        return match[1] or match[2], None
    if match.re is _RST:
        first = min(int(match[3]), _LAST_LINE)
        return match[2], Lines(first, min(int(match[4] or first), _LAST_LINE))
    angled, a, b, plain, c, d = match.groups()
    first = min(int(a or c), _LAST_LINE)
    return angled or plain, Lines(first, min(int(b or d or first), _LAST_LINE))


def _is_below(document: Document, match: re.Match[str]) -> bool:
    """Whether an address is that of a file of this tree; folders are no evidence."""
    key = _find_path_keys(document, match[1] or match[2])[0]
    return not key.startswith(("/", "..")) and not key.endswith("/")


def _label_start(text: str, close: int, floor: int) -> int | None:
    """The offset of the `[` that the `]` at `close` ends, brackets inside balanced."""
    depth = 1
    at = close
    floor = max(floor, close - _LONGEST_LABEL)
    if text.find("[", floor, close) < 0:
        return None
    while at > floor:
        at -= 1
        if text[at] in "[]":
            if _is_escaped(text, at):
                continue
            depth += 1 if text[at] == "]" else -1
            if depth == 0:
                return at
        elif text[at] == "\n" and text[at - 1 : at] in ("\n", "\r"):
            return None
    return None


def _is_escaped(text: str, at: int) -> bool:
    return is_escaped(text, at, max(0, at - _LONGEST_LABEL))


def _find_path_keys(document: Document, path: str) -> tuple[str, str]:
    """What the path may mean, likelier first."""
    address = _FILE.match(path)
    if address is not None:
        return document.below(percent_decode(path[address.end(1) :])), ""
    path = percent_decode(path)
    if path.startswith("/"):
        return join("", path[1:]), ""
    here, top = join(document.folder, path), join("", path)
    return here, "" if top == here or top.startswith("..") else top


def render(citation: Citation) -> str:
    """A link from a document at the root; what lies outside the root keeps its address."""
    fragment = _fragment(citation.lines) if citation.lines is not None else ""
    scheme = "file://" if citation.source.key.startswith("/") else ""
    return f"[{_label(citation)}]({scheme}{_percent_encode_path(citation.source.key, False)}{fragment})"


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """The link at another place, its path written as before; a text that says the old place says the new one."""
    if _UNWRITTEN.search(place.path):
        return None
    if place.lines is None or citation.lines is None:
        return _repoint_address(document, citation, place)
    match = _DEFINED.match(citation.raw) or _RST.fullmatch(citation.raw) or _TARGET.search(citation.raw)
    while match is not None and match.end() != len(citation.raw):
        match = _TARGET.search(citation.raw, match.start() + 1)
    if match is None:
        return None
    place_of_path = 2 if match.re is _RST else 1 if match[1] else 4
    written = old_path = match[place_of_path]
    angled = place_of_path == 1
    if place.path != citation.source.key:
        address = _FILE.match(written)
        if address is not None and not document.top:
            return None
        if address is not None:
            written = address[1] + _percent_encode_path(f"{document.top.rstrip('/')}/{place.path}", angled)
        else:
            path = rewrite_path(document.folder, percent_decode(written), citation.source.key, place.path)
            written = _percent_encode_path(path, angled)
    at, end = match.span(place_of_path)
    fragment, rest = _moved_fragment(citation.raw[end:], citation.lines, place.lines)
    label_end = match.end(1) if match.re is _RST else match.start()
    label, between = citation.raw[:label_end], citation.raw[label_end:at]
    from ._reread import make_verified_edit

    if label[:1] in ("[", "`"):
        from ._link_label import update_label

        words = label[1:].rstrip()
        old, new = (citation.source.key, citation.lines), (place.path, place.lines)
        told = update_label(words, old, new, (percent_decode(old_path), percent_decode(written)))
        label = label[0] + told + label[1 + len(words) :]
    return make_verified_edit(document, citation, place, f"{label}{between}{written}{fragment}{rest}")


def _repoint_address(document: Document, citation: Citation, place: Place) -> Edit | None:
    """The same for the address of a whole file."""
    matches = [match for match in _ADDRESS.finditer(citation.raw) if match.end() == len(citation.raw)]
    if not matches or not document.top or place.lines is not None or citation.lines is not None:
        return None
    from ._reread import make_verified_edit

    group = 1 if matches[-1][1] else 2
    at, end = matches[-1].span(group)
    scheme = citation.raw[at:end].partition("///")[0] + "//"
    written = scheme + _percent_encode_path(f"{document.top.rstrip('/')}/{place.path}", group == 1)
    return make_verified_edit(document, citation, place, f"{citation.raw[:at]}{written}{citation.raw[end:]}")


def _moved_fragment(text: str, old: Lines | None, new: Lines) -> tuple[str, str]:
    """The fragment that a text begins with for other lines, and what follows it; as many lines keep their columns."""
    match = _COLUMNS.match(text)
    rest = text[match.end() :] if match else text
    if match is None or old is None or old.last - old.first != new.last - new.first:
        return _fragment(new), rest
    begin, end = match.groups(default="")
    last = "" if new.first == new.last else f"-L{new.last}{end}"
    return f"#L{new.first}{begin}{last}", rest


def _percent_encode_path(path: str, angled: bool) -> str:
    if angled:
        return path.replace("%", "%25").replace("#", "%23")
    from urllib.parse import quote

    return quote(path, safe="/-_.~!$&'*+,;=:@")


def _fragment(lines: Lines) -> str:
    return f"#L{lines.first}" if lines.last == lines.first else f"#L{lines.first}-L{lines.last}"


def _label(citation: Citation) -> str:
    label, between, _ = citation.raw[1:].partition("](")
    if not between or not citation.raw.startswith("["):
        label = ""
    return label or "source"
