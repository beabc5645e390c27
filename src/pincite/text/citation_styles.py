"""The styles in which a found passage is cited, written so that each is read back as the same place.

    inline     [document.md, §Heading]
    footnote   [^1a2b3c4d]: docs/document.md:42
    link       [Title](file:///srv/docs/document.md#L42)
    bracket    【F:docs/document.md†L10-L25】

Plain names come out as they are. What a reader would take for something else is escaped: by a backslash where markdown
has one, and by percent-encoding in paths.
"""

from __future__ import annotations

import re

from .lines import replace_spans, shorten

_LONGEST_TITLE = 300
_PUNCTUATION = "!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~"
_ESCAPED = re.compile(rf"\\([{_PUNCTUATION}])")
_MARKS = re.compile(r"[\[\]\\`]")
# In a name, what would be taken for the sign before the heading, too.
_MARKS_OF_NAME = re.compile(r"[\[\]\\`]|,(?=[ \n]?§)")
_ENCODED = re.compile(r"%(?=[0-9A-Fa-f]{2})")
# What ends a line, takes over a terminal, or cannot be written in UTF-8; and white space that readers strip.
_UNSEEN = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]|^\\s|\\s\\Z")
_NUMBERED = re.compile(r":(?=[0-9]{1,9}(?:(?:[-–]|:)[0-9]{1,9})?\Z)")
# What makes the text of a footnote something else than a path.
_MISREAD = re.compile(r"^[`<\"'*_(]|\](?=[(\[])|:(?=//)|[.,;]\Z|#(?=L[0-9]+(?:[-–]L?[0-9]+)?\Z)")
_NAMED = re.compile(r".*\.[A-Za-z][A-Za-z0-9_+-]{0,9}\Z", re.DOTALL)


def inline(file_name: str, heading: str | None) -> str:
    """`[document.md, §Heading]`; `[document.md]` without a heading. White space in a heading is folded."""
    name = _MARKS_OF_NAME.sub(_escape, _UNSEEN.sub(_percent, _ENCODED.sub("%25", file_name)))
    title = fold(heading or "")
    return f"[{name}, §{_MARKS.sub(_escape, title)}]" if title else f"[{name}]"


def footnote(label: str, path: str, line: int | None) -> str:
    """`[^1a2b3c4d]: docs/document.md:42`; without a line where there is none."""
    return f"[^{label}]: {footnote_path(path)}" + (f":{line}" if line is not None else "")


def footnote_path(path: str) -> str:
    """A path as the text of a footnote: as it is, unless that would be read as another path or as none."""
    written = _NUMBERED.sub(_percent, _UNSEEN.sub(_percent, _ENCODED.sub("%25", path)))
    written = _MISREAD.sub(_percent, written)
    return written if "/" in written or looks_like_a_file(written) else f"./{written}"


def link(title: str, path: str, line: int | None, last: int | None = None) -> str:
    """`[Title](file:///srv/document.md#L42)`; a relative path gives a relative link. A long title is cut."""
    words = shorten(fold(title) or fold(path.rpartition("/")[2]) or "source", _LONGEST_TITLE)
    words = re.sub(r"[\[\]\\`<]|^\^", _escape, words)
    fragment = "" if line is None else f"#L{line}" if last is None or last == line else f"#L{line}-L{last}"
    return f"[{words}]({address(path)}{fragment})"


def address(path: str) -> str:
    """A path as the target of a link: percent-encoded, with `file://` before one that is absolute."""
    from urllib.parse import quote

    # No colon stays as it is: the first part of a relative path would be read as a scheme.
    return f"{'file://' if path.startswith('/') else ''}{quote(_bytes(path), safe='/')}"


def bracket(path: str, first: int, last: int) -> str:
    """`【F:docs/document.md†L10-L25】`; a path that no bracket can hold raises ValueError."""
    if re.search("[†【】\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", path):
        raise ValueError(f"path: {path!a} cannot stand in 【】; cite it by a link or a footnote")
    return f"【F:{path}†L{first}】" if first == last else f"【F:{path}†L{first}-L{last}】"


def fold(words: str) -> str:
    """The words on one line, with one space between them; what cannot be seen counts as space."""
    return " ".join(_UNSEEN.sub(" ", words).split())


def unescape_markdown(written: str, shown: str | None = None) -> str:
    """What markdown shows of a text with backslashes; `shown` has NULs where it is code, in which they stay."""
    if "\\" not in written:
        return written
    return replace_spans(written, ((*match.span(), match[1]) for match in _ESCAPED.finditer(shown or written)))


def percent_decode(path: str) -> str:
    """A path without its percent-encoding."""
    if "%" not in path:
        return path
    from urllib.parse import unquote

    return unquote(path)


def looks_like_a_file(path: str) -> bool:
    """Whether the last part of a path has an ending as files have it."""
    return _NAMED.match(path) is not None


def _escape(match: re.Match[str]) -> str:
    return f"\\{match[0]}"


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in _bytes(match[0]))


def _bytes(path: str) -> bytes:
    """The bytes of a path; names that are no UTF-8 have them in surrogates."""
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return path.encode("utf-8", "surrogatepass")
