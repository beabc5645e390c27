"""Sessions of nox, in `noxfile.py`. The file is not run: sessions are functions below `@nox.session` or `@session`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from . import DefinedNames

if TYPE_CHECKING:
    from . import Load

FILES = ("noxfile.py",)
_SESSION = re.compile(r"^@(?:nox\.)?session\b", re.MULTILINE)
_DEFINITION = re.compile(r"^(?:async )?def (\w+)", re.MULTILINE)
_NAME = re.compile(r"\bname[ \t]*=[ \t]*(f?)[\"']([^\"'\n]+)[\"']")
_NAMED = re.compile(r"\bname[ \t]*=")


def read(key: str, text: str, load: Load) -> DefinedNames:
    """Every session by the name of its function, or by the name that its decorator gives."""
    names: dict[str, None] = {}
    unknown = ""
    for match in _SESSION.finditer(text):
        definition = _DEFINITION.search(text, match.end(), match.end() + 1000)
        if definition is None:
            unknown = "some sessions are not functions"
            continue
        head = text[match.end() : definition.start()]
        given = _NAME.search(head)
        if given is not None and not given[1]:
            names[given[2]] = None
        elif _NAMED.search(head):
            unknown = "some sessions get their names when it runs"
        else:
            names[definition[1]] = None
    if not names or re.search(r"\bnox\.session\(|register|import \*", _SESSION.sub("", text)):
        unknown = unknown or "it may make more sessions when it runs"
    return DefinedNames(names, tuple(f"{name}-%" for name in names) + tuple(f"{name}(%" for name in names), unknown)
