"""The PDFs that an entry of a bibliography names, in the shapes that reference managers write.

    file = {Full Text:files/12/Smith 2020.pdf:application/pdf;Snapshot:files/13/x.html:text/html}   Zotero
    file = {/home/ann/Zotero/storage/AB12CD34/Smith 2020.pdf;/home/ann/other.pdf}                   Better BibTeX
    file = {:papers/smith.pdf:PDF}                                                                  JabRef
    file = {C\\:\\\\Users\\\\ann\\\\smith.pdf}                                                      Windows, escaped

The paths are hostile until they were looked up below a folder: nothing here opens anything.
"""

from __future__ import annotations

import re
from posixpath import normpath

from ..text.citation_styles import percent_decode

MOST_FILES = 20
"""Files that are looked at of one entry."""
_LONGEST = 1000
_LONGEST_FIELD = 20_000
_PARTS = re.compile(r"(?<!\\);")
_FIELDS = re.compile(r"(?<!\\):")
_ESCAPED = re.compile(r"\\([\\:;{}_%&$#~ ,])")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,20}")
_DRIVE = re.compile(r"[A-Za-z]:/")
_FILE_URL = re.compile(r"file://(?:localhost)?(?=/)", re.IGNORECASE)


def attached_pdfs(text: str) -> tuple[str, ...]:
    """Every PDF that a `file` field names, each once: a path with forward slashes, relative or absolute."""
    parts = _PARTS.split(text[:_LONGEST_FIELD], MOST_FILES)[:MOST_FILES]
    found = (path for part in parts if (path := _find_path(_join_fields(_FIELDS.split(part)))))
    return tuple(dict.fromkeys(found))


def is_absolute(path: str) -> bool:
    """Whether a path begins at the root of a disk, here or on Windows."""
    return path[:1] == "/" or _DRIVE.match(path) is not None


def _join_fields(fields: list[str]) -> list[str]:
    """The fields of one attachment, with the colon of a drive or an address put back."""
    joined: list[str] = []
    for field in fields:
        before = joined[-1].strip() if joined else ""
        drive = len(before) == 1 and before.isalpha() and field[:1] in ("\\", "/")
        if drive or (field[:2] == "//" and _SCHEME.fullmatch(before)):
            joined[-1] = f"{before}:{field}"
        else:
            joined.append(field)
    return joined


def _find_path(fields: list[str]) -> str:
    """The path among the fields of one attachment: the middle of three, else what ends in `.pdf`; empty where none."""
    likeliest = fields[1:-1] if len(fields) > 2 else fields[::-1]
    return next((path for field in (*likeliest, *fields) if (path := _normal_path(field))), "")


def _normal_path(field: str) -> str:
    """A path to a PDF with forward slashes; empty for anything else: other files, addresses, control characters."""
    path = _ESCAPED.sub(r"\1", field.strip()).replace("\\", "/").strip()
    if _FILE_URL.match(path):
        path = percent_decode(_FILE_URL.sub("", path, count=1))
        path = path[1:] if _DRIVE.match(path, 1) else path
    if not path.lower().endswith(".pdf") or len(path) > _LONGEST or _CONTROL.search(path):
        return ""
    if "://" in path or path[0] == "~" or path.lower() == ".pdf":
        return ""
    # Dots inside of a path are taken out here, so that what it seems to lie below it does lie below.
    return normpath(path) if is_absolute(path) else path.removeprefix("./")
