"""The text of a link that says where the link leads: it is rewritten with the link. Other texts stay as they are.

A text that is nothing but a place is one: `app.py`, `src/app.py:12-34`, `**app.py, lines 3-9**`, `line 12 of app.py`,
`L12`. In a longer text the path from the root counts, with its lines if it has some: `see src/app.py:12`.
"""

import re
from collections.abc import Sequence

from ..core.model import Lines

_LINES = r"(?P<first>\d{1,9})(?:(?P<dash>[-–]L?|[ ]to[ ])(?P<last>\d{1,9}))?"
_PATH = r"(?P<tick>`?)(?P<path>[^\s`\[\]:#*()]+(?<!,))"
# A text that is nothing but a place.
_WHOLE = tuple(
    re.compile(rf"(?P<strong>[*_]{{0,3}})(?:{form})(?P=strong)")
    for form in (
        # `L12`
        rf"(?P<tick>`?)L{_LINES}(?P=tick)",
        # `app.py`, `src/app.py:12-34`, `app.py#L12`, `app.py L12`, `app.py:12:5`
        rf"{_PATH}(?:(?::L?|[#\ ]L){_LINES}(?P<column>:\d{{1,5}})?)?(?P=tick)",
        # `app.py`:12, app.py line 12, app.py, lines 3-9
        rf"{_PATH}(?P=tick)(?::L?|,?[ ](?:[Ll]ines?[ ]|L)){_LINES}",
        # app.py (line 12)
        rf"{_PATH}(?P=tick)[ ]\((?:[Ll]ines?[ ]|L){_LINES}\)",
        # line 12, lines 3-9 of app.py
        rf"[Ll]ines?[ ]{_LINES}(?:[ ](?:of|in)[ ]{_PATH}(?P=tick))?",
    )
)
# Words of a longer text that may be the place.
_WORD = re.compile(rf"(?<![\w./@+\-#:%])(?P<path>[\w./@+\-]*\w)(?:(?::L?|\#L){_LINES})?(?![\w/@+#:–\-]|[.,]\w|,[ ]\d)")
_PLAIN = re.compile(r"[\w./@+\-]+\Z")


def update_label(
    label: str, old: tuple[str, Lines | None], new: tuple[str, Lines | None], written: Sequence[str]
) -> str:
    """A link text for the new place where it says the old one; else as it is.

    `written` is the path as it stands in the link, before and after.
    """
    for form in _WHOLE:
        match = form.fullmatch(label)
        if match is not None:
            return _rewrite(match, old, new, written) or label
    pieces: list[str] = []
    at = 0
    for match in _WORD.finditer(label):
        if "/" in match["path"] and match["path"] in (old[0], written[0]):
            changed = _rewrite(match, old, new, written)
            if changed is None:
                return label
            pieces += (label[at : match.start()], changed)
            at = match.end()
    return "".join((*pieces, label[at:]))


def _rewrite(
    match: re.Match[str], old: tuple[str, Lines | None], new: tuple[str, Lines | None], written: Sequence[str]
) -> str | None:
    """What matched, for the new place; None where it does not say the old one, or cannot say the new one."""
    text, base = match[0], match.start()
    named = match.groupdict()
    edits: list[tuple[int, int, str]] = []
    if (path := named.get("path")) is not None:
        path = _rename(path, old[0], new[0], written)
        if path is None:
            return None
        edits.append((*match.span("path"), path))
    if named["first"] is not None:
        was, now = old[1], new[1]
        first, last = int(named["first"]), int(named["last"] or named["first"])
        if was is None or now is None or (first, last) != (was.first, was.last):
            return None
        spoken = re.search(r"[Ll]ines? ", text) is not None
        if (was.first == was.last) != (now.first == now.last) and (spoken or named.get("column")):
            return None
        dash = named["dash"] or (
            "-L" if text[match.start("first") - base - 1 : match.start("first") - base] == "L" else "-"
        )
        until = "" if now.first == now.last else f"{dash}{now.last}"
        edits.append((match.start("first"), match.end("last" if named["last"] else "first"), f"{now.first}{until}"))
    for start, end, words in sorted(edits, reverse=True):
        text = text[: start - base] + words + text[end - base :]
    return text


def _rename(path: str, old: str, new: str, written: Sequence[str]) -> str | None:
    """A path of the old file in a link text as one of the new file, in the same form; None where it is none."""
    if not _PLAIN.match(new):
        # What else stands in a name may mean something in a link text.
        return path if old == new else None
    if path == old:
        return new
    if path == written[0]:
        return written[1]
    # The end of the path: as many folders of it as before.
    return "/".join(new.split("/")[-path.count("/") - 1 :]) if old.endswith(f"/{path}") else None
